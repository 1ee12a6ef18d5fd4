//! `hitscan bake`: every command answers from a baked scene what it answers from the scene.

use crate::Folder;
use hitscan_testkit::outside_data;

#[test]
fn the_demo_answers_alike() {
    let folder = Folder::new();
    for file in hitscan_demo::Demo::new().unwrap().files().unwrap() {
        folder.write(file.name, &file.bytes);
    }
    let (mut rays, mut points) = ("ox,oy,oz,dx,dy,dz\n".to_owned(), "x,z\n".to_owned());
    for i in 0..150 {
        let (x, z) = (
            f64::from(i * 37 % 250) - 125.0,
            f64::from(i * 91 % 250) - 125.0,
        );
        let (dx, dz) = (f64::from(i % 7) - 3.0, f64::from(i % 5) - 2.0);
        rays += &format!("{x},95,{z},{dx},-3,{dz}\n");
        points += &format!("{x},{z}\n");
    }
    folder.write("rays.csv", rays);
    folder.write("points.csv", points);
    for scene in ["scene", "crowd"] {
        let (file, baked) = (format!("{scene}.toml"), format!("{scene}.baked"));
        let run = folder.run(&["bake", &file, "-o", &baked]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("{baked}: ")), "{}", run.stderr);
        let again = folder.run(&["bake", &baked, "-o", "again.baked"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
        assert!(
            read(&baked) == read("again.baked"),
            "baked again it is the same file"
        );
        for arguments in [
            &["ray", "rays.csv", "--hits", "all"][..],
            &["ray", "rays.csv", "--bind"],
            &["height", "points.csv"],
        ] {
            let (command, rest) = (arguments[0], &arguments[1..]);
            let ask = |scene: &str| folder.run(&[&[command, scene], rest].concat());
            let (expected, found) = (ask(&file), ask(&baked));
            assert_eq!(found.code, expected.code, "{command}: {}", found.stderr);
            assert!(
                found.stdout == expected.stdout,
                "{command} answers differently"
            );
        }
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
