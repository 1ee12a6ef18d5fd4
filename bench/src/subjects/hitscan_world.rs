//! hitscan's whole world: rays, moving and resting shapes, building it, and bodies that move.

use super::hitscan::{alone, height_field, label, rays, tri_mesh};
use super::hitscan_moves::{casts, first_contacts, primitive};
use crate::answer::{Met, Touch};
use crate::inputs::Rays;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::world::{Body, Form, Inventory};
use crate::shape::{Obstacle, RayShape, WholeWorld};
use crate::subject::{Subjects, build, each, filled};
use glam::{DAffine3, DQuat, DVec3};
use hitscan::{
    Aabb, Capsule, Obb, ObjectId, Primitive, Ray, RayHit, ShapeCast, Sphere, TriMesh, World,
};
use rayon::ThreadPool;
use std::sync::Arc;

fn rotation(body: &Body) -> DQuat {
    DQuat::from_array(body.rotation.map(f64::from)).normalize()
}

fn transform(body: &Body) -> DAffine3 {
    let (scale, at) = (body.size.map(f64::from), body.position.map(f64::from));
    DAffine3::from_scale_rotation_translation(scale.into(), rotation(body), at.into())
}

fn solid(body: &Body) -> Primitive {
    let [x, y, z] = body.position;
    let [i, j, k] = body.size;
    let made = match body.form {
        Form::Sphere => Sphere::new(body.position, i).map(Primitive::from),
        Form::AlignedBox => {
            Aabb::new([x - i, y - j, z - k], [x + i, y + j, z + k]).map(Primitive::from)
        }
        Form::TurnedBox => Obb::new(body.position, body.size, rotation(body)).map(Primitive::from),
        Form::Capsule | Form::Mesh => return capsule(body).into(),
    };
    made.expect("solids are in range")
}

fn capsule(body: &Body) -> Capsule {
    let [radius, half, _] = body.size;
    let along = rotation(body) * DVec3::new(0.0, f64::from(half), 0.0);
    let middle = DVec3::from_array(body.position.map(f64::from));
    let [a, b] = [middle - along, middle + along].map(|end| end.as_vec3());
    Capsule::new(a, b, radius).expect("capsules are in range")
}

fn built(inventory: &Inventory) -> (World, Vec<ObjectId>) {
    let meshes: Vec<Arc<TriMesh>> = inventory
        .meshes
        .iter()
        .map(|mesh| Arc::new(tri_mesh(mesh)))
        .collect();
    let mut world = World::new();
    let mut objects = Vec::with_capacity(inventory.bodies.len());
    for body in &inventory.bodies {
        let object = match body.form {
            Form::Mesh => {
                let mesh = Arc::clone(&meshes[body.mesh as usize]);
                world.add_at(mesh, transform(body))
            }
            _ => Ok(world.add(solid(body))),
        };
        objects.push(object.expect("bodies are in range"));
    }
    if let Some(terrain) = &inventory.terrain {
        world.add(height_field(terrain));
    }
    world.update();
    (world, objects)
}

/// The hit with its object, whose triangles are not ours to compare with peers.
fn met(hit: Option<RayHit>) -> Option<Met> {
    let hit = hit?;
    Some(Met {
        t: hit.t,
        primitive: hit.object.map_or(0, |object| object.index() as u32),
    })
}

pub struct Whole(World);

impl Whole {
    pub fn new(inventory: &Inventory) -> Self {
        Self(alone().install(|| built(inventory)).0)
    }

    pub fn into_world(self) -> World {
        self.0
    }
}

impl RayShape for Whole {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let ask = |ray: &Ray| met(self.0.now().cast_ray(ray, ()));
        let all = rays(questions);
        let fill = move |hits: &mut Vec<Option<RayHit>>| {
            alone().install(|| self.0.now().cast_rays_into(&all, (), hits));
        };
        let hits = vec![None; questions.len()];
        vec![
            each(label(""), rays(questions), pool, ask),
            filled(label("cast_rays").of_many(), hits, fill, |hit| met(*hit)),
        ]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let ask = |ray: &Ray| self.0.now().cast_ray_any(ray, ());
        let all = rays(questions);
        let fill = move |are_hits: &mut Vec<bool>| {
            alone().install(|| self.0.now().cast_rays_any_into(&all, (), are_hits));
        };
        let are_hits = vec![false; questions.len()];
        vec![
            each(label(""), rays(questions), None, ask),
            filled(label("cast_rays_any").of_many(), are_hits, fill, |hit| *hit),
        ]
    }
}

impl Obstacle for Whole {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let one = |cast: &ShapeCast| self.0.now().cast_shape(cast, ());
        let many = |casts: &[ShapeCast]| self.0.now().cast_shapes(casts, ());
        first_contacts(casts(solid, moves), moves, one, many)
    }
}

impl WholeWorld for Whole {
    fn overlaps<'a>(&'a self, solid: Solid, middles: &[[f32; 3]]) -> Subjects<'a, bool> {
        let shapes = middles.iter().map(|middle| primitive(solid, *middle));
        let shapes: Vec<Primitive> = shapes.collect();
        let all = shapes.clone();
        let fill = move |overlap: &mut Vec<bool>| {
            *overlap = alone().install(|| self.0.now().overlaps_shapes(&all, ()));
        };
        let ask = |shape: &Primitive| self.0.now().overlaps_shape(shape.clone(), ());
        vec![
            each(label(""), shapes, None, ask),
            filled(
                label("overlaps_shapes").of_many(),
                Vec::new(),
                fill,
                |is_overlap: &bool| *is_overlap,
            ),
        ]
    }
}

/// Meshes and terrain are built, and all added; the memory is the world's with what it shares.
pub fn builds(inventory: &Inventory) -> Subjects<'_, ()> {
    let run = || alone().install(|| built(inventory).0);
    vec![build(label(""), run, World::memory_bytes)]
}

/// A world of bodies that move.
#[derive(Default)]
pub struct Moving {
    world: World,
    objects: Vec<ObjectId>,
    transforms: Vec<(ObjectId, DAffine3)>,
    capsules: Vec<(ObjectId, Capsule)>,
    solids: Vec<(ObjectId, Primitive)>,
}

impl Moving {
    pub fn start(inventory: &Inventory) -> Self {
        let (world, objects) = alone().install(|| built(inventory));
        Self {
            world,
            objects,
            ..Self::default()
        }
    }

    /// All bodies have moved; brings the world up to date.
    pub fn step(&mut self, bodies: &[Body]) {
        self.transforms.clear();
        self.capsules.clear();
        self.solids.clear();
        for (object, body) in self.objects.iter().zip(bodies) {
            match body.form {
                Form::Mesh => self.transforms.push((*object, transform(body))),
                Form::Capsule => self.capsules.push((*object, capsule(body))),
                _ => self.solids.push((*object, solid(body))),
            }
        }
        alone().install(|| {
            let moved = self.world.set_transforms(&self.transforms);
            moved.expect("the instances are there");
            let moved = self.world.set_primitives(&self.capsules);
            moved.expect("the capsules are there");
            let moved = self.world.set_primitives(&self.solids);
            moved.expect("the solids are there");
            self.world.update();
        });
    }

    pub fn cast(&self, ray: &Ray) -> Option<Met> {
        met(self.world.now().cast_ray(ray, ()))
    }

    pub fn cast_all(&self, rays: &[Ray], hits: &mut [Option<RayHit>]) {
        alone().install(|| self.world.now().cast_rays_into(rays, (), hits));
    }
}

pub fn read(hit: &Option<RayHit>) -> Option<Met> {
    met(*hit)
}
