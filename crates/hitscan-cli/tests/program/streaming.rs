//! Tables larger than any batch: in order, the same in every format, and in bounded memory.

use crate::{Folder, column, program, rows};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

const SCENE: &str = "[[sphere]]\nname = \"ball\"\ncenter = [0, 0, 0]\nradius = 1\n";

fn table(count: u32) -> String {
    let mut table = "id,ox,oy,oz,dx,dy,dz\n".to_owned();
    for id in 0..count {
        let x = f64::from(id % 300) / 100.0;
        writeln!(table, "{id},{x},0,5,0,0,-1").unwrap();
    }
    table
}

#[test]
fn formats_agree_and_rows_keep_their_order() {
    let folder = Folder::with_scene(SCENE);
    folder.write("rays.csv", table(50_000));
    let ray = |from: &str, to: &str| {
        let run = folder.run(&["ray", "scene.toml", from, "-o", to]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    };
    ray("rays.csv", "a.csv");
    let answers = rows(&folder.read("a.csv"));
    let ids: Vec<String> = (0..50_000).map(|id| id.to_string()).collect();
    assert_eq!(column(&answers, "id"), ids);
    // CSV becomes Parquet and Arrow, which have columns of answers and so cannot be questions again.
    ray("rays.csv", "a.parquet");
    ray("rays.csv", "a.arrow");
    for file in ["a.parquet", "a.arrow"] {
        folder
            .run(&["ray", "scene.toml", file])
            .assert_refused(&[file, "status"]);
    }
}

/// Feeds a long table through a pipe, from which answers come while questions still go in: what is
/// neither read nor written yet has to fit into the pipes and a few batches.
#[test]
fn answers_come_while_questions_go_in() {
    let folder = Folder::with_scene(SCENE);
    let mut child = program(&folder.path(""))
        .args(["ray", "scene.toml", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").unwrap();
        let chunk = "0,0,5,0,0,-1\n".repeat(5_000);
        let mut peak = 0;
        for _ in 0..200 {
            stdin.write_all(chunk.as_bytes()).unwrap();
            peak = peak.max(resident_kilobytes(child.id()).unwrap_or(0));
        }
        drop(stdin);
        assert!(child.wait().unwrap().success());
        peak
    });
    let answers = stdout.lines().map(Result::unwrap).skip(1);
    let hits = answers.filter(|line| line.contains(",hit,4,4,")).count();
    assert_eq!(hits, 1_000_000);
    let peak = writer.join().unwrap();
    // A million questions are 13 MB, their answers 50: neither is held. Where the system does not
    // report the memory of a process, only the order above is tested.
    println!("peak of resident memory: {peak} kB");
    assert!(peak < 100_000, "{peak} kB");
}

#[test]
fn facts_about_objects_are_printed_as_they_come() {
    const COUNT: usize = 60_000;
    let folder = Folder::with_scene(&format!(
        "[[crowd]]\nfile = 'one.obj'\ncount = {COUNT}\narea = [[0, 0], [9, 9]]\n"
    ));
    folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let mut child = program(&folder.path(""))
        .args(["info", "scene.toml", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut text = vec![0; 1000];
    stdout.read_exact(&mut text).unwrap();
    // All objects as values of JSON are 200 MB.
    let resident = resident_kilobytes(child.id()).unwrap_or(0);
    assert!(resident < 120_000, "{resident} kB");
    stdout.read_to_end(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    let facts: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(facts["objects"].as_array().unwrap().len(), COUNT);
    assert_eq!(facts["models"][0]["instances"], COUNT);
}

/// The resident memory of a process, where the system reports it.
fn resident_kilobytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}
