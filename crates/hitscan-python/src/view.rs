//! The target of a query: a snapshot of a world, a mesh, terrain or a posed model, and its origin.

use crate::models::{PyModel, PyPose, PyPosedModel};
use crate::objects::{Names, Objects};
use crate::past::{AskedPast, Times};
use crate::shapes::{PyHeightField, PyTriMesh, corners_of};
use glam::DVec3;
use hitscan::model::{BindHit, PosedModel};
use hitscan::world::ObjectKind;
use hitscan::{HeightField, QueryFilter, Ray, RayCastSettings, RayHit, Snapshot, TriMesh, World};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// So many rays are cast one by one: the library's batches first make room for hundreds, which takes as
/// long as some ten rays of a mesh.
const FEW: usize = 8;

/// What answers.
#[derive(Clone)]
pub(crate) enum Target {
    World(Snapshot),
    Mesh(Arc<TriMesh>),
    Terrain(Arc<HeightField>),
    Model(Arc<PosedModel>),
}

impl Target {
    /// The nearest hit of a ray, that which a batch answers.
    fn cast_ray(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
    ) -> Option<RayHit> {
        match self {
            Self::World(now) => now.cast_ray(ray, (settings, filter)),
            Self::Mesh(mesh) => mesh.cast_ray(ray, settings),
            Self::Terrain(field) => field.cast_ray(ray, settings),
            Self::Model(posed) => posed.cast_ray(ray, settings),
        }
    }

    /// Whether a ray hits anything.
    fn cast_ray_any(&self, ray: &Ray, settings: RayCastSettings, filter: QueryFilter<'_>) -> bool {
        match self {
            Self::World(now) => now.cast_ray_any(ray, (settings, filter)),
            Self::Mesh(mesh) => mesh.cast_ray_any(ray, settings),
            Self::Terrain(field) => field.cast_ray_any(ray, settings),
            Self::Model(posed) => posed.cast_ray_any(ray, settings),
        }
    }

    /// The nearest hit of each ray.
    pub(crate) fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
        hits: &mut [Option<RayHit>],
    ) {
        if rays.len() <= FEW {
            for (ray, hit) in rays.iter().zip(hits) {
                *hit = self.cast_ray(ray, settings, filter);
            }
            return;
        }
        match self {
            Self::World(now) => now.cast_rays_into(rays, (settings, filter), hits),
            Self::Mesh(mesh) => mesh.cast_rays_into(rays, settings, hits),
            Self::Terrain(field) => field.cast_rays_into(rays, settings, hits),
            Self::Model(posed) => posed.cast_rays_into(rays, settings, hits),
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
        if rays.len() <= FEW {
            for (ray, is_hit) in rays.iter().zip(are_hits) {
                *is_hit = self.cast_ray_any(ray, settings, filter);
            }
            return;
        }
        match self {
            Self::World(now) => now.cast_rays_any_into(rays, (settings, filter), are_hits),
            Self::Mesh(mesh) => mesh.cast_rays_any_into(rays, settings, are_hits),
            Self::Terrain(field) => field.cast_rays_any_into(rays, settings, are_hits),
            Self::Model(posed) => posed.cast_rays_any_into(rays, settings, are_hits),
        }
    }

    /// The joint and the place in bind space of a hit on a model.
    pub(crate) fn bind_hit(&self, hit: &RayHit) -> Option<BindHit> {
        match self {
            Self::World(now) => now.bind_hit(hit),
            Self::Model(posed) => posed.model().bind_hit(hit.triangle?, hit.barycentrics),
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
            Self::World(now) => now.cast_ray_all(ray, (settings, filter)),
            Self::Mesh(mesh) => mesh.cast_ray_all(ray, settings),
            Self::Terrain(field) => field.cast_ray_all(ray, settings),
            Self::Model(posed) => posed.cast_ray_all(ray, settings),
        }
    }
}

impl Target {
    /// The world, where it is one.
    pub(crate) fn world(&self) -> Option<&Snapshot> {
        match self {
            Self::World(now) => Some(now),
            Self::Mesh(_) | Self::Terrain(_) | Self::Model(_) => None,
        }
    }

    /// A world that holds it alone; of a world itself.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut world = World::new();
        match self {
            Self::World(now) => return now.clone(),
            Self::Mesh(mesh) => world.add(Arc::clone(mesh)),
            Self::Terrain(field) => world.add(Arc::clone(field)),
            Self::Model(posed) => world.add(Arc::clone(posed)),
        };
        world.update();
        world.now().clone()
    }
}

/// What is queried. It does not change, and any thread may query it.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub(crate) struct View {
    pub(crate) target: Target,
    /// Taken off positions before they become f32, and added to those of answers.
    pub(crate) origin: Option<DVec3>,
    pub(crate) objects: Arc<Objects>,
    /// The past that each row queries, where it is not `target`.
    pub(crate) past: Option<AskedPast>,
}

