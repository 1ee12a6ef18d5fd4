//! Scenes with map coordinates: the columns of a question are f64 there, a ray's are f32. The question of a
//! pixel goes through the text of these columns, so that the command gets the same.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::scene::loaded;
use hitscan::Sides;
use hitscan_ask::{HitColumns, RayHits, RayTable, row_json};
use hitscan_assets::load_scene_text;
use hitscan_table::answer_fields;
use hitscan_view::viewer::{Event, LoadedScene};
use serde_json::{Value, json};

const SCENE: &str = r#"
[world]
origin = [512345.678, 93.4, 6212345.678]

[[sphere]]
name = "ball"
center = [8.0, 2.6, -8.0]
radius = 4.0

[[turned_box]]
name = "plank"
center = [-4.0, 1.6, 4.0]
half_size = [5.0, 0.25, 1.5]
rotation = [0.1, 0.383, 0.0, 0.924]
"#;

/// How far a coordinate of millions is from the next f64, at most: what a ray's may be off.
const STEP: f64 = 1.0 / (1 << 30) as f64;

#[test]
fn the_scene_says_where_its_tables_begin() {
    let scene = load_scene_text("scene.toml".as_ref(), SCENE).unwrap();
    let mut desk = Desk::open();
    desk.event(Event::Loaded(LoadedScene { scene, ..loaded() }));
    let [Sent::Text(PAGE, text)] = &desk.take()[..] else {
        panic!("one message");
    };
    let message: Value = serde_json::from_str(text).unwrap();
    assert_eq!(message["origin"], json!([512_345.678, 93.4, 6_212_345.678]));
}

#[test]
fn a_pixel_asks_what_the_command_is_asked() {
    let scene = load_scene_text("scene.toml".as_ref(), SCENE).unwrap();
    let table = RayTable::new(&scene, RayHits::Nearest(HitColumns::World), Sides::Both);
    let bounds = scene.now().bounds().unwrap();
    let target = bounds.center().to_array();
    for (number, offset, is_exact) in [
        (1_u32, [20.1_f32, 12.3, 26.7], true),
        (2, [-0.02, 9.9, -17.3], true),
        // So near to the origin an f32 has digits that a coordinate of millions has not.
        (3, [1.234_567_8e-4, 7.0, 19.0], false),
    ] {
        let mut desk = Desk::open();
        desk.event(Event::Loaded(LoadedScene {
            scene: scene.clone(),
            ..loaded()
        }));
        let mut view: Value = serde_json::from_str(VIEW).unwrap();
        view["view"] = json!(number);
        view["camera"]["eye"] = json!(offset);
        view["camera"]["look"] = json!(target);
        desk.take();
        desk.text(PAGE, &view.to_string());
        desk.cast();
        let [header] = desk.frames()[..] else {
            panic!("one frame");
        };
        let [width, height] = header.size;
        let mut hits = 0;
        let pixels = 0..u32::from(width) * u32::from(height);
        for pixel in pixels.step_by(5) {
            let pixel = [pixel % u32::from(width), pixel / u32::from(width)];
            let ask = json!({"type": "ask", "id": 5, "tool": "ray", "frame": header.frame, "pixel": pixel});
            let answer = desk.ask(&ask.to_string());
            let question = answer["question"].as_object().unwrap();
            // As the page writes a row of a table.
            let fields = question
                .iter()
                .map(|(name, value)| (name.as_str(), value.to_string()));
            let fields: Vec<(&str, String)> = fields.collect();
            let row = answer_fields("a row", &fields, &table).unwrap();
            assert_eq!(
                answer["answers"],
                json!([row_json(&row.answers[0])]),
                "{pixel:?}"
            );
            hits += u32::from(answer["answers"][0]["status"] == "hit");
            let origin = &answer["lines"][0]["points"][0];
            for (axis, wanted) in offset.into_iter().enumerate() {
                #[expect(clippy::cast_possible_truncation, reason = "it is an f32's text")]
                let found = origin[axis].as_f64().unwrap() as f32;
                let off = (f64::from(found) - f64::from(wanted)).abs();
                assert!(
                    off <= STEP && (!is_exact || off == 0.0),
                    "{found} for {wanted}"
                );
            }
        }
        assert!(hits > 20, "{hits} hits of {width} x {height}");
    }
}
