//! hitscan on ballistic arcs.

use super::hitscan::{alone, height_field, label};
use crate::inputs;
use crate::inputs::arcs::{self, GRAVITY};
use crate::subject::{Subjects, each, filled, mapped};
use hitscan::{BallisticArc, RayHit};
use std::sync::Arc;

fn arc(own: &arcs::Arc) -> BallisticArc {
    let gravity = [0.0, -GRAVITY as f32, 0.0];
    let arc = BallisticArc::new(own.origin, own.velocity, gravity).expect("inputs are finite");
    arc.with_range(0.0, own.t_max).expect("ranges are in order")
}

/// Metres flown by each arc, one by one and all at once.
pub fn arcs<'a>(terrain: &inputs::Terrain, arcs: &'a [arcs::Arc]) -> Subjects<'a, Option<f32>> {
    let field = Arc::new(height_field(terrain));
    let all: Vec<BallisticArc> = arcs.iter().map(arc).collect();
    let (one_by_one, shared) = (all.clone(), Arc::clone(&field));
    let fill = move |hits: &mut Vec<Option<RayHit>>| {
        *hits = alone().install(|| shared.cast_arcs(&all, ()));
    };
    let ask = move |arc: &BallisticArc| Some(field.cast_arc(arc, ())?.t);
    let times = vec![
        each(label(""), one_by_one, None, ask),
        filled(
            label("cast_arcs").of_many(),
            Vec::new(),
            fill,
            |hit: &Option<RayHit>| Some(hit.as_ref()?.t),
        ),
    ];
    let flown = |index: usize, t: Option<f32>| Some(arcs[index].flown(f64::from(t?)));
    let times = times.into_iter();
    times.map(|times| mapped(times, flown)).collect()
}
