//! Ctrl-C and SIGTERM, in every command and phase: the exit code, the time, and no file left.

use crate::{Folder, program};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Far more than the program needs, so that a busy machine fails no test.
const SOON: Duration = Duration::from_secs(2);

/// A scene that takes long to load, with pairs enough for a long list of overlaps.
fn long_scene() -> String {
    let mut scene = String::new();
    for index in 0..120_000_u32 {
        let (x, z) = (index % 400, index / 400);
        write!(scene, "[[sphere]]\ncenter = [{x}, 0, {z}]\nradius = 3\n").unwrap();
    }
    scene
}

#[test]
fn loading_stops_in_every_command() {
    let folder = Folder::with_scene(&long_scene());
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n");
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        for arguments in [
            &["info", "scene.toml"][..],
            &["overlap", "scene.toml", "-o", "out.csv"],
            &["ray", "scene.toml", "rays.csv", "-o", "out.csv"],
            &["render", "scene.toml", "-o", "out.png"],
        ] {
            let child = start(&folder, arguments);
            assert_stops(child, signal, code, &arguments.join(" "));
            assert_eq!(folder.files(), ["rays.csv", "scene.toml"], "{arguments:?}");
        }
    }
}

#[test]
fn a_list_of_overlaps_stops_while_it_is_written() {
    // Two sheets of triangles that cross each other everywhere: each pair of objects is a long list.
    let folder =
        Folder::with_scene("[[terrain]]\nheights = \"a.asc\"\n[[terrain]]\nheights = \"b.asc\"\n");
    for (name, phase) in [("a.asc", 0), ("b.asc", 1)] {
        let mut map = "ncols 400\nnrows 400\nxllcorner 0\nyllcorner 0\ncellsize 1\n".to_owned();
        for sample in 0..160_000 {
            write!(map, "{} ", (sample + sample / 400 + phase) % 2).unwrap();
        }
        folder.write(name, map);
    }
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let child = start(
            &folder,
            &["overlap", "scene.toml", "--exact", "-o", "out.csv"],
        );
        wait_until(|| folder.files().iter().any(|name| name.ends_with(".tmp")));
        assert_stops(child, signal, code, "overlap");
        assert_eq!(folder.files(), ["a.asc", "b.asc", "scene.toml"]);
    }
}

#[test]
fn drawing_stops() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let size = ["--size", "12000x12000"];
        let child = start(
            &folder,
            &[&["render", "scene.toml", "-o", "out.png"], &size[..]].concat(),
        );
        assert_stops(child, signal, code, "render");
        assert_eq!(folder.files(), ["scene.toml"]);
    }
}

#[test]
fn a_viewshed_stops() {
    let folder = Folder::new();
    // So little above the ground each sample is decided by a line of sight of its own.
    folder.write("level.raw", [100, 0].repeat(2000 * 2000));
    let arguments = ["viewshed", "level.raw", "--spacing", "30"];
    let eye = ["--eye", "30000,30000", "--target-above", "1e-9"];
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let output = ["-o", "seen.png"];
        let mut child = start(&folder, &[&arguments[..], &eye, &output].concat());
        // What is said once the map is loaded.
        read_until(&mut child, "positions reach");
        assert_stops(child, signal, code, "viewshed");
        assert_eq!(folder.files(), ["level.raw"]);
    }
}

#[test]
fn a_demo_stops() {
    let folder = Folder::new();
    let child = start(&folder, &["demo", "--out", "valley"]);
    assert_stops(child, "TERM", 143, "demo");
    let left = std::fs::read_dir(folder.path("valley"))
        .into_iter()
        .flatten();
    for file in left {
        let name = file.unwrap().file_name();
        assert!(!name.to_string_lossy().ends_with(".tmp"), "{name:?}");
    }
}

/// Starts the program and waits until it listens for signals.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let child = program(&folder.path(""))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    wait_until(|| {
        let status = std::fs::read_to_string(Path::new(&status)).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        caught & (1 << 1) != 0 && caught & (1 << 14) != 0
    });
    child
}

/// Reads what the program says up to some words, and no more.
fn read_until(child: &mut Child, words: &str) {
    let stderr = child.stderr.as_mut().unwrap();
    let (mut said, mut byte) = (Vec::new(), [0]);
    while !said.ends_with(words.as_bytes()) {
        stderr.read_exact(&mut byte).unwrap();
        said.extend(byte);
    }
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it never came");
        std::thread::yield_now();
    }
}

/// Sends the signal and checks how and when the program ends.
fn assert_stops(child: Child, signal: &str, code: i32, what: &str) {
    crate::send_signal(&child, signal);
    let begin = Instant::now();
    let output = child.wait_with_output().unwrap();
    let took = begin.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{what}: {stderr}");
    assert!(stderr.ends_with("hitscan: stopped\n"), "{what}: {stderr}");
    println!("{what}: stopped after {took:?}");
    assert!(took < SOON, "{what}: {took:?}");
}
