//! Refusals of messages, each by its limit, and the order of messages.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::scene::loaded;
use hitscan_view::limits;
use hitscan_view::viewer::{Action, Deadline, Event, PageId, Viewer, ViewerOptions};
use serde_json::{Value, json};

/// The refusal of a message: its field and its limit.
fn refusal(desk: &mut Desk, message: &Value) -> (String, Option<String>) {
    let answer = desk.ask(&message.to_string());
    assert_eq!(answer["type"], "refused", "{message}: {answer}");
    assert_eq!(answer["id"], message["id"]);
    let text = |name: &str| answer[name].as_str().map(str::to_owned);
    assert!(text("found").is_some() && text("expected").is_some());
    (text("field").unwrap(), text("limit"))
}

#[test]
fn views_are_refused_by_their_fields() {
    let mut desk = Desk::open();
    let view: Value = serde_json::from_str(VIEW).unwrap();
    let with = |name: &str, value: Value| {
        let mut changed = view.clone();
        changed[name] = value;
        changed
    };
    let camera = |name: &str, value: Value| {
        let mut changed = view.clone();
        changed["camera"][name] = value;
        changed
    };
    for (message, field) in [
        (json!({"type": "wave", "id": 3}), "type"),
        (json!({"type": "ping", "id": 3, "loud": true}), "loud"),
        (json!({"type": "shown", "id": 3, "frame": 1.5}), "frame"),
        (json!({"type": "shown", "id": 3, "frame": 99}), "frame"),
        (json!({"type": "explain", "id": 3, "ask": 77}), "ask"),
        (
            json!({"type": "visible", "id": 3, "frame": 1, "points": []}),
            "frame",
        ),
        (
            json!({"type": "overlay", "id": 3, "boxes": "bounds", "object": "ghost"}),
            "object",
        ),
        (
            json!({"type": "overlay", "id": 3, "boxes": "round"}),
            "boxes",
        ),
        (with("size", json!([0, 5])), "size"),
        (with("size", json!([5])), "size"),
        (with("mode", json!("xray")), "mode"),
        (with("now_ms", json!(-1)), "now_ms"),
        (with("hide", json!(["ridge", "ghost"])), "hide[1]"),
        (with("layers", json!(4_294_967_296_u64)), "layers"),
        (
            with(
                "poses",
                json!([{"object": "crate", "clip": "Lift", "time": 0}]),
            ),
            "poses[0].object",
        ),
        (
            with(
                "poses",
                json!([{"object": "flag", "clip": "Jump", "time": 0}]),
            ),
            "poses[0].clip",
        ),
        (
            with("poses", json!([{"object": "flag", "clip": "Lift"}])),
            "poses[0].time",
        ),
        (
            with(
                "poses",
                json!([{"object": "flag", "clip": "Lift", "time": 0, "blend": {"clip": "Slide", "time": 0, "weight": 2}}]),
            ),
            "poses[0].blend.weight",
        ),
        (camera("fov", json!(180)), "camera.fov"),
        (camera("eye", json!([0, "up", 0])), "camera.eye[1]"),
        (camera("eye", json!([8, 2, 8])), "camera"),
        (camera("roll", json!(1)), "camera.roll"),
    ] {
        assert_eq!(refusal(&mut desk, &message).0, field, "{message}");
    }
    // Nothing of that has moved the world or the view's number.
    desk.text(PAGE, VIEW);
    desk.cast();
    assert_eq!(desk.frames().len(), 1);
    assert_eq!(refusal(&mut desk, &view).0, "view");
    assert_eq!(refusal(&mut desk, &with("view", json!(0))).0, "view");
    let mut earlier = with("view", json!(2));
    earlier["now_ms"] = json!(999);
    assert_eq!(refusal(&mut desk, &earlier).0, "now_ms");
}

