//! Shapes that turn while they move: `hitscan sweep --turning`.

use crate::outside_cases::read;
use crate::{Folder, column};
use hitscan_testkit::outside_data;

const SCENE: &str = r#"
[[box]]
name = "wall"
min = [3, -1, -2]
max = [4, 2, 2]
[[sphere]]
name = "ball"
center = [0, 0, -4]
radius = 1
"#;

const HEADER: &str = "ax,ay,az,bx,by,bz,radius,dx,dy,dz,axis_x,axis_y,axis_z,angle,\
    pivot_x,pivot_y,pivot_z,tolerance\n";

fn answer(rows: &str, options: &[&str]) -> Vec<crate::Row> {
    let folder = Folder::with_scene(SCENE);
    let arguments = [
        "sweep",
        "scene.toml",
        "-",
        "--shape",
        "capsule",
        "--turning",
    ];
    let table = format!("{HEADER}{rows}");
    folder
        .run_with(&[&arguments, options].concat(), table)
        .rows()
}

#[test]
fn a_sword_swings_until_it_is_near() {
    // It points to +z and turns to +x, and to -z, where the ball is before it.
    let rows = answer(
        "0,0,1,0,0,3.25,0.05,0,0,0,0,1,0,1.5,0,0,0,\n\
         0,0,1,0,0,3.25,0.05,0,0,0,0,7,0,-3,0,0,0,0.001\n\
         0,0,1,0,0,2,0.05,0,0,0,0,1,0,1.5,0,0,0,\n",
        &[],
    );
    assert_eq!(column(&rows, "status"), ["hit", "hit", "miss"]);
    assert_eq!(column(&rows, "object"), ["wall", "ball", ""]);
    for (row, tolerance) in rows.iter().zip([2.35e-4, 1e-3]) {
        let gap: f64 = row["gap"].parse().unwrap();
        assert!(gap > 0.0 && gap <= tolerance, "{row:?}");
    }
    assert!(rows[2]["gap"].is_empty());
}

#[test]
fn without_an_angle_the_answer_is_the_plain_one() {
    let folder = Folder::with_scene(SCENE);
    let moves = "ax,ay,az,bx,by,bz,radius,dx,dy,dz\n0,0,0,0,1,0,0.3,7,0.1,0.2\n\
        3.5,0,0,3.5,1,0,0.3,7,0,0\n0,0,0,0,1,0,0.3,-7,0,0\n";
    let arguments = ["sweep", "scene.toml", "-", "--shape", "capsule"];
    let plain = folder.run_with(&arguments, moves).rows();
    let turning = folder.run_with(&[&arguments[..], &["--turning"]].concat(), moves);
    for (plain, turning) in plain.iter().zip(turning.rows()) {
        let gap = if plain["status"] == "hit" { "0" } else { "" };
        assert_eq!(turning["gap"], gap);
        for (name, value) in plain {
            assert_eq!(turning[name], *value, "{name}");
        }
    }
    assert_eq!(column(&plain, "status"), ["hit", "overlap", "miss"]);
}

#[test]
fn any_answers_the_status_alone() {
    let rows = answer(
        "0,0,1,0,0,3.25,0.05,0,0,0,0,1,0,1.5,0,0,0,\n\
         3,0,1,3.5,0,1,0.05,0,0,0,0,1,0,1.5,0,0,0,\n\
         0,0,1,0,0,2,0.05,0,0,0,0,1,0,1.5,,,,\n",
        &["--hits", "any"],
    );
    assert_eq!(column(&rows, "status"), ["hit", "hit", "miss"]);
    assert!(!rows[0].contains_key("gap"));
}

#[test]
fn rows_that_make_no_turn_are_invalid() {
    let rows = answer(
        "0,0,1,0,0,2,0.05,0,0,0,0,0,0,1.5,,,,\n\
         0,0,1,0,0,2,0.05,0,0,0,0,1,0,1000001,,,,\n\
         0,0,1,0,0,2,0.05,0,0,0,0,1,0,1,,,,0\n\
         0,0,1,0,0,2,0.05,0,0,0,0,1,0,1,,0,,\n\
         0,0,1,0,0,2,0.05,0,0,0,0,0,0,0,,,,\n",
        &[],
    );
    let expected = ["invalid", "invalid", "invalid", "invalid", "miss"];
    assert_eq!(column(&rows, "status"), expected);
}

#[test]
fn what_a_turn_cannot_have_is_refused() {
    let folder = Folder::with_scene(SCENE);
    for options in [
        &["--hits", "all"][..],
        &["--initial-overlap", "escape"],
        &["--sides", "front"],
        &["--contact"],
        &["--explain", "0"],
        &["--tolerance", "0"],
        &["--tolerance", "inf"],
    ] {
        let arguments = ["sweep", "scene.toml", "-", "--turning"];
        let run = folder.run_with(&[&arguments, options].concat(), "");
        run.assert_usage(&[options[0]]);
    }
    let run = folder.run_with(&["sweep", "scene.toml", "-", "--tolerance", "1"], "");
    run.assert_usage(&["--turning"]);
}

