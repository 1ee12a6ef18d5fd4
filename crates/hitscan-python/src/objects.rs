//! Names of the objects of a world, and their handles in Python: whole numbers, in the order of
//! adding.

use crate::errors::unknown_object;
use glam::DVec3;
use hitscan::baked::{Reader, Writer};
use hitscan::model::Model;
use hitscan::{ObjectId, RayHit, Snapshot};
use hitscan_assets::Scene;
use hitscan_assets::georeference::MapFrame;
use hitscan_assets::scene::SceneModel;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// An object that was added from Python.
#[derive(Clone)]
struct Entry {
    id: ObjectId,
    name: Arc<str>,
    /// What its shape's own coordinates are measured from.
    shape_origin: DVec3,
    /// What it shows, if it is a model.
    model: Option<Arc<Model>>,
    /// Whether the next update removes it: its handle is stale, but queries still see it.
    is_removed: bool,
}

/// The objects of a world by number and by name. Snapshots share it; a change copies it where one
/// still does.
#[derive(Clone, Default)]
pub(crate) struct Objects {
    /// What the world was loaded from, with its objects by number.
    scene: Option<(Scene, Arc<[ObjectId]>)>,
    added: BTreeMap<usize, Entry>,
    by_name: BTreeMap<Arc<str>, usize>,
    /// The models of objects that were added, each once.
    models: Vec<Arc<SceneModel>>,
    /// What shapes of the scene are measured from, by the objects' numbers, where it is not 0.
    scene_origins: Arc<BTreeMap<usize, DVec3>>,
    /// The numbers of objects that the next update removes.
    removed: Vec<usize>,
}

impl Objects {
    pub(crate) fn of_scene(scene: Scene) -> Self {
        let ids = scene.now().objects().collect();
        Self {
            scene_origins: Arc::new(read_origins(scene.attachment()).unwrap_or_default()),
            scene: Some((scene, ids)),
            ..Self::default()
        }
    }

    /// No objects, and a model that is queried by itself.
    pub(crate) fn of_model(model: Arc<SceneModel>) -> Self {
        Self {
            models: vec![model],
            ..Self::default()
        }
    }

    /// Remembers the colours of a model.
    fn add_model(&mut self, model: &Arc<SceneModel>) {
        let mut known = self.models.iter();
        if !known.any(|known| Arc::ptr_eq(&known.model, &model.model)) {
            self.models.push(Arc::clone(model));
        }
    }

    /// The model that an object shows, of a world that was updated to `now` last.
    pub(crate) fn model<'a>(&'a self, now: &'a Snapshot, id: ObjectId) -> Option<&'a Arc<Model>> {
        match self.added.get(&id.index()) {
            Some(entry) => entry.model.as_ref(),
            None => now.model(id),
        }
    }

    /// The place on a map of a world with these objects, measured from `origin`.
    pub(crate) fn frame(&self, origin: Option<DVec3>) -> Option<MapFrame> {
        let frame = self.scene().and_then(Scene::frame).cloned();
        frame.or_else(|| origin.map(|origin| MapFrame::x_east_z_south(origin.into())))
    }

    /// The models of objects that were added, with their colours.
    pub(crate) fn models(&self) -> impl Iterator<Item = &SceneModel> {
        self.models.iter().map(|known| &**known)
    }

    /// A model of these objects with its colours.
    pub(crate) fn colored(&self, model: &Arc<Model>) -> Arc<SceneModel> {
        let is_it = |known: &SceneModel| Arc::ptr_eq(&known.model, model);
        if let Some(known) = self.models.iter().find(|known| is_it(known)) {
            return Arc::clone(known);
        }
        let mut loaded = self.scene().into_iter().flat_map(Scene::models);
        let known = loaded.find(|known| is_it(known)).cloned();
        Arc::new(known.unwrap_or_else(|| SceneModel {
            file: PathBuf::new(),
            model: Arc::clone(model),
            colors: Vec::new(),
        }))
    }

    /// The colour of the surface that a ray hit, where a file gives it one.
    pub(crate) fn color(&self, now: &Snapshot, hit: &RayHit) -> Option<[f32; 3]> {
        let model = now.model(hit.object?)?;
        let loaded = self.scene().into_iter().flat_map(Scene::models);
        let mut known = self.models().chain(loaded);
        let known = known.find(|known| Arc::ptr_eq(&known.model, model))?;
        known.surface_color(hit)
    }

    /// What the world was loaded from, if it was.
    pub(crate) fn scene(&self) -> Option<&Scene> {
        self.scene.as_ref().map(|(scene, _)| scene)
    }

    /// What the world was loaded from, if all its objects came from there.
    pub(crate) fn whole_scene(&self) -> Option<&Scene> {
        self.scene().filter(|_| self.added.is_empty())
    }

    pub(crate) fn add(
        &mut self,
        id: ObjectId,
        name: Arc<str>,
        shape_origin: DVec3,
        model: Option<&Arc<SceneModel>>,
    ) {
        if let Some(model) = model {
            self.add_model(model);
        }
        self.by_name.insert(Arc::clone(&name), id.index());
        let entry = Entry {
            id,
            name,
            shape_origin,
            model: model.map(|model| Arc::clone(&model.model)),
            is_removed: false,
        };
        self.added.insert(id.index(), entry);
    }

    /// Frees the handle and the name of an object that was added; those of a scene stay taken. Answers
    /// name it until [`Objects::forget_removed`].
    pub(crate) fn remove(&mut self, number: usize) {
        if let Some(entry) = self.added.get_mut(&number) {
            entry.is_removed = true;
            self.by_name.remove(&entry.name);
            self.removed.push(number);
        }
    }