#[test]
fn questions_are_refused_by_their_fields() {
    let mut desk = Desk::open();
    let ask = |tool: &str, question: Value, options: Value| json!({"type": "ask", "id": 3, "tool": tool, "question": question, "options": options});
    let ray = json!({"ox": 0, "oy": 0, "oz": 0, "dx": 1, "dy": 0, "dz": 0});
    for (message, field) in [
        (ask("dig", ray.clone(), json!({})), "tool"),
        (
            ask("ray", ray.clone(), json!({"hits": "most"})),
            "options.hits",
        ),
        (
            ask("ray", ray.clone(), json!({"radius": 1})),
            "options.radius",
        ),
        (
            ask(
                "ray",
                ray.clone(),
                json!({"hits": "all", "method": "march"}),
            ),
            "options.hits",
        ),
        (
            ask("height", json!({"x": 0, "z": 0}), json!({"method": "max"})),
            "options.radius",
        ),
        (
            ask(
                "sweep",
                json!({}),
                json!({"initial_overlap": "stop", "overlaps": "stop"}),
            ),
            "options.overlaps",
        ),
        (ask("ray", json!({"ox": 0}), json!({})), "question"),
        (
            ask(
                "ray",
                json!({"ox": 0, "oy": 0, "oz": 0, "dx": 1, "dy": 0, "dz": 0, "pace": 3}),
                json!({}),
            ),
            "question.pace",
        ),
        (ask("ray", json!({"ox": [1]}), json!({})), "question.ox"),
        (json!({"type": "ask", "id": 3, "tool": "ray"}), "question"),
        (
            json!({"type": "ask", "id": 3, "tool": "ray", "frame": 4, "pixel": [0, 0]}),
            "frame",
        ),
        (
            json!({"type": "ask", "id": 3, "tool": "sweep", "frame": 4, "pixel": [0, 0]}),
            "pixel",
        ),
    ] {
        assert_eq!(refusal(&mut desk, &message).0, field, "{message}");
    }
    // A question that is no question is an answer: the command writes a row for it.
    let zero = json!({"ox": 0, "oy": 0, "oz": 0, "dx": 0, "dy": 0, "dz": 0});
    let answer = desk.ask(&ask("ray", zero, json!({})).to_string());
    assert_eq!(answer["answers"][0]["status"], "invalid");
    assert!(answer["invalid"].is_string());
}

#[test]
fn limits_are_refused_by_their_names() {
    let mut desk = Desk::open();
    desk.text(PAGE, VIEW);
    desk.cast();
    desk.take();
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["view"] = json!(2);
    for (size, is_refused) in [
        ([2560, 1440], false),
        ([2560, 1441], true),
        ([70_000, 1], true),
    ] {
        view["size"] = json!(size);
        if is_refused {
            assert_eq!(
                refusal(&mut desk, &view),
                ("size".to_owned(), Some("FRAME_RAYS".to_owned()))
            );
        }
    }
    let points = vec![[0, 0, 0]; limits::VISIBLE_POINTS + 1];
    let points = json!({"type": "visible", "id": 4, "frame": 1, "points": points});
    assert_eq!(
        refusal(&mut desk, &points).1.as_deref(),
        Some("VISIBLE_POINTS")
    );
    let old = json!({"type": "ask", "id": 4, "tool": "height", "question": {"x": 0, "z": 0}, "as_of_ms": limits::HISTORY_MS + 1});
    assert_eq!(refusal(&mut desk, &old).1.as_deref(), Some("HISTORY_MS"));
}

#[test]
fn sixteen_questions_are_open_and_no_more() {
    let mut viewer = Viewer::new(ViewerOptions::default());
    let _ = viewer.handle(Event::Loaded(loaded()));
    let _ = viewer.handle(Event::Opened(PAGE));
    let _ = viewer.handle(Event::Text(PAGE, r#"{"type": "hello", "id": 1}"#));
    let mut open = Vec::new();
    let ask = |id: usize| json!({"type": "ask", "id": id, "tool": "height", "question": {"x": 1, "z": 1}});
    for id in 1..=limits::ASKS_IN_FLIGHT {
        let actions = viewer.handle(Event::Text(PAGE, &ask(id).to_string()));
        let [Action::Answer(job)] = <[Action; 1]>::try_from(actions).unwrap() else {
            panic!("a question is answered by a job");
        };
        open.push(job);
    }
    let refused = format!(
        "{:?}",
        viewer.handle(Event::Text(PAGE, &ask(99).to_string()))
    );
    assert!(refused.contains("ASKS_IN_FLIGHT"), "{refused}");
    let answered = open.remove(3).answer(&|| 0);
    let actions = viewer.handle(Event::Answered(answered));
    let [Action::Send(..), Action::Answer(timing)] = <[Action; 2]>::try_from(actions).unwrap()
    else {
        panic!("an answer is sent, and timed then");
    };
    // It is answered before it is timed, and once.
    let actions = viewer.handle(Event::Text(PAGE, &ask(99).to_string()));
    assert!(matches!(actions[..], [Action::Answer(_)]));
    let timed = viewer.handle(Event::Answered(timing.answer(&|| 0)));
    assert!(matches!(timed[..], [Action::Send(..)]));
    let refused = format!(
        "{:?}",
        viewer.handle(Event::Text(PAGE, &ask(100).to_string()))
    );
    assert!(refused.contains("ASKS_IN_FLIGHT"), "{refused}");
}

#[test]
fn what_is_not_the_protocol_ends_the_connection() {
    for message in [
        "",
        "7",
        "[]",
        "{}",
        "{\"type\": \"ping\"}",
        "{\"id\": 1}",
        "nonsense",
        "{\"type\": \"ping\", \"id\": 0}",
    ] {
        let mut desk = Desk::open();
        desk.text(PAGE, message);
        assert_eq!(
            desk.take(),
            [Sent::Close(PAGE, 1008, "protocol")],
            "{message}"
        );
        // It is gone: nothing more is said to it.
        desk.text(PAGE, r#"{"type": "ping", "id": 5}"#);
        assert!(desk.take().is_empty());
    }
    let mut desk = Desk::open();
    let long = format!(
        "{{\"type\": \"ping\", \"id\": 1}}{}",
        " ".repeat(limits::CONTROL_BYTES)
    );
    desk.text(PAGE, &long);
    assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "CONTROL_BYTES")]);
    let mut desk = Desk::open();
    desk.event(Event::Binary(PAGE, &vec![0; limits::TABLE_BYTES + 1]));
    assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "TABLE_BYTES")]);
    let mut desk = Desk::open();
    desk.event(Event::Binary(PAGE, &[255; 3]));
    assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "protocol")]);
}

