//! `hitscan height`.

use crate::{Folder, RAMP, column};

fn ramp() -> Folder {
    let folder = Folder::with_scene("[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n");
    folder.write("ramp.asc", RAMP);
    folder
}

const POINTS: &str = "x,z\n1,1\n4,0\n3.5,3.5\n4.1,0\n-0.1,2\n2,2\n";

#[test]
fn exact_heights_with_normal_and_triangle() {
    let run = ramp().run_with(&["height", "scene.toml", "-"], POINTS);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "hole", "outside", "outside", "ok"]
    );
    assert_eq!(column(&rows, "height"), ["0.5", "2", "", "", "", "1"]);
    // A point on a diagonal, and one on a sample, belong to the lowest triangle there.
    assert_eq!(column(&rows, "triangle"), ["0", "2", "", "", "", "1"]);
    assert_eq!(
        column(&rows, "object"),
        ["ramp", "ramp", "", "", "", "ramp"]
    );
    assert!(rows[0]["nx"].starts_with("-0.447") && rows[0]["ny"].starts_with("0.894"));
}

#[test]
fn max_and_mean_within_a_radius() {
    let folder = ramp();
    let max = [
        "height",
        "scene.toml",
        "-",
        "--method",
        "max",
        "--radius",
        "2",
    ];
    let rows = folder.run_with(&max, POINTS).rows();
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "ok", "ok", "ok", "ok"]
    );
    assert_eq!(column(&rows, "height"), ["1", "2", "2", "2", "0", "2"]);
    assert_eq!(column(&rows, "triangle"), [""; 6]);
    let mean = [
        "height",
        "scene.toml",
        "-",
        "--method",
        "mean",
        "--radius",
        "0.8",
    ];
    let rows = folder.run_with(&mean, POINTS).rows();
    assert_eq!(
        column(&rows, "status"),
        ["empty", "ok", "hole", "ok", "ok", "ok"]
    );
    assert_eq!(column(&rows, "height"), ["", "2", "", "2", "0", "1"]);
}

#[test]
fn the_highest_of_several_terrains_wins() {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = \"low\"\nheights = \"ramp.asc\"\norigin = [0, -1, 0]\n\
         [[terrain]]\nname = \"high\"\nheights = \"ramp.asc\"\nspacing = 1\nheight_scale = 2\n",
    );
    folder.write("ramp.asc", RAMP);
    let rows = folder
        .run_with(&["height", "scene.toml", "-"], "x,z\n1,0\n3,0\n")
        .rows();
    assert_eq!(column(&rows, "object"), ["high", "low"]);
    assert_eq!(column(&rows, "height"), ["2", "0.5"]);
}

#[test]
fn the_radius_belongs_to_max_and_mean() {
    let folder = ramp();
    folder
        .run(&["height", "scene.toml", "-", "--method", "max"])
        .assert_refused(&["--radius"]);
    folder
        .run(&["height", "scene.toml", "-", "--radius", "3"])
        .assert_refused(&["--radius"]);
    let negative = [
        "height",
        "scene.toml",
        "-",
        "--method",
        "mean",
        "--radius=-1",
    ];
    folder.run(&negative).assert_refused(&["--radius", "-1"]);
}

#[test]
fn the_y_of_points_is_compared_with_the_ground() {
    let folder = ramp();
    folder.write(
        "spawns.csv",
        "name,x,y,z\na,1,0.75,1\nb,4,1.5,0\nc,9,1,9\nd,1,,1\n",
    );
    let above = ["height", "scene.toml", "spawns.csv", "--above", "y"];
    let rows = folder.run(&above).rows();
    assert_eq!(column(&rows, "above"), ["0.25", "-0.5", "", ""]);
    assert_eq!(column(&rows, "status"), ["ok", "ok", "outside", "invalid"]);
    // By another name, as a number, and of a method without triangle.
    folder.write("renamed.csv", "name,x,alt,z\na,1,0.75,1\n");
    for (y, more, expected) in [
        ("alt", &[][..], "0.25"),
        ("3", &[], "2.5"),
        ("alt", &["--method", "max", "--radius", "1.5"], "-0.25"),
    ] {
        let ask = ["height", "scene.toml", "renamed.csv", "--above", y];
        let rows = folder.run(&[&ask[..], more].concat()).rows();
        assert_eq!(column(&rows, "above"), [expected], "{y}");
    }
    let two = ["height", "scene.toml", "renamed.csv", "--above", "alt,x=z"];
    folder.run(&two).assert_usage(&["--above", "one column"]);
    let missing = ["height", "scene.toml", "renamed.csv", "--above", "y"];
    folder
        .run(&missing)
        .assert_refused(&["renamed.csv", "no column `y`"]);
    let footprint = [&above[..], &["--method", "footprint"]].concat();
    folder
        .run(&footprint)
        .assert_refused(&["--above", "footprint"]);
}
