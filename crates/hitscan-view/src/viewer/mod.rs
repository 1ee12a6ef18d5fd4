//! The viewer as a state machine: what happens to it comes in, what is to be done goes out.
//!
//! There is no file, no clock and no thread here: rays are cast and questions answered by whoever
//! runs the jobs, on threads of its own, and the times of poses come with the messages. Equal events
//! give equal actions, to the byte.

mod page_id;
mod page_world;
mod view;
mod changes;
mod outgoing;
mod bandwidth;
mod development;
mod cast_job;
mod sent_frames;
mod pictures;
mod question;
mod ask;
mod event;
mod scene_reply;
mod page;

pub use ask::{Answered, AskJob};
pub use cast_job::{CastJob, CastResult, Urgency};
pub use event::{Action, Deadline, Event, LoadedScene};
pub use page_id::PageId;

use crate::limits;
use crate::protocol::{FieldError, Refusal, Reply, Request, RequestBody, SceneReply, TableRequest};
use ask::Follows;
use outgoing::ReadyFrame;
use page::Page;
use pictures::first_urgency;
use scene_reply::scene_reply;
use std::collections::BTreeMap;

/// The program ends.
const GOING_AWAY: u16 = 1001;
/// What is not the protocol, or exceeds a limit that ends the connection.
const POLICY: u16 = 1008;

/// What is served, and to whom.
#[derive(Debug, Clone, Default)]
pub struct ViewerOptions {
    /// What `hello` must say; `None` where everybody may look.
    pub key: Option<String>,
    /// How many threads run casting jobs.
    pub threads: usize,
}

/// What all pages see and do.
#[derive(Debug, Default)]
pub struct Viewer {
    options: ViewerOptions,
    loaded: Option<LoadedScene>,
    /// The scene as pages list it.
    listed: Option<SceneReply>,
    /// Why there is no scene, or how far it is.
    loading: Option<Reply>,
    pages: BTreeMap<PageId, Page>,
}

