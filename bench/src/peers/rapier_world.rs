//! rapier3d: its `QueryPipeline` over colliders without bodies, with a tree that is built at once.
//!
//! Its own broad phase builds its tree by insertion and widens its boxes; the pipeline takes any tree.

use super::parry::{height_field, tri_mesh, vector};
use crate::answer::{Met, Touch, UNNUMBERED};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::inputs::world::{Body, Form, Inventory};
use crate::inputs::{Question, Rays};
use crate::label::{Family, Label};
use crate::shape::{Obstacle, RayShape, WholeWorld};
use crate::subject::{Subjects, each};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::query::{DefaultQueryDispatcher, Ray, ShapeCastOptions};
use parry3d::shape::{Ball, Capsule, Cuboid, Shape, SharedShape};
use rapier3d::dynamics::RigidBodySet;
use rapier3d::geometry::{ColliderBuilder, ColliderHandle, ColliderSet};
use rapier3d::pipeline::{QueryFilter, QueryPipeline};
use rayon::ThreadPool;
use std::collections::HashMap;

pub fn label(way: &str) -> Label {
    Label::new(Family::Rapier, way)
}

fn pose(body: &Body) -> Pose {
    let [x, y, z, w] = body.rotation;
    Pose::from_parts(vector(body.position), Rotation::from_xyzw(x, y, z, w))
}

/// Each mesh in each of its sizes, as a shape cannot be scaled by its transform.
fn meshes(inventory: &Inventory) -> HashMap<(u32, u32), SharedShape> {
    let unscaled: Vec<_> = inventory.meshes.iter().map(tri_mesh).collect();
    let mut meshes = HashMap::new();
    for body in inventory
        .bodies
        .iter()
        .filter(|body| body.form == Form::Mesh)
    {
        meshes.entry(key(body)).or_insert_with(|| {
            let mesh = unscaled[body.mesh as usize].clone();
            SharedShape::new(mesh.scaled(vector(body.size)))
        });
    }
    meshes
}

fn key(body: &Body) -> (u32, u32) {
    (body.mesh, body.size[0].to_bits())
}

fn collider_shape(body: &Body, meshes: &HashMap<(u32, u32), SharedShape>) -> SharedShape {
    let [x, y, z] = body.size;
    match body.form {
        Form::Sphere => SharedShape::ball(x),
        Form::AlignedBox | Form::TurnedBox => SharedShape::cuboid(x, y, z),
        Form::Capsule => SharedShape::capsule_y(y, x),
        Form::Mesh => meshes[&key(body)].clone(),
    }
}

pub struct World {
    tree: Bvh,
    workspace: BvhWorkspace,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    handles: Vec<ColliderHandle>,
}

impl World {
    pub fn new(inventory: &Inventory) -> Self {
        let meshes = meshes(inventory);
        let mut colliders = ColliderSet::new();
        let mut insert = |shape, at| colliders.insert(ColliderBuilder::new(shape).position(at));
        let bodies = inventory.bodies.iter();
        let handles = bodies.map(|body| insert(collider_shape(body, &meshes), pose(body)));
        let handles = handles.collect();
        if let Some(terrain) = &inventory.terrain {
            // parry's map lies around the origin.
            let half = 0.5 * terrain.length() as f32;
            let at = Pose::from_translation(Vector::new(half, 0.0, half));
            insert(SharedShape::new(height_field(terrain)), at);
        }
        // Colliders are numbered from 0 in the order in which they were inserted.
        let boxes: Vec<Aabb> = colliders
            .iter()
            .map(|(_, own)| own.compute_aabb())
            .collect();
        Self {
            tree: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            workspace: BvhWorkspace::default(),
            bodies: RigidBodySet::new(),
            colliders,
            handles,
        }
    }

