//! ESRI ASCII grids: a header of key and value lines, then heights as text, row after row.
//!
//! Keys may be in any order and case, lines may be wrapped anywhere among the heights, and a comma
//! may be the decimal separator. A missing `NODATA_value` is -9999, as in ESRI's description of the
//! format. The cell size counts as metres, whatever the grid's coordinates are in: a grid in degrees
//! needs the scene's `spacing`, or to be placed by its georeference.
//!
//! A height is that of its cell's middle, half a cell from the outer corner that `xllcorner` and
//! `yllcorner` are of; `xllcenter` and `yllcenter` are of the south-western height itself. The format
//! names no coordinate system: a georeference is in degrees where the whole grid lies within 180 and
//! 90 and its cells are below 0.1, and in metres otherwise.

use std::path::Path;

use super::image::{HeightImage, sample_count};
use super::samples::Samples;
use super::scaled::place_of;
use crate::Error;
use crate::georeference::{Georeference, NoGeoreference};

const KEYS: [&str; 10] = [
    "ncols",
    "nrows",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
];

const DEFAULT_NO_DATA: f64 = -9999.0;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<HeightImage, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut words = Words {
        rest: bytes,
        line: 1,
    };
    let header = Header::read(path, &mut words)?;
    let (columns, rows) = (header.columns, header.rows);
    let count = sample_count(path, columns as u64, rows as u64)?;
    // A height takes a digit and a space, which limits what a false header makes us allocate.
    let mut values = Vec::with_capacity(count.min(words.rest.len() / 2 + 1));
    for word in words.by_ref() {
        let index = values.len();
        let location = || {
            format!(
                "line {} ({})",
                word.line,
                place_of(index % columns, index / columns)
            )
        };
        if index == count {
            let expected = format!("the end of {columns} x {rows} heights");
            let location = format!("line {}", word.line);
            return Err(Error::malformed(path, location, expected, word.quoted()));
        }
        let value = word
            .number()
            .ok_or_else(|| Error::malformed(path, location(), "a number", word.quoted()))?;
        if value.is_infinite() && value != header.no_data {
            return Err(Error::malformed(
                path,
                location(),
                "a finite height",
                word.quoted(),
            ));
        }
        values.push(value);
    }
    if values.len() < count {
        return Err(Error::malformed(
            path,
            format!("line {}", words.line),
            format!("{columns} x {rows} heights, {count} in all"),
            format!("the end of the file after {} of them", values.len()),
        ));
    }
    let size = [columns, rows];
    Ok(
        HeightImage::new(path, size, Samples::F64(values), Some(header.no_data))?
            .with_spacing(Some(header.spacing_m))
            .with_georeference(header.georeference)
            .with_encoding("ESRI ASCII grid"),
    )
}

struct Header {
    columns: usize,
    rows: usize,
    spacing_m: [f64; 2],
    no_data: f64,
    georeference: Result<Georeference, NoGeoreference>,
}

