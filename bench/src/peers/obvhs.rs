//! obvhs: its binary tree and its compressed eight-wide tree, at medium and slow builds.
//!
//! Triangles lie in the order of the tree's leaves, as its documentation advises.

use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::{RayShape, RayShapes};
use crate::subject::{Subjects, build, each};
use obvhs::BvhBuildParams;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;
use rayon::ThreadPool;
use std::time::Duration;

fn triangles(mesh: &inputs::Mesh) -> Vec<Triangle> {
    let triangle = |index: usize| {
        let [v0, v1, v2] = mesh.corners(index).map(Into::into);
        Triangle { v0, v1, v2 }
    };
    (0..mesh.triangles.len()).map(triangle).collect()
}

fn rays(questions: &[Question]) -> Vec<Ray> {
    let ray = |question: &Question| {
        Ray::new(
            question.origin.into(),
            question.direction.into(),
            0.0,
            question.t_max,
        )
    };
    questions.iter().map(ray).collect()
}

fn label(way: &str) -> Label {
    Label::new(Family::Obvhs, way)
}

/// A tree and the triangles in the order of its leaves.
struct Ordered<Tree> {
    way: &'static str,
    tree: Tree,
    triangles: Vec<Triangle>,
    /// The mesh's number of each of these triangles.
    numbers: Vec<u32>,
}

impl<Tree> Ordered<Tree> {
    fn new(way: &'static str, tree: Tree, all: &[Triangle], numbers: Vec<u32>) -> Self {
        let triangles = numbers.iter().map(|number| all[*number as usize]).collect();
        Self {
            way,
            tree,
            triangles,
            numbers,
        }
    }

    fn met(&self, hit: RayHit, is_hit: bool) -> Option<Met> {
        is_hit.then(|| Met {
            t: hit.t,
            primitive: self.numbers[hit.primitive_id as usize],
        })
    }
}

fn bvh2(way: &'static str, all: &[Triangle], settings: BvhBuildParams) -> Ordered<Bvh2> {
    let tree = build_bvh2_from_tris(all, settings, &mut Duration::default());
    let numbers = tree.primitive_indices.clone();
    Ordered::new(way, tree, all, numbers)
}

fn cwbvh(way: &'static str, all: &[Triangle], settings: BvhBuildParams) -> Ordered<CwBvh> {
    let tree = build_cwbvh_from_tris(all, settings, &mut Duration::default());
    let numbers = tree.primitive_indices.clone();
    Ordered::new(way, tree, all, numbers)
}

pub fn meshes(mesh: &inputs::Mesh) -> RayShapes {
    let all = triangles(mesh);
    vec![
        Box::new(bvh2("BVH2 medium", &all, BvhBuildParams::medium_build())),
        Box::new(cwbvh("CWBVH medium", &all, BvhBuildParams::medium_build())),
        Box::new(bvh2("BVH2 slow", &all, BvhBuildParams::slow_build())),
        Box::new(cwbvh("CWBVH slow", &all, BvhBuildParams::slow_build())),
    ]
}

/// Both trees are queried by methods of the same names, which no trait joins.
macro_rules! ray_shape {
    ($tree:ty) => {
        impl RayShape for Ordered<$tree> {
            fn nearest<'a>(
                &'a self,
                questions: &Rays,
                pool: Option<&'a ThreadPool>,
            ) -> Subjects<'a, Option<Met>> {
                let ask = |ray: &Ray| {
                    let mut hit = RayHit::none();
                    let test = |ray: &Ray, index: usize| self.triangles[index].intersect(ray);
                    let is_hit = self.tree.ray_traverse(*ray, &mut hit, test);
                    self.met(hit, is_hit)
                };
                vec![each(label(self.way), rays(questions), pool, ask)]
            }

            fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
                let ask = |ray: &Ray| {
                    let test = |ray: &Ray, index: usize| self.triangles[index].intersect(ray);
                    !self.tree.ray_traverse_miss(*ray, test)
                };
                vec![each(label(self.way), rays(questions), None, ask)]
            }
        }
    };
}

ray_shape!(Bvh2);
ray_shape!(CwBvh);

/// Building: what a caller holds afterwards, so the ordering of triangles counts.
pub fn build_meshes(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    fn held<Tree>(ordered: &Ordered<Tree>, nodes: usize) -> usize {
        nodes + size_of_val(&*ordered.triangles) + size_of_val(&*ordered.numbers)
    }
    let presets = [
        ("BVH2 fastest", BvhBuildParams::fastest_build()),
        ("BVH2 very fast", BvhBuildParams::very_fast_build()),
        ("BVH2 medium", BvhBuildParams::medium_build()),
        ("BVH2 slow", BvhBuildParams::slow_build()),
    ];
    let mut builds: Subjects<()> = Vec::new();
    for (way, settings) in presets {
        let run = move || bvh2(way, &triangles(mesh), settings);
        let bytes = |ordered: &Ordered<Bvh2>| held(ordered, size_of_val(&*ordered.tree.nodes));
        builds.push(build(label(way), run, bytes));
    }
    let run = || {
        cwbvh(
            "CWBVH medium",
            &triangles(mesh),
            BvhBuildParams::medium_build(),
        )
    };
    let bytes = |ordered: &Ordered<CwBvh>| held(ordered, size_of_val(&*ordered.tree.nodes));
    builds.push(build(label("CWBVH medium"), run, bytes));
    builds
}
