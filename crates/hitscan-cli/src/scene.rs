//! The scene that a command queries: the scene file, or one that holds a single height map or model.
//!
//! For a single file the text of a scene is made, printed, and read as any scene is, so that what is
//! printed says the same by construction.

use crate::arguments::{SceneArguments, SingleFileArguments};
use crate::failure::Failure;
use crate::{link, output, progress, terminal, warnings};
use hitscan::World;
use hitscan_assets::georeference::{Crs, MapUnit};
use hitscan_assets::heights::{HeightFormat, HeightMap};
use hitscan_assets::{
    DiskFiles, Error, MemoryFiles, ModelFormat, Scene, SceneFiles, check_scene_from,
    check_scene_with_map, load_scene_from, load_scene_with_map,
};
use hitscan_demo::Demo;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The scene of `hitscan demo`, in place of a file.
pub(crate) const DEMO: &str = "demo:";

/// Loads what the arguments name. `output`, where a command has one, must not be one of its files.
pub(crate) fn load(arguments: &SceneArguments, output: Option<&Path>) -> Result<Scene, Failure> {
    let path = &arguments.scene;
    let link = arguments.parsed_link()?;
    if let Some(output) = output {
        output::refuse_input(output, path)?;
        output::check_place(output)?;
    }
    // Apart from what follows, which prints.
    let single = progress::while_loading(path, || single_file(path, &arguments.single_file))?;
    let scene = progress::while_loading(path, || load_from(&DiskFiles, path, single))?;
    warnings::print(scene.warnings());
    if let Some(output) = output {
        refuse_files(output, &scene)?;
    }
    match &link {
        Some(link) => link::posed(&scene, link),
        None => Ok(scene),
    }
}

/// Refuses an output that is one of the files of the scene.
pub(crate) fn refuse_files(output: &Path, scene: &Scene) -> Result<(), Failure> {
    let mut files = scene.files().iter();
    files.try_for_each(|file| output::refuse_input(output, file))
}

/// Loads what the arguments name, or finds all that is wrong with it.
pub(crate) fn check(arguments: &SceneArguments) -> Result<Result<Scene, Vec<Error>>, Failure> {
    let path = &arguments.scene;
    if path == Path::new(DEMO) {
        return load(arguments, None).map(Ok);
    }
    let single = progress::while_loading(path, || single_file(path, &arguments.single_file));
    let single = match single {
        // What is wrong with a map is found where its place is needed for the text.
        Err(Failure::Input(error)) => match error.downcast::<Error>() {
            Ok(error) => return Ok(Err(vec![*error])),
            Err(error) => return Err(Failure::Input(error)),
        },
        single => single?,
    };
    let link = arguments.parsed_link()?;
    let loaded = progress::while_loading(path, || match single {
        None => check_scene_from(&DiskFiles, path),
        Some(SingleFile { text, map }) => {
            check_scene_with_map(&DiskFiles, &printed(path, &text), &text, map)
                .map_err(|faults| faults.into_iter().map(without_line).collect())
        }
    });
    match (loaded, link) {
        (Ok(scene), Some(link)) => link::posed(&scene, &link).map(Ok),
        (loaded, _) => Ok(loaded),
    }
}

/// An error of a file without where the scene names it: the line of a scene that nobody wrote says nothing.
fn without_line(error: Error) -> Error {
    match error {
        Error::ReferredFault { source, .. } => *source,
        error => error,
    }
}

/// A scene without objects: what can be checked of a table before the scene is loaded needs no more.
pub(crate) fn empty() -> Result<Scene, Failure> {
    Scene::of_world(World::new(), []).map_err(|error| Failure::Other(error.into()))
}

/// The scene of a single height map or model.
pub(crate) struct SingleFile {
    pub(crate) text: String,
    /// The map, where it had to be read for the text.
    map: Option<HeightMap>,
}

/// The scene of the single height map or model at `path`; none of a scene file.
pub(crate) fn single_file(
    path: &Path,
    options: &SingleFileArguments,
) -> Result<Option<SingleFile>, Failure> {
    if HeightFormat::from_path(path).is_some() {
        terrain(path, options).map(Some)
    } else if ModelFormat::is_model(path) {
        let text = model_text(path, options)?;
        Ok(Some(SingleFile { text, map: None }))
    } else {
        refuse_options(options).map(|()| None)
    }
}

/// Loads the scene file at `path`, or the scene of a single height map or model there, whose text is
/// printed.
pub(crate) fn load_from(
    files: &dyn SceneFiles,
    path: &Path,
    single: Option<SingleFile>,
) -> Result<Scene, Failure> {
    let Some(SingleFile { text, map }) = single else {
        return match path == Path::new(DEMO) {
            true => demo(&Demo::new()?),
            false => Ok(load_scene_from(files, path)?),
        };
    };
    let name = printed(path, &text);
    load_scene_with_map(files, &name, &text, map).map_err(|error| without_line(error).into())
}

/// The scene of the demo, without its folder.
pub(crate) fn demo(demo: &Demo) -> Result<Scene, Failure> {
    let mut files = MemoryFiles::default();
    for file in demo.files()? {
        files.add(file.name, file.bytes);
    }
    Ok(load_scene_from(&files, Path::new("scene.toml"))?)
}

