//! Reading objects back from a snapshot.

use super::Snapshot;
use crate::model::{Model, Pose};
use crate::query::filter::QueryFilter;
use crate::world::instance::Geometry;
use crate::world::object::{Object, ObjectKind, Shape};
use crate::world::object_shape::ObjectShape;
use crate::world::placed_compound::CompoundShape;
use crate::world::primitive_transform;
use crate::world::surfaces::SurfaceId;
use crate::{Aabb, HeightField, ObjectId, TriMesh};
use glam::DAffine3;
use std::sync::Arc;

impl Snapshot {
    /// The number of objects.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.state().object_count
    }

    /// The objects in order: by [order key](crate::World::set_order_key), then as they were added.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.state().ids().into_iter()
    }

    /// What an object is; between ticks the shape, or the pose, that it has at this time. `None`
    /// where there is no such object, as for all that reads an object.
    ///
    /// ```
    /// use hitscan::world::ObjectShape;
    /// use hitscan::{Primitive, Sphere, World};
    /// let mut world = World::new();
    /// world.keep_history(8);
    /// let hitbox = world.add(Sphere::new([0.0; 3], 0.5)?);
    /// for tick in 0..2_u8 {
    ///     world.set_primitive(hitbox, Sphere::new([4.0 * f32::from(tick), 0.0, 0.0], 0.5)?)?;
    ///     world.update();
    ///     world.record(tick.into())?;
    /// }
    /// let seen = world.at(0.25).expect("the history reaches there");
    /// let Some(ObjectShape::Primitive(Primitive::Sphere(sphere))) = seen.shape(hitbox) else {
    ///     panic!("the hitbox is a sphere");
    /// };
    /// assert_eq!(sphere.center().x, 1.0);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn shape(&self, object: ObjectId) -> Option<ObjectShape> {
        Some(match &self.object(object)?.shape {
            Shape::HeightField(field) => ObjectShape::HeightField(Arc::clone(field)),
            Shape::Instance(instance) => match instance.geometry() {
                Geometry::Mesh(mesh) => ObjectShape::TriMesh(Arc::clone(mesh)),
                Geometry::Model(posed) => ObjectShape::Model(Arc::clone(posed)),
            },
            Shape::Primitive(solid) => ObjectShape::Primitive(solid.get()),
            Shape::Compound(placed) => match placed.shape() {
                CompoundShape::Rigid(compound) => ObjectShape::Compound(Arc::clone(compound)),
                CompoundShape::Posed(posed) => ObjectShape::PosedCompound(Arc::clone(posed)),
            },
        })
    }

    /// The transform from an object's own space to the world's, as
    /// [`World::set_transform`](crate::World::set_transform) takes it. The own space of terrain has
    /// sample (0, 0) with height 0 at its origin.
    #[must_use]
    pub fn transform(&self, object: ObjectId) -> Option<DAffine3> {
        Some(match &self.object(object)?.shape {
            Shape::HeightField(field) => DAffine3::from_translation(field.grid().origin.into()),
            Shape::Instance(instance) => *instance.world_from_model(),
            Shape::Primitive(solid) => primitive_transform::transform(&solid.get()),
            Shape::Compound(placed) => *placed.world_from_own(),
        })
    }

    /// The pose of a model, or of that which a compound is on the joints of; `None` for what has none.
    #[must_use]
    pub fn pose(&self, object: ObjectId) -> Option<Pose> {
        match self.shape(object)? {
            ObjectShape::Model(posed) => Some(posed.pose()),
            ObjectShape::PosedCompound(posed) => Some(posed.posed_model().pose()),
            _ => None,
        }
    }

    /// A mesh; `None` for what is none.
    #[must_use]
    pub fn mesh(&self, object: ObjectId) -> Option<Arc<TriMesh>> {
        match self.shape(object)? {
            ObjectShape::TriMesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The model that an object shows, or is on the joints of; `None` for others.
    #[must_use]
    pub fn model(&self, object: ObjectId) -> Option<&Arc<Model>> {
        // Interpolation changes no object's model.
        self.state.slots.model(object)
    }

    /// The terrain that an object is; `None` for what is none.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Sphere, World};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0; 3], 0.5)?);
    /// let map = world.add(HeightField::new(Grid::new(2, 2, [1.0; 2]), vec![0.0, 1.0, 2.0, 3.0])?);
    /// world.update();
    /// let field = world.now().height_field(map).expect("it is there");
    /// assert_eq!(field.sample(1, 1), Some(3.0));
    /// assert!(world.now().height_field(ball).is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn height_field(&self, object: ObjectId) -> Option<&HeightField> {
        match &self.state.object(object)?.shape {
            // Interpolation changes no terrain.
            Shape::HeightField(field) => Some(field),
            _ => None,
        }
    }

    /// What kind of thing an object is.
    #[must_use]
    pub fn kind(&self, object: ObjectId) -> Option<ObjectKind> {
        self.object(object).map(|object| object.kind())
    }

    /// The layers that an object is in, a bit each.
    #[must_use]
    pub fn layers(&self, object: ObjectId) -> Option<u32> {
        self.object(object).map(|object| object.layers)
    }

    /// The surface that an object shares with others, where
    /// [`World::set_surface`](crate::World::set_surface) gave it one.
    #[must_use]
    pub fn surface(&self, object: ObjectId) -> Option<SurfaceId> {
        self.surface_of(object)
    }

    /// Whether two objects are one to moving and resting shapes: the same, or of one surface.
    #[must_use]
    pub fn are_one(&self, object: ObjectId, other: ObjectId) -> bool {
        let surface = self.surface_of(object);
        object == other || surface.is_some() && surface == self.surface_of(other)
    }

    /// In whose place an object is where answers are in order of objects, and where ties go to the lower
    /// one: in its own, or, as a piece of a surface, in that of the lowest piece that `filter` accepts.
    #[must_use]
    pub fn place_of<'f>(&self, object: ObjectId, filter: impl Into<QueryFilter<'f>>) -> ObjectId {
        match self.surface_of(object) {
            None => object,
            Some(surface) => self
                .place_of_surface(surface, filter.into())
                .unwrap_or(object),
        }
    }

    fn place_of_surface(&self, surface: SurfaceId, filter: QueryFilter<'_>) -> Option<ObjectId> {
        self.objects_of(surface).find(|other| {
            let found = self.id_and_layers(other.slot());
            found.is_some_and(|(id, layers)| id == *other && filter.sees(id, layers))
        })
    }

    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave an object; 0 where
    /// it gave none.
    #[must_use]
    pub fn user_data(&self, object: ObjectId) -> Option<u64> {
        // Of no interpolation: predicates ask it of each object that a query comes near.
        self.state.object(object).map(|object| object.user_data)
    }

    /// The smallest box of f32 around an object; `None` where there is nothing of it (a terrain of
    /// holes, a model without triangles) or no such object.
    ///
    /// Of a deformed model it is that of its triangles, all of which are computed for it, once a
    /// pose.
    #[must_use]
    pub fn object_bounds(&self, object: ObjectId) -> Option<Aabb> {
        self.object(object)?.bounds()
    }

    /// The number of triangles of an object; 0 for solids, and where there is no such object.
    #[must_use]
    pub fn triangle_count(&self, object: ObjectId) -> usize {
        let object = self.object(object);
        object.map_or(0, |object| Object::triangle_count(&object))
    }

    /// The smallest box of f32 around everything, or `None` where there is nothing.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.state().bounds()
    }
}
