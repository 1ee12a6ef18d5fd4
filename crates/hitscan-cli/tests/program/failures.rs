//! Failures of the program: each is reported with its location, leaves no file behind, and has its exit
//! code.

use crate::{Folder, RAMP, program};
use std::process::Stdio;

#[test]
fn usage_is_exit_code_2() {
    let folder = Folder::new();
    assert_eq!(folder.run(&[]).code, 2);
    assert_eq!(folder.run(&["fly"]).code, 2);
    assert_eq!(folder.run(&["ray", "scene.toml"]).code, 2);
    assert_eq!(folder.run(&["--help"]).code, 0);
    assert_eq!(folder.run(&["--version"]).code, 0);
}

#[test]
fn scenes_that_cannot_be_used_say_where_and_what_is_meant() {
    for (scene, words) in [
        (
            "[[terain]]\nheights = \"a.png\"\n",
            &["scene.toml", "line 1", "terain", "terrain"][..],
        ),
        (
            "[[sphere]]\ncentre = [0, 0, 0]\nradius = 1\n",
            &["line 2", "centre", "center"][..],
        ),
        (
            "[[sphere]]\ncenter = [0, 0, 0]\nradius = -1\n",
            &["scene.toml", "line 3, column 10", "radius"][..],
        ),
        (
            "[[box]]\nmin = [0, 0, 0]\nmax = [1, -1, 1]\n",
            &["scene.toml", "box", "upper bound -1"][..],
        ),
        ("[[model]]\nfile = \"gone.glb\"\n", &["gone.glb"][..]),
        (
            "[[terrain]]\nheights = \"gone.png\"\nspacing = 1\n",
            &["gone.png"][..],
        ),
        ("[[box]]\nmin = [0, 0, 0\n", &["scene.toml", "line"][..]),
    ] {
        let folder = Folder::with_scene(scene);
        folder
            .run(&["overlap", "scene.toml", "-o", "out.csv"])
            .assert_refused(words);
        assert_eq!(folder.files(), ["scene.toml"], "{scene}");
    }
    Folder::new()
        .run(&["overlap", "nowhere.toml"])
        .assert_refused(&["nowhere.toml"]);
}

#[test]
fn tables_that_cannot_be_used_leave_no_output() {
    let folder = Folder::with_scene("[[terrain]]\nheights = 'ramp.asc'\n");
    folder.write("ramp.asc", RAMP);
    folder.write("old.csv", "kept\n");
    for (table, words) in [
        ("x\n1\n", &["rays.csv", "z"][..]),
        ("x,z\n1,2\n3\n", &["rays.csv", "line 3"][..]),
        ("x,z,height\n1,2,3\n", &["rays.csv", "height"][..]),
        ("x,z,x\n1,2,3\n", &["rays.csv", "x"][..]),
    ] {
        folder.write("rays.csv", table);
        folder
            .run(&["height", "scene.toml", "rays.csv", "-o", "old.csv"])
            .assert_refused(words);
        let files = ["old.csv", "ramp.asc", "rays.csv", "scene.toml"];
        assert_eq!(folder.files(), files);
        assert_eq!(folder.read("old.csv"), "kept\n");
    }
}

#[test]
fn a_closed_pipe_is_quiet_success() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let mut table = "ox,oy,oz,dx,dy,dz\n".to_owned();
    for _ in 0..200_000 {
        table.push_str("0,0,5,0,0,-1\n");
    }
    folder.write("rays.csv", table);
    let mut child = program(&folder.path(""))
        .args(["ray", "scene.toml", "rays.csv"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Ctrl-C during work: exit code 130, and no output file.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_without_harm() {
    use std::io::Write as _;
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let mut child = program(&folder.path(""))
        .args(["ray", "scene.toml", "-", "-o", "out.csv"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let rows = "0,0,5,0,0,-1\n".repeat(10_000);
    stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
    let mut was_interrupted = false;
    // The table never ends by itself: once some of it was read, the program is interrupted.
    for chunk in 0..100_000 {
        if stdin.write_all(rows.as_bytes()).is_err() {
            break;
        }
        if chunk == 20 {
            crate::send_signal(&child, "INT");
            was_interrupted = true;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(was_interrupted);
    assert_eq!(
        output.status.code(),
        Some(130),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(folder.files(), ["scene.toml"]);
}
