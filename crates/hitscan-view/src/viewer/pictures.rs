//! The pictures of a page: which pass of which view is cast, which is developed, and which becomes a frame.
//!
//! A view's passes go through two stations, one pass in each at a time: its tiles are *cast*, then it is
//! *developed*: put on the film and, where the page has room for a frame, encoded. So the tiles of the
//! next pass are cast while one is encoded, and frames leave in their order. A newer view takes the
//! place of what is being cast; what is being developed is still sent. So that the next view of a moving
//! picture may be cast while its frame is encoded, the page is notified when its rays are cast.

use super::cast_job::{CastJob, Made, PassJobs, Urgency, Work};
use super::changes::OnPage;
use super::development::Development;
use super::outgoing::ReadyFrame;
use super::page_id::PageId;
use super::sent_frames::{SentFrames, Shown};
use super::view::View;
use crate::limits;
use crate::protocol::{FieldError, FrameCodec, FrameHeader, PictureMode, ViewRequest};
use hitscan_picture::{Film, PaintedTile, Pass};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The pictures of a page.
#[derive(Default)]
pub(super) struct Pictures {
    page: Option<PageId>,
    last_pass: u64,
    /// The number of the last view.
    newest: u32,
    next: Option<Next>,
    casting: Option<Casting>,
    developing: Option<Developing>,
    /// What the passes of the view so far gave, from the first sample on.
    film: Option<Film>,
    /// What the page shows of the view once it has drawn what was sent, where its tiles may be replaced.
    on_page: Option<(FrameHeader, OnPage)>,
    /// The pass that the last frame of the view shows.
    sent_pass: u32,
    pub(super) frames: SentFrames,
    /// Passes that became no frame since the last was `shown`.
    unsent: u32,
    /// Microseconds of a ray in the last first look of a picture, and of a cost.
    micros_a_ray: [Option<f64>; 2],
}

/// What is begun of a page's pictures.
pub(super) struct Begun {
    pub(super) jobs: Vec<CastJob>,
    /// The number of a moving view whose rays are cast now.
    pub(super) cast: Option<u32>,
}

/// What is to be cast next.
struct Next {
    view: Arc<View>,
    pass: Pass,
    urgency: Urgency,
}

/// A pass whose tiles are being cast.
struct Casting {
    jobs: PassJobs,
    view: Arc<View>,
    pass: Pass,
    left: usize,
    tiles: Vec<PaintedTile>,
    micros: u64,
}

/// A pass that is being put on the film.
struct Developing {
    jobs: PassJobs,
    view: Arc<View>,
    /// The frame that it becomes, if any.
    frame: Option<u32>,
}

impl Pictures {
    pub(super) fn new(page: PageId) -> Self {
        Self {
            page: Some(page),
            ..Self::default()
        }
    }

    /// Takes a view in place of the one before. `threads` is how many cast for this page.
    pub(super) fn look(&mut self, view: Arc<View>, threads: f64) {
        self.stop();
        self.newest = view.request.number;
        let urgency = first_urgency(&view.request);
        // It would wait for what is less urgent than itself.
        if let Some(developing) = &self.developing
            && developing.jobs.urgency < urgency
        {
            self.abandon();
        }
        let pass = Pass::Look {
            step: self.step(&view, threads),
        };
        self.next = Some(Next {
            view,
            pass,
            urgency,
        });
    }

    /// Casts nothing more of the view.
    pub(super) fn stop(&mut self) {
        if let Some(casting) = self.casting.take() {
            casting.jobs.cancel();
        }
        self.next = None;
        self.frames.drop_waiting();
        self.film = None;
        self.on_page = None;
        self.sent_pass = 0;
    }

    /// Forgets what was shown of the scene before.
    pub(super) fn reload(&mut self) {
        self.stop();
        self.frames.forget();
        self.abandon();
    }

    /// Sends no frame of what is being developed.
    fn abandon(&mut self) {
        if let Some(developing) = self.developing.take() {
            developing.jobs.cancel();
            if let Some(frame) = developing.frame {
                self.frames.abandon(frame);
            }
        }
    }

    /// How urgent the rays are that are being cast; `None` where none are.
    pub(super) fn casts(&self) -> Option<Urgency> {
        self.casting.as_ref().map(|casting| casting.jobs.urgency)
    }