    fn pipeline(&self) -> QueryPipeline<'_> {
        QueryPipeline {
            dispatcher: &DefaultQueryDispatcher,
            bvh: &self.tree,
            bodies: &self.bodies,
            colliders: &self.colliders,
            filter: QueryFilter::default(),
        }
    }

    pub fn cast(&self, (ray, end): &(Ray, f32)) -> Option<Met> {
        let (_, t) = self.pipeline().cast_ray(ray, *end, true)?;
        Some(Met {
            t,
            primitive: UNNUMBERED,
        })
    }

    /// All bodies have moved; brings the tree up to date.
    pub fn step(&mut self, bodies: &[Body], update: Update) {
        let mut boxes = Vec::new();
        for ((handle, body), number) in self.handles.iter().zip(bodies).zip(0..) {
            let collider = self.colliders.get_mut(*handle).expect("it is there");
            collider.set_position(pose(body));
            let own = collider.compute_aabb();
            match update {
                Update::Rebuild => boxes.push(own),
                Update::Refit | Update::RefitInPlace => {
                    self.tree.insert_or_update_partially(own, number, 0.0);
                }
            }
        }
        // What the set remembers of changes is for a physics step.
        self.colliders.take_modified();
        match update {
            Update::Refit => self.tree.refit(&mut self.workspace),
            Update::RefitInPlace => self.tree.refit_without_opt(),
            Update::Rebuild => self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
        }
    }
}

/// How the tree is brought up to date.
#[derive(Debug, Clone, Copy)]
pub enum Update {
    Refit,
    RefitInPlace,
    Rebuild,
}

impl Update {
    pub const ALL: [(&str, Self); 3] = [
        ("refit", Self::Refit),
        ("refit in place", Self::RefitInPlace),
        ("rebuilt, binned", Self::Rebuild),
    ];
}

pub fn ray(question: &Question) -> (Ray, f32) {
    let ray = Ray::new(vector(question.origin), vector(question.direction));
    (ray, question.t_max.min(f32::MAX))
}

impl RayShape for World {
    fn nearest<'a>(
        &'a self,
        rays: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays = rays.iter().map(ray).collect();
        vec![each(label("QueryPipeline"), rays, pool, |ray| {
            self.cast(ray)
        })]
    }

    /// It has no query of its own for whether anything is hit.
    fn any<'a>(&'a self, rays: &Rays) -> Subjects<'a, bool> {
        let rays = rays.iter().map(ray).collect();
        let ask = |ray: &(Ray, f32)| self.cast(ray).is_some();
        vec![each(label("QueryPipeline"), rays, None, ask)]
    }
}

fn moving_shape(solid: Solid) -> Box<dyn Shape> {
    let half = solid.half;
    match solid.kind {
        Kind::Sphere => Box::new(Ball::new(half)),
        Kind::Cube => Box::new(Cuboid::new(Vector::splat(half))),
        Kind::Capsule => Box::new(Capsule::new_y(half, half)),
        Kind::Hull | Kind::Cylinder => unreachable!("worlds are asked with spheres and capsules"),
    }
}

impl Obstacle for World {
    fn first_contacts<'a>(
        &'a self,
        solid: Solid,
        moves: &'a [Move],
    ) -> Subjects<'a, Option<Touch>> {
        let (shape, options) = (
            moving_shape(solid),
            ShapeCastOptions::with_max_time_of_impact(1.0),
        );
        let ask = move |own: &(Pose, Vector, f32)| {
            let (at, motion, length) = own;
            let (_, hit) = self.pipeline().cast_shape(at, *motion, &*shape, options)?;
            Some(Touch {
                distance: hit.time_of_impact * length,
                normal: hit.normal1.into(),
                primitive: UNNUMBERED,
            })
        };
        let prepared = moves.iter().map(|own| {
            let at = Pose::from_translation(vector(own.middle));
            (at, vector(own.motion), own.length)
        });
        vec![each(label("QueryPipeline"), prepared.collect(), None, ask)]
    }
}

impl WholeWorld for World {
    fn overlaps<'a>(&'a self, solid: Solid, middles: &'a [[f32; 3]]) -> Subjects<'a, bool> {
        let shape = moving_shape(solid);
        let ask = move |at: &Pose| {
            let pipeline = self.pipeline();
            pipeline.intersect_shape(*at, &*shape).next().is_some()
        };
        let places = middles.iter().map(|at| Pose::from_translation(vector(*at)));
        vec![each(label("QueryPipeline"), places.collect(), None, ask)]
    }
}
