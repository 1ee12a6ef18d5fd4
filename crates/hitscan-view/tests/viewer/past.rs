//! Worlds that questions query: what was shown a moment ago, and poses that a question states.

use crate::answers::ask;
use crate::desk::{Desk, PAGE, VIEW};
use serde_json::{Value, json};

#[test]
fn the_past_is_what_was_shown() {
    let mut desk = Desk::open();
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    for (number, now_ms, time) in [(1, 1000, 0.0), (2, 1500, 0.5), (3, 2000, 1.0)] {
        view["view"] = json!(number);
        view["now_ms"] = json!(now_ms);
        view["poses"] = json!([{"object": "flag", "clip": "Lift", "time": time}]);
        desk.text(PAGE, &view.to_string());
        desk.cast();
        desk.text(
            PAGE,
            &json!({"type": "shown", "id": 50, "frame": number}).to_string(),
        );
    }
    desk.take();
    // The flag's lower edge is at 4 m + 2 m a second: a ray at 5.5 m hits it until it is above.
    for (ago_ms, status) in [(0, "miss"), (400, "hit"), (500, "hit"), (1000, "hit")] {
        let mut ask: Value = serde_json::from_str(&ask(
            "ray",
            &json!({"ox": 8.25, "oy": 5.5, "oz": 20, "dx": 0, "dy": 0, "dz": -1, "t_max": 15}),
            &json!({}),
        ))
        .unwrap();
        ask["as_of_ms"] = json!(ago_ms);
        let answer = desk.ask(&ask.to_string());
        assert_eq!(answer["answers"][0]["status"], status, "{ago_ms} ms ago");

        // The same world, stated by the poses of the views that the answer names.
        let lifted = |number: u64| {
            let time = [0.0, 0.5, 1.0][usize::try_from(number).unwrap() - 1];
            json!([{"object": "flag", "clip": "Lift", "time": time}])
        };
        let view = answer["view"].as_u64().unwrap();
        ask["world"] = json!({"poses": lifted(view)});
        assert_eq!(answer["past"].is_object(), ago_ms == 400, "{answer}");
        if let Some(before) = answer["past"]["view"].as_u64() {
            ask["world"]["past"] = json!({
                "poses": lifted(before),
                "start": 500 + 500 * before,
                "end": 500 + 500 * view,
                "time": answer["past"]["time"],
            });
        }
        ask.as_object_mut().unwrap().remove("as_of_ms");
        let stated = desk.ask(&ask.to_string());
        for field in ["question", "answers", "bits", "lines"] {
            assert_eq!(stated[field], answer[field], "{ago_ms} ms ago: {field}");
        }
        assert_eq!(stated.get("view"), None);
    }
}

#[test]
fn worlds_that_are_no_worlds_are_refused() {
    let mut desk = Desk::open();
    let refused = |desk: &mut Desk, world: Value| {
        let question = json!({"x": 1, "z": 1});
        let ask =
            json!({"type": "ask", "id": 9, "tool": "height", "question": question, "world": world});
        desk.ask(&ask.to_string())["field"].clone()
    };
    let pose = |object: &str| json!([{"object": object, "clip": "Lift", "time": 0}]);
    let past = |start: u64, end: u64, time: u64| json!({"past": {"start": start, "end": end, "time": time}});
    assert_eq!(
        refused(&mut desk, json!({"poses": pose("nobody")})),
        "world.poses[0].object"
    );
    assert_eq!(refused(&mut desk, past(2, 1, 1)), "world.past.time");
    assert_eq!(refused(&mut desk, past(1, 2, 3)), "world.past.time");
    let mut nobody = past(1, 3, 2);
    nobody["past"]["poses"] = pose("nobody");
    assert_eq!(refused(&mut desk, nobody), "world.past.poses[0].object");
    let both = r#"{"type": "ask", "id": 9, "tool": "height", "question": {"x": 1, "z": 1}, "world": {}, "as_of_ms": 5}"#;
    assert_eq!(desk.ask(both)["field"], "as_of_ms");
}
