//! Bounds of the viewer: each of the limits on what is sent and kept.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use flate2::Compression;
use flate2::write::GzEncoder;
use hitscan_assets::load_scene_text;
use hitscan_view::limits;
use hitscan_view::protocol::SceneSource;
use hitscan_view::viewer::{Event, LoadedScene};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

fn view(number: u32, now_ms: u32) -> String {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["view"] = number.into();
    view["now_ms"] = now_ms.into();
    view["size"] = json!([1, 1]);
    let time = f64::from(number) / 1000.0;
    view["poses"] = json!([{"object": "flag", "clip": "Lift", "time": time}]);
    view.to_string()
}

/// Shows views from 1 to a number, a hundredth of a second apart.
fn show(desk: &mut Desk, views: u32) {
    for number in 1..=views {
        desk.text(PAGE, &view(number, number * 10));
        desk.cast();
        desk.text(
            PAGE,
            &json!({"type": "shown", "id": 9, "frame": number}).to_string(),
        );
    }
    desk.take();
}

#[test]
fn the_last_frames_can_be_clicked_on() {
    let mut desk = Desk::open();
    let kept = u32::try_from(limits::FRAMES_KEPT).unwrap();
    show(&mut desk, kept + 1);
    let click = |frame: u32| {
        json!({"type": "ask", "id": 3, "tool": "ray", "frame": frame, "pixel": [0, 0]}).to_string()
    };
    assert_eq!(desk.ask(&click(1))["field"], "frame");
    assert_eq!(desk.ask(&click(2))["type"], "answer");
    assert_eq!(desk.ask(&click(kept + 1))["type"], "answer");
}

#[test]
fn the_last_asks_can_be_explained() {
    let mut desk = Desk::open();
    for id in 1..=limits::ASKS_KEPT + 1 {
        let ask = json!({"type": "ask", "id": id, "tool": "height", "question": {"x": 1, "z": 1}});
        desk.ask(&ask.to_string());
    }
    let explain = |ask: usize| json!({"type": "explain", "id": 900, "ask": ask}).to_string();
    assert_eq!(desk.ask(&explain(1))["type"], "refused");
    assert_eq!(desk.ask(&explain(2))["type"], "explanation");
}

#[test]
fn so_much_of_the_past_is_kept() {
    let mut desk = Desk::open();
    let ticks = u32::try_from(limits::HISTORY_TICKS).unwrap();
    show(&mut desk, ticks + 40);
    // The flag's lower edge is at 4 m + 2 mm a view.
    let lowest = |desk: &mut Desk, ago_ms: u64| {
        let question = json!({"px": 8.5, "py": 0, "pz": 8, "ignore": "ridge"});
        let ask = json!({"type": "ask", "id": 3, "tool": "closest", "question": question, "as_of_ms": ago_ms});
        let answer = desk.ask(&ask.to_string());
        (answer["answers"][0]["y"].as_f64().unwrap() * 1000.0).round() as i64
    };
    assert_eq!(lowest(&mut desk, 0), 4000 + 2 * i64::from(ticks + 40));
    assert_eq!(lowest(&mut desk, 100), 4000 + 2 * i64::from(ticks + 30));
    // A second is a hundred views here, which are kept.
    assert_eq!(
        lowest(&mut desk, limits::HISTORY_MS),
        4000 + 2 * i64::from(ticks - 60)
    );
}

