//! The order of urgency: motion before first looks, and these before refinement, whosever they are.

use crate::desk::{Desk, PAGE, VIEW};
use hitscan_view::viewer::{Event, PageId, Urgency};
use serde_json::{Value, json};

const OTHER: PageId = PageId(2);
/// On one thread a tile of 1,024 rays takes the desk's 100 us, so this a thirtieth of a second and not two.
const SIZE: [u32; 2] = [640, 400];

/// A viewer with two pages that have the scene.
fn two_pages() -> Desk {
    let mut desk = Desk::open();
    desk.event(Event::Opened(OTHER));
    desk.text(OTHER, r#"{"type": "hello", "id": 1}"#);
    desk.take();
    desk
}

fn view(number: u32, changes: &Value) -> String {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["id"] = (100 + number).into();
    view["view"] = number.into();
    view["size"] = json!(SIZE);
    for (name, value) in changes.as_object().unwrap() {
        view[name] = value.clone();
    }
    view.to_string()
}

fn moving(number: u32) -> String {
    view(number, &json!({"moving": true}))
}

fn resting(number: u32) -> String {
    view(number, &json!({"moving": false}))
}

fn shown(frame: u32) -> String {
    json!({"type": "shown", "id": 9000 + frame, "frame": frame}).to_string()
}

/// How urgent the jobs are that wait, in their order.
fn urgencies(desk: &Desk) -> Vec<Urgency> {
    let mut urgencies: Vec<Urgency> = desk.waiting.iter().map(|job| job.urgency()).collect();
    urgencies.dedup();
    urgencies
}

/// Runs the jobs that are so urgent, also those that come meanwhile.
fn cast(desk: &mut Desk, urgency: Urgency) {
    while let Some(first) = desk.waiting.iter().position(|job| job.urgency() == urgency) {
        let job = desk.waiting.remove(first);
        desk.event(Event::Cast(job.run(), 100));
    }
}

#[test]
fn a_view_that_moves_is_most_urgent_and_refinement_least() {
    assert!(Urgency::Motion > Urgency::FirstLook && Urgency::FirstLook > Urgency::Refinement);
    for mode in ["picture", "cost"] {
        let mut desk = Desk::open();
        desk.text(PAGE, &view(1, &json!({"mode": mode})));
        assert_eq!(urgencies(&desk), [Urgency::Motion]);
        // Its frame is encoded as urgently.
        while desk.waiting.len() > 1 {
            desk.step();
        }
        assert_eq!(urgencies(&desk), [Urgency::Motion]);
        desk.cast();
        desk.text(PAGE, &view(2, &json!({"mode": mode, "moving": false})));
        assert_eq!(urgencies(&desk), [Urgency::FirstLook]);
        cast(&mut desk, Urgency::FirstLook);
        desk.text(PAGE, &shown(2));
        assert_eq!(urgencies(&desk), [Urgency::Refinement]);
    }
}

#[test]
fn a_page_that_refines_takes_no_threads_from_one_that_moves() {
    let scale_beside = |other: &str| {
        let mut desk = two_pages();
        // How long a ray takes.
        desk.text(PAGE, &moving(1));
        desk.cast();
        desk.text(PAGE, &shown(1));
        desk.take();
        desk.text(OTHER, other);
        cast(&mut desk, Urgency::FirstLook);
        desk.take();
        assert!(!desk.waiting.is_empty(), "the other page casts");
        desk.text(PAGE, &moving(2));
        while desk.step() {}
        let frames = desk.frames_of(PAGE);
        frames[0].scale
    };
    assert_eq!(scale_beside(&resting(1)), 1);
    assert_eq!(scale_beside(&moving(1)), 2);
}

#[test]
fn a_view_that_moves_waits_for_no_refinement_of_its_own() {
    let mut desk = Desk::open();
    desk.text(PAGE, &resting(1));
    cast(&mut desk, Urgency::FirstLook);
    desk.text(PAGE, &shown(1));
    desk.take();
    // The tiles of a sample, until it is to become a frame while the next are cast.
    let tiles = desk.waiting.len();
    for _ in 0..tiles {
        assert!(desk.step());
    }
    assert!(desk.waiting.len() > 1 && desk.take().is_empty());
    desk.text(PAGE, &moving(2));
    let (stale, wanted): (Vec<_>, Vec<_>) = std::mem::take(&mut desk.waiting)
        .into_iter()
        .partition(|job| job.urgency() == Urgency::Refinement);
    assert!(stale.iter().all(|job| !job.is_wanted()));
    assert!(wanted.iter().all(|job| job.is_wanted()));
    // Both places for frames are free, and nothing comes of what is run all the same.
    desk.waiting = wanted;
    desk.cast();
    desk.text(PAGE, &moving(3));
    desk.cast();
    let views: Vec<u32> = desk.frames().iter().map(|frame| frame.view).collect();
    assert_eq!(views, [2, 3]);
    desk.waiting = stale;
    desk.cast();
    assert!(desk.take().is_empty());
}

#[test]
fn a_frame_is_made_in_steps() {
    let mut desk = Desk::open();
    desk.text(PAGE, &resting(1));
    cast(&mut desk, Urgency::FirstLook);
    desk.text(PAGE, &shown(1));
    let tiles = desk.waiting.len();
    for _ in 0..tiles {
        assert!(desk.step());
    }
    let job = desk.waiting.remove(0);
    let pauses = std::cell::Cell::new(0);
    let _ = job.run_in_steps(&|| pauses.set(pauses.get() + 1));
    assert!(pauses.get() >= 4, "{} pauses", pauses.get());
}
