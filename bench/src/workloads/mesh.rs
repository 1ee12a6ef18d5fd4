//! M1, M2, M3, MB and L1 at meshes: rays.

use super::context::Context;
use crate::answer::{Answer, Met};
use crate::inputs::{self, Mesh, Rays};
use crate::label::Label;
use crate::peers;
use crate::shape::{RayShape, RayShapes};
use crate::subject::{Subject, Subjects};
use crate::subjects;

const RAYS: usize = 1_000_000;
/// Coordinates of 1 to 3 radii have an ulp of 2e-7; grazing makes a few hundred times that of it.
const TOLERANCE: f32 = 1e-4;
/// How far behind its target, in t, a ray may hit the surface and not count as lost.
const BEHIND: f32 = 1e-3;
/// The side of the camera's picture, pixels, in a full and in a quick run.
const PICTURE: [usize; 2] = [1024, 320];

/// A displaced sphere of 81,920 triangles (`small`) or 1,310,720 (`big`).
pub fn sphere(size: &str) -> Mesh {
    Mesh::displaced_sphere(if size == "small" { 6 } else { 8 })
}

pub fn run(context: &Context, size: &str) {
    let mesh = sphere(size);
    let mut shapes: RayShapes = vec![Box::new(subjects::Mesh::new(&mesh))];
    shapes.extend(context.peers(|| peers::meshes(&mesh)));
    let rays = inputs::around(&mesh, context.queries(RAYS));
    let describe = |index: usize| format!("{:?}", rays[index]);
    let nearest = |name: String, subjects| {
        context.race::<Option<Met>>(&name, subjects, rays.len(), TOLERANCE, &describe);
    };

    let name = format!("M1-{size}");
    if context.wants(&name) {
        nearest(
            name,
            shapes
                .iter()
                .flat_map(|shape| shape.nearest(&rays, None))
                .collect(),
        );
    }
    let name = format!("M2-{size}");
    if context.wants(&name) {
        let subjects = shapes.iter().flat_map(|shape| shape.any(&rays)).collect();
        context.race::<bool>(&name, subjects, rays.len(), TOLERANCE, &describe);
    }
    let name = format!("M3-{size}");
    if context.wants(&name) {
        let rays = inputs::camera(PICTURE[usize::from(context.is_quick)]);
        let subjects = shapes
            .iter()
            .flat_map(|shape| shape.nearest(&rays, None))
            .collect();
        let describe = |index: usize| format!("{:?}", rays[index]);
        context.race::<Option<Met>>(&name, subjects, rays.len(), TOLERANCE, &describe);
    }
    for (threads, pool) in [("", None), ("-2threads", Some(&context.two_threads))] {
        let name = format!("MB-{size}{threads}");
        if context.wants(&name) {
            let subjects = shapes.iter().flat_map(|shape| shape.nearest(&rays, pool));
            nearest(name, subjects.collect());
        }
    }
    let name = format!("L1-{size}");
    if context.wants(&name) {
        let rays = inputs::from_inside(&mesh, context.queries(RAYS));
        // From inside, those that have no back faces are cast at the mesh turned inside out.
        let turned = context.peers(|| peers::meshes_inside_out(&mesh));
        let whole = shapes.iter().filter(|shape| !shape.is_one_sided());
        race_for_tightness(context, &name, whole.chain(&turned), &rays);
    }
}

/// L1: every ray hits its target at t = 1, or something before; one that hits nothing, or only what
/// lies behind, is lost.
pub fn race_for_tightness<'a>(
    context: &Context,
    name: &str,
    shapes: impl Iterator<Item = &'a Box<dyn RayShape>>,
    rays: &Rays,
) {
    let subjects = shapes.flat_map(|shape| shape.nearest(rays, None));
    let subjects: Subjects<Kept> = subjects
        .map(|subject| Box::new(Tightness(subject)) as Box<dyn Subject<Kept>>)
        .collect();
    let truth = vec![Some(0.0); rays.len()];
    let describe = |index: usize| format!("{:?}", rays[index]);
    context.race_for_truth(name, subjects, (truth, BEHIND), &describe);
}

/// How far behind its target a ray hit the surface: 0 where it hit the target or something before.
#[derive(Debug, Clone, Copy, Default)]
struct Kept(Option<f32>);

impl Answer for Kept {
    fn number(self) -> Option<f32> {
        self.0
    }
}

/// A subject whose nearest hits are checked by whether they were kept.
struct Tightness<'a>(Box<dyn Subject<Option<Met>> + 'a>);

impl Subject<Kept> for Tightness<'_> {
    fn label(&self) -> &Label {
        self.0.label()
    }

    fn prepare(&mut self) {
        self.0.prepare();
    }

    fn pass(&mut self) {
        self.0.pass();
    }

    fn answers(&mut self) -> Vec<Kept> {
        let behind = |met: Met| (met.t - 1.0).max(0.0);
        self.0
            .answers()
            .into_iter()
            .map(|met| Kept(met.map(behind)))
            .collect()
    }
}