impl Viewer {
    /// A viewer without a scene or a page.
    #[must_use]
    pub fn new(options: ViewerOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Takes in what happened, and returns what is to be done, in order.
    #[must_use]
    pub fn handle(&mut self, event: Event<'_>) -> Vec<Action> {
        match event {
            Event::Opened(page) => self.open(page),
            Event::Text(page, text) => self.text(page, text),
            Event::Binary(page, bytes) => self.binary(page, bytes),
            Event::Closed(page) => self.close(page),
            Event::Overdue(page, deadline) => self.overdue(page, deadline),
            Event::Loading { file, done } => self.report(Reply::Loading {
                id: None,
                file,
                done,
            }),
            Event::Loaded(loaded) => self.load(loaded),
            Event::Failed(message) => self.report(Reply::Failed {
                message,
                keeps: self.loaded.is_some(),
            }),
            Event::Cast(result, micros) => {
                let CastResult {
                    page: id,
                    pass,
                    made,
                } = result;
                let Some(page) = self.pages.get_mut(&id) else {
                    return Vec::new();
                };
                let mut actions = send_frames(id, page.pictures.take(pass, made, micros));
                actions.extend(page.begin());
                actions
            }
            Event::Answered(answered) => self.answered(answered),
            Event::Ending => {
                let bye = Reply::Bye {
                    reason: "the program ends".to_owned(),
                };
                let bye = bye.to_json();
                let pages = std::mem::take(&mut self.pages).into_iter();
                let end = |(page, mut gone): (PageId, Page)| {
                    gone.end();
                    let reason = "the program ends";
                    let close = Action::Close(page, GOING_AWAY, reason);
                    [Action::Send(page, bye.clone()), close]
                };
                pages.flat_map(end).collect()
            }
        }
    }

    /// Sends an answer, and has it timed then.
    fn answered(&mut self, answered: Answered) -> Vec<Action> {
        let Answered {
            page: id,
            cancel,
            text,
            follows,
        } = answered;
        let Some(page) = self.pages.get_mut(&id) else {
            return Vec::new();
        };
        let timing = match follows {
            Follows::Answered(timing) => timing.map(Action::Answer),
            Follows::Timed => None,
        };
        if !page.answered(&cancel, timing.is_some()) {
            return Vec::new();
        }
        let answer = Action::Send(id, text);
        [answer].into_iter().chain(timing).collect()
    }

    fn open(&mut self, page: PageId) -> Vec<Action> {
        if self.pages.len() >= limits::PAGES {
            let refusal = Refusal::new("hello", "one more page", "at most 8 pages at once");
            let refused = Reply::Refused(*refusal.by("PAGES")).to_json();
            let close = Action::Close(page, POLICY, "PAGES");
            return vec![Action::Send(page, refused), close];
        }
        self.pages.insert(page, Page::new(page));
        Vec::new()
    }

    fn close(&mut self, page: PageId) -> Vec<Action> {
        if let Some(mut page) = self.pages.remove(&page) {
            page.end();
        }
        Vec::new()
    }

    /// Ends a connection for its fault.
    fn shut(&mut self, page: PageId, reason: &'static str) -> Vec<Action> {
        let mut actions = self.close(page);
        actions.push(Action::Close(page, POLICY, reason));
        actions
    }

    fn overdue(&mut self, page: PageId, deadline: Deadline) -> Vec<Action> {
        let has_said_hello = self.pages.get(&page).map(|page| page.is_greeted);
        match (deadline, has_said_hello) {
            (Deadline::Hello, Some(false)) => self.shut(page, "HELLO_SECS"),
            (Deadline::Silence, Some(_)) => self.shut(page, "SILENT_SECS"),
            _ => Vec::new(),
        }
    }

    /// Reports to pages how far the scene is loaded, or why there is none.
    fn report(&mut self, reply: Reply) -> Vec<Action> {
        let text = reply.to_json();
        self.loading = Some(reply);
        let greeted = self.pages.iter().filter(|(_, page)| page.is_greeted);
        greeted
            .map(|(&page, _)| Action::Send(page, text.clone()))
            .collect()
    }

    fn load(&mut self, loaded: LoadedScene) -> Vec<Action> {
        let listed = scene_reply(&loaded);
        let text = Reply::Scene(Box::new(listed.clone())).to_json();
        self.listed = Some(listed);
        self.loading = None;
        let mut actions = Vec::new();
        for (&id, page) in &mut self.pages {
            page.load(&loaded);
            if page.is_greeted {
                actions.push(Action::Send(id, text.clone()));
            }
        }
        self.loaded = Some(loaded);
        actions
    }

    fn text(&mut self, id: PageId, text: &str) -> Vec<Action> {
        let Some(page) = self.pages.get(&id) else {
            return Vec::new();
        };
        if text.len() > limits::CONTROL_BYTES {
            return self.shut(id, "CONTROL_BYTES");
        }
        let request = match Request::parse(text) {
            Ok(request) => request,
            Err(refusal) if refusal.id.is_none() => return self.shut(id, "protocol"),
            Err(_) if !page.is_greeted => return self.shut(id, "protocol"),
            Err(refusal) => return vec![refused(id, refusal)],
        };
        let is_hello = matches!(request.body, RequestBody::Hello { .. });
        if is_hello == page.is_greeted {
            return self.shut(id, "protocol");
        }
        match self.request(id, request.id, request.body) {
            Ok(actions) => actions,
            Err(refusal) => vec![refused(id, refusal.of(request.id))],
        }
    }

    fn request(
        &mut self,
        id: PageId,
        number: u32,
        body: RequestBody,
    ) -> Result<Vec<Action>, FieldError> {
        let threads = match &body {
            RequestBody::View(view) => self.threads_for(id, first_urgency(view)),
            _ => 0.0,
        };
        let Some(page) = self.pages.get_mut(&id) else {
            return Ok(Vec::new());
        };
        match body {
            RequestBody::Hello { key } => Ok(self.hello(id, number, key.as_deref())),
            RequestBody::View(view) => {
                page.look(&view, threads)?;
                Ok(page.begin())
            }
            RequestBody::Shown { frame, took_us } => {
                page.pictures.shown(frame, took_us)?;
                Ok(page.begin())
            }
            RequestBody::Received {
                frame,
                end,
                took_us,
            } => {
                let ready = page.pictures.frames.received(frame, end, took_us)?;
                Ok(send_frames(id, ready))
            }
            RequestBody::Ask(ask) => page.ask(number, ask),
            RequestBody::Explain { ask, expect } => page.explain(number, ask, expect),
            RequestBody::Cancel { ask } => Ok(page.cancel(ask)),
            RequestBody::Visible { frame, points } => page.visible(number, frame, points),
            RequestBody::Overlay(overlay) => page.overlay(number, &overlay),
            RequestBody::Wireframe { object, place } => page.wireframe(number, &object, place),
            RequestBody::Reload => Ok(vec![Action::Reload]),
            RequestBody::Ping => {
                let pong = Reply::Pong { id: number };
                Ok(vec![Action::Send(id, pong.to_json())])
            }
        }
    }

    fn hello(&mut self, id: PageId, number: u32, key: Option<&str>) -> Vec<Action> {
        if let Some(wanted) = &self.options.key
            && !is_same_key(wanted, key.unwrap_or(""))
        {
            let refusal = Refusal::new(
                "key",
                "another key",
                "the key of the address that hitscan view printed",
            );
            let refusal = refused(id, refusal.of(number));
            let mut actions = vec![refusal];
            actions.extend(self.shut(id, "key"));
            return actions;
        }
        let Some(page) = self.pages.get_mut(&id) else {
            return Vec::new();
        };
        page.is_greeted = true;
        let mut actions = Vec::new();
        if let Some(reply) = &self.loading {
            actions.push(Action::Send(id, reply.to_json()));
        }
        if let (Some(loaded), Some(listed)) = (&self.loaded, &self.listed) {
            page.load(loaded);
            let scene = Box::new(SceneReply {
                id: Some(number),
                ..listed.clone()
            });
            actions.push(Action::Send(id, Reply::Scene(scene).to_json()));
        }
        actions
    }

    fn binary(&mut self, id: PageId, bytes: &[u8]) -> Vec<Action> {
        let Some(page) = self.pages.get_mut(&id) else {
            return Vec::new();
        };
        if !page.is_greeted {
            return self.shut(id, "protocol");
        }
        if bytes.len() > limits::TABLE_BYTES {
            return self.shut(id, "TABLE_BYTES");
        }
        let request = match TableRequest::parse(bytes) {
            Ok(request) => request,
            Err(refusal) if refusal.id.is_none() => return self.shut(id, "protocol"),
            Err(refusal) => return vec![refused(id, refusal)],
        };
        let number = request.id;
        match page.table(request) {
            Ok(actions) => actions,
            Err(refusal) => vec![refused(id, refusal.of(number))],
        }
    }

    /// How many threads cast for a page, if the busy ones that do not wait for it share them.
    #[expect(
        clippy::cast_precision_loss,
        reason = "there are few pages and threads"
    )]
    fn threads_for(&self, page: PageId, urgency: Urgency) -> f64 {
        let others = self.pages.iter().filter(|(id, _)| **id != page);
        let casts = |other: &Page| other.pictures.casts() >= Some(urgency);
        let busy = others.filter(|(_, other)| casts(other)).count();
        self.options.threads.max(1) as f64 / (busy + 1) as f64
    }
}

/// Sends frames, each behind the word that it comes where the page wants that.
fn send_frames(page: PageId, ready: Vec<ReadyFrame>) -> Vec<Action> {
    let send = |ReadyFrame { announced, bytes }| {
        let word = announced.map(|frame| Reply::Sending { frame }.to_json());
        let word = word.map(|word| Action::Send(page, word));
        word.into_iter().chain([Action::SendFrame(page, bytes)])
    };
    ready.into_iter().flat_map(send).collect()
}

fn refused(page: PageId, refusal: Refusal) -> Action {
    Action::Send(page, Reply::Refused(refusal).to_json())
}

/// Whether two keys are the same, in a time that does not depend on where they differ.
fn is_same_key(wanted: &str, found: &str) -> bool {
    let pairs = wanted.bytes().zip(found.bytes());
    let difference = pairs.fold(0, |all, (one, other)| all | (one ^ other));
    wanted.len() == found.len() && difference == 0
}
