//! Every picture of the documents, made by the program: `cargo xtask pictures`.
//!
//! The release program builds its demo under `target/` and draws the scene, the crowd and a viewshed; an example of
//! the Python package draws its own; a script beside the page's tests shoots the page of `hitscan view`. A picture that is heavier than the documents allow is an error.

use crate::test::{page, python};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the pictures are, from the root.
const DOCUMENTS: &str = "docs";
/// No picture has more bytes.
const MOST_BYTES: u64 = 300_000;
/// The size of the demo's pictures.
const SIZE: &str = "640x360";
/// Over the heads of the crowd's near robots, down the valley: eye and point looked at.
const CROWD: [&str; 4] = ["--eye", "-11.44,9,74", "--look", "12.15,1.5,30"];
/// The size of the crowd's picture, which holds the finest detail.
const CROWD_SIZE: &str = "560x315";
/// The width to which the viewshed, of a pixel a sample and more, is shrunk.
const VIEWSHED_WIDTH: &str = "400";

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let program = page::release(root)?;
    page::install(root)?;
    let documents = root.join(DOCUMENTS);
    let demo = demo_folder(&program)?;
    let demo = demo.as_path();
    fs::create_dir_all(demo).map_err(|error| format!("{}: {error}", demo.display()))?;

    let made = ["demo", "--force", "--out"];
    output(Command::new(&program).args(made).arg(demo))?;
    let scene = demo.join("scene.toml");
    render(&program, &scene, &documents.join("demo.png"), SIZE, &[])?;
    let crowd = demo.join("crowd.toml");
    render(
        &program,
        &crowd,
        &documents.join("crowd.png"),
        CROWD_SIZE,
        &CROWD,
    )?;
    let guard = ["--eye", "40,60", "--above", "1.7", "--picture"];
    let viewshed = documents.join("viewshed.png");
    let mut command = Command::new(&program);
    command
        .arg("viewshed")
        .arg(&scene)
        .args(guard)
        .arg("-o")
        .arg(viewshed);
    output(&mut command)?;

    python::example(root, "picture.py", &documents.join("python.png"))?;

    let mut script = page::script(root, "pictures.mjs");
    script.arg(&program).arg(&scene).arg(&documents);
    script.args(["viewshed.png", VIEWSHED_WIDTH]);
    output(&mut script)?;
    check(&documents)
}

/// Where the demo is built: below the target folder, with a name that pictures may show.
fn demo_folder(program: &Path) -> Result<PathBuf, String> {
    let target = program.ancestors().nth(2).ok_or("no target folder")?;
    Ok(target.join("pictures/hitscan-demo"))
}

/// Draws a scene from where its file says, or from another view.
fn render(
    program: &Path,
    scene: &Path,
    picture: &Path,
    size: &str,
    view: &[&str],
) -> Result<(), String> {
    let mut command = Command::new(program);
    command.arg("render").arg(scene).arg("-o").arg(picture);
    command.args(["--size", size]).args(view);
    output(&mut command)
}

/// Runs a command that must succeed.
fn output(command: &mut Command) -> Result<(), String> {
    let name = format!("{:?}", command.get_program());
    let output = command
        .output()
        .map_err(|error| format!("{name} did not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{name} failed: {}\n{said}", output.status))
}

/// Lists the pictures, and refuses those that are too heavy.
fn check(documents: &Path) -> Result<(), String> {
    let place = |error| format!("{}: {error}", documents.display());
    let mut heavy = Vec::new();
    for entry in fs::read_dir(documents).map_err(place)? {
        let path = entry.map_err(place)?.path();
        if path.extension().is_none_or(|ending| ending != "png") {
            continue;
        }
        let bytes = fs::metadata(&path).map_err(place)?.len();
        println!("{}: {bytes} bytes", path.display());
        if bytes > MOST_BYTES {
            heavy.push(path.display().to_string());
        }
    }
    match heavy.as_slice() {
        [] => Ok(()),
        heavy => Err(format!(
            "more than {MOST_BYTES} bytes: {}",
            heavy.join(", ")
        )),
    }
}