    /// Forgets the objects that an update has removed.
    pub(crate) fn forget_removed(this: &mut Arc<Self>) {
        if !this.removed.is_empty() {
            let this = Arc::make_mut(this);
            for number in this.removed.drain(..) {
                this.added.remove(&number);
            }
        }
    }

    /// Whether an object of this name was added and not removed, or came with the scene.
    fn has_name(&self, name: &str) -> bool {
        self.named(name).is_some()
    }

    /// Checks that an object may be added with this name.
    ///
    /// # Errors
    /// `ValueError` for an empty name, which tables and baked worlds cannot have, and for another's.
    pub(crate) fn check_new_name(&self, name: &str) -> PyResult<()> {
        if name.is_empty() {
            return Err(PyValueError::new_err("name: expected one, found \"\""));
        }
        match self.has_name(name) {
            false => Ok(()),
            true => Err(PyValueError::new_err(format!(
                "name: another object is called {name:?}"
            ))),
        }
    }

    /// A name that no object has: a kind and the object's number.
    pub(crate) fn unused_name(&self, kind: &str, id: ObjectId) -> String {
        let mut name = format!("{kind}{}", id.index());
        while self.has_name(&name) {
            name.push('_');
        }
        name
    }

    fn named(&self, name: &str) -> Option<ObjectId> {
        let added = self
            .by_name
            .get(name)
            .and_then(|number| self.added.get(number));
        match added {
            Some(entry) => Some(entry.id),
            None => self.scene()?.object_named(name),
        }
    }

    fn numbered(&self, number: usize) -> Option<ObjectId> {
        match self.added.get(&number) {
            Some(entry) => (!entry.is_removed).then_some(entry.id),
            None => {
                let (_, ids) = self.scene.as_ref()?;
                let place = ids.binary_search_by_key(&number, |id| id.index());
                Some(ids[place.ok()?])
            }
        }
    }

    /// What shapes are measured from where it is not 0, as a scene's attachment.
    pub(crate) fn origins_of(&self, ids: &[ObjectId]) -> Vec<u8> {
        let origins = ids.iter().map(|id| (id.index(), self.shape_origin(*id)));
        let origins = origins.filter(|(_, origin)| *origin != DVec3::ZERO);
        let origins: Vec<_> = origins.collect();
        let mut writer = Writer::new();
        writer.size(origins.len());
        for (number, origin) in origins {
            writer.size(number);
            writer.f64s(&origin.to_array());
        }
        writer.into_parts().0
    }

    /// The name of an object.
    pub(crate) fn name(&self, number: usize) -> Option<&str> {
        match self.added.get(&number) {
            Some(entry) => Some(&entry.name),
            None => {
                let (scene, _) = self.scene.as_ref()?;
                scene.object_name(self.numbered(number)?)
            }
        }
    }

    /// What an object's own coordinates are measured from.
    pub(crate) fn shape_origin(&self, id: ObjectId) -> DVec3 {
        let number = id.index();
        match self.added.get(&number) {
            Some(entry) => entry.shape_origin,
            None => self.scene_origins.get(&number).copied().unwrap_or_default(),
        }
    }

    /// The object of a handle.
    ///
    /// # Errors
    /// `KeyError`.
    pub(crate) fn of_handle(&self, handle: i64) -> PyResult<ObjectId> {
        let found = usize::try_from(handle)
            .ok()
            .and_then(|number| self.numbered(number));
        found.ok_or_else(|| {
            unknown_object(format!(
                "object {handle} is not in this world: it was removed, or never was"
            ))
        })
    }

    /// The objects of handles, or of names.
    ///
    /// # Errors
    /// `KeyError` for those that there are not, `TypeError` for what is neither.
    pub(crate) fn of_keys(&self, keys: &[Bound<'_, PyAny>]) -> PyResult<Vec<ObjectId>> {
        let find = |key: &Bound<'_, PyAny>| {
            if let Ok(handle) = key.extract::<i64>() {
                return self.of_handle(handle);
            }
            let Ok(name) = key.extract::<String>() else {
                return Err(PyTypeError::new_err(format!(
                    "expected a handle or a name, found {}",
                    key.get_type().name()?
                )));
            };
            let found = self.named(&name);
            found.ok_or_else(|| unknown_object(format!("no object is called {name:?}")))
        };
        keys.iter().map(find).collect()
    }
}

/// What [`Objects::origins_of`] wrote; a scene that was not baked from Python has nothing of it.
fn read_origins(attachment: &[u8]) -> Result<BTreeMap<usize, DVec3>, hitscan::Error> {
    let mut reader = Reader::new(attachment, Vec::new());
    let mut origins = BTreeMap::new();
    for _ in 0..reader.count("origins of shapes", 32)? {
        let number = reader.size("object")?;
        let origin = DVec3::from_array(reader.f64s("origin of a shape")?);
        if origin.is_finite() {
            origins.insert(number, origin);
        }
    }
    Ok(origins)
}

/// The names of the objects that an answer may name.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub(crate) struct Names {
    pub(crate) objects: Arc<Objects>,
}

#[pymethods]
impl Names {
    /// The names of objects by number; `None` for one that there is not.
    fn of(&self, numbers: Vec<i64>) -> Vec<Option<&str>> {
        let name = |number: i64| self.objects.name(usize::try_from(number).ok()?);
        numbers.into_iter().map(name).collect()
    }
}