const MOVERS: &str = r#"
[[box]]
name = "post"
min = [-0.25, 0, -2]
max = [0.25, 3, -1]
[[compound]]
name = "gate"
[[compound.part]]
name = "frame"
shape = "box"
min = [0, 0, -0.05]
max = [0.5, 1, 0.05]
[[compound.part]]
name = "bar"
shape = "cylinder"
a = [0.5, 0.5, 0]
b = [2, 0.5, 0]
radius = 0.05
[[cylinder]]
name = "rod"
a = [0, 5, 1]
b = [0, 5, 3]
radius = 0.25
[[box]]
name = "stop"
min = [2, 4, -1]
max = [3, 6, 1]
"#;

#[test]
fn objects_turn_with_all_their_parts() {
    let folder = Folder::with_scene(MOVERS);
    let header =
        "mover,dx,dy,dz,axis_x,axis_y,axis_z,angle,pivot_x,pivot_y,pivot_z,tolerance,ignore\n";
    let rows = "gate,0,0,0,0,1,0,1.5707964,0,0,0,0.001,\n\
        gate,0,0,0,0,1,0,1.5707964,0,0,0,,post\n\
        rod,0,0,0,0,1,0,1.5,0,5,0,,\n\
        gate,0,0,-4,0,1,0,0,0,0,0,,\n\
        nothing,0,0,0,0,1,0,1,,,,,\n\
        gate,0,0,0,0,0,0,1,,,,,\n";
    let arguments = ["sweep", "scene.toml", "-", "--object", "--turning"];
    let table = format!("{header}{rows}");
    let found = folder.run_with(&arguments, table.as_str()).rows();
    let expected = ["hit", "miss", "hit", "hit", "invalid", "invalid"];
    assert_eq!(column(&found, "status"), expected);
    assert_eq!(
        column(&found, "object"),
        ["post", "", "stop", "post", "", ""]
    );
    assert_eq!(column(&found, "mover_part")[..3], ["bar", "", ""]);
    let number = |row: usize, name: &str| found[row][name].parse::<f64>().unwrap();
    assert!(number(0, "gap") > 0.0 && number(0, "gap") <= 0.001);
    assert!(number(0, "t") > 0.8 && number(0, "t") < 0.9);
    assert!(number(2, "gap") <= 2e-4, "{:?}", found[2]);
    assert_eq!(found[3]["gap"], "0");
    let any = folder.run_with(
        &[&arguments[..], &["--hits", "any"]].concat(),
        table.as_str(),
    );
    assert_eq!(column(&any.rows(), "status"), expected);
    // A mover that is one solid answers as the shape.
    let shape = "ax,ay,az,bx,by,bz,radius,dx,dy,dz,axis_x,axis_y,axis_z,angle,pivot_x,pivot_y,pivot_z,ignore\n\
        0,5,1,0,5,3,0.25,0,0,0,0,1,0,1.5,0,5,0,rod\n";
    let arguments = [
        "sweep",
        "scene.toml",
        "-",
        "--shape",
        "cylinder",
        "--turning",
    ];
    let as_shape = folder.run_with(&arguments, shape).rows();
    for name in [
        "status", "t", "nx", "ny", "nz", "object", "part", "triangle", "gap",
    ] {
        assert_eq!(found[2][name], as_shape[0][name], "{name}");
    }
}

/// The outside cases: their oracle samples poses densely, and tells of a time at which shapes overlap.
#[test]
fn outside_turns_are_answered_as_sampled_poses_say() {
    let Some(data) = outside_data() else { return };
    let folder = data.join("cases/shapes/turning");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (scene, moves) = (path("scene.toml"), path("turning.csv"));
    let arguments = ["sweep", &scene, &moves, "--shape", "hull", "--turning"];
    let found = Folder::new().run(&arguments).rows();
    let expected = read(&folder.join("turning_expected.csv"));
    assert!(found.len() == expected.len() && found.len() > 190);
    let mut wrong = Vec::new();
    for (found, expected) in found.iter().zip(&expected) {
        let number = |text: &String| text.parse::<f64>().unwrap();
        let (status, kind) = (found["status"].as_str(), expected["kind"].as_str());
        let mut is_right = match kind {
            "hit" => ["hit", "undecided"].contains(&status),
            "hit0" => status == "hit" && found["t"] == "0" && found["gap"] == "0",
            _ => status == kind,
        };
        if status == "hit" {
            is_right &= number(&found["gap"]) <= number(&expected["tolerance"]) * 1.000_001;
        }
        if kind == "hit" && is_right {
            is_right &= number(&found["t"]) <= number(&expected["overlap_at"]);
        }
        if !is_right {
            wrong.push(format!("{found:?}\n  not {expected:?}"));
        }
    }
    let undecided = found.iter().filter(|row| row["status"] == "undecided");
    println!("{} rows, {} undecided", found.len(), undecided.count());
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
