//! Pairs of objects that overlap: the rows of `hitscan overlap`, counted, cut and drawn.

use crate::answers::ask;
use crate::desk::{Desk, PAGE, VIEW};
use crate::scene::loaded;
use hitscan_ask::{OverlapTable, OverlapTest, row_json};
use hitscan_assets::{Scene, load_scene_text};
use hitscan_view::limits;
use hitscan_view::viewer::{Event, LoadedScene};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

fn rows(scene: &Scene, test: OverlapTest) -> Vec<Value> {
    let table = OverlapTable::new(scene, test);
    let all = table.first_rows(usize::MAX, &AtomicBool::new(false));
    let rows = all.unwrap().rows;
    rows.iter().map(|row| row_json(row).into()).collect()
}

/// A desk at which this scene is open.
fn open(scene: &Scene) -> Desk {
    let mut desk = Desk::open();
    desk.event(Event::Loaded(LoadedScene {
        scene: scene.clone(),
        ..loaded()
    }));
    desk.take();
    desk
}

fn desk(text: &str) -> (Desk, Scene) {
    let scene = load_scene_text("scene.toml".as_ref(), text).unwrap();
    (open(&scene), scene)
}

/// Boxes in a row, each of which overlaps the one after it.
fn chain(count: u32) -> String {
    let boxes = (0..count).map(|at| {
        let from = f64::from(at) * 0.75;
        format!(
            "[[box]]\nmin = [{from}, 0, 0]\nmax = [{}, 1, 1]\n",
            from + 1.0
        )
    });
    boxes.collect()
}

#[test]
fn pairs_are_the_rows_of_the_table() {
    // Two triangles that cross, one that lies in a plane of theirs, and solids within each other.
    let folder = tempfile::tempdir().unwrap();
    let corners = [
        "v 0 0 0\nv 2 0 0\nv 0 2 0",
        "v 0.5 0.5 -1\nv 0.5 0.5 1\nv 1.5 1.5 1",
        "v 0.5 0.1 0\nv 1 0.1 0\nv 0.5 0.6 0",
    ];
    let mut text = chain(3) + "[[sphere]]\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\n";
    for (at, corners) in corners.into_iter().enumerate() {
        let file = format!("{at}.obj");
        std::fs::write(folder.path().join(&file), format!("{corners}\nf 1 2 3\n")).unwrap();
        text += &format!("[[model]]\nfile = '{file}'\ntranslation = [0, 0, 9]\n");
    }
    let scene = load_scene_text(&folder.path().join("scene.toml"), &text).unwrap();
    let mut desk = open(&scene);
    for (options, test) in [
        (json!({}), OverlapTest::Bounds),
        (json!({"exact": false}), OverlapTest::Bounds),
        (json!({"exact": true}), OverlapTest::Exact),
    ] {
        let answer = desk.ask(&ask("overlap", &json!({}), &options));
        let rows = rows(&scene, test);
        assert!(rows.len() > 4, "the scene has pairs");
        assert_eq!(answer["answers"], json!(rows), "{options}");
        assert_eq!(
            (&answer["question"], &answer["answers_total"]),
            (&json!({}), &Value::Null)
        );
        let drawn = ["lines", "boxes"].map(|kind| answer[kind].as_array().cloned());
        let drawn: Vec<Value> = drawn.into_iter().flatten().flatten().collect();
        for row in 0..rows.len() {
            let is_of_row = |one: &&Value| one["answer"] == json!(row);
            assert!(
                drawn.iter().any(|one| is_of_row(&one)),
                "row {row} of {options}: {answer}"
            );
        }
    }
}

