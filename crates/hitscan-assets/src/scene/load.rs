//! Fills a scene: opens the files that a scene file names and makes objects of what is in them.
//!
//! Objects are numbered in the order terrain, model, sphere, box, capsule, oriented box, crowd, each
//! in the file's order. The text of the scene file is read in `parse.rs`; terrain is made in
//! `terrain.rs`, models are read in `models.rs`, crowds placed in `crowd.rs`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DAffine3, DVec3};
use hitscan::baked::Bytes;
use hitscan::height_field::HeightField;
use hitscan::model::{Model, PosedModel};
use hitscan::{Aabb, Capsule, Obb, ObjectId, Sphere, World};

use super::baked::open_baked_bytes;
use super::content::{ClipTime, Scene};
use super::crowd::place_members;
use super::entry::{CrowdEntry, ModelEntry, SceneFile};
use super::ground::Ground;
use super::location::Location;
use super::models::{ModelSource, Models, find_clip, late_time};
use super::names::Names;
use super::precision::{Placements, coarse_warning};
use super::terrain;
use crate::Error;
use crate::baked::{MAGIC, is_baked};
use crate::georeference::MapFrame;
use crate::heights::{HeightFormat, HeightMap};
use crate::model_file::Remarks;
use crate::read_file::MAX_SCENE_BYTES;
use crate::scene_files::{DiskFiles, SceneFiles};

/// Reads the scene file at `path` and all files that it names; or opens a baked scene there.
///
/// # Errors
/// For a fault of any of the files, with the file, the location and what was expected.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("hitscan-scene-{}.toml", std::process::id()));
/// std::fs::write(&path, "[[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n")?;
/// let scene = hitscan_assets::scene::load_scene(&path)?;
/// let ray = hitscan::Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])?;
/// let everything = hitscan::QueryFilter::new();
/// let hit = scene.world().now().cast_ray(&ray, (hitscan::Sides::Both, everything)).unwrap();
/// assert_eq!(scene.object_name(hit.object.unwrap()), Some("crate"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_scene(path: &Path) -> Result<Scene, Error> {
    load_scene_from(&DiskFiles, path)
}

/// Reads the scene file at `path` of `files`, and all files of `files` that it names.
///
/// # Errors
/// As [`load_scene`].
pub fn load_scene_from(files: &dyn SceneFiles, path: &Path) -> Result<Scene, Error> {
    refuse_other_files(path)?;
    if is_baked(&files.read_start(path, MAGIC.len() as u64)?) {
        return match files.keep(path)? {
            Some(bytes) => open_baked_bytes(path, &bytes),
            None => open_baked_bytes(path, &Bytes::lent(&files.read(path, u64::MAX)?)),
        };
    }
    let bytes = files.read(path, MAX_SCENE_BYTES)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let location = format!("byte {}", error.valid_up_to());
        Error::undecodable(path, location, "a scene file, which is text (TOML)", error)
    })?;
    let file = parse(path, text)?;
    // There may be millions of tables.
    drop(bytes);
    fill(files, path, file, None)
}

/// Reads all files that the scene `text` names, as if it were the content of a file at `path`, which
/// is not opened: it gives the folder of relative paths, and its name to errors.
///
/// # Errors
/// As [`load_scene`].
///
/// ```
/// let text = "[[sphere]]\ncenter = [0, 1, 0]\nradius = 1\n";
/// let scene = hitscan_assets::load_scene_text("planet.toml".as_ref(), text)?;
/// assert_eq!(scene.object_names().next(), Some("sphere0"));
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
pub fn load_scene_text(path: &Path, text: &str) -> Result<Scene, Error> {
    load_scene_text_from(&DiskFiles, path, text)
}

/// Reads all files of `files` that the scene `text` names, as [`load_scene_text`] does.
///
/// # Errors
/// As [`load_scene`].
pub fn load_scene_text_from(
    files: &dyn SceneFiles,
    path: &Path,
    text: &str,
) -> Result<Scene, Error> {
    load_scene_with_map(files, path, text, None)
}

/// As [`load_scene_text_from`], where the height map of the scene's first terrain may have been read
/// already, as to know what to say of it in the text.
///
/// # Errors
/// As [`load_scene`].
pub fn load_scene_with_map(
    files: &dyn SceneFiles,
    path: &Path,
    text: &str,
    map: Option<HeightMap>,
) -> Result<Scene, Error> {
    fill(files, path, parse(path, text)?, map)
}

