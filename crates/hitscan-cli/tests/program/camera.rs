//! `[camera]` of scene files, drawn by `hitscan render`.

use crate::Folder;

const BALL: &str = "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n\
                    [[box]]\nname = \"floor\"\nmin = [-9, -2, -9]\nmax = [9, -1, 9]\n";
const CAMERA: &str = "\n[camera]\neye = [1, 2.5, 6]\nlook = [0.25, 0, 0]\n";

/// What `render` draws of a scene with these options, without a word on standard error.
fn drawn(folder: &Folder, scene: &str, options: &[&str]) -> Vec<u8> {
    let render = ["render", scene, "-o", "p.png", "--size", "60x40"];
    let size = match options.contains(&"--link") {
        true => 4,
        false => render.len(),
    };
    let run = folder.run(&[&render[..size], options].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options:?}");
    std::fs::read(folder.path("p.png")).unwrap()
}

const SEEN: [&str; 4] = ["--eye", "1,2.5,6", "--look", "0.25,0,0"];

#[test]
fn a_scene_is_drawn_from_its_camera() {
    let folder = Folder::with_scene(BALL);
    let orthographic = format!("{CAMERA}fov = 30\nprojection = \"orthographic\"\n");
    folder.write("seen.toml", [BALL, CAMERA].concat());
    folder.write(
        "flat.toml",
        [CAMERA.replace("\n[", "["), BALL.to_owned()].concat(),
    );
    folder.write("ortho.toml", [BALL, &orthographic].concat());
    let plain = |options: &[&str]| drawn(&folder, "scene.toml", options);
    let seen = plain(&SEEN);
    assert_ne!(seen, plain(&[]));
    assert_eq!(drawn(&folder, "seen.toml", &[]), seen);
    assert_eq!(drawn(&folder, "flat.toml", &[]), seen);
    let ortho = plain(&[&SEEN[..], &["--ortho", "--fov", "30"]].concat());
    assert_eq!(drawn(&folder, "ortho.toml", &[]), ortho);
    let narrow = plain(&[&SEEN[..], &["--ortho", "--fov", "12"]].concat());
    assert_eq!(drawn(&folder, "ortho.toml", &["--fov", "12"]), narrow);
    // Another eye is another camera, and so is one from above.
    let other = ["--eye", "-3,4,5"];
    assert_eq!(drawn(&folder, "ortho.toml", &other), plain(&other));
    assert_eq!(drawn(&folder, "ortho.toml", &["--top"]), plain(&["--top"]));
}

#[test]
fn a_baked_scene_keeps_its_camera() {
    let folder = Folder::with_scene(&format!("{BALL}{CAMERA}projection = \"orthographic\"\n"));
    let run = folder.run(&["bake", "scene.toml", "-o", "scene.baked"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let baked = drawn(&folder, "scene.baked", &[]);
    assert_eq!(baked, drawn(&folder, "scene.toml", &[]));
    assert_ne!(baked, drawn(&folder, "scene.baked", &SEEN));
}

#[test]
fn a_link_without_an_eye_shows_what_the_page_opens() {
    let folder = Folder::with_scene(BALL);
    folder.write(
        "seen.toml",
        format!("{BALL}{CAMERA}fov = 35\nprojection = \"orthographic\"\n"),
    );
    let link = |link: &str, scene: &str| drawn(&folder, scene, &["--link", link]);
    let whole = "size=50x30&eye=1,2.5,6&look=0.25,0,0&fov=35&projection=orthographic";
    assert_eq!(link("size=50x30", "seen.toml"), link(whole, "scene.toml"));
    let perspective = "size=50x30&eye=1,2.5,6&look=0.25,0,0&fov=35";
    let there = link(perspective, "scene.toml");
    assert_eq!(link(perspective, "seen.toml"), there);
    assert_eq!(
        link("size=50x30&projection=perspective", "seen.toml"),
        there
    );
}

#[test]
fn cameras_that_nothing_can_be_seen_by_are_refused_with_their_line() {
    let folder = Folder::new();
    let cases = [
        ("[camera]\neye = [0, 0, 0]\n", "line 1, column 1", "`look`"),
        (
            "[camera]\neye = [0, 0]\nlook = [1, 1, 1]\n",
            "line 2",
            "`eye`",
        ),
        (
            "[camera]\neye = [1, 1, 1]\nlook = [1, 1, 1]\n",
            "line 3",
            "zero",
        ),
        (
            "[camera]\neye = [1, 1, 1]\nlook = [0, 1, 1]\nfov = 180\n",
            "line 4",
            "between 0 and 180",
        ),
        (
            "[camera]\neye = [1, 1, 1]\nlook = [0, 1, 1]\nfow = 1\n",
            "line 4, column 1",
            "did you mean `fov`",
        ),
        (
            "[camera]\neye = [1, 1, 1]\nlook = [0, 1, 1]\nprojection = \"flat\"\n",
            "line 4",
            "orthographic",
        ),
        (
            "[camera]\neye = [1, 1, 1]\nlook = [0, 1, 1]\n[camera]\neye = [1, 1, 1]\n",
            "line 4",
            "a second one",
        ),
        (
            "[[camera]]\neye = [1, 1, 1]\nlook = [0, 1, 1]\n",
            "line 1",
            "under `[camera]`",
        ),
        (
            "[camera]\neye = [1e300, 1, 1]\nlook = [0, 1, 1]\n",
            "line 2",
            "1e18",
        ),
    ];
    for (scene, line, word) in cases {
        folder.write("scene.toml", scene);
        let run = folder.run(&["render", "scene.toml", "-o", "p.png"]);
        run.assert_refused(&["scene.toml", line, word]);
    }
    let run = folder.run(&["check", "scene.toml"]);
    assert!(
        run.stdout.contains('^') || run.stderr.contains('^'),
        "{}{}",
        run.stdout,
        run.stderr
    );
}
