//! A world as Python edits it.
//!
//! Changes take a lock; a query takes it only to clone the snapshot, which is cheap. So a query goes
//! on with its snapshot while the world changes, and a change does not wait for queries.

use crate::added::New;
use crate::arrays::{self, Argument, transforms};
use crate::edited::Edited;
use crate::errors::{file_error, library_error};
use crate::fork_gate;
use crate::hashed_files::HashedFiles;
use crate::objects::Objects;
use crate::past::AskedPast;
use crate::shapes::{PyHeightField, PyPrimitive};
use crate::threads::{build, build_watched, lock, run_here, run_locked};
use crate::view::{Target, View};
use crate::world_origin::{Extent, WorldOrigin, moved_terrain};
use glam::DVec3;
use hitscan::{HeightField, SurfaceId};
use hitscan_assets::georeference::MapFrame;
use hitscan_assets::{Scene, load_scene_from};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// An update of fewer changes is made by the calling thread.
const MANY_CHANGES: usize = 2048;

/// A world.
#[pyclass(frozen, name = "World", module = "hitscan._hitscan")]
pub(crate) struct PyWorld {
    pub(crate) edited: Mutex<Edited>,
    scene_digest: Option<String>,
}

impl PyWorld {
    /// The world of a scene that was loaded.
    pub(crate) fn of_scene(scene: Scene) -> Self {
        let offset = scene.frame().map(MapFrame::table_offset);
        let offset = offset.map(DVec3::from);
        let edited = Edited {
            world: scene.world().clone(),
            objects: Arc::new(Objects::of_scene(scene)),
            origin: WorldOrigin::of_files(offset.filter(|offset| *offset != DVec3::ZERO)),
            ..Edited::default()
        };
        Self {
            edited: Mutex::new(edited),
            scene_digest: None,
        }
    }

    /// The world, what its objects are called, and what it is measured from.
    pub(crate) fn parts(&self, py: Python<'_>) -> (hitscan::World, Arc<Objects>, Option<DVec3>) {
        let edited = self.edit(py);
        (
            edited.world.clone(),
            Arc::clone(&edited.objects),
            edited.origin.shown(),
        )
    }

