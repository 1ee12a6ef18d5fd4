//! The golden messages in `messages/`: what the viewer writes is what is stored there, and what is stored
//! there it reads. Pages' tests read the same files.
//!
//! `HITSCAN_RENEW_MESSAGES=1` writes them anew.

use crate::desk::{Desk, PAGE, Sent};
use crate::scene::loaded;
use hitscan_view::protocol::{
    ChangedTiles, FrameCodec, FrameHeader, FramePart, Request, TableRequest,
};
use hitscan_view::viewer::{Event, PageId};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What the page says, in this order, and the file of each.
const FROM_PAGE: [(&str, &str); 33] = [
    ("hello", r#"{"type": "hello", "id": 1}"#),
    ("ping", r#"{"type": "ping", "id": 2}"#),
    (
        "view",
        r#"{"type": "view", "id": 3, "view": 1, "size": [48, 32], "camera": {"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40, "projection": "perspective"},
 "mode": "picture", "moving": true, "now_ms": 1000}"#,
    ),
    ("shown", r#"{"type": "shown", "id": 4, "frame": 1}"#),
    (
        "view_posed",
        r#"{"type": "view", "id": 5, "view": 2, "size": [31, 17], "camera": {"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40, "projection": "orthographic"},
 "mode": "cost", "moving": false, "now_ms": 1500, "poses": [{"object": "flag", "clip": "Lift", "time": 0.5, "blend": {"clip": "Slide", "time": 1, "weight": 0.25}}],
 "hide": ["crate"], "layers": 3, "outline": true}"#,
    ),
    (
        "ask_ray",
        r#"{"type": "ask", "id": 6, "tool": "ray", "question": {"ox": 1, "oy": 2.9, "oz": 8.3, "dx": 1, "dy": 0, "dz": 0}, "options": {"hits": "all"}}"#,
    ),
    (
        "ask_pixel",
        r#"{"type": "ask", "id": 7, "tool": "ray", "frame": 1, "pixel": [24, 16]}"#,
    ),
    (
        "ask_sweep",
        r#"{"type": "ask", "id": 8, "tool": "sweep", "question": {"cx": 4, "cy": 12, "cz": 4, "radius": 0.5, "dx": 0, "dy": -9, "dz": 0}, "options": {"shape": "sphere", "contact": true}}"#,
    ),
    (
        "ask_height",
        r#"{"type": "ask", "id": 9, "tool": "height", "question": {"x": 8, "z": 8}, "options": {"method": "mean", "radius": 1.5}}"#,
    ),
    (
        "ask_overlap",
        r#"{"type": "ask", "id": 10, "tool": "overlap", "question": {"min_x": 1, "min_y": 0.5, "min_z": 1, "max_x": 2, "max_y": 2, "max_z": 2}, "options": {"each": "object"}}"#,
    ),
    (
        "ask_closest",
        r#"{"type": "ask", "id": 11, "tool": "closest", "question": {"px": 4, "py": 8, "pz": 4, "max_distance": 10}, "as_of_ms": 100}"#,
    ),
    (
        "ask_arc",
        r#"{"type": "ask", "id": 12, "tool": "arc", "question": {"ox": 4, "oy": 9, "oz": 12, "vx": -2, "vy": 0, "vz": 0}}"#,
    ),
    (
        "ask_sight",
        r#"{"type": "ask", "id": 21, "tool": "sight", "question": {"x": 1, "y": 2.9, "z": 8.3, "target_x": 12, "target_y": 2.9, "target_z": 8.3}, "options": {"blocker": true}}"#,
    ),
    (
        "ask_viewshed",
        r#"{"type": "ask", "id": 22, "tool": "viewshed", "question": {"x": 2.5, "z": 8.25}, "options": {"above": 1.5, "terrain": "ridge"}}"#,
    ),
    (
        "ask_pairs",
        r#"{"type": "ask", "id": 19, "tool": "overlap", "question": {}}"#,
    ),
    (
        "ask_pairs_exact",
        r#"{"type": "ask", "id": 20, "tool": "overlap", "question": {}, "options": {"exact": true}}"#,
    ),
    (
        "ask_turning",
        r#"{"type": "ask", "id": 32, "tool": "sweep", "question": {"cx": 4, "cy": 9, "cz": 4, "radius": 0.5, "dx": 0, "dy": 0, "dz": 0, "axis_z": 1, "angle": 3, "pivot_x": 4, "pivot_y": 7.5, "pivot_z": 4}, "options": {"shape": "sphere", "turning": true}}"#,
    ),
    (
        "ask_object",
        r#"{"type": "ask", "id": 33, "tool": "sweep", "question": {"mover": "flag", "dx": 4, "dy": 0, "dz": 4}, "options": {"object": true}}"#,
    ),
    (
        "ask_distance",
        r#"{"type": "ask", "id": 34, "tool": "distance", "question": {"object_a": "flag", "object_b": "plank"}}"#,
    ),
    (
        "wireframe",
        r#"{"type": "wireframe", "id": 35, "object": "capsule0"}"#,
    ),
    ("explain", r#"{"type": "explain", "id": 13, "ask": 6}"#),
    (
        "explain_expect",
        r#"{"type": "explain", "id": 21, "ask": 6, "expect": "plank"}"#,
    ),
    ("cancel", r#"{"type": "cancel", "id": 25, "ask": 24}"#),
    (
        "visible",
        r#"{"type": "visible", "id": 14, "frame": 1, "points": [[4, 5, 4], [8, 40, 8]]}"#,
    ),
    (
        "overlay",
        r#"{"type": "overlay", "id": 15, "boxes": "bounds"}"#,
    ),
    (
        "view_viewshed",
        r#"{"type": "view", "id": 23, "view": 3, "size": [16, 9], "camera": {"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40},
 "mode": "picture", "moving": true, "now_ms": 1600, "viewshed": 22}"#,
    ),
    (
        "view_sending",
        r#"{"type": "view", "id": 28, "view": 4, "size": [16, 9], "camera": {"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40},
 "mode": "picture", "moving": true, "now_ms": 1700, "sending": true}"#,
    ),
    (
        "shown_took",
        r#"{"type": "shown", "id": 29, "frame": 4, "took_us": 12500}"#,
    ),
    ("refused", r#"{"type": "shown", "id": 16, "frame": 99}"#),
    ("reload", r#"{"type": "reload", "id": 17}"#),
    (
        "view_partial",
        r#"{"type": "view", "id": 26, "view": 5, "size": [160, 100], "camera": {"eye": [20, 12, 26], "look": [8, 9, 8], "fov": 40, "projection": "perspective"},
 "mode": "picture", "moving": false, "now_ms": 2000, "partial": true}"#,
    ),
    (
        "view_parts",
        r#"{"type": "view", "id": 30, "view": 6, "size": [160, 100], "camera": {"eye": [20, 12, 26], "look": [8, 9, 8], "fov": 40, "projection": "perspective"},
 "mode": "picture", "moving": false, "now_ms": 2500, "parts": true}"#,
    ),
    (
        "received",
        r#"{"type": "received", "id": 31, "frame": 11, "end": 4096, "took_us": 400000}"#,
    ),
];

/// What the server says, each at least once, by the beginnings of the files' names.
const FROM_SERVER: [&str; 26] = [
    "loading",
    "scene",
    "cast",
    "sending",
    "failed",
    "answer_ray",
    "answer_viewshed",
    "answer_pairs",
    "answer_pairs_exact",
    "timed_ray",
    "explanation",
    "explanation_expect",
    "cancelled",
    "visible",
    "overlay",
    "wireframe",
    "answer_object",
    "answer_distance",
    "table",
    "refused",
    "pong",
    "frame_picture",
    "frame_cost",
    "frame_tiles",
    "frame_part",
    "bye",
];

/// A table of answers, one of which is wrong.
const TABLE: &[u8] = b"x,z,status,height,object\n2,2,ok,1,ridge\n8,8,ok,3.5,ridge\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("messages")
}

