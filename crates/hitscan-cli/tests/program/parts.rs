//! `--parts` and `--resume`.

use crate::Folder;
use std::fs;

const SCENE: &str = "[[sphere]]\nname = 'ball'\ncenter = [0, 0, 0]\nradius = 1\n";

/// Rays down, every third a miss.
fn rays(count: u32) -> String {
    let row = |i: u32| {
        format!(
            "{},9,0,0,-1,0,{i}\n",
            if i.is_multiple_of(3) { 5 } else { 0 }
        )
    };
    format!(
        "ox,oy,oz,dx,dy,dz,id\n{}",
        (0..count).map(row).collect::<String>()
    )
}

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("rays.csv", rays(100));
    folder
}

fn names(folder: &Folder, of: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path(of)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The parts of a folder as one table of CSV.
fn joined(folder: &Folder, of: &str) -> String {
    let mut all = String::new();
    for name in names(folder, of)
        .iter()
        .filter(|name| name.starts_with("part-"))
    {
        let text = folder.read(&format!("{of}/{name}"));
        let (header, rows) = text.split_once('\n').unwrap();
        if all.is_empty() {
            all = format!("{header}\n");
        }
        all.push_str(rows);
    }
    all
}

const ASK: [&str; 7] = [
    "ray",
    "scene.toml",
    "rays.csv",
    "-o",
    "hits",
    "--parts",
    "7",
];

#[test]
fn parts_are_the_whole_answer_in_pieces() {
    let folder = folder();
    let whole = folder.run(&["ray", "scene.toml", "rays.csv"]).stdout;
    let run = folder.run(&ASK);
    assert_eq!(
        (run.code, run.stderr.as_str(), run.stdout.as_str()),
        (0, "", "")
    );
    let files = names(&folder, "hits");
    assert_eq!(files[..2], ["_done.json", "_job.json"]);
    assert_eq!((files.len(), files[2].as_str()), (9, "part-000000.csv"));
    assert_eq!(joined(&folder, "hits"), whole);
    assert!(folder.read("hits/_done.json").contains("\"rows\": 100"));
    // More parts than rows, several hits a row, a range.
    for (more, parts) in [
        (vec!["--hits", "all"], "3"),
        (vec!["--rows", "95.."], "9"),
        (vec!["--hits", "any", "--format", "csv"], "1"),
    ] {
        let ask = ["ray", "scene.toml", "rays.csv"];
        let whole = folder.run(&[&ask[..], &more[..]].concat()).stdout;
        let out = format!("out{parts}");
        let words = ["-o", out.as_str(), "--parts", parts];
        let run = folder.run(&[&ask[..], &more[..], &words[..]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(joined(&folder, &out), whole, "{more:?}");
    }
    let parquet = [&ASK[..], &["--format", "parquet"]].concat();
    fs::remove_dir_all(folder.path("hits")).unwrap();
    assert_eq!(folder.run(&parquet).code, 0);
    // Read as one table again, the parts are in order.
    let again = [
        "ray",
        "scene.toml",
        "hits/part-*.parquet",
        "--hits",
        "any",
        "--prefix",
        "b_",
    ];
    let ids: Vec<String> = folder
        .run(&again)
        .rows()
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    assert_eq!(ids, (0..100).map(|i| i.to_string()).collect::<Vec<_>>());
}

/// A pattern of tiles in place of a scene, and a model whose buffer is another file: both are what is answered.
#[test]
fn all_files_of_a_scene_are_compared() {
    let folder = folder();
    fs::create_dir(folder.path("tiles")).unwrap();
    let tile = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 9\n0 0\n0 0\n";
    folder.write("tiles/a.asc", tile);
    let ask = ["height", "tiles/*.asc", "points.csv", "-o", "high"];
    let ask = [&ask[..], &["--parts", "2", "--resume"]].concat();
    folder.write("points.csv", "x,z\n1,1\n2,2\n");
    let run = folder.run(&ask);
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder.write("tiles/a.asc", tile.replace("0 0\n0 0", "1 1\n1 1"));
    folder.run(&ask).assert_refused(&["a.asc", "sha256"]);

    let model = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"flat.bin","byteLength":36}]}"#;
    folder.write("flat.gltf", model);
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes = |x: f32| corners.map(|c| (c * x).to_le_bytes()).concat();
    fs::write(folder.path("flat.bin"), bytes(1.0)).unwrap();
    let ask = ["ray", "flat.gltf", "rays.csv", "-o", "flat", "--parts", "2"];
    let ask = [&ask[..], &["--resume"]].concat();
    let run = folder.run(&ask);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::write(folder.path("flat.bin"), bytes(0.5)).unwrap();
    folder.run(&ask).assert_refused(&["flat.bin", "sha256"]);
}

