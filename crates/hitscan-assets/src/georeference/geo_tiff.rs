//! Writes a GeoTIFF: a whole number for each sample of a terrain, where the terrain lies on its map.
//!
//! Sources: Adobe, "TIFF Revision 6.0" (1992), with deflate of "Adobe Photoshop TIFF Technical Notes"
//! (2002); OGC 19-008r4, "OGC GeoTIFF Standard", version 1.1 (2019).

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::ops::Range;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use hitscan::height_field::Grid;

use super::crs::{Crs, MapUnit};
use super::map_frame::MapFrame;
use crate::tiff_numbers::field::{ASCII, DOUBLE, LONG, SHORT};
use crate::tiff_numbers::{code, key, tag};

/// Bytes of a strip before it is compressed, unless one row has more.
const STRIP: usize = 1 << 18;

/// What a GeoTIFF holds, row by row.
#[derive(Debug, Clone, Copy)]
pub enum GeoSamples<'a> {
    /// 8 bits each.
    U8(&'a [u8]),
    /// 16 bits each.
    U16(&'a [u16]),
    /// 32 bits each.
    U32(&'a [u32]),
}

impl GeoSamples<'_> {
    fn len(self) -> usize {
        match self {
            Self::U8(samples) => samples.len(),
            Self::U16(samples) => samples.len(),
            Self::U32(samples) => samples.len(),
        }
    }

    fn bytes_each(self) -> u16 {
        match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::U32(_) => 4,
        }
    }

    /// The bytes of some samples, the lowest of each first.
    fn bytes(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        match self {
            Self::U8(samples) => Cow::Borrowed(&samples[range]),
            Self::U16(samples) => {
                let bytes = samples[range]
                    .iter()
                    .flat_map(|sample| sample.to_le_bytes());
                Cow::Owned(bytes.collect())
            }
            Self::U32(samples) => {
                let bytes = samples[range]
                    .iter()
                    .flat_map(|sample| sample.to_le_bytes());
                Cow::Owned(bytes.collect())
            }
        }
    }
}

/// A GeoTIFF of unsigned whole numbers, row 0 first, for the samples of a terrain with this grid; those
/// that are `no_data` count as empty. The map's system is the frame's, by its EPSG code where it has one.
///
/// ```
/// use hitscan::height_field::Grid;
/// use hitscan_assets::georeference::{GeoSamples, MapFrame, write_geo_tiff};
/// use hitscan_assets::heights::read_heights;
/// let frame = MapFrame::metres([500_000.0, 0.0, 6_200_000.0]);
/// let grid = Grid::new(3, 2, [10.0, 10.0]);
/// let samples = GeoSamples::U8(&[1, 2, 3, 4, 5, 128]);
/// let bytes = write_geo_tiff(&grid, samples, 128, &frame)?;
/// let image = read_heights("seen.tif".as_ref(), &bytes, None).unwrap();
/// assert_eq!(image.georeference().unwrap().south_east(), [500_020.0, 6_199_990.0]);
/// assert_eq!((image.value(1, 1), image.value(2, 1)), (Some(5.0), None));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] where `samples` are not as many as the grid has, and
/// [`io::ErrorKind::FileTooLarge`] beyond the 4 GiB of a classic TIFF.
pub fn write_geo_tiff(
    grid: &Grid,
    samples: GeoSamples<'_>,
    no_data: u32,
    frame: &MapFrame,
) -> io::Result<Vec<u8>> {
    let count = samples.len();
    if grid.columns.checked_mul(grid.rows) != Some(count) || count == 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let bytes_each = samples.bytes_each();
    let row_bytes = grid.columns * usize::from(bytes_each);
    let rows_a_strip = (STRIP / row_bytes).clamp(1, grid.rows);
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    let samples_a_strip = rows_a_strip * grid.columns;
    for first in (0..count).step_by(samples_a_strip) {
        let strip = samples.bytes(first..count.min(first + samples_a_strip));
        let start = file.len();
        offsets.push(offset(start)?);
        let mut encoder = ZlibEncoder::new(&mut file, Compression::default());
        encoder.write_all(&strip)?;
        encoder.finish()?;
        lengths.push(offset(file.len() - start)?);
    }
    let [columns, rows, rows_a_strip] = [grid.columns, grid.rows, rows_a_strip].map(offset);
    let long = |number: u32| (LONG, number.to_le_bytes().to_vec());
    let longs = |numbers: &[u32]| (LONG, numbers.iter().flat_map(|n| n.to_le_bytes()).collect());
    let short = |number: u16| (SHORT, number.to_le_bytes().to_vec());
    let GeoKeys {
        keys,
        citation,
        unit_metres,
    } = geo_keys(frame);
    let first = frame.map_from_world([grid.x(0), 0.0, grid.z(0)]);
    let [east, north] = frame.metres_per_unit();
    let cell = [grid.spacing[0] / east, grid.spacing[1] / north, 0.0];
    // In the order of their numbers, as TIFF has it.
    let tags = [
        (tag::IMAGE_WIDTH, long(columns?)),
        (tag::IMAGE_LENGTH, long(rows?)),
        (tag::BITS_PER_SAMPLE, short(8 * bytes_each)),
        (tag::COMPRESSION, short(code::DEFLATE)),
        (tag::PHOTOMETRIC, short(code::BLACK_IS_ZERO)),
        (tag::STRIP_OFFSETS, longs(&offsets)),
        (tag::SAMPLES_PER_PIXEL, short(1)),
        (tag::ROWS_PER_STRIP, long(rows_a_strip?)),
        (tag::STRIP_BYTE_COUNTS, longs(&lengths)),
        (tag::MODEL_PIXEL_SCALE, doubles(&cell)),
        (
            tag::MODEL_TIEPOINT,
            doubles(&[0.0, 0.0, 0.0, first[0], first[2], 0.0]),
        ),
        (
            tag::GEO_KEY_DIRECTORY,
            (
                SHORT,
                keys.iter().flat_map(|key| key.to_le_bytes()).collect(),
            ),
        ),
        (tag::GEO_DOUBLE_PARAMS, doubles(&[unit_metres])),
        (tag::GEO_ASCII_PARAMS, ascii(&citation)),
        (tag::GDAL_NODATA, ascii(&no_data.to_string())),
    ];
    write_directory(&mut file, &tags)?;
    Ok(file)
}

