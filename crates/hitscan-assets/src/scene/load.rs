//! From a scene file to a world that can be asked: reads what the scene names and makes the shapes.
//!
//! Objects are numbered in the order terrain, model, sphere, box, each in the file's order. A model
//! file that several tables name is read once. Queries stand in `hitscan::world`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DAffine3;
use hitscan::height_field::{Grid, HeightField};
use hitscan::model::{Model, Pose};
use hitscan::world::World;
use hitscan::{Aabb, Sphere};

use super::entry::{ClipChoice, ModelEntry, SceneFile, TerrainEntry};
use crate::heights::{HeightFormat, HeightScale, read_heights};
use crate::model_file::read_file;
use crate::suggest::closest;
use crate::{Error, ModelOptions, UpAxis, read_model};

/// A world and the names of what is in it.
#[derive(Debug)]
pub struct Scene {
    world: World,
    objects: Vec<SceneObject>,
    notes: Vec<String>,
}

/// An object of a scene.
#[derive(Debug, Clone)]
pub struct SceneObject {
    /// Its unique name.
    pub name: String,
    /// What it is.
    pub shape: SceneShape,
}

/// What an object of a scene is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SceneShape {
    /// Terrain.
    Terrain(Arc<HeightField>),
    /// A model, before it is posed and placed; the world has it as it stands.
    Model(Arc<Model>),
    /// A sphere.
    Sphere(Sphere),
    /// A box.
    Box(Aabb),
}

impl Scene {
    /// The world, up to date and ready to be asked. Its object `k` is object `k` here.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The objects, in the order in which the world numbers them.
    #[must_use]
    pub fn objects(&self) -> &[SceneObject] {
        &self.objects
    }

    /// What the files left out or do oddly, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The name of an object.
    #[must_use]
    pub fn object_name(&self, object: usize) -> Option<&str> {
        self.objects.get(object).map(|object| object.name.as_str())
    }

    /// The name of a part of a model; `None` for other objects.
    #[must_use]
    pub fn part_name(&self, object: usize, part: usize) -> Option<&str> {
        match &self.objects.get(object)?.shape {
            SceneShape::Model(model) => model.parts().get(part).map(|part| part.name()),
            _ => None,
        }
    }
}

/// Reads the scene file at `path` and all files that it names.
///
/// # Errors
/// For a fault of any of the files, with the file, the place and what was expected.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("hitscan-scene-{}.toml", std::process::id()));
/// std::fs::write(&path, "[[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n")?;
/// let scene = hitscan_assets::scene::load_scene(&path)?;
/// let ray = hitscan::Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])?;
/// let hit = scene.world().cast_ray(&ray, hitscan::Sides::Both).unwrap();
/// assert_eq!(scene.object_name(hit.object.index()), Some("crate"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_scene(path: &Path) -> Result<Scene, Error> {
    refuse_other_files(path)?;
    let bytes = read_file(path, u64::MAX)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        Error::undecodable(path, place, "a scene file, which is text (TOML)", error)
    })?;
    let file = SceneFile::parse(path, text.strip_prefix('\u{feff}').unwrap_or(text))?;

    let mut builder = Builder {
        path,
        scene: Scene {
            world: World::new(),
            objects: Vec::new(),
            notes: Vec::new(),
        },
        models: BTreeMap::new(),
    };
    for entry in &file.terrains {
        builder.add_terrain(entry)?;
    }
    for entry in &file.models {
        builder.add_model(entry)?;
    }
    for entry in &file.spheres {
        let sphere = Sphere::new(entry.center, entry.radius)
            .map_err(|source| Error::refused(path, &entry.place, source))?;
        builder.scene.world.add_sphere(sphere);
        builder.name(&entry.name, SceneShape::Sphere(sphere));
    }
    for entry in &file.boxes {
        let aabb = Aabb::new(entry.min, entry.max)
            .map_err(|source| Error::refused(path, &entry.place, source))?;
        builder.scene.world.add_aabb(aabb);
        builder.name(&entry.name, SceneShape::Box(aabb));
    }
    builder.scene.world.update();
    Ok(builder.scene)
}

/// Tells someone who names a model or a height map where a scene is wanted what to do.
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

/// A model file and how it is read.
type ModelKey = (PathBuf, Option<usize>, bool);

/// The scene as far as it is made.
struct Builder<'a> {
    path: &'a Path,
    scene: Scene,
    models: BTreeMap<ModelKey, Arc<Model>>,
}

