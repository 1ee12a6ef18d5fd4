//! One page: what it sees, which frames are under way, which questions are open.

use super::ask_job::{Ask, AskJob, AskWork};
use super::cast_job::{CastJob, Made, Work};
use super::event::{Action, LoadedScene, PageId};
use super::page_world::PageWorld;
use super::picture::{Picture, Shown};
use super::tool_settings::ToolSettings;
use super::view::View;
use crate::limits;
use crate::protocol::{AskRequest, Asked, FieldError, FrameHeader, Refusal, Tool, ViewRequest};
use hitscan_assets::Scene;
use std::collections::VecDeque;
use std::sync::Arc;

/// A page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The number of its `hello`.
    pub(super) hello: Option<u32>,
    /// The scene as the page sees it; `None` until it is loaded.
    seen: Option<(Scene, PageWorld)>,
    view: Option<Arc<View>>,
    /// Whether all frames of the view are begun.
    is_begun: bool,
    picture: Option<Picture>,
    /// The frame that is being encoded: the number of its picture, and its header.
    encoding: Option<(u64, FrameHeader)>,
    /// Frames that are being encoded, or not `shown`.
    in_flight: Vec<u32>,
    last_frame: u32,
    shown: VecDeque<(u32, Shown)>,
    /// Microseconds of a ray in the last pictures.
    micros_a_ray: Option<f64>,
    open_asks: usize,
    asks: VecDeque<Arc<Ask>>,
}

impl Page {
    /// Begins anew with a scene.
    pub(super) fn load(&mut self, loaded: &LoadedScene) {
        let scene = loaded.scene.clone();
        let world = PageWorld::new(&scene);
        self.seen = Some((scene, world));
        self.view = None;
        self.picture = None;
        self.shown.clear();
        self.asks.clear();
    }

    /// Takes a view in place of the one before.
    pub(super) fn look(&mut self, request: ViewRequest) -> Result<(), FieldError> {
        let (scene, world) = self.seen.as_mut().ok_or_else(not_loaded)?;
        if let Some(before) = &self.view
            && request.number <= before.request.number
        {
            let (found, last) = (request.number.to_string(), before.request.number);
            return Err(Refusal::new("view", found, format!("more than {last}")));
        }
        View::new(&request, scene)?;
        let snapshot = world.pose(scene, &request.poses, request.now_ms)?;
        let view = View::new(&request, &scene.with_now(snapshot))?;
        self.view = Some(Arc::new(view));
        self.is_begun = false;
        self.picture = None;
        Ok(())
    }

    /// Begins the next frame of the view, if there is one and few enough are in flight.
    pub(super) fn begin(
        &mut self,
        page: PageId,
        picture: &mut u64,
        threads: usize,
    ) -> Vec<CastJob> {
        let is_full = self.in_flight.len() >= limits::FRAMES_IN_FLIGHT;
        let Some(view) = self.view.as_ref().filter(|_| {
            !self.is_begun && self.picture.is_none() && self.encoding.is_none() && !is_full
        }) else {
            return Vec::new();
        };
        *picture += 1;
        let scale = self.scale(view, threads);
        let (begun, jobs) = Picture::begin(*picture, page, view, scale);
        self.picture = Some(begun);
        self.is_begun = true;
        jobs
    }

    /// How many rays a side a pixel of a moving picture stands for, so that it is cast in a thirtieth
    /// of a second.
    fn scale(&self, view: &View, threads: usize) -> u8 {
        const MICROS: f64 = 1e6 / 30.0;
        if !view.request.moving {
            return 1;
        }
        let micros_a_ray = self.micros_a_ray.unwrap_or(0.0);
        #[expect(clippy::cast_precision_loss, reason = "there are few threads")]
        let threads = threads.max(1) as f64;
        let fits = |scale: &u8| {
            let [width, height] = view.size(*scale).map(f64::from);
            width * height * micros_a_ray / threads <= MICROS
        };
        (1..4).find(fits).unwrap_or(4)
    }

    /// Takes in what came of a job, and the frame to send.
    pub(super) fn cast(
        &mut self,
        page: PageId,
        number: u64,
        made: Made,
        micros: u64,
    ) -> Vec<Action> {
        match made {
            Made::Tile(tile, colors) => {
                let picture = self.picture.take_if(|picture| picture.number == number);
                let Some(mut picture) = picture else {
                    return Vec::new();
                };
                if !picture.put(tile, &colors, micros) {
                    self.picture = Some(picture);
                    return Vec::new();
                }
                let Some((header, image, shown)) = picture.finish() else {
                    return Vec::new();
                };
                self.last_frame += 1;
                let frame = self.last_frame;
                let header = FrameHeader { frame, ..header };
                #[expect(clippy::cast_precision_loss, reason = "an estimate")]
                let micros_a_ray = f64::from(header.micros) / header.rays as f64;
                self.micros_a_ray = Some(micros_a_ray);
                self.in_flight.push(frame);
                self.shown.push_back((frame, shown));
                while self.shown.len() > limits::FRAMES_KEPT {
                    self.shown.pop_front();
                }
                self.encoding = Some((number, header));
                vec![Action::Cast(CastJob::new(
                    page,
                    number,
                    Work::Encode { image },
                ))]
            }
            Made::Png(png) => {
                let Some((_, header)) = self.encoding.take_if(|(encoded, _)| *encoded == number)
                else {
                    return Vec::new();
                };
                vec![Action::SendFrame(page, header.before(&png))]
            }
        }
    }

    /// A frame is on the page.
    pub(super) fn shown(&mut self, frame: u32) -> Result<(), FieldError> {
        if frame == 0 || frame > self.last_frame {
            let expected = "the number of a frame that was sent";
            return Err(Refusal::new("frame", frame.to_string(), expected));
        }
        self.in_flight.retain(|&number| number > frame);
        Ok(())
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
                let shown = self.frame(frame)?;
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

    fn frame(&self, frame: u32) -> Result<&Shown, FieldError> {
        let mut frames = self.shown.iter();
        let found = frames.find(|(number, _)| *number == frame);
        let expected = "one of the last frames";
        found
            .map(|(_, shown)| shown)
            .ok_or_else(|| Refusal::new("frame", frame.to_string(), expected))
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
    let size = shown.view.size(shown.scale);
    if pixel[0] >= size[0] || pixel[1] >= size[1] {
        let found = format!("[{},{}]", pixel[0], pixel[1]);
        let expected = format!("within {} x {}", size[0], size[1]);
        return Err(Refusal::new("pixel", found, expected));
    }
    let _ = tool;
    let ray = shown.view.ray(pixel, shown.scale);
    let names = ["ox", "oy", "oz", "dx", "dy", "dz"];
    let numbers = ray
        .origin()
        .to_array()
        .into_iter()
        .chain(ray.direction().to_array());
    let column = |(name, number): (&str, f32)| (name.to_owned(), number.to_string());
    Ok(names.into_iter().zip(numbers).map(column).collect())
}