    /// The lock, waited for without the GIL where another thread has it.
    pub(crate) fn edit(&self, py: Python<'_>) -> MutexGuard<'_, Edited> {
        if let Ok(edited) = self.edited.try_lock() {
            return edited;
        }
        loop {
            // What is waited for may need the GIL next, so the lock is not kept on the way back to it.
            py.detach(|| {
                let _inside = fork_gate::enter();
                drop(lock(&self.edited));
            });
            if let Ok(edited) = self.edited.try_lock() {
                return edited;
            }
            if self.edited.is_poisoned() {
                return lock(&self.edited);
            }
        }
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    fn new(origin: Option<[f64; 3]>) -> PyResult<Self> {
        let edited = Edited {
            origin: WorldOrigin::stated(origin)?,
            ..Edited::default()
        };
        Ok(Self {
            edited: Mutex::new(edited),
            scene_digest: None,
        })
    }

    /// The world of a scene file.
    #[staticmethod]
    fn from_scene(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let (scene, digest) = build_watched(py, move || {
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
    fn origin(&self, py: Python<'_>) -> Option<[f64; 3]> {
        self.edit(py).origin.point().map(Into::into)
    }

    /// What the scene's files omit or do oddly.
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
        let (mut edited, new) = if let Ok(terrain) = shape.cast::<PyHeightField>() {
            if transform.is_some() {
                return Err(PyValueError::new_err(
                    "terrain takes no transform: it is placed by its origin",
                ));
            }
            let (edited, placed) = self.edit_for_terrain(py, terrain.get(), (name, None))?;
            (edited, New::Terrain(placed))
        } else {
            let new = New::of(shape)?;
            (self.edit(py), new)
        };
        let extent = new.extent(transform);
        let gives_origin = |extent: &Extent| edited.origin.comes_from(extent);
        let before = extent.as_ref().is_some_and(gives_origin);
        let before = before.then(|| edited.clone());
        if let Some(extent) = &extent {
            edited.admit(name, extent, None)?;
        }
        edited.changes += 1;
        let Edited {
            world,
            objects,
            origin,
            ..
        } = &mut *edited;
        let added = new.add(world, objects, origin, (name, transform, layers));
        if let (Err(_), Some(before)) = (&added, before) {
            *edited = before;
        }
        added.map_err(|error| library_error(&error))
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
            let transform = edited.origin.kept_transform(transform, shape_origin);
            let set = edited.world.set_transform(object, transform);
            set.map_err(|error| library_error(&error))?;
        }
        Ok(())
    }

    /// Makes terrain another one, or a solid.
    fn set_shape(&self, py: Python<'_>, handle: i64, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let (mut edited, terrain) = match shape.cast::<PyHeightField>() {
            Ok(terrain) => {
                let (edited, placed) =
                    self.edit_for_terrain(py, terrain.get(), (None, Some(handle)))?;
                (edited, Some(placed))
            }
            Err(_) => (self.edit(py), None),
        };
        let object = edited.objects.of_handle(handle)?;
        edited.changes += 1;
        let set = if let Some(terrain) = terrain {
            edited.world.set_height_field(object, terrain)
        } else if let Ok(solid) = shape.cast::<PyPrimitive>() {
            let make = solid.get().make.clone();
            let solid = make.primitive(edited.origin.point());
            let set = solid.and_then(|solid| edited.world.set_primitive(object, solid));
            if set.is_ok() {
                edited.origin.keep_solid(object, make);
            }
            set
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

    /// Makes an object part of a surface by its number, or of none.
    fn set_surface(&self, py: Python<'_>, handle: i64, surface: Option<u32>) -> PyResult<()> {
        let mut edited = self.edit(py);
        let object = edited.objects.of_handle(handle)?;
        edited.changes += 1;
        let set = edited
            .world
            .set_surface(object, surface.map(SurfaceId::new));
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
    pub(crate) fn update(&self, py: Python<'_>) -> PyResult<()> {
        let changes = self.edit(py).changes;
        if changes < MANY_CHANGES {
            run_here(py, || lock(&self.edited).update())
        } else {
            run_locked(py, &self.edited, Edited::update)
        }
    }

    fn keep_history(&self, py: Python<'_>, ticks: usize) {
        let mut edited = self.edit(py);
        edited.keeps_history = ticks > 0;
        edited.world.keep_history(ticks);
    }

    fn record(&self, py: Python<'_>, tick: u64) -> PyResult<()> {
        let mut edited = self.edit(py);
        if edited.origin.is_pending() {
            return Err(PyValueError::new_err(
                "the world is measured from another point since a shape gave it its origin: call \
                 update() first",
            ));
        }
        let recorded = edited.world.record(tick);
        recorded.map_err(|error| library_error(&error))
    }

    fn history(&self, py: Python<'_>) -> Option<(u64, u64)> {
        let history = self.edit(py).world.history()?;
        Some((*history.start(), *history.end()))
    }

    /// Whether an update would make changes.
    fn has_changes(&self, py: Python<'_>) -> bool {
        !self.edit(py).is_up_to_date()
    }

    /// The world, unless it has changes that no update has made.
    fn current(&self, py: Python<'_>) -> Option<View> {
        let edited = self.edit(py);
        let is_current = edited.is_up_to_date();
        is_current.then(|| Self::view(edited.world.now().clone(), &edited))
    }

    /// The world as the last update left it.
    fn now(&self, py: Python<'_>) -> View {
        let edited = self.edit(py);
        Self::view(edited.world.now().clone(), &edited)
    }

    /// The world as it was at `time`, in ticks.
    fn at(&self, py: Python<'_>, time: f64) -> Option<View> {
        let edited = self.edit(py);
        Some(Self::view(edited.world.at(time)?, &edited))
    }

    /// The world at the ticks of `ticks`, one for each row of a question.
    fn at_each(&self, py: Python<'_>, ticks: Py<PyAny>) -> View {
        let edited = self.edit(py);
        View {
            past: Some(AskedPast::new(edited.world.past(), ticks)),
            ..Self::view(edited.world.now().clone(), &edited)
        }
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

impl PyWorld {
    /// Makes all changes, unless another thread has the world in hand, which is not waited for.
    pub(crate) fn try_update(&self) {
        if let Ok(mut edited) = self.edited.try_lock()
            && !edited.is_up_to_date()
        {
            edited.update();
        }
    }

    /// The world as the last update left it, and whether it has changes that none has made.
    pub(crate) fn now_and_pending(&self, py: Python<'_>) -> (View, bool) {
        let edited = self.edit(py);
        let now = Self::view(edited.world.now().clone(), &edited);
        (now, !edited.is_up_to_date())
    }

    fn view(now: hitscan::Snapshot, edited: &Edited) -> View {
        View {
            target: Target::World(now),
            origin: edited.origin.shown(),
            objects: Arc::clone(&edited.objects),
            past: None,
        }
    }

    /// The lock, once terrain is let in, with the terrain measured from the world's origin: the same
    /// where both have one, else made without the lock.
    fn edit_for_terrain(
        &self,
        py: Python<'_>,
        terrain: &PyHeightField,
        (name, replaced): (Option<&str>, Option<i64>),
    ) -> PyResult<(MutexGuard<'_, Edited>, Arc<HeightField>)> {
        let extent = Extent::of_terrain(terrain);
        let mut moved: Option<(DVec3, Arc<HeightField>)> = None;
        loop {
            let mut edited = self.edit(py);
            edited.admit(name, &extent, replaced)?;
            let local = edited.origin.point().unwrap_or_default();
            let shift = terrain.origin.unwrap_or_default() - local;
            if shift == DVec3::ZERO {
                return Ok((edited, Arc::clone(&terrain.field)));
            }
            // Another thread may have given the world an origin meanwhile.
            if let Some((_, field)) = moved.take_if(|(by, _)| *by == shift) {
                return Ok((edited, field));
            }
            drop(edited);
            let made = build(py, || moved_terrain(&terrain.field, shift))?;
            moved = Some((shift, made.map_err(|error| library_error(&error))?));
        }
    }
}
