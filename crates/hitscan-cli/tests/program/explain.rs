//! `--explain ROW` of ray, sweep and overlap.

use crate::{Folder, RAMP, SIGN};
use serde_json::Value;

const SCENE: &str = r#"
[[terrain]]
name = "ramp"
heights = "ramp.asc"
[[model]]
name = "sign"
file = "sign.obj"
translation = [0, 5, 0]
[[sphere]]
name = "ball"
center = [1, 9, 1]
radius = 1
[[box]]
name = "crate"
min = [-9, 0, 0]
max = [-8, 1, 1]
[[box]]
name = "glass"
min = [-9, 2, 0]
max = [-8, 3, 1]
layers = 2
"#;

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", SIGN);
    folder
}

fn explained(folder: &Folder, arguments: &[&str], table: &str, row: &str) -> Value {
    let more = ["--explain", row, "--json"];
    let run = folder.run_with(&[arguments, &more].concat(), table);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Object, triangle, t and verdict of each candidate.
fn candidates(explained: &Value) -> Vec<String> {
    let all = explained["candidates"].as_array().unwrap().iter();
    all.map(|one| {
        let [object, verdict] = ["object", "verdict"].map(|key| one[key].as_str().unwrap());
        format!("{object} {} {} {verdict}", one["triangle"], one["t"])
    })
    .collect()
}

#[test]
fn a_ray_is_explained() {
    let folder = folder();
    let table = "id,ox,oy,oz,dx,dy,dz,t_max,mask,ignore\n\
        a,1,20,1,0,-1,0,,,\n\
        b,1,20,1,0,-1,0,12,1,ball\n\
        c,3.5,20,3.5,0,-1,0,,,\n";
    let ray = ["ray", "scene.toml", "-"];
    let first = explained(&folder, &ray, table, "0");
    assert_eq!(first["row"], 0);
    assert_eq!(first["question"]["oy"], 20);
    assert_eq!(first["question"]["t_max"], Value::Null);
    assert_eq!(first["answer"]["status"], "hit");
    assert_eq!(first["answer"]["object"], "ball");
    assert_eq!(first["answer"]["part"], Value::Null);
    assert_eq!(
        candidates(&first),
        [
            "ball null 10 answer",
            "ramp 0 19.5 farther",
            "ramp 1 19.5 farther",
            "sign null null box_missed",
            "crate null null box_missed",
            "glass null null box_missed",
        ]
    );
    let second = explained(&folder, &ray, table, "1");
    assert_eq!(second["answer"]["status"], "miss");
    assert_eq!(second["question"]["ignore"], "ball");
    assert_eq!(
        candidates(&second),
        [
            "ramp 0 19.5 out_of_range",
            "ramp 1 19.5 out_of_range",
            "sign null null box_missed",
            "ball null null filtered",
            "crate null null box_missed",
            "glass null null filtered",
        ]
    );
    let reasons: Vec<&str> = [0, 3, 5]
        .iter()
        .map(|&place: &usize| second["candidates"][place]["why"].as_str().unwrap())
        .collect();
    assert_eq!(reasons, ["beyond t_max = 12", "ignored", "layers"]);
    let third = explained(&folder, &ray, table, "2");
    assert_eq!(candidates(&third)[0], "ramp 7 18 hole");
}

#[test]
fn a_tie_and_a_wrong_side_are_explained() {
    let folder = folder();
    // Through the diagonal that both triangles of the board share.
    let table = "ox,oy,oz,dx,dy,dz\n-2,6,1,1,0,0\n";
    let tied = explained(&folder, &["ray", "scene.toml", "-"], table, "0");
    let both = ["sign 0 2 answer", "sign 1 2 tie"];
    assert_eq!(candidates(&tied)[..2], both);
    assert_eq!(tied["candidates"][0]["part"], "board");
    let side = tied["answer"]["side"].as_str().unwrap();
    let other = if side == "front" { "back" } else { "front" };
    let one_sided = ["ray", "scene.toml", "-", "--sides", other];
    let wrong = explained(&folder, &one_sided, table, "0");
    assert_eq!(wrong["answer"]["status"], "miss");
    let both = ["sign 0 2 wrong_side", "sign 1 2 wrong_side"];
    assert_eq!(candidates(&wrong)[..2], both);
    // All hits: a crossing of the shared edge is one.
    let all = explained(
        &folder,
        &["ray", "scene.toml", "-", "--hits", "all"],
        table,
        "0",
    );
    let verdicts: Vec<String> = candidates(&all);
    let answers = verdicts.iter().filter(|one| one.ends_with("answer"));
    assert_eq!(answers.count(), 1, "{verdicts:?}");
}

#[test]
fn a_move_and_a_resting_shape_are_explained() {
    let folder = folder();
    let moves = "cx,cy,cz,radius,dx,dy,dz\n-7,0.5,0.5,0.5,-1,0,0\n-7.5,0.5,0.5,0.5,1,0,0\n";
    let sweep = ["sweep", "scene.toml", "-", "--shape", "sphere", "--contact"];
    let hit = explained(&folder, &sweep, moves, "0");
    assert_eq!(hit["answer"]["t"], 0.5);
    assert_eq!(hit["answer"]["start"], "separate");
    assert_eq!(candidates(&hit)[0], "crate null 0.5 answer");
    let parting = explained(&folder, &sweep, moves, "1");
    assert_eq!(parting["answer"]["status"], "miss");
    assert_eq!(candidates(&parting)[0], "crate null 0 parts");

    let shapes = "cx,cy,cz,radius,margin\n-7,0.5,0.5,0.5,1\n";
    let overlap = ["overlap", "scene.toml", "-", "--shape", "sphere"];
    let near = explained(&folder, &overlap, shapes, "0");
    assert_eq!(near["answer"]["status"], "near");
    assert_eq!(near["answer"]["separation"], 0.5);
    let found = candidates(&near);
    assert_eq!(found[0], "crate null 0.5 answer");
    assert!(
        found
            .iter()
            .any(|one| one.starts_with("glass null ") && one.ends_with("out_of_range"))
    );
}

#[test]
fn an_arc_and_a_closest_point_are_explained() {
    let folder = folder();
    let arcs = "ox,oy,oz,vx,vy,vz,gx,gy,gz\n-9.5,0.5,0.5,2,0,0,0,-0.5,0\n\
                3.5,4,3.5,0.0625,0,0,0,-2,0\n";
    let arc = ["arc", "scene.toml", "-"];
    let hit = explained(&folder, &arc, arcs, "0");
    assert_eq!(hit["answer"]["object"], "crate");
    assert_eq!(candidates(&hit)[0], "crate null 0.25 answer");
    let through = explained(&folder, &arc, arcs, "1");
    assert_eq!(through["answer"]["status"], "miss");
    assert!(candidates(&through)[0].ends_with(" hole"), "{through}");

    let points = "px,py,pz,max_distance\n-7,0.5,0.5,1.5\n";
    let near = explained(&folder, &["closest", "scene.toml", "-"], points, "0");
    assert_eq!(near["answer"]["distance"], 1);
    let found = candidates(&near);
    assert_eq!(found.len(), 5, "one an object");
    assert_eq!(found[0], "crate null 1 answer");
    assert!(
        found[1..].iter().all(|one| one.ends_with("out_of_range")),
        "{found:?}"
    );
}

#[test]
fn an_invalid_row_is_explained_by_its_reason() {
    let folder = folder();
    let table = "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,0\n0,x,0,0,0,1\n";
    let ray = ["ray", "scene.toml", "-"];
    for (row, reason) in [
        ("0", "ray direction must not be zero"),
        ("1", "holds no number"),
    ] {
        let found = explained(&folder, &ray, table, row);
        assert_eq!(found["answer"]["status"], "invalid");
        assert_eq!(found["candidates"].as_array().unwrap().len(), 0);
        assert!(
            found["reason"].as_str().unwrap().contains(reason),
            "{found}"
        );
    }
    let text = folder.run_with(&["ray", "scene.toml", "-", "--explain", "1"], table);
    assert!(
        text.stdout.contains("holds no number but `x`"),
        "{}",
        text.stdout
    );
    let strict = ["ray", "scene.toml", "-", "--explain", "1", "--strict"];
    folder
        .run_with(&strict, table)
        .assert_refused(&["(row 1)", "holds no number"]);
}

#[test]
fn text_is_for_people_and_goes_to_a_file_too() {
    let folder = folder();
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n1,20,1,0,-1,0\n");
    let run = folder.run(&["ray", "scene.toml", "rays.csv", "--explain", "0"]);
    assert!(
        run.stdout
            .starts_with("rays.csv, line 2 (row 0)\n\nquestion\n  ox      1\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("\n  ball              10    answer\n"),
        "{}",
        run.stdout
    );
    let file = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--explain",
        "0",
        "-o",
        "why.txt",
    ];
    assert_eq!(folder.run(&file).code, 0);
    assert_eq!(folder.read("why.txt"), run.stdout);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    let table = "ox,oy,oz,dx,dy,dz\n1,20,1,0,-1,0\n";
    let ray = |more: &[&str]| folder.run_with(&[&["ray", "scene.toml", "-"], more].concat(), table);
    ray(&["--explain", "1"]).assert_refused(&["standard input", "no row 1", "has 1"]);
    ray(&["--json"]).assert_usage(&["--explain"]);
    ray(&["--explain", "-1"]).assert_usage(&["-1"]);
    ray(&["--explain", "0", "--method", "march"]).assert_refused(&["--method exact"]);
    ray(&["--explain", "0", "--format", "parquet"]).assert_refused(&["--format"]);
    folder
        .run(&["overlap", "scene.toml", "--explain", "0"])
        .assert_refused(&["--explain", "SHAPES"]);
}
