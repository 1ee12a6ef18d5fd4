//! Questions that cost too much or are not wanted any more: refused by a limit's name, or ended.

use crate::answers::{ask, send_file};
use crate::desk::{Desk, PAGE};
use hitscan_assets::load_scene_text;
use hitscan_view::limits;
use hitscan_view::protocol::SceneSource;
use hitscan_view::viewer::{Action, AskJob, Event, LoadedScene, PageId, Viewer};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::mpsc;

/// A mesh of `side * side` squares of a metre in the plane y = 0, and the scene of it.
fn plain(side: usize) -> LoadedScene {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for z in 0..=side {
        for x in 0..=side {
            writeln!(text, "v {x} 0 {z}").unwrap();
        }
    }
    for row in 0..side {
        for column in 0..side {
            let at = row * (side + 1) + column + 1;
            let [a, b, c, d] = [at, at + 1, at + side + 1, at + side + 2];
            writeln!(text, "f {a} {c} {b}\nf {b} {c} {d}").unwrap();
        }
    }
    std::fs::write(folder.path().join("plain.obj"), text).unwrap();
    scene(
        &folder.path().join("plain.toml"),
        "[[model]]\nname = 'plain'\nfile = 'plain.obj'\n",
    )
}

fn scene(path: &Path, text: &str) -> LoadedScene {
    LoadedScene {
        scene: load_scene_text(path, text).unwrap(),
        name: "plain.toml".to_owned(),
        title: String::new(),
        notes: Vec::new(),
        source: SceneSource::default(),
    }
}

/// A box from the corner of the plain on.
fn box_of(side: f64) -> Value {
    json!({"min_x": 0.5, "min_y": -1, "min_z": 0.5, "max_x": side, "max_y": 1, "max_z": side})
}

fn each_triangle(side: f64) -> String {
    ask("overlap", &box_of(side), &json!({"each": "triangle"}))
}

/// The header of a table of boxes.
fn of_triangles() -> Value {
    json!({"type": "table", "id": 9, "name": "a.csv", "tool": "overlap", "options": {"each": "triangle"}})
}

/// What a viewer wants done, split into jobs of questions and texts that are sent.
fn split(actions: Vec<Action>) -> (Vec<AskJob>, Vec<Value>) {
    let (mut jobs, mut texts) = (Vec::new(), Vec::new());
    for action in actions {
        match action {
            Action::Answer(job) => jobs.push(job),
            Action::Send(_, text) => texts.push(serde_json::from_str(&text).unwrap()),
            other => panic!("{other:?}"),
        }
    }
    (jobs, texts)
}

fn say(viewer: &mut Viewer, text: &str) -> (Vec<AskJob>, Vec<Value>) {
    split(viewer.handle(Event::Text(PAGE, text)))
}

#[test]
fn of_many_answers_the_first_are_shown_and_all_are_counted() {
    let mut desk = Desk::with(plain(60));
    let answer = desk.ask(&each_triangle(99.0));
    // The first row and column are half within, by all their triangles but the one in the corner.
    assert_eq!(answer["answers"].as_array().unwrap().len(), limits::ANSWERS);
    let total = answer["answers_total"].as_u64().unwrap();
    assert!((2 * 59 * 59..=2 * 60 * 60).contains(&total), "{total}");
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(
        sentence.ends_with(&format!("It is the first of {total}.")),
        "{sentence}"
    );
    // As many as in the table, of which a row has no more than a limit.
    let rows = format!(
        "min_x,min_y,min_z,max_x,max_y,max_z\n{}\n",
        "0.5,-1,0.5,99,1,99"
    );
    let table = send_file(&mut desk, &of_triangles(), rows.as_bytes());
    assert_eq!(
        (&table["type"], &table["rows"]),
        (&"table".into(), &json!(1))
    );
}

