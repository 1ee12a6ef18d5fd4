//! A height map as its file has it: samples, holes and spacing, and the step from codes to metres.
//!
//! Decoding is in the format files beside this one. What both share is checked here once, when
//! a [`HeightImage`] is made: at least 2 x 2 samples, as many as the header states, none infinite.

use std::path::{Path, PathBuf};

use super::samples::Samples;
use super::scaled::{any, extent, nearest_f32, place_of, scaled, scaled_in_place};
use crate::Error;
use crate::georeference::{Georeference, NoGeoreference};

/// The most samples a height map may have: triangles are numbered in 32 bits, two for each cell.
const MAX_SAMPLES: u64 = 1 << 31;

/// How stored samples become metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeightScale {
    /// Metres for one unit of the file; 1 unless the scene states another.
    MetresPerUnit(f64),
    /// Only for 8- and 16-bit unsigned images: the heights, metres, of code 0 and of the highest
    /// code of the file's depth. `low > high` turns the relief upside down.
    Range {
        /// The height of code 0.
        low: f64,
        /// The height of the highest code.
        high: f64,
    },
}

/// How a file itself says that stored values become heights: `stored * factor + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredScale {
    /// The height of one unit.
    pub factor: f64,
    /// The height of the stored value 0.
    pub offset: f64,
}

impl StoredScale {
    /// Heights as they are stored.
    pub const IDENTITY: Self = Self {
        factor: 1.0,
        offset: 0.0,
    };
}

/// A height map as its file has it.
///
/// Sample (column i, row j) is at index `j * columns + i`; row 0 is the file's first row.
///
/// ```
/// use hitscan_assets::heights::{HeightScale, read_heights};
/// let bytes = b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 30\n1 2\n3 -9999\n";
/// let image = read_heights("ridge.asc".as_ref(), bytes, None)?;
/// assert_eq!(image.spacing_m(), Some([30.0, 30.0]));
/// assert_eq!(image.value(1, 0), Some(2.0));
/// assert_eq!(image.value(1, 1), None);
/// let heights = image.into_heights(HeightScale::MetresPerUnit(0.5))?;
/// assert_eq!(heights[..3], [0.5, 1.0, 1.5]);
/// assert!(heights[3].is_nan());
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct HeightImage {
    path: PathBuf,
    columns: usize,
    rows: usize,
    samples: Samples,
    no_data: Option<f64>,
    spacing_m: Option<[f64; 2]>,
    georeference: Result<Georeference, NoGeoreference>,
    stored_scale: Option<StoredScale>,
    encoding: String,
}

impl HeightImage {
    /// Joins what a decoder has read.
    ///
    /// # Errors
    /// When there are fewer than 2 x 2 samples, another number than the size states, or an infinite
    /// one that is not the file's value for "no data".
    pub(super) fn new(
        path: &Path,
        [columns, rows]: [usize; 2],
        samples: Samples,
        no_data: Option<f64>,
    ) -> Result<Self, Error> {
        sample_count(path, columns as u64, rows as u64)?;
        if columns.checked_mul(rows) != Some(samples.len()) {
            return Err(Error::malformed(
                path,
                "samples",
                format!("{columns} x {rows} samples"),
                format!("{} samples", samples.len()),
            ));
        }
        let image = Self {
            path: path.to_owned(),
            columns,
            rows,
            no_data: no_data.and_then(|value| storable_no_data(&samples, value)),
            samples,
            spacing_m: None,
            georeference: Err(NoGeoreference::Format),
            stored_scale: None,
            encoding: String::new(),
        };
        image.refuse_infinite()?;
        Ok(image)
    }

    /// States the spacing that the file itself gives, metres along columns and rows.
    pub(super) fn with_spacing(mut self, spacing_m: Option<[f64; 2]>) -> Self {
        self.spacing_m = spacing_m;
        self
    }

    /// States where the file puts the samples on the earth.
    pub(super) fn with_georeference(
        mut self,
        georeference: Result<Georeference, NoGeoreference>,
    ) -> Self {
        self.georeference = georeference;
        self
    }

    /// States how the file says that stored values become heights.
    pub(super) fn with_stored_scale(mut self, scale: Option<StoredScale>) -> Self {
        self.stored_scale = scale;
        self
    }

