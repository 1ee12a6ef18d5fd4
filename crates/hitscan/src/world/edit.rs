//! Moving, changing and removing objects.
//!
//! Models are posed in `posing.rs`. Each change is checked at once and made by the next [`World::update`].

use super::World;
use super::instance::{Geometry, Instance};
use super::instance_transform::inverse;
use super::object::{KeptSolid, Object, Shape};
use super::placed_compound::{CompoundShape, PlacedCompound};
use super::primitive_transform::with_transform as set_transform_of;
use super::surfaces::SurfaceId;
use crate::{Compound, Error, HeightField, ObjectId, Primitive};
use glam::DAffine3;
use std::sync::Arc;

/// What takes a transform.
pub(super) const NO_TERRAIN: &str = "a model, a mesh or a solid";

impl World {
    /// Moves and turns an object: from its own space, `world_from_own` leads to the world's.
    ///
    /// A model, a mesh, a hull or a compound may be scaled and mirrored too. The own space of a solid has its centre at the
    /// origin; a capsule or cylinder lies along +Y there. A solid takes a rotation and a translation and keeps its
    /// size, so an axis-aligned box can only be moved (an [`Obb`](crate::Obb) turns). Centres and ends of
    /// solids, but those of cylinders, are rounded to f32: where many small steps must not add up their roundings, set the whole
    /// solid by [`World::set_primitive`]. Terrain is moved by [`World::set_height_field`], with another
    /// origin in its grid. A model that is posed by [joint matrices](World::set_joint_matrices) is where these
    /// have it: the transform is checked, and moves nothing.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for terrain and
    /// for a rotation of an axis-aligned box, [`Error::BadValue`] for a solid's transform that scales,
    /// shears or mirrors, and [`Error::OutOfRange`] where a corner is carried
    /// beyond ±1e18 m. The object then stays as it was.
    pub fn set_transform(
        &mut self,
        object: ObjectId,
        world_from_own: DAffine3,
    ) -> Result<(), Error> {
        self.put_transform(object, &world_from_own)
    }

    /// Makes a solid another one: moved, grown, or of another kind.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no solid.
    pub fn set_primitive(
        &mut self,
        object: ObjectId,
        solid: impl Into<Primitive>,
    ) -> Result<(), Error> {
        self.put_solid(object, &solid.into())
    }

