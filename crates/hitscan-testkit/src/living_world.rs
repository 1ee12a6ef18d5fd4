//! A world whose objects come, move, change and go, beside a list of what should be in it, so that
//! the same can be built afresh.

use crate::random_world::{Shape, placement};
use crate::{Rng, random_model};
use glam::{DAffine3, DQuat, Vec3};
use hitscan::height_field::GroundHeight;
use hitscan::model::{Model, Pose};
use hitscan::{
    Aabb, BallisticArc, Blocker, Capsule, ClosestPoint, Contact, ContactsPer, InitialOverlap, Obb,
    ObjectId, Primitive, QueryFilter, Ray, RayHit, ShapeCast, ShapeHit, Sides, Snapshot, Sphere,
    World,
};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) const KNOWN: &str = "the object is there, and of the right kind";
const IN_RANGE: &str = "all places are in range";

/// Metres from 0 within which things are.
const SPAN: f32 = 8.0;

/// What an object is, apart from the world that it is in.
#[derive(Debug, Clone)]
pub(crate) enum Thing {
    Shape(Shape),
    /// An oriented box or a capsule.
    Primitive(Primitive),
    Model(Arc<Model>, Pose, DAffine3),
}

/// A world, and what should be in it.
#[derive(Debug)]
pub struct LivingWorld {
    /// The world.
    pub world: World,
    /// Handles of what was removed.
    pub gone: Vec<ObjectId>,
    /// What should be there, and in which layers.
    pub(crate) things: BTreeMap<ObjectId, (Thing, u32)>,
    models: Vec<Arc<Model>>,
}

impl Thing {
    fn random(models: &[Arc<Model>], rng: &mut Rng) -> Self {
        if rng.one_in(3) {
            let model = &models[rng.below(models.len())];
            let pose = random_pose(model, rng).0;
            Self::Model(Arc::clone(model), pose, placement(rng, SPAN))
        } else if rng.one_in(4) {
            Self::Primitive(random_solid(rng))
        } else {
            Self::Shape(Shape::random(rng, SPAN))
        }
    }

    /// `None` where the world refuses it, as a pose may be out of range.
    pub(crate) fn add_to(&self, world: &mut World) -> Option<ObjectId> {
        match self {
            Self::Shape(shape) => Some(shape.add_to(world)),
            Self::Primitive(solid) => Some(world.add(solid.clone())),
            Self::Model(model, pose, placement) => world.add_model(model, pose, *placement).ok(),
        }
    }
}

/// An oriented box or a capsule of some metres.
fn random_solid(rng: &mut Rng) -> Primitive {
    let [center, half] = [(-SPAN, SPAN), (0.2, 2.0)]
        .map(|(low, high)| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(low, high))));
    if rng.one_in(2) {
        let radius = rng.uniform(0.2, 1.5);
        return Capsule::new(center, center + half, radius)
            .expect(IN_RANGE)
            .into();
    }
    let turn = placement(rng, SPAN).matrix3;
    let turn = DQuat::from_mat3(&turn).normalize();
    let turn = if turn.is_finite() {
        turn
    } else {
        DQuat::IDENTITY
    };
    Obb::new(center, half, turn).expect(IN_RANGE).into()
}

fn random_pose(model: &Model, rng: &mut Rng) -> (Pose, usize, f64) {
    let clip = rng.below(model.clips().len());
    let time = rng.uniform(-0.5, 3.0);
    let pose = model.pose_at(clip, time);
    (pose.expect("the clip is one of the model's"), clip, time)
}

impl LivingWorld {
    /// A world without objects, into which meshes, solids, terrains and some random models may come.
    ///
    /// # Panics
    /// Never: random models are accepted.
    #[must_use]
    pub fn new(rng: &mut Rng) -> Self {
        let models = (0..6).map(|_| Model::new(random_model(rng)).expect("the model is sound"));
        Self {
            world: World::new(),
            gone: Vec::new(),
            things: BTreeMap::new(),
            models: models.map(Arc::new).collect(),
        }
    }

