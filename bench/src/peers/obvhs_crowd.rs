//! obvhs' binary tree over boxes that move, in all the ways it offers.

use crate::inputs::Question;
use crate::inputs::crowd::{Crowd, Queries};
use crate::label::{Family, Label};
use crate::subject::Subjects;
use crate::workloads::boxes::Primitive;
use crate::workloads::crowd::{self, Mover};
use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::ray::{Ray, RayHit};
use std::rc::Rc;
use std::time::Duration;

/// How many frames pass between two builds, where it is built now and then.
const PERIOD: usize = 10;
/// Which part of the nodes is inserted again each frame.
const REINSERTED: f32 = 0.02;

fn aabb(solid: &Primitive) -> Aabb {
    Aabb::new(solid.min.into(), solid.max.into())
}

/// How the tree is brought up to date.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Rebuild,
    Refit,
    RefitAndReinsert,
    RefitAndRebuild,
    MovePrimitives,
}

struct Moving {
    way: Way,
    settings: BvhBuildParams,
    tree: Bvh2,
    boxes: Vec<Aabb>,
    optimizer: ReinsertionOptimizer,
    frame: usize,
}

impl Moving {
    fn build(&mut self) {
        self.tree = build_bvh2(&self.boxes, self.settings, &mut Duration::default());
        if self.way != Way::Rebuild {
            self.tree.init_primitives_to_nodes_if_uninit();
        }
    }
}

impl Mover for Moving {
    type Ray = Ray;
    type Query = Aabb;

    fn ray(question: &Question) -> Ray {
        let (origin, direction) = (question.origin.into(), question.direction.into());
        Ray::new(origin, direction, 0.0, question.t_max)
    }

    fn query(solid: &Primitive) -> Aabb {
        aabb(solid)
    }

    fn start(&mut self, boxes: &[Primitive]) {
        self.boxes = boxes.iter().map(aabb).collect();
        self.frame = 0;
        self.build();
    }

    fn step(&mut self, boxes: &[Primitive]) {
        for (own, solid) in self.boxes.iter_mut().zip(boxes) {
            *own = aabb(solid);
        }
        self.frame += 1;
        let is_due = self.way == Way::RefitAndRebuild && self.frame.is_multiple_of(PERIOD);
        if self.way == Way::Rebuild || is_due {
            self.build();
            return;
        }
        if self.way == Way::MovePrimitives {
            for (own, number) in self.boxes.iter().zip(0..) {
                self.tree.move_primitive(*own, number);
            }
            return;
        }
        self.tree.init_primitives_to_nodes_if_uninit();
        for (own, node) in self.boxes.iter().zip(&self.tree.primitives_to_nodes) {
            self.tree.nodes[*node as usize].set_aabb(*own);
        }
        self.tree.refit_all();
        if self.way == Way::RefitAndReinsert {
            self.optimizer
                .run(&mut self.tree, REINSERTED, Some(vec![1.0]));
        }
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let mut hit = RayHit::none();
        let numbers = &self.tree.primitive_indices;
        let cast = |ray: &Ray, place: usize| self.boxes[numbers[place] as usize].intersect_ray(ray);
        let is_hit = self.tree.ray_traverse(*ray, &mut hit, cast);
        // From inside a box it answers where the ray's line enters, behind its start.
        is_hit.then_some(hit.t.max(0.0))
    }

    fn touching(&self, query: &Aabb) -> u32 {
        let mut count = 0;
        self.tree.aabb_traverse(*query, |tree, node| {
            let node = &tree.nodes[node as usize];
            for place in node.first_index..node.first_index + node.prim_count {
                let number = tree.primitive_indices[place as usize];
                count += u32::from(self.boxes[number as usize].intersect_aabb(query));
            }
            true
        });
        count
    }
}

pub fn frames<'a>(crowd: &Rc<Crowd>, queries: &Queries) -> Subjects<'a, Option<f32>> {
    // Trees that are changed need leaves of one primitive.
    let single = BvhBuildParams {
        max_prims_per_leaf: 1,
        ..BvhBuildParams::medium_build()
    };
    let ways = [
        ("refit", Way::Refit, single),
        ("refit and reinsertion", Way::RefitAndReinsert, single),
        ("refit, rebuilt each 10th", Way::RefitAndRebuild, single),
        ("move_primitive", Way::MovePrimitives, single),
        (
            "rebuilt, fastest",
            Way::Rebuild,
            BvhBuildParams::fastest_build(),
        ),
        ("rebuilt, fast", Way::Rebuild, BvhBuildParams::fast_build()),
        (
            "rebuilt, medium",
            Way::Rebuild,
            BvhBuildParams::medium_build(),
        ),
    ];
    let subject = |(name, way, settings)| {
        let moving = Moving {
            way,
            settings,
            tree: Bvh2::default(),
            boxes: Vec::new(),
            optimizer: ReinsertionOptimizer::default(),
            frame: 0,
        };
        let label = Label::new(Family::Obvhs, format!("BVH2, {name}"));
        crowd::frames(label, moving, crowd, queries)
    };
    ways.map(subject).into()
}
