//! `hitscan demo`: a valley, robots, spheres and crates, and questions about them.
//!
//! The world and the questions come from `hitscan-demo`; here they are written, read back as any
//! user's scene, answered and printed.

mod invocation;
mod listing;
mod answers;
mod frame_cost;

use crate::arguments::{
    DemoArguments, ExplainArguments, HeightArguments, HeightMethod, Hits, OutputArguments,
    OverlapsArgument, RayArguments, RayMethod, SceneArguments, ShapeArgument, SidesArgument,
    SingleFileArguments, SweepArguments,
};
use crate::failure::{Failure, check_interrupt};
use crate::interrupt::INTERRUPTED;
use crate::output::print;
use crate::terminal::escaped_lines;
use crate::{height, output, ray, render, sweep};
use frame_cost::FrameCost;
use hitscan_assets::load_scene;
use hitscan_demo::{Demo, DemoFile, Questions, draw_map};
use hitscan_picture::{RenderOptions, View, Viewpoint};
use std::fs;
use std::path::{Path, PathBuf};

/// The size of the demo's pictures, pixels.
const PICTURE: [u32; 2] = [1280, 720];
/// The angle of the demo's pictures from their lower to their upper edge, degrees: the default of
/// `hitscan render`.
const FOV_DEGREES: f64 = 50.0;

/// Writes the demo's scene, tables and pictures, and prints questions beside answers.
pub(crate) fn run(arguments: &DemoArguments) -> Result<(), Failure> {
    let folder = Folder(&arguments.out);
    let demo = Demo::new()?;
    let files = demo.files()?;
    if !arguments.force {
        folder.refuse_other_content(&files)?;
    }
    folder.create()?;
    folder.write(&files)?;
    let scene = load_scene(&folder.path("scene.toml"))?;
    let comparison = demo.compare_march();
    check_interrupt()?;
    let view = demo.view();
    let questions = Questions::new(&scene, view.eye, &comparison)?;
    folder.write(&questions.files())?;

    answer_tables(&folder)?;
    let mut text = Vec::new();
    answers::write(&mut text, &scene, &questions, &comparison)
        .map_err(|error| Failure::Other(error.into()))?;
    print(&text)?;

    let map = draw_map(&scene, &questions, &comparison)?;
    render::save(&map, &folder.path("map.png"))?;
    let picture = render::picture(scene.world(), &picture_of(view))?;
    render::save(&picture, &folder.path("render.png"))?;
    show_crowd(&folder, demo.crowd_view())?;
    print(escaped_lines(&next_steps(&folder, view)).as_bytes())
}

/// How the demo's pictures are drawn.
fn picture_of(view: View) -> RenderOptions<'static> {
    RenderOptions {
        viewpoint: Viewpoint::At(view),
        fov_y: FOV_DEGREES.to_radians(),
        ..RenderOptions::new(PICTURE, &INTERRUPTED)
    }
}

/// Draws the crowd, and prints what a frame of it costs.
fn show_crowd(folder: &Folder<'_>, view: View) -> Result<(), Failure> {
    let crowd = load_scene(&folder.path("crowd.toml"))?;
    let picture = render::picture(crowd.world(), &picture_of(view))?;
    render::save(&picture, &folder.path("crowd.png"))?;
    let cost = FrameCost::measure(crowd.world())?;
    print(format!("\n{cost}").as_bytes())
}

/// The folder that the demo is written to.
struct Folder<'a>(&'a Path);