    /// A model that may come.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.models[0]
    }

    /// How many objects should be there.
    #[must_use]
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// Whether nothing should be there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// Adds a random object.
    ///
    /// # Panics
    /// When the handle is not greater than all before.
    pub fn add(&mut self, rng: &mut Rng) {
        let thing = Thing::random(&self.models, rng);
        let Some(id) = thing.add_to(&mut self.world) else {
            return;
        };
        assert!(self.things.keys().next_back().is_none_or(|last| *last < id));
        self.things.insert(id, (thing, 1));
    }

    fn some_object(&self, rng: &mut Rng) -> Option<ObjectId> {
        let count = self.things.len().max(1);
        self.things.keys().nth(rng.below(count)).copied()
    }

    /// Changes one object, or some object's layers, or removes it.
    ///
    /// # Panics
    /// When the world refuses what it should not.
    pub fn change(&mut self, rng: &mut Rng) {
        let Some(id) = self.some_object(rng) else {
            return;
        };
        if rng.one_in(8) {
            self.world.remove(id).expect(KNOWN);
            self.things.remove(&id);
            self.gone.push(id);
            return;
        }
        if rng.one_in(6) {
            let layers = [0, 1, 2, 3, u32::MAX][rng.below(5)];
            self.world.set_layers(id, layers).expect(KNOWN);
            self.things.get_mut(&id).expect(KNOWN).1 = layers;
            return;
        }
        let thing = &mut self.things.get_mut(&id).expect(KNOWN).0;
        match thing {
            Thing::Model(model, pose, at) => {
                if rng.one_in(2) {
                    let moved = placement(rng, SPAN);
                    if self.world.set_transform(id, moved).is_ok() {
                        *at = moved;
                    }
                } else {
                    let (new, clip, time) = random_pose(model, rng);
                    let is_set = if rng.one_in(2) {
                        self.world.set_pose(id, &new)
                    } else {
                        self.world.set_pose_at(id, clip, time)
                    };
                    if is_set.is_ok() {
                        *pose = new;
                    }
                }
            }
            Thing::Primitive(solid) => {
                *solid = random_solid(rng);
                self.world.set_primitive(id, solid.clone()).expect(KNOWN);
            }
            Thing::Shape(Shape::Mesh(_, at)) => {
                *at = placement(rng, SPAN);
                self.world.set_transform(id, *at).expect(KNOWN);
            }
            Thing::Shape(shape @ Shape::Terrain(_)) => loop {
                *shape = Shape::random(rng, SPAN);
                if let Shape::Terrain(field) = shape {
                    let field = Arc::clone(field);
                    self.world.set_height_field(id, field).expect(KNOWN);
                    break;
                }
            },
            Thing::Shape(shape) => loop {
                *shape = Shape::random(rng, SPAN);
                match shape {
                    Shape::Sphere(sphere) => self.world.set_primitive(id, *sphere).expect(KNOWN),
                    Shape::Aabb(aabb) => self.world.set_primitive(id, *aabb).expect(KNOWN),
                    _ => continue,
                }
                break;
            },
        }
    }

    /// The world of what should be there, built afresh, and the objects that its own correspond to.
    ///
    /// # Panics
    /// When it refuses what was accepted before.
    #[must_use]
    pub fn afresh(&self) -> (World, Vec<ObjectId>) {
        let mut world = World::new();
        for (thing, layers) in self.things.values() {
            let id = thing.add_to(&mut world).expect("it was accepted before");
            world.set_layers(id, *layers).expect(KNOWN);
        }
        world.update();
        (world, self.things.keys().copied().collect())
    }
}

/// A question of each kind.
#[derive(Debug, Clone)]
pub struct Questions {
    ray: Ray,
    moving: ShapeCast,
    solid: Primitive,
    arc: BallisticArc,
    region: Aabb,
    point: Vec3,
    mask: u32,
    sides: Sides,
}

