//! `hitscan height --method footprint`.

use crate::{Folder, RAMP, column};

fn folder() -> Folder {
    let folder = Folder::with_scene("[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n");
    folder.write("ramp.asc", RAMP);
    folder
}

const ASK: [&str; 5] = ["height", "scene.toml", "-", "--method", "footprint"];

#[test]
fn discs_and_rectangles_are_answered_by_the_surface() {
    let discs = "x,z,radius,note\n1,1,0.5,a\n0,1,1,b\n9,9,1,c\n3.9,3.9,0.05,d\n1,1,0,e\n1,1,,f\n";
    let rows = folder().run_with(&ASK, discs).rows();
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "outside", "hole", "invalid", "invalid"]
    );
    assert_eq!(column(&rows, "note"), ["a", "b", "c", "d", "e", "f"]);
    let number = |row: usize, name: &str| rows[row][name].parse::<f32>().unwrap();
    assert_eq!((number(0, "height"), number(0, "plane")), (0.5, 0.5));
    assert_eq!((number(0, "min"), number(0, "max")), (0.25, 0.75));
    assert_eq!((number(0, "coverage"), number(1, "coverage")), (1.0, 0.5));
    assert!((number(0, "slope") - 0.5_f32.atan()).abs() < 1e-6);
    assert!((number(0, "nx") + 0.2_f32.sqrt()).abs() < 1e-6);
    assert_eq!(rows[0]["object"], "ramp");
    // A quarter turn exchanges its sides.
    let turned = "half_z,half_x,x,z,angle\n0.25,1,1,1,0\n0.25,1,1,1,1.5707964\n";
    let rows = folder().run_with(&ASK, turned).rows();
    assert_eq!(column(&rows, "max"), ["1", "0.625"]);
}

#[test]
fn the_header_decides_which_shape_it_is() {
    let both = folder().run_with(&ASK, "x,z,radius,half_x,half_z\n1,1,1,1,1\n");
    both.assert_refused(&["radius", "half_x", "both"]);
    let neither = folder().run_with(&ASK, "x,z,half_x\n1,1,1\n");
    neither.assert_refused(&["radius", "half_x"]);
    let radius = folder().run(&[
        "height",
        "scene.toml",
        "-",
        "--method",
        "footprint",
        "--radius",
        "2",
    ]);
    radius.assert_refused(&["--radius", "column"]);
}
