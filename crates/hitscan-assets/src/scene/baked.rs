//! Baked scenes: the world, and what its objects are called, in one file that is used where it lies.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hitscan::World;
use hitscan::baked::{Bytes, Reader, Texts, Writer};
use hitscan::model::Model;

use super::camera::SceneCamera;
use super::content::{ClipTime, Scene};
use super::scene_model::SceneModel;
use crate::Error;
use crate::baked::{sections, write};
use crate::georeference::MapFrame;
use crate::mapped::map_file;
use crate::model_file::{PartColors, Remarks};

/// Bakes a scene into the file at `path`, which is there whole or not at all.
///
/// The file holds all that answers and pictures need, the objects as [`Scene::now`] has them; none of the
/// scene's own files is looked at again. Equal scenes make equal files, on every machine.
///
/// # Errors
/// Those of the system.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("hitscan-bake-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("crate.baked");
/// let text = "[[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
/// let scene = hitscan_assets::load_scene_text("crate.toml".as_ref(), text)?;
/// hitscan_assets::bake(&scene, &path)?;
/// let baked = hitscan_assets::open_baked(&path)?;
/// let ray = hitscan::Ray::new([0.5, 3.0, 0.5], [0.0, -1.0, 0.0])?;
/// let everything = hitscan::QueryFilter::new();
/// let hit = baked.now().cast_ray(&ray, (hitscan::Sides::Both, everything)).unwrap();
/// assert_eq!(baked.object_name(hit.object.unwrap()), Some("crate"));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake(scene: &Scene, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = write_whole(scene, &beside).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The cause is what is reported.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_whole(scene: &Scene, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write_baked(scene, &mut file)?;
    file.into_inner()?.sync_all()
}

/// Writes the bytes of a baked scene, those of [`bake`].
///
/// # Errors
/// Those of `to`.
pub fn write_baked(scene: &Scene, to: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new();
    scene.now().bake(&mut writer);
    scene.names().bake(&mut writer);
    writer.size(scene.clips().len());
    for (object, ClipTime { clip, time_secs }) in scene.clips() {
        writer.u32(*object);
        writer.u32(*clip);
        writer.f64(*time_secs);
    }
    bake_models(scene, &mut writer);
    for lines in [scene.notes(), scene.warnings()] {
        writer.size(lines.len());
        lines.iter().for_each(|line| writer.text(line));
    }
    writer.bool(scene.frame().is_some());
    if let Some(frame) = scene.frame() {
        frame.bake(&mut writer);
    }
    writer.bool(scene.camera().is_some());
    if let Some(camera) = scene.camera() {
        camera.bake(&mut writer);
    }
    writer.array(scene.attachment());
    let (table, arrays) = writer.into_parts();
    write(&table, &arrays, to)
}

/// Opens a baked scene: the file is mapped, and its arrays are used where they lie. Processes that open
/// the same file share its memory.
///
/// The file must not be written to while it is open; [`bake`] replaces it, which does no harm.
///
/// # Errors
/// [`Error::Malformed`] for a file that is damaged or no baked world, [`Error::Unsupported`] for one of
/// another version, [`Error::Refused`] for a value that queries could not live with, [`Error::Io`]
/// where it cannot be read.
pub fn open_baked(path: &Path) -> Result<Scene, Error> {
    open_baked_bytes(path, &map_file(path)?)
}

/// Opens a baked scene in bytes that were at `path`, for messages. Arrays are borrowed where the bytes are
/// kept and begin at a multiple of 64, else copied.
///
/// # Errors
/// As [`open_baked`].
pub fn open_baked_bytes(path: &Path, bytes: &Bytes<'_>) -> Result<Scene, Error> {
    let (table, arrays) = sections(path, bytes)?;
    let mut reader = Reader::new(table.as_slice(), arrays);
    let scene = read(&mut reader).and_then(|scene| reader.finish().map(|()| scene));
    scene.map_err(|source| Error::refused(path, "the baked world", source))
}

