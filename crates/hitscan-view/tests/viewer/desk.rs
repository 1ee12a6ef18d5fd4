//! A viewer with everything around it that a server is: jobs run as they come, on the test's thread.

use crate::scene::loaded;
use hitscan_view::protocol::FrameHeader;
use hitscan_view::viewer::{Action, CastJob, Event, LoadedScene, PageId, Viewer, ViewerOptions};
use serde_json::Value;

/// A viewer, and the jobs that wait.
pub(crate) struct Desk {
    pub(crate) viewer: Viewer,
    /// Casting jobs that are not run.
    pub(crate) waiting: Vec<CastJob>,
    /// What was sent and not looked at.
    pub(crate) sent: Vec<Sent>,
    clock: std::cell::Cell<u64>,
    /// By how much the clock goes on each time it is looked at, nanoseconds.
    pub(crate) tick_ns: u64,
}

/// What was sent to a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sent {
    Text(PageId, String),
    Frame(PageId, FrameHeader, Vec<u8>),
    Close(PageId, u16, &'static str),
    Reload,
}

pub(crate) const PAGE: PageId = PageId(1);

/// A view of the scene from above the plain.
pub(crate) const VIEW: &str = r#"{"type": "view", "id": 2, "view": 1, "size": [48, 32], "now_ms": 1000, "mode": "picture", "moving": true,
    "camera": {"eye": [20, 12, 26], "look": [8, 2, 8], "fov": 40}}"#;

impl Desk {
    /// A viewer without a page or a scene.
    pub(crate) fn empty() -> Self {
        Self {
            viewer: Viewer::new(ViewerOptions {
                key: None,
                threads: 1,
            }),
            waiting: Vec::new(),
            sent: Vec::new(),
            clock: 0.into(),
            tick_ns: 250,
        }
    }

    /// A viewer with the scene and one page, which has said hello and seen the scene.
    pub(crate) fn open() -> Self {
        Self::with(loaded())
    }

    /// As [`Desk::open`], of another scene.
    pub(crate) fn with(loaded: LoadedScene) -> Self {
        let mut desk = Self::empty();
        desk.event(Event::Loaded(loaded));
        desk.event(Event::Opened(PAGE));
        desk.text(PAGE, r#"{"type": "hello", "id": 1}"#);
        desk.sent.clear();
        desk
    }

    /// Takes in an event, and does what is to be done but for casting.
    pub(crate) fn event(&mut self, event: Event<'_>) {
        for action in self.viewer.handle(event) {
            match action {
                Action::Send(page, text) => self.sent.push(Sent::Text(page, text)),
                Action::SendFrame(page, bytes) => {
                    let (header, picture) = FrameHeader::parse(&bytes).expect("it is a frame");
                    self.sent.push(Sent::Frame(page, header, picture.to_vec()));
                }
                Action::Cast(job) => self.waiting.push(job),
                Action::Answer(job) => {
                    let clock = || {
                        self.clock.set(self.clock.get() + self.tick_ns);
                        self.clock.get()
                    };
                    let answered = job.answer(&clock);
                    self.event(Event::Answered(answered));
                }
                Action::Reload => self.sent.push(Sent::Reload),
                Action::Close(page, code, reason) => {
                    self.sent.push(Sent::Close(page, code, reason));
                }
            }
        }
    }

    pub(crate) fn text(&mut self, page: PageId, text: &str) {
        self.event(Event::Text(page, text));
    }

    /// Runs one casting job; whether there was one.
    pub(crate) fn step(&mut self) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        let job = self.waiting.remove(0);
        self.event(Event::Cast(job.run(), 100));
        true
    }

    /// Runs all casting jobs.
    pub(crate) fn cast(&mut self) {
        while self.step() {}
    }

    /// What was sent since it was last looked at.
    pub(crate) fn take(&mut self) -> Vec<Sent> {
        std::mem::take(&mut self.sent)
    }

    /// Sends a message of the page and returns the one that answers it.
    pub(crate) fn ask(&mut self, text: &str) -> Value {
        self.ask_timed(text).0
    }

    /// As [`Desk::ask`], with the time of the answer where it is sent.
    pub(crate) fn ask_timed(&mut self, text: &str) -> (Value, Option<u64>) {
        self.text(PAGE, text);
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("it is JSON");
        match self.take().as_slice() {
            [Sent::Text(PAGE, answer)] => (read(answer), None),
            [Sent::Text(PAGE, answer), Sent::Text(PAGE, timed)] => {
                let (answer, timed) = (read(answer), read(timed));
                assert_eq!(
                    (&timed["type"], &timed["id"]),
                    (&"timed".into(), &answer["id"])
                );
                (answer, Some(timed["median_ns"].as_u64().expect("a time")))
            }
            other => panic!("one answer to {text}: {other:?}"),
        }
    }

    /// The headers of the frames that were sent to a page since it was last looked at.
    pub(crate) fn frames_of(&mut self, page: PageId) -> Vec<FrameHeader> {
        let header = |sent: Sent| match sent {
            Sent::Frame(to, header, _) if to == page => Some(header),
            _ => None,
        };
        self.take().into_iter().filter_map(header).collect()
    }

    /// The headers of the frames that were sent since it was last looked at, beside which messages may say
    /// that views are cast.
    pub(crate) fn frames(&mut self) -> Vec<FrameHeader> {
        let header = |sent: Sent| match sent {
            Sent::Frame(_, header, _) => Some(header),
            Sent::Text(_, text) if text.starts_with(r#"{"type":"cast""#) => None,
            other => panic!("no frame: {other:?}"),
        };
        self.take().into_iter().filter_map(header).collect()
    }
}
