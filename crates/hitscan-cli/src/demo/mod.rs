//! The built-in scene: a valley, robots, spheres and crates, and questions about them.
//!
//! Everything is made from formulas, so the demo needs no file and gives the same files
//! everywhere; it reads them back as any user's scene is read. Read `stage.rs` for the scene,
//! `valley.rs` and `robot.rs` for what stands in it, `questions.rs` and `answers.rs` for the rest.

mod answers;
mod body;
mod chart;
mod glb;
mod listing;
mod questions;
mod ridge;
mod robot;
mod solid;
mod stage;
mod valley;
mod walk;

use crate::picture::image::Image;
use crate::picture::world_scene;
use hitscan::Camera;
use hitscan_assets::load_scene;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The size of the demo's picture, pixels.
const PICTURE: [u32; 2] = [1280, 720];
/// The angle of the demo's picture from its lower to its upper edge, degrees.
const FOV_DEGREES: f64 = 46.0;

/// Why the demo could not be made.
#[derive(Debug, Error)]
pub(crate) enum DemoError {
    /// A file or folder could not be written.
    #[error("{}: cannot be written", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The text of the answers could not be written.
    #[error("the answers cannot be printed")]
    Print(#[from] io::Error),
    /// The demo's own files could not be read back.
    #[error(transparent)]
    Read(#[from] hitscan_assets::Error),
    /// A shape of the demo was refused.
    #[error(transparent)]
    Shape(#[from] hitscan::Error),
    /// A picture could not be encoded.
    #[error("a picture cannot be encoded")]
    Picture(#[from] png::EncodingError),
}

/// A table of questions that the demo writes, and the command that answers it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuestionTable {
    /// The command: `ray`, `height` or `sweep`.
    pub(crate) command: &'static str,
    /// The file of questions in the demo's folder.
    pub(crate) questions: &'static str,
    /// The file for the answers beside it.
    pub(crate) answers: &'static str,
}

/// The demo's tables of questions, in the order in which they are told of.
pub(crate) const TABLES: [QuestionTable; 3] = [
    QuestionTable {
        command: "ray",
        questions: "rays.csv",
        answers: "rays_answers.csv",
    },
    QuestionTable {
        command: "height",
        questions: "points.csv",
        answers: "points_answers.csv",
    },
    QuestionTable {
        command: "sweep",
        questions: "moves.csv",
        answers: "moves_answers.csv",
    },
];

/// Writes the demo's scene, questions and pictures into `folder`, and the answers to `out`.
///
/// The tables of answers are left to the commands that [`TABLES`] names.
///
/// # Errors
/// When a file cannot be written or `out` cannot be written to; the others would be faults of ours.
pub(crate) fn run(folder: &Path, out: &mut dyn io::Write) -> Result<(), DemoError> {
    fs::create_dir_all(folder).map_err(|source| DemoError::Write {
        path: folder.to_owned(),
        source,
    })?;
    let ground = valley::field()?;
    let stage = stage::set(&ground);
    let write = |name: &str, bytes: &[u8]| write_file(&folder.join(name), bytes);
    write("valley.png", &valley::png()?)?;
    write("robot.glb", &robot::glb())?;
    write("scene.toml", stage.toml.as_bytes())?;

    let scene = load_scene(&folder.join("scene.toml"))?;
    let comparison = ridge::compare(&ground, &questions::eyes_along_the_river());
    let [eye, look] = stage.view;
    let questions = questions::make(&scene, eye, &comparison)?;
    write("rays.csv", questions.rays_csv().as_bytes())?;
    write("points.csv", questions.points_csv().as_bytes())?;
    write("moves.csv", questions.moves_csv().as_bytes())?;
    answers::write(out, &scene, &questions, &comparison)?;

    let fov = FOV_DEGREES.to_radians();
    let camera = Camera::new(eye.as_vec3(), look.as_vec3(), fov, PICTURE)?;
    let picture = world_scene::draw(scene.world(), &camera, &|| {});
    let map = chart::draw(&scene, &questions, &comparison);
    for (name, image) in [("render.png", picture), ("map.png", map)] {
        let bytes = image.as_ref().map(Image::to_png).transpose()?;
        write(name, &bytes.unwrap_or_default())?;
    }
    write_next_steps(out, folder, stage.view)?;
    Ok(())
}

/// What to type next.
fn write_next_steps(
    out: &mut dyn io::Write,
    folder: &Path,
    [eye, look]: [glam::DVec3; 2],
) -> io::Result<()> {
    let place = |name: &str| folder.join(name).display().to_string();
    let scene = place("scene.toml");
    writeln!(
        out,
        "\nFiles are in {}. Look at render.png and map.png, then try:\n",
        folder.display()
    )?;
    let (rays, points, moves) = (place("rays.csv"), place("points.csv"), place("moves.csv"));
    let commands = [
        format!("ray {scene} {rays}"),
        format!("ray {scene} {rays} --hits all"),
        format!("ray {scene} {rays} --method march"),
        format!(
            "height {scene} {points} --method max --radius {}",
            answers::RADIUS
        ),
        format!("sweep {scene} {moves}"),
        format!("overlap {scene} --exact"),
        format!("info {}", place("robot.glb")),
        format!(
            "render {scene} -o {} --eye {:.2},{:.2},{:.2} --look {:.2},{:.2},{:.2} --fov 60",
            place("again.png"),
            eye.x,
            eye.y,
            eye.z,
            look.x,
            look.y,
            look.z
        ),
    ];
    for command in commands {
        writeln!(out, "  hitscan {command}")?;
    }
    Ok(())
}

/// Writes a file beside its place, then moves it there, so that none is left half-written.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), DemoError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.map_err(|source| {
        // The write's own error is the one to tell; a leftover that cannot go either is no news.
        let _ = fs::remove_file(&beside);
        DemoError::Write {
            path: path.to_owned(),
            source,
        }
    })
}
