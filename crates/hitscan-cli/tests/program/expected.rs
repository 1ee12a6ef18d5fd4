//! `hitscan ray --explain ROW --expect OBJECT`: why a ray does not hit that object.

use crate::{Folder, RAMP, SIGN};
use serde_json::{Value, json};

const SCENE: &str = r#"
[[terrain]]
name = "ramp"
heights = "ramp.asc"
[[model]]
name = "sign"
file = "sign.obj"
translation = [0, 5, 0]
[[box]]
name = "crate"
min = [-9, 0, 0]
max = [-8, 1, 1]
[[box]]
name = "glass"
min = [-7, 0, 0]
max = [-6, 1, 1]
layers = 2
"#;

const RAYS: &str = "ox,oy,oz,dx,dy,dz,t_min,t_max,mask,ignore\n\
    -5,0.5,0.5,-1,0,0,,,,\n\
    -5,0.5,0.5,-1,0,0,,2.5,1,\n\
    -5,2,0.5,-1,0,0,,,,\n\
    -2,5.5,1,1,0,0,,,,\n\
    -5,2,0.5,-1,0,0,,3,,crate\n";

fn folder() -> Folder {
    let folder = Folder::with_scene(SCENE);
    folder.write("ramp.asc", RAMP);
    folder.write("sign.obj", SIGN);
    folder.write("rays.csv", RAYS);
    folder
}

fn run(folder: &Folder, row: &str, object: &str, more: &[&str]) -> String {
    let arguments = ["ray", "scene.toml", "rays.csv", "--explain", row];
    let run = folder.run(&[&arguments, &["--expect", object][..], more].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

/// The key `expected` of an explanation, and its answer's object.
fn expected(folder: &Folder, row: &str, object: &str, more: &[&str]) -> (Value, Value) {
    let text = run(folder, row, object, &[&["--json"], more].concat());
    let mut found: Value = serde_json::from_str(&text).unwrap();
    (found["expected"].take(), found["answer"]["object"].take())
}

fn reasons(expected: &Value) -> Vec<[&str; 2]> {
    let all = expected["reasons"].as_array().unwrap().iter();
    all.map(|one| ["reason", "why"].map(|key| one[key].as_str().unwrap()))
        .collect()
}

#[test]
fn an_object_behind_another_is_hidden() {
    let folder = folder();
    let (found, hit) = expected(&folder, "0", "crate", &[]);
    assert_eq!(
        (&found["object"], &found["is_hit"]),
        (&json!("crate"), &json!(false))
    );
    assert_eq!(hit, "glass");
    assert_eq!(
        reasons(&found),
        [["hidden", "glass is hit at t = 1, 2 m before it"]]
    );
    let by = &found["reasons"][0]["by"];
    assert_eq!(
        (&by["object"], &by["point"]),
        (&json!("glass"), &json!([-6, 0.5, 0.5]))
    );
    let met = &found["met"];
    assert_eq!(
        (&met["object"], &met["t"], &met["side"]),
        (&json!("crate"), &json!(3), &json!("front"))
    );
    let (found, _) = expected(&folder, "0", "glass", &[]);
    assert_eq!(
        (&found["is_hit"], &found["reasons"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(found["met"]["t"], 1);
}

#[test]
fn layers_ranges_and_sides_keep_objects_out() {
    let folder = folder();
    let (found, hit) = expected(&folder, "1", "crate", &[]);
    assert_eq!(hit, Value::Null);
    let why = "it is met at t = 3, beyond t_max = 2.5";
    assert_eq!(reasons(&found), [["out_of_range", why]]);
    let (found, _) = expected(&folder, "1", "glass", &[]);
    let why = "it is in none of the layers that are asked for";
    assert_eq!(reasons(&found), [["layers", why]]);
    assert_eq!(found["met"]["t"], 1);
    let (found, hit) = expected(&folder, "3", "sign", &[]);
    assert_eq!((&found["is_hit"], hit), (&json!(true), json!("sign")));
    let met = &found["met"];
    assert_eq!(
        (&met["part"], &met["triangle"]),
        (&json!("board"), &json!(1))
    );
    let side = met["side"].as_str().unwrap();
    let other = if side == "front" { "back" } else { "front" };
    let (found, _) = expected(&folder, "3", "sign", &["--sides", other]);
    let why = format!("its {side} is met, and only {other}s are asked for");
    assert_eq!(reasons(&found), [["wrong_side", why.as_str()]]);
}

#[test]
fn a_miss_has_its_distance_and_the_turn_that_hits() {
    let folder = folder();
    let (found, _) = expected(&folder, "2", "crate", &[]);
    assert_eq!(found["met"], Value::Null);
    let [[reason, why]] = reasons(&found)[..] else {
        panic!("{found}")
    };
    assert_eq!(reason, "missed");
    assert!(why.starts_with("the ray passes it by 1 m at t = "), "{why}");
    // To the upper edge of its far side: four metres on, one down.
    assert!(
        why.ends_with("; turned by 14.0° it meets it at t = 4.1231055"),
        "{why}"
    );
    let one = &found["reasons"][0];
    assert_eq!(one["approach"]["distance"], 1);
    let angle = one["turn"]["angle"].as_f64().unwrap();
    assert!((angle - 0.244_978_66).abs() < 1e-7, "{angle}");
    assert_eq!(one["turn"]["point"], json!([-9, 1, 0.5]));
    // All reasons there are: it is ignored, and passed, and the turn is beyond the range.
    let (found, _) = expected(&folder, "4", "crate", &[]);
    let [["ignored", "it is ignored"], ["missed", why]] = reasons(&found)[..] else {
        panic!("{found}")
    };
    assert!(
        why.contains("at t = 3, where the ray ends; turned by 14.0°"),
        "{why}"
    );
    assert!(why.ends_with(", beyond t_max = 3"), "{why}");
    let (found, _) = expected(&folder, "2", "ramp", &[]);
    let [[_, why]] = reasons(&found)[..] else {
        panic!("{found}")
    };
    assert!(
        why.ends_with("where the ray begins; it lies behind the origin, or beside it"),
        "{why}"
    );
    assert_eq!(found["reasons"][0]["turn"], Value::Null);
}

#[test]
fn the_text_has_the_reasons_above_the_candidates() {
    let folder = folder();
    let text = run(&folder, "0", "crate", &[]);
    let reasons =
        "\nexpected: crate\n  reason  why\n  hidden  glass is hit at t = 1, 2 m before it\n";
    assert!(text.contains(&format!("{reasons}\ncandidates\n")), "{text}");
    let text = run(&folder, "0", "glass", &["--hits", "any"]);
    assert!(
        text.contains("\nexpected: glass\n  it is what the ray hits\n"),
        "{text}"
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    let ray = |more: &[&str]| folder.run(&[&["ray", "scene.toml", "rays.csv"], more].concat());
    ray(&["--explain", "0", "--expect", "crat"])
        .assert_refused(&["--expect names no object but `crat`; did you mean `crate`?"]);
    ray(&["--expect", "crate"]).assert_usage(&["--explain"]);
    let all = ["--explain", "0", "--expect", "crate", "--hits", "all"];
    ray(&all).assert_refused(&["--expect needs --hits nearest or any"]);
    let march = ["--explain", "0", "--expect", "crate", "--method", "march"];
    ray(&march).assert_refused(&["--method exact"]);
}
