//! Between the viewer, which decides, and those who do: pages' tasks, casting threads, the loader.
//!
//! Whoever has an event hands it in on its own thread; what the viewer wants done is passed on before the
//! next event is looked at, so that it is done in the viewer's order. Nothing here waits for a page: what
//! does not fit into its queue ends it.

use super::casting::{Casting, Job, Seat};
use crate::limits;
use crate::viewer::{Action, AskJob, CastJob, Event, PageId, Urgency, Viewer};
use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc};

/// How many messages may wait for a page. A page's own messages are left unread while more than half of
/// it is taken, so only one that stopped reading gets here.
pub(super) const QUEUE: usize = 4 * limits::ASKS_IN_FLIGHT;

/// What a page's task is to do.
pub(super) enum Task {
    Send(String),
    SendFrame(Vec<u8>),
    Answer(AskJob),
    Close(u16, &'static str),
}

/// The viewer and its surroundings.
pub(super) struct Hub {
    inner: Mutex<Inner>,
    casting: Arc<Casting>,
    /// Where the loader waits for words to read the scene again.
    reload: SyncSender<()>,
}

struct Inner {
    viewer: Viewer,
    pages: BTreeMap<PageId, Page>,
    next: u64,
}

struct Page {
    tasks: mpsc::Sender<Task>,
    /// Notified when the page's queue is full.
    overflow: Arc<Notify>,
    seat: Seat,
}

/// A page's end of the hub. Where it is dropped, the page is gone.
pub(super) struct Line {
    hub: Arc<Hub>,
    pub(super) page: PageId,
    pub(super) tasks: mpsc::Receiver<Task>,
    pub(super) overflow: Arc<Notify>,
}

impl Hub {
    pub(super) fn new(viewer: Viewer, casting: Arc<Casting>, reload: SyncSender<()>) -> Arc<Self> {
        let inner = Inner {
            viewer,
            pages: BTreeMap::new(),
            next: 0,
        };
        Arc::new(Self {
            inner: Mutex::new(inner),
            casting,
            reload,
        })
    }

    /// Connects a page.
    pub(super) fn open(self: &Arc<Self>) -> Line {
        let (sender, tasks) = mpsc::channel(QUEUE);
        let overflow = Arc::new(Notify::new());
        let mut inner = self.lock();
        inner.next += 1;
        let page = PageId(inner.next);
        let own = Page {
            tasks: sender,
            overflow: Arc::clone(&overflow),
            seat: self.casting.seat(),
        };
        inner.pages.insert(page, own);
        self.handle_locked(&mut inner, Event::Opened(page));
        Line {
            hub: Arc::clone(self),
            page,
            tasks,
            overflow,
        }
    }

    /// Hands in an event.
    pub(super) fn handle(self: &Arc<Self>, event: Event<'_>) {
        self.handle_locked(&mut self.lock(), event);
    }

    fn handle_locked(self: &Arc<Self>, inner: &mut Inner, event: Event<'_>) {
        for action in inner.viewer.handle(event) {
            self.pass_on(&inner.pages, action);
        }
    }

    fn pass_on(self: &Arc<Self>, pages: &BTreeMap<PageId, Page>, action: Action) {
        let give = |page: &PageId, task: Task| {
            if let Some(page) = pages.get(page)
                && let Err(TrySendError::Full(_)) = page.tasks.try_send(task)
            {
                page.overflow.notify_one();
            }
        };
        match action {
            Action::Send(page, text) => give(&page, Task::Send(text)),
            Action::SendFrame(page, bytes) => give(&page, Task::SendFrame(bytes)),
            Action::Answer(job) => give(&job.page(), Task::Answer(job)),
            Action::Close(page, code, reason) => give(&page, Task::Close(code, reason)),
            Action::Cast(job) => {
                if let Some(page) = pages.get(&job.page()) {
                    let hub = Arc::clone(self);
                    page.seat.add(Box::new(Cast { hub, job }));
                }
            }
            // One word waits already where there is no room for another.
            Action::Reload => drop(self.reload.try_send(())),
        }
    }

    /// The viewer is what it was before an event that panicked.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A casting job, whose result goes to the viewer.
struct Cast {
    hub: Arc<Hub>,
    job: CastJob,
}

impl Job for Cast {
    fn urgency(&self) -> Urgency {
        self.job.urgency()
    }

    fn is_wanted(&self) -> bool {
        self.job.is_wanted()
    }

    fn run(self: Box<Self>, pause: &dyn Fn()) {
        let begin = Instant::now();
        let result = self.job.run_in_steps(pause);
        let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.hub.handle(Event::Cast(result, micros));
    }
}

impl Line {
    /// Hands in an event of this page.
    pub(super) fn handle(&self, event: Event<'_>) {
        self.hub.handle(event);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let mut inner = self.hub.lock();
        // The seat goes first, with what it has to do.
        inner.pages.remove(&self.page);
        self.hub.handle_locked(&mut inner, Event::Closed(self.page));
    }
}
