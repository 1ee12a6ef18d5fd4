//! One page: what it sees, which frames are under way, which questions are open.

use super::ask_job::{Ask, AskJob, AskWork};
use super::event::{Action, LoadedScene, PageId};
use super::page_world::PageWorld;
use super::pictures::{Pictures, Shown};
use super::tool_settings::ToolSettings;
use super::view::View;
use crate::limits;
use crate::protocol::{AskRequest, Asked, FieldError, Refusal, Tool, ViewRequest};
use hitscan_assets::Scene;
use std::collections::VecDeque;
use std::sync::Arc;

/// A page.
#[derive(Debug)]
pub(super) struct Page {
    /// The number of its `hello`.
    pub(super) hello: Option<u32>,
    /// The scene as the page sees it; `None` until it is loaded.
    seen: Option<(Scene, PageWorld)>,
    last_view: Option<u32>,
    pub(super) pictures: Pictures,
    open_asks: usize,
    asks: VecDeque<Arc<Ask>>,
}

impl Page {
    pub(super) fn new(id: PageId) -> Self {
        Self {
            hello: None,
            seen: None,
            last_view: None,
            pictures: Pictures::new(id),
            open_asks: 0,
            asks: VecDeque::new(),
        }
    }

    /// Begins anew with a scene.
    pub(super) fn load(&mut self, loaded: &LoadedScene) {
        let scene = loaded.scene.clone();
        let world = PageWorld::new(&scene);
        self.seen = Some((scene, world));
        self.last_view = None;
        self.pictures.reload();
        self.asks.clear();
    }

    /// Takes a view in place of the one before. `threads` is how many cast for this page.
    pub(super) fn look(&mut self, request: &ViewRequest, threads: f64) -> Result<(), FieldError> {
        let (scene, world) = self.seen.as_mut().ok_or_else(not_loaded)?;
        if let Some(last) = self.last_view.filter(|&last| request.number <= last) {
            let found = request.number.to_string();
            return Err(Refusal::new("view", found, format!("more than {last}")));
        }
        // What can be refused is refused before the world is posed.
        View::new(request, scene)?;
        let snapshot = world.pose(scene, &request.poses, request.now_ms)?;
        let view = View::new(request, &scene.with_now(snapshot))?;
        self.last_view = Some(request.number);
        self.pictures.look(Arc::new(view), threads);
        Ok(())
    }

    /// The jobs that can be begun.
    pub(super) fn begin(&mut self) -> Vec<Action> {
        let jobs = self.pictures.begin().into_iter();
        jobs.map(Action::Cast).collect()
    }

    /// Opens a question.
    pub(super) fn ask(
        &mut self,
        page: PageId,
        id: u32,
        request: AskRequest,
    ) -> Result<AskJob, FieldError> {
        let (scene, world) = self.seen.as_ref().ok_or_else(not_loaded)?;
        if self.open_asks >= limits::ASKS_IN_FLIGHT {
            let found = format!("{} open questions", self.open_asks);
            let expected = format!("at most {}", limits::ASKS_IN_FLIGHT);
            return Err(Refusal::new("id", found, expected).by("ASKS_IN_FLIGHT"));
        }
        let settings = ToolSettings::read(request.tool, request.options)?;
        let (question, scene) = match request.what {
            Asked::Columns(columns) => {
                let seen = world.as_of(scene, request.as_of_ms);
                (columns, scene.with_now(seen))
            }
            Asked::Pixel { frame, pixel } => {
                let shown = self.pictures.frame(frame)?;
                let columns = pixel_question(shown, pixel, request.tool)?;
                (columns, shown.view.scene.clone())
            }
        };
        let ask = Arc::new(Ask {
            id,
            tool: request.tool,
            settings,
            question,
            scene,
        });
        self.asks.push_back(Arc::clone(&ask));
        while self.asks.len() > limits::ASKS_KEPT {
            self.asks.pop_front();
        }
        self.open_asks += 1;
        let work = AskWork::Ask(ask);
        Ok(AskJob { page, id, work })
    }

    /// A question is answered.
    pub(super) fn answered(&mut self) {
        self.open_asks = self.open_asks.saturating_sub(1);
    }
}

fn not_loaded() -> FieldError {
    Refusal::new("type", "a message before the scene", "`scene` first")
}

/// The question that a pixel asks.
fn pixel_question(
    shown: &Shown,
    pixel: [u32; 2],
    tool: Tool,
) -> Result<Vec<(String, String)>, FieldError> {
    let Some(ray) = shown.view.painter.ray(shown.look, pixel) else {
        let [width, height] = shown.look.size(shown.view.painter.size());
        let found = format!("[{},{}]", pixel[0], pixel[1]);
        let expected = format!("within {width} x {height}");
        return Err(Refusal::new("pixel", found, expected));
    };
    let _ = tool;
    let names = ["ox", "oy", "oz", "dx", "dy", "dz"];
    let numbers = ray
        .origin()
        .to_array()
        .into_iter()
        .chain(ray.direction().to_array());
    let column = |(name, number): (&str, f32)| (name.to_owned(), number.to_string());
    Ok(names.into_iter().zip(numbers).map(column).collect())
}
