//! Explanations of answers: sections, walks, misses, the boxes of trees.

use crate::answers::ask;
use crate::desk::Desk;
use crate::scene::NASTY_NAME;
use serde_json::{Value, json};

#[test]
fn a_ray_over_the_ridge_has_a_section() {
    let mut desk = Desk::open();
    // It grazes the crest between two samples of a march with long steps.
    let question = json!({"ox": 1, "oy": 2.9, "oz": 8.3, "dx": 1, "dy": 0, "dz": 0});
    let answer = desk.ask(&ask(
        "ray",
        &question,
        &json!({"method": "march", "step": 3.1}),
    ));
    assert_eq!(answer["answers"][0]["status"], "miss");
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let section = &explained["section"];
    assert_eq!(section["object"], "ridge");
    let over = section["march"]["stepped_over"].as_f64().unwrap();
    assert!((over - 0.1).abs() < 1e-3, "{over}");
    assert!(section["march"].get("hit").is_none());
    let ground = section["ground"].as_array().unwrap();
    let highest = ground
        .iter()
        .filter_map(|point| point[1].as_f64())
        .fold(0.0, f64::max);
    assert_eq!(highest, 3.0);
    let exact = desk.ask(&ask("ray", &question, &json!({})));
    assert_eq!(exact["answers"][0]["status"], "hit");
    let explained = desk.ask(r#"{"type": "explain", "id": 5, "ask": 3}"#);
    assert_eq!(explained["candidates"][0]["verdict"], "answer");
}

#[test]
fn a_walk_is_shown_step_by_step_and_ends_with_the_answer() {
    let mut desk = Desk::open();
    let down =
        json!({"ox": 4.2, "oy": 20, "oz": 4.3, "dx": 0, "dy": -1, "dz": 0, "ignore": NASTY_NAME});
    let answer = desk.ask(&ask("ray", &down, &json!({})));
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let visits = explained["visits"].as_array().unwrap();
    assert_eq!(explained["visit_count"], visits.len());
    let is = |visit: &Value, what: &str, verdict: &str| {
        visit["what"] == what && visit["verdict"] == verdict
    };
    assert!(is(&visits[0], "world_node", "opened"), "{explained}");
    assert!(visits.iter().any(|visit| is(visit, "object", "filtered")));
    let hit = visits
        .iter()
        .rfind(|visit| is(visit, "triangle", "hit"))
        .unwrap();
    assert_eq!(hit["triangle"], answer["answers"][0]["triangle"]);
    assert_eq!(hit["points"].as_array().unwrap().len(), 3);
    assert!(explained["sentence"].as_str().unwrap().contains("ridge"));
    assert!(explained.get("approach").is_none());
}

#[test]
fn a_miss_says_what_it_passed_and_what_would_have_hit() {
    let mut desk = Desk::open();
    // Over the sphere, whose top is at 6 m, and too short for the crate.
    let question = json!({"ox": 0, "oy": 6.5, "oz": 4, "dx": 1, "dy": 0, "dz": 0, "t_max": 5, "ignore": "crate"});
    assert_eq!(
        desk.ask(&ask("ray", &question, &json!({})))["answers"][0]["status"],
        "miss"
    );
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let approach = &explained["approach"];
    assert_eq!(
        (&approach["object"], &approach["distance"]),
        (&json!(NASTY_NAME), &json!(0.5))
    );
    assert_eq!(approach["on_ray"], json!([4.0, 6.5, 4.0]));
    assert_eq!(approach["filtered"], json!(["crate"]));
    assert_eq!(approach["passed"][0]["object"], NASTY_NAME);
    let short = json!({"ox": 8, "oy": 3.5, "oz": 3, "dx": 1, "dy": 0, "dz": 0, "t_max": 1.5});
    desk.ask(&ask("ray", &short, &json!({})));
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    assert_eq!(
        explained["approach"]["change"],
        "crate: with t_max = 2, it hits at t = 2"
    );
}

#[test]
fn trees_are_shown_by_their_levels() {
    let mut desk = Desk::open();
    let level = |desk: &mut Desk, object: Option<&str>, level: u32| {
        let mut overlay = json!({"type": "overlay", "id": 6, "boxes": "tree", "level": level});
        if let Some(object) = object {
            overlay["object"] = object.into();
        }
        let reply = desk.ask(&overlay.to_string());
        assert_eq!(reply["count"], reply["boxes"].as_array().unwrap().len());
        reply["count"].as_u64().unwrap()
    };
    assert_eq!(
        [0, 1, 9].map(|depth| level(&mut desk, None, depth)),
        [1, 6, 0]
    );
    assert!(level(&mut desk, Some("ridge"), 1) > 1);
    let bounds = desk.ask(r#"{"type": "overlay", "id": 6, "boxes": "bounds"}"#);
    assert_eq!(bounds["count"], 6);
}

#[test]
fn a_moving_box_shows_the_axis_that_decides() {
    let mut desk = Desk::open();
    let fall = json!({"min_x": 10.5, "min_y": 8, "min_z": 2.5, "max_x": 11.5, "max_y": 9, "max_z": 3.5, "dx": 0.5, "dy": -8, "dz": 0});
    let answer = desk.ask(&ask("sweep", &fall, &json!({})));
    assert_eq!(answer["answers"][0]["object"], "crate");
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let axes = explained["axes"].as_array().unwrap();
    let names: Vec<&str> = axes
        .iter()
        .map(|axis| axis["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["x", "y", "z"]);
    let decides: Vec<&Value> = axes.iter().filter(|axis| axis["decides"] == true).collect();
    let [y] = decides.as_slice() else {
        panic!("{axes:?}");
    };
    assert_eq!(
        (&y["name"], &y["enter"]),
        (&json!("y"), &answer["answers"][0]["t"])
    );
    // Onto the ridge's side: the ray of each axis is there, and the last one is the hit's time.
    let onto = json!({"min_x": 6.5, "min_y": 8, "min_z": 6.25, "max_x": 7.5, "max_y": 9, "max_z": 6.75, "dx": 0, "dy": -8, "dz": 0});
    let answer = desk.ask(&ask("sweep", &onto, &json!({})));
    assert_eq!(answer["answers"][0]["object"], "ridge");
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let axes = explained["axes"].as_array().unwrap();
    let last = axes.iter().find(|axis| axis["decides"] == true).unwrap();
    let (enter, t) = (
        last["enter"].as_f64().unwrap(),
        answer["answers"][0]["t"].as_f64().unwrap(),
    );
    assert!((enter - t).abs() < 1e-6, "{enter} {t}");
}
