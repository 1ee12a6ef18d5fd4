//! Explanations: the candidates of a row's question, under the scene's names.

use crate::filter::{FilterColumns, Seen};
use crate::visits::NamedTrace;
use hitscan::explain::{self, Candidate, Question, Verdict};
use hitscan::{ObjectId, QueryFilter, TriangleId};
use hitscan_assets::Scene;
use hitscan_table::{Answer, AnswerBuilder, Questions};

/// Tables whose answers can be explained.
///
/// ```
/// use hitscan::Sides;
/// use hitscan_ask::{Explain as _, HitColumns, RayHits, RayTable};
/// use hitscan_table::{Input, RunOptions, answer_row};
/// use std::sync::atomic::AtomicBool;
///
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-explain-{}.toml", std::process::id()));
/// # std::fs::write(&path, "[[sphere]]\nname = 'planet'\ncenter = [0, 0, 0]\nradius = 2\n")?;
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = RayTable::new(&scene, RayHits::Nearest(HitColumns::World), Sides::Both);
/// let rays = Input::Stream {
///     name: "rays".to_owned(),
///     reader: Box::new(&b"ox,oy,oz,dx,dy,dz\n0,0,5,0,0,1\n"[..]),
/// };
/// let row = answer_row(rays, 0, &table, &RunOptions::new(&AtomicBool::new(false)))?;
/// let candidates = table.explain(&row.questions)?;
/// assert_eq!((candidates[0].object.as_str(), candidates[0].verdict), ("planet", "out_of_range"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Explain: Answer {
    /// The candidates of the first of the questions, in the order of the library's
    /// [`Explanation`](hitscan::explain::Explanation).
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String>;

    /// The first of the questions as the library has it, and what it sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String>;

    /// Writes the rows of a question with its answer, that of
    /// [`Snapshot::answer`](hitscan::Snapshot::answer).
    ///
    /// # Panics
    /// Where the answer is that of another kind of question.
    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder);

    /// The traversal of the first of the questions: its first `limit` visits, and why it hits nothing where
    /// it does not; `None` unless it is a ray query for the nearest hit or any hit.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    fn trace(&self, questions: &Questions, limit: usize) -> Result<Option<NamedTrace>, String> {
        let _ = (questions, limit);
        Ok(None)
    }
}

/// A triangle or solid that a question hits, or an object of which it hits nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedCandidate {
    /// The object's name.
    pub object: String,
    /// The part of a model.
    pub part: Option<String>,
    /// The triangle.
    pub triangle: Option<u32>,
    /// The t of its hit; the distance of a closest point, the separation of a contact.
    pub t: Option<f32>,
    /// What became of it: a word such as `answer`.
    pub verdict: &'static str,
    /// The reason, for people; of what is filtered by what alone. May be empty.
    pub why: String,
}

impl NamedCandidate {
    pub(crate) fn new(scene: &Scene, candidate: Candidate) -> Self {
        let Candidate {
            object,
            triangle,
            t,
            verdict,
            why,
            ..
        } = candidate;
        Self::at(scene, (object, triangle), t, verdict, why)
    }

    /// What an object, or a triangle of it, has to do with a question.
    pub(crate) fn at(
        scene: &Scene,
        (object, triangle): (ObjectId, Option<TriangleId>),
        t: Option<f32>,
        verdict: Verdict,
        why: String,
    ) -> Self {
        let part = triangle.and_then(|on| scene.part_name(object, on.part));
        Self {
            object: scene.object_name(object).unwrap_or_default().to_owned(),
            part: part.map(str::to_owned),
            triangle: triangle.and_then(TriangleId::number),
            t,
            verdict: verdict.name(),
            why,
        }
    }
}

impl FilterColumns<'_> {
    /// What the first of `questions` sees.
    pub(crate) fn seen(&self, questions: &Questions) -> Result<Seen, String> {
        let mut filters = self.read(questions);
        let filter = filters.of(0)?;
        Ok(Seen {
            layers: filter.layers,
            ignored: filter.ignored.clone(),
        })
    }
}

/// The panic of [`Explain::write`].
#[track_caller]
pub(crate) fn wrong_kind(answer: &explain::Answer) -> ! {
    panic!("the answer of another kind of question: {answer:?}")
}

/// The candidates of a question, of what it sees.
pub(crate) fn explained(scene: &Scene, (question, seen): &(Question, Seen)) -> Vec<NamedCandidate> {
    candidates_of(scene, question, seen.filter())
}

/// The candidates of a question, in the order of the library's
/// [`Explanation`](hitscan::explain::Explanation): those that [`Explain::explain`] returns for a table's
/// row, but for what encloses shapes.
#[must_use]
pub fn candidates_of(
    scene: &Scene,
    question: &Question,
    filter: QueryFilter<'_>,
) -> Vec<NamedCandidate> {
    let candidates = scene.now().explain(question, filter).candidates;
    let named = |candidate| NamedCandidate::new(scene, candidate);
    candidates.into_iter().map(named).collect()
}
