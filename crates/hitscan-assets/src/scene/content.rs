//! A scene as it was loaded: the world, and what its objects are called.
//!
//! It is made in `load.rs`. Shapes and transforms are the world's, which reads them back.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hitscan::baked::Texts;
use hitscan::{ObjectId, RayHit, Snapshot, World};

use super::camera::SceneCamera;
use super::given_names::{UnfitNames, named};
use super::names::Names;
use super::scene_model::SceneModel;
use super::scene_textures::SceneTextures;
use crate::georeference::MapFrame;
use crate::model_file::Remarks;
use crate::scene_files::SceneFiles;

/// A world and the names of what is in it.
///
/// A clone shares everything with the original.
#[derive(Debug, Clone)]
pub struct Scene {
    loaded: Arc<Loaded>,
    /// What queries answer from.
    now: Snapshot,
}

#[derive(Debug)]
struct Loaded {
    world: World,
    names: Names,
    /// The handle of each name, once one is requested.
    objects: OnceLock<Vec<ObjectId>>,
    /// The animations of the models that have one, with their objects, in ascending order.
    clips: Vec<(u32, ClipTime)>,
    models: Vec<SceneModel>,
    /// The textures of the models, once they are read.
    textures: OnceLock<SceneTextures>,
    remarks: Remarks,
    files: Vec<PathBuf>,
    frame: Option<MapFrame>,
    camera: Option<SceneCamera>,
    attachment: Vec<u8>,
}

impl Loaded {
    fn objects(&self) -> &[ObjectId] {
        let objects = || self.world.now().objects().collect();
        self.objects.get_or_init(objects)
    }
}

/// A time in an animation of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipTime {
    /// The clip's index in the model.
    pub clip: u32,
    /// Seconds on the clip's own timeline.
    pub time_secs: f64,
}

impl Scene {
    pub(super) fn new(
        world: World,
        names: Names,
        clips: Vec<(u32, ClipTime)>,
        models: Vec<SceneModel>,
        remarks: Remarks,
        files: Vec<PathBuf>,
        frame: Option<MapFrame>,
    ) -> Self {
        let now = world.now().clone();
        let loaded = Loaded {
            objects: OnceLock::new(),
            world,
            names,
            clips,
            models,
            textures: OnceLock::new(),
            remarks,
            files,
            frame,
            camera: None,
            attachment: Vec::new(),
        };
        let loaded = Arc::new(loaded);
        Self { loaded, now }
    }

    pub(super) fn names(&self) -> &Texts {
        self.loaded.names.texts()
    }

    pub(super) fn clips(&self) -> &[(u32, ClipTime)] {
        &self.loaded.clips
    }

    /// A scene of a world that was made by hand, whose objects have these names, in their order. The
    /// numbers of objects that were removed may be missing.
    ///
    /// # Errors
    /// The first name that an object before has already, or an empty one; or how many there are of
    /// other than the world has objects.
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// use hitscan_assets::Scene;
    /// let mut world = World::new();
    /// world.add(Sphere::new([0.0; 3], 1.0)?);
    /// world.update();
    /// let scene = Scene::of_world(world, ["moon"])?;
    /// assert!(scene.object_named("moon").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_world<'a>(
        world: World,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnfitNames> {
        let all = named(world.now(), names)?;
        let (clips, models, files) = (Vec::new(), Vec::new(), Vec::new());
        let remarks = Remarks::default();
        Ok(Self::new(world, all, clips, models, remarks, files, None))
    }

