//! Viewsheds: the counts are those of the library's own, and views tint the ground that is seen.

use crate::answers::ask;
use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::scene::{loaded, scene};
use hitscan::QueryFilter;
use hitscan::glam::Vec3;
use hitscan::height_field::{ViewshedQuery, Visibility};
use hitscan_view::limits;
use hitscan_view::viewer::Event;
use serde_json::{Value, json};

/// The ask with another number, and what is answered.
fn answer(desk: &mut Desk, id: u32, question: &Value, options: &Value) -> Value {
    let mut message: Value = serde_json::from_str(&ask("viewshed", question, options)).unwrap();
    message["id"] = json!(id);
    desk.ask(&message.to_string())
}

/// The visible and hidden samples of an answer.
fn counts(answer: &Value) -> [u64; 3] {
    ["visible", "hidden", "outside"].map(|name| answer["answers"][0][name].as_u64().unwrap())
}

#[test]
fn counts_are_those_of_the_library() {
    let (mut desk, scene) = (Desk::open(), scene());
    let now = scene.now();
    let ridge = scene.object_named("ridge").unwrap();
    let crate_box = scene.object_named("crate").unwrap();
    let standing = ViewshedQuery::standing([2.5, 8.25]);
    let at = ViewshedQuery::at(Vec3::new(11.0, 4.5, 3.0));
    let first_layer = QueryFilter::new().layers(1);
    let passing = [crate_box];
    for (question, options, query, filter) in [
        (
            json!({"x": 2.5, "z": 8.25}),
            json!({"above": 1.5}),
            standing.with_above(1.5).unwrap(),
            QueryFilter::new(),
        ),
        (
            json!({"x": 2.5, "z": 8.25, "mask": 1}),
            json!({"above": 1.5, "target_above": 0.5, "terrain": "ridge"}),
            standing
                .with_above(1.5)
                .and_then(|query| query.with_target_above(0.5))
                .unwrap(),
            first_layer,
        ),
        (
            json!({"x": 11, "y": 4.5, "z": 3, "ignore": "crate"}),
            json!({"max_distance": 6}),
            at.with_max_distance(6.0).unwrap(),
            QueryFilter::new().exclude(&passing),
        ),
    ] {
        let found = answer(&mut desk, 3, &question, &options);
        let expected = now.viewshed(ridge, &query, filter).unwrap();
        let kinds = [Visibility::Visible, Visibility::Hidden, Visibility::Outside];
        let expected = kinds.map(|kind| expected.count(kind) as u64);
        assert_eq!(counts(&found), expected, "{question}: {found}");
        assert!(expected[0] > 5 && expected[1] > 5, "{expected:?}");
        let first = &found["answers"][0];
        // A sample covers a square metre.
        assert_eq!(first["area"], json!(expected[0] as f64));
        let share = expected[0] as f64 / (expected[0] + expected[1]) as f64;
        assert_eq!(
            (&first["share"], &first["object"]),
            (&json!(share), &json!("ridge"))
        );
        assert!(found["sentence"].as_str().unwrap().contains("of ridge"));
    }
    let off = answer(&mut desk, 3, &json!({"x": -5, "z": 2}), &json!({}));
    assert_eq!(off["answers"][0], json!({"status": "outside"}));
    let hole = answer(&mut desk, 3, &json!({"x": 15, "z": 15}), &json!({}));
    assert_eq!(hole["answers"][0], json!({"status": "hole"}));
}

#[test]
fn curvature_is_of_terrain_alone() {
    let mut desk = Desk::open();
    let question = json!({"x": 2.5, "z": 8.25});
    let options = json!({"above": 0.2, "curvature": true, "earth_radius": 40});
    let refused = answer(&mut desk, 3, &question, &options);
    assert!(
        refused["invalid"].as_str().unwrap().contains("`ignore`"),
        "{refused}"
    );
    let names: Vec<String> = scene()
        .object_names()
        .filter(|name| *name != "ridge")
        .map(str::to_owned)
        .collect();
    let ignore = hitscan_ask::ignore_field(names.iter().map(String::as_str));
    let alone = json!({"x": 2.5, "z": 8.25, "ignore": ignore});
    let flat = counts(&answer(&mut desk, 3, &alone, &json!({"above": 0.2})));
    let round = counts(&answer(&mut desk, 3, &alone, &options));
    assert!(round[0] < flat[0], "{round:?} of {flat:?}");
}

