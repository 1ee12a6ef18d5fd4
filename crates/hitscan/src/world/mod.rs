//! A world of objects, and every query over all of them.
//!
//! Objects are numbered in the order in which they are added; the order settles exact ties and
//! nothing else. One tree stands above the parts of all objects. Read `placement.rs`, then one
//! file a question: `ray.rs`, `height.rs`, `sweep.rs`, `bounds.rs` and `meeting.rs` for overlaps,
//! and `batch.rs` for many at once.

mod batch;
mod bounds;
mod height;
mod meeting;
mod placement;
mod ray;
mod sweep;

pub use bounds::BoundsPair;
pub use height::{WorldGround, WorldSampledGround};
pub use meeting::{MeetingPair, Place};
pub use ray::WorldHit;
pub use sweep::WorldContact;

use crate::bvh::Bvh;
use crate::model::{Model, Pose, Winding};
use crate::simd::Width;
use crate::{Aabb, Error, HeightField, Sphere, TriMesh};
use glam::DAffine3;
use placement::PlacedPart;
use std::sync::Arc;

/// The number of an object in its world, counted from 0 in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

impl ObjectId {
    /// The number.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Objects and the tree above them.
///
/// Add objects, call [`World::update`], then ask: queries take `&World`, never fail, and any
/// number of threads may ask at once. **Rays and moving boxes meet only what was there at the last
/// update**; heights, bounds and overlaps see every object at once.
///
/// Objects cannot be changed once they are added; for another pose, make another world.
///
/// ```
/// use hitscan::{Aabb, Ray, Sides, Sphere, World};
/// let mut world = World::new();
/// let planet = world.add_sphere(Sphere::new([0.0, 5.0, 0.0], 2.0)?);
/// let crate_box = world.add_aabb(Aabb::new([-1.0; 3], [1.0; 3])?);
/// world.update();
/// let hit = world.cast_ray(&Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?, Sides::Both).unwrap();
/// assert_eq!((hit.object, hit.hit.t), (planet, 2.0));
/// assert_ne!(hit.object, crate_box);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct World {
    objects: Vec<Object>,
    leaves: Vec<Leaf>,
    tree: Bvh,
    /// The greatest share of a ray origin's magnitude by which boxes have to be widened.
    origin_margin: f64,
    /// What the tree is asked with, where that was chosen.
    width: Option<Width>,
}

/// What kind of thing an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// Height-map terrain.
    HeightField,
    /// A model in a pose, or a mesh.
    Model,
    /// A solid sphere.
    Sphere,
    /// A solid axis-aligned box.
    Aabb,
}

impl ObjectKind {
    /// The kind's name in scene files: `terrain`, `model`, `sphere` or `box`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HeightField => "terrain",
            Self::Model => "model",
            Self::Sphere => "sphere",
            Self::Aabb => "box",
        }
    }
}

/// What an object is.
#[derive(Debug, Clone)]
enum Object {
    HeightField(Arc<HeightField>),
    Parts(Vec<Option<PlacedPart>>),
    Sphere(Sphere),
    Aabb(Aabb),
}

/// One item of the tree: an object, or one part of it.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    object: u32,
    part: u32,
}

