//! The answer to an `ask`.

use serde::Serialize;
use serde_json::{Map, Value};

/// Columns and their values; what is empty is absent.
pub type Columns = Map<String, Value>;

/// An `answer`.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct AnswerReply {
    /// The `ask` that is answered.
    pub id: u32,
    /// What answered.
    pub tool: &'static str,
    /// The question's columns.
    pub question: Columns,
    /// The first answers, with the columns and values of the command.
    pub answers: Vec<Columns>,
    /// How many answers there are, where not all are here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers_total: Option<usize>,
    /// Why the question cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// The hit's point in the object's own space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<[f32; 3]>,
    /// The hit's point in bind space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bind: Option<BindReply>,
    /// The f32 columns of the first answer as hexadecimal.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub bits: Columns,
    /// The view in whose poses the world was queried; absent where it was none of the page's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<u32>,
    /// Where the world was between two views, of which `view` is the later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub past: Option<PastReply>,
    /// The answer for people.
    pub sentence: String,
    /// What there is to draw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineReply>,
    /// Boxes there are to draw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<BoxReply>,
    /// What moves or rests as lines from point to point, metres, where it is at the start; empty where the
    /// question's columns define it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wireframe: Vec<Vec<[f32; 3]>>,
    /// What a turning shape or object turns about at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<[f32; 3]>,
}

/// A time between two views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PastReply {
    /// The earlier view.
    pub view: u32,
    /// The time by the clock of the views, milliseconds.
    pub time: u64,
}

/// A place in bind space.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BindReply {
    /// The joint that moves it most.
    pub joint: String,
    /// The place.
    pub point: [f32; 3],
}

/// A line to draw, from point to point, metres.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineReply {
    /// What it shows: `ray`, `normal`, `triangle`, `motion`, `arc`, `contact`, `disc`, `segment` or
    /// `overlap`.
    pub role: &'static str,
    /// The number of the answer that it belongs to, where answers are pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<usize>,
    /// Its points.
    pub points: Vec<[f32; 3]>,
}

/// A box to draw.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoxReply {
    /// What it shows: `start`, `contact` or `intersection`.
    pub role: &'static str,
    /// The number of the answer that it belongs to, where answers are pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<usize>,
    /// Its corners; bit 0, 1 and 2 of a corner's index say whether it is at the upper end of x, y and z
    /// of the box's own space.
    pub points: [[f32; 3]; 8],
}
