//! Rows that cannot be used: how many there are for which reason, and the list of all.

use crate::Folder;

fn folder() -> Folder {
    let folder = Folder::with_scene("[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n");
    folder.write(
        "rays.csv",
        "ox,oy,oz,dx,dy,dz,ignore\n\
         0,9,0,0,0,0,\n\
         0,9,0,0,-1,0,\n\
         0,nan,0,0,-1,0,\n\
         0,abc,0,0,-1,0,\n\
         0,9,0,0,-1,0,bal\n\
         0,9,0,0,0,0,\n",
    );
    folder
}

const LISTED: &str = "row,line,column,reason\n\
    0,2,,ray direction must not be zero\n\
    2,4,oy,the column `oy` holds no number but `nan`\n\
    3,5,oy,the column `oy` holds no number but `abc`\n";

#[test]
fn counts_say_how_many_rows_have_which_reason() {
    let folder = folder();
    let run = folder.run(&["ray", "scene.toml", "rays.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let expected = "hitscan: 5 of 6 rows are invalid; the first: rays.csv, line 2 (row 0): ray direction \
        must not be zero\n  \
        2: ray direction must not be zero\n  \
        2: the column `oy` holds no number\n  \
        1: the column `ignore` names no object\n";
    assert_eq!(run.stderr, expected);
    let strict = folder.run(&["ray", "scene.toml", "rays.csv", "--strict", "-o", "out.csv"]);
    strict.assert_refused(&[
        "rays.csv, line 2 (row 0): ray direction must not be zero",
        "5 of the 6 rows that were read are invalid",
        "2: the column `oy` holds no number",
    ]);
    assert_eq!(folder.files(), ["rays.csv", "scene.toml"]);
}

#[test]
fn all_are_listed_with_their_columns() {
    let folder = folder();
    let plain = folder.run(&["ray", "scene.toml", "rays.csv"]).stdout;
    let run = folder.run(&["ray", "scene.toml", "rays.csv", "--bad-rows", "bad.csv"]);
    assert_eq!((run.code, &run.stdout), (0, &plain));
    let bad = folder.read("bad.csv");
    assert!(bad.starts_with(LISTED), "{bad}");
    let rest = bad.strip_prefix(LISTED).unwrap();
    assert!(rest.starts_with("4,6,ignore,"), "{bad}");
    assert!(
        rest.ends_with("\n5,7,,ray direction must not be zero\n"),
        "{bad}"
    );
    // The whole list, though the run fails.
    folder.write("bad.csv", "");
    let strict = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--strict",
        "-o",
        "out.csv",
        "--bad-rows",
    ];
    folder
        .run(&[&strict[..], &["bad.csv"]].concat())
        .assert_refused(&["row 0", "5 of the 6"]);
    assert_eq!(folder.read("bad.csv"), bad);
    assert_eq!(folder.files(), ["bad.csv", "rays.csv", "scene.toml"]);
    // In another format, and of more rows than one batch has.
    let mut many = "ox,oy,oz,dx,dy,dz\n".to_owned();
    many.push_str(&"0,9,0,0,-1,0\n0,9,0,0,0,0\n".repeat(10_000));
    folder.write("many.csv", many);
    let run = folder.run(&[
        "ray",
        "scene.toml",
        "many.csv",
        "--bad-rows",
        "bad.csv",
        "-o",
        "o.csv",
    ]);
    assert!(
        run.stderr
            .starts_with("hitscan: 10000 of 20000 rows are invalid; the first: ")
    );
    let bad = folder.read("bad.csv");
    assert_eq!(bad.lines().count(), 10_001);
    assert!(
        bad.ends_with("\n19999,20001,,ray direction must not be zero\n"),
        "{bad}"
    );
    let run = folder.run(&[
        "ray",
        "scene.toml",
        "many.csv",
        "--bad-rows",
        "bad.parquet",
        "-o",
        "o.csv",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn skipped_rows_are_listed_too() {
    let folder = folder();
    folder.write("points.csv", "px,py,pz\n1,2\n1,2,3\n1,x,3\n1,2,3,4\n");
    let skip = [
        "closest",
        "scene.toml",
        "points.csv",
        "--on-bad-row",
        "skip",
    ];
    let run = folder.run(&[&skip[..], &["--bad-rows", "bad.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let expected = "row,line,column,reason\n\
        0,2,,\"expected 3 fields as in the header, found 2\"\n\
        2,4,py,the column `py` holds no number but `x`\n\
        3,5,,\"expected 3 fields as in the header, found 4\"\n";
    assert_eq!(folder.read("bad.csv"), expected);
}

#[test]
fn the_list_of_sight_names_the_table() {
    let folder = folder();
    folder.write("eyes.csv", "x,y,z\n0,9,0\n0,,0\n");
    folder.write("targets.csv", "x,y,z,ignore\n5,9,x,\n5,9,0,bill\n");
    let sight = [
        "sight",
        "scene.toml",
        "eyes.csv",
        "targets.csv",
        "--bad-rows",
        "bad.csv",
    ];
    let run = folder.run(&sight);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let bad = folder.read("bad.csv");
    let expected = "table,row,line,column,reason\n\
        targets,0,2,z,the column `z` holds no number but `x`\ntargets,1,3,ignore,";
    assert!(bad.starts_with(expected), "{bad}");
    assert!(
        bad.ends_with("\neyes,1,3,y,the column `y` is empty\n"),
        "{bad}"
    );
    folder.write("bad.csv", "");
    folder
        .run(&[&sight[..], &["--strict", "-o", "out.csv"]].concat())
        .assert_refused(&["targets.csv", "2 of the 2"]);
    assert_eq!(folder.read("bad.csv"), bad);
    assert!(!folder.files().contains(&"out.csv".to_owned()));
}

#[test]
fn lists_that_would_replace_something_are_refused() {
    let folder = folder();
    for (arguments, words) in [
        (
            &["rays.csv", "--bad-rows", "rays.csv"][..],
            &["rays.csv", "also an input"][..],
        ),
        (
            &["rays.csv", "-o", "a.csv", "--bad-rows", "a.csv"],
            &["a.csv", "a file each"],
        ),
        (
            &["rays.csv", "--bad-rows", "-"],
            &["--bad-rows", "standard output"],
        ),
        (&["rays.csv", "--bad-rows", "bad.txt"], &["bad.txt"]),
        (
            &["rays.csv", "--explain", "0", "--bad-rows", "b.csv"],
            &["--explain", "--bad-rows"],
        ),
    ] {
        let run = folder.run(&[&["ray", "scene.toml"], arguments].concat());
        run.assert_refused(words);
    }
    folder
        .run(&["overlap", "scene.toml", "--bad-rows", "b.csv"])
        .assert_refused(&["--bad-rows", "SHAPES"]);
    assert_eq!(folder.files(), ["rays.csv", "scene.toml"]);
}
