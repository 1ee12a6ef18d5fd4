//! Ranges of rows, and tables that are several files.

use crate::{Folder, column};

const SCENE: &str = "[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n";
const HEADER: &str = "ox,oy,oz,dx,dy,dz,id";

/// Rays down, every third a miss; the row's number is the id.
fn rays(rows: std::ops::Range<u32>) -> String {
    let row = |i: u32| {
        format!(
            "{},9,0,0,-1,0,{i}\n",
            if i.is_multiple_of(3) { 5 } else { 0 }
        )
    };
    format!("{HEADER}\n{}", rows.map(row).collect::<String>())
}

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("rays.csv", rays(0..10));
    folder
}

#[test]
fn a_range_of_rows_is_answered_and_keeps_its_numbers() {
    let folder = folder();
    let make = ["ray", "scene.toml", "rays.csv", "--prefix", "p_", "-o"];
    for name in ["rays.parquet", "rays.arrow", "rays.tsv", "rays.csv.gz"] {
        assert_eq!(folder.run(&[&make[..], &[name]].concat()).code, 0);
    }
    for name in [
        "rays.csv",
        "rays.parquet",
        "rays.arrow",
        "rays.tsv",
        "rays.csv.gz",
    ] {
        for (range, ids, numbers) in [
            ("3..5", vec!["3", "4", "4"], vec!["3", "4", "4"]),
            ("..1", vec!["0"], vec!["0"]),
            ("9..", vec!["9"], vec!["9"]),
            ("8..99", vec!["8", "8", "9"], vec!["8", "8", "9"]),
        ] {
            let ask = ["ray", "scene.toml", name, "--hits", "all", "--rows", range];
            let run = folder.run(&[&ask[..], &["--format", "csv"]].concat());
            let rows = run.rows();
            assert_eq!(column(&rows, "id"), ids, "{name} {range}");
            assert_eq!(column(&rows, "row"), numbers, "{name} {range}");
        }
    }
    let piped = ["ray", "scene.toml", "-", "--rows", "2..4"];
    let run = folder.run_with(&piped, rays(0..10));
    assert_eq!(column(&run.rows(), "id"), ["2", "3"]);
    let behind = folder.run(&[
        "ray",
        "scene.toml",
        "rays.csv",
        "--rows",
        "10..",
        "-o",
        "x.csv",
    ]);
    behind.assert_refused(&["rays.csv", "no row 10", "counted from 0", "has 10"]);
    assert!(!folder.files().contains(&"x.csv".to_owned()));
}

#[test]
fn messages_about_a_range_number_rows_in_the_table() {
    let folder = folder();
    let text = rays(0..10)
        .replace(",7\n", ",7,7\n")
        .replace("0,9,0,0,-1,0,5", "0,9,0,0,0,0,5");
    folder.write("rays.csv", text);
    let ask = ["ray", "scene.toml", "rays.csv", "--rows", "4..7"];
    let run = folder.run(&ask);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let first = "1 of 3 rows are invalid; the first: rays.csv, line 7 (row 5)";
    assert!(run.stderr.contains(first), "{}", run.stderr);
    let run = folder.run(&["ray", "scene.toml", "rays.csv", "--rows", "4.."]);
    run.assert_refused(&["rays.csv, line 9 (row 7): expected 7 fields"]);
}

#[test]
fn ranges_without_rows_are_refused() {
    let folder = folder();
    for (range, word) in [
        ("5", "100..200"),
        ("5..5", "no row"),
        ("7..5", "no row"),
        ("a..b", "counted from 0"),
        ("-1..5", "counted from 0"),
    ] {
        let range = format!("--rows={range}");
        folder
            .run(&["ray", "scene.toml", "rays.csv", &range])
            .assert_usage(&[word]);
    }
    let explain = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--rows",
        "1..2",
        "--explain",
        "1",
    ];
    folder
        .run(&explain)
        .assert_refused(&["--rows", "--explain"]);
    folder
        .run(&["overlap", "scene.toml", "--rows", "1..2"])
        .assert_refused(&["--rows belongs to a table of shapes"]);
}

