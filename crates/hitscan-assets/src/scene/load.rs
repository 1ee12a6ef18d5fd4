//! Fills a scene: opens the files that a scene file names and makes objects of what is in them.
//!
//! Objects are numbered in the order terrain, model, sphere, box, capsule, oriented box, crowd, each
//! in the file's order. A model file that several tables name is read once. The text of the scene
//! file is read in `parse.rs`, a crowd's table in `places.rs`; the world is made in `populate.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3};
use hitscan::height_field::{Grid, HeightField};
use hitscan::model::Model;
use hitscan::{Aabb, Capsule, Obb, Sphere};

use super::content::{ClipTime, ModelInstance, Scene, SceneObject, SceneShape};
use super::entry::{ClipChoice, CrowdEntry, CrowdMembers, ModelEntry, SceneFile, TerrainEntry};
use super::places::{Member, draw_members, read_places};
use super::populate::world_of;
use crate::heights::{HeightFormat, HeightScale, read_heights};
use crate::read_file::read_file;
use crate::suggest::closest;
use crate::{Error, ModelOptions, PartColors, UpAxis, read_model};

/// Reads the scene file at `path` and all files that it names.
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
/// let hit = scene.world().now().cast_ray(&ray, hitscan::Sides::Both, everything).unwrap();
/// assert_eq!(scene.object_name(hit.object.unwrap()), Some("crate"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_scene(path: &Path) -> Result<Scene, Error> {
    refuse_other_files(path)?;
    let bytes = read_file(path, u64::MAX)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let location = format!("byte {}", error.valid_up_to());
        Error::undecodable(path, location, "a scene file, which is text (TOML)", error)
    })?;
    load_scene_text(path, text)
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
/// assert_eq!(scene.objects()[0].name, "sphere0");
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
pub fn load_scene_text(path: &Path, text: &str) -> Result<Scene, Error> {
    let file = SceneFile::parse(path, text.strip_prefix('\u{feff}').unwrap_or(text))?;

    let mut builder = Builder::new(path);
    for entry in &file.terrains {
        let field = builder.terrain(entry)?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Terrain(field),
        )?;
    }
    for entry in &file.models {
        let instance = builder.model_instance(entry)?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Model(instance),
        )?;
    }
    let refused = |location: &str, source| Error::refused(path, location, source);
    for entry in &file.spheres {
        let sphere = Sphere::new(entry.center, entry.radius)
            .map_err(|source| refused(&entry.location, source))?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Sphere(sphere),
        )?;
    }
    for entry in &file.boxes {
        let aabb =
            Aabb::new(entry.min, entry.max).map_err(|source| refused(&entry.location, source))?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Box(aabb),
        )?;
    }
    for entry in &file.capsules {
        let capsule = Capsule::new(entry.a, entry.b, entry.radius)
            .map_err(|source| refused(&entry.location, source))?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Capsule(capsule),
        )?;
    }
    for entry in &file.obbs {
        let obb = Obb::new(entry.center, entry.half_size, entry.rotation)
            .map_err(|source| refused(&entry.location, source))?;
        builder.add(
            &entry.name,
            &entry.location,
            entry.layers,
            SceneShape::Obb(obb),
        )?;
    }
    for entry in &file.crowds {
        builder.add_crowd(entry)?;
    }
    let world = world_of(path, &builder.objects)?;
    let files = file.paths();
    Ok(Scene::new(world, builder.objects, builder.notes, files))
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

/// A model file and how it is read.
type ModelKey = (PathBuf, Option<usize>, bool);

/// A model and the colours of its parts.
type LoadedModel = (Arc<Model>, Arc<[PartColors]>);

/// How a model or crowd refers to its file.
struct ModelSource<'a> {
    location: &'a str,
    file: &'a Path,
    scene: Option<usize>,
    up: UpAxis,
}

/// A scene that is being built.
struct Builder<'a> {
    path: &'a Path,
    objects: Vec<SceneObject>,
    notes: Vec<String>,
    models: BTreeMap<ModelKey, LoadedModel>,
    /// The names given so far, with the locations of their tables.
    names: BTreeMap<String, String>,
}

impl<'a> Builder<'a> {
    fn new(path: &'a Path) -> Self {
        Self {
            path,
            objects: Vec::new(),
            notes: Vec::new(),
            models: BTreeMap::new(),
            names: BTreeMap::new(),
        }
    }

    fn add(
        &mut self,
        name: &str,
        location: &str,
        layers: u32,
        shape: SceneShape,
    ) -> Result<(), Error> {
        // Single names were compared when the text was read; a crowd makes more of them.
        if let Some(other) = self.names.insert(name.to_owned(), location.to_owned()) {
            let found = format!("the name `{name}` again, which an object at {other} has");
            return Err(Error::malformed(
                self.path,
                location,
                "a name of its own",
                found,
            ));
        }
        self.objects.push(SceneObject {
            name: name.to_owned(),
            location: location.to_owned(),
            layers,
            shape,
        });
        Ok(())
    }