    /// States how the file stores the samples.
    pub(super) fn with_encoding(mut self, encoding: impl Into<String>) -> Self {
        self.encoding = encoding.into();
        self
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of samples in a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The samples as stored; some may be holes, see [`Self::value`].
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The stored value that marks a hole, where the format has one. NaN marks a hole as well.
    #[must_use]
    pub fn no_data(&self) -> Option<f64> {
        self.no_data
    }

    /// Metres between columns and between rows, where the file states them in metres.
    #[must_use]
    pub fn spacing_m(&self) -> Option<[f64; 2]> {
        self.spacing_m
    }

    /// Where the samples are on the earth.
    ///
    /// # Errors
    /// Why that is not known.
    pub fn georeference(&self) -> Result<&Georeference, &NoGeoreference> {
        self.georeference.as_ref()
    }

    /// How the file says that stored values become heights, where it says more than that they are
    /// heights. [`Self::into_heights`] applies it; what [`Self::samples`], [`Self::value`] and
    /// [`Self::extent`] give is as stored.
    #[must_use]
    pub fn stored_scale(&self) -> Option<StoredScale> {
        self.stored_scale
    }

    /// How the file stores the samples, in words for `hitscan info`.
    #[must_use]
    pub fn encoding(&self) -> &str {
        &self.encoding
    }

    /// The stored value of sample (column, row); `None` for a hole and beyond the map.
    #[must_use]
    pub fn value(&self, column: usize, row: usize) -> Option<f64> {
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let value = self.samples.get(row * self.columns + column)?;
        (!value.is_nan() && Some(value) != self.no_data).then_some(value)
    }

    /// The number of holes and, unless all are holes, the lowest and highest stored value.
    #[must_use]
    pub fn extent(&self) -> (usize, Option<[f64; 2]>) {
        // Nothing equals NaN.
        let no_data = self.no_data.unwrap_or(f64::NAN);
        match &self.samples {
            Samples::U8 { codes, .. } => extent(codes, no_data),
            Samples::U16(codes) => extent(codes, no_data),
            Samples::I16(values) => extent(values, no_data),
            Samples::U32(values) => extent(values, no_data),
            Samples::I32(values) => extent(values, no_data),
            Samples::F32(values) => extent(values, no_data),
            Samples::F64(values) => extent(values, no_data),
        }
    }

    /// Turns the samples into heights, metres, row after row; holes are NaN.
    ///
    /// Each is worked out in f64 and rounded to f32 once. [`HeightScale::MetresPerUnit`] counts units
    /// of the file's own scale ([`Self::stored_scale`]); a range is that of the codes as stored.
    ///
    /// # Errors
    /// When a range is given for samples that are no codes, or a height does not fit into f32.
    pub fn into_heights(self, scale: HeightScale) -> Result<Vec<f32>, Error> {
        let is_as_stored = scale == HeightScale::MetresPerUnit(1.0) && self.stored_scale.is_none();
        if is_as_stored
            && self.no_data.is_none()
            && let Samples::F32(heights) = self.samples
        {
            // None is infinite, and NaN is all that is a hole.
            return Ok(heights);
        }
        match (scale, self.samples.highest_code()) {
            (HeightScale::Range { low, high }, Some(top)) => {
                let step = high - low;
                self.convert(|code| {
                    // The ends are those of the scene, to the bit.
                    if code == top {
                        high
                    } else {
                        low + step * (code / top)
                    }
                })
            }
            (HeightScale::Range { .. }, None) => Err(Error::malformed(
                &self.path,
                "samples",
                "8- or 16-bit unsigned samples, the only ones that `range` is for \
                 (`height_scale` scales all others)",
                format!("{} samples", self.samples.kind()),
            )),
            (HeightScale::MetresPerUnit(metres), _) => match self.stored_scale {
                None => self.convert(|value| value * metres),
                Some(StoredScale { factor, offset }) => {
                    self.convert(|value| (value * factor + offset) * metres)
                }
            },
        }
    }

    fn convert(self, metres: impl Fn(f64) -> f64) -> Result<Vec<f32>, Error> {
        let no_data = self.no_data;
        let columns = self.columns;
        let path = &self.path;
        match self.samples {
            Samples::U8 { codes, .. } => scaled(path, columns, codes, no_data, metres),
            Samples::U16(codes) => scaled(path, columns, codes, no_data, metres),
            Samples::I16(values) => scaled(path, columns, values, no_data, metres),
            Samples::U32(values) => scaled(path, columns, values, no_data, metres),
            Samples::I32(values) => scaled(path, columns, values, no_data, metres),
            Samples::F32(values) => scaled_in_place(path, columns, values, no_data, metres),
            Samples::F64(values) => scaled(path, columns, values, no_data, metres),
        }
    }

    fn refuse_infinite(&self) -> Result<(), Error> {
        let has_infinite = match &self.samples {
            Samples::F32(values) => any(values, |value| value.is_infinite()),
            Samples::F64(values) => any(values, |value| value.is_infinite()),
            _ => false,
        };
        if !has_infinite {
            return Ok(());
        }
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.value(column, row).is_some_and(f64::is_infinite) {
                    return Err(Error::malformed(
                        &self.path,
                        place_of(column, row),
                        "a finite height or NaN",
                        "an infinite height",
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The number of samples of a map of this size.
///
/// # Errors
/// When there are fewer than 2 x 2, or more than can be numbered.
pub(super) fn sample_count(path: &Path, columns: u64, rows: u64) -> Result<usize, Error> {
    let count = columns.checked_mul(rows);
    let is_enough = columns >= 2 && rows >= 2;
    match count.filter(|&n| is_enough && n <= MAX_SAMPLES) {
        Some(n) => usize::try_from(n).map_err(|_| {
            Error::unsupported(path, "header", "a height map larger than the address space")
        }),
        None => Err(Error::malformed(
            path,
            "header",
            format!("at least 2 x 2 and at most {MAX_SAMPLES} samples"),
            format!("{columns} columns, {rows} rows"),
        )),
    }
}

/// The value that marks holes as samples of this type store it; `None` if they cannot.
///
/// GDAL writes the value in decimal, often with more digits than an f32 has.
fn storable_no_data(samples: &Samples, value: f64) -> Option<f64> {
    if !matches!(samples, Samples::F32(_)) {
        return (!value.is_nan()).then_some(value);
    }
    let rounded = f64::from(nearest_f32(value));
    (rounded.is_finite() == value.is_finite() && !rounded.is_nan()).then_some(rounded)
}
