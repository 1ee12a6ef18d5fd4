//! One page: what it sees, which frames are under way, which questions are open.

use super::ask::{
    Ask, AskJob, AskWork, Expected, OverlayQuestion, PairsQuestion, SightQuestion, TableQuestion,
    ToolSettings, ViewshedQuestion, ViewshedSlot, WireframeQuestion, overlap_test,
};
use super::event::{Action, LoadedScene};
use super::page_id::PageId;
use super::page_world::{Earlier, PageWorld, SeenWorld};
use super::pictures::{Begun, Pictures};
use super::question::{pixel_question, with_filter};
use super::view::View;
use crate::limits;
use crate::protocol::{
    AskRequest, Asked, FieldError, OverlayRequest, PictureMode, Refusal, Reply, TableRequest, Tool,
    ViewRequest, When, WireframePlace,
};
use hitscan_assets::Scene;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A question that is being answered.
#[derive(Debug)]
struct OpenAsk {
    id: u32,
    /// That of its job.
    cancel: Arc<AtomicBool>,
    state: AskState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AskState {
    /// The page waits for the answer.
    Wanted,
    /// The page does not wait any more, and the job is not over.
    Cancelled,
    /// It is answered, and the answer is being timed.
    Timed,
}

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    id: PageId,
    /// Whether it has said `hello`.
    pub(super) is_greeted: bool,
    /// The scene as the page sees it; `None` until it is loaded.
    seen: Option<(Scene, PageWorld)>,
    /// The last view.
    view: Option<Arc<View>>,
    pub(super) pictures: Pictures,
    open: Vec<OpenAsk>,
    asks: VecDeque<Arc<Ask>>,
    /// The last viewsheds, by the ids of their asks.
    viewsheds: VecDeque<(u32, ViewshedSlot)>,
    /// What was there before the ask that was explained last, which the history drops in time.
    earlier: Option<(Arc<Ask>, Arc<[Earlier]>)>,
}

impl Page {
    pub(super) fn new(id: PageId) -> Self {
        Self {
            id,
            is_greeted: false,
            seen: None,
            view: None,
            pictures: Pictures::new(id),
            open: Vec::new(),
            asks: VecDeque::new(),
            viewsheds: VecDeque::new(),
            earlier: None,
        }
    }

    /// Begins anew with a scene.
    pub(super) fn load(&mut self, loaded: &LoadedScene) {
        let scene = loaded.scene.clone();
        let world = PageWorld::new(&scene);
        self.seen = Some((scene, world));
        self.view = None;
        self.pictures.reload();
        self.asks.clear();
        self.viewsheds.clear();
        self.earlier = None;
    }

    /// Takes a view in place of the one before. `threads` is how many cast for this page.
    pub(super) fn look(&mut self, request: &ViewRequest, threads: f64) -> Result<(), FieldError> {
        let (scene, world) = self.seen.as_mut().ok_or_else(not_loaded)?;
        let last = self.view.as_ref().map(|view| view.request.number);
        if let Some(last) = last.filter(|&last| request.number <= last) {
            let found = request.number.to_string();
            return Err(Refusal::new("view", found, format!("more than {last}")));
        }
        // What can be refused is refused before the world is posed.
        View::check(request, scene)?;
        let mut snapshot = world.pose(scene, &request.poses, request.number, request.now_ms)?;
        if request.mode == PictureMode::Cost && !request.moving {
            snapshot = PageWorld::anew(scene, &request.poses)?;
        }
        let kept = self.viewsheds.iter();
        let mut kept = kept.filter(|(id, _)| Some(*id) == request.viewshed);
        let tint = kept
            .next()
            .and_then(|(_, viewshed)| viewshed.get().cloned());
        let view = View::new(request, &scene.with_now(snapshot), tint)?;
        let view = Arc::new(view);
        self.view = Some(Arc::clone(&view));
        self.pictures.look(view, threads);
        Ok(())
    }

    /// What can be begun.
    pub(super) fn begin(&mut self) -> Vec<Action> {
        let Begun { jobs, cast } = self.pictures.begin();
        let notice = cast.map(|view| Action::Send(self.id, Reply::Cast { view }.to_json()));
        notice
            .into_iter()
            .chain(jobs.into_iter().map(Action::Cast))
            .collect()
    }

