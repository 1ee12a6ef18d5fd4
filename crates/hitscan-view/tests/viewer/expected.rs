//! Explanations of objects that were expected, near misses, and what sections speak of.

use crate::answers::ask;
use crate::desk::{Desk, PAGE, VIEW};
use crate::scene::NASTY_NAME;
use serde_json::{Value, json};

/// Asks, and why the answer is what it is.
fn explained(desk: &mut Desk, tool: &str, question: &Value, options: &Value) -> Value {
    desk.ask(&ask(tool, question, options));
    desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#)
}

/// What is said of an object that the last ask was expected to be answered by.
fn expected(desk: &mut Desk, object: &str) -> Value {
    let reply =
        desk.ask(&json!({"type": "explain", "id": 5, "ask": 3, "expect": object}).to_string());
    assert_eq!(reply["candidates"], json!([]), "{reply}");
    assert_eq!(reply.get("visits"), None);
    reply["expected"].clone()
}

/// The words of the reasons.
fn reasons(expected: &Value) -> Vec<&str> {
    let reasons = expected["reasons"].as_array().unwrap().iter();
    reasons.map(|one| one["reason"].as_str().unwrap()).collect()
}

fn level(y: f64, z: f64) -> Value {
    json!({"ox": 0, "oy": y, "oz": z, "dx": 1, "dy": 0, "dz": 0})
}

#[test]
fn an_object_that_is_passed_is_told_by_metres_and_by_the_angle() {
    let mut desk = Desk::open();
    desk.ask(&ask("ray", &level(6.5, 4.0), &json!({})));
    let found = expected(&mut desk, NASTY_NAME);
    assert_eq!(
        (&found["is_hit"], reasons(&found)),
        (&json!(false), vec!["missed"])
    );
    let approach = &found["reasons"][0]["approach"];
    assert_eq!(
        (&approach["distance"], &approach["t"]),
        (&json!(0.5), &json!(4.0))
    );
    assert_eq!(approach["on_object"], json!([4.0, 6.0, 4.0]));
    // The sphere's middle is 1.5 m below the ray, 4 m ahead; its radius is 1 m.
    let away = libm::atan2(1.5, 4.0) - libm::asin(1.0 / 18.25_f64.sqrt());
    let angle = found["reasons"][0]["turn"]["angle"].as_f64().unwrap();
    assert!((angle - away).abs() < 1e-6, "{angle} {away}");
    assert_eq!(found.get("met"), None);
    assert_eq!(found.get("earlier"), None);
}

#[test]
fn what_is_hidden_ignored_or_the_answer_is_told_so() {
    let mut desk = Desk::open();
    // The ridge's slope is 2.5 m high a quarter of a metre before its crest.
    desk.ask(&ask("ray", &level(2.5, 3.0), &json!({})));
    let found = expected(&mut desk, "crate");
    assert_eq!(reasons(&found), ["hidden"]);
    let by = &found["reasons"][0]["by"];
    assert_eq!((&by["object"], &by["t"]), (&json!("ridge"), &json!(7.75)));
    assert_eq!(found["met"]["point"], json!([10.0, 2.5, 3.0]));
    let ridge = expected(&mut desk, "ridge");
    assert_eq!((&ridge["is_hit"], reasons(&ridge)), (&json!(true), vec![]));
    // Of all hits none hides another.
    desk.ask(&ask("ray", &level(2.5, 3.0), &json!({"hits": "all"})));
    assert_eq!(expected(&mut desk, "crate")["is_hit"], true);
    let mut ignoring = level(3.5, 3.0);
    ignoring["ignore"] = json!("crate");
    desk.ask(&ask("ray", &ignoring, &json!({})));
    assert_eq!(reasons(&expected(&mut desk, "crate")), ["ignored"]);
    let mut masked = level(3.5, 3.0);
    masked["mask"] = json!(1);
    desk.ask(&ask("ray", &masked, &json!({})));
    assert_eq!(reasons(&expected(&mut desk, "crate")), ["layers"]);
}

#[test]
fn shapes_and_arcs_tell_what_their_candidates_do() {
    let mut desk = Desk::open();
    let fall = json!({"min_x": 10.5, "min_y": 8, "min_z": 2.5, "max_x": 11.5, "max_y": 9, "max_z": 3.5, "dx": 0, "dy": -8, "dz": 0});
    desk.ask(&ask("sweep", &fall, &json!({})));
    assert_eq!(expected(&mut desk, "crate")["is_hit"], true);
    assert_eq!(reasons(&expected(&mut desk, "plank")), ["box_missed"]);
    let ground = expected(&mut desk, "ridge");
    assert_eq!(ground["is_hit"], false);
    assert!(reasons(&ground).contains(&"farther"), "{ground}");
    let throw = json!({"ox": 4, "oy": 9, "oz": 4, "vx": 0, "vy": 0, "vz": 0});
    desk.ask(&ask("arc", &throw, &json!({})));
    assert_eq!(expected(&mut desk, NASTY_NAME)["is_hit"], true);
    assert_eq!(expected(&mut desk, "crate")["is_hit"], false);
}