#[test]
fn what_cannot_be_asked_is_refused_by_its_name() {
    let mut desk = Desk::open();
    let at = json!({"x": 2, "z": 8});
    for (question, options, field) in [
        (&at, json!({"above": "high"}), "options.above"),
        (&at, json!({"max_distance": -1}), "options.max_distance"),
        (&at, json!({"refraction": 0.13}), "options.refraction"),
        (&at, json!({"terrain": "ridgf"}), "options.terrain"),
        (&at, json!({"sides": "front"}), "options.sides"),
        (&json!({"x": 2}), json!({}), "question"),
        (&json!({"x": 2, "z": 8, "w": 1}), json!({}), "question.w"),
    ] {
        let refused = answer(&mut desk, 3, question, &options);
        assert_eq!(
            (&refused["type"], &refused["field"]),
            (&json!("refused"), &json!(field))
        );
    }
    let pixel = json!({"type": "ask", "id": 3, "tool": "viewshed", "frame": 1, "pixel": [2, 2]});
    assert_eq!(desk.ask(&pixel.to_string())["field"], "pixel");
    // There is nothing to explain.
    answer(&mut desk, 8, &at, &json!({}));
    let explain = json!({"type": "explain", "id": 9, "ask": 8}).to_string();
    assert_eq!(desk.ask(&explain)["field"], "ask");
}

/// The picture of a view of the ridge, tinted by this ask.
fn picture(desk: &mut Desk, number: u32, viewshed: Option<u32>) -> Vec<u8> {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["view"] = json!(number);
    if let Some(ask) = viewshed {
        view["viewshed"] = json!(ask);
    }
    desk.text(PAGE, &view.to_string());
    desk.cast();
    let frames = desk.take().into_iter();
    let mut frames = frames.filter_map(|sent| match sent {
        Sent::Frame(_, header, picture) => Some((header, picture)),
        _ => None,
    });
    let (header, picture) = frames.next().unwrap();
    assert_eq!(header.view, number);
    let shown = json!({"type": "shown", "id": 5, "frame": header.frame});
    desk.text(PAGE, &shown.to_string());
    picture
}

#[test]
fn views_tint_the_ground_by_an_answered_ask_that_is_kept() {
    let mut desk = Desk::open();
    let eye = |z: u32| json!({"x": 2.5, "z": z});
    let above = json!({"above": 1.5});
    let plain = picture(&mut desk, 1, None);
    answer(&mut desk, 20, &eye(8), &above);
    let tinted = picture(&mut desk, 2, Some(20));
    assert_ne!(tinted, plain);
    assert_eq!(picture(&mut desk, 3, Some(20)), tinted);
    assert_eq!(picture(&mut desk, 4, None), plain);
    // What was never asked, and what has no answer, tints nothing.
    assert_eq!(picture(&mut desk, 5, Some(19)), plain);
    answer(&mut desk, 21, &json!({"x": -9, "z": 0}), &above);
    assert_eq!(picture(&mut desk, 6, Some(21)), plain);
    // The last ones are kept.
    let last = 21 + u32::try_from(limits::VIEWSHEDS_KEPT).unwrap();
    for id in 22..=last {
        answer(&mut desk, id, &eye(id - 20), &above);
    }
    assert_eq!(picture(&mut desk, 7, Some(20)), plain);
    assert_ne!(picture(&mut desk, 8, Some(22)), plain);
    // A scene that is read anew has none.
    desk.event(Event::Loaded(loaded()));
    desk.take();
    assert_eq!(picture(&mut desk, 1, Some(last)), plain);
}

#[test]
fn what_the_view_hides_does_not_hide_the_ground() {
    let mut desk = Desk::open();
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["hide"] = json!(["plank", "crate"]);
    desk.text(PAGE, &view.to_string());
    desk.cast();
    desk.take();
    let question = json!({"x": 11, "y": 3, "z": 3, "ignore": "flag"});
    let found = answer(&mut desk, 3, &question, &json!({}));
    assert_eq!(found["question"]["ignore"], "flag;plank;crate");
    let inside = json!({"x": 11, "y": 3, "z": 3});
    let mut own = Desk::open();
    let hidden = answer(&mut own, 3, &inside, &json!({}));
    // Within the crate nothing is seen.
    assert!(
        counts(&found)[0] > 10 && counts(&hidden)[0] == 0,
        "{found} {hidden}"
    );
}
