//! A hundred thousand messages that nobody means well with: no panic, no growth, no harm to others.

use crate::desk::{Desk, PAGE, Sent, VIEW};
use hitscan_view::viewer::{Event, PageId};

/// Numbers that look random: xorshift, from a fixed seed (Marsaglia, "Xorshift RNGs", 2003).
struct Numbers(u64);

impl Numbers {
    /// The numbers of the seed `HITSCAN_SEED`; without it always the same.
    fn seeded() -> Self {
        let seed = std::env::var("HITSCAN_SEED").ok();
        let seed = seed.and_then(|text| text.parse().ok()).unwrap_or(1_u64);
        println!("HITSCAN_SEED={seed}");
        // Any number but 0, and not the same for neighbours.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

const VALID: [&str; 13] = [
    r#"{"type": "ping", "id": 7}"#,
    r#"{"type": "shown", "id": 8, "frame": 1}"#,
    r#"{"type": "ask", "id": 9, "tool": "ray", "question": {"ox": 4, "oy": 20, "oz": 4, "dx": 0, "dy": -1, "dz": 0}}"#,
    r#"{"type": "ask", "id": 10, "tool": "ray", "frame": 1, "pixel": [3, 4]}"#,
    r#"{"type": "ask", "id": 11, "tool": "closest", "question": {"px": 1e30, "py": -0.0, "pz": 4}, "as_of_ms": 10}"#,
    r#"{"type": "ask", "id": 12, "tool": "arc", "question": {"ox": 4, "oy": 20, "oz": 4, "vx": 1e-38, "vy": 3, "vz": 0}}"#,
    r#"{"type": "ask", "id": 13, "tool": "height", "question": {"x": 8.0, "z": "7"}, "options": {"method": "mean", "radius": 3}}"#,
    r#"{"type": "explain", "id": 14, "ask": 9}"#,
    r#"{"type": "visible", "id": 15, "frame": 1, "points": [[1, 2, 3], [4e9, 5, 6]]}"#,
    r#"{"type": "overlay", "id": 16, "boxes": "bounds"}"#,
    r#"{"type": "cancel", "id": 18, "ask": 16}"#,
    r#"{"type": "hello", "id": 17}"#,
    VIEW,
];

/// A message: valid, with a few bytes changed, or garbage.
fn message(numbers: &mut Numbers) -> String {
    let valid = VALID[numbers.below(VALID.len())];
    match numbers.below(4) {
        0 => valid.to_owned(),
        1 | 2 => {
            let mut bytes = valid.as_bytes().to_vec();
            for _ in 0..=numbers.below(3) {
                let place = numbers.below(bytes.len());
                const LIKELY: &[u8] = b"0123456789.-eE\"{}[],: tfnul";
                match numbers.below(3) {
                    0 => bytes[place] = LIKELY[numbers.below(LIKELY.len())],
                    1 => {
                        bytes.remove(place);
                    }
                    _ => bytes.insert(place, LIKELY[numbers.below(LIKELY.len())]),
                }
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => {
            let length = numbers.below(40);
            let bytes: Vec<u8> = (0..length).map(|_| numbers.next() as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
    }
}

#[test]
fn random_messages_harm_nobody() {
    let mut desk = Desk::open();
    // Times are not requested here: each takes so long that it is not measured twice.
    desk.tick_ns = 1_000_000_000;
    let quiet = PageId(2);
    desk.event(Event::Opened(quiet));
    desk.text(quiet, r#"{"type": "hello", "id": 1}"#);
    desk.take();
    let mut numbers = Numbers::seeded();
    let mut page = PAGE;
    let (mut next, mut answers, mut refusals, mut closed) = (10, 0, 0, 0);
    for round in 0..100_000 {
        let text = message(&mut numbers);
        match round % 50 {
            0 => desk.event(Event::Binary(page, text.as_bytes())),
            _ => desk.text(page, &text),
        }
        // Some tiles are cast, and some wait until they are not wanted.
        if round % 7 == 0 {
            desk.step();
        }
        if desk.waiting.len() > 64 {
            desk.cast();
        }
        for sent in desk.take() {
            match sent {
                Sent::Close(_, 1008, _) => {
                    closed += 1;
                    next += 1;
                    page = PageId(next);
                    desk.event(Event::Opened(page));
                    desk.text(page, r#"{"type": "hello", "id": 1}"#);
                }
                Sent::Text(_, text) if text.contains("\"type\":\"refused\"") => refusals += 1,
                Sent::Text(..) => answers += 1,
                Sent::Frame(..) | Sent::Reload => {}
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(
        answers > 20_000 && refusals > 5_000 && closed > 10_000,
        "{answers} {refusals} {closed}"
    );
    // The other page is served as if nothing had been.
    desk.cast();
    desk.take();
    desk.text(quiet, VIEW);
    desk.cast();
    let sent = desk.take();
    assert!(matches!(
        sent[..],
        [Sent::Text(PageId(2), _), Sent::Frame(PageId(2), ..)]
    ));
    // What is kept of a page does not grow with what it says.
    let state = format!("{:?}", desk.viewer);
    assert!(state.len() < 400_000, "{} characters of state", state.len());
}

#[test]
fn equal_events_give_equal_bytes() {
    let run = || {
        let mut desk = Desk::open();
        let mut numbers = Numbers(77);
        let mut all = Vec::new();
        desk.text(PAGE, VIEW);
        for _ in 0..400 {
            // Closing ends the page, so that only what is read is sent.
            let valid = VALID[numbers.below(VALID.len() - 2)];
            desk.text(PAGE, valid);
            desk.cast();
            all.extend(desk.take());
        }
        all
    };
    let (one, other) = (run(), run());
    assert!(one.len() > 300);
    assert!(one == other);
}