#[test]
fn a_row_of_a_table_has_so_many_answers() {
    let mut desk = Desk::with(plain(80));
    let rows = "min_x,min_y,min_z,max_x,max_y,max_z\n0.2,-1,0.2,0.7,1,0.7\n0,-1,0,80,1,80\n";
    let table = send_file(&mut desk, &of_triangles(), rows.as_bytes());
    assert_eq!(
        (&table["type"], &table["field"], &table["limit"]),
        (
            &"refused".into(),
            &"table.row 1".into(),
            &"TABLE_ANSWERS".into()
        )
    );
}

#[test]
fn what_looks_at_too_much_is_refused_by_name() {
    // 1,003,000 triangles.
    let heights = "0 ".repeat(709);
    let folder = tempfile::tempdir().unwrap();
    let map = format!(
        "ncols 709\nnrows 709\nxllcorner 0\nyllcorner 0\ncellsize 1\n{}",
        format!("{heights}\n").repeat(709)
    );
    std::fs::write(folder.path().join("map.asc"), map).unwrap();
    let terrain = "[[terrain]]\nname = 'map'\nheights = 'map.asc'\nspacing = 1\n";
    let mut desk = Desk::with(scene(&folder.path().join("map.toml"), terrain));
    let refused = desk.ask(&each_triangle(708.0));
    assert_eq!(
        (&refused["type"], &refused["field"], &refused["limit"]),
        (&"refused".into(), &"question".into(), &"STEPS".into())
    );
    assert!(
        refused["expected"]
            .as_str()
            .unwrap()
            .contains("smaller shape")
    );
    // A smaller one is answered; all of the map is for each object.
    assert_eq!(desk.ask(&each_triangle(90.0))["type"], "answer");
    let each = ask("overlap", &box_of(708.0), &json!({"each": "object"}));
    assert_eq!(desk.ask(&each)["answers"][0]["object"], "map");
}

#[test]
fn marches_in_tiny_steps_are_refused_and_so_is_why() {
    let folder = tempfile::tempdir().unwrap();
    // A bank along x; the ray goes from end to end within its bounds, and above it.
    let heights = format!("{}\n{}\n", "0 ".repeat(2000), "1 ".repeat(2000));
    let map = format!("ncols 2000\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n{heights}");
    std::fs::write(folder.path().join("map.asc"), map).unwrap();
    let terrain = "[[terrain]]\nname = 'map'\nheights = 'map.asc'\nspacing = 1\n";
    let mut desk = Desk::with(scene(&folder.path().join("map.toml"), terrain));
    let ray = json!({"ox": -5, "oy": 0.9, "oz": 0.5, "dx": 1, "dy": 0, "dz": 0});
    let march = |step: f64| ask("ray", &ray, &json!({"method": "march", "step": step}));
    let refused = desk.ask(&march(1e-9));
    let is_refused = |found: &Value, field: &str, limit: &str| {
        let expected = (&"refused".into(), &field.into(), &limit.into());
        assert_eq!((&found["type"], &found["field"], &found["limit"]), expected);
    };
    is_refused(&refused, "question", "STEPS");
    let id = serde_json::from_str::<Value>(&march(1e-9)).unwrap()["id"].clone();
    let explain = json!({"type": "explain", "id": 77, "ask": id}).to_string();
    is_refused(&desk.ask(&explain), "question", "STEPS");
    assert_eq!(
        desk.ask_timed(&march(0.01)).0["answers"][0]["status"],
        "miss"
    );
}

#[test]
fn a_cancelled_question_is_told_so_at_once_and_answered_by_nothing() {
    let mut desk = Desk::with(plain(10));
    let viewer = &mut desk.viewer;
    let (mut jobs, texts) = say(viewer, &each_triangle(9.0));
    assert_eq!((jobs.len(), texts.len()), (1, 0));
    let id = serde_json::from_str::<Value>(&each_triangle(9.0)).unwrap()["id"].clone();
    let cancel = json!({"type": "cancel", "id": 90, "ask": id}).to_string();
    let (none, texts) = say(viewer, &cancel);
    assert!(none.is_empty());
    assert_eq!(texts, [json!({"type": "cancelled", "id": id})]);
    // Once is enough, and what was not sent is not cancelled.
    assert!(say(viewer, &cancel).1.is_empty());
    let unknown = json!({"type": "cancel", "id": 91, "ask": 4_000_000});
    assert!(say(viewer, &unknown.to_string()).1.is_empty());
    let answered = jobs.remove(0).answer(&|| 0);
    assert!(viewer.handle(Event::Answered(answered)).is_empty());
    // The same question is answered anew.
    assert_eq!(desk.ask(&each_triangle(9.0))["type"], "answer");
}

