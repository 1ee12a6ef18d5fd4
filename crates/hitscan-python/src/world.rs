//! A world as Python edits it.
//!
//! Changes take a lock; a query takes it only to clone the snapshot, which is cheap. So a query goes
//! on with its snapshot while the world changes, and a change does not wait for queries.

use crate::arrays::{self, Argument, transforms};
use crate::errors::{file_error, library_error};
use crate::hashed_files::HashedFiles;
use crate::models::PyPosedModel;
use crate::objects::Objects;
use crate::shapes::{PyHeightField, PyPrimitive, PyTriMesh, checked_origin};
use crate::threads::{lock, run, run_here, run_locked};
use crate::view::{Target, View};
use glam::{DAffine3, DVec3};
use hitscan::{HeightField, ObjectId};
use hitscan_assets::georeference::MapFrame;
use hitscan_assets::{Scene, load_scene_from};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// What changes together.
#[derive(Clone, Default)]
pub(crate) struct Edited {
    pub(crate) world: hitscan::World,
    pub(crate) objects: Arc<Objects>,
    keeps_history: bool,
    /// How many changes the next update makes, or more.
    pub(crate) changes: usize,
}

/// An update of fewer changes is made by the calling thread.
const MANY_CHANGES: usize = 2048;

/// A world.
#[pyclass(frozen, name = "World", module = "hitscan._hitscan")]
pub(crate) struct PyWorld {
    pub(crate) edited: Mutex<Edited>,
    origin: Option<DVec3>,
    scene_digest: Option<String>,
}

impl PyWorld {
    /// The world of a scene that was loaded.
    pub(crate) fn of_scene(scene: Scene) -> Self {
        let offset = scene.frame().map(MapFrame::table_offset);
        let edited = Edited {
            world: scene.world().clone(),
            objects: Arc::new(Objects::of_scene(scene)),
            ..Edited::default()
        };
        Self {
            edited: Mutex::new(edited),
            origin: offset
                .map(DVec3::from)
                .filter(|offset| *offset != DVec3::ZERO),
            scene_digest: None,
        }
    }

    /// The world, what its objects are called, and what it is measured from.
    pub(crate) fn parts(&self, py: Python<'_>) -> (hitscan::World, Arc<Objects>, Option<DVec3>) {
        let edited = self.edit(py);
        (
            edited.world.clone(),
            Arc::clone(&edited.objects),
            self.origin,
        )
    }

