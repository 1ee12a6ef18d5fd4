//! `--summary`: what came of a run, on standard error.

use crate::Folder;

/// The lines of a summary behind the first, which has the time.
fn lines(stderr: &str) -> Vec<&str> {
    let mut lines = stderr.lines();
    let first = lines.next().unwrap();
    assert!(first.starts_with("hitscan: "), "{stderr}");
    assert!(
        first.contains(" rows answered in ") && first.ends_with(" rows/s"),
        "{stderr}"
    );
    lines.collect()
}

fn folder() -> Folder {
    let folder = Folder::with_scene(
        "[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n\
         [[box]]\nname = 'crate'\nmin = [4, 0, -1]\nmax = [6, 1, 1]\n",
    );
    folder.write(
        "rays.csv",
        "ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n5,9,0,0,-1,0\n5,9,0,0,-1,0\n9,9,0,0,-1,0\n0,9,0,0,0,0\n",
    );
    folder
}

#[test]
fn rows_statuses_and_objects_are_counted() {
    let folder = folder();
    let ask = ["ray", "scene.toml", "rays.csv", "--summary"];
    let plain = folder.run(&ask[..3]);
    let run = folder.run(&ask);
    assert_eq!((run.code, &run.stdout), (0, &plain.stdout));
    // What is said of invalid rows comes first, as without it.
    let summary = run.stderr.strip_prefix(&plain.stderr).unwrap();
    assert!(
        summary.starts_with("hitscan: 5 rows answered in "),
        "{summary}"
    );
    let expected = [
        "  status hit: 3",
        "  status miss: 1",
        "  status invalid: 1",
        "  object crate: 2",
        "  object ball: 1",
    ];
    assert_eq!(lines(summary), expected);
    let all = folder.run(&[
        "ray",
        "scene.toml",
        "rays.csv",
        "--hits",
        "all",
        "--summary",
        "--rows",
        "..4",
    ]);
    let counts = [
        "  7 rows of answers",
        "  status hit: 6",
        "  status miss: 1",
        "  object crate: 4",
        "  object ball: 2",
    ];
    assert_eq!(lines(&all.stderr), counts);
    let any = folder.run(&[
        "ray",
        "scene.toml",
        "rays.csv",
        "--hits",
        "any",
        "--summary",
        "--rows",
        "..4",
    ]);
    assert_eq!(lines(&any.stderr), ["  status hit: 3", "  status miss: 1"]);
}

#[test]
fn every_command_with_a_table_has_one() {
    let folder = folder();
    folder.write(
        "boxes.csv",
        "min_x,min_y,min_z,max_x,max_y,max_z,dx,dy,dz\n5,3,0,5,4,0,0,-9,0\n",
    );
    folder.write("points.csv", "px,py,pz\n5,5,0\n");
    folder.write("eyes.csv", "x,y,z\n5,5,0\n");
    folder.write("arcs.csv", "ox,oy,oz,vx,vy,vz\n5,5,0,0,-1,0\n");
    for (command, table, expected) in [
        (
            "sweep",
            "boxes.csv",
            vec!["  status hit: 1", "  object crate: 1"],
        ),
        ("overlap", "boxes.csv", vec!["  status separate: 1"]),
        (
            "closest",
            "points.csv",
            vec!["  status near: 1", "  object crate: 1"],
        ),
        (
            "arc",
            "arcs.csv",
            vec!["  status hit: 1", "  object crate: 1"],
        ),
    ] {
        let run = folder.run(&[command, "scene.toml", table, "--summary"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let found = lines(&run.stderr);
        assert_eq!(found.last(), expected.last(), "{command}: {found:?}");
    }
    // Without a table, `overlap --exact --summary` is another table.
    let pairs = folder.run(&["overlap", "scene.toml", "--exact", "--summary"]);
    assert!(
        pairs.stdout.starts_with("object_a,object_b,cross,"),
        "{}",
        pairs.stdout
    );
    assert_eq!(pairs.stderr, "");
    folder
        .run(&["overlap", "scene.toml", "--summary"])
        .assert_refused(&["--summary needs --exact"]);
    let explain = [
        "ray",
        "scene.toml",
        "rays.csv",
        "--explain",
        "0",
        "--summary",
    ];
    folder.run(&explain).assert_refused(&["--summary"]);
    folder.write("targets.csv", "x,y,z\n5,-5,0\n0,5,5\n");
    let sight = [
        "sight",
        "scene.toml",
        "eyes.csv",
        "targets.csv",
        "--summary",
    ];
    let run = folder.run(&sight);
    assert_eq!(
        lines(&run.stderr),
        [
            "  2 rows of answers",
            "  status visible: 1",
            "  status blocked: 1"
        ]
    );
    let run = folder.run(&[&sight[..], &["--blocker"]].concat());
    assert_eq!(lines(&run.stderr).last(), Some(&"  object crate: 1"));
}
