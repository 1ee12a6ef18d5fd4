//! A survey: a map in projected coordinates of some 1e6 metres, and points on it whose heights are
//! interpolated in f64, without an f32 on the way.

use crate::Rng;
use crate::tiff_file::{TiffFile, Values};

/// A square map, whose samples are the middles of its pixels.
#[derive(Debug, Clone)]
pub struct Survey {
    side: usize,
    cell: f64,
    heights: Vec<f32>,
}

/// A point of a survey.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurveyPoint {
    /// Easting, in whole millimetres.
    pub easting_mm: i64,
    /// Northing, in whole millimetres.
    pub northing_mm: i64,
    /// The height on the map's triangle there, metres.
    pub height: f64,
}

impl Survey {
    /// The outer corner of the north-western pixel.
    pub const CORNER: [f64; 2] = [3_512_345.25, 9_876_543.5];

    /// A map of `side` x `side` samples, `cell` metres apart, with slopes up to 1.
    ///
    /// # Panics
    /// When there are fewer than two samples a side.
    #[must_use]
    pub fn new(side: usize, cell: f64, seed: u64) -> Self {
        assert!(side >= 2, "a map has at least two samples a side");
        let mut rng = Rng::new(seed);
        let mut heights = Vec::with_capacity(side * side);
        for row in 0..side {
            for column in 0..side {
                let [x, z] = [column, row].map(|line| line as f64 * cell);
                let hills = libm::sin(x / 310.0) + libm::sin(z / 290.0 + 1.0);
                let height = 800.0 + 100.0 * hills + rng.uniform(-0.15, 0.15) * cell;
                #[expect(clippy::cast_possible_truncation, reason = "the file has f32")]
                heights.push(height as f32);
            }
        }
        Self {
            side,
            cell,
            heights,
        }
    }

    /// The map as a GeoTIFF in EPSG:31467, pixel-is-area.
    #[must_use]
    pub fn geo_tiff(&self) -> Vec<u8> {
        let [east, north] = Self::CORNER;
        let keys = vec![
            1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 31467, 3076, 0, 1, 9001,
        ];
        let file = TiffFile {
            bits: 32,
            format: 3,
            tags: vec![
                (33550, Values::Double(vec![self.cell, self.cell, 0.0])),
                (33922, Values::Double(vec![0.0, 0.0, 0.0, east, north, 0.0])),
                (34735, Values::Short(keys)),
            ],
            ..TiffFile::default()
        };
        file.encode(self.side, self.side, |column, row, _| {
            self.heights[row * self.side + column].to_bits().into()
        })
    }

    /// Easting and northing of the map's north-western and south-eastern samples.
    #[must_use]
    pub fn corners(&self) -> [[f64; 2]; 2] {
        let extent = self.extent();
        let half = 0.5 * self.cell;
        let [east, north] = [Self::CORNER[0] + half, Self::CORNER[1] - half];
        [[east, north], [east + extent, north - extent]]
    }

    fn extent(&self) -> f64 {
        (self.side - 1) as f64 * self.cell
    }

    /// A point within the map's borders.
    pub fn point(&self, rng: &mut Rng) -> SurveyPoint {
        let extent = self.extent();
        let [first, _] = self.corners();
        // A millimetre inside, so that rounding to millimetres does not lead out.
        let [x, z] = [0, 1].map(|_| rng.uniform(0.001, extent - 0.001));
        let easting_mm = millimetres(first[0] + x);
        let northing_mm = millimetres(first[1] - z);
        SurveyPoint {
            easting_mm,
            northing_mm,
            height: self.interpolated(
                metres(easting_mm) - first[0],
                first[1] - metres(northing_mm),
            ),
        }
    }

    /// The height at metres from the first sample, on the triangles that the diagonal from (i, j+1)
    /// to (i+1, j) cuts.
    fn interpolated(&self, x: f64, z: f64) -> f64 {
        let [(i, u), (j, v)] = [x, z].map(|along| {
            let lines = along / self.cell;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "within the map"
            )]
            let line = (lines as usize).min(self.side - 2);
            (line, lines - line as f64)
        });
        let at = |column: usize, row: usize| f64::from(self.heights[row * self.side + column]);
        let [right, below] = [at(i + 1, j), at(i, j + 1)];
        if u + v <= 1.0 {
            let corner = at(i, j);
            corner + u * (right - corner) + v * (below - corner)
        } else {
            let corner = at(i + 1, j + 1);
            corner + (1.0 - u) * (below - corner) + (1.0 - v) * (right - corner)
        }
    }
}

impl SurveyPoint {
    /// `easting,northing` in metres, with three digits.
    #[must_use]
    pub fn csv(&self) -> String {
        let text = |mm: i64| format!("{}.{:03}", mm / 1000, mm % 1000);
        format!("{},{}", text(self.easting_mm), text(self.northing_mm))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "far below the range of i64"
)]
fn millimetres(metres: f64) -> i64 {
    (metres * 1000.0).round() as i64
}

/// The f64 nearest to the decimal number of metres.
fn metres(millimetres: i64) -> f64 {
    millimetres as f64 / 1000.0
}
