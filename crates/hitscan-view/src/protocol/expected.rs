//! Expected objects: what became of an object that a question was expected to be answered by.

use serde::Serialize;

/// An object that was expected, as `--expect OBJECT --json` has it; what there is not is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct ExpectedReply {
    /// Its name.
    pub object: String,
    /// Whether it is the answer, or one of several.
    pub is_hit: bool,
    /// Where a ray hits it, if other objects and the filter are ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<PlaceReply>,
    /// What keeps it from being the answer, all that does.
    pub reasons: Vec<ReasonReply>,
    /// What the same question was answered by a moment before; absent where no views from then are
    /// kept, and where the filter leaves the object out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierReply>,
}

/// A reason why an object is not the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct ReasonReply {
    /// A word: of a ray `hidden`, `missed` and the like, else the verdict of a candidate.
    pub reason: &'static str,
    /// What is hit before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<PlaceReply>,
    /// How near the ray comes to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approach: Option<NearReply>,
    /// How the ray has to be turned to hit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnReply>,
    /// A clause for people.
    pub why: String,
}

/// Where a ray hits something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceReply {
    /// The object's name.
    pub object: String,
    /// The part of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangle: Option<u32>,
    /// Where on the ray that is.
    pub t: f32,
    /// The distance from the ray's origin, metres.
    pub distance: f32,
    /// The point.
    pub point: [f32; 3],
    /// The side: a word such as `front`.
    pub side: &'static str,
}

/// How near a ray comes to an object.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NearReply {
    /// The object's name.
    pub object: String,
    /// The part of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangle: Option<u32>,
    /// The distance, metres.
    pub distance: f32,
    /// Where on the ray that is.
    pub t: f32,
    /// The point of the ray.
    pub on_ray: [f32; 3],
    /// The point of the object.
    pub on_object: [f32; 3],
}

/// By how much a ray has to be turned about its origin to hit an object.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnReply {
    /// The angle, radians.
    pub angle: f32,
    /// The part of a model that is hit then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The triangle that is hit then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangle: Option<u32>,
    /// Where on the turned ray that is.
    pub t: f32,
    /// The point that is hit then.
    pub point: [f32; 3],
}

/// What was there in the views of the second before.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct EarlierReply {
    /// How long before the question the earliest view is that was tried, milliseconds.
    pub tried_ms: u64,
    /// How long before the question the last view is in which the object was the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ago_ms: Option<u64>,
    /// The point in which it was hit then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f32; 3]>,
}
