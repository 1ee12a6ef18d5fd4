//! `hitscan demo`: a valley, robots, spheres and crates, and questions about them.
//!
//! Everything is made from formulas, so the demo needs no file and gives the same files
//! everywhere; it reads them back as any user's scene is read. Read `stage.rs` for the scene,
//! `valley.rs` and `robot.rs` for what stands in it, `questions.rs` and `answers.rs` for the rest.

mod answers;
mod body;
mod chart;
mod crowd;
mod glb;
mod listing;
mod questions;
mod ridge;
mod robot;
mod solid;
mod stage;
mod valley;
mod walk;

use crate::arguments::{
    DemoArguments, HeightArguments, HeightMethod, Hits, OutputArguments, RayArguments, RayMethod,
    SidesArgument, SweepArguments,
};
use crate::failure::Failure;
use crate::picture::view::View;
use crate::scene::OpenScene;
use crate::watch::check_interrupt;
use crate::{ask, render, whole_file};
use questions::Questions;
use ridge::Comparison;
use stage::Stage;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The size of the demo's picture, pixels.
const PICTURE: [u32; 2] = [1280, 720];
/// The angle of the demo's picture from its lower to its upper edge, degrees: what `hitscan render`
/// takes when nobody says otherwise.
const FOV_DEGREES: f64 = 50.0;

/// Writes the demo's scene, tables and pictures, and prints questions beside answers.
pub(crate) fn run(arguments: &DemoArguments) -> Result<(), Failure> {
    let folder = Folder(&arguments.out);
    let Demo {
        scene,
        view,
        questions,
        comparison,
    } = prepare(&folder)?;
    answer_tables(&folder)?;
    let mut text = Vec::new();
    answers::write(&mut text, &scene, &questions, &comparison).map_err(fault)?;
    print(&text)?;

    let map = chart::draw(&scene, &questions, &comparison)
        .ok_or_else(|| Failure::other("the demo's scene has no terrain to map"))?;
    render::save(&map, &folder.path("map.png"))?;
    let fov = FOV_DEGREES.to_radians();
    let picture = render::picture(scene.world(), Some(view), fov, PICTURE)?;
    render::save(&picture, &folder.path("render.png"))?;
    show_crowd(&folder, fov)?;
    print(next_steps(&folder, view).as_bytes())
}

/// Draws the crowd, and tells what a frame of it costs.
fn show_crowd(folder: &Folder<'_>, fov: f64) -> Result<(), Failure> {
    let crowd = OpenScene::read(&folder.path("crowd.toml"))?;
    let view = crowd::view(&valley::field().map_err(fault)?);
    let picture = render::picture(crowd.world(), Some(view), fov, PICTURE)?;
    render::save(&picture, &folder.path("crowd.png"))?;
    let cost = crowd::time_frames(crowd.world()).map_err(fault)?;
    print(format!("\n{}", cost.sentence()).as_bytes())
}

/// The demo's world and what is asked of it.
struct Demo {
    scene: OpenScene,
    view: View,
    questions: Questions,
    comparison: Comparison,
}

/// Writes the scene, reads it back, and writes the questions about it.
fn prepare(folder: &Folder<'_>) -> Result<Demo, Failure> {
    folder.create()?;
    let ground = valley::field().map_err(fault)?;
    let Stage { toml, view } = stage::set(&ground);
    folder.write("valley.png", &valley::png().map_err(fault)?)?;
    folder.write("robot.glb", &robot::glb())?;
    folder.write("scene.toml", toml.as_bytes())?;
    folder.write("crowd.toml", crowd::toml().as_bytes())?;

    let scene = OpenScene::read(&folder.path("scene.toml"))?;
    let comparison = ridge::compare(&ground, &questions::eyes_along_the_river());
    check_interrupt()?;
    let questions = questions::make(&scene, view.eye, &comparison).map_err(fault)?;
    folder.write("rays.csv", questions.rays_csv().as_bytes())?;
    folder.write("points.csv", questions.points_csv().as_bytes())?;
    folder.write("moves.csv", questions.moves_csv().as_bytes())?;
    Ok(Demo {
        scene,
        view,
        questions,
        comparison,
    })
}

/// The folder that the demo writes to.
struct Folder<'a>(&'a Path);

impl Folder<'_> {
    fn create(&self) -> Result<(), Failure> {
        fs::create_dir_all(self.0).map_err(|error| {
            let folder = self.0.display();
            Failure::other(format!("{folder}: the folder cannot be made: {error}"))
        })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        whole_file::write(&self.path(name), bytes)
    }
}

