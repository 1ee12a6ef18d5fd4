//! `hitscan check`: all errors of a scene at once, and shapes that must be well placed.

use crate::{Folder, RAMP, Run, column};
use serde_json::Value;

/// Every table but the second sphere and the box has something wrong, the terrain in its file; where there is
/// ground is then not known.
const FAULTY: &str = r#"[[sphere]]
centre = [0, 0, 0]
radius = -1
[[sphere]]
center = [0, 0, 0]
radius = 1
[[sphere]]
center = [0, 0]
radius = "wide"
colour = 1
[[sphere]]
center = [0, 0, 0]
radius = 0
[[box]]
min = [0, 0, 0]
max = [1, 1, 1]
[[box]]
name = "box0"
min = [0, 0, 0]
max = [1, 1, 1]
[[model]]
name = "a"
file = "C:\Users\fox.glb"
[[model]]
file = "broken.obj"
[[model]]
file = "tree.png"
[[model]]
file = "flat.obj"
on_ground = true
[[terrain]]
heights = "ground.png"
spacing = 1
[[tree]]
file = "tree.obj"
[[crowd]]
file = "flat.obj"
places = "places.csv"
"#;

/// Line and column of each.
const FAULTS: [(u64, u64, &str); 13] = [
    (2, 1, "unknown key `centre`"),
    (8, 10, "a point"),
    (9, 10, "a finite number"),
    (10, 1, "unknown key `colour`"),
    (13, 10, "radius"),
    (18, 8, "the name `box0` again"),
    (23, 13, "between '...'"),
    (25, 8, "broken.obj cannot be used"),
    (27, 8, "tree.png cannot be used"),
    (32, 11, "ground.png cannot be used"),
    (34, 3, "unknown table `tree`"),
    (38, 10, "places.csv cannot be used"),
    (0, 0, ""),
];

fn faulty() -> Folder {
    let folder = Folder::with_scene(FAULTY);
    folder.write("broken.obj", "v 1 2\n");
    folder.write("tree.png", "no picture");
    folder.write("ground.png", "no picture");
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("places.csv", "x,y\n1,2\n");
    folder
}

#[test]
fn all_errors_are_listed_with_their_lines() {
    let folder = faulty();
    let run = folder.run(&["check", "scene.toml", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""), "{}", run.stdout);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors = report["errors"].as_array().unwrap();
    for (error, (line, at, words)) in errors.iter().zip(FAULTS) {
        assert_eq!(
            (&error["line"], &error["file"]),
            (&line.into(), &"scene.toml".into()),
            "{error}"
        );
        assert_eq!(error["column"], at, "{error}");
        assert!(
            error["message"].as_str().unwrap().contains(words),
            "{error}"
        );
    }
    assert_eq!(errors.len(), FAULTS.len() - 1, "{errors:#?}");

    let run = folder.run(&["check", "scene.toml"]);
    assert_eq!((run.code, run.stderr.as_str()), (2, ""));
    let text = "scene.toml: line 9, column 10: expected a finite number for `radius`, found the string \"wide\"\n   \
                9 | radius = \"wide\"\n     |          ^\n";
    assert!(run.stdout.contains(text), "{}", run.stdout);
    assert!(run.stdout.ends_with("12 errors\n"), "{}", run.stdout);

    let run = folder.run(&["check", "scene.toml", "--format", "github"]);
    assert_eq!(run.code, 2);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 12, "{}", run.stdout);
    assert!(
        lines
            .iter()
            .all(|line| line.starts_with("::error file=scene.toml,line="))
    );
    let why = "::error file=scene.toml,line=25,col=8::scene.toml: line 25, column 8: broken.obj cannot be used%0A";
    assert!(lines[7].starts_with(why), "{}", lines[7]);

    // The other commands stop at the first.
    let run = folder.run(&["info", "scene.toml"]);
    run.assert_refused(&["line 2, column 1", "unknown key `centre`"]);
    assert!(!run.stderr.contains("line 8"), "{}", run.stderr);
}

