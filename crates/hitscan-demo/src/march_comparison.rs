//! Failures of the classic ray march: rays at the valley's crests, cast both ways.
//!
//! Eyes along the river look at points just under sharp crests. The exact search hits each crest;
//! the march steps over some, because it samples the ground only every half cell.

use hitscan::{HeightField, Ray, RayHit, Sides};
use hitscan_ask::March;
use rayon::prelude::*;

/// How far below a crest the rays are aimed, metres.
const BELOW_CREST: f32 = 0.04;
/// How far a sample must be above its neighbours to count as a crest, metres.
const MIN_CREST: f32 = 0.5;
/// How far the eyes are above the ground, metres.
const EYE_HEIGHT: f32 = 1.7;
/// Hits further apart than this, metres, differ by more than the march's own step.
const MIN_ERROR: f32 = 1.0;

/// How the classic march compares with the exact search on rays at the valley's crests.
///
/// ```
/// let comparison = hitscan_demo::Demo::new()?.compare_march();
/// assert!(comparison.rays > 1000 && comparison.wrong > 20);
/// let later = &comparison.worst[0];
/// assert!(later.marched.is_some_and(|hit| hit.distance > later.exact.distance + 1.0));
/// # Ok::<(), hitscan_demo::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MarchComparison {
    /// How many rays were cast both ways.
    pub rays: usize,
    /// How many hits of the march were wrong by more than a metre or missing.
    pub wrong: usize,
    /// The largest error of each kind: a wrong hit, and a missing one.
    pub worst: Vec<MarchError>,
}

/// A ray for which the march is wrong.
#[derive(Debug, Clone, Copy)]
pub struct MarchError {
    /// The ray.
    pub ray: Ray,
    /// The nearest hit.
    pub exact: RayHit,
    /// The hit that the march finds.
    pub marched: Option<RayHit>,
}

impl MarchError {
    /// By how many metres the march is off; infinity for a missing hit.
    fn metres(&self) -> f32 {
        self.marched.map_or(f32::INFINITY, |hit| {
            (hit.distance - self.exact.distance).abs()
        })
    }
}

/// Casts a ray from every eye to every crest, both ways. The eyes are x and z in metres.
pub(crate) fn compare(field: &HeightField, eyes: &[[f32; 2]]) -> MarchComparison {
    let crests = crests(field);
    let eyes: Vec<[f32; 3]> = eyes
        .iter()
        .filter_map(|&[x, z]| Some([x, field.elevation([x, z])? + EYE_HEIGHT, z]))
        .collect();
    let mut errors: Vec<MarchError> = eyes
        .par_iter()
        .flat_map_iter(|eye| crests.iter().map(move |crest| (*eye, *crest)))
        .filter_map(|(eye, crest)| cast_both(field, eye, crest))
        .collect();
    // The sort is stable, so that equals stay in the order of eyes and crests.
    errors.sort_by(|a, b| b.metres().total_cmp(&a.metres()));
    MarchComparison {
        rays: eyes.len() * crests.len(),
        wrong: errors.len(),
        worst: worst_of_each_kind(&errors),
    }
}

/// The first wrong hit and the first missing one of errors that are sorted.
fn worst_of_each_kind(errors: &[MarchError]) -> Vec<MarchError> {
    let first = |is_kind: fn(&MarchError) -> bool| errors.iter().copied().find(is_kind);
    let wrong = first(|error| error.marched.is_some());
    let missing = first(|error| error.marched.is_none());
    wrong.into_iter().chain(missing).collect()
}

fn cast_both(field: &HeightField, eye: [f32; 3], crest: [f32; 3]) -> Option<MarchError> {
    let toward: [f32; 3] = std::array::from_fn(|axis| crest[axis] - eye[axis]);
    let ray = Ray::new(eye, toward).ok()?;
    let exact = field.cast_ray(&ray, ())?;
    let marched = March::default().cast_ray(field, &ray, Sides::Both);
    let error = MarchError {
        ray,
        exact,
        marched,
    };
    (error.metres() > MIN_ERROR).then_some(error)
}

/// Points just below samples that are clearly above both neighbours along x.
///
/// Every fourth row is enough, and keeps the comparison short.
fn crests(field: &HeightField) -> Vec<[f32; 3]> {
    let grid = field.grid();
    let inner = (1..grid.rows - 1)
        .step_by(4)
        .flat_map(|row| (1..grid.columns - 1).map(move |i| (i, row)));
    inner
        .filter_map(|(column, row)| {
            let here = field.sample(column, row)?;
            let beside = field
                .sample(column - 1, row)?
                .max(field.sample(column + 1, row)?);
            let [x, z] = [grid.x(column), grid.z(row)].map(narrow);
            (here - beside > MIN_CREST).then_some([x, here - BELOW_CREST, z])
        })
        .collect()
}

fn narrow(metres: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the demo's coordinates are multiples of half a metre"
    )]
    let stored = metres as f32;
    stored
}

#[cfg(test)]
mod tests {
    use crate::Demo;

    #[test]
    fn the_march_is_shown_to_be_wrong_in_both_ways() {
        let comparison = Demo::new().unwrap().compare_march();
        assert!(
            comparison.rays > 1000 && comparison.wrong > 20,
            "{comparison:?}"
        );
        let worst = comparison.worst.iter();
        let found: Vec<bool> = worst.map(|error| error.marched.is_some()).collect();
        assert_eq!(found, [true, false]);
    }
}