    /// Makes a compound another one at the same place: with other parts, or the same elsewhere in it, as hit boxes
    /// that something else moves; those on joints are [a compound with a pose](crate::Compound::on_joints). Between
    /// ticks of the history it is as at the earlier.
    ///
    /// # Errors
    /// As [`World::set_transform`], and [`Error::WrongObject`] for what is no compound.
    pub fn set_compound(
        &mut self,
        object: ObjectId,
        compound: impl Into<Arc<Compound>>,
    ) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::Compound(placed) = &latest.shape else {
            return Err(wrong(object.index(), "a compound"));
        };
        let compound = CompoundShape::Rigid(compound.into());
        let placed = PlacedCompound::new(&compound, placed.world_from_own())?;
        let changed = latest.with_shape(Shape::Compound(placed));
        self.put(changed);
        Ok(())
    }

    /// Makes terrain another one: edited, or moved.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no terrain.
    pub fn set_height_field(
        &mut self,
        object: ObjectId,
        height_field: Arc<HeightField>,
    ) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::HeightField(_) = latest.shape else {
            return Err(wrong(object.index(), "terrain"));
        };
        let changed = latest.with_shape(Shape::HeightField(height_field));
        self.put(changed);
        Ok(())
    }

    /// Puts an object into layers, a bit each; see [`QueryFilter::layers`](crate::QueryFilter::layers).
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed.
    pub fn set_layers(&mut self, object: ObjectId, layers: u32) -> Result<(), Error> {
        let changed = Object {
            layers,
            ..self.latest(object)?.clone()
        };
        self.put(changed);
        Ok(())
    }

    /// Makes terrain, a mesh, a model or a compound a piece of a surface that several objects share, or of none
    /// (`None`, which it is until set).
    ///
    /// To moving and resting shapes the objects of one surface are one object: they slide over seams
    /// whose corners are equal in the world as over the inner edges of one mesh
    /// ([`Snapshot::cast_shape`](super::Snapshot::cast_shape),
    /// [`Snapshot::contacts`](super::Snapshot::contacts)), and one answer is given for all, which names the
    /// object that is hit. Solids of compounds are parts of it. Its terrains are one map where samples or ground are summed
    /// ([`Snapshot::max_height`](super::Snapshot::max_height),
    /// [`Snapshot::footprint`](super::Snapshot::footprint)).
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Aabb, HeightField, InitialOverlap, ShapeCast, SurfaceId, World};
    /// let mut world = World::new();
    /// let fields = [0.0, 4.0].map(|x| {
    ///     let grid = Grid { origin: [x, 0.0, 0.0], ..Grid::new(3, 3, [2.0; 2]) };
    ///     HeightField::new(grid, vec![0.0; 9])
    /// });
    /// let [west, east] = fields;
    /// let tiles = [world.add(west?), world.add(east?)];
    /// world.update();
    /// // A crate a hair in the ground is caught by the border of the second tile, at x = 4,
    /// let crate_box = Aabb::new([1.0, -0.001, 1.0], [2.0, 1.0, 2.0])?;
    /// let sliding = ShapeCast::new(crate_box, [4.0, 0.0, 0.0])?;
    /// let sliding = sliding.with_initial_overlap(InitialOverlap::Escape);
    /// assert_eq!(world.now().cast_shape(&sliding, ()).map(|hit| hit.t), Some(0.5));
    /// // but not where both are one surface.
    /// for tile in tiles {
    ///     world.set_surface(tile, SurfaceId::new(0))?;
    /// }
    /// world.update();
    /// assert_eq!(world.now().cast_shape(&sliding, ()), None);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for an object that is one solid.
    pub fn set_surface(
        &mut self,
        object: ObjectId,
        surface: impl Into<Option<SurfaceId>>,
    ) -> Result<(), Error> {
        self.put_surface(object, surface.into())
    }

    fn put_surface(&mut self, object: ObjectId, surface: Option<SurfaceId>) -> Result<(), Error> {
        if let Shape::Primitive(_) = self.latest(object)?.shape {
            return Err(wrong(
                object.index(),
                "terrain, a mesh, a model or a compound",
            ));
        }
        self.pending_surfaces.insert(object, surface);
        Ok(())
    }

    /// Gives an object a number of the caller's: an entity, an index, a pointer's bits. The world does
    /// not look at it; answers have it beside the object's handle, and
    /// [`Snapshot::user_data`](super::Snapshot::user_data) gives it back. 0 until set.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed.
    pub fn set_user_data(&mut self, object: ObjectId, user_data: u64) -> Result<(), Error> {
        let changed = Object {
            user_data,
            ..self.latest(object)?.clone()
        };
        self.put(changed);
        Ok(())
    }

    /// Gives an object a key that goes before the order of adding: of two objects the one with the lower key is the
    /// lower, wherever ties go to the lower one and wherever answers are in order of objects. 0 until set.
    ///
    /// An engine whose entities come in no certain order has the same answers in each run if it gives each entity's
    /// object a number that is the same in each run.
    ///
    /// The key is a part of the handle ([`ObjectId::order_key`]), so that handles are in that order, too. This returns
    /// the object's handle from here on; the one before is stale, and in the history it is another object.
    ///
    /// ```
    /// use hitscan::{Aabb, Ray, World};
    /// let mut world = World::new();
    /// let crate_box = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let first = world.add(crate_box);
    /// let second = world.add(crate_box);
    /// let first = world.set_order_key(first, 20)?;
    /// let second = world.set_order_key(second, 10)?;
    /// world.update();
    /// let ray = Ray::new([0.5, 5.0, 0.5], [0.0, -1.0, 0.0])?;
    /// let hit = world.now().cast_ray(&ray, ()).expect("both are hit at t = 4");
    /// assert_eq!(hit.object, Some(second));
    /// assert_eq!(world.now().objects().collect::<Vec<_>>(), [second, first]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed.
    pub fn set_order_key(&mut self, object: ObjectId, key: u32) -> Result<ObjectId, Error> {
        let id = object.with_order_key(key);
        let changed = Object {
            id,
            ..self.latest(object)?.clone()
        };
        let surface = match self.pending_surfaces.remove(&object) {
            Some(pending) => pending,
            None => self.now.surface_of(object),
        };
        if surface.is_some() {
            self.pending_surfaces.insert(id, surface);
        }
        self.put(changed);
        Ok(id)
    }

    /// Whether something of the object is yet to be made by the next [`World::update`]: that it is
    /// added, changed or removed. Of an object that was just added, snapshots give `None` as of a stale
    /// handle; this distinguishes them.
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0; 3], 1.0)?);
    /// assert!(world.is_pending(ball) && world.now().kind(ball).is_none());
    /// world.update();
    /// assert!(!world.is_pending(ball) && world.now().kind(ball).is_some());
    /// world.remove(ball)?;
    /// assert!(world.is_pending(ball) && world.now().kind(ball).is_some());
    /// world.update();
    /// assert!(!world.is_pending(ball) && world.now().kind(ball).is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn is_pending(&self, object: ObjectId) -> bool {
        match self.pending.get(object.slot()) {
            None => self.pending_surfaces.contains_key(&object),
            Some(Some(changed)) => changed.id == object,
            Some(None) => self.now.state().object(object).is_some(),
        }
    }

    /// Removes an object. Its handle is stale from here on; its number is not used again.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed before.
    pub fn remove(&mut self, object: ObjectId) -> Result<(), Error> {
        self.latest(object)?;
        *self.pending.change(object.slot()) = None;
        Ok(())
    }

    /// Removes all objects. Their handles are stale from here on; the history stays.
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0; 3], 1.0)?);
    /// world.clear();
    /// world.update();
    /// assert_eq!(world.now().object_count(), 0);
    /// assert!(world.remove(ball).is_err());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn clear(&mut self) {
        for slot in 0..self.slot_count {
            let is_used = match self.pending.get(slot) {
                Some(changed) => changed.is_some(),
                None => self.now.state().slots.is_used(slot),
            };
            if is_used {
                *self.pending.change(slot) = None;
            }
        }
    }

    pub(super) fn put_transform(
        &mut self,
        object: ObjectId,
        world_from_own: &DAffine3,
    ) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let shape = match &latest.shape {
            Shape::Instance(instance) if instance.geometry().is_by_joints() => {
                inverse(world_from_own)?;
                return Ok(());
            }
            Shape::Instance(instance) => {
                placed_geometry(instance.geometry().clone(), world_from_own)?
            }
            Shape::Primitive(solid) => placed_solid(&solid.get(), world_from_own, object.index())?,
            Shape::Compound(placed) => {
                Shape::Compound(PlacedCompound::new(placed.shape(), world_from_own)?)
            }
            Shape::HeightField(_) => return Err(wrong(object.index(), NO_TERRAIN)),
        };
        let changed = latest.with_shape(shape);
        self.put(changed);
        Ok(())
    }

    pub(super) fn put_solid(&mut self, object: ObjectId, solid: &Primitive) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::Primitive(_) = latest.shape else {
            return Err(wrong(object.index(), "a solid"));
        };
        let (layers, user_data) = (latest.layers, latest.user_data);
        *self.pending.change(object.slot()) = Some(Object {
            id: object,
            layers,
            user_data,
            shape: Shape::Primitive(KeptSolid::from(solid)),
        });
        Ok(())
    }

    /// The object as the last change left it.
    #[inline]
    pub(super) fn latest(&self, object: ObjectId) -> Result<&Object, Error> {
        let latest = match self.pending.get(object.slot()) {
            Some(changed) => changed,
            None => self.now.state().slots.get(object.slot()),
        };
        latest
            .filter(|found| found.id == object)
            .ok_or(Error::StaleObject {
                object: object.index(),
            })
    }

    #[inline]
    pub(super) fn put(&mut self, changed: Object) {
        let slot = changed.id.slot();
        *self.pending.change(slot) = Some(changed);
    }
}

/// A mesh or a posed model with a transform.
pub(super) fn placed_geometry(
    geometry: Geometry,
    world_from_own: &DAffine3,
) -> Result<Shape, Error> {
    let instance = Instance::new(geometry, world_from_own)?;
    Ok(Shape::Instance(instance))
}

/// A solid with a transform; of the object with this number.
pub(super) fn placed_solid(
    solid: &Primitive,
    world_from_own: &DAffine3,
    number: usize,
) -> Result<Shape, Error> {
    let moved = set_transform_of(solid, world_from_own)?;
    let moved = moved.ok_or_else(|| wrong(number, "a solid that can be turned"))?;
    Ok(Shape::Primitive(KeptSolid::from(&moved)))
}

pub(super) fn wrong(number: usize, expected: &'static str) -> Error {
    Error::WrongObject {
        object: number,
        expected,
    }
}
