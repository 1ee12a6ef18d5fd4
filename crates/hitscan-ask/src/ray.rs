//! Tables of rays: what each ray hits.

use crate::expected::NamedExpectation;
use crate::explain::{Explain, NamedCandidate, explained, wrong_kind};
use crate::filter::{FilterColumns, RowFilter, Seen};
use crate::frame::table_frame;
use crate::hit_row::{HitRow, HitRows, write_hit_features, write_hit_places};
use crate::march::March;
use crate::names::{joint_of, object_of, status, write_status};
use crate::ray_questions::{QUESTIONS, rays_of};
use crate::visits::NamedTrace;
use hitscan::explain::{self, Hits, Question};
use hitscan::model::BindHit;
use hitscan::{ObjectId, Ray, RayHit, Sides};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, ColumnKind, Frame, QuestionColumn, Questions,
};
use std::borrow::Cow;
use std::ops::Range;

/// Which hits of a ray are answered, and how they are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RayHits {
    /// The nearest hit.
    Nearest(HitColumns),
    /// All hits, nearest first, one row each; a column `row` in front of the answer holds the
    /// number of the ray's row. A ray without hits has one row.
    All(HitColumns),
    /// Whether there is a hit: the column `status` alone.
    Any,
    /// The nearest hit that the approximate search finds, on terrain alone.
    March(March),
    /// Whether the approximate search finds a hit: the column `status` alone.
    MarchAny(March),
}

impl RayHits {
    fn are_all(self) -> bool {
        matches!(self, Self::All(_))
    }
}

/// Which columns describe a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HitColumns {
    /// Where it is in the world, and on which triangle of which object.
    World,
    /// As [`HitColumns::World`], and on a model also the joint that moves the point most and the
    /// point in bind space: `joint bind_x bind_y bind_z`.
    WorldAndBind,
}

/// Answers tables of rays about a scene, with the columns of `hitscan ray`.
///
/// The crate's documentation has an example.
#[derive(Debug)]
pub struct RayTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    hits: RayHits,
    sides: Sides,
    frame: Frame,
}

impl<'scene> RayTable<'scene> {
    /// Prepares to answer rays about `scene` that hit the given sides of surfaces.
    #[must_use]
    pub fn new(scene: &'scene Scene, hits: RayHits, sides: Sides) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            hits,
            sides,
            frame: table_frame(scene),
        }
    }
}

/// How many rays go to the library in one batch: as many as it answers on the calling thread, as
/// tables have threads of their own.
const BATCH_RAYS: usize = 512;

/// How many rows are made before they are written: they fit the nearest cache.
const ROWS_TOGETHER: usize = 128;

/// The hits of a batch of rays.
enum BatchHits {
    Any(Vec<bool>),
    Nearest(Vec<Option<RayHit>>),
    All(Vec<Vec<RayHit>>),
}

/// `row` is for all hits only. The last [`BIND_COLUMNS`] are for [`HitColumns::WorldAndBind`] only.
const ANSWERS: [AnswerColumn; 20] = [
    AnswerColumn::new("row", ColumnKind::RowNumber),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("distance", ColumnKind::F32),
    AnswerColumn::new("x", ColumnKind::F32)
        .on_axis(Axis::X)
        .named_by_alias("hit_"),
    AnswerColumn::new("y", ColumnKind::F32)
        .on_axis(Axis::Y)
        .named_by_alias("hit_"),
    AnswerColumn::new("z", ColumnKind::F32)
        .on_axis(Axis::Z)
        .named_by_alias("hit_"),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("u", ColumnKind::F32),
    AnswerColumn::new("v", ColumnKind::F32),
    AnswerColumn::new("side", ColumnKind::Text),
    AnswerColumn::new("joint", ColumnKind::Text),
    AnswerColumn::new("bind_x", ColumnKind::F32),
    AnswerColumn::new("bind_y", ColumnKind::F32),
    AnswerColumn::new("bind_z", ColumnKind::F32),
];
const BIND_COLUMNS: usize = 4;

