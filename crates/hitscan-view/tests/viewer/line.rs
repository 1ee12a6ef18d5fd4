//! Frames fit the line: what a page reports of it makes its moving pictures coarser, and its files smaller.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::partial::{decoded, finished_with};
use hitscan_view::protocol::FrameHeader;
use hitscan_view::viewer::{Event, PageId};
use serde_json::{Value, json};

const OTHER: PageId = PageId(2);
/// On one thread a tile of 1,024 rays takes the desk's 100 us, so this a thirtieth of a second.
const SIZE: [u32; 2] = [640, 400];

fn view(number: u32, changes: &Value) -> String {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["id"] = (100 + number).into();
    view["view"] = number.into();
    view["size"] = json!(SIZE);
    view["sending"] = true.into();
    for (name, value) in changes.as_object().unwrap() {
        view[name] = value.clone();
    }
    view.to_string()
}

fn shown(frame: u32, took_us: impl Into<Value>) -> String {
    json!({"type": "shown", "id": 9000 + frame, "frame": frame, "took_us": took_us.into()})
        .to_string()
}

/// The frames that were sent to a page, with the bytes of their pictures.
fn frames_of(desk: &mut Desk, page: PageId) -> Vec<(FrameHeader, usize)> {
    let frame = |sent| match sent {
        Sent::Frame(to, header, picture) if to == page => Some((header, picture.len())),
        _ => None,
    };
    desk.take().into_iter().filter_map(frame).collect()
}

/// How long so many bytes take, microseconds.
fn took(bytes: usize, bits_a_second: usize) -> usize {
    bytes * 8_000_000 / bits_a_second
}

/// The scales of moving pictures on a line, and the bytes of the last.
fn moves(
    desk: &mut Desk,
    page: PageId,
    views: std::ops::Range<u32>,
    bits: usize,
) -> (Vec<u8>, usize) {
    let mut scales = Vec::new();
    let mut last = 0;
    for number in views {
        desk.text(page, &view(number, &json!({})));
        desk.cast();
        for (header, bytes) in frames_of(desk, page) {
            scales.push(header.scale);
            last = bytes;
            desk.text(page, &shown(header.frame, took(bytes, bits)));
        }
    }
    (scales, last)
}

#[test]
fn a_moving_picture_is_as_coarse_as_the_line_is_slow() {
    let mut desk = Desk::open();
    let (fast, _) = moves(&mut desk, PAGE, 1..6, 1_000_000_000);
    assert_eq!(fast, [1; 5]);
    let (slow, bytes) = moves(&mut desk, PAGE, 6..20, 400_000);
    assert_eq!(slow[0], 1);
    assert!(slow[13] >= 3, "{slow:?}");
    assert!(
        took(bytes, 400_000) < 150_000 || slow[13] == 8,
        "{bytes} bytes, {slow:?}"
    );
    let (fast, _) = moves(&mut desk, PAGE, 20..60, 1_000_000_000);
    assert_eq!(fast[39], 1, "{fast:?}");
}

#[test]
fn without_reports_nothing_is_coarser() {
    let mut desk = Desk::open();
    for number in 1..9 {
        desk.text(PAGE, &view(number, &json!({})));
        desk.cast();
        for (header, _) in frames_of(&mut desk, PAGE) {
            assert_eq!(header.scale, 1);
            let shown = json!({"type": "shown", "id": 9000, "frame": header.frame});
            desk.text(PAGE, &shown.to_string());
        }
    }
}