    fn terrain(&mut self, entry: &TerrainEntry) -> Result<Arc<HeightField>, Error> {
        let bytes = read_file(&entry.heights, u64::MAX)?;
        let image = read_heights(&entry.heights, &bytes, entry.size)?;
        drop(bytes);
        let spacing = entry.spacing.or(image.spacing_m()).ok_or_else(|| {
            let what = format!(
                "the key `spacing`, metres between samples, which {} does not state,",
                entry.heights.display()
            );
            Error::missing(self.path, &entry.location, what)
        })?;
        let scale = match (entry.range, entry.height_scale) {
            (Some([low, high]), None | Some(1.0)) => HeightScale::Range { low, high },
            (Some(_), Some(_)) => {
                let expected = "either `range` or `height_scale`";
                return Err(Error::malformed(
                    self.path,
                    &entry.location,
                    expected,
                    "both",
                ));
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
        Ok(Arc::new(field))
    }

    fn model_instance(&mut self, entry: &ModelEntry) -> Result<ModelInstance, Error> {
        let source = ModelSource {
            location: &entry.location,
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
        };
        let (model, colors) = self.model(&source)?;
        let clip = match &entry.clip {
            None => None,
            Some((clip, time_secs)) => Some(ClipTime {
                clip: self.clip(&source, &model, clip)?,
                time_secs: *time_secs,
            }),
        };
        Ok(ModelInstance {
            model,
            colors,
            world_from_model: DAffine3::from_scale_rotation_translation(
                entry.scale,
                entry.rotation,
                entry.translation,
            ),
            clip,
        })
    }

    fn add_crowd(&mut self, entry: &CrowdEntry) -> Result<(), Error> {
        let source = ModelSource {
            location: &entry.location,
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
        };
        let (model, colors) = self.model(&source)?;
        let clip = entry.clip.as_ref();
        let clip = clip
            .map(|choice| self.clip(&source, &model, choice))
            .transpose()?;
        let members = match &entry.members {
            CrowdMembers::Table(path) => read_places(path, clip.is_some())?,
            CrowdMembers::Seeded { count, seed, area } => {
                let times = clip.and_then(|clip| model.clips().get(clip));
                let times = times.map_or((0.0, 0.0), |clip| (clip.start_secs(), clip.end_secs()));
                draw_members(*count, *seed, *area, times)
            }
        };
        for (index, member) in members.iter().enumerate() {
            let instance = ModelInstance {
                model: Arc::clone(&model),
                colors: Arc::clone(&colors),
                world_from_model: self.transform(member, entry.scale),
                clip: clip.map(|clip| ClipTime {
                    clip,
                    time_secs: member.time_secs,
                }),
            };
            let name = format!("{}{index}", entry.name);
            self.add(
                &name,
                &entry.location,
                entry.layers,
                SceneShape::Model(instance),
            )?;
        }
        Ok(())
    }

    /// The transform of a member of a crowd: at its own height, else on the highest ground there,
    /// else at 0.
    fn transform(&self, member: &Member, scale: DVec3) -> DAffine3 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "heights are answered at points of f32"
        )]
        let (x, z) = (member.x as f32, member.z as f32);
        let ground = || {
            let heights = self
                .objects
                .iter()
                .filter_map(|object| match &object.shape {
                    SceneShape::Terrain(field) => field.elevation([x, z]).map(f64::from),
                    _ => None,
                });
            heights.reduce(f64::max).unwrap_or(0.0)
        };
        // On the ground it is exactly where the height was taken.
        let translation = match member.y {
            Some(y) => DVec3::new(member.x, y, member.z),
            None => DVec3::new(f64::from(x), ground(), f64::from(z)),
        };
        let (sine, cosine) = (libm::sin(member.turn * 0.5), libm::cos(member.turn * 0.5));
        let rotation = DQuat::from_xyzw(0.0, sine, 0.0, cosine);
        DAffine3::from_scale_rotation_translation(scale * member.scale, rotation, translation)
    }

    fn model(&mut self, source: &ModelSource) -> Result<LoadedModel, Error> {
        let key = (source.file.to_owned(), source.scene, source.up == UpAxis::Z);
        if let Some(loaded) = self.models.get(&key) {
            return Ok(loaded.clone());
        }
        let options = ModelOptions {
            scene: source.scene,
            up: source.up,
        };
        let file = read_model(source.file, &options)?;
        let shown = source.file.display();
        let notes = file.notes.iter().map(|note| format!("{shown}: {note}"));
        self.notes.extend(notes);
        let model = Model::new(file.data)
            .map_err(|error| Error::refused(source.file, "the model", error))?;
        let loaded: LoadedModel = (Arc::new(model), file.colors.into());
        self.models.insert(key, loaded.clone());
        Ok(loaded)
    }

    /// The index of a clip.
    fn clip(
        &self,
        source: &ModelSource,
        model: &Model,
        choice: &ClipChoice,
    ) -> Result<usize, Error> {
        let clips = model.clips().len();
        match choice {
            ClipChoice::Index(index) if *index < clips => Ok(*index),
            ClipChoice::Index(index) => {
                let shown = source.file.display();
                let expected = format!("an index below the {clips} clips of {shown}");
                let found = index.to_string();
                Err(Error::malformed(
                    self.path,
                    source.location,
                    expected,
                    found,
                ))
            }
            ClipChoice::Name(name) => model.find_clip(name).ok_or_else(|| {
                let names: Vec<&str> = model
                    .clips()
                    .iter()
                    .filter_map(|clip| clip.name())
                    .collect();
                Error::UnknownName {
                    path: self.path.to_owned(),
                    location: source.location.to_owned(),
                    what: "clip",
                    name: name.clone(),
                    suggestion: closest(name, &names).map(str::to_owned),
                }
            }),
        }
    }
}
