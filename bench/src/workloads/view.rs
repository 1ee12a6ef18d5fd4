//! view-frame: a camera's frame cast at a world as one query, against what else answers the same rays.
//!
//! Times are those of one pixel. The ratio of a shape alone is the fraction of its speed that a world of
//! that shape keeps: at least 0.8 is the aim.

use super::context::Context;
use crate::answer::Met;
use crate::inputs::{Mesh, Terrain};
use crate::subject::Subjects;
use crate::subjects::hitscan_view::{self, View};

/// The side of the picture, pixels, in a full and in a quick run.
const PICTURE: [u32; 2] = [1024, 320];
/// Distances up to 1000 m; all answers are our own, which are the same bits.
const TOLERANCE: f32 = 0.0;

pub fn run(context: &Context) {
    let side = PICTURE[usize::from(context.is_quick)];
    if context.wants("view-frame-mesh") {
        let mesh = Mesh::displaced_sphere(6);
        // As M3's.
        let view = View::new([1.2, 0.9, 2.2], [0.0; 3], 45.0, side);
        race(
            context,
            "view-frame-mesh",
            &view,
            hitscan_view::mesh(&mesh, &view),
        );
    }
    if context.wants("view-frame-terrain") {
        let terrain = Terrain::new(1025);
        // From a corner above the hills, over all of the map, some sky behind it.
        let view = View::new([100.0, 160.0, 60.0], [512.0, 40.0, 512.0], 60.0, side);
        let subjects = hitscan_view::terrain(&terrain, &view);
        race(context, "view-frame-terrain", &view, subjects);
    }
    if context.wants("view-frame-crowd") {
        // From above one corner toward the other.
        let view = View::new([-6.0, 6.0, -9.0], [18.0, 0.5, 18.0], 50.0, side);
        let subjects = hitscan_view::crowd(&view);
        race(context, "view-frame-crowd", &view, subjects);
    }
}

fn race(context: &Context, name: &str, view: &View, subjects: Subjects<'_, Option<Met>>) {
    let describe = |pixel: usize| view.describe(pixel);
    context.race(name, subjects, view.pixels(), TOLERANCE, &describe);
}
