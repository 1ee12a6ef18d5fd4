//! Viewsheds as files: a grey PNG, or a GeoTIFF where the terrain lies on its map.

use super::counts::{Counts, HOLE};
use crate::failure::Failure;
use hitscan::height_field::{Grid, Viewshed, Visibility};
use hitscan_assets::georeference::{GeoSamples, MapFrame, write_geo_tiff};
use hitscan_picture::Image;
use std::path::Path;

/// The grey of holes and of what is too far.
const OUTSIDE: u8 = 128;

/// The maximum number of eyes that 16 bits count beside a hole, which is the largest number.
const MOST_EYES: usize = 65_534;

/// The file to write.
pub(super) struct Map<'a> {
    pub(super) grid: &'a Grid,
    /// Of a GeoTIFF; `None` is a PNG.
    pub(super) frame: Option<&'a MapFrame>,
    pub(super) path: &'a Path,
}

impl Map<'_> {
    /// The file of one eye: 255 where it sees, 0 where not.
    pub(super) fn levels(&self, viewshed: Viewshed) -> Result<Vec<u8>, Failure> {
        let level = |sample| match sample {
            Visibility::Visible => 255,
            Visibility::Hidden => 0,
            Visibility::Outside => OUTSIDE,
        };
        let samples = viewshed.into_samples().into_iter();
        let levels: Vec<u8> = samples.map(level).collect();
        match self.frame {
            Some(frame) => self.geo_tiff(GeoSamples::U8(&levels), OUTSIDE.into(), frame),
            None => {
                let [columns, rows] = self.png_size()?;
                Ok(Image::grey_png(columns, rows, &levels)?)
            }
        }
    }

    /// The file of many eyes: how many see.
    pub(super) fn counts(&self, counts: &Counts) -> Result<Vec<u8>, Failure> {
        match self.frame {
            Some(frame) if counts.eyes > MOST_EYES => {
                self.geo_tiff(GeoSamples::U32(&counts.samples), HOLE, frame)
            }
            Some(frame) => {
                let samples = narrow(&counts.samples);
                self.geo_tiff(GeoSamples::U16(&samples), u16::MAX.into(), frame)
            }
            None => {
                let [columns, rows] = self.png_size()?;
                Ok(Image::grey_png_16(columns, rows, &narrow(&counts.samples))?)
            }
        }
    }

    /// Refuses more eyes than the file can count.
    pub(super) fn check_count(&self, eyes: usize) -> Result<(), Failure> {
        if self.frame.is_some() || eyes <= MOST_EYES {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{}: a PNG counts to {MOST_EYES}, and there are {eyes} eyes: write a GeoTIFF (.tif)",
            self.path.display()
        )))
    }

    fn geo_tiff(
        &self,
        samples: GeoSamples<'_>,
        no_data: u32,
        frame: &MapFrame,
    ) -> Result<Vec<u8>, Failure> {
        let written = write_geo_tiff(self.grid, samples, no_data, frame);
        written.map_err(|error| Failure::other(format!("{}: {error}", self.path.display())))
    }

    fn png_size(&self) -> Result<[u32; 2], Failure> {
        let side = |side: usize| {
            u32::try_from(side)
                .map_err(|_| Failure::other("the terrain has too many samples for a PNG"))
        };
        Ok([side(self.grid.columns)?, side(self.grid.rows)?])
    }
}

/// Counts of 16 bits, which they fit into: a hole is the largest number there too.
fn narrow(counts: &[u32]) -> Vec<u16> {
    counts
        .iter()
        .map(|count| u16::try_from(*count).unwrap_or(u16::MAX))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_assets::heights::read_heights;

    #[test]
    fn counts_have_as_many_bits_as_they_need() {
        let frame = MapFrame::metres([0.0; 3]);
        let grid = Grid::new(2, 2, [1.0; 2]);
        let file = |eyes: u32, frame| {
            let map = Map {
                grid: &grid,
                frame,
                path: Path::new("counts.tif"),
            };
            map.check_count(eyes as usize)?;
            map.counts(&Counts {
                eyes: eyes as usize,
                samples: vec![0, 256, eyes, HOLE],
            })
        };
        for (eyes, kind) in [
            (300, "16-bit unsigned"),
            (65_534, "16-bit unsigned"),
            (65_535, "32-bit unsigned"),
        ] {
            let bytes = file(eyes, Some(&frame)).unwrap();
            let image = read_heights("counts.tif".as_ref(), &bytes, None).unwrap();
            assert_eq!(image.samples().kind(), kind);
            let values = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| image.value(i, j));
            assert_eq!(
                values,
                [Some(0.0), Some(256.0), Some(f64::from(eyes)), None]
            );
        }
        let bytes = file(65_534, None).unwrap();
        let image = read_heights("counts.png".as_ref(), &bytes, None).unwrap();
        let values = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| image.value(i, j));
        assert_eq!(values, [0.0, 256.0, 65_534.0, 65_535.0].map(Some));
        assert!(file(65_535, None).is_err());
    }
}
