//! Views become frames: in order, few at a time, the newest first, and what is clicked is what is seen.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::scene::{FLAGS, flags, loaded, scene};
use hitscan::Ray;
use hitscan_picture::MAX_SAMPLES;
use hitscan_view::limits;
use hitscan_view::protocol::FrameHeader;
use hitscan_view::viewer::{Event, PageId};
use serde_json::{Value, json};

fn view(number: u32, changes: &Value) -> String {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["id"] = (100 + number).into();
    view["view"] = number.into();
    for (name, value) in changes.as_object().unwrap() {
        view[name] = value.clone();
    }
    view.to_string()
}

fn shown(frame: u32) -> String {
    json!({"type": "shown", "id": 9000 + frame, "frame": frame}).to_string()
}

#[test]
fn a_moving_view_is_one_frame() {
    let mut desk = Desk::open();
    desk.text(PAGE, VIEW);
    desk.cast();
    let [frame] = desk.frames().try_into().unwrap();
    assert_eq!((frame.frame, frame.view, frame.pass), (1, 1, 0));
    assert_eq!(
        (frame.size, frame.scale, frame.is_finished),
        ([48, 32], 1, false)
    );
    assert_eq!((frame.rays, frame.is_cost), (48 * 32, false));
    assert!(frame.micros > 0);
}

#[test]
fn the_next_view_is_cast_while_a_frame_is_encoded() {
    let mut desk = Desk::open();
    desk.text(PAGE, VIEW);
    // The tiles; then what is left is to encode.
    while desk.sent.is_empty() {
        assert!(desk.step());
    }
    let told = desk.take();
    assert_eq!(
        told,
        [Sent::Text(PAGE, r#"{"type":"cast","view":1}"#.to_owned())]
    );
    assert_eq!(desk.waiting.len(), 1);
    desk.text(PAGE, &view(2, &json!({})));
    assert!(desk.waiting.len() > 1, "tiles of the next view wait too");
    desk.cast();
    let views: Vec<u32> = desk.frames().iter().map(|frame| frame.view).collect();
    assert_eq!(views, [1, 2]);
    // There is room for two frames: a third view waits until one is shown.
    desk.text(PAGE, &view(3, &json!({})));
    assert!(desk.waiting.is_empty());
    desk.text(PAGE, &shown(1));
    assert!(!desk.waiting.is_empty());
}

#[test]
fn at_rest_passes_follow_until_the_picture_is_finished() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"moving": false})));
    let mut frames = Vec::new();
    loop {
        desk.cast();
        let sent = desk.frames();
        let Some(last) = sent.last() else { break };
        desk.text(PAGE, &shown(last.frame));
        frames.extend(sent);
    }
    let (last, before) = frames.split_last().unwrap();
    assert!(last.is_finished && before.iter().all(|frame| !frame.is_finished));
    assert_eq!(u32::from(last.pass), MAX_SAMPLES);
    assert!(frames.is_sorted_by(|a, b| a.pass < b.pass && a.frame + 1 == b.frame));
    // Nothing is left to do.
    assert!(desk.waiting.is_empty() && desk.take().is_empty());
}

#[test]
fn the_finished_picture_does_not_depend_on_which_frames_were_sent() {
    let finished = |always_shown: bool| {
        let mut desk = Desk::open();
        desk.text(PAGE, &view(1, &json!({"moving": false, "size": [20, 12]})));
        let mut sent = Vec::new();
        while desk.step() {
            sent.extend(desk.take());
            if let (true, Some(Sent::Frame(_, header, _))) = (always_shown, sent.last()) {
                desk.text(PAGE, &shown(header.frame));
            }
        }
        // What waits for a place goes on once one is free.
        while !matches!(sent.last(), Some(Sent::Frame(_, header, _)) if header.is_finished) {
            let Some(Sent::Frame(_, header, _)) = sent.last() else {
                panic!("{:?}", sent.last());
            };
            desk.text(PAGE, &shown(header.frame));
            desk.cast();
            sent.extend(desk.take());
        }
        match sent.last() {
            Some(Sent::Frame(_, _, picture)) => {
                let picture = picture.clone();
                let pass = |sent| match sent {
                    Sent::Frame(_, header, _) => Some(header.pass),
                    _ => None,
                };
                (
                    sent.into_iter().filter_map(pass).collect::<Vec<_>>(),
                    picture,
                )
            }
            other => panic!("{other:?}"),
        }
    };
    let (all, some) = (finished(true), finished(false));
    assert_ne!(all.0, some.0);
    assert_eq!(all.1, some.1);
}

#[test]
fn a_page_that_shows_nothing_has_little_cast() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"moving": false, "size": [20, 12]})));
    let mut jobs = 0;
    while desk.step() {
        jobs += 1;
    }
    // A look, a sample that is sent, and those that are not: a tile and a development each.
    assert_eq!(jobs, 2 * (2 + limits::PASSES_UNSENT));
    desk.text(PAGE, &shown(1));
    assert!(desk.step(), "it goes on once a frame is shown");
}

