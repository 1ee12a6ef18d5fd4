//! `hitscan demo`: a valley, robots, spheres and crates, and questions about them.
//!
//! The world and the questions come from `hitscan-demo`; here they are written, read back as any
//! user's scene, answered and printed.

mod invocation;
mod listing;
mod place;
mod shape_answers;
mod answers;
mod frame_cost;
mod answer_tables;
mod next_steps;

use crate::arguments::DemoArguments;
use crate::failure::{Failure, check_interrupt};
use crate::interrupt::INTERRUPTED;
use crate::output::print;
use crate::terminal::escaped_lines;
use crate::{output, render};
use frame_cost::FrameCost;
use hitscan::height_field::Visibility;
use hitscan_assets::{Scene, load_scene};
use hitscan_demo::{Demo, DemoFile, FOV_DEGREES, Questions, draw_map, watch_valley};
use hitscan_picture::{PictureOptions, RenderOptions, View, Viewpoint};
use std::fs;
use std::path::{Path, PathBuf};

/// The size of the demo's pictures, pixels.
const PICTURE: [u32; 2] = [1280, 720];

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

    answer_tables::run(&folder)?;
    let mut text = Vec::new();
    answers::write(&mut text, &scene, &questions, &comparison)
        .map_err(|error| Failure::Other(error.into()))?;
    print(&text)?;

    let map = draw_map(&scene, &questions, &comparison)?;
    render::save(&map, &folder.path("map.png"))?;
    show_viewshed(&folder, &scene, &questions)?;
    let picture = render::picture(scene.now(), &picture_of(view))?;
    render::save(&picture, &folder.path("render.png"))?;
    show_crowd(&folder, demo.crowd_view())?;
    print(escaped_lines(&next_steps::text(&folder, &questions)).as_bytes())
}

/// How the demo's pictures are drawn.
fn picture_of(view: View) -> RenderOptions<'static> {
    RenderOptions {
        picture: PictureOptions {
            viewpoint: Viewpoint::At(view),
            fov_y: FOV_DEGREES.to_radians(),
            ..PictureOptions::new(PICTURE)
        },
        ..RenderOptions::new(PICTURE, &INTERRUPTED)
    }
}

/// Draws what the guard sees, and prints how much it is.
fn show_viewshed(folder: &Folder<'_>, scene: &Scene, questions: &Questions) -> Result<(), Failure> {
    let (viewshed, picture) = watch_valley(scene, questions)?;
    render::save(&picture, &folder.path("viewshed.png"))?;
    let [x, z] = questions.guard;
    let samples = viewshed.samples().len();
    let seen = viewshed.count(Visibility::Visible);
    let text = format!(
        "\nViewshed: a guard at x {x}, z {z} sees {seen} of the valley's {samples} samples \
         (viewshed.png)\n"
    );
    print(text.as_bytes())
}

/// Draws the crowd, and prints what a frame of it costs.
fn show_crowd(folder: &Folder<'_>, view: View) -> Result<(), Failure> {
    let crowd = load_scene(&folder.path("crowd.toml"))?;
    let picture = render::picture(crowd.now(), &picture_of(view))?;
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
