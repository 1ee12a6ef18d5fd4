//! Hulls, cylinders and compounds that are hit; shapes and objects that move and turn; how far objects are apart.

use crate::answers::{ask, send_file};
use crate::desk::Desk;
use crate::scene::loaded;
use hitscan::Sides;
use hitscan::shape_cast::InitialOverlap;
use hitscan_ask::{
    ContactColumns, DistanceTable, MoveHits, MoveSettings, ObjectSweepTable, ObjectTurningTable,
    ShapeKind, SweepTable, TurningHits, TurningSettings, TurningTable, row_json,
};
use hitscan_assets::{Scene, load_scene_text};
use hitscan_table::{Answer, answer_fields};
use hitscan_view::viewer::LoadedScene;
use serde_json::{Value, json};
use std::path::Path;

const SCENE: &str = r#"
[[box]]
name = "floor"
min = [-20, -1, -20]
max = [20, 0, 20]

[[hull]]
name = "rock"
points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
translation = [6, 0, 0]

[[cylinder]]
name = "pillar"
a = [-6, 0, 0]
b = [-6, 4, 0]
radius = 0.5

[[compound]]
name = "guard"
[[compound.part]]
name = "body"
shape = "capsule"
a = [0, 0.5, 8]
b = [0, 1.2, 8]
radius = 0.4
[[compound.part]]
name = "helmet"
shape = "hull"
points = [[-0.3, 1.6, 7.7], [0.3, 1.6, 7.7], [0.3, 1.6, 8.3], [-0.3, 1.6, 8.3], [0, 2.2, 8]]
"#;

fn scene() -> Scene {
    load_scene_text(Path::new("scene.toml"), SCENE).unwrap()
}

fn desk() -> Desk {
    Desk::with(LoadedScene {
        scene: scene(),
        ..loaded()
    })
}

/// The answer of a page, once it is seen to be that of the table.
fn answered(
    desk: &mut Desk,
    table: &dyn Answer,
    (tool, options): (&str, Value),
    row: Value,
) -> Value {
    let question = row.as_object().unwrap();
    let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let fields: Vec<_> = question
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect();
    let expected = answer_fields("a row", &fields, table).unwrap();
    let answer = desk.ask(&ask(tool, &row, &options));
    let rows: Vec<_> = expected
        .answers
        .iter()
        .map(|answer| row_json(answer))
        .collect();
    assert_eq!(answer["answers"], json!(rows), "{answer}");
    assert_eq!(answer["invalid"].as_str(), expected.invalid.as_deref());
    answer
}

fn lines<'a>(answer: &'a Value, role: &str) -> Vec<&'a Vec<Value>> {
    let lines = answer["lines"].as_array().unwrap().iter();
    let lines = lines.filter(|line| line["role"] == role);
    lines
        .map(|line| line["points"].as_array().unwrap())
        .collect()
}