impl View {
    /// What answers a row, at its own time where rows have times.
    pub(crate) fn at(&self, times: Option<&Times>, row: usize) -> Cow<'_, Target> {
        match times.and_then(|times| times.of_row(row)) {
            Some(then) => Cow::Owned(Target::World(then)),
            None => Cow::Borrowed(&self.target),
        }
    }

    /// The world, where it is one.
    ///
    /// # Errors
    /// `TypeError`.
    pub(crate) fn world(&self) -> PyResult<&Snapshot> {
        let world = self.target.world();
        world.ok_or_else(|| PyTypeError::new_err("expected a world"))
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
            past: None,
        }
    }

    #[staticmethod]
    fn of_terrain(terrain: &PyHeightField) -> Self {
        Self {
            target: Target::Terrain(Arc::clone(&terrain.field)),
            origin: terrain.origin,
            objects: Arc::default(),
            past: None,
        }
    }

    #[staticmethod]
    fn of_model(model: &PyPosedModel) -> Self {
        Self {
            target: Target::Model(Arc::clone(&model.posed)),
            origin: None,
            objects: Arc::new(Objects::of_model(Arc::clone(&model.whole))),
            past: None,
        }
    }

    #[getter]
    fn names(&self) -> Names {
        Names {
            objects: Arc::clone(&self.objects),
        }
    }

    #[getter]
    fn bounds(&self) -> PyResult<Option<[[f64; 3]; 2]>> {
        let bounds = match &self.target {
            Target::World(now) => now.bounds(),
            Target::Mesh(mesh) => mesh.bounds(),
            Target::Terrain(field) => field.bounds(),
            Target::Model(_) => self.target.snapshot().bounds(),
        };
        Ok(bounds.map(|bounds| corners_of(bounds, self.origin)))
    }

    /// Easting, height and northing of the world's 0, metres for a unit of easting and northing, and the
    /// x, y, z of the world's 0 in questions. Without a scene file x is easting and z minus northing.
    fn map_frame(&self) -> PyResult<([f64; 3], [f64; 2], [f64; 3])> {
        let Some(scene) = self.objects.scene() else {
            return Ok(([0.0; 3], [1.0; 2], [0.0; 3]));
        };
        let frame = scene.frame().ok_or_else(|| {
            PyValueError::new_err(
                "this world lies on no map: its scene file has neither a terrain with \
                 `georeferenced = true` nor `[world] origin`",
            )
        })?;
        Ok((
            frame.origin(),
            frame.metres_per_unit(),
            frame.table_offset(),
        ))
    }

    /// The handles of all objects, in order.
    fn handles(&self) -> Vec<usize> {
        match &self.target {
            Target::World(now) => now.objects().map(hitscan::ObjectId::index).collect(),
            Target::Mesh(_) | Target::Terrain(_) | Target::Model(_) => Vec::new(),
        }
    }

    /// The handle of an object, given by it or by its name.
    fn handle(&self, key: Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.objects.of_keys(&[key])?[0].index())
    }

    /// The box of an object.
    fn object_bounds(&self, handle: i64) -> PyResult<Option<[[f64; 3]; 2]>> {
        let object = self.objects.of_handle(handle)?;
        Ok(match &self.target {
            Target::World(now) => now
                .object_bounds(object)
                .map(|bounds| corners_of(bounds, self.origin)),
            Target::Mesh(_) | Target::Terrain(_) | Target::Model(_) => None,
        })
    }

    /// What kind of thing an object is, in a word.
    fn kind(&self, handle: i64) -> PyResult<Option<&'static str>> {
        let object = self.objects.of_handle(handle)?;
        Ok(match &self.target {
            Target::World(now) => now.kind(object).map(|kind| match kind {
                ObjectKind::TriMesh => "mesh",
                kind => kind.name(),
            }),
            Target::Mesh(_) | Target::Terrain(_) | Target::Model(_) => None,
        })
    }

    /// The names of the parts of a model or a compound, by their numbers in answers.
    fn part_names(&self, handle: i64) -> PyResult<Vec<String>> {
        let object = self.objects.of_handle(handle)?;
        let now = self.world()?;
        let names = (0..).map_while(|part| now.part_name(object, part));
        Ok(names.map(str::to_owned).collect())
    }

    /// The model that an object shows.
    fn model(&self, handle: i64) -> PyResult<Option<PyModel>> {
        let object = self.objects.of_handle(handle)?;
        let Target::World(now) = &self.target else {
            return Ok(None);
        };
        let model = now.model(object);
        Ok(model.map(|model| PyModel::new(self.objects.colored(model))))
    }

    /// The pose of a model.
    fn pose(&self, handle: i64) -> PyResult<Option<PyPose>> {
        let object = self.objects.of_handle(handle)?;
        let Target::World(now) = &self.target else {
            return Ok(None);
        };
        let pose = now.model(object).zip(now.pose(object));
        Ok(pose.map(|(model, pose)| PyPose::new(Arc::clone(model), pose)))
    }
}