#[test]
fn several_files_and_patterns_are_one_table() {
    let folder = folder();
    let whole = folder.run(&["ray", "scene.toml", "rays.csv"]).stdout;
    std::fs::create_dir(folder.path("logs")).unwrap();
    folder.write("logs/a.csv", rays(0..4));
    folder.write("logs/b.csv", rays(4..4));
    folder.write("logs/c.csv", rays(4..10));
    folder.write("logs/.hidden.csv", "x\n");
    folder.write("logs/notes.txt", "x\n");
    let given = ["logs/a.csv", "logs/b.csv", "logs/c.csv"];
    let run = folder.run(&[&["ray", "scene.toml"][..], &given[..]].concat());
    assert_eq!((run.code, &run.stdout), (0, &whole), "{}", run.stderr);
    // No shell expands these.
    for pattern in ["logs/*.csv", "l*/?.csv", "**/[abc].csv"] {
        let run = folder.run(&["ray", "scene.toml", pattern]);
        assert_eq!(
            (run.code, &run.stdout),
            (0, &whole),
            "{pattern}: {}",
            run.stderr
        );
    }
    // The order is that of the command line; options may be anywhere.
    let words = [
        "ray",
        "scene.toml",
        "logs/c.csv",
        "--threads",
        "1",
        "logs/a.csv",
    ];
    let run = folder.run(&words);
    let ids = ["4", "5", "6", "7", "8", "9", "0", "1", "2", "3"];
    assert_eq!(column(&run.rows(), "id"), ids);
    let run = folder.run(&["ray", "scene.toml", "logs/*.csv", "--rows", "3..5"]);
    assert_eq!(column(&run.rows(), "id"), ["3", "4"]);
    let run = folder.run(&["ray", "scene.toml", "logs/*.csv", "--explain", "5"]);
    assert!(
        run.stdout
            .starts_with("logs/c.csv, line 3 (row 5 of all files)\n")
    );
    // A file that has the name of a pattern is that file.
    folder.write("[abc].csv", rays(0..1));
    let run = folder.run(&["ray", "scene.toml", "[abc].csv"]);
    assert_eq!(column(&run.rows(), "id"), ["0"]);
    let joined = ["ray", "scene.toml", "logs/*.csv", "-o", "out.parquet"];
    assert_eq!(folder.run(&joined).code, 0);
    let twice = [
        "ray",
        "scene.toml",
        "out.parquet",
        "out.parquet",
        "--prefix",
        "b_",
    ];
    let run = folder.run(&[&twice[..], &["--hits", "any"]].concat());
    assert_eq!(run.rows().len(), 20);
}

#[test]
fn rows_of_several_files_are_listed_with_the_file() {
    let folder = folder();
    folder.write("more.csv", rays(10..12).replace(",-1,", ",0,"));
    let ask = [
        "ray",
        "scene.toml",
        "rays.csv",
        "more.csv",
        "--bad-rows",
        "bad.csv",
    ];
    let run = folder.run(&ask);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let reason = "ray direction must not be zero";
    let listed =
        format!("table,row,line,column,reason\nmore.csv,10,2,,{reason}\nmore.csv,11,3,,{reason}\n");
    assert_eq!(folder.read("bad.csv"), listed);
    let first = "the first: more.csv, line 2 (row 10 of all files)";
    assert!(run.stderr.contains(first), "{}", run.stderr);
}

/// The scene cannot be loaded, and is not what the message is about.
#[test]
fn files_that_do_not_go_together_are_refused_first() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    folder.write("a.csv", rays(0..1));
    folder.write("b.csv", rays(0..1).replace("id", "number"));
    for (words, message) in [
        (
            vec!["a.csv", "b.csv"],
            vec!["b.csv", "a.csv", "column 7 is `number` and there `id`"],
        ),
        (
            vec!["a.csv", "none.csv"],
            vec!["none.csv", "cannot be read"],
        ),
        (vec!["a.csv", "-"], vec!["standard input", "by itself"]),
        (vec!["c*.csv"], vec!["c*.csv", "no file has such a name"]),
        (vec!["a.csv", "*/***"], vec!["*/***", "no pattern"]),
        (
            vec!["a.csv", "a.csv", "-o", "a.csv"],
            vec!["a.csv", "also an input"],
        ),
    ] {
        let run = folder.run(&[&["ray", "scene.toml"][..], &words[..]].concat());
        run.assert_refused(&message);
        assert!(!run.stderr.contains("scene.toml"), "{}", run.stderr);
    }
}

#[test]
fn other_commands_take_several_files_too() {
    let folder = Folder::with_scene("[[box]]\nname = 'b'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n");
    folder.write(
        "boxes.csv",
        "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n0,0,0,1,1,1,0,-1,0\n",
    );
    folder.write("points.csv", "px,py,pz\n0,5,0\n");
    folder.write("eyes.csv", "x,y,z\n0,5,0\n");
    folder.write("arcs.csv", "ox,oy,oz,vx,vy,vz\n0,5,0,0,-1,0\n");
    for (command, table) in [
        ("sweep", "boxes.csv"),
        ("overlap", "boxes.csv"),
        ("closest", "points.csv"),
        ("arc", "arcs.csv"),
    ] {
        let run = folder.run(&[command, "scene.toml", table, table]);
        assert_eq!(run.rows().len(), 2, "{command}");
    }
    let run = folder.run(&["sight", "scene.toml", "eye?.csv", "eyes.csv"]);
    assert_eq!(run.rows().len(), 1);
    let twice = folder.run(&[
        "sight",
        "scene.toml",
        "points.csv",
        "points.csv",
        "points.csv",
    ]);
    twice.assert_usage(&["unexpected argument"]);
}