/// Answers the tables of questions as the commands do.
fn answer_tables(folder: &Folder<'_>) -> Result<(), Failure> {
    let scene = || folder.path("scene.toml");
    let output = |name| OutputArguments {
        output: Some(folder.path(name)),
        strict: false,
    };
    ask::ray::run(&RayArguments {
        scene: scene(),
        rays: folder.path("rays.csv"),
        output: output("rays_answers.csv"),
        hits: Hits::Nearest,
        sides: SidesArgument::Both,
        method: RayMethod::Exact,
        step: None,
        bisections: None,
        bind: false,
    })?;
    ask::height::run(&HeightArguments {
        scene: scene(),
        points: folder.path("points.csv"),
        output: output("points_answers.csv"),
        method: HeightMethod::Exact,
        radius: None,
    })?;
    ask::sweep::run(&SweepArguments {
        scene: scene(),
        moves: folder.path("moves.csv"),
        output: output("moves_answers.csv"),
    })
}

/// What to type next.
fn next_steps(folder: &Folder<'_>, View { eye, look }: View) -> String {
    let place = |name: &str| folder.path(name).display().to_string();
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
            eye.x, eye.y, eye.z, look.x, look.y, look.z
        ),
    ];
    let mut text = format!(
        "\nIn {} are the scene, the questions (rays.csv, points.csv, moves.csv), the answers\n\
         (*_answers.csv) and three pictures: render.png, map.png and crowd.png. Try next:\n\n",
        folder.0.display()
    );
    for command in commands {
        text.push_str("  hitscan ");
        text.push_str(&command);
        text.push('\n');
    }
    text
}

/// Prints to standard output; nobody reading it is no failure.
fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::OutputClosed),
        Err(error) => Err(Failure::other(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// A fault of the demo's own content, which no input causes.
fn fault(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    Failure::Other(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::QueryFilter;
    use hitscan::RayHit;
    use hitscan::shape_cast::StartState;
    use hitscan::{Side, Sides};

    /// The demo in a folder of its own, which is gone at the end.
    fn with_demo(test: impl FnOnce(&Demo)) {
        let name = format!("hitscan-demo-test-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let demo = prepare(&Folder(&folder));
        fs::remove_dir_all(&folder).unwrap();
        test(&demo.unwrap());
    }

    #[test]
    fn each_question_meets_what_it_is_about() {
        with_demo(|demo| {
            let world = demo.scene.world();
            let ray = |about: &str| -> Option<(RayHit, String)> {
                let is_wanted = |asked: &&questions::Asked<_>| asked.about == about;
                let asked = demo.questions.rays.iter().find(is_wanted).unwrap();
                let met = world
                    .now()
                    .cast_ray(&asked.question, Sides::Both, QueryFilter::new())?;
                let name = demo.scene.object_name(met.object?).to_owned();
                let part = met.triangle.map_or(0, |on| on.part);
                let part = demo.scene.part_name(met.object?, part).unwrap_or_default();
                Some((met, format!("{name} {part}")))
            };
            let place = |about| ray(about).map(|(_, place)| place);
            assert_eq!(place("the eye looks at ada").as_deref(), Some("ada Core"));
            let tail = place("from the side at cleo's tail");
            assert_eq!(tail.as_deref(), Some("cleo Tail"));
            let face = place("the eye looks at bruno's face").unwrap();
            assert!(face.starts_with("bruno "), "{face}");
            assert_eq!(
                place("straight down on the balloon").as_deref(),
                Some("balloon ")
            );
            assert_eq!(
                place("the eye looks at the crates").as_deref(),
                Some("crate-c ")
            );
            let (buoy, _) = ray("from inside the buoy").unwrap();
            assert_eq!((buoy.t, buoy.side), (0.0, Side::Inside));
            let (below, _) = ray("from under the ground upwards").unwrap();
            assert_eq!(below.side, Side::Back);
            assert_eq!(place("towards ada but too short"), None);
            assert_eq!(place("into the sky"), None);

            let moved: Vec<(String, Option<StartState>)> = demo
                .questions
                .moves
                .iter()
                .map(
                    |asked| match world.now().cast_shape(&asked.question, QueryFilter::new()) {
                        Some(met) => (
                            demo.scene.object_name(met.object.unwrap()).to_owned(),
                            Some(met.start),
                        ),
                        None => (String::new(), None),
                    },
                )
                .collect();
            let expected = [
                ("crate-c", Some(StartState::Separate)),
                ("bruno", Some(StartState::Separate)),
                ("balloon", Some(StartState::Separate)),
                ("valley", Some(StartState::Separate)),
                ("crate-c", Some(StartState::Overlap)),
                ("", None),
                ("", None),
            ];
            assert_eq!(
                moved,
                expected.map(|(name, start)| (name.to_owned(), start))
            );
        });
    }

    #[test]
    fn the_march_is_shown_to_be_wrong_in_both_ways() {
        let ground = valley::field().unwrap();
        let comparison = ridge::compare(&ground, &questions::eyes_along_the_river());
        assert!(
            comparison.rays > 1000 && comparison.wrong > 20,
            "{comparison:?}"
        );
        let found: Vec<bool> = comparison
            .worst
            .iter()
            .map(|mistake| mistake.marched.is_some())
            .collect();
        assert_eq!(found, [true, false]);
    }
}
