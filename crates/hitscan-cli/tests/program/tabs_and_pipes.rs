//! Tables with tabs in place of commas, and tables that come through pipes with names.

use crate::{Folder, RAMP, column};

fn ramp() -> Folder {
    let folder = Folder::with_scene("[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n");
    folder.write("ramp.asc", RAMP);
    folder
}

#[test]
fn tabs_separate_the_fields_of_tsv() {
    let folder = ramp();
    folder.write("points.tsv", "note\tx\tz\nIJ, left\t1\t1\n\t4\t0\n");
    let run = folder.run(&["height", "scene.toml", "points.tsv", "-o", "out.tsv"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let expected = "note\tx\tz\tstatus\theight\tnx\tny\tnz\tobject\ttriangle\n";
    let out = folder.read("out.tsv");
    assert!(out.starts_with(expected), "{out}");
    assert!(out.contains("\n\"IJ, left\"\t1\t1\tok\t0.5\t"), "{out}");
    // As CSV, and from standard input.
    let csv = folder.run(&["height", "scene.toml", "points.tsv"]).stdout;
    assert!(csv.contains("\n\"IJ, left\",1,1,ok,0.5,"), "{csv}");
    let piped = [
        "height",
        "scene.toml",
        "-",
        "--input-format",
        "tsv",
        "--format",
        "tsv",
    ];
    assert_eq!(
        folder.run_with(&piped, folder.read("points.tsv")).stdout,
        out
    );
    let again = folder.run(&["height", "scene.toml", "out.tsv", "--prefix", "b_"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    // Tabs where commas are expected.
    folder.write("points.csv", "x\tz\n1\t1\n");
    folder
        .run(&["height", "scene.toml", "points.csv"])
        .assert_refused(&["points.csv", "--input-format tsv"]);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_csv_unless_it_is_said_otherwise() {
    let folder = ramp();
    let pipe = |name: &str, content: &'static str| {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.path(name))
            .status();
        assert!(made.is_ok_and(|status| status.success()));
        let path = folder.path(name);
        std::thread::spawn(move || std::fs::write(path, content))
    };
    let writer = pipe("points", "x,z\n1,1\n");
    let run = folder.run(&["height", "scene.toml", "points"]);
    writer.join().unwrap().unwrap();
    assert_eq!(column(&run.rows(), "height"), ["0.5"]);
    let writer = pipe("tabs", "x\tz\n1\t1\n");
    let run = folder.run(&["height", "scene.toml", "tabs", "--input-format", "tsv"]);
    writer.join().unwrap().unwrap();
    assert_eq!(column(&run.rows(), "height"), ["0.5"]);
    // No writer comes, and none is waited for.
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("never"))
        .status();
    assert!(made.is_ok_and(|status| status.success()));
    folder
        .run(&["height", "scene.toml", "never", "--input-format", "parquet"])
        .assert_refused(&["never", "regular file"]);
}