impl Questions {
    /// Among the objects, many at whole coordinates.
    ///
    /// # Panics
    /// Never: all that it makes is in range.
    #[must_use]
    pub fn random(rng: &mut Rng) -> Self {
        let point = |rng: &mut Rng| {
            let p = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-SPAN, SPAN)));
            if rng.one_in(2) { p.round() } else { p }
        };
        loop {
            let (from, to) = (point(rng), point(rng));
            let size = Vec3::splat(rng.uniform_f32(0.0, 2.0));
            let Ok(ray) = Ray::new(from, to - from) else {
                continue;
            };
            let solid = match rng.below(4) {
                0 => Sphere::new(from, rng.uniform(0.1, 1.5))
                    .expect(IN_RANGE)
                    .into(),
                1 => random_solid(rng),
                _ => Aabb::new(from, from + size).expect(IN_RANGE).into(),
            };
            let overlaps = [InitialOverlap::Stop, InitialOverlap::Escape][rng.below(2)];
            let moving = ShapeCast::new(&solid, to - from).expect(IN_RANGE);
            let gravity = [Vec3::NEG_Y * 9.75, Vec3::ZERO][rng.below(2)];
            return Self {
                ray,
                moving: moving.with_initial_overlap(overlaps),
                solid,
                arc: BallisticArc::new(from, to - from, gravity).expect(IN_RANGE),
                region: Aabb::new(from.min(to), from.max(to)).expect(IN_RANGE),
                point: to,
                mask: [1, 2, 3, u32::MAX, u32::MAX][rng.below(5)],
                sides: [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)],
            };
        }
    }

    /// The ray among the questions.
    #[must_use]
    pub fn ray(&self) -> Ray {
        self.ray
    }

    /// All answers in words, with objects named by their index in `objects`.
    ///
    /// # Panics
    /// When an answer names an object that is not among them.
    #[must_use]
    pub fn ask(&self, world: &Snapshot, objects: &[ObjectId]) -> Vec<String> {
        let place = |id: ObjectId| objects.binary_search(&id).expect("an object of this world");
        let filter = QueryFilter::new().layers(self.mask);
        let (sides, from) = (self.sides, self.ray.origin());
        // An answer with the object's place beside it, and without its handle.
        let ray_hit = |hit: RayHit| {
            (
                hit.object.map(place),
                RayHit {
                    object: None,
                    ..hit
                },
            )
        };
        let shape_hit = |hit: ShapeHit| {
            (
                hit.object.map(place),
                ShapeHit {
                    object: None,
                    ..hit
                },
            )
        };
        let contact = |found: Contact| {
            (
                found.object.map(place),
                Contact {
                    object: None,
                    ..found
                },
            )
        };
        let closest = |found: ClosestPoint| {
            let object = found.object.map(place);
            (
                object,
                ClosestPoint {
                    object: None,
                    ..found
                },
            )
        };
        let blocker = |found: Blocker| (place(found.object), found.t, found.triangle);
        let ground =
            |ground: GroundHeight| (ground.object.map(place), ground.height, ground.surface);

        let hits = world.cast_ray_all(&self.ray, (sides, filter)).into_iter();
        let shape_hits = world
            .cast_shape_all(&self.moving, (sides, filter))
            .into_iter();
        let contacts = world
            .contacts(self.solid.clone(), 0.25, ContactsPer::Triangle, filter)
            .into_iter();
        let inside = world.objects_in(&self.region, filter).into_iter();
        // Shortest round-trip printing shows all bits but the sign of NaN.
        vec![
            format!(
                "{:?}",
                world.cast_ray(&self.ray, (sides, filter)).map(ray_hit)
            ),
            format!("{}", world.cast_ray_any(&self.ray, (sides, filter))),
            format!("{:?}", hits.map(ray_hit).collect::<Vec<_>>()),
            format!(
                "{:?}",
                world
                    .cast_shape(&self.moving, (sides, filter))
                    .map(shape_hit)
            ),
            format!("{}", world.cast_shape_any(&self.moving, (sides, filter))),
            format!("{:?}", shape_hits.map(shape_hit).collect::<Vec<_>>()),
            format!("{:?}", contacts.map(contact).collect::<Vec<_>>()),
            format!("{}", world.overlaps_shape(self.solid.clone(), filter)),
            format!(
                "{:?}",
                world.closest_point_signed(from, 4.0, filter).map(closest)
            ),
            format!(
                "{:?}",
                world.cast_arc(&self.arc, (sides, filter)).map(ray_hit)
            ),
            format!(
                "{:?}",
                world.first_blocker(from, self.point, filter).map(blocker)
            ),
            format!("{:?}", inside.map(place).collect::<Vec<_>>()),
            format!(
                "{:?}",
                world
                    .height([self.point.x, self.point.z], filter)
                    .ok()
                    .map(ground)
            ),
        ]
    }
}
