//! Frames of a picture at rest: the passes that halve its noise, and of these only the tiles that changed.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use hitscan_picture::MAX_SAMPLES;
use hitscan_view::protocol::{ChangedTiles, FrameCodec, FrameHeader};
use serde_json::{Value, json};

const SIZE: [u32; 2] = [301, 199];

fn view(number: u32, changes: &Value) -> String {
    let mut view: Value = serde_json::from_str(VIEW).unwrap();
    view["id"] = (100 + number).into();
    view["view"] = number.into();
    view["moving"] = false.into();
    view["size"] = json!(SIZE);
    for (name, value) in changes.as_object().unwrap() {
        view[name] = value.clone();
    }
    view.to_string()
}

fn shown(frame: u32) -> String {
    json!({"type": "shown", "id": 9000 + frame, "frame": frame}).to_string()
}

pub(crate) type Frames = Vec<(FrameHeader, Vec<u8>)>;

fn frames(desk: &mut Desk) -> Frames {
    let frame = |sent| match sent {
        Sent::Frame(_, header, body) => Some((header, body)),
        _ => None,
    };
    desk.take().into_iter().filter_map(frame).collect()
}

/// All frames of a view that is at rest, each shown as soon as it comes.
fn finished(view: &str) -> Frames {
    finished_with(view, |header, _| shown(header.frame))
}

/// The same, with what is said of each frame and its bytes.
pub(crate) fn finished_with(view: &str, shown: impl Fn(&FrameHeader, usize) -> String) -> Frames {
    let mut desk = Desk::open();
    desk.text(PAGE, view);
    let mut all = Frames::new();
    while desk.step() {
        let sent = frames(&mut desk);
        for (header, body) in &sent {
            desk.text(PAGE, &shown(header, body.len()));
        }
        all.extend(sent);
    }
    assert!(all.last().unwrap().0.is_finished);
    all
}

/// The size and the pixels of a PNG.
pub(crate) fn decoded(file: &[u8]) -> ([u32; 2], Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ([info.width, info.height], pixels)
}

/// What is on a page that draws these frames.
pub(crate) fn drawn(frames: &Frames) -> Vec<u8> {
    let mut page = Vec::new();
    let mut last = None;
    for (header, body) in frames {
        match header.codec {
            FrameCodec::Png => page = decoded(body).1,
            FrameCodec::Tiles => {
                let changed = ChangedTiles::parse(body).unwrap();
                assert_eq!(Some(changed.base), last);
                draw(&mut page, &changed);
            }
            FrameCodec::Part => panic!("a part of a frame is none"),
        }
        last = Some(header.frame);
    }
    page
}

fn draw(page: &mut [u8], changed: &ChangedTiles<'_>) {
    if changed.tiles.is_empty() {
        assert!(changed.png.is_empty());
        return;
    }
    let ([drawn_width, _], pixels) = decoded(changed.png);
    let [across, down] = changed.tile.map(u32::from);
    let [width, height] = SIZE;
    let (columns, row) = (width.div_ceil(across), drawn_width / across);
    for (place, tile) in (0..).zip(&changed.tiles) {
        let tile = u32::from(*tile);
        for (x, y) in (0..down).flat_map(|y| (0..across).map(move |x| (x, y))) {
            let to = [tile % columns * across + x, tile / columns * down + y];
            let from = [place % row * across + x, place / row * down + y];
            if to[0] < width && to[1] < height {
                let to = 3 * (to[1] * width + to[0]) as usize;
                let from = 3 * (from[1] * drawn_width + from[0]) as usize;
                page[to..to + 3].copy_from_slice(&pixels[from..from + 3]);
            }
        }
    }
}

fn bytes(frames: &Frames) -> usize {
    frames.iter().map(|(_, body)| body.len()).sum()
}

#[test]
fn passes_are_sent_that_have_twice_the_samples_of_the_one_before() {
    let frames = finished(&view(1, &json!({})));
    let passes: Vec<u16> = frames.iter().map(|(header, _)| header.pass).collect();
    assert_eq!(passes, [0, 1, 2, 4, 8, 16]);
    assert_eq!(u32::from(passes[5]), MAX_SAMPLES);
    // Without the page's word each is a picture.
    assert!(
        frames
            .iter()
            .all(|(header, _)| header.codec == FrameCodec::Png)
    );
}

#[test]
fn tiles_that_changed_make_the_same_picture_of_fewer_bytes() {
    let whole = finished(&view(1, &json!({})));
    let partial = finished(&view(1, &json!({"partial": true})));
    let codecs: Vec<FrameCodec> = partial.iter().map(|(header, _)| header.codec).collect();
    assert_eq!(codecs[0], FrameCodec::Png);
    assert_eq!(codecs[2..5], [FrameCodec::Tiles; 3]);
    assert_eq!(drawn(&partial), drawn(&whole));
    let (few, many) = (bytes(&partial), bytes(&whole));
    assert!(few < many, "{few} bytes and {many}");
    // Clicks on such a frame are clicks on the picture.
    let headers = partial.iter().zip(&whole);
    for ((one, _), (other, _)) in headers {
        let codec = other.codec;
        assert_eq!(FrameHeader { codec, ..*one }, *other);
    }
}

#[test]
fn frames_that_are_left_out_change_nothing_of_the_end() {
    let whole = finished(&view(1, &json!({})));
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"partial": true})));
    let mut all = Frames::new();
    loop {
        // Both places are taken until nothing can be done.
        desk.cast();
        let sent = frames(&mut desk);
        let Some((last, _)) = sent.last() else { break };
        let last = last.frame;
        all.extend(sent);
        desk.text(PAGE, &shown(last));
    }
    assert!(all.last().unwrap().0.is_finished);
    assert_eq!(drawn(&all), drawn(&whole));
}

#[test]
fn a_view_that_moves_and_costs_come_whole() {
    for changes in [
        json!({"partial": true, "moving": true}),
        json!({"partial": true, "mode": "cost"}),
    ] {
        let mut desk = Desk::open();
        desk.text(PAGE, &view(1, &changes));
        while desk.step() {
            for (header, _) in frames(&mut desk) {
                assert_eq!(header.codec, FrameCodec::Png);
                desk.text(PAGE, &shown(header.frame));
            }
        }
    }
}

#[test]
fn the_tiles_of_a_view_are_not_drawn_over_another() {
    let mut desk = Desk::open();
    desk.text(PAGE, &view(1, &json!({"partial": true})));
    desk.cast();
    let before = frames(&mut desk);
    assert!(before.len() > 1);
    desk.text(PAGE, &shown(2));
    desk.text(PAGE, &view(2, &json!({"partial": true, "hide": ["crate"]})));
    desk.cast();
    let after = frames(&mut desk);
    assert_eq!((after[0].0.view, after[0].0.codec), (2, FrameCodec::Png));
}
