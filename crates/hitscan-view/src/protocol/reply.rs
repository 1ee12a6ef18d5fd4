//! Control messages to a page.

use super::answer::AnswerReply;
use super::explanation::ExplanationReply;
use super::refusal::Refusal;
use super::table_reply::TableReply;
use serde::Serialize;

/// A control message to a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// The scene is being read.
    Loading {
        /// The `hello` or `reload` that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
        /// The file that is read.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The fraction that is done.
        done: f64,
    },
    /// What there is to see.
    Scene(Box<SceneReply>),
    /// The scene cannot be read.
    Failed {
        /// As on standard error.
        message: String,
        /// The scene before stays.
        keeps: bool,
    },
    /// The rays of a moving view are cast, and its frame is on its way: the next view does not take its
    /// place any more.
    Cast {
        /// The view's number.
        view: u32,
    },
    /// The next binary message is this frame: what passes between the two is the time of its bytes.
    Sending {
        /// The frame's number.
        frame: u32,
    },
    /// The answer to an `ask`.
    Answer(Box<AnswerReply>),
    /// How long the library takes for an answer that was sent.
    Timed {
        /// The `ask` that was answered.
        id: u32,
        /// The median time of the query, nanoseconds.
        median_ns: u64,
    },
    /// Why an answer is the answer.
    Explanation(Box<ExplanationReply>),
    /// A question that is not answered any more: the page said so.
    Cancelled {
        /// The message that contained it.
        id: u32,
    },
    /// What became of a table.
    Table(Box<TableReply>),
    /// Which points are visible.
    Visible {
        /// The message that is answered.
        id: u32,
        /// For each point.
        visible: Vec<bool>,
    },
    /// Boxes to draw.
    Overlay {
        /// The message that is answered.
        id: u32,
        /// Their corners.
        boxes: Vec<[[f32; 3]; 8]>,
        /// How many there are; one more than are shown where there are more.
        count: usize,
    },
    /// The lines of an object.
    Wireframe {
        /// The message that is answered.
        id: u32,
        /// Lines from point to point, metres.
        lines: Vec<Vec<[f32; 3]>>,
        /// The box around it; absent where nothing of it is there.
        #[serde(skip_serializing_if = "Option::is_none")]
        bounds: Option<[[f32; 3]; 2]>,
    },
    /// A message cannot be used.
    Refused(Refusal),
    /// The answer to `ping`.
    Pong {
        /// The message that is answered.
        id: u32,
    },
    /// The connection ends.
    Bye {
        /// Why.
        reason: String,
    },
}

impl Reply {
    /// The message's text.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Of what is in here nothing fails to be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A scene, as pages list it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneReply {
    /// The `hello` that is answered; absent where the scene comes unasked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// What links call it.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The program's version.
    pub version: String,
    /// What a command elsewhere reads it from.
    pub source: SceneSource,
    /// The first objects.
    pub objects: Vec<ObjectReply>,
    /// The box around everything; absent where there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[[f32; 3]; 2]>,
    /// A camera that has everything in view.
    pub camera: CameraReply,
    /// The camera to begin with; absent where that is `camera`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<CameraReply>,
    /// What files omit, and warnings.
    pub notes: Vec<String>,
    /// How many objects there are.
    pub objects_total: usize,
    /// What x, y and z of tables are where those of the scene are 0; absent where they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<[f64; 3]>,
}

/// What a command in another folder reads a scene from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SceneSource {
    /// The absolute path of the scene file, or of the height map or model in its place; `demo:` for the
    /// built-in one.
    pub file: String,
    /// The options with which it is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The text of the scene that a height map or a model is opened as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A camera, as `view` has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CameraReply {
    /// Where it is.
    pub eye: [f32; 3],
    /// What it looks at.
    pub look: [f32; 3],
    /// Degrees from the lower to the upper edge.
    pub fov: f64,
    /// `perspective` or `orthographic`.
    pub projection: &'static str,
}

/// An object, as pages list it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectReply {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// Its layers, a bit each.
    pub layers: u32,
    /// The box around it; absent where nothing of it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[[f32; 3]; 2]>,
    /// How many triangles it has.
    pub triangles: usize,
    /// The names of its parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// Its clips.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<ClipReply>,
    /// The name of the clip in which the scene has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// The time in that clip, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
}

/// A clip of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClipReply {
    /// Its name; its index where it has none.
    pub name: String,
    /// The time of its first key, seconds.
    pub start: f64,
    /// The time of its last key, seconds.
    pub end: f64,
}