/// What answers a table.
fn answered(name: &str, file: &[u8]) -> Value {
    let mut desk = Desk::open();
    let header = json!({"type": "table", "id": 9, "name": name, "tool": "height"}).to_string();
    let length = u32::try_from(header.len()).unwrap().to_le_bytes();
    let message = [&length[..], header.as_bytes(), file].concat();
    desk.event(Event::Binary(PAGE, &message));
    match desk.take().as_slice() {
        [Sent::Text(PAGE, text)] => serde_json::from_str::<Value>(text).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn wide_tables_are_refused_by_name() {
    let table = |columns: usize, rows: usize| {
        let names = (2..columns).fold("x,z".to_owned(), |names, at| format!("{names},c{at}"));
        let row = format!("a,b{}\n", ",".repeat(columns - 2));
        format!("{names}\n{}", row.repeat(rows))
    };
    let most = limits::TABLE_COLUMNS;
    let wide = answered("a.csv", table(most, 3).as_bytes());
    assert_eq!((&wide["rows"], &wide["invalid"]), (&json!(3), &json!(3)));
    let refused = answered("a.csv", table(most + 1, 3).as_bytes());
    assert_eq!(refused["limit"], "TABLE_COLUMNS");

    // Ten million values have so many bytes at least, unless they are compressed.
    let rows = usize::try_from(limits::TABLE_VALUES).unwrap() / most + 1;
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(table(most, rows).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < limits::TABLE_BYTES / 50);
    let refused = answered("a.csv.gz", &packed);
    assert_eq!(refused["limit"], "TABLE_VALUES");
    let expected = "at most 10000000 values: 10000 rows of 1000 columns";
    assert_eq!(refused["expected"], expected);
}

#[test]
fn long_tables_are_cut_and_longer_ones_refused() {
    let send = |rows: u64| {
        // Rows that are no questions are answered soonest.
        let rows = b"a,b\n".repeat(usize::try_from(rows).unwrap());
        answered("a.csv", &[&b"x,z\n"[..], &rows].concat())
    };
    let shown = limits::TABLE_ROWS_SHOWN as u64;
    let cut = send(shown + 1);
    assert_eq!(
        (&cut["rows"], &cut["invalid"]),
        (&json!(shown + 1), &json!(shown + 1))
    );
    assert_eq!(cut["shown"].as_array().unwrap().len() as u64, shown);
    assert_eq!(send(limits::TABLE_ROWS + 1)["limit"], "TABLE_ROWS");
}

/// More spheres around one point than anything lists.
fn spheres() -> LoadedScene {
    let mut text = String::new();
    for index in 0..limits::SCENE_OBJECTS + 50 {
        let _ = write!(
            text,
            "[[sphere]]\ncenter = [{}.0, 0.0, 0.0]\nradius = 0.25\n",
            index
        );
    }
    LoadedScene {
        scene: load_scene_text(Path::new("spheres.toml"), &text).unwrap(),
        name: "spheres.toml".to_owned(),
        title: String::new(),
        notes: Vec::new(),
        source: SceneSource::default(),
    }
}

#[test]
fn long_lists_are_cut_with_their_count() {
    let mut desk = Desk::empty();
    desk.tick_ns = 1_000_000_000;
    desk.event(Event::Loaded(spheres()));
    desk.event(Event::Opened(PAGE));
    let all = limits::SCENE_OBJECTS + 50;
    let length = |list: &Value| list.as_array().unwrap().len();

    let scene = desk.ask(r#"{"type": "hello", "id": 1}"#);
    assert_eq!(
        (length(&scene["objects"]), &scene["objects_total"]),
        (limits::SCENE_OBJECTS, &json!(all))
    );

    let overlay = desk.ask(r#"{"type": "overlay", "id": 2, "boxes": "bounds"}"#);
    assert_eq!(length(&overlay["boxes"]), limits::OVERLAY_BOXES);
    assert_eq!(overlay["count"], limits::OVERLAY_BOXES + 1);

    let question = json!({"ox": -5, "oy": 0, "oz": 0, "dx": 1, "dy": 0, "dz": 0});
    let ask = json!({"type": "ask", "id": 3, "tool": "ray", "question": question, "options": {"hits": "all"}});
    let answer = desk.ask(&ask.to_string());
    assert_eq!(
        (length(&answer["answers"]), &answer["answers_total"]),
        (limits::ANSWERS, &json!(2 * all))
    );

    let beside = json!({"ox": -5, "oy": 0.3, "oz": 0, "dx": 1, "dy": 0, "dz": 0});
    let ask = json!({"type": "ask", "id": 4, "tool": "ray", "question": beside});
    assert_eq!(desk.ask(&ask.to_string())["answers"][0]["status"], "miss");
    let explained = desk.ask(r#"{"type": "explain", "id": 5, "ask": 4}"#);
    assert_eq!(
        (
            length(&explained["candidates"]),
            &explained["candidates_total"]
        ),
        (limits::CANDIDATES, &json!(all))
    );
    let visits = length(&explained["visits"]);
    assert!(visits <= limits::VISITS && explained["visit_count"].as_u64() >= Some(visits as u64));

    // A ray that looks into every box: each sphere is missed by a hair.
    let grazing = json!({"ox": -5, "oy": 0.2499, "oz": 0.2, "dx": 1, "dy": 0, "dz": 0});
    let ask = json!({"type": "ask", "id": 6, "tool": "ray", "question": grazing});
    assert_eq!(desk.ask(&ask.to_string())["answers"][0]["status"], "miss");
    let explained = desk.ask(r#"{"type": "explain", "id": 7, "ask": 6}"#);
    assert_eq!(length(&explained["visits"]), limits::VISITS);
    assert!(explained["visit_count"].as_u64().unwrap() > all as u64);
}