/// The frames of a view, each shown at once.
fn all_frames(desk: &mut Desk, view: &str) -> Vec<(FrameHeader, Vec<u8>)> {
    desk.text(PAGE, view);
    let mut frames = Vec::new();
    loop {
        desk.cast();
        let sent = desk.take().into_iter().filter_map(|sent| match sent {
            Sent::Frame(_, header, picture) => Some((header, picture)),
            _ => None,
        });
        let sent: Vec<_> = sent.collect();
        let Some((last, _)) = sent.last() else {
            return frames;
        };
        desk.text(PAGE, &shown(last.frame));
        frames.extend(sent);
    }
}

#[test]
fn costs_come_coarse_first_and_have_a_legend() {
    let mut desk = Desk::open();
    let cost = json!({"moving": false, "mode": "cost", "size": [400, 300]});
    let frames = all_frames(&mut desk, &view(1, &cost));
    let scales: Vec<u8> = frames.iter().map(|(frame, _)| frame.scale).collect();
    assert_eq!(scales, [4, 2, 1]);
    let (last, before) = frames.split_last().unwrap();
    assert!(last.0.is_finished && before.iter().all(|(frame, _)| !frame.is_finished));
    let has_legend = |frame: &FrameHeader| frame.is_cost && frame.greatest_cost > 0.0;
    assert!(
        frames
            .iter()
            .all(|(frame, _)| frame.pass == 0 && has_legend(frame))
    );
    // A picture that was quick says nothing of how long a cost takes.
    desk.text(PAGE, &view(2, &json!({"size": [400, 300]})));
    desk.cast();
    assert_eq!(desk.frames().last().unwrap().scale, 1);
    desk.text(PAGE, &shown(4));
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"size": [400, 300]})));
    desk.cast();
    desk.text(PAGE, &view(2, &json!({"size": [400, 300], "mode": "cost"})));
    desk.cast();
    let scales: Vec<u8> = desk.frames().iter().map(|frame| frame.scale).collect();
    assert_eq!(scales, [1, 4]);
}

#[test]
fn a_cost_at_rest_does_not_tell_what_was_posed_before() {
    let poses = |time: f64| -> Vec<Value> {
        let pose = |flag: u32| {
            // Each goes a way of its own, so that the tree over them is another one.
            let time = (time * f64::from(flag * 7 % 11) / 10.0).min(1.0);
            json!({"object": format!("flag{flag}"), "clip": "Slide", "time": time})
        };
        (0..FLAGS).map(pose).collect()
    };
    let at = |number: u32, time: f64| {
        let eye = json!({"eye": [12, 9, 40], "look": [12, 3, 8], "fov": 40});
        let more = json!({"mode": "cost", "moving": false, "camera": eye, "poses": poses(time), "now_ms": 1000 + number});
        view(number, &more)
    };
    let mut moved = Desk::with(flags());
    for number in 1..9 {
        all_frames(&mut moved, &at(number, f64::from(number % 3) / 2.0));
    }
    let mut fresh = Desk::with(flags());
    let [moved, fresh] = [&mut moved, &mut fresh].map(|desk| all_frames(desk, &at(9, 1.0)));
    assert_eq!(moved.last().unwrap().1, fresh.last().unwrap().1);
}

#[test]
fn two_frames_are_in_flight_and_no_more() {
    let mut desk = Desk::open();
    for number in 1..=5 {
        desk.text(PAGE, &view(number, &json!({})));
        desk.cast();
    }
    let sent: Vec<u32> = desk.frames().iter().map(|frame| frame.view).collect();
    assert_eq!(sent, [1, 2]);
    // The newest view follows; those between are never seen.
    desk.text(PAGE, &shown(1));
    desk.cast();
    let sent: Vec<u32> = desk.frames().iter().map(|frame| frame.view).collect();
    assert_eq!(sent, [5]);
    // `shown` acknowledges those before.
    desk.text(PAGE, &shown(3));
    desk.text(PAGE, &view(6, &json!({})));
    desk.cast();
    assert_eq!(desk.frames().len(), 1);
}

#[test]
fn a_newer_view_cancels_what_is_not_cast() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"size": [300, 200]})));
    let stale = desk.waiting.len();
    assert!(stale > 10);
    desk.step();
    desk.text(PAGE, &view(2, &json!({"size": [40, 20]})));
    desk.cast();
    let [frame] = desk.frames().try_into().unwrap();
    assert_eq!((frame.view, frame.frame), (2, 1));
}

