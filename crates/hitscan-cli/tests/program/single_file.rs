//! A height map or a model in place of a scene.

use crate::{Folder, RAMP, Run};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n";

/// Runs a command on a file, then on the scene that it printed, and compares the answers.
fn assert_says_the_same(folder: &Folder, command: &str, file: &str, more: &[&str]) -> Run {
    let own: Vec<&str> = more
        .iter()
        .copied()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let run = folder.run(&[&[command, file], more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (first, scene) = run.stderr.split_once('\n').unwrap();
    assert_eq!(first, format!("hitscan: {file} is read as this scene:"));
    folder.write("printed.toml", scene);
    let again = folder.run(&[&[command, "printed.toml"], &own[..]].concat());
    assert_eq!((again.code, again.stderr.as_str()), (0, ""), "{scene}");
    assert_eq!(again.stdout, run.stdout);
    run
}

#[test]
fn a_height_map_is_a_scene() {
    let folder = Folder::new();
    folder.write("ramp.asc", RAMP);
    folder.write("points.csv", "x,z\n1,1\n2.5,0\n9,9\n");
    let run = assert_says_the_same(&folder, "height", "ramp.asc", &["points.csv"]);
    assert!(run.stdout.contains("1,1,ok,0.5,"), "{}", run.stdout);
    assert!(run.stdout.contains("terrain0"), "{}", run.stdout);
    let run = assert_says_the_same(
        &folder,
        "height",
        "ramp.asc",
        &["points.csv", "--spacing=4"],
    );
    assert!(run.stdout.contains("1,1,ok,0.25,"), "{}", run.stdout);
    assert!(
        run.stderr.contains("spacing = [4.0, 4.0]"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_map_without_a_spacing_has_one_metre() {
    let folder = Folder::new();
    let codes: Vec<u8> = [0, 0x8000, 0xffff, 0_u16]
        .iter()
        .flat_map(|code| code.to_le_bytes())
        .collect();
    folder.write("map.r16", codes);
    folder.write("points.csv", "x,z\n0,1\n1,0\n");
    let run = assert_says_the_same(
        &folder,
        "height",
        "map.r16",
        &["points.csv", "--range=-10,10"],
    );
    assert!(
        run.stderr
            .contains("spacing = [1.0, 1.0]\nrange = [-10.0, 10.0]"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("0,1,ok,10,"), "{}", run.stdout);
}

#[test]
fn a_model_is_a_scene_in_every_command() {
    let folder = Folder::new();
    folder.write("odd \"name\".obj", TRIANGLE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.2,5,-0.2,0,-1,0\n");
    folder.write(
        "moves.csv",
        "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n0,1,-1,1,2,0,0,-4,0\n",
    );
    for (command, more) in [
        ("ray", &["rays.csv"][..]),
        ("sweep", &["moves.csv"]),
        ("overlap", &[]),
    ] {
        let run = assert_says_the_same(&folder, command, "odd \"name\".obj", more);
        assert!(
            command == "overlap" || run.stdout.contains("hit,"),
            "{}",
            run.stdout
        );
    }
    let render = ["render", "odd \"name\".obj", "-o", "a.png", "--size", "9x9"];
    assert_eq!(folder.run(&render).code, 0);
}

#[test]
fn clips_have_names_and_times() {
    let folder = Folder::new();
    let files = hitscan_demo::Demo::new().unwrap().files().unwrap();
    let robot = files.iter().find(|file| file.name == "robot.glb").unwrap();
    folder.write("man.glb", &robot.bytes);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.2,0.4,9,0,0,-1\n");
    let at_rest = assert_says_the_same(&folder, "ray", "man.glb", &["rays.csv"]);
    let walking = assert_says_the_same(&folder, "ray", "man.glb", &["rays.csv", "--time=0.7"]);
    assert_ne!(at_rest.stdout, walking.stdout);
    assert!(
        walking.stderr.contains("clip = 0\ntime = 0.7\n"),
        "{}",
        walking.stderr
    );
    folder
        .run(&["ray", "man.glb", "rays.csv", "--clip", "Fly"])
        .assert_refused(&["the scene of man.glb", "Fly"]);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = Folder::with_scene("");
    folder.write("t.obj", TRIANGLE);
    folder.write("ramp.asc", RAMP);
    let overlap = |more: &[&str]| folder.run(&[&["overlap"], more].concat());
    overlap(&["scene.toml", "--time", "1"]).assert_refused(&["--time", "[[model]]"]);
    overlap(&["scene.toml", "--spacing", "1"]).assert_refused(&["--spacing", "[[terrain]]"]);
    overlap(&["t.obj", "--spacing", "1"]).assert_refused(&["t.obj", "height map"]);
    overlap(&["ramp.asc", "--clip", "a"]).assert_refused(&["ramp.asc", "model"]);
    assert_eq!(overlap(&["ramp.asc", "--spacing", "-1"]).code, 2);
}
