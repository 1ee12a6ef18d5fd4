//! The bandwidth of the line to a page: how coarse a moving picture is, so that its frames come fluently, and
//! how frames are packed.
//!
//! A page reports how long the bytes of a frame took to arrive. What it reports is about its own line,
//! and decides nothing but its own frames: the least it can gain is the coarsest picture, the most the
//! picture of a page that reports nothing.

use super::outgoing::Share;

/// The coarsest moving picture: a ray for each block of so many pixels a side.
pub(super) const COARSEST: u32 = 8;
/// A frame of a moving picture takes so long on the line, microseconds: ten come in a second.
const FRAME_MICROS: f64 = 100_000.0;
/// A finer picture than the last is to take so much of that time, so that two scales do not alternate.
const FINER: f64 = 0.75;
/// How many bytes, the last ones, make up half of the estimate.
const MEMORY_BYTES: f64 = 65_536.0;
/// A frame of fewer bytes is one packet, whose time says nothing.
const PACKET_BYTES: usize = 1_500;
/// A part of a picture at rest takes so long on the line, microseconds: with the one that follows it as long as a
/// frame of a moving picture.
const PART_MICROS: f64 = FRAME_MICROS / 2.0;
/// A part has so many bytes at least, whatever the line: each has a message that answers it.
const LEAST_PART_BYTES: f64 = 4_096.0;
/// The bytes of a part before the line is measured.
const FIRST_PART_BYTES: usize = 1 << 15;
/// A line of fewer bytes a second is slow: what a smaller file saves on it is more than what it costs to make.
const SLOW_BYTES_A_SEC: f64 = 1e6;

/// The estimated bandwidth of a page's line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Bandwidth {
    /// Bytes that arrived, the later ones counting more.
    bytes: f64,
    /// How long they took, microseconds.
    micros: f64,
    /// Bytes of a pixel in the last whole picture in plain light, and in the last of costs.
    bytes_a_pixel: [Option<f64>; 2],
    /// The scale that was chosen last; 0 before the first.
    step: u32,
}

/// A frame, as the line sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Load {
    pub(super) bytes: usize,
    /// Its pixels, where it is a whole picture as moving ones are.
    pub(super) pixels: Option<u64>,
    pub(super) is_cost: bool,
}

/// How a frame's picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// In little time.
    Fast,
    /// In few bytes.
    Small,
}