impl Answer for RayTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        let end = match self.hits {
            RayHits::Any | RayHits::MarchAny(_) => return &ANSWERS[1..2],
            RayHits::Nearest(HitColumns::WorldAndBind) | RayHits::All(HitColumns::WorldAndBind) => {
                ANSWERS.len()
            }
            RayHits::Nearest(HitColumns::World)
            | RayHits::All(HitColumns::World)
            | RayHits::March(_) => ANSWERS.len() - BIND_COLUMNS,
        };
        &ANSWERS[usize::from(!self.hits.are_all())..end]
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let mut filters = self.filters.read(questions);
        let mut first = 0;
        while first < questions.len() {
            let end = filters.end_of_run(first).min(first + BATCH_RAYS);
            self.answer_run(questions, first..end, filters.of(first), out);
            first = end;
        }
    }
}

/// Of the exact search, whatever the hits.
impl Explain for RayTable<'_> {
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        Ok(explained(self.scene, &self.question(questions)?))
    }

    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String> {
        let ray = self.ray_of(questions, 0)?;
        let question = Question::Ray {
            ray,
            settings: self.sides.into(),
            hits: match self.hits.are_all() {
                true => Hits::All,
                false => Hits::Nearest,
            },
        };
        Ok((question, self.filters.seen(questions)?))
    }

    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder) {
        match answer {
            explain::Answer::Ray(hits) => self.write_hits(hits, question, out),
            _ => wrong_kind(answer),
        }
    }

    fn trace(&self, questions: &Questions, limit: usize) -> Result<Option<NamedTrace>, String> {
        if self.hits.are_all() {
            return Ok(None);
        }
        let ray = self.ray_of(questions, 0)?;
        let seen = self.filters.seen(questions)?;
        let trace = NamedTrace::of_ray(self.scene, &ray, self.sides, seen.filter(), limit);
        Ok(Some(trace))
    }
}

