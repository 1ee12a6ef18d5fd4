//! `hitscan overlap --signed`: shapes inside closed models and below the ground.

use crate::{Folder, RAMP, column};

/// A cube from 0 to 10, closed, and the same without its lower side; the ramp rises by half along x from 100
/// to 104, and is 4 m long in z; around the cube is a ball.
const SCENE: &str = r#"
[[terrain]]
name = "ramp"
heights = "ramp.asc"
origin = [100.0, 0.0, 0.0]
[[model]]
name = "cube"
file = "cube.obj"
[[model]]
name = "open"
file = "open.obj"
translation = [50.0, 0.0, 0.0]
[[sphere]]
name = "ball"
center = [5.0, 5.0, 5.0]
radius = 0.25
layers = 2
"#;

const CORNERS: &str =
    "v 0 0 0\nv 10 0 0\nv 10 0 10\nv 0 0 10\nv 0 10 0\nv 10 10 0\nv 10 10 10\nv 0 10 10\n";
const SIDES: &str = "f 5 8 7 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";
const BOTTOM: &str = "f 1 2 3 4\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder.write("cube.obj", format!("g shell\n{CORNERS}{SIDES}{BOTTOM}"));
    folder.write("open.obj", format!("g shell\n{CORNERS}{SIDES}"));
    folder
}

fn run(folder: &Folder, kind: &str, table: &str, more: &[&str]) -> crate::Run {
    let arguments = ["overlap", "scene.toml", "-", "--shape", kind];
    folder.run_with(&[&arguments[..], more].concat(), table)
}

#[test]
fn a_sphere_in_a_closed_model_is_inside() {
    let folder = folder();
    let table = "cx,cy,cz,radius,mask\n5,7,5,1,1\n5,9.5,5,1,1\n5,9,5,1,1\n5,11,5,1,1\n55,7,5,1,1\n-5,7,5,1,1\n";
    let rows = run(&folder, "sphere", table, &["--signed"]).rows();
    let status = [
        "inside", "overlap", "inside", "touching", "separate", "separate",
    ];
    assert_eq!(column(&rows, "status"), status);
    // As a solid box there: 3 m to the wall, and the radius.
    assert_eq!(
        column(&rows, "separation"),
        ["-4", "-0.5", "-2", "0", "", ""]
    );
    assert_eq!(column(&rows, "ny"), ["1", "-1", "1", "1", "", ""]);
    assert_eq!(
        [&rows[0]["y"], &rows[0]["object"], &rows[0]["part"]],
        ["10", "cube", "shell"]
    );
    // Without --signed as ever.
    let rows = run(&folder, "sphere", table, &[]).rows();
    let status = [
        "separate", "overlap", "touching", "touching", "separate", "separate",
    ];
    assert_eq!(column(&rows, "status"), status);
}

#[test]
fn one_row_stands_for_the_object_whatever_the_margin() {
    let folder = folder();
    // The ball in the middle comes later, and is near.
    let table = "min_x,min_y,min_z,max_x,max_y,max_z,margin\n4,6,4,6,9,6,20\n";
    for each in ["object", "triangle"] {
        let rows = run(&folder, "box", table, &["--signed", "--each", each]).rows();
        assert_eq!(column(&rows, "status"), ["inside", "near"], "{each}");
        assert_eq!(column(&rows, "object"), ["cube", "ball"], "{each}");
        // Its middle is 2.5 m below the lid, its lower side 4 m.
        assert_eq!(column(&rows, "separation"), ["-4", "0.75"], "{each}");
    }
    // What is passed through encloses nothing.
    let table = "min_x,min_y,min_z,max_x,max_y,max_z,ignore\n4,6,4,6,9,6,cube\n";
    let rows = run(&folder, "box", table, &["--signed"]).rows();
    assert_eq!(column(&rows, "status"), ["separate"]);
}

#[test]
fn a_capsule_below_the_ground_is_below_it() {
    let folder = folder();
    let table = "ax,ay,az,bx,by,bz,radius\n\
        101,-20,1,101,-19,1,0.25\n101,0.25,1,101,1,1,0.25\n101,9,1,101,10,1,0.25\n\
        103.5,-20,3.5,103.5,-19,3.5,0.25\n110,-20,1,110,-19,1,0.25\n";
    let rows = run(&folder, "capsule", table, &["--signed"]).rows();
    // Over the hole, and beyond the border, there is nothing.
    let status = ["below", "overlap", "separate", "separate", "separate"];
    assert_eq!(column(&rows, "status"), status);
    assert_eq!(
        [&rows[0]["nx"], &rows[0]["ny"], &rows[0]["nz"]],
        ["0", "1", "0"]
    );
    assert_eq!(
        [&rows[0]["x"], &rows[0]["y"], &rows[0]["z"]],
        ["101", "0.5", "1"]
    );
    assert_eq!([&rows[0]["object"], &rows[0]["part"]], ["ramp", ""]);
    // Up the way it no longer overlaps the plane of the ramp: 20.5 m, and so far that a ball rests on a slope.
    let way: f64 = rows[0]["separation"].parse().unwrap();
    assert!((-way - 20.5 - 0.25 * 1.25_f64.sqrt()).abs() < 1e-6, "{way}");
    let up = |more: f64| {
        let y = -20.0 - way + more;
        let table = format!(
            "ax,ay,az,bx,by,bz,radius\n101,{y},1,101,{},1,0.25\n",
            y + 1.0
        );
        run(&folder, "capsule", &table, &["--signed"]).rows()[0]["status"].clone()
    };
    assert_eq!([up(1e-4), up(-1e-4)], ["separate", "overlap"]);
}

#[test]
fn explanations_say_so() {
    let folder = folder();
    let table = "cx,cy,cz,radius\n5,7,5,1\n101,-20,1,1\n";
    let run = |row: &str, more: &[&str]| {
        let arguments = ["--signed", "--explain", row];
        let run = run(&folder, "sphere", table, &[&arguments[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let text = run("0", &[]);
    let line = text
        .lines()
        .find(|line| line.contains("cube") && line.contains("answer"));
    let words = "inside its closed triangles";
    assert!(
        line.is_some_and(|line| line.contains("-4") && line.contains(words)),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&run("1", &["--json"])).unwrap();
    assert_eq!(json["answer"]["status"], "below");
    let candidates = json["candidates"].as_array().unwrap();
    let of_ramp: Vec<_> = candidates
        .iter()
        .filter(|one| one["object"] == "ramp")
        .collect();
    assert_eq!(
        (of_ramp.len(), &of_ramp[0]["verdict"]),
        (1, &"answer".into())
    );
    assert_eq!(of_ramp[0]["t"], json["answer"]["separation"]);
}

#[test]
fn signed_belongs_to_a_table() {
    let run = folder().run(&["overlap", "scene.toml", "--signed"]);
    run.assert_usage(&["SHAPES"]);
}
