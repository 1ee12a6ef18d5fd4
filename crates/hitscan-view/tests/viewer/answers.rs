//! Questions and their answers: those of the tables, with what a page shows beside them.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::scene::{NASTY_NAME, scene};
use hitscan::Sides;
use hitscan_ask::{HitColumns, RayHits, RayTable, row_json};
use hitscan_table::answer_fields;
use serde_json::{Value, json};

/// An `ask` with the number 3.
pub(crate) fn ask(tool: &str, question: &Value, options: &Value) -> String {
    json!({"type": "ask", "id": 3, "tool": tool, "question": question, "options": options})
        .to_string()
}

fn table(header: &Value, file: &[u8]) -> Vec<u8> {
    let header = header.to_string();
    let length = u32::try_from(header.len()).unwrap();
    [&length.to_le_bytes()[..], header.as_bytes(), file].concat()
}

fn send_table(desk: &mut Desk, name: &str, file: &str) -> Value {
    let header = json!({"type": "table", "id": 9, "name": name});
    send_file(desk, &header, file.as_bytes())
}

/// Sends a table, and returns what answers it.
pub(crate) fn send_file(desk: &mut Desk, header: &Value, file: &[u8]) -> Value {
    let message = table(header, file);
    desk.event(hitscan_view::viewer::Event::Binary(PAGE, &message));
    match desk.take().as_slice() {
        [Sent::Text(PAGE, text)] => serde_json::from_str(text).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Links and pages have these words.
#[test]
fn former_words_of_options_are_aliases() {
    let mut desk = Desk::open();
    let question = json!({
        "cx": 12, "cy": 5, "cz": 12, "half_x": 1, "half_y": 1, "half_z": 1,
        "qx": 0, "qy": 0, "qz": 0, "qw": 1, "dx": 0, "dy": 9, "dz": 0,
    });
    let mut answer = |options: Value| desk.ask(&ask("sweep", &question, &options));
    let escape = answer(json!({"shape": "obb", "initial_overlap": "escape"}));
    assert_eq!(escape["answers"][0]["status"], "miss");
    for shape in ["turned_box", "turned-box"] {
        assert_eq!(answer(json!({"shape": shape, "overlaps": "leave"})), escape);
        let stop = answer(json!({"shape": shape, "overlaps": "stop"}));
        assert_eq!(
            stop,
            answer(json!({"shape": "obb", "initial_overlap": "stop"}))
        );
        assert_eq!(stop["answers"][0]["status"], "overlap");
    }
}

#[test]
fn each_tool_answers_as_its_table_does() {
    let mut desk = Desk::open();
    let down = json!({"ox": 4, "oy": 20, "oz": 4, "dx": 0, "dy": -1, "dz": 0});
    for (tool, question, options, status, object) in [
        ("ray", down.clone(), json!({}), "hit", NASTY_NAME),
        (
            "ray",
            down.clone(),
            json!({"hits": "all", "sides": "front"}),
            "hit",
            NASTY_NAME,
        ),
        ("ray", down.clone(), json!({"hits": "any"}), "hit", ""),
        (
            "ray",
            down.clone(),
            json!({"method": "march"}),
            "hit",
            "ridge",
        ),
        (
            "height",
            json!({"x": 3.5, "z": 2.25}),
            json!({}),
            "ok",
            "ridge",
        ),
        (
            "height",
            json!({"x": 8, "z": 8}),
            json!({"method": "max", "radius": 2.5}),
            "ok",
            "ridge",
        ),
        (
            "height",
            json!({"x": 8, "z": 8, "radius": 1.5}),
            json!({"method": "footprint"}),
            "ok",
            "ridge",
        ),
        ("height", json!({"x": 15, "z": 15}), json!({}), "hole", ""),
        (
            "sweep",
            json!({"cx": 4, "cy": 12, "cz": 4, "radius": 0.5, "dx": 0, "dy": -9, "dz": 0}),
            json!({"shape": "sphere"}),
            "hit",
            NASTY_NAME,
        ),
        (
            "overlap",
            json!({"min_x": 10.5, "min_y": 3, "min_z": 2.5, "max_x": 11, "max_y": 5, "max_z": 3}),
            json!({}),
            "overlap",
            "crate",
        ),
        (
            "closest",
            json!({"px": 4, "py": 8, "pz": 4}),
            json!({}),
            "ok",
            NASTY_NAME,
        ),
        (
            "arc",
            json!({"ox": 4, "oy": 9, "oz": 12, "vx": -2, "vy": 0, "vz": 0}),
            json!({"hits": "nearest"}),
            "hit",
            "capsule0",
        ),
    ] {
        let (answer, timed) = desk.ask_timed(&ask(tool, &question, &options));
        assert_eq!(answer["type"], "answer", "{answer}");
        assert_eq!((&answer["id"], &answer["tool"]), (&json!(3), &json!(tool)));
        let first = &answer["answers"][0];
        assert_eq!(first["status"], status, "{tool} {options}: {answer}");
        if !object.is_empty() {
            assert_eq!(first["object"], object, "{tool} {options}: {answer}");
        }
        assert!(!answer["sentence"].as_str().unwrap().is_empty());
        let is_timed = tool != "overlap" && options["method"] != "footprint";
        let step = 250;
        assert_eq!(timed, is_timed.then_some(step), "{tool}: the clock's step");
    }
}

#[test]
fn columns_are_those_of_the_table_value_by_value() {
    let (mut desk, scene) = (Desk::open(), scene());
    let table = RayTable::new(&scene, RayHits::Nearest(HitColumns::World), Sides::Both);
    for index in 0..60_u8 {
        let [x, z] = [index % 8, index / 8].map(|place| f32::from(place) * 2.1 + 0.3);
        let (tilt, height) = (f32::from(index) * 0.013 - 0.4, 9.25);
        let columns = [
            ("ox", x),
            ("oy", height),
            ("oz", z),
            ("dx", tilt),
            ("dy", -1.0),
            ("dz", tilt),
        ];
        let fields = columns.map(|(name, number)| (name, number.to_string()));
        let row = answer_fields("a row", &fields, &table).unwrap();
        let question = fields.iter();
        let question = question.map(|(name, text)| ((*name).to_owned(), text.as_str().into()));
        let question: serde_json::Map<String, Value> = question.collect();
        let answer = desk.ask(&ask("ray", &question.into(), &json!({})));
        assert_eq!(answer["answers"], json!([row_json(&row.answers[0])]));
        assert_eq!(answer["question"], json!(row_json(&row.question)));
    }
}

#[test]
fn what_is_hidden_is_in_the_question_and_not_in_the_answer() {
    let mut desk = Desk::open();
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["hide"] = json!([NASTY_NAME]);
    view["layers"] = json!(1);
    desk.text(PAGE, &view.to_string());
    desk.cast();
    desk.take();
    let down = json!({"ox": 4, "oy": 20, "oz": 4, "dx": 0, "dy": -1, "dz": 0, "mask": "0x3"});
    let answer = desk.ask(&ask("ray", &down, &json!({})));
    assert_eq!(answer["answers"][0]["object"], "ridge");
    assert_eq!(
        (&answer["question"]["mask"], &answer["question"]["ignore"]),
        (&json!(1), &json!(NASTY_NAME))
    );
    let crate_box = json!({"ox": 11, "oy": 20, "oz": 3, "dx": 0, "dy": -1, "dz": 0});
    assert_eq!(
        desk.ask(&ask("ray", &crate_box, &json!({})))["answers"][0]["object"],
        "ridge"
    );
    let explained = desk.ask(r#"{"type": "explain", "id": 4, "ask": 3}"#);
    let candidates = explained["candidates"].as_array().unwrap();
    let filtered = candidates.iter().filter(|one| one["verdict"] == "filtered");
    assert_eq!(filtered.count(), 2, "{explained}");
}

#[test]
fn poses_are_blended_and_taken_back() {
    let mut desk = Desk::open();
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    let bounds = |desk: &mut Desk| {
        let overlay = r#"{"type": "overlay", "id": 6, "boxes": "bounds", "object": "flag"}"#;
        desk.ask(overlay)["boxes"][0][0].clone()
    };
    assert_eq!(bounds(&mut desk), json!([8.0, 4.0, 8.0]));
    let half = json!({"clip": "Slide", "time": 1, "weight": 0.5});
    for (number, poses, corner) in [
        (
            1,
            json!([{"object": "flag", "clip": "Lift", "time": 1, "blend": half}]),
            json!([10.0, 5.0, 8.0]),
        ),
        (
            2,
            json!([{"object": "flag", "clip": "1", "time": 1}]),
            json!([12.0, 4.0, 8.0]),
        ),
        (3, json!([]), json!([8.0, 4.0, 8.0])),
    ] {
        view["view"] = json!(number);
        view["poses"] = poses;
        desk.text(PAGE, &view.to_string());
        desk.cast();
        desk.text(
            PAGE,
            &json!({"type": "shown", "id": 50, "frame": number}).to_string(),
        );
        desk.take();
        assert_eq!(bounds(&mut desk), corner);
    }
}

#[test]
fn an_answer_says_where_it_is_on_the_object_and_what_to_draw() {
    let mut desk = Desk::open();
    let question = json!({"ox": 8.5, "oy": 4.5, "oz": 20, "dx": 0, "dy": 0, "dz": -1});
    let answer = desk.ask(&ask("ray", &question, &json!({"sides": "both"})));
    assert_eq!(answer["answers"][0]["object"], "flag");
    assert_eq!(
        (&answer["local"], &answer["bits"]["t"]),
        (&json!([0.5, 0.5, 0.0]), &json!("0x41400000"))
    );
    let lines = answer["lines"].as_array().unwrap();
    let roles: Vec<&str> = lines
        .iter()
        .map(|line| line["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["ray", "normal", "triangle"]);
    assert_eq!(
        lines[0]["points"],
        json!([[8.5, 4.5, 20.0], [8.5, 4.5, 8.0]])
    );
    assert_eq!(lines[2]["points"][1], json!([10.0, 4.0, 8.0]));
    let moving = json!({"min_x": 0, "min_y": 9, "min_z": 0, "max_x": 1, "max_y": 10, "max_z": 1, "dx": 0, "dy": -16, "dz": 0});
    let answer = desk.ask(&ask("sweep", &moving, &json!({})));
    let boxes = answer["boxes"].as_array().unwrap();
    assert_eq!(
        (&boxes[0]["role"], &boxes[1]["role"]),
        (&json!("start"), &json!("contact"))
    );
    assert_eq!(boxes[1]["points"][0], json!([0.0, 1.0, 0.0]));
}

#[test]
fn tables_are_answered_and_compared() {
    let mut desk = Desk::open();
    let rays = "note,ox,oy,oz,dx,dy,dz\na,4,20,4,0,-1,0\nb,1,20,1,0,-1,0\nc,1,20,1,0,0,0\n";
    let answered = send_table(&mut desk, "rays.csv", rays);
    assert_eq!(
        (&answered["tool"], &answered["rows"]),
        (&json!("ray"), &json!(3)),
        "{answered}"
    );
    assert_eq!(
        (&answered["invalid"], &answered["compared"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(answered["shown"][0]["answer"]["object"], NASTY_NAME);

    let heights = "x,z,status,height,object\n2,2,ok,1,ridge\n8,8,ok,3.5,ridge\n15,15,hole,,\n8,8,ok,3.0,ridge\n";
    let compared = send_table(&mut desk, "heights.csv", heights);
    assert_eq!(
        (&compared["tool"], &compared["compared"]),
        (&json!("height"), &json!(true))
    );
    assert_eq!(compared["differing"], 1, "{compared}");
    let first = &compared["shown"][0];
    assert_eq!(
        (&first["row"], &first["differs"]),
        (&json!(1), &json!(["height"]))
    );
    assert_eq!(
        (&first["file"]["height"], &first["answer"]["height"]),
        (&json!("3.5"), &json!(3))
    );

    let all = "ox,oy,oz,dx,dy,dz,row,status,t,object\n4,20,4,0,-1,0,0,hit,14,<img src=x onerror=alert(1)>\n";
    let compared = send_table(&mut desk, "all.csv", all);
    assert_eq!(
        compared["differing"], 1,
        "the ray goes on to the ridge: {compared}"
    );
    assert_eq!(compared["shown"][0]["differs"], json!(["row"]));

    for (name, file, expected) in [
        ("rays.csv", "a,b\n1,2\n", "the columns of"),
        ("rays.csv", "ox,oy,oz,dx,dy,dz\n1,2\n", "rays.csv"),
        ("rays.txt", "x,z\n1,2\n", "rays.txt"),
        ("rays.parquet", "x,z\n1,2\n", "rays.parquet"),
        ("rays.arrow", "ARROW1\0\0", "rays.arrow"),
    ] {
        let refused = send_table(&mut desk, name, file);
        assert_eq!(
            (&refused["type"], &refused["field"]),
            (&json!("refused"), &json!("table"))
        );
        assert!(
            refused["expected"].as_str().unwrap().contains(expected),
            "{refused}"
        );
    }
}

/// What the demo's tables name their rows by.
#[test]
fn rows_of_tables_have_what_is_passed_through_and_why_they_are_invalid() {
    let mut desk = Desk::open();
    let long = "é".repeat(300);
    let rays = format!(
        "about,ox,oy,oz,dx,dy,dz,status\n\"down, far\",4,20,4,0,-1,0,hit\n,1,20,1,0,0,0,invalid\n{long},4,20,4,0,-1,0,hit\n"
    );
    let answered = send_table(&mut desk, "rays.csv", &rays);
    let shown = &answered["shown"];
    assert_eq!(shown[0]["others"], json!({"about": "down, far"}));
    assert_eq!(shown[0].get("invalid"), None);
    assert_eq!(shown[1].get("others"), None);
    let why = shown[1]["invalid"].as_str().unwrap();
    assert!(why.contains("direction"), "{why}");
    let cut = shown[2]["others"]["about"].as_str().unwrap();
    assert_eq!(cut, format!("{}…", "é".repeat(200)));
}

#[test]
fn a_table_of_eyes_and_targets_is_of_sight_whatever_its_name() {
    let eyes = "x,y,z,target_x,target_y,target_z\n4,20,4,4,30,4\n4,20,4,4,-20,4\n";
    for header in [
        json!({"type": "table", "id": 9, "name": "eyes.csv"}),
        json!({"type": "table", "id": 9, "name": "heights.csv", "tool": "height", "options": {"method": "exact"}}),
    ] {
        let mut desk = Desk::open();
        let message = table(&header, eyes.as_bytes());
        desk.event(hitscan_view::viewer::Event::Binary(PAGE, &message));
        let sent = desk.take();
        let [Sent::Text(PAGE, text)] = sent.as_slice() else {
            panic!("{sent:?}");
        };
        let answered: Value = serde_json::from_str(text).unwrap();
        assert_eq!(answered["tool"], "sight", "{answered}");
        let status = |row: usize| &answered["shown"][row]["answer"]["status"];
        assert_eq!(
            (status(0), status(1)),
            (&json!("visible"), &json!("blocked"))
        );
    }
}

#[test]
fn points_behind_surfaces_are_not_visible() {
    let mut desk = Desk::open();
    desk.text(PAGE, VIEW);
    desk.cast();
    desk.take();
    // On the sphere towards the camera, in it, behind it, above everything.
    let points = json!([[4.57, 5.25, 4.78], [4, 5, 4], [3, 4.5, 2.7], [8, 40, 8]]);
    let visible =
        desk.ask(&json!({"type": "visible", "id": 8, "frame": 1, "points": points}).to_string());
    assert_eq!(visible["visible"], json!([true, false, false, true]));
}