/// What a run leaves that was killed while it wrote its first file.
#[test]
fn a_folder_with_a_temporary_file_alone_is_begun_in() {
    let folder = folder();
    fs::create_dir(folder.path("hits")).unwrap();
    folder.write("hits/.hitscan-1-0-x-_job.json.tmp", "{");
    let run = folder.run(&ASK);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn a_later_run_does_the_rest_alone() {
    let folder = folder();
    let whole = folder.run(&["ray", "scene.toml", "rays.csv"]).stdout;
    let resume = [&ASK[..], &["--resume"]].concat();
    // Where nothing is there it begins.
    assert_eq!(folder.run(&resume).code, 0);
    // As a killed run leaves it: some receipts, the last line cut off, and parts without one.
    let done = folder.read("hits/_done.json");
    let receipts = done.split('{').skip(2).map(|receipt| {
        let receipt = receipt.split('}').next().unwrap();
        format!("{{{}}}\n", receipt.replace('\n', ""))
    });
    let receipts: Vec<String> = receipts.collect();
    assert_eq!(receipts.len(), 7, "{done}");
    fs::remove_file(folder.path("hits/_done.json")).unwrap();
    let cut_off = &receipts[6][..20];
    let log: [&str; 4] = [&receipts[0], &receipts[2], &receipts[5], cut_off];
    folder.write("hits/_receipts.jsonl", log.concat());
    // A part with a receipt stays as it is, whatever is in it; one that is cut off is done again.
    let marked = folder
        .read("hits/part-000000.csv")
        .replacen("miss", "kept", 1);
    folder.write("hits/part-000000.csv", &marked);
    folder.write("hits/part-000002.csv", "ox");
    folder.write("hits/part-000003.csv", "without a receipt");
    fs::remove_file(folder.path("hits/part-000004.csv")).unwrap();
    let run = folder.run(&resume);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(
        run.stderr,
        "hitscan: 2 of 7 parts are finished and are kept\n"
    );
    assert_eq!(folder.read("hits/part-000000.csv"), marked);
    assert_eq!(joined(&folder, "hits"), whole.replacen("miss", "kept", 1));
    assert_eq!(folder.read("hits/_done.json"), done);
    assert!(!names(&folder, "hits").contains(&"_receipts.jsonl".to_owned()));
    // Once more there is nothing to do.
    let run = folder.run(&resume);
    assert_eq!(
        run.stderr,
        "hitscan: 7 of 7 parts are finished and are kept\n"
    );
    assert_eq!(folder.read("hits/_done.json"), done);
}

#[test]
fn parts_of_something_else_are_refused() {
    let folder = folder();
    assert_eq!(folder.run(&ASK).code, 0);
    folder.run(&ASK).assert_refused(&["hits", "--resume"]);
    let with = |more: &[&str]| folder.run(&[&ASK[..], &["--resume"], more].concat());
    // What decides nothing may differ.
    assert_eq!(with(&["--threads", "1", "--summary"]).code, 0);
    assert_eq!(with(&["--hits", "nearest"]).code, 0);
    for (more, words) in [
        (
            vec!["--sides", "back"],
            vec!["--sides", "\"both\"", "\"back\""],
        ),
        (vec!["--rows", "5.."], vec!["first_row was 0 and is 5"]),
        (vec!["--columns", "t_max=5"], vec!["--columns", "t_max=5"]),
        (
            vec!["--format", "parquet"],
            vec!["format", "\"csv\"", "\"parquet\""],
        ),
        (vec!["rays.csv"], vec!["row", "100", "200"]),
    ] {
        with(&more).assert_refused(&[&["hits", "another run"], &words[..]].concat());
    }
    folder.write("rays.csv", rays(100).replace(",9,", ",8,"));
    with(&[]).assert_refused(&["inputs: rays.csv"]);
    folder.write("rays.csv", rays(99));
    with(&[]).assert_refused(&["hits", "another run", "100", "99"]);
    let folder = self::folder();
    assert_eq!(folder.run(&ASK).code, 0);
    folder.write("scene.toml", SCENE.replace("radius = 1", "radius = 2"));
    let run = folder.run(&[&ASK[..], &["--resume"]].concat());
    run.assert_refused(&["scene: scene.toml: sha256"]);
    let parts = [
        "ray",
        "scene.toml",
        "rays.csv",
        "-o",
        "hits",
        "--parts",
        "8",
        "--resume",
    ];
    folder.run(&parts).assert_refused(&["parts was 7 and is 8"]);
}

/// The scene cannot be loaded, and is not what the message is about.
#[test]
fn wrong_folders_and_options_are_refused_before_the_scene_is_loaded() {
    let folder = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\n");
    folder.write("rays.csv", rays(3));
    fs::create_dir(folder.path("full")).unwrap();
    folder.write("full/x.csv", "x\n");
    for (words, message) in [
        (vec!["-o", "full"], vec!["full", "not empty", "_job.json"]),
        (vec!["-o", "full", "--resume"], vec!["full", "not empty"]),
        (vec!["-o", "rays.csv"], vec!["rays.csv"]),
        (vec!["-o", "-"], vec!["folder", "-o"]),
        (
            vec!["-o", "out", "--bad-rows", "bad.csv"],
            vec!["--bad-rows"],
        ),
        (
            vec!["-o", "out", "--explain", "0"],
            vec!["--explain", "--parts"],
        ),
        (
            vec!["-o", "out", "--columns", "ox=none"],
            vec!["rays.csv", "none"],
        ),
    ] {
        let ask = ["ray", "scene.toml", "rays.csv", "--parts", "2"];
        let run = folder.run(&[&ask[..], &words[..]].concat());
        run.assert_refused(&message);
        assert!(!run.stderr.contains("scene.toml"), "{}", run.stderr);
    }
    let piped = folder.run_with(
        &["ray", "scene.toml", "-", "-o", "out", "--parts", "2"],
        rays(3),
    );
    piped.assert_refused(&["save it to a file"]);
    let nowhere = [
        "ray",
        "scene.toml",
        "rays.csv",
        "-o",
        "no/out",
        "--parts",
        "2",
    ];
    let run = folder.run(&nowhere);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("no/out"), "{}", run.stderr);
    for words in [
        vec!["--parts", "2"],
        vec!["--resume", "-o", "out"],
        vec!["--parts", "0", "-o", "o"],
    ] {
        let ask = ["ray", "scene.toml", "rays.csv"];
        assert_eq!(
            folder.run(&[&ask[..], &words[..]].concat()).code,
            2,
            "{words:?}"
        );
    }
    assert_eq!(folder.files(), ["full", "rays.csv", "scene.toml"]);
}

