//! G1: ballistic arcs over terrain, against chains of 32 segments by every ray caster.

use super::context::Context;
use crate::answer::Met;
use crate::inputs::arcs::{self, Arc};
use crate::inputs::{Question, Terrain};
use crate::peers;
use crate::shape::RayShapes;
use crate::subject::mapped;
use crate::subjects::{self, hitscan_arcs as own};

const ARCS: usize = 100_000;
/// Metres along the arc: a chain that is off by more is counted.
const TOLERANCE: f32 = 1.0;

/// The answers are metres flown, and what is right is found cell by cell in f64.
pub fn run(context: &Context) {
    let terrain = Terrain::new(1025);
    let arcs = arcs::arcs(&terrain, context.queries(ARCS));
    let segments: Vec<Question> = context.peers(|| arcs.iter().flat_map(Arc::chain).collect());
    let mut shapes: RayShapes =
        context.peers(|| vec![Box::new(subjects::Terrain::new(&terrain)) as _]);
    shapes.extend(context.peers(|| peers::terrains(&terrain)));
    let mut subjects = own::arcs(&terrain, &arcs);
    for chains in shapes.iter().flat_map(|shape| shape.chains(&segments)) {
        let flown = |index: usize, met: Option<Met>| {
            let arc: &Arc = &arcs[index];
            Some(arc.flown(arc.time_on_chain(met?.t)))
        };
        subjects.push(mapped(chains, flown));
    }
    let truth = arcs.iter().map(|arc| arc.landing(&terrain)).collect();
    let describe = |index: usize| format!("{:?}", arcs[index]);
    context.race_for_truth("G1", subjects, (truth, TOLERANCE), &describe);
}