fn length(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[test]
fn a_hit_at_a_hull_outlines_its_face_and_names_the_part() {
    let mut desk = desk();
    let down = |x: f32, z: f32| json!({"ox": x, "oy": 9, "oz": z, "dx": 0, "dy": -1, "dz": 0});
    // The slope of the rock is a triangle; a side of the helmet too, of a part.
    let rock = desk.ask(&ask("ray", &down(6.5, 0.5), &json!({})));
    assert_eq!(rock["answers"][0]["object"], "rock", "{rock}");
    let faces = lines(&rock, "triangle");
    assert_eq!(faces.len(), 1);
    let mut corners: Vec<String> = faces[0][1..].iter().map(Value::to_string).collect();
    corners.sort();
    assert_eq!(corners, ["[6.0,0.0,2.0]", "[6.0,2.0,0.0]", "[8.0,0.0,0.0]"]);
    assert_eq!(faces[0][0], faces[0][3]);
    let helmet = desk.ask(&ask("ray", &down(0.1, 8.0), &json!({})));
    assert_eq!(helmet["answers"][0]["part"], "helmet", "{helmet}");
    assert_eq!(lines(&helmet, "triangle")[0].len(), 4);
    let sentence = helmet["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("Hits guard, part helmet, face "),
        "{sentence}"
    );
    let pillar = desk.ask(&ask("ray", &down(-6.0, 0.0), &json!({})));
    assert_eq!(pillar["answers"][0]["object"], "pillar");
    assert!(lines(&pillar, "triangle").is_empty());
    let listed = desk.ask(r#"{"type": "wireframe", "id": 5, "object": "guard"}"#);
    // Two circles, four lines and four half circles of the capsule; eight edges of the pyramid.
    assert_eq!(length(&listed["lines"]), 18, "{listed}");
    assert_eq!(listed["bounds"][1][1], 2.2);
}

#[test]
fn hulls_and_cylinders_move_and_rest() {
    let (mut desk, scene) = (desk(), scene());
    for (shape, kind, place, edges) in [
        (
            "cylinder",
            ShapeKind::Cylinder,
            json!({"ax": -9, "ay": 1, "az": 0, "bx": -9, "by": 2, "bz": 0, "radius": 0.5}),
            0,
        ),
        (
            "hull",
            ShapeKind::Hull,
            json!({"hull": "rock", "cx": -9, "cy": 0.5, "cz": -0.5, "qy": 0.6, "qw": 0.8}),
            6,
        ),
    ] {
        let settings = MoveSettings {
            shape: kind,
            sides: Sides::Both,
            initial_overlap: InitialOverlap::Stop,
            hits: MoveHits::Nearest(ContactColumns::HitAndContact),
        };
        let table = SweepTable::with_settings(&scene, settings);
        let mut row = place.clone();
        for (name, number) in [("dx", 9), ("dy", 0), ("dz", 0)] {
            row[name] = number.into();
        }
        let options = json!({"shape": shape, "contact": true});
        let answer = answered(&mut desk, &table, ("sweep", options), row);
        assert_eq!(answer["answers"][0]["object"], "pillar");
        assert_eq!(length(&answer["wireframe"]), edges);
        let rests = desk.ask(&ask("overlap", &place, &json!({"shape": shape})));
        assert_eq!(rests["answers"][0]["status"], "separate", "{rests}");
        assert_eq!(length(&rests["wireframe"]), edges);
    }
    // Rounded, by its four faces and around its four corners, as far out as the radius.
    let rounded = json!({"hull": "rock", "cx": -9, "cy": 4, "cz": 0, "radius": 0.5});
    let rounded = desk.ask(&ask("overlap", &rounded, &json!({"shape": "hull"})));
    let drawn = rounded["wireframe"].as_array().unwrap();
    assert_eq!(drawn.len(), 8, "{rounded}");
    let points = drawn.iter().flat_map(|line| line.as_array().unwrap());
    let lowest = points.map(|point| point[1].as_f64().unwrap());
    assert_eq!(lowest.fold(f64::INFINITY, f64::min), 3.5);
    let origin = r#"{"type": "wireframe", "id": 5, "object": "rock", "place": "origin"}"#;
    let origin = desk.ask(origin);
    assert_eq!(length(&origin["lines"]), 6);
    assert_eq!(origin["bounds"], json!([[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]]));
    for (object, place, expected) in [
        ("rocks", "world", "the name of an object"),
        ("pillar", "origin", "the name of a hull"),
    ] {
        let message = json!({"type": "wireframe", "id": 5, "object": object, "place": place});
        let refused = desk.ask(&message.to_string());
        assert_eq!(refused["field"], "object", "{refused}");
        assert_eq!(refused["expected"], expected);
    }
}

/// A beam that swings into the pillar, about its end.
fn beam() -> Value {
    json!({
        "cx": -4, "cy": 1, "cz": 3, "half_x": 2, "half_y": 0.1, "half_z": 0.1,
        "qx": 0, "qy": 0, "qz": 0, "qw": 1, "dx": 0, "dy": 0, "dz": 0,
        "axis_x": 0, "axis_y": 1, "axis_z": 0, "angle": 3,
        "pivot_x": -6, "pivot_y": 1, "pivot_z": 3,
    })
}

#[test]
fn shapes_turn_and_say_how_near_they_came() {
    let (mut desk, scene) = (desk(), scene());
    let settings = TurningSettings {
        shape: ShapeKind::Obb,
        tolerance: Some(1e-3),
        hits: TurningHits::Nearest,
    };
    let table = TurningTable::new(&scene, settings);
    let options = json!({"shape": "turned_box", "turning": true, "tolerance": 1e-3});
    let mut row = beam();
    row["angle"] = (-0.9).into();
    let answer = answered(&mut desk, &table, ("sweep", options.clone()), row.clone());
    let hit = &answer["answers"][0];
    assert_eq!(
        (&hit["status"], &hit["object"]),
        (&json!("miss"), &Value::Null)
    );
    let answer = answered(&mut desk, &table, ("sweep", options.clone()), beam());
    let hit = &answer["answers"][0];
    assert_eq!(hit["object"], "pillar", "{answer}");
    assert!(hit["gap"].as_f64().unwrap() <= 1e-3, "{answer}");
    assert_eq!(answer["pivot"], json!([-6.0, 1.0, 3.0]));
    assert_eq!(lines(&answer, "motion")[0].len(), 65);
    // The one that turns has no walk; the answer can be requested in a table as well.
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    assert_eq!(explained["candidates"], json!([]));
    for (name, value, expected) in [
        (
            "overlaps",
            json!("leave"),
            "stop: what turns stops at overlaps",
        ),
        (
            "initial_overlap",
            json!("escape"),
            "stop: what turns stops at overlaps",
        ),
        (
            "sides",
            json!("front"),
            "both: what turns is met from both sides",
        ),
        (
            "contact",
            json!(true),
            "false: what turns has no contact columns",
        ),
        (
            "hits",
            json!("all"),
            "nearest or any: what turns has one hit",
        ),
        ("tolerance", json!(0), "a length of more than 0, metres"),
    ] {
        let object = json!({"mover": "guard", "dx": 1, "dy": 0, "dz": 0, "axis_y": 1, "angle": 1});
        let of_object = json!({"object": true, "turning": true});
        for (row, options) in [(beam(), &options), (object, &of_object)] {
            let mut wrong = options.clone();
            wrong[name] = value.clone();
            let refused = desk.ask(&ask("sweep", &row, &wrong));
            assert_eq!(refused["field"], format!("options.{name}"), "{refused}");
            assert_eq!(refused["expected"], expected, "{refused}");
        }
    }
    let file = "cx,cy,cz,radius,dx,dy,dz,axis_x,axis_y,axis_z,angle,pivot_x,pivot_y,pivot_z\n\
                -6,1,4,0.5,0,0,0,0,1,0,-6,-6,1,2\n";
    let header = json!({"type": "table", "id": 9, "name": "turns.csv"});
    let table = send_file(&mut desk, &header, file.as_bytes());
    let answer = &table["shown"][0]["answer"];
    assert_eq!(
        (&table["tool"], &answer["object"]),
        (&json!("sweep"), &json!("pillar")),
        "{table}"
    );
    assert!(answer["gap"].is_number());
}

#[test]
fn objects_move_and_turn() {
    let (mut desk, scene) = (desk(), scene());
    let settings = MoveSettings {
        hits: MoveHits::All(ContactColumns::HitAndContact),
        ..MoveSettings::default()
    };
    let table = ObjectSweepTable::new(&scene, settings);
    let options = json!({"object": true, "hits": "all", "contact": true});
    let row = json!({"mover": "guard", "dx": -9, "dy": 0, "dz": -12});
    let answer = answered(&mut desk, &table, ("sweep", options), row);
    assert_eq!(length(&answer["wireframe"]), 18, "{answer}");
    let met = answer["answers"].as_array().unwrap();
    assert!(met.iter().any(|hit| hit["object"] == "pillar"), "{answer}");
    assert!(
        met.iter().all(|hit| hit["mover_part"].is_string()),
        "{answer}"
    );
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let candidates = explained["candidates"].as_array().unwrap();
    assert!(
        candidates.iter().any(|one| one["verdict"] == "answer"),
        "{explained}"
    );

    let settings = TurningSettings::default();
    let table = ObjectTurningTable::new(&scene, settings);
    let options = json!({"object": true, "turning": true});
    let row = json!({
        "mover": "guard", "dx": 0, "dy": 0.1, "dz": 0,
        "axis_y": 1, "angle": 6.2, "pivot_x": 0, "pivot_y": 0, "pivot_z": 2,
    });
    let answer = answered(&mut desk, &table, ("sweep", options), row);
    assert_eq!(answer["pivot"], json!([0.0, 0.0, 2.0]));
    assert_eq!(answer["answers"][0]["object"], "rock", "{answer}");
    let none = json!({"mover": "gard", "dx": 0, "dy": 0, "dz": 0});
    let none = desk.ask(&ask("sweep", &none, &json!({"object": true})));
    assert!(
        none["invalid"].as_str().unwrap().contains("`guard`"),
        "{none}"
    );
}

#[test]
fn two_objects_are_so_far_apart() {
    let (mut desk, scene) = (desk(), scene());
    let table = DistanceTable::new(&scene);
    let row = json!({"object_a": "rock", "object_b": "pillar"});
    let answer = answered(&mut desk, &table, ("distance", json!({})), row);
    assert_eq!(answer["sentence"], "The two are 11.5 m apart.");
    assert_eq!(lines(&answer, "segment")[0].len(), 2);
    let row = json!({"object_a": "floor", "object_b": "pillar", "max_distance": 1});
    let answer = answered(&mut desk, &table, ("distance", json!({})), row);
    assert_eq!(answer["sentence"], "The two touch.");
    let same = json!({"object_a": "rock", "object_b": "rock"});
    let same = desk.ask(&ask("distance", &same, &json!({})));
    assert!(same["invalid"].is_string(), "{same}");
}