impl Builder<'_> {
    fn name(&mut self, name: &str, shape: SceneShape) {
        self.scene.objects.push(SceneObject {
            name: name.to_owned(),
            shape,
        });
    }

    fn add_terrain(&mut self, entry: &TerrainEntry) -> Result<(), Error> {
        let bytes = read_file(&entry.heights, u64::MAX)?;
        let image = read_heights(&entry.heights, &bytes, entry.size)?;
        drop(bytes);
        let spacing = entry.spacing.or(image.spacing_m()).ok_or_else(|| {
            let what = format!(
                "the key `spacing`, metres between samples, which {} does not state,",
                entry.heights.display()
            );
            Error::missing(self.path, &entry.place, what)
        })?;
        let scale = match (entry.range, entry.height_scale) {
            (Some([low, high]), None | Some(1.0)) => HeightScale::Range { low, high },
            (Some(_), Some(_)) => {
                let expected = "either `range` or `height_scale`";
                return Err(Error::malformed(self.path, &entry.place, expected, "both"));
            }
            (None, factor) => HeightScale::MetresPerUnit(factor.unwrap_or(1.0)),
        };
        let grid = Grid {
            columns: image.columns(),
            rows: image.rows(),
            spacing,
            origin: entry.origin,
            diagonal: entry.diagonal,
        };
        let heights = image.into_heights(scale)?;
        let field = HeightField::new(grid, heights)
            .map_err(|source| Error::refused(&entry.heights, "samples", source))?;
        let field = Arc::new(field);
        self.scene.world.add_height_field(Arc::clone(&field));
        self.name(&entry.name, SceneShape::Terrain(field));
        Ok(())
    }

    fn add_model(&mut self, entry: &ModelEntry) -> Result<(), Error> {
        let model = self.model(entry)?;
        let world_from_model = DAffine3::from_scale_rotation_translation(
            entry.scale,
            entry.rotation,
            entry.translation,
        );
        let posed;
        let pose = match &entry.clip {
            None => model.rest_pose(),
            Some((clip, time_secs)) => {
                posed = self.pose(entry, &model, clip, *time_secs)?;
                &posed
            }
        };
        self.scene
            .world
            .add_model(&model, pose, world_from_model)
            .map_err(|source| Error::refused(self.path, &entry.place, source))?;
        self.name(&entry.name, SceneShape::Model(model));
        Ok(())
    }

    fn model(&mut self, entry: &ModelEntry) -> Result<Arc<Model>, Error> {
        let key = (entry.file.clone(), entry.scene, entry.up == UpAxis::Z);
        if let Some(model) = self.models.get(&key) {
            return Ok(Arc::clone(model));
        }
        let options = ModelOptions {
            scene: entry.scene,
            up: entry.up,
        };
        let file = read_model(&entry.file, &options)?;
        let shown = entry.file.display();
        let notes = file.notes.iter().map(|note| format!("{shown}: {note}"));
        self.scene.notes.extend(notes);
        let model = Model::new(file.data)
            .map_err(|source| Error::refused(&entry.file, "the model", source))?;
        let model = Arc::new(model);
        self.models.insert(key, Arc::clone(&model));
        Ok(model)
    }

    fn pose(
        &self,
        entry: &ModelEntry,
        model: &Model,
        clip: &ClipChoice,
        time_secs: f64,
    ) -> Result<Pose, Error> {
        let clips = model.clips().len();
        let index = match clip {
            ClipChoice::Index(index) if *index < clips => *index,
            ClipChoice::Index(index) => {
                let expected = format!(
                    "an index below the {clips} clips of {}",
                    entry.file.display()
                );
                return Err(Error::malformed(
                    self.path,
                    &entry.place,
                    expected,
                    index.to_string(),
                ));
            }
            ClipChoice::Name(name) => model.find_clip(name).ok_or_else(|| {
                let names: Vec<&str> = model
                    .clips()
                    .iter()
                    .filter_map(|clip| clip.name())
                    .collect();
                Error::UnknownName {
                    path: self.path.to_owned(),
                    place: entry.place.clone(),
                    what: "clip",
                    name: name.clone(),
                    suggestion: closest(name, &names).map(str::to_owned),
                }
            })?,
        };
        model
            .pose_at(index, time_secs)
            .map_err(|source| Error::refused(self.path, &entry.place, source))
    }
}
