//! Faults that a scene's author makes: each is named with the scene's own line.

use crate::Folder;

#[test]
fn a_file_at_fault_is_named_with_the_line_that_names_it() {
    let folder = Folder::new();
    folder.write("ground.png", "no picture");
    folder.write("broken.glb", "glTF");
    folder.write("broken.obj", "v 1 2\n");
    folder.write("short.asc", "ncols 2\nnrows 2\n");
    folder.write("ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("places.csv", "x,y\n1,2\n");
    for (kind, value, place, words) in [
        (
            "model",
            "file = 'ground.png'",
            "line 3, column 8",
            "ground.png: the file's ending",
        ),
        (
            "model",
            "file = '.'",
            "line 3, column 8",
            "the file's ending",
        ),
        (
            "model",
            "file = 'broken.glb'",
            "line 3, column 8",
            "broken.glb: ",
        ),
        (
            "model",
            "file = 'broken.obj'",
            "line 3, column 8",
            "broken.obj: line 1",
        ),
        (
            "terrain",
            "heights = 'ground.png'",
            "line 3, column 11",
            "ground.png: ",
        ),
        (
            "terrain",
            "heights = 'short.asc'",
            "line 3, column 11",
            "short.asc: ",
        ),
        (
            "crowd",
            "file = 'broken.glb'\nplaces = 'places.csv'",
            "line 3, column 8",
            "broken.glb: ",
        ),
        (
            "crowd",
            "file = 'ball.obj'\nplaces = 'places.csv'",
            "line 4, column 10",
            "places.csv: ",
        ),
    ] {
        folder.write("scene.toml", format!("# a comment\n[[{kind}]]\n{value}\n"));
        let run = folder.run(&["info", "scene.toml"]);
        run.assert_refused(&[&format!("scene.toml: {place}: "), " cannot be used", words]);
    }
    // Without a scene there is no line.
    let run = folder.run(&["ray", "broken.obj", "-"]);
    run.assert_refused(&["broken.obj: line 1"]);
    assert!(!run.stderr.contains("cannot be used"), "{}", run.stderr);
}

#[test]
fn paths_of_windows_get_a_hint() {
    let folder = Folder::new();
    for path in [
        r"C:\Users\ada\fox.glb",
        r"C:\temp\fox.glb",
        r"models\new.glb",
        r"a\fox.glb",
    ] {
        folder.write(
            "scene.toml",
            format!("[[model]]\nname = \"fox\"\nfile = \"{path}\"\n"),
        );
        let run = folder.run(&["info", "scene.toml"]);
        run.assert_refused(&["scene.toml: line 3, column ", "`/`", "'...'"]);
    }
    // Nothing to do with a path.
    folder.write(
        "scene.toml",
        "[[model]]\nfile = \"a\\\\b.glb\"\nname = = 1\n",
    );
    let run = folder.run(&["info", "scene.toml"]);
    run.assert_refused(&["line 3"]);
    assert!(!run.stderr.contains("backslash"), "{}", run.stderr);
}

#[test]
fn a_damaged_map_in_place_of_a_scene_is_reported() {
    let folder = Folder::new();
    folder.write("map.tif", "II*\0 no map");
    for name in ["map.tif", "*.tif"] {
        let run = folder.run(&["check", name, "--format", "json"]);
        assert_eq!((run.code, run.stderr.as_str()), (2, ""), "{}", run.stdout);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let errors = report["errors"].as_array().unwrap();
        assert_eq!((errors.len(), &report["scene"]), (1, &name.into()));
        assert_eq!(
            (&errors[0]["file"], &errors[0]["line"]),
            (&"map.tif".into(), &serde_json::Value::Null)
        );
        let message = errors[0]["message"].as_str().unwrap();
        assert!(message.starts_with("map.tif: byte "), "{message}");
    }
    let run = folder.run(&["check", "map.tif"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    assert!(run.stdout.ends_with("\n1 error\n"), "{}", run.stdout);
}
