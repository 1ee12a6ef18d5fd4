//! Rays at a world of one mesh, terrain or model in the world's own coordinates: they are cast at the shape
//! itself, past the tree over objects.

use crate::model::PosedModel;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::instance::Geometry;
use crate::world::object::{Object, Shape};
use crate::{HeightField, Ray, RayCastSettings, RayHit, TriMesh};

/// The shape of the only object of a world, with that object.
pub(super) struct LoneShape<'a> {
    object: &'a Object,
    surface: Surface<'a>,
}

enum Surface<'a> {
    HeightField(&'a HeightField),
    Mesh(&'a TriMesh),
    Model(&'a PosedModel),
}

impl Snapshot {
    /// The only object's shape, if `filter` accepts it and no transform is between its coordinates and the
    /// world's.
    pub(super) fn lone_shape(&self, filter: &QueryFilter<'_>) -> Option<LoneShape<'_>> {
        let object = self.lone_object()?;
        if !filter.sees(object.id, object.layers) {
            return None;
        }
        let surface = match &object.shape {
            Shape::HeightField(field) => Surface::HeightField(field),
            Shape::Instance(instance) if instance.is_unplaced() => match instance.geometry() {
                Geometry::Mesh(mesh) => Surface::Mesh(mesh),
                Geometry::Model(posed) => Surface::Model(posed),
            },
            Shape::Instance(_) | Shape::Primitive(_) | Shape::Compound(_) => return None,
        };
        Some(LoneShape { object, surface })
    }
}

impl LoneShape<'_> {
    /// The nearest hit of each ray, as the world answers it.
    pub(super) fn nearest_hits(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        hits: &mut [Option<RayHit>],
    ) {
        match self.surface {
            Surface::HeightField(field) => field.cast_rays_into(rays, settings, hits),
            Surface::Mesh(mesh) => mesh.cast_rays_into(rays, settings, hits),
            Surface::Model(posed) => posed.cast_rays_into(rays, settings, hits),
        }
        for hit in hits.iter_mut().flatten() {
            hit.object = Some(self.object.id);
            hit.user_data = self.object.user_data;
        }
    }

    /// Whether each ray hits it.
    pub(super) fn any_hits(&self, rays: &[Ray], settings: RayCastSettings, are_hits: &mut [bool]) {
        match self.surface {
            Surface::HeightField(field) => field.cast_rays_any_into(rays, settings, are_hits),
            Surface::Mesh(mesh) => mesh.cast_rays_any_into(rays, settings, are_hits),
            Surface::Model(posed) => posed.cast_rays_any_into(rays, settings, are_hits),
        }
    }
}
