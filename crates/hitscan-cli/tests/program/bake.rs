//! `hitscan bake`: every command answers from a baked scene what it answers from the scene.

use crate::Folder;
use hitscan_testkit::outside_data;

#[test]
fn the_demo_answers_alike() {
    let folder = Folder::new();
    let demo = folder.path("demo");
    let demo = demo.to_str().unwrap();
    assert_eq!(folder.run(&["demo", "--out", demo]).code, 0);
    let scene = format!("{demo}/scene.toml");
    let baked = folder.run(&["bake", &scene, "-o", "valley.baked"]);
    assert_eq!(baked.code, 0, "{}", baked.stderr);
    assert!(baked.stderr.contains("valley.baked: "), "{}", baked.stderr);
    let again = folder.run(&["bake", "valley.baked", "-o", "again.baked"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(
        read("valley.baked") == read("again.baked"),
        "baked again it is the same file"
    );
    for (command, table) in [
        ("ray", "rays.csv"),
        ("height", "points.csv"),
        ("sweep", "sweeps.csv"),
        ("overlap", "shapes.csv"),
        ("closest", "closest.csv"),
        ("sight", "sights.csv"),
        ("arc", "arcs.csv"),
    ] {
        let table = format!("{demo}/{table}");
        if !std::path::Path::new(&table).exists() {
            continue;
        }
        let expected = folder.run(&[command, &scene, &table]);
        assert_eq!(expected.code, 0, "{command}: {}", expected.stderr);
        let found = folder.run(&[command, "valley.baked", &table]);
        assert_eq!(found.code, 0, "{command}: {}", found.stderr);
        assert!(
            found.stdout == expected.stdout,
            "{command} answers differently"
        );
    }
}

#[test]
fn info_says_what_is_in_it_and_whether_it_is_whole() {
    let folder = Folder::with_scene("[[sphere]]\nname = 'moon'\ncenter = [0, 5, 0]\nradius = 2\n");
    assert_eq!(
        folder.run(&["bake", "scene.toml", "-o", "sky.baked"]).code,
        0
    );
    let info = folder.run(&["info", "sky.baked"]);
    assert_eq!(info.code, 0, "{}", info.stderr);
    for part in ["a baked scene", "content_hash", "moon"] {
        assert!(info.stdout.contains(part), "{}", info.stdout);
    }
    let mut bytes = std::fs::read(folder.path("sky.baked")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    folder.write("sky.baked", bytes);
    let info = folder.run(&["info", "sky.baked"]);
    assert_eq!(info.code, 2, "{}", info.stderr);
    assert!(
        info.stderr.contains("the file is damaged"),
        "{}",
        info.stderr
    );
}

#[test]
fn endings_of_other_files_are_refused() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 5, 0]\nradius = 2\n");
    for name in ["a.toml", "a.png", "a.glb", "a.csv"] {
        let run = folder.run(&["bake", "scene.toml", "-o", name]);
        assert_eq!(run.code, 2, "{name}");
        assert!(run.stderr.contains("ends in .baked"), "{}", run.stderr);
    }
}

#[test]
fn the_cases_answer_alike() {
    let Some(data) = outside_data() else { return };
    let mut compared = 0;
    for folder in std::fs::read_dir(data.join("cases/terrain")).unwrap() {
        let case = folder.unwrap().path();
        let path = |name: &str| case.join(name).to_str().unwrap().to_owned();
        let folder = Folder::new();
        let baked = folder.run(&["bake", &path("scene.toml"), "-o", "case.baked"]);
        assert_eq!(baked.code, 0, "{}", baked.stderr);
        for (command, table) in [("ray", "rays.csv"), ("height", "points.csv")] {
            let expected = folder.run(&[command, &path("scene.toml"), &path(table)]);
            let found = folder.run(&[command, "case.baked", &path(table)]);
            assert!(
                found.stdout == expected.stdout,
                "{command} of {}",
                case.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 0);
}
