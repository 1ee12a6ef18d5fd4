//! Work of a picture for any thread: the rays of a tile, or a pass that becomes a frame.

use super::page_id::PageId;
use super::view::View;
use crate::protocol::FrameHeader;
use hitscan_picture::{Film, Image, PaintedTile, Pass, PixelRect};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Work for any thread, at most some milliseconds of it.
///
/// A job whose picture is no longer wanted does nothing when it is run, so that none need be taken
/// out of a queue.
pub struct CastJob {
    page: PageId,
    /// The number of the pass that it is part of.
    pass: u64,
    work: Work,
}

pub(super) enum Work {
    /// Cast the rays of a tile.
    Tile {
        view: Arc<View>,
        pass: Pass,
        rect: PixelRect,
        is_cancelled: Arc<AtomicBool>,
    },
    /// Put the tiles of a pass on the film, and encode the picture where it is to be sent.
    Develop {
        view: Arc<View>,
        pass: Pass,
        /// What the passes before gave; without any the film is empty.
        film: Option<Film>,
        tiles: Vec<PaintedTile>,
        frame: Option<FrameHeader>,
    },
}

/// What came of a job.
pub struct CastResult {
    pub(super) page: PageId,
    pub(super) pass: u64,
    pub(super) made: Made,
}

pub(super) enum Made {
    /// Nothing, as it was not wanted.
    Nothing,
    Tile(PaintedTile),
    /// The film with the pass on it, where more may follow, and the frame.
    Developed(Option<Box<Film>>, Option<Vec<u8>>),
}

impl CastJob {
    pub(super) fn new(page: PageId, pass: u64, work: Work) -> Self {
        Self { page, pass, work }
    }

    /// Whose picture it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Does the work.
    #[must_use]
    pub fn run(self) -> CastResult {
        let made = match self.work {
            Work::Tile { is_cancelled, .. } if is_cancelled.load(Ordering::Relaxed) => {
                Made::Nothing
            }
            Work::Tile {
                view, pass, rect, ..
            } => Made::Tile(view.painter.paint(pass, rect)),
            Work::Develop {
                view,
                pass,
                film,
                tiles,
                frame,
            } => {
                let mut film = film.unwrap_or_else(|| Film::new(&view.painter, pass));
                for tile in tiles {
                    // All are of the pass that the film awaits.
                    let _ = film.add(tile);
                }
                let legend_end = film.legend_end();
                // Nothing follows on the film of a look.
                let (frame, film) = match (pass, frame) {
                    (Pass::Look { .. }, None) => (None, None),
                    (Pass::Look { .. }, Some(header)) => {
                        (encode(header, legend_end, &film.into_image()), None)
                    }
                    (Pass::Sample(_), None) => (None, Some(Box::new(film))),
                    (Pass::Sample(_), Some(header)) => {
                        let frame = encode(header, legend_end, &film.image());
                        (frame, Some(Box::new(film)))
                    }
                };
                Made::Developed(film, frame)
            }
        };
        CastResult {
            page: self.page,
            pass: self.pass,
            made,
        }
    }
}

/// A frame of a picture. A PNG in memory fails for a size alone that no view has.
fn encode(header: FrameHeader, legend_end: u32, image: &Image) -> Option<Vec<u8>> {
    #[expect(clippy::cast_precision_loss, reason = "a legend's end has few digits")]
    let greatest_cost = legend_end as f32;
    let header = FrameHeader {
        greatest_cost,
        ..header
    };
    Some(header.before(&image.to_fast_png().ok()?))
}

impl fmt::Debug for CastJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = match &self.work {
            Work::Tile { rect, .. } => format!("{rect:?}"),
            Work::Develop { pass, .. } => format!("{pass:?}"),
        };
        f.debug_struct("CastJob")
            .field("page", &self.page)
            .field("pass", &self.pass)
            .field("work", &work)
            .finish()
    }
}

impl fmt::Debug for CastResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CastResult")
            .field("page", &self.page)
            .field("pass", &self.pass)
            .finish_non_exhaustive()
    }
}