impl Folder<'_> {
    fn create(&self) -> Result<(), Failure> {
        fs::create_dir_all(self.0).map_err(|error| {
            let folder = self.0.display();
            Failure::other(format!("{folder}: the folder cannot be made: {error}"))
        })
    }

    /// Refuses a folder with content, unless it is a demo's and as the demo wrote it.
    fn refuse_other_content(&self, files: &[DemoFile]) -> Result<(), Failure> {
        let Some(mut entries) = fs::read_dir(self.0).ok() else {
            return Ok(());
        };
        let mut is_own = false;
        for file in files {
            match fs::read(self.path(file.name)) {
                Ok(found) if found == file.bytes => is_own = true,
                Ok(_) => {
                    let changed = self.path(file.name);
                    return Err(Failure::usage(format!(
                        "{}: not the file that this demo writes: choose another folder by --out, \
                         or replace the file by --force",
                        changed.display()
                    )));
                }
                Err(_) => {}
            }
        }
        if is_own || entries.next().is_none() {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "{}: the folder is not empty, and no demo was written to it: choose another by --out, \
             or write to it all the same by --force",
            self.0.display()
        )))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, files: &[DemoFile]) -> Result<(), Failure> {
        let mut files = files.iter();
        files.try_for_each(|file| output::write(&self.path(file.name), &file.bytes))
    }
}
/// Answers the tables of questions as the commands do.
fn answer_tables(folder: &Folder<'_>) -> Result<(), Failure> {
    let scene = || SceneArguments {
        scene: folder.path("scene.toml"),
        single_file: SingleFileArguments::default(),
    };
    let answers = |name| OutputArguments {
        output: Some(folder.path(name)),
        ..OutputArguments::default()
    };
    ray::run(&RayArguments {
        scene: scene(),
        rays: folder.path("rays.csv"),
        output: answers("rays_answers.csv"),
        hits: Hits::Nearest,
        sides: SidesArgument::Both,
        method: RayMethod::Exact,
        step: None,
        bisections: None,
        bind: false,
        explain: ExplainArguments::default(),
    })?;
    height::run(&HeightArguments {
        scene: scene(),
        points: folder.path("points.csv"),
        output: answers("points_answers.csv"),
        method: HeightMethod::Exact,
        radius: None,
    })?;
    sweep::run(&SweepArguments {
        scene: scene(),
        moves: folder.path("moves.csv"),
        output: answers("moves_answers.csv"),
        shape: ShapeArgument::Box,
        sides: SidesArgument::Both,
        overlaps: OverlapsArgument::Stop,
        hits: Hits::Nearest,
        contact: false,
        explain: ExplainArguments::default(),
    })
}

/// Commands to try next.
fn next_steps(folder: &Folder<'_>, View { eye, target }: View) -> String {
    let place = |name: &str| invocation::word(&folder.path(name).display().to_string());
    let (scene, rays) = (place("scene.toml"), place("rays.csv"));
    let (points, moves) = (place("points.csv"), place("moves.csv"));
    let (robot, crowd) = (place("robot.glb"), place("crowd.toml"));
    let again = place("again.png");
    let radius = answers::RADIUS;
    let [width, height] = PICTURE;
    let commands = [
        format!("ray {scene} {rays} --hits all"),
        format!("ray {scene} {rays} --method march"),
        format!("height {scene} {points} --method mean --radius {radius}"),
        format!("sweep {scene} {moves}"),
        format!("overlap {scene} --exact"),
        format!("info {crowd}"),
        format!("info {robot}"),
        format!(
            "render {scene} -o {again} --size {width}x{height} --eye {:.2},{:.2},{:.2} --look {:.2},{:.2},{:.2}",
            eye.x, eye.y, eye.z, target.x, target.y, target.z
        ),
    ];
    let mut text = format!(
        "\nIn {} are the scene, the questions (rays.csv, points.csv, moves.csv), the answers\n\
         (*_answers.csv) and three pictures: render.png, map.png and crowd.png. Try next:\n\n",
        folder.0.display()
    );
    let program = invocation::program();
    for command in commands {
        text.push_str(&format!("  {program} {command}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_its_own_while_its_files_are_as_written() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = |name, bytes: &[u8]| DemoFile {
            name,
            bytes: bytes.to_vec(),
        };
        let files = [file("a", b"1"), file("b", b"2")];
        let is_refused = |path: &Path| Folder(path).refuse_other_content(&files).is_err();
        assert!(!is_refused(folder.path()), "empty");
        assert!(!is_refused(&folder.path().join("absent")));
        fs::write(folder.path().join("mine"), "mine").unwrap();
        assert!(is_refused(folder.path()), "something else");
        fs::write(folder.path().join("a"), "1").unwrap();
        assert!(!is_refused(folder.path()), "its own");
        fs::write(folder.path().join("b"), "changed").unwrap();
        assert!(is_refused(folder.path()), "changed");
    }
}
