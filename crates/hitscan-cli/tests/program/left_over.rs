//! Files that a killed run leaves: the next one to the same output removes it, and nothing else.

use crate::{Folder, program};
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const RAYS: &[u8] = b"ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n";

fn folder() -> Folder {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    folder.write("rays.csv", RAYS);
    folder
}

/// Starts a run that waits for more rows, and returns its temporary file once that has some.
fn start(folder: &Folder, output: &str) -> (Child, String) {
    let mut child = program(&folder.path(""))
        .args(["ray", "scene.toml", "-", "-o", output])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(RAYS).unwrap();
    let prefix = format!(".hitscan-{}-", child.id());
    let begin = Instant::now();
    let name = loop {
        let files = folder.files();
        let is_written = |name: &&String| {
            let length = std::fs::metadata(folder.path(name)).map(|data| data.len());
            name.starts_with(&prefix) && length.is_ok_and(|length| length > 0)
        };
        if let Some(name) = files.iter().find(is_written) {
            break name.clone();
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{files:?}");
        std::thread::yield_now();
    };
    (child, name)
}

#[test]
fn a_killed_run_leaves_nothing_for_long() {
    let folder = folder();
    let (mut child, left) = start(&folder, "hits.csv");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(left.ends_with("-hits.csv.tmp"), "{left}");
    // Another output is another matter.
    let other = ["ray", "scene.toml", "rays.csv", "-o", "other-hits.csv"];
    assert_eq!(folder.run(&other).code, 0);
    assert!(folder.files().contains(&left));
    assert_eq!(
        folder
            .run(&["ray", "scene.toml", "rays.csv", "-o", "hits.csv"])
            .code,
        0
    );
    assert_eq!(
        folder.files(),
        ["hits.csv", "other-hits.csv", "rays.csv", "scene.toml"]
    );
}

#[test]
fn a_run_that_goes_on_keeps_its_file() {
    let folder = folder();
    let (mut child, _) = start(&folder, "hits.csv");
    assert_eq!(
        folder
            .run(&["ray", "scene.toml", "rays.csv", "-o", "hits.csv"])
            .code,
        0
    );
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.files(), ["hits.csv", "rays.csv", "scene.toml"]);
}

/// Another machine's, of a folder that both share: whether its process goes on cannot be seen here.
#[test]
fn files_of_other_machines_stay() {
    let folder = folder();
    let other = ".hitscan-1-0-0123456789ab-hits.csv.tmp";
    folder.write(other, "");
    assert_eq!(
        folder
            .run(&["ray", "scene.toml", "rays.csv", "-o", "hits.csv"])
            .code,
        0
    );
    assert_eq!(
        folder.files(),
        [other, "hits.csv", "rays.csv", "scene.toml"]
    );
}