fn parse(path: &Path, text: &str) -> Result<SceneFile, Error> {
    SceneFile::parse(path, text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads all files that `file` names, which is the content of the scene file at `path`, but for the map
/// of the first terrain where that is given.
fn fill(
    files: &dyn SceneFiles,
    path: &Path,
    file: SceneFile,
    map: Option<HeightMap>,
) -> Result<Scene, Error> {
    let mut builder = Builder::new(files, path);
    let tiles = terrain::tiles(files, path, &file)?;
    let maps = tiles.iter().flatten();
    builder.paths = maps.chain(file.model_paths()).cloned().collect();
    files.announce(&builder.paths);
    let warnings = file.warnings.iter();
    let warnings = warnings.map(|warning| format!("{}: {warning}", path.display()));
    builder.remarks.warnings.extend(warnings);
    // Each list is dropped when its objects are made: there may be millions.
    let terrains = terrain::load_all(files, path, &file, &tiles, map, &mut builder.remarks)?;
    builder.frame = terrains.frame;
    for (entry, field) in file.terrains.iter().zip(terrains.fields) {
        let field = Arc::new(field);
        builder.placements.add_grid(field.grid());
        builder.terrains.push(Arc::clone(&field));
        let id = builder.world.add(field);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.models {
        builder.add_model(&entry)?;
    }
    let refused = |location: Location| move |source| Error::refused(path, location, source);
    for entry in file.spheres {
        let sphere = Sphere::new(entry.center, entry.radius).map_err(refused(entry.location))?;
        builder.placements.add(entry.center);
        let id = builder.world.add(sphere);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.boxes {
        let aabb = Aabb::new(entry.min, entry.max).map_err(refused(entry.location))?;
        for corner in [aabb.min(), aabb.max()] {
            builder.placements.add(corner.as_dvec3());
        }
        let id = builder.world.add(aabb);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.capsules {
        let capsule = Capsule::new(entry.a, entry.b, entry.radius);
        for end in [entry.a, entry.b] {
            builder.placements.add(end);
        }
        let id = builder.world.add(capsule.map_err(refused(entry.location))?);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.obbs {
        let obb = Obb::new(entry.center, entry.half_size, entry.rotation);
        builder.placements.add(entry.center);
        let id = builder.world.add(obb.map_err(refused(entry.location))?);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.crowds {
        builder.add_crowd(&entry)?;
    }
    Ok(builder.finish())
}

/// Refuses a model or a height map in place of a scene, with a hint what to do.
fn refuse_other_files(path: &Path) -> Result<(), Error> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let is_model = matches!(
        ending.to_ascii_lowercase().as_str(),
        "glb" | "gltf" | "obj" | "stl" | "ply"
    );
    let (found, table, key) = if is_model {
        ("a model", "model", "file")
    } else if HeightFormat::from_path(path).is_some() {
        ("a height map", "terrain", "heights")
    } else {
        return Ok(());
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let expected = format!(
        "a scene file (TOML), which may name it under `[[{table}]]` as `{key} = \"{name}\"`"
    );
    Err(Error::malformed(path, "file name", expected, found))
}

/// A scene that is being built.
struct Builder<'a> {
    files: &'a dyn SceneFiles,
    path: &'a Path,
    world: World,
    names: Names,
    /// The tables that the names are from.
    locations: Vec<Location>,
    clips: Vec<(u32, ClipTime)>,
    terrains: Vec<Arc<HeightField>>,
    models: Models,
    remarks: Remarks,
    paths: Vec<PathBuf>,
    frame: Option<MapFrame>,
    placements: Placements,
}

impl<'a> Builder<'a> {
    fn new(files: &'a dyn SceneFiles, path: &'a Path) -> Self {
        Self {
            files,
            path,
            world: World::new(),
            names: Names::default(),
            locations: Vec::new(),
            clips: Vec::new(),
            terrains: Vec::new(),
            models: Models::default(),
            remarks: Remarks::default(),
            paths: Vec::new(),
            frame: None,
            placements: Placements::default(),
        }
    }

    fn finish(mut self) -> Scene {
        drop(self.locations);
        self.world.update();
        if self.frame.is_none()
            && let Some(warning) = coarse_warning(self.placements.bounds())
        {
            let line = format!("{}: {warning}", self.path.display());
            self.remarks.warnings.push(line);
        }
        Scene::new(
            self.world,
            self.names,
            self.clips,
            self.models.into_vec(),
            self.remarks,
            self.paths,
            self.frame,
        )
    }

    /// Names the object that was just added.
    fn name(
        &mut self,
        id: ObjectId,
        name: &str,
        location: Location,
        layers: u32,
    ) -> Result<(), Error> {
        // Single names were compared when the text was read; a crowd makes more of them.
        if let Err(other) = self.names.add(name) {
            let other = self.locations.get(other).copied().unwrap_or_default();
            let found = format!("the name `{name}` again, which an object at {other} has");
            let expected = "a name of its own";
            return Err(Error::malformed(self.path, location, expected, found));
        }
        self.locations.push(location);
        let layered = self.world.set_layers(id, layers);
        layered.map_err(|source| Error::refused(self.path, location, source))
    }

    fn add_model(&mut self, entry: &ModelEntry) -> Result<(), Error> {
        let source = ModelSource {
            location: entry.locate("file"),
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
        };
        let model = self
            .models
            .get(self.files, self.path, &source, &mut self.remarks)?;
        let mut clip_time = None;
        if let Some((choice, time_secs)) = &entry.clip {
            let clip = find_clip(self.path, entry.locate("clip"), &model, choice)?;
            if let Some(warning) = late_time(&model, clip, *time_secs) {
                self.warn(entry.locate("time"), &warning);
            }
            clip_time = Some(ClipTime {
                clip,
                time_secs: *time_secs,
            });
        }
        let transform = DAffine3::from_scale_rotation_translation(
            entry.scale,
            entry.rotation,
            self.translation(entry)?,
        );
        self.placements.add(transform.translation);
        let id = self.pose(&model, transform, clip_time);
        let id = id.map_err(|source| {
            let key = match source {
                hitscan::Error::OutOfRange { .. } => "translation",
                _ => "scale",
            };
            Error::refused(self.path, entry.locate(key), source)
        })?;
        self.name(id, &entry.name, entry.location, entry.layers)
    }

    /// Where a model is: at its translation, or above the highest ground there.
    fn translation(&self, entry: &ModelEntry) -> Result<DVec3, Error> {
        let Some(metres) = entry.above_ground else {
            return Ok(entry.translation);
        };
        let DVec3 { x, z, .. } = entry.translation;
        let ground = Ground(&self.terrains).point(x, z).ok_or_else(|| {
            let expected = format!("ground under `{}`, for `on_ground = true`", entry.name);
            let found = format!("none at x = {x}, z = {z}: off every terrain, or over a hole");
            Error::malformed(self.path, entry.locate("on_ground"), expected, found)
        })?;
        Ok(ground + DVec3::Y * metres)
    }

    fn add_crowd(&mut self, entry: &CrowdEntry) -> Result<(), Error> {
        let source = ModelSource {
            location: entry.locate("file"),
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
        };
        let model = self
            .models
            .get(self.files, self.path, &source, &mut self.remarks)?;
        let clip = match &entry.clip {
            Some(choice) => Some(find_clip(self.path, entry.locate("clip"), &model, choice)?),
            None => None,
        };
        let ground = Ground(&self.terrains);
        let warnings = &mut self.remarks.warnings;
        let members = place_members(self.files, self.path, entry, &model, clip, ground, warnings)?;
        let refused = |source| Error::refused(self.path, entry.location, source);
        // Members at rest are all in one pose, which is kept once.
        let at_rest = PosedModel::new(&model, model.rest_pose()).map_err(refused)?;
        let at_rest = Arc::new(at_rest);
        for (index, member) in members.into_iter().enumerate() {
            let transform = member.transform(entry.scale);
            let time_secs = member.time_secs;
            self.placements.add(transform.translation);
            let id = match clip {
                Some(clip) => self.pose(&model, transform, Some(ClipTime { clip, time_secs })),
                None => self.world.add_at(Arc::clone(&at_rest), transform),
            };
            let id = id.map_err(refused)?;
            let name = format!("{}{index}", entry.name);
            self.name(id, &name, entry.location, entry.layers)?;
        }
        Ok(())
    }

    /// Adds a model to the world.
    fn pose(
        &mut self,
        model: &Arc<Model>,
        world_from_model: DAffine3,
        clip_time: Option<ClipTime>,
    ) -> Result<ObjectId, hitscan::Error> {
        let Some(time) = clip_time else {
            return self
                .world
                .add_model(model, model.rest_pose(), world_from_model);
        };
        let pose = model.pose_at(time.clip as usize, time.time_secs)?;
        let id = self.world.add_model(model, &pose, world_from_model)?;
        // Names are numbered in 32 bits, and so are objects.
        let number = u32::try_from(id.index()).unwrap_or(u32::MAX);
        self.clips.push((number, time));
        Ok(id)
    }

    fn warn(&mut self, location: Location, warning: &str) {
        let line = format!("{}: {location}: {warning}", self.path.display());
        self.remarks.warnings.push(line);
    }
}
