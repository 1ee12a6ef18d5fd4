//! Compounds: every command names the part, and `ignore` may.

use crate::{Folder, column};
use serde_json::Value;

/// Along x: a ball, then a guard of three parts who looks this way, then a wall.
const GUARD: &str = r#"
[[sphere]]
name = "ball"
center = [-9.0, 3.5, 0.0]
radius = 0.5

[[box]]
name = "wall"
min = [8.0, 0.0, -9.0]
max = [9.0, 4.0, 9.0]

[[compound]]
name = "guard"
translation = [2.0, 0.0, 0.0]

[[compound.part]]
name = "head"
shape = "sphere"
center = [0.0, 1.5, 0.0]
radius = 0.25

[[compound.part]]
name = "chest"
shape = "box"
min = [-0.5, 0.5, -0.5]
max = [0.5, 1.25, 0.5]

[[compound.part]]
name = "spike"
shape = "hull"
points = [[-1.5, 1.0, 0.0], [-0.5, 0.75, -0.25], [-0.5, 0.75, 0.25], [-0.5, 1.25, 0.0]]
"#;

fn guard() -> Folder {
    Folder::with_scene(GUARD)
}

#[test]
fn rays_name_the_part_and_the_face() {
    let folder = guard();
    let rays = "ox,oy,oz,dx,dy,dz,ignore\n\
                0,1.5,0,1,0,0,\n0,1,0,1,0,0,\n0,1,0,1,0,0,guard/spike\n0,1,0,1,0,0,guard\n\
                0,1,0,1,0,0,guard/chest; guard/spike\n2,1.5,0,0,1,0,\n0,0.5625,0.25,1,0,0,ball;guard/head\n";
    let run = folder.run_with(&["ray", "scene.toml", "-"], rays);
    let rows = run.rows();
    assert_eq!(
        column(&rows, "object"),
        ["guard", "guard", "guard", "wall", "wall", "guard", "guard"]
    );
    assert_eq!(
        column(&rows, "part"),
        ["head", "spike", "chest", "", "", "head", "chest"]
    );
    assert_eq!(
        column(&rows, "t"),
        ["1.75", "0.5", "1.5", "8", "8", "0", "1.5"]
    );
    assert_eq!(column(&rows, "triangle"), ["", "0", "", "", "", "", ""]);
    assert_eq!(column(&rows, "u"), [""; 7]);
    let all = folder.run_with(
        &["ray", "scene.toml", "-", "--hits", "all"],
        "ox,oy,oz,dx,dy,dz\n0,1,0,1,0,0\n",
    );
    let parts = column(&all.rows(), "part").join(" ");
    assert_eq!(parts, "spike chest spike chest  ", "{}", all.stdout);

    let unknown = folder.run_with(
        &["ray", "scene.toml", "-"],
        "ox,oy,oz,dx,dy,dz,ignore\n0,1,0,1,0,0,guard/hed\n",
    );
    assert_eq!(column(&unknown.rows(), "status"), ["invalid"]);
    assert!(
        unknown.stderr.contains("names no part but `hed`"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn other_commands_name_the_part() {
    let folder = guard();
    let ask = |arguments: &[&str], table: &str| folder.run_with(arguments, table).rows();
    let arcs = ask(
        &["arc", "scene.toml", "-"],
        "ox,oy,oz,vx,vy,vz\n0,1.5,0,4,2.5,0\n",
    );
    assert_eq!(
        (column(&arcs, "part"), column(&arcs, "triangle")),
        (vec!["head"], vec![""])
    );

    let nearest = ask(
        &["closest", "scene.toml", "-"],
        "px,py,pz,ignore\n0,1,0,\n0,1,0,guard/spike\n",
    );
    assert_eq!(column(&nearest, "part"), ["spike", "chest"]);
    assert_eq!(column(&nearest, "distance"), ["0.5", "1.5"]);
    assert_eq!(column(&nearest, "triangle"), [""; 2]);

    let moves =
        "cx,cy,cz,radius,dx,dy,dz,ignore\n0,1.5,0,0.25,4,0,0,\n0,1,0,0.25,4,0,0,guard/spike\n";
    let swept = ask(&["sweep", "scene.toml", "-", "--shape", "sphere"], moves);
    assert_eq!(column(&swept, "object"), ["guard", "guard"]);
    assert_eq!(column(&swept, "part"), ["head", "chest"]);
    let every = ask(
        &[
            "sweep",
            "scene.toml",
            "-",
            "--shape",
            "sphere",
            "--hits",
            "all",
        ],
        "cx,cy,cz,radius,dx,dy,dz\n0,1,0,0.25,9,0,0\n",
    );
    assert_eq!(column(&every, "object"), ["guard", "wall"]);

    let shapes = "cx,cy,cz,radius,margin\n2,1.125,0,0.625,1\n";
    let overlap = |each| {
        ask(
            &[
                "overlap",
                "scene.toml",
                "-",
                "--shape",
                "sphere",
                "--each",
                each,
            ],
            shapes,
        )
    };
    assert_eq!(column(&overlap("object"), "part"), ["chest"]);
    assert_eq!(
        column(&overlap("triangle"), "part"),
        ["head", "chest", "spike"]
    );
    assert_eq!(column(&overlap("triangle"), "status"), ["overlap"; 3]);

    folder.write("eyes.csv", "x,y,z,ignore\n-2,1.5,0,\n-2,1.5,0,guard/head\n");
    folder.write("targets.csv", "x,y,z\n7,1.5,0\n");
    let seen = folder
        .run(&[
            "sight",
            "scene.toml",
            "eyes.csv",
            "targets.csv",
            "--blocker",
        ])
        .rows();
    assert_eq!(column(&seen, "status"), ["blocked", "visible"]);
    assert_eq!(column(&seen, "part"), ["head", ""]);
}

#[test]
fn pairs_of_objects_name_the_parts() {
    let scene =
        format!("{GUARD}[[sphere]]\nname = \"hand\"\ncenter = [2.0, 1.25, 0.5]\nradius = 0.25\n");
    let folder = Folder::with_scene(&scene);
    let rows = folder.run(&["overlap", "scene.toml", "--exact"]).rows();
    assert_eq!(column(&rows, "object_a"), ["hand"]);
    assert_eq!(
        (column(&rows, "part_a"), column(&rows, "part_b")),
        (vec![""], vec!["chest"])
    );
    assert_eq!(
        (column(&rows, "kind"), column(&rows, "triangle_b")),
        (vec!["cross"], vec![""])
    );
}

#[test]
fn explanations_and_facts_name_the_parts() {
    let folder = guard();
    let table = "ox,oy,oz,dx,dy,dz,ignore\n0,1,0,1,0,0,guard/head\n";
    let run = folder.run_with(
        &["ray", "scene.toml", "-", "--explain", "0", "--json"],
        table,
    );
    let said: Value = serde_json::from_str(&run.stdout).unwrap();
    let of = |field: &str| -> Vec<String> {
        let candidates = said["candidates"].as_array().unwrap().iter();
        candidates
            .map(|one| format!("{} {}", one["part"], one[field]).replace('"', ""))
            .collect()
    };
    assert_eq!(
        of("verdict"),
        [
            "spike answer",
            "chest farther",
            "null farther",
            "null box_missed",
            "head filtered"
        ]
    );
    assert_eq!(of("triangle")[..2], ["spike 0", "chest null"]);

    let info = folder.run(&["info", "scene.toml"]);
    assert!(
        info.stdout.contains("head, chest, spike"),
        "{}",
        info.stdout
    );
    let json: Value =
        serde_json::from_str(&folder.run(&["info", "scene.toml", "--json"]).stdout).unwrap();
    let guard = json["objects"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] == "guard")
        .unwrap();
    assert_eq!(
        (&guard["kind"], &guard["parts"]),
        (
            &Value::from("compound"),
            &Value::from(vec!["head", "chest", "spike"])
        )
    );

    // A baked scene has them too.
    assert_eq!(
        folder
            .run(&["bake", "scene.toml", "-o", "scene.baked"])
            .code,
        0
    );
    let rays = "ox,oy,oz,dx,dy,dz,ignore\n0,1.5,0,1,0,0,\n0,1,0,1,0,0,guard/spike\n";
    let baked = folder.run_with(&["ray", "scene.baked", "-"], rays);
    let plain = folder.run_with(&["ray", "scene.toml", "-"], rays);
    assert_eq!((baked.code, baked.stdout), (0, plain.stdout));
}

#[test]
fn places_inside_of_a_part_are_refused() {
    let folder = guard();
    let table = "cx,cy,cz,radius,ignore\n2,1,0,0.25,\n2,1,0,0.25,guard/chest;guard/spike\n";
    let run = folder.run_with(
        &[
            "check",
            "scene.toml",
            "-",
            "--shape",
            "sphere",
            "--outside-solids",
        ],
        table,
    );
    assert_eq!(run.code, 3, "{}", run.stderr);
    let rows = crate::rows(&run.stdout);
    assert_eq!(column(&rows, "status"), ["fail", "pass"], "{}", run.stdout);
    assert!(
        rows[0]["reason"].contains("inside `guard`"),
        "{}",
        run.stdout
    );
}
