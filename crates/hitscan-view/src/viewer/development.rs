//! A pass becomes a frame: its tiles on the film, the film's picture encoded.
//!
//! All of a picture takes tens of milliseconds of one thread, so it is done in steps, between which more
//! urgent jobs may go.

use super::view::View;
use crate::protocol::FrameHeader;
use hitscan_picture::{Film, PaintedTile, Pass, fast_png};
use std::sync::Arc;

/// How many pixels become sRGB in a step.
const PIXELS: u32 = 1 << 16;

/// A pass whose rays are cast.
pub(super) struct Development {
    pub(super) view: Arc<View>,
    pub(super) pass: Pass,
    /// What the passes before gave; without any the film is empty.
    pub(super) film: Option<Film>,
    pub(super) tiles: Vec<PaintedTile>,
    /// What the frame says, where there is to be one.
    pub(super) frame: Option<FrameHeader>,
}

/// What comes of it.
pub(super) struct Developed {
    /// The film, where more may follow on it.
    pub(super) film: Option<Film>,
    pub(super) frame: Option<Vec<u8>>,
}

impl Development {
    /// Does it; `None` where it is no longer wanted, which is looked at after each call of `pause`.
    pub(super) fn run(self, pause: &dyn Fn(), is_wanted: &dyn Fn() -> bool) -> Option<Developed> {
        let mut film = self
            .film
            .unwrap_or_else(|| Film::new(&self.view.painter, self.pass));
        for tile in self.tiles {
            // All are of the pass that the film awaits.
            let _ = film.add_in_steps(tile, pause);
        }
        let frame = match self.frame {
            Some(header) => {
                let codes = srgb(&film, pause, is_wanted)?;
                encode(header, &film, &codes)
            }
            None => None,
        };
        // Nothing follows on the film of a look.
        let film = matches!(self.pass, Pass::Sample(_)).then_some(film);
        Some(Developed { film, frame })
    }
}

/// A film's picture as sRGB.
fn srgb(film: &Film, pause: &dyn Fn(), is_wanted: &dyn Fn() -> bool) -> Option<Vec<u8>> {
    let [width, height] = film.size();
    let mut codes = Vec::with_capacity(3 * width as usize * height as usize);
    let rows = (PIXELS / width.max(1)).max(1);
    for first in (0..height).step_by(rows as usize) {
        codes.extend(film.srgb_rows(first..height.min(first + rows)));
        pause();
        if !is_wanted() {
            return None;
        }
    }
    Some(codes)
}

/// A frame of a film's picture. A PNG in memory fails for a size alone that no view has.
fn encode(header: FrameHeader, film: &Film, codes: &[u8]) -> Option<Vec<u8>> {
    #[expect(clippy::cast_precision_loss, reason = "a legend's end has few digits")]
    let greatest_cost = film.legend_end() as f32;
    let header = FrameHeader {
        greatest_cost,
        ..header
    };
    Some(header.before(&fast_png(film.size(), codes).ok()?))
}
