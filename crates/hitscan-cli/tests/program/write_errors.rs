//! Write errors: the exit code of a full device, and of a closed pipe, which is no failure.

use crate::{Folder, RAMP, program};
use std::fs::OpenOptions;
use std::process::Stdio;

fn folder() -> Folder {
    let folder = Folder::with_scene(
        "[[terrain]]\nheights = \"ramp.asc\"\n[[sphere]]\ncenter = [1, 3, 1]\nradius = 2.5\n",
    );
    folder.write("ramp.asc", RAMP);
    folder.write("points.csv", "x,z\n1,1\n");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n1,9,1,0,-1,0\n");
    let moves = "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n1,8,1,2,9,2,0,-9,0\n";
    folder.write("moves.csv", moves);
    folder
}

const COMMANDS: [&[&str]; 12] = [
    &["info", "scene.toml"],
    &["info", "ramp.asc"],
    &["height", "scene.toml", "points.csv"],
    &["ray", "scene.toml", "rays.csv"],
    &["sweep", "scene.toml", "moves.csv"],
    &["overlap", "scene.toml"],
    &["overlap", "scene.toml", "--exact"],
    &["height", "scene.toml", "points.csv", "--format", "csv.gz"],
    &["height", "scene.toml", "points.csv", "--format", "csv.zst"],
    &["height", "scene.toml", "points.csv", "--format", "parquet"],
    &["height", "scene.toml", "points.csv", "--format", "arrow"],
    &["--help"],
];

#[test]
fn a_full_device_is_exit_code_1() {
    let folder = folder();
    for command in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = program(&folder.path(""))
            .args(command)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {message}");
        assert!(
            message.contains("standard output"),
            "{command:?}: {message}"
        );
        assert!(message.contains("No space left"), "{command:?}: {message}");
    }
    for format in ["csv", "csv.gz", "csv.zst", "parquet", "arrow"] {
        let run = folder.run(&[
            "height",
            "scene.toml",
            "points.csv",
            "-o",
            "/dev/full",
            "--format",
            format,
        ]);
        assert_eq!(run.code, 1, "{format}: {}", run.stderr);
        assert!(run.stderr.contains("/dev/full"), "{}", run.stderr);
    }
}

#[test]
fn a_closed_output_is_quiet_success_for_every_command() {
    let folder = folder();
    for command in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program(&folder.path(""))
            .args(command)
            .stdin(Stdio::null())
            .stdout(writer)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {message}");
        assert_eq!(message, "", "{command:?}");
    }
}

/// Messages that nobody can read do not change how a command ends.
#[test]
fn a_full_device_for_messages_changes_nothing() {
    let folder = folder();
    folder.write("points.csv", "x,z\n1,none\n1,1\n");
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (command, code) in [
        (&["height", "scene.toml", "points.csv"][..], 0),
        (&["height", "scene.toml", "gone.csv"], 2),
    ] {
        let output = program(&folder.path(""))
            .args(command)
            .stdin(Stdio::null())
            .stderr(full())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{command:?}");
    }
}