fn read(reader: &mut Reader<'_>) -> Result<Scene, hitscan::Error> {
    let world = World::from_baked(reader)?;
    let names = Texts::from_baked(reader)?;
    if names.len() != world.now().object_count() {
        return Err(reader.refused("names of objects", "as many as there are objects"));
    }
    let mut clips = Vec::new();
    for _ in 0..reader.count("clips of objects", 16)? {
        let object = reader.u32("object of a clip")?;
        let clip = reader.u32("clip")?;
        let time_secs = reader.f64("time in a clip")?;
        if clips.last().is_some_and(|(before, _)| *before >= object) {
            return Err(reader.refused("object of a clip", "one after that before"));
        }
        clips.push((object, ClipTime { clip, time_secs }));
    }
    let models = read_models(reader, &world)?;
    let mut remarks = Remarks::default();
    for lines in [&mut remarks.notes, &mut remarks.warnings] {
        for _ in 0..reader.count("remarks", 8)? {
            lines.push(reader.text("remark")?.to_owned());
        }
    }
    let frame = match reader.bool("map frame")? {
        true => Some(MapFrame::from_baked(reader)?),
        false => None,
    };
    let camera = match reader.bool("camera")? {
        true => Some(SceneCamera::from_baked(reader)?),
        false => None,
    };
    let attachment = reader.array("attachment")?.as_slice().to_vec();
    let files = Vec::new();
    let scene = Scene::new(world, names.into(), clips, models, remarks, files, None);
    let scene = scene.seen_by(camera);
    let attached = scene.with_attachment(frame, attachment);
    attached.map_err(|_| reader.refused("attachment", "that of a new scene"))
}

fn bake_models<'a>(scene: &'a Scene, writer: &mut Writer<'a>) {
    let now = scene.now();
    let mut shown = BTreeMap::new();
    for (place, object) in now.objects().enumerate() {
        if let Some(model) = now.model(object) {
            shown.entry(Arc::as_ptr(model)).or_insert(place as u64);
        }
    }
    writer.size(scene.models().len());
    for known in scene.models() {
        // Without its folder, on which no answer depends.
        let name = known.file.file_name().unwrap_or_default();
        writer.text(&name.to_string_lossy());
        let place = shown.get(&Arc::as_ptr(&known.model)).copied();
        writer.u64_or_none(place);
        if place.is_none() {
            known.model.bake(writer);
        }
        writer.size(known.colors.len());
        for (part, colors) in known.colors.iter().enumerate() {
            let mut earlier = known.colors[..part].iter();
            let owner = earlier.position(|other| Arc::ptr_eq(other, colors));
            writer.u64_or_none(owner.map(|owner| owner as u64));
            if owner.is_none() {
                bake_colors(colors, writer);
            }
        }
    }
}

fn read_models(reader: &mut Reader<'_>, world: &World) -> Result<Vec<SceneModel>, hitscan::Error> {
    let objects = OnceCell::new();
    let mut models = Vec::new();
    for _ in 0..reader.count("models of a scene", 28)? {
        let file = PathBuf::from(reader.text("file of a model")?);
        let model = match reader.u64_or_none("object of a model")? {
            Some(place) => {
                let objects: &Vec<_> = objects.get_or_init(|| world.now().objects().collect());
                let object = usize::try_from(place).ok().and_then(|at| objects.get(at));
                let model = object.and_then(|object| world.now().model(*object));
                let expected = "one that shows a model";
                let model = model.ok_or_else(|| reader.refused("object of a model", expected))?;
                Arc::clone(model)
            }
            None => Arc::new(Model::from_baked(reader)?),
        };
        let mut colors: Vec<Arc<PartColors>> = Vec::new();
        for _ in 0..reader.count("colours of parts", 12)? {
            let one = match reader.u64_or_none("owner of colours")? {
                Some(owner) => {
                    let owner = usize::try_from(owner).ok().and_then(|at| colors.get(at));
                    let refused = || reader.refused("owner of colours", "an earlier part");
                    Arc::clone(owner.ok_or_else(refused)?)
                }
                None => Arc::new(read_colors(reader)?),
            };
            colors.push(one);
        }
        models.push(SceneModel {
            file,
            model,
            colors,
        });
    }
    Ok(models)
}

fn bake_colors<'a>(colors: &'a PartColors, writer: &mut Writer<'a>) {
    writer.bool(colors.base.is_some());
    let base = colors.base.unwrap_or_default();
    base.into_iter().for_each(|channel| writer.f32(channel));
    let vertices: &[u8] = bytemuck::cast_slice(&colors.vertices);
    writer.array(vertices);
}

fn read_colors(reader: &mut Reader<'_>) -> Result<PartColors, hitscan::Error> {
    let what = "colours of a part";
    let has_base = reader.bool(what)?;
    let base = [reader.f32(what)?, reader.f32(what)?, reader.f32(what)?];
    let vertices = reader.array(what)?;
    let vertices = vertices.as_slice();
    let is_whole = vertices.len().is_multiple_of(size_of::<[f32; 3]>());
    let vertices: Vec<[f32; 3]> = match is_whole {
        true => bytemuck::pod_collect_to_vec(vertices),
        false => return Err(reader.refused(what, "three numbers each")),
    };
    let mut all = vertices.as_flattened().iter().chain(&base);
    if !all.all(|channel| channel.is_finite()) {
        return Err(reader.refused(what, "finite"));
    }
    let base = has_base.then_some(base);
    Ok(PartColors {
        base,
        vertices,
        textured: None,
    })
}
