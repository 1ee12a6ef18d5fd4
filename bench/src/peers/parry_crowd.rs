//! parry3d's tree over boxes that move, in all the ways it offers, and its pairs.

use super::pairs_by_hand::swept;
use super::parry::vector;
use crate::inputs::Question;
use crate::inputs::crowd::{Crowd, Queries};
use crate::label::{Family, Label};
use crate::subject::Subjects;
use crate::workloads::boxes::Primitive;
use crate::workloads::crowd::{self, Mover};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::{Ray, RayCast};
use std::rc::Rc;

fn label(way: &str) -> Label {
    Label::new(Family::Parry, format!("Bvh, {way}"))
}

fn aabb(solid: &Primitive) -> Aabb {
    Aabb::new(vector(solid.min), vector(solid.max))
}

/// How the tree is brought up to date.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Refit,
    RefitInPlace,
    RefitAndOptimize,
    Reinsert,
    Rebuild(BvhBuildStrategy),
}

struct Moving {
    way: Way,
    tree: Bvh,
    boxes: Vec<Aabb>,
    workspace: BvhWorkspace,
}

impl Mover for Moving {
    type Ray = Ray;
    type Query = Aabb;

    fn ray(question: &Question) -> Ray {
        Ray::new(vector(question.origin), vector(question.direction))
    }

    fn query(solid: &Primitive) -> Aabb {
        aabb(solid)
    }

    fn start(&mut self, boxes: &[Primitive]) {
        self.boxes = boxes.iter().map(aabb).collect();
        self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.boxes);
        self.workspace = BvhWorkspace::default();
    }

    fn step(&mut self, boxes: &[Primitive]) {
        for (own, solid) in self.boxes.iter_mut().zip(boxes) {
            *own = aabb(solid);
        }
        match self.way {
            Way::Rebuild(strategy) => self.tree = Bvh::from_leaves(strategy, &self.boxes),
            Way::Reinsert => {
                for (own, number) in self.boxes.iter().zip(0..) {
                    self.tree.insert(*own, number);
                }
            }
            Way::Refit | Way::RefitInPlace | Way::RefitAndOptimize => {
                for (own, number) in self.boxes.iter().zip(0..) {
                    self.tree.insert_or_update_partially(*own, number, 0.0);
                }
                if self.way == Way::RefitInPlace {
                    self.tree.refit_without_opt();
                } else {
                    self.tree.refit(&mut self.workspace);
                }
                if self.way == Way::RefitAndOptimize {
                    self.tree.optimize_incremental(&mut self.workspace);
                }
            }
        }
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        let cast =
            |number: u32, limit: f32| self.boxes[number as usize].cast_local_ray(ray, limit, true);
        Some(self.tree.cast_ray(ray, f32::MAX, cast)?.1)
    }

    fn touching(&self, query: &Aabb) -> u32 {
        self.tree.intersect_aabb(query).count() as u32
    }
}

pub fn frames<'a>(crowd: &Rc<Crowd>, queries: &Queries) -> Subjects<'a, Option<f32>> {
    let ways = [
        ("refit", Way::Refit),
        ("refit in place", Way::RefitInPlace),
        ("refit, optimize_incremental", Way::RefitAndOptimize),
        ("reinsertion", Way::Reinsert),
        ("rebuilt, binned", Way::Rebuild(BvhBuildStrategy::Binned)),
        ("rebuilt, PLOC", Way::Rebuild(BvhBuildStrategy::Ploc)),
    ];
    let subject = |(name, way)| {
        let moving = Moving {
            way,
            tree: Bvh::new(),
            boxes: Vec::new(),
            workspace: BvhWorkspace::default(),
        };
        crowd::frames(label(name), moving, crowd, queries)
    };
    ways.map(subject).into()
}

/// All pairs of leaves that touch, of a tree built for it.
fn pairs_of(boxes: &[Aabb], strategy: BvhBuildStrategy) -> Vec<[u32; 2]> {
    let tree = Bvh::from_leaves(strategy, boxes);
    let mut pairs = Vec::new();
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |a, b| {
        if boxes[a as usize].intersects(&boxes[b as usize]) {
            pairs.push([a.min(b), a.max(b)]);
        }
    });
    pairs
}

pub fn broad_phase_pairs<'a>(boxes: &[Primitive]) -> Subjects<'a, u32> {
    let ways = [
        ("binned", BvhBuildStrategy::Binned),
        ("PLOC", BvhBuildStrategy::Ploc),
    ];
    let mut subjects = Vec::new();
    for (name, strategy) in ways {
        let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
        let (label, count) = (label(&format!("{name}, against itself")), boxes.len());
        let find = move || pairs_of(&boxes, strategy);
        subjects.extend(crowd::partners(label, count, find));
    }
    subjects
}

/// A tree over boxes around the moving ones, then a ray on the Minkowski sum, then a sort by time.
pub fn impacts_of<'a>(boxes: &[Primitive], motions: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let around: Vec<Aabb> = boxes
        .iter()
        .zip(motions)
        .map(|(solid, motion)| aabb(&swept(solid, motion)))
        .collect();
    let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
    let motions: Vec<Vector> = motions.iter().map(|motion| vector(*motion)).collect();
    let count = boxes.len();
    let find = move || {
        let mut overlaps: Vec<(f32, [u32; 2])> = Vec::new();
        for [a, b] in pairs_of(&around, BvhBuildStrategy::Binned) {
            let (i, j) = (a as usize, b as usize);
            let (own, its) = (&boxes[i], &boxes[j]);
            let half = own.half_extents();
            let sum = Aabb::new(its.mins - half, its.maxs + half);
            let ray = Ray::new(own.center(), motions[i] - motions[j]);
            if let Some(t) = sum.cast_local_ray(&ray, 1.0, true) {
                overlaps.push((t, [a, b]));
            }
        }
        overlaps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        overlaps
    };
    crowd::first_impacts(label("swept boxes, then rays"), count, find)
}