/// The keys of a system, and what they refer to.
struct GeoKeys {
    keys: Vec<u16>,
    citation: String,
    /// The length of its unit where no code says it.
    unit_metres: f64,
}

fn geo_keys(frame: &MapFrame) -> GeoKeys {
    let metres = Crs::unnamed(MapUnit::Metre);
    let crs = frame.crs().unwrap_or(&metres);
    let epsg = crs.epsg.and_then(|code| u16::try_from(code).ok());
    let epsg = epsg.unwrap_or(code::USER_DEFINED);
    let citation = format!("{}|", crs.name.as_deref().unwrap_or("unnamed"));
    let length = u16::try_from(citation.len()).unwrap_or(u16::MAX);
    // Each key: its number, where its value is, how many, the value.
    let stated = |key: u16, value: u16| [key, 0, 1, value];
    let model = match crs.is_geographic() {
        true => code::MODEL_GEOGRAPHIC,
        false => code::MODEL_PROJECTED,
    };
    let mut keys = vec![
        stated(key::GT_MODEL_TYPE, model),
        stated(key::GT_RASTER_TYPE, code::PIXEL_IS_POINT),
        [key::GT_CITATION, tag::GEO_ASCII_PARAMS, length, 0],
    ];
    if crs.is_geographic() {
        keys.push(stated(key::GEODETIC_CRS, epsg));
        keys.push(stated(key::GEOG_ANGULAR_UNITS, code::DEGREE));
    } else {
        keys.push(stated(key::PROJECTED_CRS, epsg));
    }
    let unit = match crs.unit {
        MapUnit::Metre => Some(code::METRE),
        MapUnit::Foot => Some(code::FOOT),
        MapUnit::UsSurveyFoot => Some(code::US_SURVEY_FOOT),
        MapUnit::Metres(_) => Some(code::USER_DEFINED),
        // The system's code, if any, says it.
        MapUnit::Degree | MapUnit::Unknown => None,
    };
    keys.extend(unit.map(|unit| stated(key::PROJ_LINEAR_UNITS, unit)));
    if matches!(crs.unit, MapUnit::Metres(_)) {
        keys.push([key::PROJ_LINEAR_UNIT_SIZE, tag::GEO_DOUBLE_PARAMS, 1, 0]);
    }
    let count = u16::try_from(keys.len()).unwrap_or(u16::MAX);
    let all = [[1, 1, 0, count]].into_iter().chain(keys);
    GeoKeys {
        keys: all.flatten().collect(),
        citation,
        unit_metres: crs.unit.metres().unwrap_or(1.0),
    }
}

type Field = (u16, Vec<u8>);

fn doubles(numbers: &[f64]) -> Field {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    (DOUBLE, bytes.collect())
}

fn ascii(text: &str) -> Field {
    (ASCII, [text.as_bytes(), b"\0"].concat())
}

