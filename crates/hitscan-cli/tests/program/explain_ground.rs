//! `--explain` of heights and of sight.

use crate::{Folder, RAMP};

fn ramp() -> Folder {
    let folder = Folder::with_scene(
        "[[terrain]]\nname = 'ramp'\nheights = 'ramp.asc'\n\
         [[terrain]]\nname = 'upper'\nheights = 'ramp.asc'\norigin = [0, 5, 0]\n\
         [[terrain]]\nname = 'far'\nheights = 'ramp.asc'\norigin = [90, 0, 0]\n\
         [[terrain]]\nname = 'twin'\nheights = 'ramp.asc'\norigin = [0, 5, 0]\n\
         [[sphere]]\nname = 'ball'\ncenter = [1, 9, 1]\nradius = 0.5\n\
         [[box]]\nname = 'wall'\nmin = [2, 8, 0]\nmax = [2.5, 10, 2]\n",
    );
    folder.write("ramp.asc", RAMP);
    folder
}

#[test]
fn heights_say_what_each_terrain_answers() {
    let folder = ramp();
    folder.write(
        "points.csv",
        "x,z,ignore,radius\n1,1,,1\n3.9,3.9,twin,1\n1,,,1\n",
    );
    let explain = |row: &str, more: &[&str]| {
        let arguments = [
            "height",
            "scene.toml",
            "points.csv",
            "--json",
            "--explain",
            row,
        ];
        let run = folder.run(&[&arguments[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let list = json["candidates"].as_array().unwrap().iter();
        let words = |one: &serde_json::Value| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            format!("{} {} {}", text("object"), text("verdict"), one["t"])
        };
        (json["answer"].clone(), list.map(words).collect::<Vec<_>>())
    };
    let (answer, candidates) = explain("0", &[]);
    assert_eq!(answer["object"], "upper");
    let expected = [
        "upper answer 5.5",
        "twin tie 5.5",
        "ramp farther 0.5",
        "far box_missed null",
    ];
    assert_eq!(candidates, expected);
    let (answer, candidates) = explain("1", &[]);
    assert_eq!(answer["status"], "hole");
    let expected = [
        "ramp hole null",
        "upper hole null",
        "far box_missed null",
        "twin filtered null",
    ];
    assert_eq!(candidates, expected);
    let (answer, candidates) = explain("2", &[]);
    assert_eq!(
        (answer["status"].as_str(), candidates.len()),
        (Some("invalid"), 0)
    );
    let (answer, candidates) = explain("0", &["--method", "footprint"]);
    assert_eq!(answer["object"], "upper");
    assert_eq!(candidates[0], "upper answer 6");
    let text = folder
        .run(&["height", "scene.toml", "points.csv", "--explain", "0"])
        .stdout;
    assert!(
        text.contains("answer\n") && text.contains("as high as the answer"),
        "{text}"
    );
}

#[test]
fn sight_says_what_is_between() {
    let folder = ramp();
    folder.write("eyes.csv", "x,y,z,ignore\n0,9,1,\n0,9,1,ball;wall\n0,,1,\n");
    folder.write("targets.csv", "x,y,z\n4,9,1\n0.25,9,1\n");
    let sight = ["sight", "scene.toml", "eyes.csv", "targets.csv"];
    let plain = folder.run(&[&sight[..], &["--blocker"]].concat());
    assert!(
        plain.stdout.contains("\n0,0,blocked,0.125,ball,"),
        "{}",
        plain.stdout
    );
    let explain = |rows: &str| {
        let run = folder.run(&[&sight[..], &["--json", "--explain", rows]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let verdicts = |json: &serde_json::Value| {
        let list = json["candidates"].as_array().unwrap().iter();
        let words = |one: &serde_json::Value| {
            format!(
                "{} {}",
                one["object"].as_str().unwrap(),
                one["verdict"].as_str().unwrap()
            )
        };
        list.map(words).collect::<Vec<_>>()
    };
    let blocked = explain("0,0");
    let answer = serde_json::json!({
        "status": "blocked", "t": 0.125, "object": "ball", "part": null, "triangle": null
    });
    assert_eq!(blocked["answer"], answer);
    let found = verdicts(&blocked);
    assert_eq!(found[..2], ["ball answer", "wall farther"]);
    assert_eq!(blocked["candidates"][0]["t"], 0.125);
    assert_eq!(found.len(), 6, "{found:?}");
    let visible = explain("1,0");
    assert_eq!(visible["answer"]["status"], "visible");
    assert!(verdicts(&visible).contains(&"ball filtered".to_owned()));
    let near = explain("0,1");
    assert_eq!(near["answer"]["status"], "visible");
    assert!(
        verdicts(&near).contains(&"ball out_of_range".to_owned()),
        "{near}"
    );
    let invalid = explain("2,0");
    assert_eq!(invalid["answer"]["status"], "invalid");
    assert_eq!(invalid["reason"], "the column `y` is empty");
    let text = folder
        .run(&[&sight[..], &["--explain", "0,0"]].concat())
        .stdout;
    assert!(
        text.contains("blocked\n") && text.contains("\ncandidates\n"),
        "{text}"
    );
    folder
        .run(&[&sight[..], &["--explain", "9,0"]].concat())
        .assert_refused(&["eyes.csv", "row 9"]);
    folder
        .run(&[&sight[..], &["--explain", "0"]].concat())
        .assert_usage(&["pair of rows"]);
    folder
        .run(&[&sight[..], &["--explain", "0,0", "--format", "csv"]].concat())
        .assert_refused(&["--format"]);
}
