//! T1, T2, T3, T3c, T4 and L1 over terrain: rays.

use super::context::Context;
use crate::inputs::{self, Rays, Terrain};
use crate::peers;
use crate::peers::by_hand::{Down, LookUp};
use crate::shape::{RayShape as _, RayShapes};
use crate::subjects;

const RAYS: usize = 1_000_000;
/// Coordinates of 1e3 m have an ulp of 6e-5 m in f32; a ray that grazes at a third of a degree
/// makes 200 times that of it in t.
const TOLERANCE: f32 = 1e-2;
/// Peers at 8193 samples would need tens of gigabytes, or their time shows nothing new.
const OURS_ALONE: usize = 8193;

pub fn run(context: &Context, size: usize) {
    let terrain = Terrain::new(size);
    let mut shapes: RayShapes = vec![Box::new(subjects::Terrain::new(&terrain))];
    if size < OURS_ALONE {
        shapes.extend(context.peers(|| peers::terrains(&terrain)));
    }
    let look_up = LookUp::new(&terrain);
    let down = Down(&look_up);
    type Make = fn(&Terrain, usize) -> Rays;
    let workloads: [(&str, Make); 4] = [
        ("T1", inputs::uniform),
        ("T2", inputs::grazing),
        ("T3", inputs::down),
        ("T3c", inputs::down_in_lines),
    ];
    for (name, rays) in workloads {
        let sized = if size == 1025 {
            name.to_owned()
        } else {
            format!("{name}-{size}")
        };
        if !context.wants(&sized) {
            continue;
        }
        let rays = rays(&terrain, context.queries(RAYS));
        let mut subjects: Vec<_> = shapes
            .iter()
            .flat_map(|shape| shape.nearest(&rays, None))
            .collect();
        if name.starts_with("T3") {
            subjects.extend(context.peers(|| down.nearest(&rays, None)));
        }
        let describe = |index: usize| format!("{:?}", rays[index]);
        context.race(&sized, subjects, rays.len(), TOLERANCE, &describe);
    }
    if context.wants("L1-terrain") {
        lost_rays(context, &terrain, &shapes);
    }
}

/// Every ray hits its target at t = 1, or something before.
fn lost_rays(context: &Context, terrain: &Terrain, shapes: &RayShapes) {
    let rays = inputs::slanted(terrain, context.queries(RAYS));
    super::mesh::race_for_tightness(context, "L1-terrain", shapes.iter(), &rays);
}