impl Bandwidth {
    /// So many bytes arrived, and took so long from the first to the last.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn arrived(&mut self, bytes: usize, took_us: u32) {
        if bytes < PACKET_BYTES {
            return;
        }
        let bytes = bytes as f64;
        let kept = MEMORY_BYTES / (MEMORY_BYTES + bytes);
        self.bytes = self.bytes * kept + bytes;
        self.micros = self.micros * kept + f64::from(took_us);
    }

    /// A frame is on the page.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn shown(&mut self, load: &Load) {
        if let Some(pixels) = load.pixels {
            let bytes_a_pixel = load.bytes as f64 / pixels.max(1) as f64;
            self.bytes_a_pixel[usize::from(load.is_cost)] = Some(bytes_a_pixel);
        }
    }

    /// The scale of the next moving picture of this size in pixels, so that the line carries it in time: 1
    /// before the line is measured.
    pub(super) fn step(&mut self, size: [u32; 2], is_cost: bool) -> u32 {
        let bytes_a_pixel = self.bytes_a_pixel[usize::from(is_cost)];
        let bytes_a_pixel = bytes_a_pixel.or(self.bytes_a_pixel[0]).unwrap_or(0.0);
        let fits = |step: &u32| {
            let [width, height] = size.map(|side| f64::from(side.div_ceil(*step)));
            let bytes = width * height * bytes_a_pixel;
            let share = if *step < self.step { FINER } else { 1.0 };
            bytes * self.micros <= FRAME_MICROS * share * self.bytes
        };
        self.step = (1..COARSEST).find(fits).unwrap_or(COARSEST);
        self.step
    }

    /// How much of a picture at rest may be on the line.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and as many as can be where it is infinite"
    )]
    pub(super) fn share(&self) -> Share {
        if self.bytes == 0.0 {
            return Share {
                bytes: FIRST_PART_BYTES,
                parts: 1,
            };
        }
        let bytes = (PART_MICROS * self.bytes / self.micros).max(LEAST_PART_BYTES);
        Share {
            bytes: bytes as usize,
            parts: 2,
        }
    }

    /// Whether the line is so slow that a frame at rest should not wait on it behind another.
    pub(super) fn is_slow(&self) -> bool {
        self.bytes * 1e6 < SLOW_BYTES_A_SEC * self.micros
    }

    /// How the next frame is encoded.
    pub(super) fn packing(&self) -> Packing {
        match self.is_slow() {
            true => Packing::Small,
            false => Packing::Fast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [1280, 720];

    /// A line of so many bits a second, and a page that shows pictures of [`SIZE`] on it.
    struct Page {
        bandwidth: Bandwidth,
        bits: f64,
    }

    impl Page {
        fn new(megabits: f64) -> Self {
            let mut page = Self {
                bandwidth: Bandwidth::default(),
                bits: megabits * 1e6,
            };
            // The picture that it opens with.
            page.frame(1);
            page
        }

        /// A frame of this scale; how long it took, microseconds. Coarse pictures have more bytes for a pixel.
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small numbers that are not negative"
        )]
        fn frame(&mut self, step: u32) -> u32 {
            let pixels = SIZE
                .map(|side| u64::from(side.div_ceil(step)))
                .iter()
                .product();
            let bytes = pixels as f64 * (0.4 + 0.1 * f64::from(step));
            let load = Load {
                bytes: bytes as usize,
                pixels: Some(pixels),
                is_cost: false,
            };
            let took = (bytes * 8e6 / self.bits) as u32;
            self.bandwidth.arrived(load.bytes, took);
            self.bandwidth.shown(&load);
            took
        }

        /// The scales of so many frames of a moving picture, and how long the last took.
        fn moves(&mut self, frames: usize) -> (Vec<u32>, u32) {
            let mut took = 0;
            let frame = |_| {
                let step = self.bandwidth.step(SIZE, false);
                took = self.frame(step);
                step
            };
            let steps = (0..frames).map(frame).collect();
            (steps, took)
        }
    }

    #[test]
    fn frames_take_a_tenth_of_a_second_or_are_as_coarse_as_can_be() {
        for (megabits, scales) in [(1.0, 8..=8), (10.0, 2..=3), (100.0, 1..=1), (1000.0, 1..=1)] {
            let (steps, took) = Page::new(megabits).moves(20);
            assert!(scales.contains(&steps[19]), "{megabits} Mbit/s: {steps:?}");
            assert!(took < 200_000, "{megabits} Mbit/s: {took} us");
            // It keeps to one scale.
            assert!(steps[3..].iter().all(|step| *step == steps[3]), "{steps:?}");
        }
    }

    #[test]
    fn a_line_that_changes_is_followed() {
        let mut page = Page::new(100.0);
        assert_eq!(page.moves(5).0, [1; 5]);
        page.bits = 1e6;
        // One frame comes as it was begun.
        let (steps, _) = page.moves(3);
        assert_eq!((steps[0], steps[2]), (1, 8));
        page.bits = 1e8;
        let (steps, _) = page.moves(40);
        assert_eq!((steps[0], steps[39]), (8, 1));
        assert!(steps.is_sorted_by(|a, b| a >= b), "{steps:?}");
    }

    #[test]
    fn a_page_that_reports_nothing_has_the_finest_picture() {
        let mut none = Bandwidth::default();
        assert_eq!(none.step([2560, 1440], false), 1);
        assert_eq!((none.packing(), none.is_slow()), (Packing::Fast, false));
    }

    #[test]
    fn slow_lines_have_small_files() {
        let packing = |megabits| Page::new(megabits).bandwidth.packing();
        assert_eq!(packing(1.0), Packing::Small);
        assert_eq!(packing(100.0), Packing::Fast);
    }

    #[test]
    fn two_parts_take_a_tenth_of_a_second() {
        let share = |megabits| Page::new(megabits).bandwidth.share();
        for (megabits, bytes) in [(1.0, 6_250), (10.0, 62_500), (100.0, 625_000)] {
            let Share {
                bytes: found,
                parts,
            } = share(megabits);
            assert!(found.abs_diff(bytes) <= 1 && parts == 2, "{found}");
        }
        assert_eq!(share(0.1).bytes, 4_096);
        // Before the first measurement one goes, and a line that takes no time carries all.
        let mut bandwidth = Bandwidth::default();
        assert_eq!(bandwidth.share().parts, 1);
        bandwidth.arrived(4_096, 0);
        assert_eq!(bandwidth.share().bytes, usize::MAX);
    }

    #[test]
    fn small_frames_tell_nothing() {
        let mut page = Page::new(100.0);
        let before = page.bandwidth;
        let empty = Load {
            bytes: 48,
            pixels: None,
            is_cost: false,
        };
        page.bandwidth.arrived(empty.bytes, u32::MAX);
        page.bandwidth.shown(&empty);
        assert_eq!(page.bandwidth, before);
    }

    #[test]
    fn absurd_reports_have_a_scale_and_are_outlived() {
        let load = |bytes| Load {
            bytes,
            pixels: Some(1),
            is_cost: true,
        };
        for took in [0, 1, u32::MAX] {
            let mut page = Page::new(100.0);
            for bytes in [1_500, 1 << 20, 1_500, usize::MAX] {
                page.bandwidth.arrived(bytes, took);
                page.bandwidth.shown(&load(bytes));
                for is_cost in [false, true] {
                    assert!((1..=COARSEST).contains(&page.bandwidth.step(SIZE, is_cost)));
                }
            }
            let (steps, _) = page.moves(100);
            assert_eq!(steps[99], 1, "{took} us");
        }
    }

    #[test]
    fn costs_have_bytes_of_their_own() {
        let mut page = Page::new(10.0);
        let (steps, _) = page.moves(5);
        // Before the first of them they are taken for pictures.
        assert_eq!(page.bandwidth.step(SIZE, true), steps[4]);
        let load = Load {
            bytes: 5_000,
            pixels: Some(100_000),
            is_cost: true,
        };
        page.bandwidth.arrived(load.bytes, 4_000);
        page.bandwidth.shown(&load);
        assert_eq!(page.bandwidth.step(SIZE, true), 1);
        assert_eq!(page.bandwidth.step(SIZE, false), steps[4]);
    }
}