#[test]
fn cancelled_questions_take_their_places_until_they_end() {
    let mut desk = Desk::with(plain(10));
    let viewer = &mut desk.viewer;
    let mut waiting = Vec::new();
    for id in 1..=limits::ASKS_IN_FLIGHT {
        let ask = json!({"type": "ask", "id": id, "tool": "overlap", "question": box_of(9.0)});
        waiting.extend(say(viewer, &ask.to_string()).0);
        let cancel = json!({"type": "cancel", "id": 100 + id, "ask": id});
        assert_eq!(say(viewer, &cancel.to_string()).1.len(), 1);
    }
    let ask =
        json!({"type": "ask", "id": 99, "tool": "overlap", "question": box_of(9.0)}).to_string();
    assert_eq!(say(viewer, &ask).1[0]["limit"], "ASKS_IN_FLIGHT");
    let over = waiting.pop().unwrap().answer(&|| 0);
    assert!(viewer.handle(Event::Answered(over)).is_empty());
    assert_eq!(say(viewer, &ask).0.len(), 1);
}

/// A job that has begun, held by its own clock, which is first looked at where an answer is timed.
#[test]
fn a_question_that_runs_ends_with_its_page() {
    for end in [Event::Closed(PAGE), Event::Ending] {
        let mut desk = Desk::with(plain(10));
        let sweep = json!({"min_x": 1, "min_y": 2, "min_z": 1, "max_x": 2, "max_y": 3, "max_z": 2, "dx": 0, "dy": -9, "dz": 0});
        let (mut jobs, _) = say(&mut desk.viewer, &ask("sweep", &sweep, &json!({})));
        let answered = jobs.remove(0).answer(&|| 0);
        let (mut timing, texts) = split(desk.viewer.handle(Event::Answered(answered)));
        assert_eq!(texts[0]["type"], "answer");
        let timing = timing.remove(0);
        let (begun, has_begun) = mpsc::channel();
        let (go_on, wait) = mpsc::channel::<()>();
        // The clock does not advance, so that all repeats would be made.
        let worker = std::thread::spawn(move || {
            let looks = std::cell::Cell::new(0);
            let clock = || {
                looks.set(looks.get() + 1);
                if looks.get() == 3 {
                    begun.send(()).unwrap();
                    let _ = wait.recv();
                }
                0
            };
            let answered = timing.answer(&clock);
            (looks.get(), answered)
        });
        has_begun.recv().unwrap();
        drop(desk.viewer.handle(end));
        drop(go_on);
        let (looks, answered) = worker.join().unwrap();
        // One repeat in place of 101, each of which looks at the clock twice.
        assert!(looks < 6, "{looks}");
        assert!(desk.viewer.handle(Event::Answered(answered)).is_empty());
    }
}

#[test]
fn one_page_cancels_nothing_of_another() {
    let mut desk = Desk::with(plain(10));
    let other = PageId(2);
    desk.event(Event::Opened(other));
    desk.text(other, r#"{"type": "hello", "id": 1}"#);
    desk.sent.clear();
    let (mut jobs, _) = say(&mut desk.viewer, &each_triangle(9.0));
    let id = serde_json::from_str::<Value>(&each_triangle(9.0)).unwrap()["id"].clone();
    let cancel = json!({"type": "cancel", "id": 2, "ask": id}).to_string();
    assert!(desk.viewer.handle(Event::Text(other, &cancel)).is_empty());
    drop(desk.viewer.handle(Event::Closed(other)));
    let answered = jobs.remove(0).answer(&|| 0);
    let (_, texts) = split(desk.viewer.handle(Event::Answered(answered)));
    assert_eq!(texts[0]["type"], "answer");
}