#[test]
fn a_frame_is_announced_to_who_asks_for_it() {
    for sending in [true, false] {
        let mut desk = Desk::open();
        desk.text(PAGE, &view(1, &json!({"sending": sending})));
        desk.cast();
        let sent = desk.take();
        let is_frame = |sent: &Sent| matches!(sent, Sent::Frame(_, header, _) if header.frame == 1);
        let frame = sent.iter().position(is_frame).unwrap();
        let word = Sent::Text(PAGE, r#"{"type":"sending","frame":1}"#.to_owned());
        let words = sent.iter().filter(|one| **one == word).count();
        assert_eq!(words, usize::from(sending));
        assert_eq!(sent[frame - 1] == word, sending);
    }
}

#[test]
fn what_a_page_reports_is_of_its_own_line() {
    let mut desk = Desk::open();
    desk.event(Event::Opened(OTHER));
    desk.text(OTHER, r#"{"type": "hello", "id": 1}"#);
    desk.take();
    for number in 1..5 {
        desk.text(PAGE, &view(number, &json!({})));
        desk.cast();
        for (header, _) in frames_of(&mut desk, PAGE) {
            desk.text(PAGE, &shown(header.frame, u32::MAX));
        }
    }
    desk.text(PAGE, &view(5, &json!({})));
    desk.cast();
    assert_eq!(frames_of(&mut desk, PAGE)[0].0.scale, 8);
    let (scales, _) = moves(&mut desk, OTHER, 1..4, 1_000_000_000);
    assert_eq!(scales, [1; 3]);
}

#[test]
fn absurd_reports_are_refused_or_change_nothing() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({})));
    desk.cast();
    assert_eq!(frames_of(&mut desk, PAGE).len(), 1);
    for took in [
        json!(-1),
        json!(1.5),
        json!("1"),
        json!(4_294_967_296_u64),
        json!(null),
    ] {
        let refused = desk.ask(&shown(1, took));
        assert_eq!(
            (&refused["type"], &refused["field"]),
            (&"refused".into(), &"took_us".into())
        );
    }
    // A frame arrives once, and not before it is sent.
    desk.text(PAGE, &shown(1, 1));
    desk.text(PAGE, &view(2, &json!({})));
    while desk.waiting.len() > 1 {
        desk.step();
    }
    desk.take();
    for frame in [1, 2] {
        desk.text(PAGE, &shown(frame, u32::MAX));
    }
    desk.cast();
    desk.take();
    desk.text(PAGE, &view(3, &json!({})));
    desk.cast();
    assert_eq!(frames_of(&mut desk, PAGE)[0].0.scale, 1);
}

#[test]
fn a_still_is_the_same_on_a_slow_line_in_fewer_bytes() {
    let resting = view(
        1,
        &json!({"moving": false, "partial": true, "size": [301, 199]}),
    );
    let [fast, slow] = [1_000_000_000, 400_000].map(|bits| {
        finished_with(&resting, |header, bytes| {
            shown(header.frame, took(bytes, bits))
        })
    });
    let whole = |frames: &[(FrameHeader, Vec<u8>)]| decoded(&frames[0].1);
    assert_eq!(whole(&fast), whole(&slow));
    assert_eq!(crate::partial::drawn(&fast), crate::partial::drawn(&slow));
    let last = |frames: &[(FrameHeader, Vec<u8>)]| frames.last().unwrap().1.len();
    assert!(
        last(&slow) < last(&fast),
        "{} and {} bytes",
        last(&slow),
        last(&fast)
    );
    assert_eq!(slow[0].0.scale, 1);
}

#[test]
fn on_a_slow_line_one_still_waits_at_a_time() {
    for (bits, most) in [(1_000_000_000, 2), (400_000, 1)] {
        let mut desk = Desk::open();
        desk.text(PAGE, &view(1, &json!({"moving": false})));
        let mut frames = Vec::new();
        while frames.is_empty() {
            assert!(desk.step());
            frames = frames_of(&mut desk, PAGE);
        }
        let (header, bytes) = frames[0];
        desk.text(PAGE, &shown(header.frame, took(bytes, bits)));
        desk.cast();
        assert_eq!(frames_of(&mut desk, PAGE).len(), most);
        // What moves has the other place.
        desk.text(PAGE, &view(2, &json!({})));
        desk.cast();
        assert_eq!(frames_of(&mut desk, PAGE).len(), 2 - most);
    }
}