/// Writes what does not fit into the directory, the directory, and where it is.
fn write_directory(file: &mut Vec<u8>, tags: &[(u16, Field)]) -> io::Result<()> {
    let mut entries = Vec::with_capacity(tags.len() * 12);
    for (tag, (kind, bytes)) in tags {
        let width = match *kind {
            ASCII => 1,
            SHORT => 2,
            LONG => 4,
            _ => 8,
        };
        entries.extend(tag.to_le_bytes());
        entries.extend(kind.to_le_bytes());
        entries.extend(offset(bytes.len() / width)?.to_le_bytes());
        if bytes.len() <= 4 {
            let mut word = [0; 4];
            word[..bytes.len()].copy_from_slice(bytes);
            entries.extend(word);
        } else {
            // Values begin at even places.
            file.resize(file.len().next_multiple_of(2), 0);
            entries.extend(offset(file.len())?.to_le_bytes());
            file.extend(bytes);
        }
    }
    file.resize(file.len().next_multiple_of(2), 0);
    let directory = offset(file.len())?;
    let count = u16::try_from(tags.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    file.extend(count.to_le_bytes());
    file.extend(entries);
    file.extend([0; 4]);
    file[4..8].copy_from_slice(&directory.to_le_bytes());
    Ok(())
}

fn offset(number: usize) -> io::Result<u32> {
    u32::try_from(number).map_err(|_| io::ErrorKind::FileTooLarge.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heights::read_heights;

    #[test]
    fn what_is_written_is_read_where_it_was() {
        let grid = Grid {
            origin: [30.0, 5.0, -40.0],
            ..Grid::new(700, 900, [2.5, 5.0])
        };
        let samples: Vec<u8> = (0..700 * 900_usize)
            .map(|index| (index * index % 251).to_le_bytes()[0])
            .collect();
        let systems = [
            Crs {
                unit: MapUnit::Metre,
                epsg: Some(32632),
                name: Some("WGS 84 / UTM zone 32N".to_owned()),
            },
            Crs::wgs84(),
            Crs::unnamed(MapUnit::UsSurveyFoot),
            Crs::unnamed(MapUnit::Metres(0.5)),
            Crs::unnamed(MapUnit::Unknown),
        ];
        for crs in systems {
            let metres = crs.unit.metres().unwrap_or(60_000.0);
            let frame = MapFrame::of(crs.clone(), [500.0, 7.0, 40.0], [metres; 2]);
            let bytes = write_geo_tiff(&grid, GeoSamples::U8(&samples), 250, &frame).unwrap();
            assert!(bytes.len() < samples.len());
            let image = read_heights("a.tif".as_ref(), &bytes, None).unwrap();
            for (index, sample) in samples.iter().enumerate() {
                let value = image.value(index % 700, index / 700);
                assert_eq!(value, (*sample != 250).then_some(f64::from(*sample)));
            }
            let place = image.georeference().unwrap();
            assert!(
                place.crs.agrees_with(&crs)
                    && (place.crs.unit, place.crs.epsg) == (crs.unit, crs.epsg),
                "{:?}",
                place.crs
            );
            let [x, _, z] = frame.map_from_world([30.0, 0.0, -40.0]);
            assert_eq!(place.north_west(), [x, z]);
            assert_eq!(place.cell, [2.5 / metres, 5.0 / metres]);
        }
        let frame = MapFrame::metres([0.0; 3]);
        let refused = write_geo_tiff(&grid, GeoSamples::U8(&samples[1..]), 250, &frame);
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn wide_samples_are_read_as_they_were() {
        let grid = Grid::new(700, 900, [2.5, 5.0]);
        let frame = MapFrame::metres([0.0; 3]);
        let values = (0..700 * 900_u32).map(|index| index.wrapping_mul(2_654_435_761));
        let wide: Vec<u32> = values.collect();
        let narrow: Vec<u16> = wide
            .iter()
            .map(|wide| u16::try_from(wide >> 16).unwrap())
            .collect();
        for (samples, no_data) in [
            (GeoSamples::U16(&narrow), u32::from(narrow[5])),
            (GeoSamples::U32(&wide), wide[5]),
        ] {
            let bytes = write_geo_tiff(&grid, samples, no_data, &frame).unwrap();
            let image = read_heights("a.tif".as_ref(), &bytes, None).unwrap();
            for index in 0..wide.len() {
                let expected = match samples {
                    GeoSamples::U32(wide) => wide[index],
                    _ => narrow[index].into(),
                };
                let value = image.value(index % 700, index / 700);
                assert_eq!(value, (expected != no_data).then_some(f64::from(expected)));
            }
        }
    }
}
