//! Scene files on disk: what loads, what it holds, and what the errors say.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;

use hitscan::Ray;
use hitscan_assets::{Scene, load_scene};
use hitscan_testkit::outside_data;
use tempfile::TempDir;

/// A folder with a scene and other files.
fn folder(scene: &str, files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn load(folder: &TempDir) -> Scene {
    load_scene(&folder.path().join("scene.toml"))
        .unwrap_or_else(|error| panic!("{}", message(&error)))
}

/// An error and its sources, as the program prints them.
fn message(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}

const GRID: &[u8] = b"ncols 2\nnrows 2\ncellsize 10\n0 0\n0 0\n";
const TRIANGLE: &[u8] = b"o first\nv 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\no second\nf 1 2 3\n";

#[test]
fn objects_are_in_the_order_of_kinds_and_share_model_files() {
    let scene = "[[sphere]]\ncenter = [0, 5, 0]\nradius = 1\n\
                 [[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                 [[model]]\nfile = 'a.obj'\n\
                 [[model]]\nfile = 'a.obj'\ntranslation = [0, 20, 0]\nscale = 2\n\
                 [[terrain]]\nheights = 'a.asc'\n";
    let folder = folder(scene, &[("a.asc", GRID), ("a.obj", TRIANGLE)]);
    let scene = load(&folder);
    let names: Vec<_> = scene.object_names().collect();
    assert_eq!(names, ["terrain0", "model0", "model1", "sphere0", "crate"]);
    assert_eq!(scene.world().now().object_count(), 5);
    let ids: Vec<_> = scene.world().now().objects().collect();
    assert_eq!(scene.part_name(ids[1], 1), Some("second"));
    assert_eq!(scene.part_name(ids[0], 0), None);
    let [a, b] = [1, 2].map(|k| scene.world().now().model(ids[k]).unwrap());
    assert!(std::sync::Arc::ptr_eq(a, b));

    // The second model is at 20 m and is twice as large.
    let ray = Ray::new([1.2, 30.0, -0.2], [0.0, -1.0, 0.0]).unwrap();
    let hit = scene
        .world()
        .now()
        .cast_ray(&ray, hitscan::QueryFilter::new())
        .unwrap();
    assert_eq!(
        (scene.object_name(hit.object.unwrap()), hit.t),
        (Some("model1"), 10.0)
    );
}

#[test]
fn errors_name_the_file_and_the_place() {
    let unit = "min = [0, 0, 0]\nmax = [1, 1, 1]\n";
    for (scene, part) in [
        (
            "[[terrain]]\nheights = 'none.png'\n".to_owned(),
            "scene.toml: line 2, column 11: ",
        ),
        (
            "[[terrain]]\nheights = 'none.png'\n".to_owned(),
            "none.png cannot be read",
        ),
        (
            "[[model]]\nfile = 'none.glb'\n".to_owned(),
            "scene.toml: line 2, column 8: ",
        ),
        (
            "[[terrain]]\nheights = 'a.r16'\n".to_owned(),
            "scene.toml: line 1, column 1: the key `spacing`",
        ),
        (
            "[[terrain]]\nheights = 'a.asc'\nrange = [0, 1]\n".to_owned(),
            "a.asc: samples: expected 8- or 16-bit",
        ),
        (
            "[[terrain]]\nheights = 'a.r16'\nspacing = 1\nrange = [0, 1]\nheight_scale = 2\n"
                .to_owned(),
            "either `range` or `height_scale`",
        ),
        (
            "[[terrain]]\nheights = 'a.asc'\nsize = [3, 3]\n".to_owned(),
            "3 columns and 3 rows, as `size` says",
        ),
        (
            "[[model]]\nfile = 'a.obj'\nclip = 'Run'\n".to_owned(),
            "line 3, column 8: unknown clip `Run`; there are none",
        ),
        (
            "[[model]]\nfile = 'a.obj'\nclip = 0\n".to_owned(),
            "line 3, column 8: unknown clip `0`; there are none",
        ),
        (
            "[[model]]\nfile = 'a.obj'\nscene = 0\n".to_owned(),
            "only glTF",
        ),
        (
            "[[sphere]]\ncenter = [0, 0, 0]\nradius = 0\n".to_owned(),
            "line 3, column 10: the library refuses it: sphere radius",
        ),
        (
            format!("[[box]]\n{unit}[[box]]\nmin = [2, 0, 0]\nmax = [1, 1, 1]\n"),
            "line 6, column 7",
        ),
    ] {
        let folder = folder(
            &scene,
            &[("a.asc", GRID), ("a.r16", &[0; 8]), ("a.obj", TRIANGLE)],
        );
        let error = load_scene(&folder.path().join("scene.toml")).unwrap_err();
        assert!(
            message(&error).contains(part),
            "{}\nlacks\n{part}",
            message(&error)
        );
    }
}

#[test]
fn a_file_that_is_no_scene_gets_advice() {
    for (name, part) in [
        ("Fox.glb", "under `[[model]]` as `file = \"Fox.glb\"`"),
        ("a.TIF", "under `[[terrain]]` as `heights = \"a.TIF\"`"),
    ] {
        let message = load_scene(Path::new(name)).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let folder = folder("", &[("scene.bin", b"glTF\xff\xfe")]);
    let error = load_scene(&folder.path().join("scene.bin")).unwrap_err();
    assert!(message(&error).contains("scene.bin: byte 4: expected a scene file, which is text"));
    assert!(message(&load_scene(folder.path()).unwrap_err()).contains("folder"));
    assert_eq!(load(&folder).object_count(), 0);
}

#[test]
fn the_scenes_of_the_outside_cases_load() {
    let Some(folder) = outside_data() else { return };
    let mut loaded = 0;
    for entry in std::fs::read_dir(folder.join("cases/terrain")).unwrap() {
        let scene = load_scene(&entry.unwrap().path().join("scene.toml")).unwrap();
        let first = scene.world().now().objects().next().unwrap();
        assert_eq!(scene.object_name(first), Some("t"));
        loaded += 1;
    }
    assert!(loaded >= 6, "only {loaded} scenes");
    let scene = load_scene(&folder.join("cases/sweep/scene.toml")).unwrap();
    assert_eq!(scene.world().now().object_count(), 80);
}

/// Scenes with a single byte changed are read, or refused with line and column.
#[test]
fn changed_scenes_are_read_or_refused() {
    let text = b"[[terrain]]\nheights = 'a.png'\nspacing = [1.0, 2]\n[[model]]\nfile = 'b.glb'\n\
                 clip = 'x'\ntime = 1e3\n[[box]]\nmin = [0, 0x1F, 1_0]\nmax = [1, 50, 20]\n";
    let [mut read, mut refused] = [0, 0];
    for at in 0..text.len() {
        for value in [0, b'\n', b'"', b'[', b']', b'=', b'0', b'.', b'-', 0x7f] {
            let mut changed = text.to_vec();
            changed[at] = value;
            let text = std::str::from_utf8(&changed).unwrap();
            match hitscan_assets::scene::SceneFile::parse(Path::new("s.toml"), text) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert!(error.to_string().starts_with("s.toml: line "), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}
