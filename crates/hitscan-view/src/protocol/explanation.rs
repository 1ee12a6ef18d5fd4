//! The `explanation` message.

use super::answer::Columns;
use super::expected::{ExpectedReply, NearReply};
use serde::Serialize;

/// An `explanation`.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct ExplanationReply {
    /// The `explain` that is answered.
    pub id: u32,
    /// The `ask` that is explained.
    pub ask: u32,
    /// The candidates that were hit and those that were not, as `--explain ROW --json` has it.
    pub candidates: Vec<Columns>,
    /// How many candidates there are, where not all are here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates_total: Option<usize>,
    /// The walk of a ray, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub visits: Vec<VisitReply>,
    /// How many visits there are, shown or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit_count: Option<u64>,
    /// The near misses of a ray, whether it hits something or not, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<NearReply>,
    /// How near a ray that hits nothing comes to something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approach: Option<ApproachReply>,
    /// The cut through terrain along a ray.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionReply>,
    /// The separating axes of a moving box and what it hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<AxisReply>>,
    /// What became of an object that was expected, for which all but the last line is omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<ExpectedReply>,
    /// The last line: the answer.
    pub sentence: String,
}

/// One look at a box, a triangle or a solid.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VisitReply {
    /// What was looked at: `world_node`, `object`, `part`, `tree_node`, `block`, `cell`, `cluster`,
    /// `triangle` or `solid`.
    pub what: &'static str,
    /// How deep it is in its own tree.
    pub depth: u32,
    /// The object's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The part's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The triangle's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangle: Option<u32>,
    /// The corners of a box, or of a triangle.
    pub points: Vec<[f32; 3]>,
    /// When the ray enters it and leaves it.
    pub t: [f32; 2],
    /// The best hit's t before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<f32>,
    /// What became of it, in a word.
    pub verdict: &'static str,
    /// What became of it, in a clause.
    pub why: String,
}

/// A separating axis, and when the two overlap along it while t goes from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisReply {
    /// What it is: `x`, `own y` of a turned box, `triangle's normal`, `x × edge v0-v1`, say.
    pub name: String,
    /// When they begin to overlap; absent where they always or never do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enter: Option<f32>,
    /// When they cease to; absent as `enter`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leave: Option<f32>,
    /// Whether they never overlap.
    pub never: bool,
    /// Whether it is the last on which they begin to overlap, which is when they hit.
    pub decides: bool,
}

/// How near a ray comes to what it does not hit.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct ApproachReply {
    /// The least distance, metres; 0 where the ray hits it from a side that does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f32>,
    /// Where on the ray that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<f32>,
    /// The point of the ray.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_ray: Option<[f32; 3]>,
    /// The point of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_object: Option<[f32; 3]>,
    /// The nearest object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Its nearest triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangle: Option<u32>,
    /// The nearest objects, the nearest first.
    pub passed: Vec<PassedReply>,
    /// Objects that the filter excludes.
    pub filtered: Vec<String>,
    /// The smallest change that would make it hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
}

/// An object that a ray passes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassedReply {
    /// Its name.
    pub object: String,
    /// How near, metres.
    pub distance: f32,
}

/// A vertical cut along a ray; s is metres along the ground from the ray's origin, y metres.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SectionReply {
    /// The terrain.
    pub object: String,
    /// The ray, up to what it hits.
    pub ray: [[f32; 2]; 2],
    /// The object that it hits there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// From s to s: what there is to see, up to the hit or the nearest approach.
    pub focus: [f32; 2],
    /// The ground; null over holes and off the map.
    pub ground: Vec<(f32, Option<f32>)>,
    /// The blocks that were looked at: from s to s, the minimum and the maximum y, the level, the
    /// verdict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<(f32, f32, f32, f32, u32, &'static str)>,
    /// The cells that were tested: from s to s.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<[f32; 2]>,
    /// The classic search along the same ray; absent, as blocks and cells are, where it is not the ground
    /// that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub march: Option<MarchReply>,
}

/// What the classic search does.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct MarchReply {
    /// Where it looks at the ground.
    pub samples: Vec<[f32; 2]>,
    /// Where it halves its step.
    pub bisections: Vec<[f32; 2]>,
    /// Where it thinks the ray hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<[f32; 2]>,
    /// How far behind the first crossing of the ground it answers, metres, where it steps over a ridge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stepped_over: Option<f32>,
}
