//! No command replaces what it reads, or writes under a name that says something else.

use crate::{Folder, RAMP, program};
use std::process::Stdio;

const BALL: &str = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = Folder::with_scene(
        "[[terrain]]\nheights = \"map.png\"\nspacing = 1\n\
         [[crowd]]\nfile = \"t.obj\"\nplaces = \"places.csv\"\n",
    );
    folder.write("map.png", map_png());
    folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("places.csv", "x,z\n1,1\n");
    folder.write("points.csv", "x,z\n1,1\n");
    std::fs::hard_link(folder.path("points.csv"), folder.path("link.csv")).unwrap();
    let before = folder.files();
    for (arguments, output) in [
        (&["render", "scene.toml", "-o", "map.png"][..], "map.png"),
        (&["overlap", "scene.toml", "-o", "places.csv"], "places.csv"),
        (
            &["height", "scene.toml", "points.csv", "-o", "points.csv"],
            "points.csv",
        ),
        (
            &["height", "scene.toml", "points.csv", "-o", "./link.csv"],
            "link.csv",
        ),
        (
            &["height", "scene.toml", "points.csv", "-o", "places.csv"],
            "places.csv",
        ),
        (&["render", "map.png", "-o", "map.png"], "map.png"),
    ] {
        let content = std::fs::read(folder.path(output)).unwrap();
        let run = folder.run(arguments);
        run.assert_refused(&[output, "is also an input", "another name"]);
        assert_eq!(std::fs::read(folder.path(output)).unwrap(), content);
        assert_eq!(folder.files(), before, "{arguments:?}");
    }
}

#[test]
fn a_picture_ends_in_png() {
    let folder = Folder::with_scene(BALL);
    for output in ["scene.toml", "view.jpg", "view"] {
        folder
            .run(&["render", "scene.toml", "-o", output, "--size", "8x8"])
            .assert_refused(&[output]);
    }
    assert_eq!(folder.read("scene.toml"), BALL);
    assert_eq!(folder.files(), ["scene.toml"]);
    let run = folder.run(&["render", "scene.toml", "-o", "view.PNG", "--size", "8x8"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_picture_goes_to_standard_output() {
    let folder = Folder::with_scene(BALL);
    let render = ["render", "scene.toml", "--size", "8x8", "-o"];
    let output = program(&folder.path(""))
        .args([&render[..], &["-"]].concat())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let run = folder.run(&[&render[..], &["view.png"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(
        output.stdout,
        std::fs::read(folder.path("view.png")).unwrap()
    );
    assert_eq!(folder.files(), ["scene.toml", "view.png"]);
}

#[test]
fn a_demo_replaces_no_other_files() {
    let folder = Folder::with_scene(BALL);
    let demo = ["demo", "--out", "."];
    folder
        .run(&demo)
        .assert_refused(&["scene.toml", "--out", "--force"]);
    assert_eq!(folder.read("scene.toml"), BALL);
    let other = Folder::new();
    other.write("mine.txt", "mine");
    other
        .run(&demo)
        .assert_refused(&["not empty", "--out", "--force"]);
    assert_eq!(other.files(), ["mine.txt"]);
}

/// The ramp as a 16-bit picture.
fn map_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 3, 3);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let samples: Vec<u8> = RAMP
        .lines()
        .skip(6)
        .flat_map(str::split_whitespace)
        .flat_map(|height| height.parse::<u16>().unwrap_or(0).to_be_bytes())
        .collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&samples).unwrap();
    writer.finish().unwrap();
    bytes
}