impl Header {
    /// Reads keys and values up to the first word that is a number in place of a key.
    fn read(path: &Path, words: &mut Words) -> Result<Self, Error> {
        let mut found: [Option<f64>; KEYS.len()] = [None; KEYS.len()];
        loop {
            let before = *words;
            let Some(key) = words.next() else { break };
            if key.number().is_some() {
                *words = before;
                break;
            }
            let location = format!("line {}", key.line);
            let name = key.text().to_ascii_lowercase();
            let Some(index) = KEYS.iter().position(|&known| known == name) else {
                return Err(Error::unknown(
                    path,
                    location,
                    "header key",
                    &key.text(),
                    KEYS,
                ));
            };
            let value = words.next().ok_or_else(|| {
                Error::missing(path, location.clone(), format!("the value of `{name}`"))
            })?;
            let is_no_data = name == "nodata_value";
            let number = value.number().filter(|v| v.is_finite() || is_no_data);
            let number = number.ok_or_else(|| {
                Error::malformed(
                    path,
                    location.clone(),
                    format!("a number after `{name}`"),
                    value.quoted(),
                )
            })?;
            if found[index].replace(number).is_some() {
                let found = format!("a second `{name}`");
                return Err(Error::malformed(path, location, "each key once", found));
            }
        }
        let value = |key: &str| KEYS.iter().position(|&k| k == key).and_then(|at| found[at]);
        let needed = |key: &str| {
            value(key).ok_or_else(|| Error::missing(path, "header", format!("the key `{key}`")))
        };
        let cell = |key: &str| {
            let size = value(key).map_or_else(|| needed("cellsize"), Ok)?;
            let expected = "a cell size greater than zero";
            (size > 0.0)
                .then_some(size)
                .ok_or_else(|| Error::malformed(path, "header", expected, size.to_string()))
        };
        let columns = count_of(path, "ncols", needed("ncols")?)?;
        let rows = count_of(path, "nrows", needed("nrows")?)?;
        let spacing_m = [cell("dx")?, cell("dy")?];
        let corner = [value("xllcorner"), value("yllcorner")];
        let center = [value("xllcenter"), value("yllcenter")];
        Ok(Self {
            columns,
            rows,
            spacing_m,
            no_data: value("nodata_value").unwrap_or(DEFAULT_NO_DATA),
            georeference: Georeference::of_south_west(corner, center, spacing_m, [columns, rows]),
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a small whole number"
)]
fn count_of(path: &Path, key: &str, value: f64) -> Result<usize, Error> {
    if value >= 0.0 && value <= f64::from(u32::MAX) && value.trunc() == value {
        return Ok(value as usize);
    }
    let expected = format!("a whole number after `{key}`");
    Err(Error::malformed(
        path,
        "header",
        expected,
        value.to_string(),
    ))
}

/// The words of the text, with their lines.
#[derive(Clone, Copy)]
struct Words<'a> {
    rest: &'a [u8],
    line: usize,
}

struct Word<'a> {
    bytes: &'a [u8],
    line: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let start = self
            .rest
            .iter()
            .position(|byte| !byte.is_ascii_whitespace());
        let (gap, rest) = self.rest.split_at(start.unwrap_or(self.rest.len()));
        self.line += gap.iter().filter(|&&byte| byte == b'\n').count();
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let (bytes, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        (!bytes.is_empty()).then_some(Word {
            bytes,
            line: self.line,
        })
    }
}

