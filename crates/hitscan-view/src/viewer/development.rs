//! A pass becomes a frame: its tiles on the film, the film's picture encoded.
//!
//! All of a picture takes tens of milliseconds of one thread, so it is done in steps, between which more
//! urgent jobs may go.

use super::bandwidth::Packing;
use super::changes::{OnPage, TILE};
use super::view::View;
use crate::protocol::{ChangedTiles, FrameCodec, FrameHeader, PictureMode, ViewRequest};
use hitscan_picture::{Error, Film, PaintedTile, Pass, fast_png, small_png};
use std::sync::Arc;

/// How many pixels become sRGB in a step.
const PIXELS: u32 = 1 << 16;
/// By how much codes of a tile may change from one pass that is sent to a later one, but the last, without the
/// tile being sent: less than that is the noise of few samples.
const NOISE: u8 = 16;

/// A pass whose rays are cast.
pub(super) struct Development {
    pub(super) view: Arc<View>,
    pub(super) pass: Pass,
    /// What the passes before gave; without any the film is empty.
    pub(super) film: Option<Film>,
    pub(super) tiles: Vec<PaintedTile>,
    /// What the page shows of this view, with the frame's number and pass.
    pub(super) on_page: Option<(FrameHeader, OnPage)>,
    /// How the frame's picture is encoded.
    pub(super) packing: Packing,
    /// What the frame says, where there is to be one.
    pub(super) frame: Option<FrameHeader>,
}

/// What comes of it.
pub(super) struct Developed {
    /// The film, where more may follow on it.
    pub(super) film: Option<Film>,
    /// What the page shows then, where more may follow on it.
    pub(super) on_page: Option<(FrameHeader, OnPage)>,
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
        let (frame, on_page) = match self.frame {
            Some(header) => {
                let codes = srgb(&film, pause, is_wanted)?;
                let header = with_legend(header, &film);
                let png = |size, codes: &[u8]| match self.packing {
                    Packing::Fast => fast_png(size, codes),
                    Packing::Small => small_png(size, codes, pause),
                };
                match self.on_page {
                    Some(before) => changed(header, before, codes, &png),
                    None => whole(header, &self.view.request, (film.size(), codes), &png),
                }
            }
            None => (None, self.on_page),
        };
        Some(Developed {
            // Nothing follows on the film of a look.
            film: matches!(self.pass, Pass::Sample(_)).then_some(film),
            on_page,
            frame,
        })
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

#[expect(clippy::cast_precision_loss, reason = "a legend's end has few digits")]
fn with_legend(header: FrameHeader, film: &Film) -> FrameHeader {
    FrameHeader {
        greatest_cost: film.legend_end() as f32,
        ..header
    }
}

/// A frame and, where tiles of it may be replaced, what the page shows then. There is none where the encoder
/// fails, which it does for a size alone that no view has.
type Frame = (Option<Vec<u8>>, Option<(FrameHeader, OnPage)>);

/// Encodes a picture of a size and its codes.
type Encode<'a> = &'a dyn Fn([u32; 2], &[u8]) -> Result<Vec<u8>, Error>;

/// A frame that holds all of a picture.
fn whole(
    header: FrameHeader,
    request: &ViewRequest,
    (size, codes): ([u32; 2], Vec<u8>),
    png: Encode<'_>,
) -> Frame {
    let frame = png(size, &codes).ok().map(|png| header.before(&png));
    let is_refined = !request.moving && request.mode == PictureMode::Picture;
    let is_kept = request.partial && is_refined && !header.is_finished;
    let on_page = (is_kept && frame.is_some()).then(|| (header, OnPage::new(size, codes)));
    (frame, on_page)
}

/// A frame that holds what a page does not show yet.
fn changed(
    header: FrameHeader,
    (base, mut on_page): (FrameHeader, OnPage),
    codes: Vec<u8>,
    png: Encode<'_>,
) -> Frame {
    // In the soft light of samples all looks otherwise than in the plain light of a look.
    let tolerance = match header.is_finished || base.pass == 0 {
        true => 0,
        false => NOISE,
    };
    let changes = on_page.take(&codes, tolerance);
    let is_whole = on_page.is_all(&changes);
    let png = match (is_whole, changes.tiles.is_empty()) {
        (true, _) => png(header.size.map(u32::from), &codes),
        (false, true) => Ok(Vec::new()),
        (false, false) => png(changes.size, &changes.codes),
    };
    let frame = png.ok().map(|png| match is_whole {
        true => header.before(&png),
        false => {
            let codec = FrameCodec::Tiles;
            let body = ChangedTiles {
                base: base.frame,
                tile: TILE,
                tiles: changes.tiles,
                png: &png,
            };
            FrameHeader { codec, ..header }.before(&body.to_bytes())
        }
    });
    let on_page = frame.is_some().then_some((header, on_page));
    (frame, on_page)
}