    /// A scene whose tables are answered from a snapshot, of objects with these names, in their order,
    /// and with a place on a map. As a snapshot cannot be edited, [`Scene::world`] has no objects.
    ///
    /// # Errors
    /// As [`Scene::of_world`].
    ///
    /// ```
    /// use hitscan::{Sphere, World};
    /// use hitscan_assets::Scene;
    /// let mut world = World::new();
    /// let moon = world.add(Sphere::new([0.0; 3], 1.0)?);
    /// world.update();
    /// let before = world.now().clone();
    /// world.remove(moon)?;
    /// world.update();
    /// let scene = Scene::of_snapshot(before, ["moon"], None)?;
    /// assert!(scene.now().object_bounds(moon).is_some());
    /// assert_eq!(scene.object_name(moon), Some("moon"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_snapshot<'a>(
        now: Snapshot,
        names: impl IntoIterator<Item = &'a str>,
        frame: Option<MapFrame>,
    ) -> Result<Self, UnfitNames> {
        let loaded = Loaded {
            objects: OnceLock::from(now.objects().collect::<Vec<_>>()),
            world: World::new(),
            names: named(&now, names)?,
            clips: Vec::new(),
            models: Vec::new(),
            textures: OnceLock::new(),
            remarks: Remarks::default(),
            files: Vec::new(),
            frame,
            camera: None,
            attachment: Vec::new(),
        };
        let loaded = Arc::new(loaded);
        Ok(Self { loaded, now })
    }

    /// The same scene, with its models and its place on a map, of what became of its world.
    ///
    /// # Errors
    /// As [`Scene::of_world`].
    pub fn with_world<'a>(
        &self,
        world: World,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnfitNames> {
        let named = Self::of_world(world, names)?;
        let (world, objects) = (named.world(), named.loaded.objects());
        let is_there = |(number, _): &&(u32, ClipTime)| {
            let number = *number as usize;
            objects
                .binary_search_by_key(&number, |object| object.index())
                .is_ok()
        };
        Ok(Self::new(
            world.clone(),
            named.loaded.names.clone(),
            self.clips().iter().filter(is_there).copied().collect(),
            self.loaded.models.clone(),
            self.loaded.remarks.clone(),
            self.loaded.files.clone(),
            self.loaded.frame.clone(),
        )
        .seen_by(self.loaded.camera))
    }

    /// The scene that was just made, with a camera.
    pub(super) fn seen_by(mut self, camera: Option<SceneCamera>) -> Self {
        if let Some(loaded) = Arc::get_mut(&mut self.loaded) {
            loaded.camera = camera;
        }
        self
    }

    /// The scene that was just made, with a place on a map and bytes of its maker's, which baking keeps
    /// and nothing here looks at.
    ///
    /// # Errors
    /// The scene as it was, where clones share it.
    pub fn with_attachment(
        mut self,
        frame: Option<MapFrame>,
        attachment: Vec<u8>,
    ) -> Result<Self, Self> {
        let Some(loaded) = Arc::get_mut(&mut self.loaded) else {
            return Err(self);
        };
        loaded.frame = frame;
        loaded.attachment = attachment;
        Ok(self)
    }

    /// The scene that was just made, with models whose colours are to be known beside those that it has.
    ///
    /// # Errors
    /// The scene as it was, where clones share it.
    pub fn with_models(
        mut self,
        models: impl IntoIterator<Item = SceneModel>,
    ) -> Result<Self, Self> {
        match Arc::get_mut(&mut self.loaded) {
            Some(loaded) => loaded.models.extend(models),
            None => return Err(self),
        }
        Ok(self)
    }

    /// The bytes that [`Scene::with_attachment`] was given; else none.
    #[must_use]
    pub fn attachment(&self) -> &[u8] {
        &self.loaded.attachment
    }

    /// The world as it was loaded, up to date; that of [`Scene::of_snapshot`] is empty.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.loaded.world
    }

    /// What tables are answered from: the world as it was loaded, or what [`Scene::with_now`] was
    /// given.
    #[must_use]
    pub fn now(&self) -> &Snapshot {
        &self.now
    }

    /// The same scene, its tables answered from a snapshot of a clone of its world: other poses, or a
    /// time of its history.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("hitscan-assets-now-{}.toml", std::process::id()));
    /// # std::fs::write(&path, "[[sphere]]\nname = 'moon'\ncenter = [0, 0, 0]\nradius = 2\n")?;
    /// let scene = hitscan_assets::load_scene(&path)?;
    /// let moon = scene.object_named("moon").expect("the scene has it");
    /// let mut world = scene.world().clone();
    /// world.set_primitive(moon, hitscan::Sphere::new([9.0, 0.0, 0.0], 2.0)?)?;
    /// world.update();
    /// let later = scene.with_now(world.now().clone());
    /// let middle = |scene: &hitscan_assets::Scene| scene.now().object_bounds(moon).unwrap().center().x;
    /// assert_eq!((middle(&scene), middle(&later)), (0.0, 9.0));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_now(&self, now: Snapshot) -> Self {
        let loaded = Arc::clone(&self.loaded);
        Self { loaded, now }
    }

    /// The object of this name.
    #[must_use]
    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        let number = self.loaded.names.find(name)?;
        self.loaded.objects().get(number).copied()
    }

    /// How many objects there are.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.loaded.names.len()
    }

    /// What was skipped in the files or is odd, one sentence each: facts for callers that want them.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.loaded.remarks.notes
    }

    /// What is probably meant otherwise, one line each, which begins with the file's name: for whoever
    /// loads the scene.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.loaded.remarks.warnings
    }

    /// The names of all objects, in the order in which the world numbers them.
    pub fn object_names(&self) -> impl Iterator<Item = &str> {
        (0..self.loaded.names.len()).map_while(|number| self.loaded.names.get(number))
    }

    /// The models, each once for each way in which its file is read.
    #[must_use]
    pub fn models(&self) -> &[SceneModel] {
        &self.loaded.models
    }

    /// Reads the textures of the models' base colours, once, for [`Scene::surface_color`] of this scene and
    /// its clones; `files` are those that it was loaded from. Returns what could not be read, one line
    /// each, which begins with the file's name: such parts have no texture. A baked scene has none.
    pub fn read_textures(&self, files: &dyn SceneFiles) -> &[String] {
        let read = || SceneTextures::read(files, &self.loaded.models, &self.loaded.files);
        &self.loaded.textures.get_or_init(read).warnings
    }

    /// The files that [`Scene::read_textures`] read beside [`Scene::files`].
    #[must_use]
    pub fn texture_files(&self) -> &[PathBuf] {
        let textures = self.loaded.textures.get();
        textures.map_or(&[], |textures| &textures.files)
    }

    /// The colour that a model's file gives the surface that a ray hit, linear light from 0 to 1: of the
    /// texture where textures are read.
    #[must_use]
    pub fn surface_color(&self, hit: &RayHit) -> Option<[f32; 3]> {
        let (object, part) = (hit.object?, hit.part()?);
        if self.now.compound_part(object, part).is_some() {
            return None;
        }
        let instance = self.now.model(object)?;
        let mut models = self.loaded.models.iter().enumerate();
        let (index, known) = models.find(|(_, known)| Arc::ptr_eq(&known.model, instance))?;
        let textures = self.loaded.textures.get();
        let textured = textures.and_then(|textures| textures.color(index, known, hit));
        textured.or_else(|| known.surface_color(hit))
    }

    /// The files that the scene names, in its order, and then others that were read for them (glTF's buffers).
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.loaded.files
    }

    /// How x, y, z lie in the coordinates of a map: where the scene has a `[world] origin`, or a
    /// georeferenced terrain.
    #[must_use]
    pub fn frame(&self) -> Option<&MapFrame> {
        self.loaded.frame.as_ref()
    }

    /// The camera of the scene, if its file states one.
    #[must_use]
    pub fn camera(&self) -> Option<&SceneCamera> {
        self.loaded.camera.as_ref()
    }

    /// The name of an object; `None` for a handle that is not of this scene's world.
    #[must_use]
    pub fn object_name(&self, object: ObjectId) -> Option<&str> {
        let objects = self.loaded.objects();
        // Numbers are places, but where objects were removed.
        let place = match objects.get(object.index()) {
            Some(found) if found.index() == object.index() => object.index(),
            _ => objects
                .binary_search_by_key(&object.index(), |found| found.index())
                .ok()?,
        };
        self.loaded.names.get(place)
    }

    /// The name of a part of a model or a compound; `None` for other objects.
    #[must_use]
    pub fn part_name(&self, object: ObjectId, part: u32) -> Option<&str> {
        self.now.part_name(object, part)
    }

    /// The animation of a model; `None` where it is at rest, and for other objects.
    #[must_use]
    pub fn clip_time(&self, object: ObjectId) -> Option<ClipTime> {
        let number = u32::try_from(object.index()).ok()?;
        let place = self
            .loaded
            .clips
            .binary_search_by_key(&number, |(number, _)| *number);
        Some(self.loaded.clips[place.ok()?].1)
    }
}
