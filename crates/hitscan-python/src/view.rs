//! What is asked: a snapshot of a world, a mesh or terrain, and what its coordinates are measured from.

use crate::objects::{Names, Objects};
use crate::shapes::{PyHeightField, PyTriMesh, corners_of};
use glam::DVec3;
use hitscan::model::BindHit;
use hitscan::{HeightField, QueryFilter, Ray, RayCastSettings, RayHit, Snapshot, TriMesh};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// What answers.
pub(crate) enum Target {
    World(Snapshot),
    Mesh(Arc<TriMesh>),
    Terrain(Arc<HeightField>),
}

impl Target {
    /// The nearest hit of each ray.
    pub(crate) fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
        hits: &mut [Option<RayHit>],
    ) {
        match self {
            Self::World(now) => now.cast_rays_into(rays, settings, filter, hits),
            Self::Mesh(mesh) => mesh.cast_rays_into(rays, settings, hits),
            Self::Terrain(field) => field.cast_rays_into(rays, settings, hits),
        }
    }

    /// Whether each ray hits anything.
    pub(crate) fn cast_rays_any_into(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
        are_hits: &mut [bool],
    ) {
        match self {
            Self::World(now) => now.cast_rays_any_into(rays, settings, filter, are_hits),
            Self::Mesh(mesh) => mesh.cast_rays_any_into(rays, settings, are_hits),
            Self::Terrain(field) => field.cast_rays_any_into(rays, settings, are_hits),
        }
    }

    /// The joint and the place in bind space of a hit on a model.
    pub(crate) fn bind_hit(&self, hit: &RayHit) -> Option<BindHit> {
        match self {
            Self::World(now) => now.bind_hit(hit),
            Self::Mesh(_) | Self::Terrain(_) => None,
        }
    }

    /// All hits of a ray, nearest first.
    pub(crate) fn cast_ray_all(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
    ) -> Vec<RayHit> {
        match self {
            Self::World(now) => now.cast_ray_all(ray, settings, filter),
            Self::Mesh(mesh) => mesh.cast_ray_all(ray, settings),
            Self::Terrain(field) => field.cast_ray_all(ray, settings),
        }
    }
}

/// What queries are asked of. It does not change, and any thread may ask it.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub(crate) struct View {
    pub(crate) target: Target,
    /// Taken off positions before they become f32, and added to those of answers.
    pub(crate) origin: Option<DVec3>,
    pub(crate) objects: Arc<Objects>,
}

impl View {
    /// The world, where it is one.
    ///
    /// # Errors
    /// `TypeError`.
    pub(crate) fn world(&self) -> PyResult<&Snapshot> {
        match &self.target {
            Target::World(now) => Ok(now),
            Target::Mesh(_) | Target::Terrain(_) => Err(PyTypeError::new_err("expected a world")),
        }
    }
}

#[pymethods]
impl View {
    #[staticmethod]
    fn of_mesh(mesh: &PyTriMesh) -> Self {
        Self {
            target: Target::Mesh(Arc::clone(&mesh.mesh)),
            origin: mesh.origin,
            objects: Arc::default(),
        }
    }

    #[staticmethod]
    fn of_terrain(terrain: &PyHeightField) -> Self {
        Self {
            target: Target::Terrain(Arc::clone(&terrain.field)),
            origin: terrain.origin,
            objects: Arc::default(),
        }
    }

    #[getter]
    fn names(&self) -> Names {
        Names {
            objects: Arc::clone(&self.objects),
        }
    }

    #[getter]
    fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let bounds = match &self.target {
            Target::World(now) => now.bounds(),
            Target::Mesh(mesh) => mesh.bounds(),
            Target::Terrain(field) => field.bounds(),
        };
        bounds.map(|bounds| corners_of(bounds, self.origin))
    }

    /// The handles of all objects, in order.
    fn handles(&self) -> Vec<usize> {
        match &self.target {
            Target::World(now) => now.objects().map(hitscan::ObjectId::index).collect(),
            Target::Mesh(_) | Target::Terrain(_) => Vec::new(),
        }
    }

    /// The box of an object.
    fn object_bounds(&self, handle: i64) -> PyResult<Option<[[f64; 3]; 2]>> {
        let object = self.objects.of_handle(handle)?;
        Ok(match &self.target {
            Target::World(now) => now
                .object_bounds(object)
                .map(|bounds| corners_of(bounds, self.origin)),
            Target::Mesh(_) | Target::Terrain(_) => None,
        })
    }
}