    /// Opens a question, and keeps it.
    pub(super) fn ask(&mut self, id: u32, request: AskRequest) -> Result<Vec<Action>, FieldError> {
        let (scene, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        self.check_room()?;
        let wanted = |when: &When| match when {
            When::Ago(ago_ms) => Ok::<_, FieldError>(world.as_of(*ago_ms)),
            When::Stated(asked) => {
                let snapshot = PageWorld::stated(scene, asked)?;
                Ok(SeenWorld::of_view(snapshot, None))
            }
        };
        if request.is_of_pairs() {
            let seen = wanted(&request.when)?;
            let question = PairsQuestion {
                test: overlap_test(request.options)?,
                scene: scene.with_now(seen.snapshot.clone()),
                seen,
            };
            return Ok(self.open(id, AskWork::Pairs(question)));
        }
        if request.tool == Tool::Viewshed {
            let seen = wanted(&request.when)?;
            return self.viewshed(id, request, seen);
        }
        let settings = ToolSettings::read(request.tool, request.options)?;
        // A question that is repeated on its own world has the filter of its own view.
        let is_stated = matches!(request.when, When::Stated(_));
        let (columns, seen, view) = match request.what {
            Asked::Columns(columns) => (columns, wanted(&request.when)?, self.view.as_ref()),
            Asked::Pixel { frame, pixel } => {
                let shown = self.pictures.frames.get(frame)?;
                let columns = pixel_question(shown, pixel, request.tool)?;
                let seen = match request.when {
                    When::Ago(0) => {
                        let snapshot = shown.view.scene.now().clone();
                        SeenWorld::of_view(snapshot, Some(shown.view.request.number))
                    }
                    ref when => wanted(when)?,
                };
                (columns, seen, Some(&shown.view))
            }
        };
        let question = match view.filter(|_| !is_stated) {
            Some(view) => with_filter(columns, &view.request),
            None => columns,
        };
        let ask = Arc::new(Ask {
            id,
            tool: request.tool,
            settings,
            question,
            scene: scene.with_now(seen.snapshot.clone()),
            seen,
        });
        self.asks.push_back(Arc::clone(&ask));
        while self.asks.len() > limits::ASKS_KEPT {
            self.asks.pop_front();
        }
        Ok(self.open(id, AskWork::Ask(ask)))
    }

    /// Opens the question what an eye sees of a terrain, and keeps what will be answered.
    fn viewshed(
        &mut self,
        id: u32,
        request: AskRequest,
        seen: SeenWorld,
    ) -> Result<Vec<Action>, FieldError> {
        let (scene, _) = self.seen.as_ref().ok_or_else(not_loaded)?;
        let is_stated = matches!(request.when, When::Stated(_));
        let view = self.view.as_ref().filter(|_| !is_stated);
        let scene = scene.with_now(seen.snapshot.clone());
        let question = ViewshedQuestion::new(request, view.map(|view| &view.request), scene, seen)?;
        self.viewsheds.push_back((id, question.slot()));
        if self.viewsheds.len() > limits::VIEWSHEDS_KEPT {
            self.viewsheds.pop_front();
        }
        Ok(self.open(id, AskWork::Viewshed(Box::new(question))))
    }

    /// Opens the question why an answer is the answer, or why it is not what was expected.
    pub(super) fn explain(
        &mut self,
        id: u32,
        ask: u32,
        expect: Option<String>,
    ) -> Result<Vec<Action>, FieldError> {
        self.check_room()?;
        let kept = self.asks.iter().rev().find(|kept| kept.id == ask);
        let kept = kept.ok_or_else(|| {
            let expected = format!("one of the last {} asks", limits::ASKS_KEPT);
            Refusal::new("ask", ask.to_string(), expected)
        })?;
        let kept = Arc::clone(kept);
        let (_, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        let earlier = match &self.earlier {
            Some((of, earlier)) if Arc::ptr_eq(of, &kept) => Arc::clone(earlier),
            _ => Arc::from(world.before(&kept.seen)),
        };
        self.earlier = Some((Arc::clone(&kept), Arc::clone(&earlier)));
        let Some(name) = expect else {
            return Ok(self.open(id, AskWork::Explain(kept)));
        };
        let expected = Expected::new(kept, &name, earlier)?;
        Ok(self.open(id, AskWork::Expect(expected)))
    }

    /// Opens the question which points are seen.
    pub(super) fn visible(
        &mut self,
        id: u32,
        frame: u32,
        points: Vec<[f64; 3]>,
    ) -> Result<Vec<Action>, FieldError> {
        self.check_room()?;
        let shown = self.pictures.frames.get(frame)?.clone();
        Ok(self.open(id, AskWork::Visible(SightQuestion { shown, points })))
    }

    /// Opens the question which boxes there are.
    pub(super) fn overlay(
        &mut self,
        id: u32,
        request: &OverlayRequest,
    ) -> Result<Vec<Action>, FieldError> {
        self.check_room()?;
        let (scene, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        let object =
            match &request.object {
                None => None,
                Some(name) => Some(scene.object_named(name).ok_or_else(|| {
                    Refusal::new("object", name.clone(), "the name of an object")
                })?),
            };
        let question = OverlayQuestion {
            scene: scene.with_now(world.now().snapshot),
            boxes: request.boxes,
            object,
            level: request.level,
        };
        Ok(self.open(id, AskWork::Overlay(question)))
    }

    /// Opens the question which lines an object has.
    pub(super) fn wireframe(
        &mut self,
        id: u32,
        object: &str,
        place: WireframePlace,
    ) -> Result<Vec<Action>, FieldError> {
        self.check_room()?;
        let (scene, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        let world = world.now().snapshot;
        let question = WireframeQuestion::new(scene.object_named(object), world, place)
            .ok_or_else(|| Refusal::new("object", object, place.expected()))?;
        Ok(self.open(id, AskWork::Wireframe(question)))
    }

    /// Opens a table of questions.
    pub(super) fn table(&mut self, request: TableRequest) -> Result<Vec<Action>, FieldError> {
        self.check_room()?;
        let (scene, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        let (id, scene) = (request.id, scene.with_now(world.now().snapshot));
        let question = Box::new(TableQuestion { request, scene });
        Ok(self.open(id, AskWork::Table(question)))
    }

    /// The job with this flag is over, and perhaps one follows that times it. Whether its text is wanted.
    pub(super) fn answered(&mut self, cancel: &Arc<AtomicBool>, is_timed: bool) -> bool {
        let place = self
            .open
            .iter()
            .position(|open| Arc::ptr_eq(&open.cancel, cancel));
        let Some(place) = place else {
            return false;
        };
        let is_wanted = self.open[place].state != AskState::Cancelled;
        match is_wanted && is_timed {
            true => self.open[place].state = AskState::Timed,
            false => drop(self.open.remove(place)),
        }
        is_wanted
    }

    /// Ends a question that is not answered yet, and says so.
    pub(super) fn cancel(&mut self, ask: u32) -> Vec<Action> {
        let is_it = |open: &&mut OpenAsk| open.id == ask && open.state == AskState::Wanted;
        let Some(open) = self.open.iter_mut().find(is_it) else {
            return Vec::new();
        };
        open.state = AskState::Cancelled;
        open.cancel.store(true, Ordering::Relaxed);
        let cancelled = Reply::Cancelled { id: ask };
        vec![Action::Send(self.id, cancelled.to_json())]
    }

    /// Ends all that is done for the page.
    pub(super) fn end(&mut self) {
        self.pictures.stop();
        for open in self.open.drain(..) {
            open.cancel.store(true, Ordering::Relaxed);
        }
    }

    fn check_room(&self) -> Result<(), FieldError> {
        let is_asked = |open: &&OpenAsk| open.state != AskState::Timed;
        let open = self.open.iter().filter(is_asked).count();
        if open < limits::ASKS_IN_FLIGHT {
            return Ok(());
        }
        let found = format!("{open} open questions");
        let expected = format!("at most {}", limits::ASKS_IN_FLIGHT);
        Err(Refusal::new("id", found, expected).by("ASKS_IN_FLIGHT"))
    }

    fn open(&mut self, id: u32, work: AskWork) -> Vec<Action> {
        let cancel = Arc::new(AtomicBool::new(false));
        self.open.push(OpenAsk {
            id,
            cancel: Arc::clone(&cancel),
            state: AskState::Wanted,
        });
        vec![Action::Answer(AskJob::new(self.id, id, cancel, work))]
    }
}

fn not_loaded() -> FieldError {
    Refusal::new("type", "a message before the scene", "`scene` first")
}