/// Prints the scene `text` of the file at `path`, and returns its name as a file.
fn printed(path: &Path, text: &str) -> PathBuf {
    let shown = path.display();
    terminal::say(&format!(
        "{shown} is read as this scene:\n{}",
        text.trim_end()
    ));
    // A file of this name in the current folder would have to say the same: paths in it are
    // relative to that folder.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("the scene of {name}"))
}

/// The scene of one height map.
fn terrain(path: &Path, options: &SingleFileArguments) -> Result<SingleFile, Failure> {
    if options.clip.is_some() || options.time.is_some() {
        let shown = path.display();
        return Err(Failure::usage(format!(
            "{shown}: a height map has no animation: --clip and --time go with a model"
        )));
    }
    let (place, map) = match options.spacing {
        Some(spacing) => (Place::Spacing(spacing), None),
        None if options.georeferenced => (Place::OnEarth, None),
        None => place(path)?,
    };
    let mut text = format!("[[terrain]]\nheights = {}\n", quoted(path)?);
    if let Place::Spacing([x, z]) = place {
        text.push_str(&format!("spacing = [{x:?}, {z:?}]\n"));
    }
    if let Some([low, high]) = options.range {
        text.push_str(&format!("range = [{low:?}, {high:?}]\n"));
    }
    text.push_str(match place {
        Place::OnEarth => "georeferenced = true\n",
        _ if options.georeferenced => "georeferenced = true\n",
        Place::OnMap => "origin = [0.0, 0.0, 0.0]\ngeoreferenced = true\n",
        Place::Own | Place::Spacing(_) => "origin = [0.0, 0.0, 0.0]\n",
    });
    text.push_str("diagonal = \"anti\"\n");
    Ok(SingleFile { text, map })
}

/// How a height map gets its spacing and place.
enum Place {
    /// By the spacing that its file states in metres.
    Own,
    /// By the spacing that its file states in metres, with the coordinates of its map beside x and z.
    OnMap,
    /// By its file's degrees, which become metres where it is on the earth.
    OnEarth,
    /// By this spacing, metres.
    Spacing([f64; 2]),
}

/// The place of a height map for which no spacing is given, and the map where that was read for it.
fn place(path: &Path) -> Result<(Place, Option<HeightMap>), Failure> {
    const DEFAULT: Place = Place::Spacing([1.0, 1.0]);
    match HeightFormat::from_path(path) {
        Some(HeightFormat::Asc) => Ok((Place::Own, None)),
        Some(HeightFormat::Tiff | HeightFormat::Hgt) => {
            let map = HeightMap::read(path, None)?;
            let place = match (map.spacing_m(), map.georeference()) {
                (Some(_), Ok(georeference)) if is_map_in_metres(&georeference.crs) => Place::OnMap,
                (Some(_), _) => Place::Own,
                (None, Ok(_)) => Place::OnEarth,
                (None, Err(_)) => DEFAULT,
            };
            Ok((place, Some(map)))
        }
        _ => Ok((DEFAULT, None)),
    }
}

/// Whether a file states a projected system whose unit is the metre.
fn is_map_in_metres(crs: &Crs) -> bool {
    crs.unit == MapUnit::Metre && (crs.epsg.is_some() || crs.name.is_some())
}

/// The scene of one model.
fn model_text(path: &Path, options: &SingleFileArguments) -> Result<String, Failure> {
    if options.spacing.is_some() || options.range.is_some() || options.georeferenced {
        let shown = path.display();
        return Err(Failure::usage(format!(
            "{shown}: a model has no samples: --spacing, --range and --georeferenced go with a \
             height map"
        )));
    }
    let mut text = format!("[[model]]\nfile = {}\n", quoted(path)?);
    text.push_str("translation = [0.0, 0.0, 0.0]\nrotation = [0.0, 0.0, 0.0, 1.0]\nscale = 1.0\n");
    text.push_str("up = \"y\"\n");
    let clip = match (&options.clip, options.time) {
        (None, None) => return Ok(text),
        (None, Some(_)) => "0".to_owned(),
        (Some(clip), _) => string(clip),
    };
    let time = options.time.unwrap_or(0.0);
    // Writing to a string does not fail.
    let _ = write!(text, "clip = {clip}\ntime = {time:?}\n");
    Ok(text)
}

/// Refuses options that say how a single file is read.
fn refuse_options(options: &SingleFileArguments) -> Result<(), Failure> {
    let given = [
        ("--spacing", options.spacing.is_some(), "[[terrain]]"),
        ("--range", options.range.is_some(), "[[terrain]]"),
        ("--georeferenced", options.georeferenced, "[[terrain]]"),
        ("--clip", options.clip.is_some(), "[[model]]"),
        ("--time", options.time.is_some(), "[[model]]"),
    ];
    match given.iter().find(|(_, is_given, _)| *is_given) {
        None => Ok(()),
        Some((option, _, table)) => Err(Failure::usage(format!(
            "{option} goes with a height map or a model in place of a scene: in a scene file it is \
             the key `{}` of a {table}",
            option.trim_start_matches('-')
        ))),
    }
}

/// A path as a string of TOML.
pub(crate) fn quoted(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().ok_or_else(|| {
        let shown = path.display();
        Failure::usage(format!(
            "{shown}: the path is not UTF-8, as a scene needs: rename the file"
        ))
    })?;
    Ok(string(text))
}

/// A basic string of TOML.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if terminal::is_escaped(character) => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_those_of_toml() {
        assert_eq!(string("a \"b\" \\c\u{1b}"), r#""a \"b\" \\c\u001B""#);
    }
}