/// Compares a file with what it should hold, or writes it.
fn check(name: &str, bytes: &[u8]) {
    let path = folder().join(name);
    if std::env::var_os("HITSCAN_RENEW_MESSAGES").is_some() {
        std::fs::write(&path, bytes).unwrap();
    }
    let found = std::fs::read(&path).unwrap_or_default();
    let renew = "HITSCAN_RENEW_MESSAGES=1 cargo test -p hitscan-view golden writes it anew";
    assert!(found == bytes, "messages/{name} differs; {renew}");
}

/// Compares a frame's header with that of a file, or writes the frame. What its pixels are is not
/// the protocol's.
fn check_frame(name: &str, header: FrameHeader, picture: &[u8]) {
    let path = folder().join(name);
    if std::env::var_os("HITSCAN_RENEW_MESSAGES").is_some() {
        std::fs::write(&path, header.before(picture)).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap_or_default();
    let (found, png) = FrameHeader::parse(&bytes).expect("it is a frame");
    assert_eq!(found, header, "messages/{name}");
    for body in [png, picture] {
        let png = match header.codec {
            FrameCodec::Png => body,
            FrameCodec::Tiles => ChangedTiles::parse(body).expect("it is of tiles").png,
            FrameCodec::Part => {
                let first = FramePart::parse(body).expect("it is a part").bytes;
                FrameHeader::parse(first).expect("it begins a frame").1
            }
        };
        assert!(png.starts_with(b"\x89PNG"), "messages/{name}");
    }
}

/// One line for each field, so that a change is seen in a diff.
fn pretty(text: &str) -> String {
    let message: Value = serde_json::from_str(text).unwrap();
    let fields = message.as_object().unwrap().iter();
    let lines: Vec<String> = fields
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Compares what was said with files, each answer with its own: a frame with its picture, a text with a line for
/// each field. Returns the files' names.
fn check_answers(answers: Vec<(String, Sent)>) -> Vec<String> {
    let mut names = Vec::new();
    for (name, sent) in answers {
        match sent {
            Sent::Text(_, text) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                let name = match message["type"].as_str().unwrap() {
                    kind @ ("answer" | "timed") => name.replace("ask", kind),
                    kind @ "explanation" => name.replace("explain", kind),
                    other => other.to_owned(),
                };
                let name = format!("server-{name}.json");
                // Of several views the first.
                if message["type"] == "cast" && names.contains(&name) {
                    continue;
                }
                check(&name, pretty(&text).as_bytes());
                names.push(name);
            }
            Sent::Frame(_, header, picture) => {
                let kind = match (header.is_cost, header.codec) {
                    (true, _) => "cost",
                    (false, FrameCodec::Png) => "picture",
                    (false, FrameCodec::Tiles) => "tiles",
                    (false, FrameCodec::Part) => "part",
                };
                let name = format!("server-frame_{kind}.bin");
                // Finer frames of a view follow the first.
                if !names.contains(&name) {
                    check_frame(&name, header, &picture);
                    names.push(name);
                }
            }
            Sent::Close(PageId(1), 1001, _) | Sent::Reload => {}
            other @ Sent::Close(..) => panic!("{other:?}"),
        }
    }
    names
}

#[test]
fn the_golden_messages_are_what_is_said() {
    let mut desk = Desk::empty();
    desk.event(Event::Opened(PAGE));
    let mut answers: Vec<(String, Sent)> = Vec::new();
    let mut took = |desk: &mut Desk, name: &str| {
        answers.extend(desk.take().into_iter().map(|sent| (name.to_owned(), sent)));
    };
    desk.event(Event::Failed(
        "scene.toml: there is no such file".to_owned(),
    ));
    for (name, text) in FROM_PAGE {
        check(&format!("page-{name}.json"), pretty(text).as_bytes());
        assert!(Request::parse(&pretty(text)).is_ok(), "{name}");
        if name == "cancel" {
            // What is not answered yet.
            let ask =
                r#"{"type": "ask", "id": 24, "tool": "height", "question": {"x": 1, "z": 1}}"#;
            drop(desk.viewer.handle(Event::Text(PAGE, ask)));
        }
        if name == "view_sending" {
            // The frames of the view before leave it room.
            desk.text(PAGE, r#"{"type": "shown", "id": 27, "frame": 3}"#);
        }
        if name == "view_parts" {
            // A line of 1 kB/s, or less.
            let shown = r#"{"type": "shown", "id": 27, "frame": 10, "took_us": 60000000}"#;
            desk.text(PAGE, shown);
        }
        desk.text(PAGE, text);
        desk.cast();
        if name == "hello" {
            took(&mut desk, "failed");
            desk.event(Event::Loading {
                file: Some("ridge.asc".to_owned()),
                done: 0.25,
            });
            took(&mut desk, "loading");
            desk.event(Event::Loaded(loaded()));
            took(&mut desk, "scene");
        }
        // All frames of the last view, each shown at once.
        while name == "view_partial"
            && let Some(Sent::Frame(_, header, _)) = desk.sent.last()
            && !header.is_finished
        {
            let shown = format!(
                r#"{{"type": "shown", "id": 23, "frame": {}}}"#,
                header.frame
            );
            took(&mut desk, name);
            desk.text(PAGE, &shown);
            desk.cast();
        }
        took(&mut desk, name);
    }
    let header = r#"{"type": "table", "id": 18, "name": "heights.csv", "tool": "height", "options": {"method": "exact"}}"#;
    let length = u32::try_from(header.len()).unwrap().to_le_bytes();
    let table = [&length[..], header.as_bytes(), TABLE].concat();
    check("page-table.bin", &table);
    assert!(TableRequest::parse(&table).is_ok());
    desk.event(Event::Binary(PAGE, &table));
    took(&mut desk, "table");
    desk.event(Event::Ending);
    took(&mut desk, "bye");
    let mut names = check_answers(answers);
    for kind in FROM_SERVER {
        assert!(
            names.iter().any(|name| name.contains(&format!("-{kind}"))),
            "{kind}: {names:?}"
        );
    }
    // Nothing else lies there.
    let from_page = FROM_PAGE
        .iter()
        .map(|(name, _)| format!("page-{name}.json"));
    names.extend(from_page.chain(["page-table.bin".to_owned()]));
    for file in std::fs::read_dir(folder()).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        assert!(
            names.contains(&file),
            "messages/{file} is no golden message"
        );
    }
}