#[test]
fn the_box_of_a_pair_is_what_both_share() {
    let (mut desk, _) = desk(&chain(2));
    let answer = desk.ask(&ask("overlap", &json!({}), &json!({})));
    let points = answer["boxes"][0]["points"].as_array().unwrap();
    assert_eq!(points[0], json!([0.75, 0.0, 0.0]));
    assert_eq!(points[7], json!([1.0, 1.0, 1.0]));
    assert_eq!(answer["boxes"][0]["role"], "intersection");
    assert_eq!(
        answer["sentence"],
        "The boxes of 1 pair of objects touch or overlap."
    );
    assert_eq!(answer["bits"]["min_x"], "0x3f400000");
    let (mut desk, _) = self::desk("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let none = desk.ask(&ask("overlap", &json!({}), &json!({"exact": true})));
    assert_eq!(
        (&none["answers"], &none["sentence"]),
        (&json!([]), &json!("No two objects meet."))
    );
}

#[test]
fn more_pairs_than_are_shown_are_counted_up_to_the_limit() {
    let (mut desk, scene) = desk(&chain(1_203));
    let answer = desk.ask(&ask("overlap", &json!({}), &json!({})));
    assert_eq!(answer["answers_total"], 1_202);
    let shown = answer["answers"].as_array().unwrap();
    assert_eq!(
        shown.as_slice(),
        &rows(&scene, OverlapTest::Bounds)[..limits::ANSWERS]
    );
    assert_eq!(answer["boxes"].as_array().unwrap().len(), limits::ANSWERS);
    assert!(
        answer["sentence"]
            .as_str()
            .unwrap()
            .starts_with("1202 pairs")
    );
    // 448 spheres in one place are more than 100,000 pairs.
    let one = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n";
    let (mut desk, _) = self::desk(&one.repeat(448));
    let answer = desk.ask(&ask("overlap", &json!({}), &json!({})));
    assert_eq!(answer["answers_total"], limits::PAIRS + 1);
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("More than 100000 pairs"), "{sentence}");
}

#[test]
fn pairs_are_of_the_poses_that_are_shown() {
    let text = "[[sphere]]\nname = 'a'\ncenter = [0, 0, 0]\nradius = 1\n[[sphere]]\nname = 'b;c'\ncenter = [1, 0, 0]\nradius = 1\n";
    let (mut desk, _) = desk(text);
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["hide"] = json!(["a"]);
    desk.text(PAGE, &view.to_string());
    desk.cast();
    desk.take();
    // What is hidden takes part: the command has no column that leaves it out.
    let answer = desk.ask(&ask("overlap", &json!({}), &json!({})));
    assert_eq!(answer["answers"].as_array().unwrap().len(), 1);
}

#[test]
fn other_options_and_explanations_are_refused() {
    let mut desk = Desk::open();
    for options in [
        json!({"each": "object"}),
        json!({"shape": "box"}),
        json!({"exact": "yes"}),
    ] {
        let refused = desk.ask(&ask("overlap", &json!({}), &options));
        assert_eq!(refused["type"], "refused", "{refused}");
    }
    desk.ask(&ask("overlap", &json!({}), &json!({})));
    let refused = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    assert_eq!(
        (&refused["type"], &refused["field"]),
        (&json!("refused"), &json!("ask"))
    );
}

#[test]
fn an_object_with_a_semicolon_in_its_name_is_hidden() {
    let text = "[[sphere]]\nname = 'a;b'\ncenter = [0, 0, 0]\nradius = 1\n[[sphere]]\nname = 'c'\ncenter = [0, 0, -5]\nradius = 1\n[[sphere]]\nname = 'd'\ncenter = [0, 0, -9]\nradius = 1\n";
    let (mut desk, _) = desk(text);
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["hide"] = json!(["a;b", "c"]);
    desk.text(PAGE, &view.to_string());
    desk.cast();
    desk.take();
    let ray = json!({"ox": 0, "oy": 0, "oz": 9, "dx": 0, "dy": 0, "dz": -1});
    let answer = desk.ask(&ask("ray", &ray, &json!({})));
    assert_eq!(answer["answers"][0]["object"], "d", "{answer}");
    assert_eq!(answer["question"]["ignore"], "a\\;b;c");
    // Repeated with what the answer says, it is the same.
    let again = desk.ask(&ask("ray", &answer["question"], &json!({})));
    assert_eq!(again["question"], answer["question"]);
}
