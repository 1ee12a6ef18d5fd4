//! Viewsheds: which samples of a terrain are seen from one point.
//!
//! Seen from the eye in perspective, the edges of all triangles are straight segments, and a sample is
//! seen where it is above all edges before it. Four quarters of the map are swept outward from the eye,
//! grid line by grid line (`strips.rs`), in narrow bins of azimuth with certain bounds of how high the
//! ground reaches (`bounds.rs`). Most of the ground is hidden in whole blocks (`blocks.rs`), and samples
//! surely above or below at once; of the rest most by a few steps back along their own lines of sight
//! (`verdict.rs`), and the others by the exact segment (`height_field/sight.rs`), whose answer all these
//! are. Ground that is seen edge-on, as level ground from an eye on it, bounds would leave to the exact
//! segment: it is decided as a plane (`coplanar.rs`).
//!
//! Source: the horizon carried outward as in Franklin and Ray, "Higher isn't necessarily better:
//! visibility algorithms and experiments", 1994 (their R3 and Xdraw); here with bounds in place of
//! estimates.

mod eye_triangles;
mod start;
mod quarter;
mod sight_path;
mod sector;
mod bounds;
mod blocks;
mod verdict;
mod strips;
mod reference_plane;
mod coplanar;
mod shadow;
mod coplanar_ground;
#[cfg(test)]
mod tests;

use super::{HeightField, WideGround};
use crate::narrow_phase::sight::{SightLine, ground_height};
use crate::parallel;
use crate::{Error, WorkLimit};
use coplanar_ground::coplanar_ground;
use glam::{DVec3, Vec2, Vec3};
use sector::{Sector, sectors};
use start::{Start, Sweep};
use verdict::SampleTests;

/// The eye of a viewshed, and its range.
///
/// ```
/// use hitscan::height_field::{Grid, Visibility, ViewshedQuery};
/// use hitscan::{HeightField, World};
/// // A ridge along z hides the lower ground behind it.
/// let heights = [0.0, 0.0, 5.0, 0.0, 9.0].repeat(3);
/// let mut world = World::new();
/// let map = world.add(HeightField::new(Grid::new(5, 3, [1.0; 2]), heights)?);
/// world.update();
/// let query = ViewshedQuery::standing([0.0, 1.0]).with_above(2.0)?;
/// let seen = world.now().viewshed(map, &query, ()).expect("there is ground");
/// let row: Vec<bool> = (0..5).map(|i| seen.at(i, 1) == Some(Visibility::Visible)).collect();
/// assert_eq!(row, [true, true, true, false, true]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewshedQuery {
    eye: Eye,
    above: f64,
    target_above: f64,
    max_distance: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Eye {
    At(Vec3),
    Standing(Vec2),
}

impl ViewshedQuery {
    /// From a point. One that is NaN or infinite sees nothing.
    #[must_use]
    pub fn at(eye: impl Into<Vec3>) -> Self {
        Self::of(Eye::At(eye.into()))
    }

    /// From the ground at (x, z): the exact height of the terrain there, rounded to f64.
    #[must_use]
    pub fn standing(eye: impl Into<Vec2>) -> Self {
        Self::of(Eye::Standing(eye.into()))
    }

    fn of(eye: Eye) -> Self {
        Self {
            eye,
            above: 0.0,
            target_above: 0.0,
            max_distance: f64::INFINITY,
        }
    }

    /// x and z of the eye.
    #[must_use]
    pub fn place(&self) -> [f64; 2] {
        match self.eye {
            Eye::At(eye) => [eye.x, eye.z],
            Eye::Standing(eye) => eye.to_array(),
        }
        .map(f64::from)
    }

    /// By how many metres the eye is lifted.
    #[must_use]
    pub fn above(&self) -> f64 {
        self.above
    }

