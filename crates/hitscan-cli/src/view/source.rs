//! The scene that is viewed: that of a file, or that of the demo, which is made in memory.

use super::files::ReportedFiles;
use crate::arguments::{SingleFileArguments, TexturesArgument, ViewArguments};
use crate::failure::Failure;
use crate::{scene, terminal, warnings};
use hitscan_assets::DiskFiles;
use hitscan_demo::Demo;
use hitscan_view::protocol::SceneSource;
use hitscan_view::viewer::LoadedScene;
use hitscan_view::{Loaded, Loader, Telling};
use std::path::{Path, PathBuf};

/// What is read, at the start and again.
pub(super) enum Source {
    /// The demo's scene.
    Demo,
    /// A scene file, a height map or a model.
    File {
        path: PathBuf,
        options: SingleFileArguments,
        textures: TexturesArgument,
    },
}

impl Source {
    pub(super) fn new(arguments: &ViewArguments) -> Result<Self, Failure> {
        let options = &arguments.single_file;
        let scene = arguments.scene.as_ref();
        match scene.filter(|path| path.as_path() != Path::new(scene::DEMO)) {
            Some(path) => Ok(Self::File {
                path: path.clone(),
                options: options.clone(),
                textures: arguments.textures,
            }),
            None if *options == SingleFileArguments::default() => Ok(Self::Demo),
            None => Err(Failure::usage(
                "--spacing, --range, --georeferenced, --clip and --time go with a height map or a \
                 model: name its file",
            )),
        }
    }

    /// What reads it each time. What goes wrong later than at the start is printed here; the first
    /// time ends the program, which prints it.
    pub(super) fn into_loader(self) -> Loader {
        let mut is_loaded = false;
        Box::new(move |tell| {
            let loaded = self.load(tell).map_err(|failure| failure.text());
            if let Err(message) = &loaded
                && is_loaded
            {
                terminal::say(message);
            }
            is_loaded |= loaded.is_ok();
            loaded
        })
    }

    fn load(&self, tell: Telling<'_>) -> Result<Loaded, Failure> {
        match self {
            Self::Demo => demo(),
            Self::File {
                path,
                options,
                textures,
            } => file(path, options, *textures, tell),
        }
    }
}

/// The scene of `hitscan demo`, without its folder.
fn demo() -> Result<Loaded, Failure> {
    let demo = Demo::new()?;
    let source = SceneSource {
        file: scene::DEMO.to_owned(),
        ..SceneSource::default()
    };
    Ok(Loaded {
        scene: LoadedScene {
            scene: scene::demo(&demo)?,
            name: "demo".to_owned(),
            title: "The demo's valley".to_owned(),
            notes: Vec::new(),
            source,
        },
        files: Vec::new(),
    })
}

fn file(
    path: &Path,
    options: &SingleFileArguments,
    textures: TexturesArgument,
    tell: Telling<'_>,
) -> Result<Loaded, Failure> {
    let single = scene::single_file(path, options)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let assumption = single.as_ref().map(|file| assumption(&name, &file.text));
    let source = source(
        path,
        options,
        single.as_ref().map(|file| file.text.as_str()),
    )?;
    let files = ReportedFiles::new(&DiskFiles, tell);
    let scene = scene::load_from(&files, path, single)?;
    warnings::print(scene.warnings());
    let mut notes = Vec::from_iter(assumption);
    // A single map or model is one of its scene's files; its name may be one for many tiles.
    let own = notes.is_empty().then(|| path.to_owned());
    if textures == TexturesArgument::On {
        let missing = scene.read_textures(&files);
        warnings::print(missing);
        notes.extend_from_slice(missing);
    }
    let files = [scene.files(), scene.texture_files()].concat();
    let files = own.into_iter().chain(files).collect();
    Ok(Loaded {
        scene: LoadedScene {
            scene,
            name: name.clone().into_owned(),
            title: name.into_owned(),
            notes,
            source,
        },
        files,
    })
}

/// What a command elsewhere reads the same scene from; `text` is that of a single file.
fn source(
    path: &Path,
    options: &SingleFileArguments,
    text: Option<&str>,
) -> Result<SceneSource, Failure> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let text = match text {
        Some(text) => {
            let here = scene::quoted(path)?;
            Some(text.replacen(&here, &scene::quoted(&absolute)?, 1))
        }
        None => None,
    };
    Ok(SceneSource {
        file: absolute.to_string_lossy().into_owned(),
        options: options.words(),
        text,
    })
}

/// What a single file is taken for, on one line.
fn assumption(name: &str, text: &str) -> String {
    let is_key = |line: &&str| {
        line.contains(" = ") && !line.starts_with("heights") && !line.starts_with("file")
    };
    let keys: Vec<&str> = text.lines().filter(is_key).collect();
    format!("{name} is read as a scene of its own: {}", keys.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_needs_no_file() {
        let demo = demo().unwrap();
        assert!(demo.files.is_empty());
        assert_eq!(demo.scene.scene.object_names().next(), Some("valley"));
    }

    #[test]
    fn a_single_file_says_what_is_assumed() {
        let text = "[[terrain]]\nheights = \"a.png\"\nspacing = [1.0, 1.0]\ndiagonal = \"anti\"\n";
        let note = "a.png is read as a scene of its own: spacing = [1.0, 1.0], diagonal = \"anti\"";
        assert_eq!(assumption("a.png", text), note);
    }
}