    /// How many rays a side a pixel of a moving picture covers, so that it is cast in a thirtieth
    /// of a second, and the line to the page carries it in time.
    fn step(&mut self, view: &View, threads: f64) -> u32 {
        let cast = self.cast_step(view, threads);
        match view.request.moving {
            true => cast.max(self.frames.step(view)),
            false => cast,
        }
    }

    fn cast_step(&self, view: &View, threads: f64) -> u32 {
        const MICROS: f64 = 1e6 / 30.0;
        const COARSEST: u32 = 4;
        // A counted ray takes so long that the first look of a cost at rest is coarse too.
        let is_cost = view.request.mode == PictureMode::Cost;
        if !view.request.moving && !is_cost {
            return 1;
        }
        let unknown = if is_cost { f64::INFINITY } else { 0.0 };
        let micros_a_ray = self.micros_a_ray[usize::from(is_cost)].unwrap_or(unknown);
        let fits = |step: &u32| {
            let [width, height] = view.request.size.map(|side| side.div_ceil(*step));
            f64::from(width) * f64::from(height) * micros_a_ray / threads <= MICROS
        };
        (1..COARSEST).find(fits).unwrap_or(COARSEST)
    }

    /// Begins what can be begun.
    pub(super) fn begin(&mut self) -> Begun {
        let (develop, view) = self.develop().unzip();
        Begun {
            jobs: develop.into_iter().chain(self.cast()).collect(),
            cast: view
                .and_then(|view: Arc<View>| view.request.moving.then_some(view.request.number)),
        }
    }

    /// Begins to cast the next pass.
    fn cast(&mut self) -> Vec<CastJob> {
        let (Some(page), None) = (self.page, &self.casting) else {
            return Vec::new();
        };
        let may_be_left_out = self.unsent < limits::PASSES_UNSENT;
        let may_be_cast = |pass: &Pass| match pass {
            Pass::Look { .. } => false,
            Pass::Sample(_) => may_be_left_out,
        };
        let has_room = |next: &Next| self.frames.has_room(next.view.request.moving);
        let next = self
            .next
            .take_if(|next| has_room(next) || may_be_cast(&next.pass));
        let Some(Next {
            view,
            pass,
            urgency,
        }) = next
        else {
            return Vec::new();
        };
        self.last_pass += 1;
        let of_pass = PassJobs {
            number: self.last_pass,
            urgency,
            is_cancelled: Arc::new(AtomicBool::new(false)),
        };
        let tile = |rect| {
            let view = Arc::clone(&view);
            CastJob::new(page, &of_pass, Work::Tile { view, pass, rect })
        };
        let tiles = view.painter.tiles(pass);
        let jobs: Vec<CastJob> = tiles.into_iter().map(tile).collect();
        self.casting = Some(Casting {
            jobs: of_pass,
            view,
            pass,
            left: jobs.len(),
            tiles: Vec::with_capacity(jobs.len()),
            micros: 0,
        });
        jobs
    }

    /// Begins to develop the pass that is cast, once the one before is developed; its view.
    fn develop(&mut self) -> Option<(CastJob, Arc<View>)> {
        let page = self.page.filter(|_| self.developing.is_none())?;
        let is_moving = |casting: &Casting| casting.view.request.moving;
        let has_room = self
            .casting
            .as_ref()
            .is_some_and(|casting| self.frames.has_room(is_moving(casting)));
        // What completes a view waits until it can be sent; a pass between does not.
        let cast = self.casting.take_if(|casting| {
            let waits = casting.is_last() && !has_room;
            casting.left == 0 && !waits
        })?;
        self.unsent = if has_room { 0 } else { self.unsent + 1 };
        let is_due = cast.is_last() || is_due(cast.pass.number(), self.sent_pass);
        let frame = (has_room && is_due).then(|| {
            self.sent_pass = cast.pass.number();
            let look = Pass::Look {
                step: cast.pass.step(),
            };
            let view = Arc::clone(&cast.view);
            cast.header(self.frames.add(Shown { view, look }))
        });
        let is_look = matches!(cast.pass, Pass::Look { .. });
        if is_look {
            let is_cost = cast.view.request.mode == PictureMode::Cost;
            self.micros_a_ray[usize::from(is_cost)] = Some(cast.micros_a_ray());
        }
        if !cast.is_last() {
            self.next = cast.next().map(|pass| Next {
                view: Arc::clone(&cast.view),
                pass,
                urgency: Urgency::Refinement,
            });
        }
        self.developing = Some(Developing {
            jobs: cast.jobs.clone(),
            view: Arc::clone(&cast.view),
            frame: frame.as_ref().map(|header| header.frame),
        });
        let view = Arc::clone(&cast.view);
        let development = Development {
            view: cast.view,
            pass: cast.pass,
            film: self.film.take(),
            on_page: self.on_page.take(),
            tiles: cast.tiles,
            packing: self.frames.bandwidth.packing(),
            frame,
        };
        let work = Work::Develop(Box::new(development));
        Some((CastJob::new(page, &cast.jobs, work), view))
    }