#[test]
fn what_blocks_a_line_of_sight_is_its_answer() {
    let mut desk = Desk::open();
    // Through the ridge, 2.5 m high there, and the crate behind it.
    let line = json!({"x": 0, "y": 2.5, "z": 3, "target_x": 20, "target_y": 2.5, "target_z": 3});
    desk.ask(&ask("sight", &line, &json!({})));
    let ridge = expected(&mut desk, "ridge");
    assert_eq!((&ridge["is_hit"], reasons(&ridge)), (&json!(true), vec![]));
    let behind = expected(&mut desk, "crate");
    assert_eq!(behind["is_hit"], false);
    assert!(!reasons(&behind).is_empty(), "{behind}");
}

#[test]
fn what_is_no_object_or_has_no_candidates_is_refused() {
    let mut desk = Desk::open();
    desk.ask(&ask("ray", &level(6.5, 4.0), &json!({})));
    let nobody = r#"{"type": "explain", "id": 4, "ask": 3, "expect": "nobody"}"#;
    let refused = desk.ask(nobody);
    assert_eq!(
        (&refused["field"], &refused["found"], &refused["expected"]),
        (
            &json!("expect"),
            &json!("nobody"),
            &json!("the name of an object")
        )
    );
    let number = r#"{"type": "explain", "id": 4, "ask": 3, "expect": 7}"#;
    assert_eq!(desk.ask(number)["field"], "expect");
    desk.ask(&ask("height", &json!({"x": 1, "z": 1}), &json!({})));
    let ridge = r#"{"type": "explain", "id": 4, "ask": 3, "expect": "ridge"}"#;
    assert_eq!(desk.ask(ridge)["field"], "expect");
}

/// Shows the flag so far up its clip.
fn lift(desk: &mut Desk, number: u64, now_ms: u64, time: f64) {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["view"] = json!(number);
    view["now_ms"] = json!(now_ms);
    view["poses"] = json!([{"object": "flag", "clip": "Lift", "time": time}]);
    desk.text(PAGE, &view.to_string());
    desk.cast();
    let shown = json!({"type": "shown", "id": 50, "frame": number});
    desk.text(PAGE, &shown.to_string());
    desk.take();
}

#[test]
fn what_was_there_a_moment_before_is_told() {
    let mut desk = Desk::open();
    for (number, now_ms, time) in [(1, 1000, 0.0), (2, 1500, 0.5), (3, 2000, 1.0)] {
        lift(&mut desk, number, now_ms, time);
    }
    // The flag's lower edge is at 4 m + 2 m a second.
    let at_flag = json!({"ox": 8.25, "oy": 5.5, "oz": 20, "dx": 0, "dy": 0, "dz": -1, "t_max": 15});
    explained(&mut desk, "ray", &at_flag, &json!({}));
    let was = json!({"tried_ms": 1000, "ago_ms": 500, "point": [8.25, 5.5, 8.0]});
    let found = expected(&mut desk, "flag");
    assert_eq!(reasons(&found), ["missed"]);
    assert_eq!(found["earlier"], was);
    // It never was at another, and is not looked for where the question ignores it.
    assert_eq!(
        expected(&mut desk, "plank")["earlier"],
        json!({"tried_ms": 1000})
    );
    // What is explained is kept when its views are not any more.
    for number in 4..300 {
        lift(&mut desk, number, 2000 + 20 * number, 0.0);
    }
    assert_eq!(expected(&mut desk, "flag")["earlier"], was);
    let mut ignoring = at_flag.clone();
    ignoring["ignore"] = json!("flag");
    desk.ask(&ask("ray", &ignoring, &json!({})));
    assert_eq!(expected(&mut desk, "flag").get("earlier"), None);
}

