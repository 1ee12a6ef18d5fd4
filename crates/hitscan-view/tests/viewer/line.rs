//! Frames fit the line: what a page reports of it makes its moving pictures coarser, and its files smaller.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use crate::partial::{decoded, finished_with};
use hitscan_view::protocol::{FrameCodec, FrameHeader, FramePart};
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

/// The answer of a page to a frame or a part of one, on a line of so many bits a second.
fn told(header: &FrameHeader, body: &[u8], bits: usize) -> String {
    match header.codec {
        FrameCodec::Part => {
            let end = FramePart::parse(body).unwrap().end();
            let took_us = took(body.len(), bits);
            json!({"type": "received", "id": 8000, "frame": header.frame, "end": end, "took_us": took_us})
                .to_string()
        }
        FrameCodec::Png | FrameCodec::Tiles => shown(header.frame, took(body.len(), bits)),
    }
}

/// What was sent to the page, each with its body.
fn messages(desk: &mut Desk) -> Vec<(FrameHeader, Vec<u8>)> {
    let frame = |sent| match sent {
        Sent::Frame(_, header, body) => Some((header, body)),
        _ => None,
    };
    desk.take().into_iter().filter_map(frame).collect()
}

/// A still of these changes in parts: the frames put together, and the bytes of the longest part but the first.
fn in_parts(changes: &Value, bits: usize) -> (Vec<(FrameHeader, Vec<u8>)>, usize) {
    let mut desk = Desk::open();
    let resting = json!({"moving": false, "parts": true, "partial": true, "size": [301, 199]});
    desk.text(PAGE, &view(1, &merged(&resting, changes)));
    let (mut frames, mut begun) = (Vec::new(), Vec::new());
    let mut longest = 0;
    let mut way = std::collections::VecDeque::new();
    loop {
        way.extend(messages(&mut desk));
        let Some((header, body)) = way.pop_front() else {
            if desk.step() {
                continue;
            }
            break;
        };
        desk.text(PAGE, &told(&header, &body, bits));
        if header.codec == FrameCodec::Part {
            let part = FramePart::parse(&body).unwrap();
            assert_eq!(part.start as usize, begun.len());
            longest = longest.max(if frames.is_empty() {
                0
            } else {
                part.bytes.len()
            });
            begun.extend(part.bytes);
            if part.end() == part.total {
                let (header, body) = FrameHeader::parse(&begun).unwrap();
                let body = body.to_vec();
                desk.text(
                    PAGE,
                    &json!({"type": "shown", "id": 9, "frame": header.frame}).to_string(),
                );
                frames.push((header, body));
                begun = Vec::new();
            }
        } else {
            frames.push((header, body));
        }
    }
    (frames, longest)
}

fn merged(one: &Value, other: &Value) -> Value {
    let mut both = one.clone();
    let other = other.as_object().unwrap().clone();
    both.as_object_mut().unwrap().extend(other);
    both
}

#[test]
fn a_still_in_parts_is_the_same_still() {
    for changes in [
        json!({}),
        json!({"sending": false}),
        json!({"mode": "cost"}),
    ] {
        let (slow, longest) = in_parts(&changes, 400_000);
        assert!(longest > 0 && longest <= 4096, "{longest}");
        let (fast, _) = in_parts(&changes, 1_000_000_000);
        assert!(slow.last().unwrap().0.is_finished && fast.last().unwrap().0.is_finished);
        if changes["mode"] != "cost" {
            assert_eq!(crate::partial::drawn(&slow), crate::partial::drawn(&fast));
        }
    }
}

#[test]
fn what_moves_waits_for_two_parts_at_most() {
    let mut desk = Desk::open();
    let still = json!({"moving": false, "parts": true});
    desk.text(PAGE, &view(1, &still));
    desk.cast();
    // Before the first measurement one part is sent, then two.
    let [(first, body)] = messages(&mut desk).try_into().unwrap();
    desk.text(PAGE, &told(&first, &body, 400_000));
    let parts = messages(&mut desk);
    assert_eq!(parts.len(), 2);
    for (header, body) in &parts {
        assert_eq!(
            (header.codec, header.frame),
            (FrameCodec::Part, first.frame)
        );
        assert!(FramePart::parse(body).unwrap().bytes.len() <= 4096);
    }
    desk.cast();
    assert_eq!(messages(&mut desk).len(), 0);
    // What of the still waits is never sent, whatever of it is received.
    desk.text(PAGE, &view(2, &json!({"parts": true})));
    desk.cast();
    let [(moving, _)] = messages(&mut desk).try_into().unwrap();
    assert_eq!((moving.codec, moving.view), (FrameCodec::Png, 2));
    for (header, body) in &parts {
        desk.text(PAGE, &told(header, body, 400_000));
    }
    assert_eq!(messages(&mut desk).len(), 0);
    // A moving picture has both places.
    desk.text(PAGE, &view(3, &json!({"parts": true})));
    desk.cast();
    assert_eq!(messages(&mut desk).len(), 1);
}

#[test]
fn a_newer_still_takes_the_place_of_one_that_is_not_sent() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"moving": false, "parts": true})));
    // It is being developed when the newer one comes.
    while desk.waiting.len() > 1 {
        desk.step();
    }
    desk.text(PAGE, &view(2, &json!({"moving": false, "parts": true})));
    desk.cast();
    let parts = messages(&mut desk);
    assert!(!parts.is_empty() && parts.iter().all(|(header, _)| header.view == 2));
}

#[test]
fn parts_that_were_not_sent_cannot_be_received() {
    let mut desk = Desk::open();
    let received = r#"{"type": "received", "id": 5, "frame": 1, "end": 4096}"#;
    assert_eq!(desk.ask(received)["field"], "end");
}
