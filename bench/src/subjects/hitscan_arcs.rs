//! hitscan on ballistic arcs.

use crate::inputs;
use crate::inputs::arcs::Arc;
use crate::subject::Subjects;

pub fn arcs<'a>(_terrain: &inputs::Terrain, _arcs: &[Arc]) -> Subjects<'a, Option<f32>> {
    Vec::new()
}