#[test]
fn a_scene_without_errors_passes() {
    let folder = Folder::with_scene("[[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n");
    let run = folder.run(&["check", "scene.toml"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "scene.toml: 1 object, no errors\n")
    );
    let run = folder.run(&["check", "scene.toml", "--format", "json"]);
    let expected = "{\"scene\":\"scene.toml\",\"errors\":[],\"objects\":1,\"warnings\":[]}\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, expected));
    let run = folder.run(&["check", "scene.toml", "--format", "github"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    folder
        .run(&["check", "none.toml"])
        .assert_code(2, &["none.toml"]);
    folder
        .run(&["check", "scene.toml", "--strict"])
        .assert_refused(&["--strict", "TABLE"]);
    folder
        .run(&["check", "scene.toml", "--format", "csv"])
        .assert_refused(&["csv", "TABLE"]);
}

impl Run {
    fn assert_code(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for word in words {
            let is_said = self.stdout.contains(word) || self.stderr.contains(word);
            assert!(is_said, "{word:?}: {}{}", self.stdout, self.stderr);
        }
    }
}

/// The ramp from x = 0 to 4, and beside it a closed room around a crate.
const PLACED: &str = r#"
[[terrain]]
name = "ramp"
heights = "ramp.asc"
[[model]]
name = "room"
file = "room.obj"
translation = [20.0, 0.0, 0.0]
[[box]]
name = "crate"
min = [30.0, 0.0, 0.0]
max = [31.0, 1.0, 1.0]
"#;

const ROOM: &str = "v 0 0 0\nv 8 0 0\nv 8 0 8\nv 0 0 8\nv 0 8 0\nv 8 8 0\nv 8 8 8\nv 0 8 8\n\
    f 1 2 3 4\nf 5 8 7 6\nf 1 5 6 2\nf 2 6 7 3\nf 3 7 8 4\nf 4 8 5 1\n";

/// On the ramp, above it, below it, in the room, in the crate, unusable, above the crate, over the hole.
const BALLS: &str = "id,cx,cy,cz,radius\n\
    on,1,0.7,1,0.125\nover,1,3,1,0.125\nunder,1,-9,1,0.125\nroom,24,4,4,0.5\ncrate,30.5,0.5,0.5,0.25\n\
    bad,0,0,0,-1\ntop,30.5,1.25,0.5,0.25\nhole,3.75,9,3.75,0.125\n";

fn placed() -> Folder {
    let folder = Folder::with_scene(PLACED);
    folder.write("ramp.asc", RAMP);
    folder.write("room.obj", ROOM);
    folder.write("balls.csv", BALLS);
    folder
}

const ALL: [&str; 8] = [
    "check",
    "scene.toml",
    "balls.csv",
    "--shape",
    "sphere",
    "--on-ground",
    "0.25",
    "--clear",
];

#[test]
fn rows_pass_or_fail_with_a_reason() {
    let folder = placed();
    // Reasons have commas, and are quoted.
    let run = folder.run(&[&ALL[..], &["--outside-solids", "--format", "tsv"]].concat());
    run.assert_code(3, &["of 8 rows 5 fail, 1 cannot be used"]);
    let lines = run.stdout.lines().skip(1);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let of_column = |at: usize| {
        rows.iter()
            .map(|row| row[at].trim_matches('"'))
            .collect::<Vec<&str>>()
    };
    let status = [
        "pass", "fail", "fail", "fail", "fail", "invalid", "pass", "fail",
    ];
    assert_eq!((of_column(5), rows[4][0]), (status.to_vec(), "crate"));
    let reasons = of_column(6);
    assert!(
        reasons[1].starts_with("on_ground: `ramp` is 2.3"),
        "{}",
        reasons[1]
    );
    assert_eq!(
        reasons[2],
        "on_ground: nothing is below; outside_solids: it is below `ramp`"
    );
    assert_eq!(
        reasons[3],
        "on_ground: `room` is 3.5 m below, more than 0.25 m; outside_solids: it is inside `room`"
    );
    assert_eq!(
        reasons[4],
        "on_ground: nothing is below; clear: it overlaps `crate`; outside_solids: it is inside `crate`"
    );
    assert_eq!([reasons[0], reasons[6]], ["", ""]);
    assert_eq!(reasons[7], "on_ground: nothing is below");
    // Only the requested checks.
    let run = folder.run(&[
        "check",
        "scene.toml",
        "balls.csv",
        "--shape",
        "sphere",
        "--clear",
    ]);
    run.assert_code(3, &["of 8 rows 1 fail, 1 cannot be used"]);
    // A row may leave objects out.
    let table = "cx,cy,cz,radius,ignore\n30.5,0.5,0.5,0.25,crate\n24,4,4,0.5,room\n";
    let arguments = [
        "check",
        "scene.toml",
        "-",
        "--shape",
        "sphere",
        "--clear",
        "--outside-solids",
    ];
    assert_eq!(
        column(&folder.run_with(&arguments, table).rows(), "status"),
        ["pass", "pass"]
    );
}

#[test]
fn reports_take_the_place_of_the_table() {
    let folder = placed();
    let text = folder.run(&[&ALL[..], &["--format", "text", "-o", "out.parquet"]].concat());
    text.assert_code(3, &[]);
    assert_eq!(text.stdout.lines().count(), 6, "{}", text.stdout);
    let line =
        "balls.csv, line 6 (row 4): fail: on_ground: nothing is below; clear: it overlaps `crate`";
    assert!(
        text.stdout.lines().any(|own| own == line),
        "{}",
        text.stdout
    );
    assert!(folder.files().contains(&"out.parquet".to_owned()));
    let json = folder.run(&[&ALL[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (json.code, &report["failed"], &report["invalid"]),
        (3, &5.into(), &1.into())
    );
    let bad = report["bad"].as_array().unwrap();
    let rows: Vec<u64> = bad.iter().map(|row| row["row"].as_u64().unwrap()).collect();
    assert_eq!(
        (rows, &bad[3]["status"]),
        (vec![1, 2, 3, 4, 5, 7], &"fail".into())
    );
    assert_eq!(
        (&bad[4]["status"], &bad[4]["file"], &bad[4]["line"]),
        (&"invalid".into(), &"balls.csv".into(), &7.into())
    );
    let github = folder.run(&[&ALL[..], &["--format", "github"]].concat());
    let line = "::error file=balls.csv,line=6::row 4: fail: on_ground: nothing is below; clear: it overlaps `crate`";
    assert!(
        github.stdout.lines().any(|own| own == line),
        "{}",
        github.stdout
    );
}

#[test]
fn what_passes_ends_with_zero() {
    let folder = placed();
    folder.write("good.csv", "cx,cy,cz,radius\n1,0.7,1,0.125\n");
    let arguments = [&["check", "scene.toml", "good.csv"], &ALL[3..]].concat();
    let run = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (run.code, &report["bad"], &report["rows"]),
        (0, &Value::Array(vec![]), &1.into())
    );
    let run = folder.run(&[&arguments[..], &["--format", "github"]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    let run = folder.run(&[&arguments[..], &["--format", "text"]].concat());
    let expected = "scene.toml: all of 1 rows pass\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, expected));
}

#[test]
fn rows_that_are_left_out_are_no_failures() {
    let folder = placed();
    folder.write("ragged.csv", "cx,cy,cz,radius\n1,0.7,1,0.125\n1,2\n");
    let skip = ["--on-bad-row", "skip", "--format"];
    let arguments = [&["check", "scene.toml", "ragged.csv"], &ALL[3..], &skip].concat();
    let run = folder.run(&[&arguments[..], &["text"]].concat());
    let expected = "scene.toml: all of 1 rows pass\n";
    assert_eq!((run.code, run.stdout.as_str()), (0, expected));
    let run = folder.run(&[&arguments[..], &["github"]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

#[test]
fn a_report_that_breaks_off_is_json_all_the_same() {
    let folder = placed();
    folder.write("cut.csv", "cx,cy,cz,radius\n1,9,1,0.125\n1,2\n");
    let arguments = [&["check", "scene.toml", "cut.csv"], &ALL[3..]].concat();
    let run = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(run.code, 2, "{}", run.stderr);
    if !run.stdout.is_empty() {
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(report["is_whole"], false);
    }
}

/// What may come of an error is none: a table that may have been meant for terrain hides the ground.
#[test]
fn ground_is_not_missed_where_a_terrain_may_be_misspelt() {
    let folder = Folder::with_scene(
        "[[terain]]\nheights = 'ramp.asc'\n[[model]]\nfile = 'flat.obj'\non_ground = true\n",
    );
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let run = folder.run(&["check", "scene.toml", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["errors"].as_array().unwrap().len(), 1, "{report}");
}

#[test]
fn wrong_usage_and_wrong_tables_are_refused_before_the_scene_is_read() {
    let folder = placed();
    folder.write("scene.toml", "no scene");
    folder
        .run(&["check", "scene.toml", "balls.csv"])
        .assert_refused(&["--on-ground METRES"]);
    folder
        .run(&["check", "scene.toml", "balls.csv", "--clear"])
        .assert_refused(&["min_x"]);
    folder
        .run(&["check", "scene.toml", "--clear"])
        .assert_usage(&["TABLE"]);
    folder
        .run(&["check", "scene.toml", "balls.csv", "--on-ground", "0"])
        .assert_usage(&["metres above 0"]);
    let both = folder.run(&[&ALL[..], &["--format", "json", "-o", "-"]].concat());
    both.assert_refused(&["standard output"]);
    // A scene with errors beside a table: on standard error, as elsewhere; or as the report.
    let run = folder.run(&ALL);
    run.assert_refused(&["scene.toml: line 1", "1 error"]);
    assert_eq!(run.stdout, "");
    let run = folder.run(&[&ALL[..], &["--format", "github", "-o", "out.csv"]].concat());
    assert!(
        run.stdout.starts_with("::error file=scene.toml,line=1"),
        "{}",
        run.stdout
    );
    assert_eq!((run.code, folder.path("out.csv").exists()), (2, false));
}