#[test]
fn a_row_that_is_refused_leaves_the_parts_before_it() {
    let folder = folder();
    let text = rays(100).replace("0,9,0,0,-1,0,50\n", "0,9,0,0,0,0,50\n");
    folder.write("rays.csv", &text);
    let run = folder.run(&[&ASK[..], &["--strict"]].concat());
    run.assert_refused(&["rays.csv, line 52 (row 50)"]);
    let files = names(&folder, "hits");
    let parts = files.iter().filter(|name| name.starts_with("part-"));
    assert_eq!(parts.count(), 3, "{files:?}");
    let lines = folder.read("hits/_receipts.jsonl");
    assert_eq!(lines.lines().count(), 3, "{lines}");
}

/// However far the killed run came, the next one makes the rest.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_is_finished_by_the_next() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = Folder::with_scene(SCENE);
    folder.write("rays.csv", rays(300_000));
    let ask = [
        "ray",
        "scene.toml",
        "rays.csv",
        "-o",
        "hits",
        "--parts",
        "64",
        "--threads",
        "1",
    ];
    let mut child = crate::program(&folder.path(""))
        .args(ask)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let log = || fs::read_to_string(folder.path("hits/_receipts.jsonl")).unwrap_or_default();
    while log().lines().count() < 3 && begin.elapsed() < Duration::from_secs(60) {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    let was_finished = folder.path("hits/_done.json").exists();
    let run = folder.run(&[&ask[..], &["--resume"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains(" of 64 parts are finished"),
        "{}",
        run.stderr
    );
    assert!(!was_finished || run.stderr.contains("64 of 64"));
    let whole = folder.run(&["ray", "scene.toml", "rays.csv"]).stdout;
    assert!(joined(&folder, "hits") == whole);
    let names = names(&folder, "hits");
    assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
}
