//! Warnings of the program: once each, by every command, with answers unchanged.

use crate::Folder;
use std::process::Command;

const POINT: &str = "x,z\n0.001,0.001\n";

/// The lines on standard error of a run that goes well.
fn warnings(folder: &Folder) -> Vec<String> {
    let run = folder.run_with(&["closest", "scene.toml", "-"], "px,py,pz\n0.001,0,0.001\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stderr.lines().map(str::to_owned).collect()
}

#[test]
fn cells_in_degrees_are_said_with_their_metres() {
    let scene = "[[terrain]]\nheights = \"a.asc\"\n";
    let folder = Folder::with_scene(scene);
    let grid = "ncols 2\nnrows 2\nxllcorner 11\nyllcorner 57\ncellsize 0.01\n1 2\n3 4\n";
    folder.write("a.asc", grid);
    let expected = "hitscan: warning: a.asc: its cells of 0.01 x 0.01 are taken for metres, but look like \
                    degrees: say `georeferenced = true`, or in metres at the latitude 57.010 \
                    `spacing = [607.559, 1113.601]`";
    assert_eq!(warnings(&folder), [expected]);
    for arguments in [
        &["info", "scene.toml"][..],
        &["info", "a.asc"],
        &["overlap", "scene.toml"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(
            (run.code, run.stderr.trim_end()),
            (0, expected),
            "{arguments:?}"
        );
    }
    folder.write(
        "scene.toml",
        format!("{scene}spacing = [607.559, 1113.601]\n"),
    );
    assert!(warnings(&folder).is_empty());
}

#[test]
fn codes_that_are_hardly_metres_are_said() {
    let scene = "[[terrain]]\nheights = \"a.r16\"\nspacing = 1\n";
    let folder = Folder::with_scene(scene);
    folder.write("a.r16", [0xff; 8]);
    let lines = warnings(&folder);
    assert_eq!(
        lines,
        [
            "hitscan: warning: a.r16: its codes are taken for metres and reach 65535; give the metres of code 0 \
          and of code 65535 as `range = [LOWEST, HIGHEST]`"
        ]
    );
    for key in ["range = [0, 100]", "height_scale = 1"] {
        folder.write("scene.toml", format!("{scene}{key}\n"));
        assert!(warnings(&folder).is_empty(), "{key}");
    }
}

/// A glTF file with one node and a clip `Run` of one second.
const RUN: &str = r#"{"asset":{"version":"2.0"},"nodes":[{}],
"extensionsUsed":["CESIUM_RTC"],
"buffers":[{"byteLength":32,"uri":"data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA="}],
"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},
{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
"animations":[{"name":"Run","samplers":[{"input":0,"output":1}],
"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},{"name":"Walk","samplers":[],"channels":[]}]}"#;

#[test]
fn times_rotations_and_extensions_are_said() {
    let scene =
        "[[model]]\nfile = \"run.gltf\"\nclip = \"Run\"\ntime = 350\nrotation = [0, 90, 0, 1]\n";
    let folder = Folder::with_scene(scene);
    folder.write("run.gltf", RUN);
    assert_eq!(
        warnings(&folder),
        [
            "hitscan: warning: scene.toml: line 5, column 12 (length 90.006): a quaternion far from unit length \
             is brought to it; for angles in degrees write `euler_degrees = [x, y, z]`",
            "hitscan: warning: run.gltf: CESIUM_RTC: is an optional extension that moves surfaces and is not \
             supported: the model is read without it",
            "hitscan: warning: scene.toml: line 4, column 8: the time 350 s is far past the end of the clip \
             `Run`, whose last pose is held; a time in it is at most `time = 1`",
        ]
    );
    let sound = scene
        .replace("350", "2")
        .replace("rotation = [0, 90, 0, 1]", "euler_degrees = [0, 90, 0]");
    folder.write("scene.toml", &sound);
    assert_eq!(warnings(&folder).len(), 1);
    folder.write("scene.toml", sound.replace("\"Run\"", "\"Rum\""));
    folder
        .run_with(&["height", "scene.toml", "-"], POINT)
        .assert_refused(&[
            "scene.toml: line 3, column 8: unknown clip `Rum`; did you mean `Run`? There are `Run` and `Walk`",
        ]);
}

#[test]
fn a_crowd_says_what_its_table_hides() {
    let folder = Folder::with_scene(
        "[[terrain]]\nheights = \"a.asc\"\n[[crowd]]\nfile = \"run.gltf\"\nplaces = \"p.csv\"\nclip = 0\n",
    );
    folder.write("a.asc", "ncols 2\nnrows 2\ncellsize 10\n1 2\n3 4\n");
    folder.write("run.gltf", RUN.replace("\"CESIUM_RTC\"", ""));
    folder.write(
        "p.csv",
        "x,z,time,yaw\n1,1,0,0\n50,1,1,0\n1,1,900,0\n-3,1,950,0\n",
    );
    assert_eq!(
        warnings(&folder),
        [
            "hitscan: warning: p.csv: line 1: passed over, as places have none but x, y, y_above, z, turn, time and scale: \
             `yaw` (did you mean `turn`?)",
            "hitscan: warning: p.csv: line 3: is off the map or over a hole, and placed at y = 0 (and 1 more)",
            "hitscan: warning: p.csv: line 4: the time 900 s is far past the end of the clip `Run`, whose last \
             pose is held; a time in it is at most `time = 1` (and 1 more)",
        ]
    );
}

#[test]
fn missing_files_are_named_with_the_line_that_names_them() {
    let folder = Folder::with_scene("[[terrain]]\n\nheights = \"ridge.png\"\n");
    folder.run(&["info", "scene.toml"]).assert_refused(&[
        "scene.toml: line 3, column 11: ridge.png cannot be read",
        "because: No such file",
    ]);
    folder.write("m.gltf", RUN.replace("data:;base64,", "body.bin?"));
    folder
        .run(&["info", "m.gltf"])
        .assert_refused(&["m.gltf: buffers[0].uri: "]);
    folder.write(
        "scene.toml",
        "[[sphere]]\ncenter = [0, 0, 0]\nradius = -1\n",
    );
    folder.run(&["info", "scene.toml"]).assert_refused(&[
        "scene.toml: line 3, column 10: ",
        "radius",
        "found -1",
    ]);
}

#[test]
#[cfg(unix)]
fn only_regular_files_are_read_whole() {
    let folder = Folder::new();
    for name in ["pipe.toml", "pipe.png", "pipe.glb", "pipe.csv"] {
        let made = Command::new("mkfifo")
            .arg(folder.path(name))
            .status()
            .unwrap();
        assert!(made.success());
    }
    for name in ["zero.asc", "zero.toml", "zero.stl"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path(name)).unwrap();
    }
    let found = |name: &str| match name {
        name if name.starts_with("pipe") => "a named pipe",
        _ => "a device",
    };
    for name in [
        "pipe.toml",
        "pipe.png",
        "pipe.glb",
        "zero.asc",
        "zero.toml",
        "zero.stl",
    ] {
        let words = format!(
            "{name}: the path: expected a regular file, found {}",
            found(name)
        );
        folder.run(&["info", name]).assert_refused(&[&words]);
    }
    for (scene, name) in [
        ("[[terrain]]\nheights = \"zero.asc\"\n", "zero.asc"),
        ("[[model]]\nfile = \"zero.stl\"\n", "zero.stl"),
        (
            "[[crowd]]\nfile = \"a.obj\"\nplaces = \"pipe.csv\"\n",
            "pipe.csv",
        ),
    ] {
        folder.write("a.obj", "v 0 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
        folder.write("scene.toml", scene);
        let words = format!("{name}: the path: expected a regular file");
        folder
            .run(&["info", "scene.toml"])
            .assert_refused(&[&words]);
    }
}

#[test]
fn triangles_over_holes_are_not_counted() {
    let folder = Folder::with_scene("[[terrain]]\nheights = \"a.asc\"\n");
    folder.write(
        "a.asc",
        "ncols 3\nnrows 3\ncellsize 1\n-9999 0 0\n0 -9999 0\n0 0 0\n",
    );
    for file in ["a.asc", "scene.toml"] {
        let run = folder.run(&["info", file]);
        let line = run
            .stdout
            .lines()
            .find(|line| line.trim().starts_with("triangles"));
        assert_eq!(
            line.unwrap().split_whitespace().last(),
            Some("1"),
            "{}",
            run.stdout
        );
    }
}
