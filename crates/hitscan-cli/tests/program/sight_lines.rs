//! `hitscan sight` without a table of targets: the eye of each row and the target in it.

use crate::{Folder, column};

const SCENE: &str = "[[box]]\nname = 'wall'\nmin = [4, 0, -9]\nmax = [5, 3, 9]\n\
                     [[sphere]]\nname = 'ball'\ncenter = [8, 9, 0]\nradius = 1\nlayers = 2\n";

const LINES: &str = "tick,x,y,z,target_x,target_y,target_z,mask,ignore\n\
                     1,0,1,0,9,1,0,,\n\
                     2,0,1,0,3,1,0,,\n\
                     3,0,9,0,9.5,9,0,,\n\
                     4,0,9,0,9.5,9,0,1,\n\
                     5,0,9,0,9.5,9,0,,ball\n\
                     6,0,,0,9,9,0,,\n";

#[test]
fn each_row_has_its_eye_and_its_target() {
    let folder = Folder::with_scene(SCENE);
    folder.write("lines.csv", LINES);
    let run = folder.run(&["sight", "scene.toml", "lines.csv", "--blocker"]);
    let rows = run.rows();
    let expected = [
        "blocked", "visible", "blocked", "visible", "visible", "invalid",
    ];
    assert_eq!(column(&rows, "status"), expected);
    assert_eq!(column(&rows, "object"), ["wall", "", "ball", "", "", ""]);
    for (line, own) in run.stdout.lines().zip(LINES.lines()) {
        assert!(line.starts_with(own), "{line}");
    }
    // The same of two tables, row by row.
    let targets = "x=target_x,y=target_y,z=target_z";
    let pairs = folder.run(&[
        "sight",
        "scene.toml",
        "lines.csv",
        "lines.csv",
        "--pairs",
        "--blocker",
        "--target-columns",
        targets,
    ]);
    assert_eq!(pairs.stdout, run.stdout);
}

#[test]
fn a_link_asks_a_line_of_sight() {
    let folder = Folder::with_scene(SCENE);
    let link = "tool=sight&q=x:0,y:1,z:0,target_x:9,target_y:1,target_z:0&options=blocker:true";
    let run = folder.run(&["sight", "scene.toml", "--link", link]);
    assert!(
        run.stdout.ends_with(",blocked,0.44444445,wall,,\n"),
        "{}",
        run.stdout
    );
    let drawn = ["render", "scene.toml", "--link", link, "-o", "seen.png"];
    assert_eq!(folder.run(&drawn).code, 0);
}

#[test]
fn what_needs_a_table_of_targets_is_refused_without() {
    let folder = Folder::with_scene(SCENE);
    folder.write("lines.csv", LINES);
    for option in [
        &["--pairs"][..],
        &["--explain", "0,0"],
        &["--target-columns", "x=y"],
    ] {
        let run = folder.run(&[&["sight", "scene.toml", "lines.csv"], option].concat());
        assert_eq!(run.code, 2, "{option:?}");
        assert!(run.stderr.contains("TARGETS"), "{}", run.stderr);
    }
    let run = folder.run(&["sight", "scene.toml"]);
    assert_eq!(run.code, 2);
}
