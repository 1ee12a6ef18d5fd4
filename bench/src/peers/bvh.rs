//! The crate bvh: its binary tree, traversed nearest box first and child by child.
//!
//! It finds the triangles whose boxes a ray hits, and the caller tests them. The crate's own test
//! passes through back sides and small triangles, so the test here is that of Möller and Trumbore
//! ("Fast, Minimum Storage Ray/Triangle Intersection", 1997) for both sides, without an epsilon.

use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subjects, build, each};
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::ray::Ray;
use nalgebra::{Point3, Vector3};
use rayon::ThreadPool;

fn label(way: &str) -> Label {
    Label::new(Family::Bvh, way)
}

struct Triangle {
    corners: [Point3<f32>; 3],
    number: u32,
    node: usize,
}

impl Bounded<f32, 3> for Triangle {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = &self.corners;
        Aabb::empty().grow(a).grow(b).grow(c)
    }
}

impl BHShape<f32, 3> for Triangle {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

pub struct Mesh {
    triangles: Vec<Triangle>,
    tree: Bvh<f32, 3>,
}

fn tree(mesh: &inputs::Mesh) -> (Vec<Triangle>, Bvh<f32, 3>) {
    let triangle = |number: usize| Triangle {
        corners: mesh.corners(number).map(Point3::from),
        number: number as u32,
        node: 0,
    };
    let mut triangles: Vec<Triangle> = (0..mesh.triangles.len()).map(triangle).collect();
    let tree = Bvh::build(&mut triangles);
    (triangles, tree)
}

impl Mesh {
    pub fn new(mesh: &inputs::Mesh) -> Self {
        let (triangles, tree) = tree(mesh);
        Self { triangles, tree }
    }
}

type ScaledRay = (Ray<f32, 3>, f32);

fn rays(questions: &[Question]) -> Vec<ScaledRay> {
    let ray = |question: &Question| {
        let direction = Vector3::from(question.direction);
        // The crate's rays have unit length; t is brought back to the question's.
        let ray = Ray::new(Point3::from(question.origin), direction);
        (ray, 1.0 / direction.norm())
    };
    questions.iter().map(ray).collect()
}

/// The distance at which the ray hits the triangle; infinite where it does not.
#[inline]
fn distance(ray: &Ray<f32, 3>, triangle: &Triangle) -> f32 {
    let [a, b, c] = &triangle.corners;
    let (ab, ac, from_a) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(&ac);
    let inverse = 1.0 / ab.dot(&across);
    let u = from_a.dot(&across) * inverse;
    let along = from_a.cross(&ab);
    let v = ray.direction.dot(&along) * inverse;
    let t = ac.dot(&along) * inverse;
    let is_hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0;
    if is_hit { t } else { f32::INFINITY }
}

/// The nearer of two hits; `best` is none at an infinite distance.
#[inline]
fn keep_nearer(best: &mut (f32, u32), ray: &Ray<f32, 3>, triangle: &Triangle) {
    let t = distance(ray, triangle);
    if t < best.0 {
        *best = (t, triangle.number);
    }
}

fn met((t, primitive): (f32, u32), scale: f32) -> Option<Met> {
    let t = t * scale;
    (t < f32::INFINITY).then_some(Met { t, primitive })
}

impl RayShape for Mesh {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        // Boxes come nearest first, so the first behind the best hit ends the search.
        let sorted = |(ray, scale): &ScaledRay| {
            let mut best = (f32::INFINITY, 0);
            for triangle in self.tree.nearest_traverse_iterator(ray, &self.triangles) {
                if best.0 < f32::INFINITY {
                    let entry = ray.intersection_slice_for_aabb(&triangle.aabb());
                    if entry.is_some_and(|(entry, _)| entry > best.0) {
                        break;
                    }
                }
                keep_nearer(&mut best, ray, triangle);
            }
            met(best, *scale)
        };
        let unsorted = |(ray, scale): &ScaledRay| {
            let mut best = (f32::INFINITY, 0);
            for triangle in self.tree.traverse_iterator(ray, &self.triangles) {
                keep_nearer(&mut best, ray, triangle);
            }
            met(best, *scale)
        };
        let rays = rays(questions);
        vec![
            each(label("nearest first"), rays.clone(), pool, sorted),
            each(label("all boxes"), rays, pool, unsorted),
        ]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |(ray, _): &ScaledRay| {
            let mut met = self.tree.traverse_iterator(ray, &self.triangles);
            met.any(|triangle| distance(ray, triangle) < f32::INFINITY)
        };
        vec![each(label("tree"), rays(questions), None, ask)]
    }
}

pub fn build_mesh(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let bytes = |(triangles, tree): &(Vec<Triangle>, Bvh<f32, 3>)| {
        size_of_val(&**triangles) + size_of_val(&*tree.nodes)
    };
    vec![build(label("tree"), || tree(mesh), bytes)]
}
