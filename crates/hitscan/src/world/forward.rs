//! The queries of a world as it stands: those of the present moment.

use super::{
    AabbPair, ObjectId, ObjectImpact, ObjectKind, OverlapPair, QueryFilter, Snapshot, World,
    WorldContact, WorldHit,
};
use crate::height_field::Ground;
use crate::model::{BindHit, Model};
use crate::shape_cast::BoxMotion;
use crate::{Aabb, Error, HeightField, Ray};
use glam::{Vec2, Vec3};
use std::sync::Arc;

impl World {
    /// The world as the last update left it.
    #[must_use]
    pub fn now(&self) -> Snapshot<'_> {
        Snapshot::whole(&self.state)
    }

    /// The nearest hit of `ray` on what `filter` sees; sides alone do as a filter. See
    /// [`Snapshot::cast_ray`].
    #[must_use]
    pub fn cast_ray<'f>(&self, ray: &Ray, filter: impl Into<QueryFilter<'f>>) -> Option<WorldHit> {
        self.now().cast_ray(ray, filter)
    }

    /// Whether `ray` hits anything that `filter` sees.
    #[must_use]
    pub fn cast_ray_any<'f>(&self, ray: &Ray, filter: impl Into<QueryFilter<'f>>) -> bool {
        self.now().cast_ray_any(ray, filter)
    }

    /// All hits of `ray` on what `filter` sees, nearest first. See [`Snapshot::cast_ray_all`].
    #[must_use]
    pub fn cast_ray_all<'f>(&self, ray: &Ray, filter: impl Into<QueryFilter<'f>>) -> Vec<WorldHit> {
        self.now().cast_ray_all(ray, filter)
    }

    /// [`World::cast_ray`] for each ray.
    #[must_use]
    pub fn cast_rays<'f>(
        &self,
        rays: &[Ray],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<WorldHit>> {
        self.now().cast_rays(rays, filter)
    }

    /// [`World::cast_ray_any`] for each ray.
    #[must_use]
    pub fn cast_rays_any<'f>(&self, rays: &[Ray], filter: impl Into<QueryFilter<'f>>) -> Vec<bool> {
        self.now().cast_rays_any(rays, filter)
    }

    /// The first contact of a moving box with what `filter` sees. See [`Snapshot::sweep_box`].
    #[must_use]
    pub fn sweep_box<'f>(
        &self,
        moving: &BoxMotion,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<WorldContact> {
        self.now().sweep_box(moving, filter)
    }

    /// [`World::sweep_box`] for each moving box.
    #[must_use]
    pub fn sweep_boxes<'f>(
        &self,
        boxes: &[BoxMotion],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<WorldContact>> {
        self.now().sweep_boxes(boxes, filter)
    }

    /// The exact height of the ground at a point (x, z), of terrains that `filter` sees. See
    /// [`Snapshot::height`].
    #[must_use]
    pub fn height<'f>(&self, point: impl Into<Vec2>, filter: impl Into<QueryFilter<'f>>) -> Ground {
        self.now().height(point, filter)
    }

    /// The highest sample within `radius` metres of (x, z), of terrains that `filter` sees.
    #[must_use]
    pub fn max_height<'f>(
        &self,
        point: impl Into<Vec2>,
        radius: f64,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Ground {
        self.now().max_height(point, radius, filter)
    }

    /// The greatest of the means of the samples within `radius` metres of (x, z), of terrains that
    /// `filter` sees.
    #[must_use]
    pub fn mean_height<'f>(
        &self,
        point: impl Into<Vec2>,
        radius: f64,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Ground {
        self.now().mean_height(point, radius, filter)
    }

    /// The objects that `filter` sees and whose boxes touch or overlap `region`, in order.
    #[must_use]
    pub fn objects_in<'f>(
        &self,
        region: &Aabb,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<ObjectId> {
        self.now().objects_in(region, filter)
    }

    /// All pairs of objects whose boxes touch or overlap, in order of the lower, then the higher.
    #[must_use]
    pub fn broad_phase_pairs(&self) -> Vec<AabbPair> {
        self.now().broad_phase_pairs()
    }

    /// All pairs of objects whose boxes meet while each moves by what `motions` says, in order of time.
    /// See [`Snapshot::impacts`].
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a motion that is NaN or infinite.
    pub fn impacts(&self, motions: &[(ObjectId, Vec3)]) -> Result<Vec<ObjectImpact>, Error> {
        self.now().impacts(motions)
    }

    /// All pairs of objects whose shapes meet. See [`Snapshot::overlaps`].
    #[must_use]
    pub fn overlaps(&self) -> Vec<OverlapPair> {
        self.now().overlaps()
    }

    /// The part of [`World::overlaps`] that one pair of objects has.
    #[must_use]
    pub fn overlaps_of(&self, pair: &AabbPair) -> Vec<OverlapPair> {
        self.now().overlaps_of(pair)
    }

    /// How many objects there are.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.state.object_count
    }

    /// The objects in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.now().objects()
    }

    /// The terrains among the objects, in order.
    pub fn height_fields(&self) -> impl Iterator<Item = (ObjectId, &HeightField)> {
        self.state.height_fields(QueryFilter::new())
    }

    /// The smallest box around an object. See [`Snapshot::object_bounds`].
    #[must_use]
    pub fn object_bounds(&self, object: ObjectId) -> Option<Aabb> {
        self.now().object_bounds(object)
    }

    /// What kind of thing an object is; `None` where there is no such object.
    #[must_use]
    pub fn kind(&self, object: ObjectId) -> Option<ObjectKind> {
        self.now().kind(object)
    }

    /// The layers that an object is in, a bit each; `None` where there is no such object.
    #[must_use]
    pub fn layers(&self, object: ObjectId) -> Option<u32> {
        self.now().layers(object)
    }

    /// The model that an object shows; `None` where it is none, a mesh, or where there is no such
    /// object.
    #[must_use]
    pub fn model(&self, object: ObjectId) -> Option<&Arc<Model>> {
        self.state.object(object)?.model()
    }

    /// A hit on a model in the model's own terms. See [`Snapshot::bind_hit`].
    #[must_use]
    pub fn bind_hit(&self, met: &WorldHit) -> Option<BindHit> {
        self.now().bind_hit(met)
    }

    /// How many triangles an object has; 0 for solids.
    #[must_use]
    pub fn triangle_count(&self, object: ObjectId) -> usize {
        self.now().triangle_count(object)
    }

    /// The box around everything.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.now().bounds()
    }
}
