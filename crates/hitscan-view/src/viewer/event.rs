//! Events that the viewer receives, and the actions that it returns.

use super::ask::{Answered, AskJob};
use super::cast_job::{CastJob, CastResult};
use super::page_id::PageId;
use crate::protocol::SceneSource;
use hitscan_assets::Scene;
use std::fmt;

/// What happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// A page is connected.
    Opened(PageId),
    /// It sent text.
    Text(PageId, &'a str),
    /// It sent bytes.
    Binary(PageId, &'a [u8]),
    /// It is gone.
    Closed(PageId),
    /// A time is over that a page had.
    Overdue(PageId, Deadline),
    /// The scene is being read.
    Loading {
        /// The file that is read.
        file: Option<String>,
        /// The fraction that is done, from 0 to 1.
        done: f64,
    },
    /// The scene is read, at first or again.
    Loaded(LoadedScene),
    /// It cannot be read: the message as on standard error.
    Failed(String),
    /// A casting job is done, and how long it took, microseconds.
    Cast(CastResult, u64),
    /// A question is answered.
    Answered(Answered),
    /// The program ends.
    Ending,
}

/// What a page did not do in time: [`limits::HELLO_SECS`](crate::limits::HELLO_SECS) and
/// [`limits::SILENT_SECS`](crate::limits::SILENT_SECS).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// Since it was opened.
    Hello,
    /// Since its last message, a pong of the socket included.
    Silence,
}

/// A scene and what to call it.
#[derive(Debug, Clone)]
pub struct LoadedScene {
    /// The scene.
    pub scene: Scene,
    /// What links call it: the file's name without folder, `demo` for the built-in one.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What a command elsewhere reads it from.
    pub source: SceneSource,
    /// What pages should say beside the scene's own notes: that a map states no spacing, say.
    pub notes: Vec<String>,
}

/// What the server is to do.
pub enum Action {
    /// Send text.
    Send(PageId, String),
    /// Send bytes: a frame, or a part of one.
    SendFrame(PageId, Vec<u8>),
    /// Run a job on any thread, and hand in [`Event::Cast`]: the most urgent first
    /// ([`CastJob::urgency`]), of equal ones those of several pages in turn and those of one in order.
    /// Jobs that are no longer wanted do nothing when they are run, and may be dropped, as may those of a
    /// page that is closed.
    Cast(CastJob),
    /// Answer on the connection's own task, behind no casting job and after what is to be sent before,
    /// and hand in [`Event::Answered`].
    Answer(AskJob),
    /// Read the scene's files again.
    Reload,
    /// Close the connection, after what was to be sent, with this code and reason.
    Close(PageId, u16, &'static str),
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send(page, text) => f.debug_tuple("Send").field(page).field(text).finish(),
            Self::SendFrame(page, bytes) => {
                let length = bytes.len();
                f.debug_tuple("SendFrame")
                    .field(page)
                    .field(&length)
                    .finish()
            }
            Self::Cast(job) => f.debug_tuple("Cast").field(&job.page()).finish(),
            Self::Answer(job) => f.debug_tuple("Answer").field(&job.page()).finish(),
            Self::Reload => f.write_str("Reload"),
            Self::Close(page, code, reason) => {
                let mut tuple = f.debug_tuple("Close");
                tuple.field(page).field(code).field(reason).finish()
            }
        }
    }
}
