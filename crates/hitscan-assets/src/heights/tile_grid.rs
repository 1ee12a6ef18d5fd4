//! The grid of tiles that are one surface: which lines of samples each lies on, or why on none.

use std::path::{Path, PathBuf};

use super::image::{HeightImage, sample_count};
use crate::Error;
use crate::georeference::{Crs, Georeference, MapUnit, SAME_LINE};

/// The most samples of a mosaic for one of its tiles: more is a tile that lies far away from the others.
const MOST_HOLES: usize = 16;

/// The grid of the first tile, as far as tiles are laid on it.
pub(super) struct TileGrid {
    first: PathBuf,
    pub(super) base: Georeference,
    /// The most that a tile says of their common system, and which.
    pub(super) crs: Crs,
    named: PathBuf,
    /// Columns and rows from the first tile to each other, whole numbers.
    pub(super) offsets: Vec<[f64; 2]>,
    pub(super) least: [f64; 2],
    /// One more than the largest column and row.
    end: [f64; 2],
    /// The coordinates of the least column and row.
    pub(super) north_west: [f64; 2],
    samples: usize,
}

impl TileGrid {
    pub(super) fn new(image: &HeightImage, place: &Georeference) -> Self {
        Self {
            first: image.path().to_owned(),
            base: place.clone(),
            crs: place.crs.clone(),
            named: image.path().to_owned(),
            offsets: Vec::new(),
            least: [0.0; 2],
            end: place.size.map(|count| count as f64),
            north_west: place.north_west(),
            samples: image.samples().len(),
        }
    }

    pub(super) fn add(&mut self, image: &HeightImage, place: &Georeference) -> Result<(), Error> {
        let first = self.first.display();
        let refuse = |expected: String, found: String| {
            Err(Error::malformed(
                image.path(),
                "georeference",
                expected,
                found,
            ))
        };
        if !self.crs.agrees_with(&place.crs) {
            let expected = format!(
                "the coordinate system of {}: {}",
                self.named.display(),
                self.crs
            );
            let found = format!(
                "{}; reproject one, such as with `gdalwarp -t_srs`",
                place.crs
            );
            return refuse(expected, found);
        }
        let units = [&self.base, place].map(|place| place.vertical.unit_metres.unwrap_or(1.0));
        if units[0] != units[1] {
            let expected = format!("the unit of height of {first}: {} m", units[0]);
            return refuse(expected, format!("{} m", units[1]));
        }
        let mut offset = [0.0; 2];
        for axis in [0, 1] {
            let cell = self.base.cell[axis];
            let drift = (place.cell[axis] - cell).abs() / cell * place.size[axis] as f64;
            if drift.is_nan() || drift > SAME_LINE {
                let shown = |[x, z]: [f64; 2]| format!("{x} x {z}");
                let expected = format!("the cells of {first}: {}", shown(self.base.cell));
                let found = format!(
                    "{}; warp one to the other's, such as with `gdalwarp -tr`",
                    shown(place.cell)
                );
                return refuse(expected, found);
            }
            let along = [1.0, -1.0][axis] * (place.first[axis] - self.base.first[axis]) / cell;
            offset[axis] = along.round();
            let aside = along - offset[axis];
            if aside.is_nan() || aside.abs() > SAME_LINE {
                let line = ["column", "row"][axis];
                let found = format!(
                    "samples {:.4} of a {line} aside; warp one to the other's grid, such as with \
                     `gdalwarp -tap`",
                    aside.abs()
                );
                return refuse(format!("samples on the {line}s of {first}"), found);
            }
        }
        if self.crs.epsg.is_none() && (self.crs.name.is_none() || place.crs.epsg.is_some()) {
            let unit = self.crs.unit;
            (self.crs, self.named) = (place.crs.clone(), image.path().to_owned());
            self.keep_unit(unit);
        } else {
            self.keep_unit(place.crs.unit);
        }
        for axis in [0, 1] {
            if offset[axis] < self.least[axis] {
                self.least[axis] = offset[axis];
                self.north_west[axis] = place.first[axis];
            }
            let end = offset[axis] + place.size[axis] as f64;
            self.end[axis] = self.end[axis].max(end);
        }
        self.offsets.push(offset);
        self.samples += image.samples().len();
        Ok(())
    }

    /// Takes this unit of length where what names the system states none.
    fn keep_unit(&mut self, unit: MapUnit) {
        if self.crs.unit.metres().is_none() && unit.metres().is_some() {
            self.crs.unit = unit;
        }
    }

    /// Columns and rows of all tiles together.
    pub(super) fn size(&self, name: &Path) -> Result<[usize; 2], Error> {
        let [columns, rows] = [0, 1].map(|axis| whole(self.end[axis] - self.least[axis]));
        sample_count(name, columns as u64, rows as u64)?;
        if columns.saturating_mul(rows) > self.samples.saturating_mul(MOST_HOLES) {
            let expected = format!(
                "tiles near each other, which cover at least 1 in {MOST_HOLES} of the samples"
            );
            let found = format!(
                "{} samples in {columns} columns and {rows} rows around {}",
                self.samples,
                self.first.display()
            );
            return Err(Error::malformed(name, "the tiles", expected, found));
        }
        Ok([columns, rows])
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number at least 0, and one that is too large saturates and is refused"
)]
pub(super) fn whole(number: f64) -> usize {
    number as usize
}
