//! `cargo xtask bevy --window`: the window of `bevy/window` on a virtual screen, drawn by Mesa's software driver for
//! Vulkan, with a pointer that its script moves.
//!
//! Where the driver draws nothing, its error is shown, and the example `picture` runs instead: the same
//! answers, without a renderer.

use super::super::counts::Counts;
use super::super::steps::{announced, has_component};
use super::Workspace;
use crate::debian;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const BUILT: [&str; 3] = ["--package", "window", "--ignore-rust-version"];

/// What the script prints first, once frames are drawn.
const DRAWN: &str = "drawn by ";

const XVFB_RUN: &str = "/usr/bin/xvfb-run";

/// The programs that a virtual screen is run by, each with the package that brings it.
const PROGRAMS: [(&str, &str); 2] = [("xvfb", XVFB_RUN), ("xauth", "/usr/bin/xauth")];

/// Where drivers for Vulkan say that they are there, and how Mesa's software driver begins its name.
const DRIVERS: (&str, &str) = ("/usr/share/vulkan/icd.d", "lvp_icd");

/// What winit and the renderer open at run time, each with the package that brings it.
const LIBRARIES: [(&str, &str); 8] = [
    ("libvulkan1", "libvulkan.so.1"),
    ("libx11-6", "libX11.so.6"),
    ("libx11-xcb1", "libX11-xcb.so.1"),
    ("libxcursor1", "libXcursor.so.1"),
    ("libxi6", "libXi.so.6"),
    ("libxrandr2", "libXrandr.so.2"),
    ("libxkbcommon0", "libxkbcommon.so.0"),
    ("libxkbcommon-x11-0", "libxkbcommon-x11.so.0"),
];

/// Builds the window, and runs its script; the screenshot goes to `picture`.
pub(super) fn run(workspace: &Workspace<'_>, picture: &Path) -> Result<Counts, String> {
    let mut counts = Counts::default();
    if has_component(workspace.root, "clippy", "clippy") {
        let strict = ["--all-targets", "--", "--deny", "warnings"];
        let lints = [&["clippy"][..], &BUILT, &strict].concat();
        workspace.step("lints of window", &lints, &[])?;
    } else {
        counts += Counts::skip("clippy");
    }
    workspace.step("window, built", &[&["build"][..], &BUILT].concat(), &[])?;
    let drawn = match announced("what a window needs", install) {
        Ok(()) => announced("window", || script(workspace, picture))?,
        Err(reason) => Outcome::NotDrawn(reason),
    };
    match drawn {
        Outcome::Passed => {
            println!("the screenshot: {}", picture.display());
            counts.passed += 1;
        }
        Outcome::NotDrawn(reason) => {
            println!(
                "\nnot run: the window ({reason}); the example picture draws without a driver"
            );
            let target = workspace.target.join("picture.png");
            let target = target.to_string_lossy();
            let run = ["run", "--package", "bevy_hitscan", "--example", "picture"];
            let run = [&run[..], &["--", &target]].concat();
            workspace.step("picture in place of the window", &run, &[])?;
            counts += Counts::skip("window");
        }
    }
    Ok(counts)
}

/// How the script ended, where it did not fail.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// No frame was drawn, for this reason.
    NotDrawn(String),
}

/// Installs what is missing.
fn install() -> Result<(), String> {
    for (package, file) in PROGRAMS {
        debian::install(package, &|| Path::new(file).exists())?;
    }
    debian::install("mesa-vulkan-drivers", &has_driver)?;
    for (package, library) in LIBRARIES {
        debian::install(package, &|| has_library(library))?;
    }
    Ok(())
}

fn has_driver() -> bool {
    let (folder, name) = DRIVERS;
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = files.map(|file| file.file_name());
    names.any(|file| file.to_string_lossy().starts_with(name))
}

fn has_library(name: &str) -> bool {
    let multiarch = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let folders = [&*multiarch, "/usr/lib64", "/usr/lib"];
    folders
        .iter()
        .any(|folder| Path::new(folder).join(name).exists())
}

/// Runs the window's script on a screen that nobody sees.
fn script(workspace: &Workspace<'_>, picture: &Path) -> Result<Outcome, String> {
    let window = workspace.target.join("debug/window");
    let mut child = Command::new(XVFB_RUN)
        .args([
            "--auto-servernum",
            "--server-args",
            "-screen 0 1280x1024x24",
        ])
        .arg(&window)
        .arg("--script")
        .arg(picture)
        // The software driver, on machines with others too.
        .envs([
            ("WGPU_BACKEND", "vulkan"),
            ("WGPU_FORCE_FALLBACK_ADAPTER", "1"),
        ])
        .current_dir(workspace.root)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{XVFB_RUN} did not start: {error}"))?;
    let output = child.stdout.take().ok_or("the window has no output")?;
    let mut has_drawn = false;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("the window's output broke off: {error}"))?;
        has_drawn |= line.starts_with(DRAWN);
        println!("{line}");
    }
    let status = child
        .wait()
        .map_err(|error| format!("the window was lost: {error}"))?;
    outcome(status.success(), has_drawn, &status.to_string())
}

/// A script that fails after frames were drawn has found something wrong; before, the driver has.
fn outcome(is_success: bool, has_drawn: bool, status: &str) -> Result<Outcome, String> {
    match (is_success, has_drawn) {
        (true, true) => Ok(Outcome::Passed),
        (false, true) => Err(format!("the window's script failed: {status}")),
        (_, false) => Ok(Outcome::NotDrawn(format!(
            "it drew nothing, see above: {status}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_script_that_drew_passes_or_fails() {
        assert_eq!(outcome(true, true, "exit status: 0"), Ok(Outcome::Passed));
        let failed = "the window's script failed: exit status: 1";
        assert_eq!(
            outcome(false, true, "exit status: 1"),
            Err(failed.to_owned())
        );
        for is_success in [false, true] {
            let reason = "it drew nothing, see above: exit status: 101".to_owned();
            let found = outcome(is_success, false, "exit status: 101");
            assert_eq!(found, Ok(Outcome::NotDrawn(reason)));
        }
    }
}