#[test]
fn hello_comes_first_once_and_in_time() {
    let hello = r#"{"type": "hello", "id": 1}"#;
    for (before, message) in [(None, r#"{"type": "ping", "id": 1}"#), (Some(hello), hello)] {
        let mut desk = Desk::empty();
        desk.event(Event::Loaded(loaded()));
        desk.event(Event::Opened(PAGE));
        if let Some(before) = before {
            desk.text(PAGE, before);
            desk.take();
        }
        desk.text(PAGE, message);
        assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "protocol")]);
    }
    let mut desk = Desk::empty();
    desk.event(Event::Opened(PAGE));
    desk.event(Event::Overdue(PAGE, Deadline::Hello));
    assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "HELLO_SECS")]);
    let mut desk = Desk::open();
    desk.event(Event::Overdue(PAGE, Deadline::Hello));
    assert!(desk.take().is_empty());
    desk.event(Event::Overdue(PAGE, Deadline::Silence));
    assert_eq!(desk.take(), [Sent::Close(PAGE, 1008, "SILENT_SECS")]);
}

#[test]
fn a_key_is_asked_for_where_there_is_one() {
    for (sent, is_right) in [
        (json!("secret"), true),
        (json!("secreT"), false),
        (json!("secret2"), false),
        (Value::Null, false),
    ] {
        let options = ViewerOptions {
            key: Some("secret".to_owned()),
            threads: 1,
        };
        let mut viewer = Viewer::new(options);
        let _ = viewer.handle(Event::Loaded(loaded()));
        let _ = viewer.handle(Event::Opened(PAGE));
        let mut hello = json!({"type": "hello", "id": 1});
        if !sent.is_null() {
            hello["key"] = sent;
        }
        let actions = viewer.handle(Event::Text(PAGE, &hello.to_string()));
        let is_scene =
            matches!(&actions[..], [Action::Send(_, text)] if text.contains("\"type\":\"scene\""));
        let is_closed = matches!(
            actions[..],
            [Action::Send(..), Action::Close(_, 1008, "key")]
        );
        assert_eq!((is_scene, is_closed), (is_right, !is_right));
    }
}

#[test]
fn one_page_too_many_is_told_so() {
    let mut desk = Desk::empty();
    for page in 0..limits::PAGES as u64 {
        desk.event(Event::Opened(PageId(page)));
    }
    assert!(desk.take().is_empty());
    desk.event(Event::Opened(PageId(99)));
    let sent = desk.take();
    assert!(matches!(&sent[0], Sent::Text(PageId(99), text) if text.contains("PAGES")));
    assert_eq!(sent[1], Sent::Close(PageId(99), 1008, "PAGES"));
    desk.event(Event::Closed(PageId(0)));
    desk.event(Event::Opened(PageId(100)));
    assert!(desk.take().is_empty());
}

#[test]
fn pages_see_how_far_the_scene_is_and_why_there_is_none() {
    let mut desk = Desk::empty();
    desk.event(Event::Opened(PAGE));
    desk.event(Event::Loading {
        file: Some("a.tif".to_owned()),
        done: 0.5,
    });
    desk.text(PAGE, r#"{"type": "hello", "id": 1}"#);
    desk.text(PAGE, VIEW);
    desk.event(Event::Failed("a.tif: it is cut off".to_owned()));
    desk.event(Event::Loaded(loaded()));
    desk.event(Event::Failed("a.tif: it is gone".to_owned()));
    let types: Vec<String> = desk
        .take()
        .iter()
        .map(|sent| match sent {
            Sent::Text(_, text) => {
                let message: Value = serde_json::from_str(text).unwrap();
                let keeps = message["keeps"]
                    .as_bool()
                    .map_or(String::new(), |keeps| format!(" {keeps}"));
                format!("{}{keeps}", message["type"].as_str().unwrap())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        types,
        ["loading", "refused", "failed false", "scene", "failed true"]
    );
    desk.text(PAGE, r#"{"type": "reload", "id": 2}"#);
    desk.event(Event::Ending);
    let sent = desk.take();
    assert_eq!(
        (&sent[0], &sent[2]),
        (&Sent::Reload, &Sent::Close(PAGE, 1001, "the program ends"))
    );
}
