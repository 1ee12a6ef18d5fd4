//! Where the classic march goes wrong: rays at the valley's crests, asked both ways.
//!
//! Eyes along the river look at points just under sharp crests. The exact answer meets each crest;
//! the march steps over some, because it looks at the ground only every half cell.

use crate::ask::march::March;
use hitscan::{HeightField, Hit, Ray, Sides};
use rayon::prelude::*;

/// How far below a crest the rays are aimed, metres.
const BELOW_CREST: f32 = 0.04;
/// How far a sample must stand above its neighbours to count as a crest, metres.
const SHARP: f32 = 0.5;
/// How far above the ground the eyes stand, metres.
const EYE_HEIGHT: f32 = 1.7;
/// Answers further apart than this, metres, differ by more than the march's own step.
const APART: f32 = 1.0;

/// What the comparison found.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// How many rays were asked both ways.
    pub(crate) rays: usize,
    /// How many of the march's answers were wrong by more than a metre or missing.
    pub(crate) wrong: usize,
    /// The most telling mistakes, the greatest first.
    pub(crate) worst: Vec<Mistake>,
}

/// A ray that the march answers wrongly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mistake {
    pub(crate) ray: Ray,
    /// The nearest hit.
    pub(crate) exact: Hit,
    /// What the march found.
    pub(crate) marched: Option<Hit>,
}

impl Mistake {
    /// By how many metres the march is off; a hit that it misses altogether counts as endless.
    fn error(&self) -> f32 {
        self.marched.map_or(f32::INFINITY, |hit| {
            (hit.distance - self.exact.distance).abs()
        })
    }
}

/// Asks every ray from an eye to a crest both ways.
///
/// `eyes` are x and z in metres.
pub(crate) fn compare(field: &HeightField, eyes: &[[f32; 2]]) -> Comparison {
    let crests = crests(field);
    let eyes: Vec<[f32; 3]> = eyes
        .iter()
        .filter_map(|&[x, z]| Some([x, field.elevation([x, z])? + EYE_HEIGHT, z]))
        .collect();
    let mut mistakes: Vec<Mistake> = eyes
        .par_iter()
        .flat_map_iter(|eye| crests.iter().map(move |crest| (*eye, *crest)))
        .filter_map(|(eye, crest)| ask_both(field, eye, crest))
        .collect();
    // The sort is stable, so that equals stay in the order of eyes and crests.
    mistakes.sort_by(|a, b| b.error().total_cmp(&a.error()));
    Comparison {
        rays: eyes.len() * crests.len(),
        wrong: mistakes.len(),
        worst: tell_apart(&mistakes),
    }
}

/// The greatest mistake of each kind: the march found nothing, or it found something behind.
fn tell_apart(mistakes: &[Mistake]) -> Vec<Mistake> {
    let first = |is_kind: fn(&Mistake) -> bool| mistakes.iter().copied().find(is_kind);
    let behind = first(|mistake| mistake.marched.is_some());
    let nothing = first(|mistake| mistake.marched.is_none());
    behind.into_iter().chain(nothing).collect()
}

fn ask_both(field: &HeightField, eye: [f32; 3], crest: [f32; 3]) -> Option<Mistake> {
    let toward: [f32; 3] = std::array::from_fn(|axis| crest[axis] - eye[axis]);
    let ray = Ray::new(eye, toward).ok()?;
    let exact = field.cast_ray(&ray, Sides::Both)?;
    let marched = March::default().cast_ray(field, &ray, Sides::Both);
    let mistake = Mistake {
        ray,
        exact,
        marched,
    };
    (mistake.error() > APART).then_some(mistake)
}

/// Points just below samples that stand clearly above both neighbours along x.
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
            (here - beside > SHARP).then_some([x, here - BELOW_CREST, z])
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
