//! Options of every command with tables: formats, bad rows, threads, prefixes, heights above the
//! ground.

use crate::{Folder, RAMP, column, rows};
use std::fmt::Write as _;

const SCENE: &str = "[[terrain]]\nname = \"ramp\"\nheights = \"ramp.asc\"\n\
    [[sphere]]\nname = \"ball\"\ncenter = [1, 3, 1]\nradius = 0.5\n";

fn ramp() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder
}

const POINTS: &str = "x,z\n1,1\n4,0\n9,9\n";

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.path(name)).unwrap()
}

#[test]
fn compressed_tables_go_in_and_out() {
    let folder = ramp();
    folder.write("points.csv", POINTS);
    let plain = folder.run(&["height", "scene.toml", "points.csv"]);
    for packed in ["a.csv.gz", "a.csv.zst"] {
        let run = folder.run(&["height", "scene.toml", "points.csv", "-o", packed]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        assert!(bytes(&folder, packed) != plain.stdout.as_bytes());
        // Back again, as a table of questions and as a stream.
        let again = folder.run(&["height", "scene.toml", packed, "--prefix", "b_"]);
        let names = plain.stdout.lines().next().unwrap();
        let header = again.stdout.lines().next().unwrap();
        assert_eq!(
            header,
            format!("{names},b_status,b_height,b_nx,b_ny,b_nz,b_object,b_triangle")
        );
        assert_eq!(column(&again.rows(), "b_height"), ["0.5", "2", ""]);
        let format = packed.trim_start_matches("a.");
        let stream = [
            "height",
            "scene.toml",
            "-",
            "--prefix=b_",
            "--input-format",
            format,
        ];
        let piped = folder.run_with(&stream, bytes(&folder, packed));
        assert_eq!(piped.stdout, again.stdout, "{}", piped.stderr);
    }
    // Cut off: refused with the place, and no output.
    let packed = bytes(&folder, "a.csv.gz");
    folder.write("cut.csv.gz", &packed[..packed.len() - 4]);
    folder
        .run(&[
            "height",
            "scene.toml",
            "cut.csv.gz",
            "-o",
            "c.csv",
            "--prefix=b_",
        ])
        .assert_refused(&["cut.csv.gz", "gzip", "after byte", "it ends early"]);
    assert!(!folder.path("c.csv").exists());
}

#[test]
fn a_format_is_named_where_an_ending_says_nothing() {
    let folder = ramp();
    folder.write("points.txt", POINTS);
    folder.write("points.csv", POINTS);
    let height = |rest: &[&str]| {
        let mut arguments = vec!["height", "scene.toml"];
        arguments.extend(rest);
        folder.run(&arguments)
    };
    height(&["points.txt"]).assert_refused(&["points.txt", "--input-format", ".csv.zst"]);
    let run = height(&["points.txt", "--input-format", "csv"]);
    assert_eq!(run.rows().len(), 3);
    height(&["points.csv", "-o", "out"]).assert_refused(&["out", "--format", ".parquet"]);
    height(&["points.csv", "-o", "out.csv", "--format", "parquet"]).assert_refused(&[
        "out.csv",
        "csv",
        "parquet",
        "make them agree",
    ]);
    height(&["points.csv", "--format", "xlsx"]).assert_usage(&["--format", "csv.zst"]);
    for format in ["csv", "csv.gz", "csv.zst", "parquet", "arrow"] {
        let name = format!("out.{format}");
        assert_eq!(height(&["points.csv", "-o", &name]).code, 0);
        assert_eq!(
            height(&["points.csv", "-o", "out", "--format", format]).code,
            0
        );
        assert!(bytes(&folder, "out") == bytes(&folder, &name), "{format}");
    }
    let pairs = folder.run(&["overlap", "scene.toml", "-o", "pairs", "--format", "csv"]);
    assert_eq!(pairs.code, 0, "{}", pairs.stderr);
    assert!(folder.read("pairs").starts_with("object_a,object_b,"));
}

#[cfg(unix)]
#[test]
fn devices_take_every_format() {
    let folder = ramp();
    folder.write("points.csv", POINTS);
    for format in ["csv", "csv.gz", "csv.zst", "parquet", "arrow"] {
        let null = [
            "height",
            "scene.toml",
            "points.csv",
            "-o",
            "/dev/null",
            "--format",
            format,
        ];
        let run = folder.run(&null);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{format}");
    }
    let run = folder.run(&["height", "scene.toml", "points.csv", "-o", "/dev/null"]);
    run.assert_refused(&["/dev/null", "--format"]);
}

#[test]
fn a_file_under_a_wrong_name_is_told_what_it_looks_like() {
    let folder = ramp();
    folder.write("points.csv", POINTS);
    for packed in ["a.parquet", "a.arrow", "a.csv.gz", "a.csv.zst"] {
        let run = folder.run(&["height", "scene.toml", "points.csv", "-o", packed]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let stdin = ["height", "scene.toml", "-", "-o", "out.csv"];
    for (file, words) in [
        (
            "a.parquet",
            &["standard input", "CSV", "Parquet", ".parquet"][..],
        ),
        ("a.arrow", &["standard input", "CSV", "Arrow IPC", ".arrow"]),
        (
            "a.csv.gz",
            &["standard input", "gzip", "--input-format csv.gz"],
        ),
        (
            "a.csv.zst",
            &["standard input", "zstd", "--input-format csv.zst"],
        ),
    ] {
        folder
            .run_with(&stdin, bytes(&folder, file))
            .assert_refused(words);
    }
    for (from, to, words) in [
        (
            "points.csv",
            "b.parquet",
            &["b.parquet", "expected Parquet", "CSV"][..],
        ),
        (
            "a.parquet",
            "b.csv",
            &["b.csv", "expected CSV", "Parquet", ".parquet"],
        ),
        (
            "a.parquet",
            "b.arrow",
            &["b.arrow", "expected Arrow IPC", "Parquet"],
        ),
        (
            "a.csv.gz",
            "b.csv",
            &["b.csv", "gzip", ".csv.gz", "--input-format csv.gz"],
        ),
        (
            "points.csv",
            "b.csv.gz",
            &["b.csv.gz", "expected gzip", "CSV"],
        ),
    ] {
        folder.write(to, bytes(&folder, from));
        folder
            .run(&["height", "scene.toml", to, "-o", "out.csv"])
            .assert_refused(words);
    }
    folder
        .run_with(
            &["height", "scene.toml", "-", "--input-format", "parquet"],
            POINTS,
        )
        .assert_refused(&["standard input", "regular file"]);
    assert!(!folder.path("out.csv").exists());
}

#[test]
fn ragged_rows_end_the_command_or_are_left_out() {
    let folder = ramp();
    folder.write("points.csv", "x,z,id\n1,1,a\n4,0\n2,2,c,d\n3,0,e\n");
    folder
        .run(&["height", "scene.toml", "points.csv"])
        .assert_refused(&["points.csv, line 3 (row 1)", "expected 3 fields", "found 2"]);
    let run = folder.run(&["height", "scene.toml", "points.csv", "--on-bad-row", "skip"]);
    assert_eq!(column(&run.rows(), "id"), ["a", "e"]);
    let expected = "hitscan: 2 of 4 rows have a wrong number of fields and are left out; \
        the first: points.csv, line 3 (row 1)\n";
    assert_eq!(run.stderr, expected);
    let run = folder.run(&[
        "height",
        "scene.toml",
        "points.csv",
        "--on-bad-row",
        "guess",
    ]);
    run.assert_usage(&["--on-bad-row", "skip"]);
}

#[test]
fn threads_do_not_change_answers() {
    let folder = ramp();
    let mut table = "ox,oy,oz,dx,dy,dz\n".to_owned();
    for row in 0..30_000 {
        writeln!(table, "{},{},1,0.1,-1,0.2", row % 400, row % 7).unwrap();
    }
    folder.write("rays.csv", table);
    let run = |threads: &str| {
        let run = folder.run(&["ray", "scene.toml", "rays.csv", "--threads", threads]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let one = run("1");
    assert_eq!(rows(&one).len(), 30_000);
    assert!(one == run("2") && one == run("5"));
    for wrong in ["0", "many", "-3"] {
        let threads = format!("--threads={wrong}");
        let run = folder.run(&["ray", "scene.toml", "rays.csv", &threads]);
        run.assert_usage(&["--threads", "from 1 to"]);
    }
    assert_eq!(
        folder
            .run(&["overlap", "scene.toml", "--threads", "2"])
            .code,
        0
    );
}

#[test]
fn answers_with_a_prefix_are_questions_again() {
    let folder = ramp();
    let low = folder.run_with(&["height", "scene.toml", "-", "--prefix", "low_"], POINTS);
    let header = low.stdout.lines().next().unwrap();
    assert_eq!(
        header,
        "x,z,low_status,low_height,low_nx,low_ny,low_nz,low_object,low_triangle"
    );
    let high = [
        "height",
        "scene.toml",
        "-",
        "--method",
        "max",
        "--radius",
        "3",
        "--prefix",
        "high_",
    ];
    let both = folder.run_with(&high, &low.stdout).rows();
    assert_eq!(column(&both, "low_height"), ["0.5", "2", ""]);
    assert_eq!(column(&both, "high_height"), ["1", "2", ""]);
    // `row` has the prefix too.
    let all = ["ray", "scene.toml", "-", "--hits", "all", "--prefix", "h_"];
    let run = folder.run_with(&all, "ox,oy,oz,dx,dy,dz\n1,9,1,0,-1,0\n");
    assert_eq!(column(&run.rows(), "h_row"), ["0", "0", "0"]);
    // What is there already is an error still, which says what helps.
    folder
        .run_with(
            &["height", "scene.toml", "-", "--prefix", "low_"],
            &low.stdout,
        )
        .assert_refused(&["low_status", "--prefix"]);
}

#[test]
fn a_ray_starts_above_the_ground() {
    let folder = ramp();
    let table = "ox,oy_above,oz,dx,dy,dz\n1,1.5,0,0,-1,0\n3,0,1,0,1,0\n9,1,9,0,-1,0\n\
        3.5,1,3.5,0,-1,0\n1,,0,0,-1,0\n1,1e39,0,0,-1,0\n";
    let run = folder.run_with(&["ray", "scene.toml", "-"], table);
    let rows = run.rows();
    let status = ["hit", "miss", "invalid", "invalid", "invalid", "invalid"];
    // On the ramp the second ray is on the ground, and goes up: it hits where it starts.
    assert_eq!(column(&rows, "status")[0], status[0]);
    assert_eq!(column(&rows, "status")[2..], status[2..]);
    assert_eq!(
        (rows[0]["t"].as_str(), rows[0]["y"].as_str()),
        ("1.5", "0.5")
    );
    assert_eq!((rows[1]["t"].as_str(), rows[1]["y"].as_str()), ("0", "1.5"));
    for words in [
        "4 of 6 rows are invalid",
        "row 2",
        "`oy_above` has no ground",
    ] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    // Whatever the row sees, the ground is where it is.
    let table = "ox,oy_above,oz,dx,dy,dz,ignore\n1,1.5,0,0,-1,0,ramp\n";
    let rows = folder.run_with(&["ray", "scene.toml", "-"], table).rows();
    assert_eq!(column(&rows, "status"), ["miss"]);
    folder
        .run_with(&["ray", "scene.toml", "-"], "ox,oy,oy_above,oz,dx,dy,dz\n")
        .assert_refused(&["`oy` and `oy_above`"]);
    folder
        .run_with(&["ray", "scene.toml", "-"], "ox,oz,dx,dy,dz\n")
        .assert_refused(&["`oy` is missing", "`oy_above` in its place"]);
}