#[test]
fn moving_pictures_get_coarser_where_casting_is_slow() {
    let mut desk = Desk::open();
    let sizes = |desk: &mut Desk, micros: u64| {
        let mut scales = Vec::new();
        for number in 1..6 {
            let changes = json!({"size": [1280, 720], "now_ms": 1000});
            let number = number + u32::try_from(micros % 97).unwrap() * 10;
            desk.text(PAGE, &view(number, &changes));
            while !desk.waiting.is_empty() {
                let job = desk.waiting.remove(0);
                desk.event(Event::Cast(job.run(), micros));
            }
            for frame in desk.frames() {
                scales.push(frame.scale);
                desk.text(PAGE, &shown(frame.frame));
            }
        }
        scales
    };
    // 64 x 32 rays in 2 ms, on one thread: 450 tiles take 0.9 s at full size.
    assert_eq!(sizes(&mut desk, 2_000)[1..], [4, 4, 4, 4]);
}

#[test]
fn a_click_casts_the_very_ray_of_its_pixel() {
    let scene = scene();
    let poses = json!([{"object": "flag", "clip": "Lift", "time": 0.75}]);
    for projection in ["perspective", "orthographic"] {
        let mut desk = Desk::open();
        let camera =
            json!({"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40, "projection": projection});
        desk.text(PAGE, &view(1, &json!({"camera": camera, "poses": poses})));
        desk.cast();
        let frame = desk.frames()[0].frame;
        desk.text(PAGE, &shown(frame));
        // A newer view does not change what the frame shows.
        desk.text(PAGE, &view(2, &json!({"size": [8, 8]})));
        desk.cast();
        let newer = desk.frames()[0].frame;
        desk.text(PAGE, &shown(newer));
        let mut world = scene.world().clone();
        let flag = scene.object_named("flag").unwrap();
        world.set_pose_at(flag, 0, 0.75).unwrap();
        world.update();
        let mut hits = 0;
        for pixel in (0..48 * 32)
            .step_by(7)
            .map(|index| [index % 48, index / 48])
        {
            let ask =
                json!({"type": "ask", "id": 5, "tool": "ray", "frame": frame, "pixel": pixel});
            let answer = desk.ask(&ask.to_string());
            let number = |name: &str| answer["question"][name].as_f64().unwrap() as f32;
            let ray = Ray::new(
                ["ox", "oy", "oz"].map(number),
                ["dx", "dy", "dz"].map(number),
            );
            let ray = ray.unwrap();
            let hit = world.now().cast_ray(&ray, ());
            let bits = |number: f32| json!(format!("{:#010x}", number.to_bits()));
            match hit {
                None => assert_eq!(answer["answers"][0]["status"], "miss"),
                Some(hit) => {
                    hits += 1;
                    let object = scene.object_name(hit.object.unwrap()).unwrap();
                    assert_eq!(answer["answers"][0]["object"], object);
                    assert_eq!(answer["bits"]["t"], bits(hit.t));
                    assert_eq!(answer["bits"]["x"], bits(hit.point.x));
                    assert_eq!(answer["bits"]["nz"], bits(hit.normal.z));
                }
            }
        }
        assert!(hits > 50, "{hits} hits, {projection}");
    }
}

#[test]
fn two_pages_do_not_see_each_other() {
    let mut desk = Desk::open();
    let other = PageId(7);
    desk.event(Event::Opened(other));
    desk.text(other, r#"{"type": "hello", "id": 1}"#);
    desk.take();
    desk.text(PAGE, &view(1, &json!({})));
    desk.text(other, &view(1, &json!({"size": [10, 10]})));
    // One vanishes while its picture is cast.
    desk.event(Event::Closed(PAGE));
    desk.cast();
    let sent = desk.take();
    let [Sent::Text(told, _), Sent::Frame(page, header, _)] = sent.as_slice() else {
        panic!("{sent:?}");
    };
    assert_eq!((*told, *page, header.size), (other, other, [10, 10]));
}

#[test]
fn a_scene_that_is_read_again_begins_anew() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(40, &json!({})));
    desk.event(Event::Loaded(loaded()));
    desk.cast();
    let sent = desk.take();
    assert!(matches!(&sent[..], [Sent::Text(_, scene)] if scene.contains("\"type\":\"scene\"")));
    desk.text(PAGE, &view(1, &json!({})));
    desk.cast();
    assert_eq!(desk.frames().len(), 1);
}

#[test]
fn a_page_begins_where_the_scene_is_seen_from() {
    let begins = |loaded| {
        let mut desk = Desk::empty();
        desk.event(Event::Loaded(loaded));
        desk.event(Event::Opened(PAGE));
        desk.ask(r#"{"type": "hello", "id": 1}"#)["start"].clone()
    };
    let camera = json!({"eye": [1.0, 2.0, 30.0], "look": [1.0, 1.0, 0.0], "fov": 35.0, "projection": "orthographic"});
    assert_eq!(begins(flags()), camera);
    assert_eq!(begins(loaded()), Value::Null);
}
