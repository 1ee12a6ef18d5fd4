//! `--columns`: columns of a question that a table has under other names, or not at all.

use crate::{Folder, RAMP, column};

const SCENE: &str = "[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n\
                     [[sphere]]\nname = 'ball'\ncenter = [1, 5, 1]\nradius = 1\nlayers = 2\n";

/// Rays down from a muzzle, as a log has them.
const LOG: &str = "shot,muzzle_x,\"muzzle, y\",muzzle_z,who\n\
                   a,1,9,1,\n\
                   b,1,9,1,ball\n\
                   c,3,9,1,\n\
                   d,3,,1,\n";

const COLUMNS: &str = "ox=muzzle_x,oy=\"muzzle, y\",oz=muzzle_z,dx=0,dy=-1,dz=0,ignore=who";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder.write("log.csv", LOG);
    folder
}

#[test]
fn a_log_is_answered_under_its_own_names() {
    let folder = folder();
    let plain = "ox,oy,oz,dx,dy,dz,ignore\n\
                 1,9,1,0,-1,0,\n1,9,1,0,-1,0,ball\n3,9,1,0,-1,0,\n3,,1,0,-1,0,\n";
    let expected = folder.run_with(&["ray", "scene.toml", "-"], plain);
    let run = folder.run(&["ray", "scene.toml", "log.csv", "--columns", COLUMNS]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answers = |stdout: &str, carried: usize| -> Vec<String> {
        let answer = |line: &str| line.splitn(carried + 1, ',').last().unwrap().to_owned();
        stdout.lines().skip(1).map(answer).collect()
    };
    let found = answers(&run.stdout, 5);
    assert_eq!(found, answers(&expected.stdout, 7));
    assert!(found[0].starts_with("hit,3,3,") && found[1].starts_with("hit,8.5,"));
    // All columns pass through under their own names, byte for byte.
    for (line, own) in run.stdout.lines().zip(LOG.lines()) {
        assert!(line.starts_with(&format!("{own},")), "{line}");
    }
    let message = "log.csv, line 5 (row 3): the column `muzzle, y` is empty";
    assert!(run.stderr.contains(message), "{}", run.stderr);
}

#[test]
fn every_format_is_read_by_other_names() {
    let folder = folder();
    let expected = folder.run(&["ray", "scene.toml", "log.csv", "--columns", COLUMNS]);
    for name in ["log.parquet", "log.arrow", "log.tsv"] {
        // A table of answers is one of questions with more columns.
        let make = [
            "ray",
            "scene.toml",
            "log.csv",
            "--columns",
            COLUMNS,
            "-o",
            name,
        ];
        assert_eq!(folder.run(&make).code, 0);
        let ask = [
            "ray",
            "scene.toml",
            name,
            "--columns",
            COLUMNS,
            "--prefix",
            "b_",
        ];
        let mut ask = ask.to_vec();
        ask.extend(["--format", "csv"]);
        let run = folder.run(&ask);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for (line, expected) in run.stdout.lines().zip(expected.stdout.lines()).skip(1) {
            let answer = expected.splitn(6, ',').last().unwrap();
            assert!(line.ends_with(answer), "{name}: {line} {answer}");
        }
    }
}

#[test]
fn an_assigned_column_comes_before_one_of_its_name() {
    let folder = folder();
    folder.write("points.csv", "x,z,east\n99,1,3\n");
    let points = ["height", "scene.toml", "points.csv", "--columns", "x=east"];
    let run = folder.run(&points);
    assert!(run.stdout.contains("\n99,1,3,ok,1.5,"), "{}", run.stdout);
    // Metres above the ground in place of the y that the table has.
    folder.write("eyes.csv", "x,y,z\n1,-50,1\n");
    folder.write("targets.csv", "px,py,pz\n3.9,3,1\n");
    let both = ["sight", "scene.toml", "eyes.csv", "targets.csv"];
    let own = ["--target-columns", "x=px,y=py,z=pz", "--columns"];
    let sight = |columns: &str| {
        let run = folder.run(&[&both[..], &own[..], &[columns]].concat());
        run.rows()[0]["status"].clone()
    };
    assert_eq!(sight("y_above=1"), "visible");
    assert_eq!(sight("y=y"), "blocked");
    let pair = [
        &both[..],
        &own[..],
        &["y_above=1", "--explain", "0,0", "--json"],
    ]
    .concat();
    let explained = folder.run(&pair);
    let question = "\"eye\":{\"ignore\":null,\"mask\":null,\"x\":1,\"y_above\":1,\"z\":1}";
    assert!(explained.stdout.contains(question), "{}", explained.stdout);
}

#[test]
fn every_command_takes_constants() {
    let folder = folder();
    folder.write("one.csv", "w\n1\n");
    for (command, columns, status) in [
        ("ray", "ox=w,oy=9,oz=w,dx=0,dy=-1,dz=0,mask=0b1", "hit"),
        ("ray", "ox=w,oy=9,oz=w,dx=0,dy=-1,dz=0,mask=4", "miss"),
        (
            "ray",
            "ox=w,oy_above=9,oz=w,dx=0,dy=-1,dz=0,t_max=2",
            "miss",
        ),
        ("arc", "ox=w,oy=9,oz=w,vx=0,vy=0,vz=0,gy=-9", "hit"),
        ("height", "x=w,z=w", "ok"),
        (
            "sweep",
            "min_x=w,min_y=8,min_z=w,max_x=w,max_y=9,max_z=w,dx=0,dy=-9,dz=0",
            "hit",
        ),
        (
            "overlap",
            "min_x=w,min_y=5,min_z=w,max_x=w,max_y=9,max_z=w,margin=0",
            "overlap",
        ),
        ("closest", "px=w,py=7,pz=w,max_distance=inf", "ok"),
    ] {
        let run = folder.run(&[command, "scene.toml", "one.csv", "--columns", columns]);
        let rows = run.rows();
        let found = column(&rows, "status")[0];
        let is_found = found == status || (command == "closest" && found != "invalid");
        assert!(is_found, "{command} {columns}: {found}");
    }
}

#[test]
fn a_mapped_column_is_not_warned_of() {
    let folder = folder();
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,tmax\n1,9,1,0,-1,0,2\n");
    let warned = folder.run(&["ray", "scene.toml", "rays.csv"]);
    assert!(warned.stderr.contains("`tmax` is not read"));
    let mapped = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--columns",
        "t_max=tmax",
        "--strict",
    ];
    let run = folder.run(&mapped);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.rows()[0]["status"], "miss");
    // One that is near the name of a column that has a value already means nothing.
    let constant = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--columns",
        "t_max=inf",
        "--strict",
    ];
    assert_eq!(folder.run(&constant).rows()[0]["status"], "hit");
}