impl Word<'_> {
    fn text(&self) -> String {
        const LONGEST: usize = 40;
        let cut = &self.bytes[..self.bytes.len().min(LONGEST)];
        String::from_utf8_lossy(cut).into_owned()
    }

    fn quoted(&self) -> String {
        format!("`{}`", self.text())
    }

    /// The word as a number; a single comma is a decimal point.
    fn number(&self) -> Option<f64> {
        let text = std::str::from_utf8(self.bytes).ok()?;
        if text.contains(',') && !text.contains('.') {
            return text.replacen(',', ".", 1).parse().ok();
        }
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::georeference::{MapUnit, PixelKind};

    fn check(text: &str) -> Result<HeightImage, String> {
        read("a.asc".as_ref(), text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_in_any_order_and_case_and_rows_wrapped_anywhere() {
        let text = "\u{feff}NODATA_value -1\r\nNROWS 2\nyllcenter 0\nXLLCENTER 0\nDX 1,5\ndy 2\n\
                    NCols 3\n1,5 -2e1\n+3\n.5 5. -1\n\n";
        let image = check(text).unwrap();
        assert_eq!([image.columns(), image.rows()], [3, 2]);
        assert_eq!(image.spacing_m(), Some([1.5, 2.0]));
        let values: Vec<_> = (0..6).map(|k| image.value(k % 3, k / 3)).collect();
        let expected = [
            Some(1.5),
            Some(-20.0),
            Some(3.0),
            Some(0.5),
            Some(5.0),
            None,
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn corners_and_centers_are_half_a_cell_apart() {
        let place = |origin: &str| {
            let text = format!("ncols 3\nnrows 2\n{origin}\ndx 10\ndy 4\n1 2 3 4 5 6\n");
            let image = check(&text).unwrap();
            image.georeference().cloned().map_err(Clone::clone)
        };
        let by_corner = place("xllcorner 500000\nyllcorner 6200000").unwrap();
        assert_eq!(by_corner.first, [500_005.0, 6_200_006.0]);
        assert_eq!(by_corner.south_east(), [500_025.0, 6_200_002.0]);
        assert_eq!(
            (by_corner.pixel, by_corner.crs.unit),
            (PixelKind::Area, MapUnit::Metre)
        );
        let by_center = place("xllcenter 500000\nyllcenter 6200000").unwrap();
        assert_eq!(by_center.first, [500_000.0, 6_200_004.0]);
        assert_eq!(by_center.pixel, PixelKind::Point);
        let message = place("xllcorner 5").unwrap_err().to_string();
        assert_eq!(message, "its header has no `yllcorner`");
    }

    #[test]
    fn small_cells_within_the_earths_degrees_are_degrees() {
        for (corner, cell, is_geographic) in [
            ("xllcorner -84.4\nyllcorner 36.4", "0.0008", true),
            ("xllcorner -84.4\nyllcorner 36.4", "0.5", false),
            ("xllcorner 500\nyllcorner 36.4", "0.05", false),
            ("xllcorner -180.1\nyllcorner 36.4", "0.05", false),
            ("xllcorner 0\nyllcorner 89.99", "0.05", false),
        ] {
            let text = format!("ncols 2\nnrows 2\n{corner}\ncellsize {cell}\n1 2 3 4\n");
            let image = check(&text).unwrap();
            let crs = &image.georeference().unwrap().crs;
            assert_eq!(crs.is_geographic(), is_geographic, "{corner} {cell}");
        }
    }

    #[test]
    fn nodata_is_minus_9999_by_default_and_nan_is_a_hole() {
        let image = check("ncols 2 nrows 2 cellsize 1 nan -9999 3 4").unwrap();
        assert_eq!(image.extent(), (2, Some([3.0, 4.0])));
    }

    #[test]
    fn faults_name_the_line_and_what_was_expected() {
        for (text, part) in [
            ("", "`ncols` is missing"),
            ("ncols 2\nnrows 2\n1 2 3 4", "`cellsize` is missing"),
            ("ncols 2\nnrows 2\ncellsize 0\n1 2 3 4", "greater than zero"),
            (
                "ncols 2\nnrows 2\ncelsize 1\n1 2 3 4",
                "line 3: unknown header key `celsize`; did you mean `cellsize`?",
            ),
            ("ncols 2\nncols 2\n", "line 2: expected each key once"),
            (
                "ncols two\n",
                "line 1: expected a number after `ncols`, found `two`",
            ),
            ("ncols 2.5\nnrows 2\ncellsize 1\n1 2 3 4", "a whole number"),
            ("ncols -2\nnrows 2\ncellsize 1\n1 2 3 4", "a whole number"),
            ("ncols 1\nnrows 4\ncellsize 1\n1 2 3 4", "at least 2 x 2"),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3",
                "line 5: expected 2 x 2 heights, 4 in all, found the end of the file after 3",
            ),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 4\n5",
                "line 6: expected the end",
            ),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 x\n",
                "line 5 (row 1, column 1): expected a number, found `x`",
            ),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 inf\n",
                "line 5 (row 1, column 1): expected a finite height",
            ),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 1e999\n",
                "expected a finite height",
            ),
            (
                "ncols 2\nnrows 2\ncellsize 1\n1 2\n3 1,2,3\n",
                "expected a number",
            ),
            (
                "ncols 60000\nnrows 60000\ncellsize 1\n1 2\n3 4\n",
                "at most",
            ),
            (
                "ncols 30000\nnrows 30000\ncellsize 1\n1 2\n3 4\n",
                "after 4 of them",
            ),
            ("ncols", "the value of `ncols` is missing"),
        ] {
            let message = check(text).unwrap_err();
            assert!(message.contains(part), "{message}\nlacks\n{part}");
        }
    }
}
