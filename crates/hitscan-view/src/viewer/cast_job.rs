//! Work of a picture for any thread: the rays of a tile, or a pass that becomes a frame.

use super::development::{Developed, Development};
use super::page_id::PageId;
use super::view::View;
use hitscan_picture::{PaintedTile, Pass, PixelRect};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which jobs go before others, whosever they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// What makes a picture at rest finer.
    Refinement,
    /// The first look at a view at rest.
    FirstLook,
    /// A view that moves.
    Motion,
}

/// Work for any thread, in steps of at most some milliseconds.
///
/// A job whose picture is no longer wanted does nothing when it is run, so that none need be taken
/// out of a queue.
pub struct CastJob {
    page: PageId,
    /// What it is part of.
    pass: PassJobs,
    work: Work,
}

/// What the jobs of a pass have in common.
#[derive(Clone)]
pub(super) struct PassJobs {
    pub(super) number: u64,
    pub(super) urgency: Urgency,
    pub(super) is_cancelled: Arc<AtomicBool>,
}

impl PassJobs {
    fn is_wanted(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Nothing that is left to do of the pass is wanted.
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

pub(super) enum Work {
    /// Cast the rays of a tile.
    Tile {
        view: Arc<View>,
        pass: Pass,
        rect: PixelRect,
    },
    /// Put the tiles of a pass on the film, and encode the picture where it is to be sent.
    Develop(Box<Development>),
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
    Developed(Box<Developed>),
}

impl CastJob {
    pub(super) fn new(page: PageId, pass: &PassJobs, work: Work) -> Self {
        Self {
            page,
            pass: pass.clone(),
            work,
        }
    }

    /// Whose picture it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Before which jobs it goes.
    #[must_use]
    pub fn urgency(&self) -> Urgency {
        self.pass.urgency
    }

    /// Whether anything is left to do: its picture is still wanted.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.pass.is_wanted()
    }

    /// Does the work at one go.
    #[must_use]
    pub fn run(self) -> CastResult {
        self.run_in_steps(&|| ())
    }

    /// Does the work; `pause` is called between its steps, where what is more urgent may be done.
    #[must_use]
    pub fn run_in_steps(self, pause: &dyn Fn()) -> CastResult {
        let of_pass = self.pass;
        let made = match self.work {
            _ if !of_pass.is_wanted() => Made::Nothing,
            Work::Tile { view, pass, rect } => Made::Tile(view.painter.paint(pass, rect)),
            Work::Develop(development) => development
                .run(pause, &|| of_pass.is_wanted())
                .map_or(Made::Nothing, |made| Made::Developed(Box::new(made))),
        };
        CastResult {
            page: self.page,
            pass: of_pass.number,
            made,
        }
    }
}

impl fmt::Debug for CastJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = match &self.work {
            Work::Tile { rect, .. } => format!("{rect:?}"),
            Work::Develop(development) => format!("{:?}", development.pass),
        };
        f.debug_struct("CastJob")
            .field("page", &self.page)
            .field("pass", &self.pass.number)
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