    /// Takes in what came of a job; returns what is to be sent.
    pub(super) fn take(&mut self, number: u64, made: Made, micros: u64) -> Vec<ReadyFrame> {
        match made {
            Made::Nothing => Vec::new(),
            Made::Tile(tile) => {
                let casting = self.casting.as_mut();
                if let Some(casting) =
                    casting.filter(|casting| casting.jobs.number == number && casting.left > 0)
                {
                    casting.tiles.push(tile);
                    casting.left -= 1;
                    casting.micros = casting.micros.saturating_add(micros);
                }
                Vec::new()
            }
            Made::Developed(developed) => {
                let is_it = |pass: &mut Developing| pass.jobs.number == number;
                let Some(developing) = self.developing.take_if(is_it) else {
                    return Vec::new();
                };
                let is_of = |view: &Arc<View>| Arc::ptr_eq(view, &developing.view);
                let current = self.casting.as_ref().map(|casting| &casting.view);
                let current = current.or(self.next.as_ref().map(|next| &next.view));
                if current.is_some_and(is_of) {
                    self.film = developed.film;
                    self.on_page = developed.on_page;
                }
                let (Some(bytes), Some(frame)) = (developed.frame, developing.frame) else {
                    return Vec::new();
                };
                let request = &developing.view.request;
                if request.parts && !request.moving && request.number != self.newest {
                    // As what of it were waiting.
                    self.frames.abandon(frame);
                    return Vec::new();
                }
                self.frames.encoded(frame, request, bytes)
            }
        }
    }

    /// A frame is on the page, and all before it; perhaps the page says how long its bytes took.
    pub(super) fn shown(&mut self, frame: u32, took_us: Option<u32>) -> Result<(), FieldError> {
        self.frames.shown(frame, took_us)?;
        self.unsent = 0;
        Ok(())
    }
}

/// How urgent a view's first look is.
pub(super) fn first_urgency(request: &ViewRequest) -> Urgency {
    match request.moving {
        true => Urgency::Motion,
        false => Urgency::FirstLook,
    }
}

/// Whether a pass is so much finer than the one that was sent last that it is worth a frame: of twice as many
/// samples.
fn is_due(pass: u32, sent: u32) -> bool {
    pass >= 2 * sent
}

impl Casting {
    /// Whether nothing follows for the view.
    fn is_last(&self) -> bool {
        self.view.request.moving || self.next().is_none()
    }

    /// The pass after this one at rest: the samples of a picture, ever finer looks of a cost.
    fn next(&self) -> Option<Pass> {
        match (self.view.request.mode, self.pass) {
            (PictureMode::Cost, Pass::Look { step }) => {
                (step > 1).then_some(Pass::Look { step: step / 2 })
            }
            _ => self.pass.next(),
        }
    }

    fn rays(&self) -> u64 {
        self.tiles.iter().map(PaintedTile::rays).sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn micros_a_ray(&self) -> f64 {
        self.micros as f64 / self.rays().max(1) as f64
    }

    /// All of a frame's header that is available before it is developed.
    fn header(&self, frame: u32) -> FrameHeader {
        let request = &self.view.request;
        // A view is at most 65535 rays a side, its blocks at most 8, its passes few.
        let short = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        FrameHeader {
            is_cost: request.mode == PictureMode::Cost,
            codec: FrameCodec::Png,
            scale: u8::try_from(self.pass.step()).unwrap_or(u8::MAX),
            frame,
            view: request.number,
            size: self.pass.size(request.size).map(short),
            pass: short(self.pass.number()),
            is_finished: self.is_last() && !request.moving,
            rays: self.rays(),
            micros: u32::try_from(self.micros).unwrap_or(u32::MAX),
            greatest_cost: 0.0,
        }
    }
}

impl fmt::Debug for Pictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pictures")
            .field("page", &self.page)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}
