//! TH, THc: the exact height at places. TR: the highest sample within a radius.

use super::context::Context;
use crate::inputs::{self, Terrain};
use crate::peers::by_hand::LookUp;
use crate::subjects;

const PLACES: usize = 1_000_000;
/// The look-up by hand works in f32, at heights up to 120 m.
const TOLERANCE: f32 = 1e-3;
/// Radii in metres, with the queries of a full run and what a query costs beside a short one.
const RADII: [(f64, usize, usize); 3] =
    [(3.0, PLACES, 1), (30.0, 100_000, 10), (300.0, 2_000, 500)];

pub fn run(context: &Context) {
    let terrain = Terrain::new(1025);
    let (ours, look_up) = (subjects::Terrain::new(&terrain), LookUp::new(&terrain));
    for (name, in_lines) in [("TH", false), ("THc", true)] {
        if !context.wants(name) {
            continue;
        }
        let count = context.queries(PLACES);
        let places = if in_lines {
            inputs::places_in_lines(&terrain, count)
        } else {
            inputs::places(&terrain, count)
        };
        let mut subjects = subjects::heights(&ours, &places);
        subjects.extend(context.peers(|| look_up.heights(&places)));
        let describe = |index: usize| format!("{:?}", places[index]);
        context.race(name, subjects, places.len(), TOLERANCE, &describe);
    }
    for (radius, full, cost) in RADII {
        let name = format!("TR-{radius}");
        if !context.wants(&name) {
            continue;
        }
        let places = inputs::places(&terrain, context.expensive_queries(full, cost));
        let mut subjects = subjects::max_height(&ours, &places, radius);
        subjects.extend(context.peers(|| look_up.max_height(&places, radius)));
        let describe = |index: usize| format!("{:?} radius {radius}", places[index]);
        context.race(&name, subjects, places.len(), 0.0, &describe);
    }
}