    /// The lock, waited for without the GIL where another thread has it.
    pub(crate) fn edit(&self, py: Python<'_>) -> MutexGuard<'_, Edited> {
        if let Ok(edited) = self.edited.try_lock() {
            return edited;
        }
        loop {
            // What is waited for may need the GIL next, so the lock is not kept on the way back to it.
            py.detach(|| drop(lock(&self.edited)));
            if let Ok(edited) = self.edited.try_lock() {
                return edited;
            }
            if self.edited.is_poisoned() {
                return lock(&self.edited);
            }
        }
    }

    fn local(&self) -> DVec3 {
        self.origin.unwrap_or_default()
    }

    /// The transform of a shape whose own coordinates are measured from `shape_origin`, between what
    /// is kept of the shape and of the world.
    fn kept_transform(&self, world_from_own: DAffine3, shape_origin: DVec3) -> DAffine3 {
        DAffine3::from_translation(-self.local())
            * world_from_own
            * DAffine3::from_translation(shape_origin)
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    fn new(origin: Option<[f64; 3]>) -> PyResult<Self> {
        Ok(Self {
            edited: Mutex::default(),
            origin: checked_origin(origin)?,
            scene_digest: None,
        })
    }

    /// The world of a scene file.
    #[staticmethod]
    fn from_scene(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let (scene, digest) = run(py, || {
            let files = HashedFiles::default();
            let scene = load_scene_from(&files, &path);
            (scene, files.digest())
        })?;
        let scene = scene.map_err(|error| file_error(py, &error))?;
        Ok(Self {
            scene_digest: Some(digest),
            ..Self::of_scene(scene)
        })
    }

    /// The SHA-256 of all bytes of the scene file and of the files that it names, as they were read.
    #[getter]
    fn scene_digest(&self) -> Option<&str> {
        self.scene_digest.as_deref()
    }

    #[getter]
    fn origin(&self) -> Option<[f64; 3]> {
        self.origin.map(Into::into)
    }

    /// What the scene's files left out or do oddly.
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        let edited = self.edit(py);
        let scene = edited.objects.scene();
        scene.map_or_else(Vec::new, |scene| scene.warnings().to_vec())
    }

    /// Adds a shape and returns its handle.
    fn add(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        name: Option<&str>,
        transform: Option<&Bound<'_, PyAny>>,
        layers: u32,
    ) -> PyResult<usize> {
        let transform = transform.map(|value| arrays::transform("transform", value));
        let transform = transform.transpose()?;
        let new = if let Ok(mesh) = shape.cast::<PyTriMesh>() {
            New::Mesh(mesh.get())
        } else if let Ok(terrain) = shape.cast::<PyHeightField>() {
            if transform.is_some() {
                return Err(PyValueError::new_err(
                    "terrain takes no transform: it is placed by its origin",
                ));
            }
            New::Terrain(self.placed_terrain(py, terrain.get())?)
        } else if let Ok(solid) = shape.cast::<PyPrimitive>() {
            New::Primitive(solid.get())
        } else if let Ok(model) = shape.cast::<PyPosedModel>() {
            New::Model(model.get())
        } else {
            return Err(PyTypeError::new_err(format!(
                "shape: expected a TriMesh, a HeightField, a Model, a Sphere, a Box, an OrientedBox \
                 or a Capsule, found {}",
                shape.get_type().name()?
            )));
        };
        let mut edited = self.edit(py);
        if let Some(name) = name {
            edited.objects.check_new_name(name)?;
        }
        self.add_new(&mut edited, new, name, transform, layers)
            .map_err(|error| library_error(&error))
    }

    /// Gives objects transforms, in order; those before one that is refused have got theirs.
    fn set_transforms(
        &self,
        py: Python<'_>,
        handles: Vec<i64>,
        matrices: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let argument = Argument::new("transforms", matrices)?;
        let transforms = transforms(&argument)?;
        if transforms.len() != handles.len() {
            return Err(PyValueError::new_err(format!(
                "transforms: expected one for each of {} handles, found {}",
                handles.len(),
                transforms.len()
            )));
        }
        let mut edited = self.edit(py);
        edited.changes += handles.len();
        for (handle, transform) in handles.into_iter().zip(transforms) {
            let object = edited.objects.of_handle(handle)?;
            let shape_origin = edited.objects.shape_origin(object);
            let transform = self.kept_transform(transform, shape_origin);
            let set = edited.world.set_transform(object, transform);
            set.map_err(|error| library_error(&error))?;
        }
        Ok(())
    }

    /// Makes terrain another one, or a solid.
    fn set_shape(&self, py: Python<'_>, handle: i64, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let terrain = match shape.cast::<PyHeightField>() {
            Ok(terrain) => Some(self.placed_terrain(py, terrain.get())?),
            Err(_) => None,
        };
        let mut edited = self.edit(py);
        let object = edited.objects.of_handle(handle)?;
        edited.changes += 1;
        let set = if let Some(terrain) = terrain {
            edited.world.set_height_field(object, terrain)
        } else if let Ok(solid) = shape.cast::<PyPrimitive>() {
            let solid = solid.get().make.primitive(self.origin);
            solid.and_then(|solid| edited.world.set_primitive(object, solid))
        } else {
            return Err(PyTypeError::new_err(format!(
                "shape: expected a HeightField or a solid, found {}",
                shape.get_type().name()?
            )));
        };
        set.map_err(|error| library_error(&error))
    }

    fn set_layers(&self, py: Python<'_>, handle: i64, layers: u32) -> PyResult<()> {
        let mut edited = self.edit(py);
        let object = edited.objects.of_handle(handle)?;
        edited.changes += 1;
        let set = edited.world.set_layers(object, layers);
        set.map_err(|error| library_error(&error))
    }

    fn remove(&self, py: Python<'_>, handle: i64) -> PyResult<()> {
        let mut edited = self.edit(py);
        let object = edited.objects.of_handle(handle)?;
        edited.changes += 1;
        let removed = edited.world.remove(object);
        removed.map_err(|error| library_error(&error))?;
        // Ticks that are kept name their objects.
        if !edited.keeps_history {
            Arc::make_mut(&mut edited.objects).remove(object.index());
        }
        Ok(())
    }

    /// Makes all changes since the last update.
    fn update(&self, py: Python<'_>) -> PyResult<()> {
        let changes = self.edit(py).changes;
        let update = |edited: &mut Edited| {
            edited.changes = 0;
            edited.world.update();
            Objects::forget_removed(&mut edited.objects);
        };
        if changes < MANY_CHANGES {
            run_here(py, || update(&mut lock(&self.edited)))
        } else {
            run_locked(py, &self.edited, update)
        }
    }

