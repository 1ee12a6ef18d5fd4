//! Questions on the server: a page is heard while one of its own is answered, and ends it.

use crate::{Heard, Page, Served};
use hitscan_view::{Loaded, Settings, limits};
use serde_json::{Value, json};

/// Two plains of 500 x 500 squares in one place: to query which triangles intersect takes far longer than
/// anything else here.
fn plains() -> Loaded {
    let folder = tempfile::tempdir().unwrap();
    let map = format!(
        "ncols 501\nnrows 501\nxllcorner 0\nyllcorner 0\ncellsize 1\n{}",
        format!("{}\n", "0 ".repeat(501)).repeat(501)
    );
    std::fs::write(folder.path().join("map.asc"), map).unwrap();
    let path = folder.path().join("plains.toml");
    let terrain = "[[terrain]]\nheights = 'map.asc'\nspacing = 1\n";
    std::fs::write(&path, terrain.repeat(2)).unwrap();
    let scene = hitscan_assets::load_scene(&path).unwrap();
    crate::of_scene(scene)
}

fn slow(id: usize) -> String {
    let options = json!({"exact": true});
    json!({"type": "ask", "id": id, "tool": "overlap", "question": {}, "options": options})
        .to_string()
}

fn text(page: &mut Page) -> Value {
    loop {
        if let Heard::Text(message) = page.hear()
            && message["type"] != "timed"
        {
            return message;
        }
    }
}

#[test]
fn a_page_is_heard_while_its_questions_run_and_cancels_them() {
    let served = Served::with(Settings::default(), Box::new(|_| Ok(plains())));
    let mut page = served.page();
    for id in 0..limits::ASKS_AT_ONCE + 2 {
        page.say(&slow(10 + id));
    }
    // A quick one overtakes them.
    let ray = json!({"ox": 9, "oy": 9, "oz": 9, "dx": 0, "dy": -1, "dz": 0});
    page.say(&json!({"type": "ask", "id": 30, "tool": "ray", "question": ray}).to_string());
    page.say(r#"{"type": "ping", "id": 31}"#);
    let (answer, pong) = (text(&mut page), text(&mut page));
    assert_eq!(
        (&answer["type"], &answer["id"]),
        (&"answer".into(), &30.into())
    );
    assert_eq!((&pong["type"], &pong["id"]), (&"pong".into(), &31.into()));
    for id in 0..limits::ASKS_AT_ONCE + 2 {
        page.say(&json!({"type": "cancel", "id": 40 + id, "ask": 10 + id}).to_string());
        let cancelled = text(&mut page);
        assert_eq!(cancelled, json!({"type": "cancelled", "id": 10 + id}));
    }
    // Their threads are free: another that is not quick is answered.
    let sweep = json!({"min_x": 8, "min_y": 8, "min_z": 8, "max_x": 9, "max_y": 9, "max_z": 9, "dx": 0, "dy": -99, "dz": 0});
    page.say(&json!({"type": "ask", "id": 60, "tool": "sweep", "question": sweep}).to_string());
    let answer = text(&mut page);
    assert_eq!(
        (&answer["type"], &answer["id"]),
        (&"answer".into(), &60.into())
    );
}