    /// The same query with the eye lifted by so many metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn with_above(self, above: impl Into<f64>) -> Result<Self, Error> {
        let above = finite("viewshed eye above the ground", above.into())?;
        Ok(Self { above, ..self })
    }

    /// The same query about points so many metres above the samples.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn with_target_above(self, target_above: impl Into<f64>) -> Result<Self, Error> {
        let target_above = finite("viewshed target above the ground", target_above.into())?;
        Ok(Self {
            target_above,
            ..self
        })
    }

    /// The same query about samples within so many metres, horizontally, itself included: compared as
    /// `dx * dx + dz * dz <= m * m` in f64. It may be infinite.
    ///
    /// # Errors
    /// [`Error::BadValue`] where it is NaN or negative.
    pub fn with_max_distance(self, max_distance: impl Into<f64>) -> Result<Self, Error> {
        let max_distance = max_distance.into();
        if max_distance >= 0.0 {
            return Ok(Self {
                max_distance,
                ..self
            });
        }
        Err(Error::BadValue {
            what: "viewshed distance",
            expected: "at least 0",
            found: max_distance,
        })
    }
}

fn finite(what: &'static str, found: f64) -> Result<f64, Error> {
    if found.is_finite() {
        Ok(found)
    } else {
        Err(Error::NotFinite { what, found })
    }
}

/// Whether a sample is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Visibility {
    /// Something is between.
    Hidden,
    /// It is seen.
    Visible,
    /// It is a hole, or too far.
    Outside,
}

/// Which samples of a terrain are seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Viewshed {
    columns: usize,
    eye: DVec3,
    samples: Vec<Visibility>,
}

impl Viewshed {
    /// The eye, metres.
    #[must_use]
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// The number of samples of a row.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.samples.len() / self.columns
    }

    /// Whether a sample is seen; `None` beyond the map.
    #[must_use]
    pub fn at(&self, column: usize, row: usize) -> Option<Visibility> {
        let is_on_map = column < self.columns;
        let sample = row.checked_mul(self.columns)?.checked_add(column)?;
        self.samples.get(sample).copied().filter(|_| is_on_map)
    }

    /// All samples, row by row.
    #[must_use]
    pub fn samples(&self) -> &[Visibility] {
        &self.samples
    }

    /// All samples, row by row, without the rest.
    #[must_use]
    pub fn into_samples(self) -> Vec<Visibility> {
        self.samples
    }

    /// The number of samples that are of this kind.
    #[must_use]
    pub fn count(&self, kind: Visibility) -> usize {
        // As many as a byte counts, so that lanes are bytes.
        let parts = self.samples.chunks(usize::from(u8::MAX));
        let counts = parts.map(|samples| {
            let is_kind = samples.iter().map(|sample| u8::from(*sample == kind));
            usize::from(is_kind.sum::<u8>())
        });
        counts.sum()
    }

    /// Hides those visible samples for which `is_hidden` is true, given their column and row, as far as a
    /// limit lets it.
    pub(crate) fn hide(
        &mut self,
        is_hidden: &(dyn Fn(usize, usize) -> bool + Sync),
        limit: Option<&WorkLimit<'_>>,
    ) {
        let rows = (0..).zip(self.samples.chunks_mut(self.columns)).collect();
        parallel::map_all(rows, |(row, samples): (usize, &mut [Visibility])| {
            let is_tested = |sample: &&Visibility| **sample == Visibility::Visible;
            let tested = || samples.iter().filter(is_tested).count();
            if is_reached(limit, tested) {
                return;
            }
            for (column, sample) in samples.iter_mut().enumerate() {
                if *sample == Visibility::Visible && is_hidden(column, row) {
                    *sample = Visibility::Hidden;
                }
            }
        });
    }
}

/// Takes a step of a limit for each of so many samples; whether it has not as many.
fn is_reached(limit: Option<&WorkLimit<'_>>, samples: impl FnOnce() -> usize) -> bool {
    limit.is_some_and(|limit| {
        let steps = u32::try_from(samples()).unwrap_or(u32::MAX);
        limit.take_steps(steps).is_break()
    })
}