    fn keep_history(&self, py: Python<'_>, ticks: usize) {
        let mut edited = self.edit(py);
        edited.keeps_history = ticks > 0;
        edited.world.keep_history(ticks);
    }

    fn record(&self, py: Python<'_>, tick: u64) -> PyResult<()> {
        let recorded = self.edit(py).world.record(tick);
        recorded.map_err(|error| library_error(&error))
    }

    fn history(&self, py: Python<'_>) -> Option<(u64, u64)> {
        let history = self.edit(py).world.history()?;
        Some((*history.start(), *history.end()))
    }

    /// Whether an update would make changes.
    fn has_changes(&self, py: Python<'_>) -> bool {
        !self.edit(py).world.is_up_to_date()
    }

    /// The world, unless it has changes that no update has made.
    fn current(&self, py: Python<'_>) -> Option<View> {
        let edited = self.edit(py);
        let is_current = edited.world.is_up_to_date();
        is_current.then(|| self.view(edited.world.now().clone(), &edited))
    }

    /// The world as the last update left it.
    fn now(&self, py: Python<'_>) -> View {
        let edited = self.edit(py);
        self.view(edited.world.now().clone(), &edited)
    }

    /// The world as it was at `time`, in ticks.
    fn at(&self, py: Python<'_>, time: f64) -> Option<View> {
        let edited = self.edit(py);
        Some(self.view(edited.world.at(time)?, &edited))
    }

    /// The handle of an object by its name.
    fn handle(&self, py: Python<'_>, key: Bound<'_, PyAny>) -> PyResult<usize> {
        // The key's own code may run meanwhile, so the lock is not kept.
        let objects = Arc::clone(&self.edit(py).objects);
        Ok(objects.of_keys(&[key])?[0].index())
    }

    fn memory_bytes(&self, py: Python<'_>) -> usize {
        self.edit(py).world.memory_bytes()
    }
}

/// What is added.
enum New<'a> {
    Mesh(&'a PyTriMesh),
    Terrain(Arc<HeightField>),
    Primitive(&'a PyPrimitive),
    Model(&'a PyPosedModel),
}

impl PyWorld {
    fn view(&self, now: hitscan::Snapshot, edited: &Edited) -> View {
        View {
            target: Target::World(now),
            origin: self.origin,
            objects: Arc::clone(&edited.objects),
        }
    }

    /// Terrain measured from the world's origin: the same where both have one.
    fn placed_terrain(
        &self,
        py: Python<'_>,
        terrain: &PyHeightField,
    ) -> PyResult<Arc<HeightField>> {
        let shift = terrain.origin.unwrap_or_default() - self.local();
        if shift == DVec3::ZERO {
            return Ok(Arc::clone(&terrain.field));
        }
        let mut grid = *terrain.field.grid();
        grid.origin = (DVec3::from(grid.origin) + shift).into();
        let field = run(py, || {
            HeightField::new(grid, terrain.field.samples().to_vec())
        })?;
        Ok(Arc::new(field.map_err(|error| library_error(&error))?))
    }

    fn add_new(
        &self,
        edited: &mut Edited,
        new: New<'_>,
        name: Option<&str>,
        transform: Option<DAffine3>,
        layers: u32,
    ) -> Result<usize, hitscan::Error> {
        edited.changes += 1;
        let world = &mut edited.world;
        let mut shape_origin = DVec3::ZERO;
        let mut shown = None;
        let placed = |origin: DVec3| self.kept_transform(transform.unwrap_or_default(), origin);
        let (id, kind): (ObjectId, _) = match new {
            New::Mesh(mesh) => {
                shape_origin = mesh.origin.unwrap_or_default();
                let mesh = Arc::clone(&mesh.mesh);
                (world.add_at(mesh, placed(shape_origin))?, "mesh")
            }
            New::Terrain(field) => (world.add(field), "terrain"),
            New::Model(model) => {
                shown = Some(&model.whole);
                let posed = Arc::clone(&model.posed);
                (world.add_at(posed, placed(DVec3::ZERO))?, "model")
            }
            New::Primitive(solid) => {
                let made = solid.make.primitive(self.origin)?;
                let id = match transform {
                    Some(_) => world.add_at(made, placed(DVec3::ZERO))?,
                    None => world.add(made),
                };
                (id, solid.make.kind())
            }
        };
        world.set_layers(id, layers)?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => edited.objects.unused_name(kind, id),
        };
        Arc::make_mut(&mut edited.objects).add(id, name.into(), shape_origin, shown);
        Ok(id.index())
    }
}