#[test]
fn the_moment_before_is_that_before_the_question() {
    let mut desk = Desk::open();
    for (number, now_ms, time) in [
        (1, 1000, 0.0),
        (2, 1500, 0.5),
        (3, 2000, 1.0),
        (4, 4000, 1.0),
    ] {
        lift(&mut desk, number, now_ms, time);
    }
    let at_flag =
        json!({"ox": 8.25, "oy": 4.25, "oz": 20, "dx": 0, "dy": 0, "dz": -1, "t_max": 15});
    // No view is from the second before the last one.
    desk.ask(&ask("ray", &at_flag, &json!({})));
    assert_eq!(expected(&mut desk, "flag").get("earlier"), None);
    let mut past: Value = serde_json::from_str(&ask("ray", &at_flag, &json!({}))).unwrap();
    past["as_of_ms"] = json!(400);
    // 3600 ms lies between two views, the earlier of which is too long ago as well.
    desk.ask(&past.to_string());
    assert_eq!(expected(&mut desk, "flag").get("earlier"), None);
    lift(&mut desk, 5, 4500, 0.0);
    lift(&mut desk, 6, 4900, 1.0);
    past["as_of_ms"] = json!(100);
    desk.ask(&past.to_string());
    let earlier = &expected(&mut desk, "flag")["earlier"];
    assert_eq!(
        (&earlier["tried_ms"], &earlier["ago_ms"]),
        (&json!(800), &json!(300))
    );
    // A world that the question states has no moment before.
    let mut stated: Value = serde_json::from_str(&ask("ray", &at_flag, &json!({}))).unwrap();
    stated["world"] = json!({"poses": [{"object": "flag", "clip": "Lift", "time": 1}]});
    desk.ask(&stated.to_string());
    assert_eq!(expected(&mut desk, "flag").get("earlier"), None);
}

#[test]
fn near_misses_are_told_of_hits_too() {
    let mut desk = Desk::open();
    // Past the sphere, down to the plain.
    let down = json!({"ox": 4, "oy": 20, "oz": 5.25, "dx": 0, "dy": -1, "dz": 0});
    let found = explained(&mut desk, "ray", &down, &json!({}));
    assert!(found["sentence"].as_str().unwrap().contains("ridge"));
    let near = &found["near"][0];
    assert_eq!(
        (&near["object"], &near["distance"], &near["t"]),
        (&json!(NASTY_NAME), &json!(0.25), &json!(15.0))
    );
    let names = found["near"].as_array().unwrap().iter();
    assert!(names.map(|one| &one["object"]).all(|name| name != "ridge"));
    assert_eq!(found.get("approach"), None);
}

#[test]
fn the_ground_under_a_shot_into_the_sky_is_no_near_miss() {
    let mut desk = Desk::open();
    let up = json!({"ox": 4, "oy": 2, "oz": 8, "dx": 0.1, "dy": 1, "dz": 0});
    let found = explained(&mut desk, "ray", &up, &json!({}));
    let approach = &found["approach"];
    assert!(!approach.to_string().contains("t_min"), "{approach}");
    let near = found["near"].as_array().cloned().unwrap_or_default();
    assert!(near.iter().all(|one| one["object"] != "ridge"), "{near:?}");
    assert_ne!(approach["object"], "ridge");
    assert_eq!(approach.get("change"), None);
    assert_eq!(found["section"].get("march"), None);
}

#[test]
fn a_section_shows_what_matters_and_speaks_of_the_ground_where_that_decides() {
    let mut desk = Desk::open();
    // The sphere is hit, over the plain.
    let found = explained(&mut desk, "ray", &level(5.0, 4.0), &json!({}));
    let section = &found["section"];
    assert_eq!(section["end"], NASTY_NAME);
    assert_eq!(section["ray"], json!([[0.0, 5.0], [3.0, 5.0]]));
    assert_eq!(section["focus"], json!([0.0, 3.0]));
    for of_ground in ["march", "blocks", "cells"] {
        assert_eq!(section.get(of_ground), None, "{of_ground}");
    }
    // The march looks at the ground all the same, where it is requested.
    let marched = explained(
        &mut desk,
        "ray",
        &level(5.0, 4.0),
        &json!({"method": "march"}),
    );
    assert!(marched["section"]["march"].is_object());
    assert_eq!(marched["section"].get("end"), None);
    // The ridge is hit.
    let found = explained(&mut desk, "ray", &level(2.5, 3.0), &json!({}));
    let section = &found["section"];
    assert_eq!(
        (&section["end"], &section["focus"]),
        (&json!("ridge"), &json!([0.0, 7.75]))
    );
    assert!(section["march"].is_object());
    assert!(section["cells"].is_array());
    // It is passed by a metre, at x = 8: nothing beyond that matters.
    let found = explained(&mut desk, "ray", &level(4.0, 0.5), &json!({}));
    assert_eq!(found["near"][0]["object"], "ridge", "{}", found["near"]);
    assert_eq!(found["section"]["focus"], json!([0.0, 8.0]));
    assert!(found["section"]["march"].is_object());
}
