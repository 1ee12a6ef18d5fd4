//! Viewsheds of a page: the counts that `hitscan viewshed` prints, and the tint of the ground in
//! the page's pictures.

use super::answer::answered_row;
use super::budget::Budget;
use super::sentence::sentence;
use crate::protocol::{
    AnswerReply, AskRequest, Asked, Columns, FieldError, LineReply, Refusal, Tool, ViewRequest,
};
use crate::viewer::page_world::SeenWorld;
use crate::viewer::question::with_filter;
use glam::DVec3;
use hitscan::height_field::{Grid, Viewshed, Visibility};
use hitscan::{ObjectId, WorkLimit};
use hitscan_ask::{
    ViewshedOptions, ViewshedSettings, ViewshedTable, described_eye, find_terrain, row_json,
};
use hitscan_assets::Scene;
use hitscan_picture::ViewshedTint;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Where a viewshed is kept once it is answered.
pub(in crate::viewer) type ViewshedSlot = Arc<OnceLock<Arc<ViewshedTint>>>;

/// The question, and the scene as it sees it.
#[derive(Debug)]
pub(in crate::viewer) struct ViewshedQuestion {
    /// The columns and the texts of their fields.
    question: Vec<(String, String)>,
    terrain: ObjectId,
    settings: ViewshedSettings,
    scene: Scene,
    seen: SeenWorld,
    slot: ViewshedSlot,
}

impl ViewshedQuestion {
    /// Refuses options that cannot be used, before anything is done for them. What a view hides does not hide
    /// the ground either.
    pub(in crate::viewer) fn new(
        request: AskRequest,
        view: Option<&ViewRequest>,
        scene: Scene,
        seen: SeenWorld,
    ) -> Result<Self, FieldError> {
        let Asked::Columns(columns) = request.what else {
            let expected = "a question: pixels ask for ray, height and closest";
            return Err(Refusal::new("pixel", "a pixel", expected));
        };
        let options = ViewshedOptions::read(request.options.given())
            .map_err(|wrong| Refusal::new(option(&wrong.name), wrong.found, wrong.expected))?;
        let name = options.terrain.as_deref();
        let terrain = find_terrain(&scene, name).map_err(|reason| {
            let found = name.unwrap_or("nothing");
            Refusal::new(option("terrain"), found, reason)
        })?;
        Ok(Self {
            question: match view {
                Some(view) => with_filter(columns, view),
                None => columns,
            },
            terrain,
            settings: options.settings,
            scene,
            seen,
            slot: ViewshedSlot::default(),
        })
    }

    /// Where the viewshed is kept once it is answered.
    pub(in crate::viewer) fn slot(&self) -> ViewshedSlot {
        Arc::clone(&self.slot)
    }

    /// The counts, and where the eye is, to the message `id`.
    pub(super) fn answer(&self, id: u32, cancel: &AtomicBool) -> Result<AnswerReply, FieldError> {
        let budget = Budget::of_viewshed(cancel);
        let look = |limit: &WorkLimit<'_>| {
            let table = ViewshedTable::new(&self.scene, self.terrain, self.settings);
            let table = table.with_work_limit(limit);
            let row = answered_row(&self.question, &table)?;
            Ok::<_, FieldError>((row, table.into_viewshed()))
        };
        let (row, viewshed) = budget.found("question", look)??;
        let mut reply = AnswerReply {
            id,
            tool: Tool::Viewshed.name(),
            question: row_json(&row.question),
            answers: row.answers.iter().map(|answer| row_json(answer)).collect(),
            view: self.seen.view,
            past: self.seen.past,
            sentence: sentence(&row.answers, row.answers.len(), row.invalid.as_deref()),
            invalid: row.invalid,
            ..AnswerReply::default()
        };
        let field = self.scene.now().height_field(self.terrain);
        if let Some((field, viewshed)) = field.zip(viewshed) {
            let counts = Counts::new(field.grid(), &viewshed);
            let eye = viewshed.eye();
            let name = self.scene.object_name(self.terrain).unwrap_or_default();
            reply.sentence = counts.sentence(name);
            reply.lines = vec![LineReply {
                role: "segment",
                answer: None,
                points: [eye - DVec3::Y * self.settings.above, eye]
                    .map(|point| point.as_vec3().to_array())
                    .to_vec(),
            }];
            if let Some(answer) = reply.answers.first_mut() {
                answer.insert("object".to_owned(), name.into());
                counts.write(answer);
                let eye = described_eye(eye, self.scene.frame());
                answer.insert("eye".to_owned(), eye.into());
            }
            let tint = ViewshedTint::new(self.terrain, *field.grid(), viewshed);
            // A question is answered once.
            let _ = self.slot.set(Arc::new(tint));
        }
        Ok(reply)
    }
}

fn option(name: &str) -> String {
    format!("options.{name}")
}

/// How many samples are seen, and how much ground that is.
struct Counts {
    visible: usize,
    hidden: usize,
    outside: usize,
    /// Square metres of the cells of the seen samples.
    area: f64,
}

impl Counts {
    fn new(grid: &Grid, viewshed: &Viewshed) -> Self {
        let [visible, hidden, outside] =
            [Visibility::Visible, Visibility::Hidden, Visibility::Outside]
                .map(|kind| viewshed.count(kind));
        let [across, down] = grid.spacing;
        Self {
            visible,
            hidden,
            outside,
            area: visible as f64 * across * down,
        }
    }

    /// The seen part of what is no hole and not too far.
    fn share(&self) -> f64 {
        self.visible as f64 / (self.visible + self.hidden).max(1) as f64
    }

    fn write(&self, answer: &mut Columns) {
        for (name, count) in [
            ("visible", self.visible),
            ("hidden", self.hidden),
            ("outside", self.outside),
        ] {
            answer.insert(name.to_owned(), count.into());
        }
        answer.insert("share".to_owned(), self.share().into());
        answer.insert("area".to_owned(), self.area.into());
    }

    fn sentence(&self, name: &str) -> String {
        let percent = 100.0 * self.share();
        let all = self.visible + self.hidden;
        format!(
            "The eye sees {} of {all} samples of {name} ({percent:.1} %).",
            self.visible
        )
    }
}
