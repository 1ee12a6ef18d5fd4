//! Fills a scene: opens the files that a scene file names and makes objects of what is in them.
//!
//! Objects are numbered in the order terrain, model, sphere, box, capsule, oriented box, crowd, hull, cylinder,
//! compound, each in the file's order. The text of the scene file is read in `parse.rs`; terrain is made in
//! `terrain.rs`, models and crowds in `builder.rs`.

use std::path::Path;
use std::sync::Arc;

use hitscan::baked::Bytes;
use hitscan::{Aabb, Capsule, Cylinder, Obb, Sphere};

use super::baked::open_baked_bytes;
use super::builder::Builder;
use super::content::Scene;
use super::entry::SceneFile;
use super::faults::Faults;
use super::location::Location;
use super::recorded_files::RecordedFiles;
use super::terrain;
use crate::Error;
use crate::baked::{MAGIC, is_baked};
use crate::heights::{HeightFormat, HeightMap};
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
    load_with(files, path, &mut Faults::end_at_first())
}

/// Reads a scene as [`load_scene_from`] does, and goes on where something of it is at fault.
///
/// # Errors
/// All faults, in the order of the text: of each table every value that is at fault, and of those that are
/// sound the file that they name. What another fault may be the cause of is none: a missing key beside
/// one of a wrong name, no ground where a terrain is at fault. After a thousand the reading ends.
///
/// ```
/// use hitscan_assets::{DiskFiles, check_scene_from};
/// # let path = std::env::temp_dir().join(format!("hitscan-check-{}.toml", std::process::id()));
/// std::fs::write(&path, "[[sphere]]\ncentre = 1\nradius = 0\n[[model]]\nfile = 'no.glb'\n")?;
/// let faults = check_scene_from(&DiskFiles, &path).unwrap_err();
/// let lines: Vec<_> = faults.iter().filter_map(|fault| fault.line_and_column()).collect();
/// assert_eq!(lines.iter().map(|place| place.line).collect::<Vec<_>>(), [2, 5]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check_scene_from(files: &dyn SceneFiles, path: &Path) -> Result<Scene, Vec<Error>> {
    all_faults(|faults| load_with(files, path, faults))
}

/// Reads a scene as [`load_scene_text_from`] does, and goes on where something of it is at fault.
///
/// # Errors
/// As [`check_scene_from`].
pub fn check_scene_text_from(
    files: &dyn SceneFiles,
    path: &Path,
    text: &str,
) -> Result<Scene, Vec<Error>> {
    check_scene_with_map(files, path, text, None)
}

/// As [`check_scene_text_from`], where the height map of the scene's first terrain may have been read
/// already, as for [`load_scene_with_map`].
///
/// # Errors
/// As [`check_scene_from`].
pub fn check_scene_with_map(
    files: &dyn SceneFiles,
    path: &Path,
    text: &str,
    map: Option<HeightMap>,
) -> Result<Scene, Vec<Error>> {
    all_faults(|faults| load_text_with(files, path, (text, map), faults))
}

fn all_faults(load: impl FnOnce(&mut Faults) -> Result<Scene, Error>) -> Result<Scene, Vec<Error>> {
    let mut faults = Faults::collect();
    let loaded = load(&mut faults);
    match loaded {
        Ok(scene) if !faults.is_some() => Ok(scene),
        loaded => Err(faults.into_sorted(loaded.err())),
    }
}

fn load_with(files: &dyn SceneFiles, path: &Path, faults: &mut Faults) -> Result<Scene, Error> {
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
    let file = parse(path, text, faults)?;
    // There may be millions of tables.
    drop(bytes);
    fill(files, path, file, None, faults)
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
    load_text_with(files, path, (text, map), &mut Faults::end_at_first())
}

fn load_text_with(
    files: &dyn SceneFiles,
    path: &Path,
    (text, map): (&str, Option<HeightMap>),
    faults: &mut Faults,
) -> Result<Scene, Error> {
    fill(files, path, parse(path, text, faults)?, map, faults)
}

fn parse(path: &Path, text: &str, faults: &mut Faults) -> Result<SceneFile, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    SceneFile::parse_with(path, text, faults)
}

/// Reads all files that `file` names, which is the content of the scene file at `path`, but for the map
/// of the first terrain where that is given. What has a collected fault is skipped.
fn fill(
    files: &dyn SceneFiles,
    path: &Path,
    file: SceneFile,
    map: Option<HeightMap>,
    faults: &mut Faults,
) -> Result<Scene, Error> {
    let recorded = RecordedFiles::new(files);
    let files: &dyn SceneFiles = &recorded;
    let mut builder = Builder::new(files, path, &file);
    let tiles = terrain::tiles(files, path, &file, faults)?;
    let maps = tiles.iter().flatten().flatten();
    builder.paths = maps.chain(file.model_paths()).cloned().collect();
    files.announce(&builder.paths);
    let warnings = file.warnings.iter();
    let warnings = warnings.map(|warning| format!("{}: {warning}", path.display()));
    builder.remarks.warnings.extend(warnings);
    if file.one_surface && !file.terrains.iter().any(|entry| entry.georeferenced) {
        let warning = "`one_surface` in `[world]` is for georeferenced terrains, and there is none: \
                       others share a surface by the same `surface = \"...\"`";
        let warning = format!("{}: {warning}", path.display());
        builder.remarks.warnings.push(warning);
    }
    // Each list is dropped when its objects are made: there may be millions.
    let maps = (&tiles[..], map);
    if let Some(terrains) =
        terrain::load_all(files, path, &file, maps, &mut builder.remarks, faults)?
    {
        builder.frame = terrains.frame;
        for (entry, field) in file.terrains.iter().zip(terrains.fields) {
            let field = Arc::new(field);
            builder.placements.add_grid(field.grid());
            builder.terrains.push(Arc::clone(&field));
            let id = builder.world.add(field);
            builder.name(id, &entry.name, entry.location, entry.layers)?;
            if entry.surface.is_some() || file.one_surface && entry.georeferenced {
                builder.put_on_surface(id, entry.surface.as_deref(), entry.location)?;
            }
        }
    } else {
        faults.hide_ground();
    }
    builder.is_ground_known = !faults.hides_ground();
    for entry in file.models {
        faults.keep(builder.add_model(&entry))?;
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
        faults.keep(builder.add_crowd(&entry))?;
    }
    for entry in file.hulls {
        faults.keep(builder.add_hull(&entry))?;
    }
    for entry in file.cylinders {
        let cylinder = Cylinder::new(entry.a, entry.b, entry.radius);
        for end in [entry.a, entry.b] {
            builder.placements.add(end);
        }
        let id = builder
            .world
            .add(cylinder.map_err(refused(entry.location))?);
        builder.name(id, &entry.name, entry.location, entry.layers)?;
    }
    for entry in file.compounds {
        faults.keep(builder.add_compound(&entry))?;
    }
    let others = recorded.beside(&builder.paths);
    builder.paths.extend(others);
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
