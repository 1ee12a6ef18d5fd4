//! `hitscan sight --pairs`: the eye of each row and the target of the same row.

use crate::{Folder, column};

const SCENE: &str = "[[box]]\nname = 'wall'\nmin = [4, 0, -9]\nmax = [5, 3, 9]\n\
                     [[sphere]]\nname = 'ball'\ncenter = [8, 9, 0]\nradius = 1\nlayers = 2\n";

/// Who aimed at whom, as a log has it.
const LOG: &str = "tick,ex,ey,ez,tx,ty,tz,hidden\n\
                   10,0,1,0,9,1,0,\n\
                   11,0,1,0,3,1,0,\n\
                   12,0,9,0,9,9,0,\n\
                   13,0,9,0,9,9,0,ball\n\
                   14,0,,0,9,9,0,\n\
                   15,0,9,0,9,9,0,nobody\n";

const EYES: &str = "x=ex,y=ey,z=ez";
const TARGETS: &str = "x=tx,y=ty,z=tz,ignore=hidden";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("log.csv", LOG);
    folder
}

const ASK: [&str; 9] = [
    "sight",
    "scene.toml",
    "log.csv",
    "log.csv",
    "--pairs",
    "--columns",
    EYES,
    "--target-columns",
    TARGETS,
];

#[test]
fn a_log_of_shots_is_answered_row_by_row() {
    let folder = folder();
    let run = folder.run(&ASK);
    let rows = run.rows();
    let expected = [
        "blocked", "visible", "blocked", "visible", "invalid", "invalid",
    ];
    assert_eq!(column(&rows, "status"), expected);
    for (line, own) in run.stdout.lines().zip(LOG.lines()) {
        assert!(line.starts_with(own), "{line}");
    }
    // The diagonal of all pairs.
    let whole = [
        "sight",
        "scene.toml",
        "log.csv",
        "log.csv",
        "--columns",
        EYES,
    ];
    let all = folder.run(&[&whole[..], &["--target-columns", TARGETS, "--blocker"]].concat());
    let all = all.rows();
    let diagonal = all.iter().filter(|row| row["eye"] == row["target"]);
    let run = folder.run(&[&ASK[..], &["--blocker"]].concat());
    for (pair, own) in diagonal.zip(run.rows()) {
        for name in ["status", "t", "object", "part", "triangle"] {
            assert_eq!(pair[name], own[name], "{name} {own:?}");
        }
    }
    assert!(
        run.stderr.contains("2 of 6 rows are invalid"),
        "{}",
        run.stderr
    );
}

#[test]
fn pairs_go_by_row_whatever_the_tables_are() {
    let folder = folder();
    folder.write(
        "more.csv",
        "note,x,y,z,mask\na,0,1,0,\nb,0,1,0,2\nc,0,1,0,\n",
    );
    folder.write("targets.csv", "x,y,z\n9,1,0\n9,1,0\n3,1,0\n");
    let ask = ["sight", "scene.toml", "more.csv", "targets.csv", "--pairs"];
    let expected =
        "note,x,y,z,mask,status\na,0,1,0,,blocked\nb,0,1,0,2,visible\nc,0,1,0,,visible\n";
    assert_eq!(folder.run(&ask).stdout, expected);
    let rows = folder.run(&[&ask[..], &["--rows", "1..", "--threads", "2"]].concat());
    let lines: Vec<&str> = expected.lines().collect();
    assert_eq!(
        rows.stdout,
        format!("{}\n{}\n{}\n", lines[0], lines[2], lines[3])
    );
    let piped = ["sight", "scene.toml", "-", "targets.csv", "--pairs"];
    assert_eq!(
        folder.run_with(&piped, folder.read("more.csv")).stdout,
        expected
    );
    let parquet = [&ask[..], &["-o", "seen.parquet", "--summary"]].concat();
    let run = folder.run(&parquet);
    assert!(run.stderr.contains("status visible: 2"), "{}", run.stderr);
    // A row that is skipped in one table has no pair.
    folder.write("targets.csv", "x,y,z\n9,1,0\n9,1\n3,1,0\n");
    let run = folder.run(&[&ask[..], &["--on-bad-row", "skip"]].concat());
    assert_eq!(
        column(&run.rows(), "status"),
        ["blocked", "invalid", "visible"]
    );
    assert!(
        run.stderr.contains("the table of targets has no row 1"),
        "{}",
        run.stderr
    );
}

#[test]
fn tables_with_other_numbers_of_rows_are_refused() {
    // The scene cannot be loaded, and is not what the message is about.
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    folder.write("eyes.csv", "x,y,z\n0,1,0\n0,1,0\n");
    folder.write("targets.csv", "x,y,z\n9,1,0\n");
    let ask = ["sight", "scene.toml", "eyes.csv", "targets.csv", "--pairs"];
    folder
        .run(&ask)
        .assert_refused(&["eyes.csv has 2 rows", "targets.csv has 1"]);
    folder.write("eyes.csv", "x,y,z,status\n0,1,0,\n");
    folder
        .run(&ask)
        .assert_refused(&["eyes.csv", "`status`", "--prefix"]);
    let folder = self::folder();
    folder.write("targets.csv", "x,y,z\n9,1,0\n9,1,0\n");
    let piped = ["sight", "scene.toml", "-", "targets.csv", "--pairs"];
    let more = folder.run_with(&piped, "x,y,z\n0,1,0\n0,1,0\n0,1,0\n");
    assert_eq!(
        column(&more.rows(), "status"),
        ["blocked", "blocked", "invalid"]
    );
    let fewer = folder.run_with(&piped, "x,y,z\n0,1,0\n");
    assert!(
        fewer.stderr.contains("rows of eyes: 1, of targets: 2"),
        "{}",
        fewer.stderr
    );
}