/// A leaf's shape.
enum LeafShape<'world> {
    HeightField(&'world HeightField),
    Part(&'world PlacedPart),
    Sphere(&'world Sphere),
    Aabb(&'world Aabb),
}

impl World {
    /// A world without objects.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds terrain.
    pub fn add_height_field(&mut self, height_field: Arc<HeightField>) -> ObjectId {
        self.add(Object::HeightField(height_field))
    }

    /// Adds a model in a pose. `world_from_model` may turn, scale and mirror it.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18 m.
    pub fn add_model(
        &mut self,
        model: &Model,
        pose: &Pose,
        world_from_model: DAffine3,
    ) -> Result<ObjectId, Error> {
        let posed = model.posed(pose)?;
        let placed = model
            .parts()
            .iter()
            .zip(posed.into_parts())
            .map(|(part, posed)| PlacedPart::posed(part, posed, world_from_model))
            .collect::<Result<_, _>>()?;
        Ok(self.add(Object::Parts(placed)))
    }

    /// Adds a mesh; it counts as a model with one part.
    ///
    /// # Errors
    /// As [`World::add_model`].
    pub fn add_mesh(
        &mut self,
        mesh: Arc<TriMesh>,
        world_from_mesh: DAffine3,
    ) -> Result<ObjectId, Error> {
        let part = PlacedPart::new(mesh, world_from_mesh, Winding::Kept)?;
        Ok(self.add(Object::Parts(vec![part])))
    }

    /// Adds a solid sphere.
    pub fn add_sphere(&mut self, sphere: Sphere) -> ObjectId {
        self.add(Object::Sphere(sphere))
    }

    /// Adds a solid axis-aligned box.
    pub fn add_aabb(&mut self, aabb: Aabb) -> ObjectId {
        self.add(Object::Aabb(aabb))
    }

    fn add(&mut self, object: Object) -> ObjectId {
        let id = u32::try_from(self.objects.len()).expect("memory ends before 2^32 objects");
        self.objects.push(object);
        ObjectId(id)
    }

    /// Brings the tree up to date with the objects.
    pub fn update(&mut self) {
        self.leaves.clear();
        self.origin_margin = 0.0;
        let mut bounds = Vec::new();
        for (object, shape) in (0..).zip(&self.objects) {
            for (part, leaf_bounds) in shape.leaves() {
                self.leaves.push(Leaf { object, part });
                bounds.push(leaf_bounds);
            }
            if let Object::Parts(parts) = shape {
                for part in parts.iter().flatten() {
                    self.origin_margin = self.origin_margin.max(part.origin_margin());
                }
            }
        }
        self.tree = Bvh::build(&bounds);
        if let Some(width) = self.width {
            self.tree.set_width(width);
        }
    }

    /// The same world, the tree over its objects asked with these vector instructions; shapes keep
    /// their own. Answers do not depend on them.
    #[must_use]
    pub fn with_width(mut self, width: Width) -> Self {
        self.width = Some(width);
        self.tree.set_width(width);
        self
    }

    /// How many objects there are.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.objects.len()
    }

    /// The objects' numbers, in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        (0..).take(self.objects.len()).map(ObjectId)
    }

    /// The box around an object, or `None` where there is nothing of it (a terrain of holes, a
    /// model without triangles) or no such object.
    #[must_use]
    pub fn object_bounds(&self, object: ObjectId) -> Option<Aabb> {
        self.objects.get(object.index())?.bounds()
    }

    /// What kind of thing an object is; `None` where there is no such object.
    #[must_use]
    pub fn kind(&self, object: ObjectId) -> Option<ObjectKind> {
        Some(match self.objects.get(object.index())? {
            Object::HeightField(_) => ObjectKind::HeightField,
            Object::Parts(_) => ObjectKind::Model,
            Object::Sphere(_) => ObjectKind::Sphere,
            Object::Aabb(_) => ObjectKind::Aabb,
        })
    }

    /// How many triangles an object has; 0 for spheres and boxes.
    #[must_use]
    pub fn triangle_count(&self, object: ObjectId) -> usize {
        match self.objects.get(object.index()) {
            Some(Object::HeightField(field)) => field.triangle_count(),
            Some(Object::Parts(parts)) => parts
                .iter()
                .flatten()
                .map(|part| part.mesh.triangles().len())
                .sum(),
            _ => 0,
        }
    }

    /// The bytes that the objects and the tree take. A mesh that several objects share is counted
    /// for each.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let of_object = |object: &Object| match object {
            Object::HeightField(field) => field.memory_bytes(),
            Object::Parts(parts) => {
                let meshes = parts.iter().flatten().map(|part| part.mesh.memory_bytes());
                meshes.sum::<usize>() + size_of_val(parts.as_slice())
            }
            Object::Sphere(_) | Object::Aabb(_) => 0,
        };
        self.objects.iter().map(of_object).sum::<usize>()
            + size_of_val(self.objects.as_slice())
            + size_of_val(self.leaves.as_slice())
            + self.tree.memory_bytes()
    }

    /// The box around everything.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.objects
            .iter()
            .filter_map(Object::bounds)
            .reduce(|all, one| all.union(&one))
    }

    fn leaf_shape(&self, leaf: Leaf) -> Option<LeafShape<'_>> {
        Some(match self.objects.get(leaf.object as usize)? {
            Object::HeightField(height_field) => LeafShape::HeightField(height_field),
            Object::Parts(parts) => LeafShape::Part(parts.get(leaf.part as usize)?.as_ref()?),
            Object::Sphere(sphere) => LeafShape::Sphere(sphere),
            Object::Aabb(aabb) => LeafShape::Aabb(aabb),
        })
    }
}

impl Object {
    /// The parts that can be met, with the boxes that the tree holds.
    fn leaves(&self) -> Vec<(u32, Aabb)> {
        match self {
            Self::HeightField(height_field) => height_field
                .bounds()
                .map(|bounds| (0, bounds))
                .into_iter()
                .collect(),
            Self::Parts(parts) => (0..)
                .zip(parts)
                .filter_map(|(part, placed)| Some((part, placed.as_ref()?.culling_bounds())))
                .collect(),
            Self::Sphere(sphere) => vec![(0, sphere.bounds())],
            Self::Aabb(aabb) => vec![(0, *aabb)],
        }
    }

    fn bounds(&self) -> Option<Aabb> {
        match self {
            Self::HeightField(height_field) => height_field.bounds(),
            Self::Parts(parts) => parts
                .iter()
                .flatten()
                .map(|part| part.bounds)
                .reduce(|all, one| all.union(&one)),
            Self::Sphere(sphere) => Some(sphere.bounds()),
            Self::Aabb(aabb) => Some(*aabb),
        }
    }
}