impl HeightField {
    /// The eye of a query: `None` where it is off the map or over a hole, or is no point.
    pub(crate) fn eye(&self, query: &ViewshedQuery) -> Option<DVec3> {
        let eye = match query.eye {
            Eye::At(eye) => eye.as_dvec3(),
            Eye::Standing(eye) => {
                let [x, z] = [eye.x, eye.y].map(f64::from);
                let WideGround::Height { corners, .. } = self.ground_at(x, z) else {
                    return None;
                };
                DVec3::new(x, ground_height([x, z], &corners), z)
            }
        };
        let eye = eye + DVec3::Y * query.above;
        eye.is_finite().then_some(eye)
    }

    /// What is looked at: a sample, or a point above it.
    pub(crate) fn target(&self, query: &ViewshedQuery, column: usize, row: usize) -> DVec3 {
        let height = self.heights[row * self.grid.columns + column];
        let y = self.grid.y(height) + query.target_above;
        DVec3::new(self.grid.x(column), y, self.grid.z(row))
    }

    /// All samples but holes and those too far count as seen.
    pub(crate) fn all_in_range(&self, query: &ViewshedQuery, eye: DVec3) -> Viewshed {
        let squared = query.max_distance * query.max_distance;
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let x: Vec<f64> = (0..columns)
            .map(|column| self.grid.x(column) - eye.x)
            .collect();
        let in_range = |is_in_range: bool| match is_in_range {
            true => Visibility::Visible,
            false => Visibility::Outside,
        };
        let mut samples = Vec::with_capacity(columns * rows);
        for (row, heights) in self.heights.chunks(columns).enumerate() {
            let heights = heights.iter();
            if squared == f64::INFINITY {
                samples.extend(heights.map(|height| in_range(!height.is_nan())));
                continue;
            }
            let z = self.grid.z(row) - eye.z;
            samples.extend(heights.zip(&x).map(|(height, x)| {
                let is_near = x * x + z * z <= squared;
                in_range(is_near && !height.is_nan())
            }));
        }
        Viewshed {
            columns,
            eye,
            samples,
        }
    }

    /// Hides the samples that the terrain itself hides, as far as a limit lets it.
    pub(crate) fn hide_behind_itself(
        &self,
        query: &ViewshedQuery,
        viewshed: &mut Viewshed,
        limit: Option<&WorkLimit<'_>>,
    ) {
        let eye = viewshed.eye;
        let sweep = Sweep::new(self, eye, query.target_above);
        let coplanar = coplanar_ground(&sweep);
        let is_hidden = |column: usize, row: usize| {
            let to = self.target(query, column, row);
            let line = SightLine { from: eye, to };
            let Some(coplanar) = &coplanar else {
                return self.blocks(&line);
            };
            let sample = row * self.grid.columns + column;
            let is_seen = coplanar.is_seen(sample);
            !is_seen.unwrap_or_else(|| {
                let planes = coplanar.planes_to(sample);
                !self.blocks_beside(&line, &|column, row| {
                    coplanar.is_within(planes, column, row)
                })
            })
        };
        if sweep.start == Start::Unsure {
            viewshed.hide(&is_hidden, limit);
            return;
        }
        let samples = &viewshed.samples;
        let is_in_range = |sample: usize| samples[sample] == Visibility::Visible;
        let tests = SampleTests {
            is_in_range: &is_in_range,
            is_hidden: &is_hidden,
            is_over: &|samples| is_reached(limit, || samples),
        };
        let seen = parallel::map_all(
            sectors(&sweep, parallel::threads()),
            |sector: Sector<'_>| sector.sweep(&tests),
        );
        let below_eye = sweep.sample_below_eye().and_then(|[column, row]| {
            let sample = row * self.grid.columns + column;
            (is_in_range(sample) && !is_hidden(column, row)).then_some(sample)
        });
        for sample in &mut viewshed.samples {
            if *sample == Visibility::Visible {
                *sample = Visibility::Hidden;
            }
        }
        let seen = seen.iter().flatten().map(|sample| *sample as usize);
        for sample in seen.chain(below_eye) {
            viewshed.samples[sample] = Visibility::Visible;
        }
    }
}