impl RayTable<'_> {
    /// What became of the first of the questions at an object that it was expected to hit.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn expected(
        &self,
        questions: &Questions,
        object: ObjectId,
    ) -> Result<Option<NamedExpectation>, String> {
        let ray = self.ray_of(questions, 0)?;
        let seen = self.filters.seen(questions)?;
        let options = (self.sides, seen.filter());
        Ok(NamedExpectation::of_ray(self.scene, &ray, object, options))
    }

    /// Answers questions that share one filter, or the reason why theirs is invalid.
    fn answer_run(
        &self,
        questions: &Questions,
        run: Range<usize>,
        filter: Result<RowFilter<'_>, String>,
        out: &mut AnswerBuilder,
    ) {
        let filter = match filter {
            Ok(filter) => filter,
            Err(reason) => {
                for question in run {
                    let own = self.ray_of(questions, question).err();
                    out.invalid(question, own.as_ref().unwrap_or(&reason));
                }
                return;
            }
        };
        let (mut asked, mut rays) = (Vec::with_capacity(run.len()), Vec::with_capacity(run.len()));
        let mut invalid = Vec::new();
        let ray_of = rays_of(self.scene, questions);
        for question in run {
            match ray_of(question) {
                Ok(ray) => {
                    asked.push(question);
                    rays.push(ray);
                }
                Err(reason) => invalid.push((question, reason)),
            }
        }
        let hits = self.cast(&rays, filter);
        let mut first = 0;
        for (question, reason) in invalid {
            let end = asked.partition_point(|asked| *asked < question);
            self.write_batch(&asked, &hits, first..end, out);
            out.invalid(question, &reason);
            first = end;
        }
        self.write_batch(&asked, &hits, first..asked.len(), out);
    }

    /// The ray of a question, or why the question is invalid.
    fn ray_of(&self, questions: &Questions, question: usize) -> Result<Ray, String> {
        rays_of(self.scene, questions)(question)
    }

    fn cast(&self, rays: &[Ray], row_filter: RowFilter<'_>) -> BatchHits {
        let snapshot = self.scene.now();
        let (sides, filter) = (self.sides, row_filter.filter());
        let march_all = |settings: March| {
            let nearest = |ray| settings.nearest(snapshot, ray, (sides, filter));
            let hits = rays.iter().map(nearest);
            hits.collect::<Vec<_>>()
        };
        match self.hits {
            RayHits::Any => BatchHits::Any(snapshot.cast_rays_any(rays, (sides, filter))),
            RayHits::Nearest(_) => BatchHits::Nearest(snapshot.cast_rays(rays, (sides, filter))),
            RayHits::All(_) => BatchHits::All(snapshot.cast_rays_all(rays, (sides, filter))),
            RayHits::March(settings) => BatchHits::Nearest(march_all(settings)),
            RayHits::MarchAny(settings) => {
                let hits = march_all(settings);
                BatchHits::Any(hits.iter().map(Option::is_some).collect())
            }
        }
    }

    /// Answers the questions `asked[part]` with their hits.
    fn write_batch(
        &self,
        asked: &[usize],
        hits: &BatchHits,
        part: Range<usize>,
        out: &mut AnswerBuilder,
    ) {
        let questions = asked[part.clone()].iter().copied();
        match hits {
            BatchHits::Any(are_hits) => {
                let are_hits = are_hits[part].iter().copied();
                out.rows(&questions.zip(are_hits).collect::<Vec<_>>(), |rows| {
                    rows.text(|is_hit| Some(status(*is_hit)));
                });
            }
            BatchHits::Nearest(hits) => {
                let mut rows = HitRows::of(self.scene);
                let mut found = Vec::with_capacity(ROWS_TOGETHER);
                let hits = hits[part.clone()].chunks(ROWS_TOGETHER);
                for (questions, hits) in asked[part].chunks(ROWS_TOGETHER).zip(hits) {
                    let answers = questions.iter().zip(hits);
                    found.extend(
                        answers.map(|(question, hit)| {
                            (*question, self.found(hit.as_ref(), &mut rows))
                        }),
                    );
                    self.write_found(&found, out);
                    found.clear();
                }
            }
            BatchHits::All(hits) => {
                let answers = questions.zip(hits[part].iter().map(Vec::as_slice));
                self.write_all(answers, out);
            }
        }
    }

    /// Answers a question with the hits of its ray: all, or one at most.
    fn write_hits(&self, hits: &[RayHit], question: usize, out: &mut AnswerBuilder) {
        match self.hits {
            RayHits::Any | RayHits::MarchAny(_) => write_status(!hits.is_empty(), question, out),
            _ => self.write_all([(question, hits)].into_iter(), out),
        }
    }

    /// Answers questions with a row for each hit of their rays, or one if there is none.
    fn write_all<'a>(
        &self,
        answers: impl Iterator<Item = (usize, &'a [RayHit])>,
        out: &mut AnswerBuilder,
    ) {
        let mut rows = HitRows::of(self.scene);
        let mut found = Vec::new();
        for (question, hits) in answers {
            if hits.is_empty() {
                found.push((question, self.found(None, &mut rows)));
            }
            found.extend((hits.iter()).map(|hit| (question, self.found(Some(hit), &mut rows))));
        }
        self.write_found(&found, out);
    }

    /// A hit with what of it is answered.
    #[inline(always)]
    fn found<'a>(&'a self, hit: Option<&RayHit>, rows: &mut HitRows<'a>) -> Found<'a> {
        let wants_bind = matches!(
            self.hits,
            RayHits::Nearest(HitColumns::WorldAndBind) | RayHits::All(HitColumns::WorldAndBind)
        );
        let bind = hit.filter(|_| wants_bind);
        Found {
            row: rows.row(hit),
            bind: bind.and_then(|hit| joint_of(self.scene, object_of(hit), hit).map(Box::new)),
        }
    }

    fn write_found<'a>(&'a self, answers: &'a [(usize, Found<'a>)], out: &mut AnswerBuilder) {
        out.rows(answers, |rows| {
            rows.text(|found| Some(status(found.row.is_hit)))
                .f32_or_0(|found| (found.row.is_hit, found.row.t))
                .f32_or_0(|found| (found.row.is_hit, found.row.distance));
            write_hit_places(|found| &found.row, rows);
            write_hit_features(|found| &found.row, rows);
            let (RayHits::Nearest(columns) | RayHits::All(columns)) = self.hits else {
                return;
            };
            if columns == HitColumns::WorldAndBind {
                rows.text(|found| Some(&*found.bind.as_ref()?.0));
                for axis in 0..3 {
                    rows.f32(|found| Some(found.bind.as_ref()?.1.point.as_vec3()[axis]));
                }
            }
        });
    }
}

/// What a row says of a ray.
struct Found<'a> {
    row: HitRow<'a>,
    /// Where it is requested and a model was hit: the joint that moves the hit's point most, and the point
    /// in bind space.
    bind: Option<Box<(Cow<'a, str>, BindHit)>>,
}