/// The scene cannot be loaded, and is not what the message is about.
#[test]
fn wrong_lists_are_refused_before_the_scene_is_loaded() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    folder.write("log.csv", LOG);
    let mut files = Vec::new();
    for (columns, words) in [
        (
            "oxx=muzzle_x",
            ["log.csv", "no column `oxx`", "did you mean `ox`"],
        ),
        (
            "ox=muzle_x",
            ["log.csv", "no column `muzle_x`", "did you mean `muzzle_x`"],
        ),
        ("ox=1x", ["no column `1x`", "it is no number", "`shot`"]),
        ("ox=inf", ["log.csv", "`ox=inf`", "a finite number"]),
        ("mask=1.5", ["log.csv", "`mask=1.5`", "whole number"]),
        ("ignore=5", ["log.csv", "`ignore=5`", "a column"]),
        ("oy=1,oy_above=2", ["`oy`", "`oy_above`", "two names"]),
        (
            "ox=muzzle_x",
            ["`oy` is missing", "muzzle, y", "--columns oy=NAME"],
        ),
    ] {
        let run = folder.run(&[
            "ray",
            "scene.toml",
            "log.csv",
            "--columns",
            columns,
            "-o",
            "x.csv",
        ]);
        run.assert_refused(&words);
        assert!(!run.stderr.contains("scene.toml"), "{}", run.stderr);
        files = folder.files();
    }
    assert_eq!(files, ["log.csv", "scene.toml"]);
    // Of a stream, what is wrong without a look at it.
    for columns in ["oxx=a", "dx=1e99", "oy=1,oy_above=a"] {
        let run = folder.run_with(&["ray", "scene.toml", "-", "--columns", columns], LOG);
        run.assert_refused(&["standard input"]);
        assert!(!run.stderr.contains("scene.toml"), "{}", run.stderr);
    }
    for (columns, word) in [
        ("ox=a,ox=b", "given twice"),
        ("ox", "such as ox=muzzle_x"),
        ("", "expected a column"),
    ] {
        let run = folder.run(&["ray", "scene.toml", "log.csv", "--columns", columns]);
        run.assert_usage(&[word]);
    }
    folder
        .run(&["overlap", "scene.toml", "--columns", "margin=1"])
        .assert_refused(&["--columns belongs to a table of shapes"]);
}

#[test]
fn shots_are_drawn_by_other_names() {
    let folder = folder();
    let render = |name: &str, more: &[&str]| {
        let words = ["render", "scene.toml", "-o", name, "--size", "64x36"];
        let run = folder.run(&[&words[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        std::fs::read(folder.path(name)).unwrap()
    };
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n1,9,1,0,-1,0\n");
    folder.write("shots.csv", "a,b\n1,9\n");
    let expected = render("rays.png", &["--shots", "rays.csv"]);
    let columns = "ox=a,oy=b,oz=a,dx=0,dy=-1,dz=0";
    let shots = ["--shots", "shots.csv", "--columns", columns];
    assert!(expected == render("shots.png", &shots));
    assert!(expected != render("none.png", &[]));
}

#[test]
fn bad_rows_and_explanations_name_what_a_reader_looks_for() {
    let folder = folder();
    let ask = ["ray", "scene.toml", "log.csv", "--columns", COLUMNS];
    let run = folder.run(&[&ask[..], &["--bad-rows", "bad.csv", "-o", "out.csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let listed = "row,line,column,reason\n3,5,\"muzzle, y\",\"the column `muzzle, y` is empty\"\n";
    assert_eq!(folder.read("bad.csv"), listed);
    let run = folder.run(&[&ask[..], &["--explain", "1", "--json"]].concat());
    let question = "\"mask\":null,\"ox\":1,\"oy\":9,\"oz\":1,\"t_max\":null";
    assert!(run.stdout.contains(question), "{}", run.stdout);
}
