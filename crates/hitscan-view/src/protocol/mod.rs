//! `hitscan.view.v1`: the messages that a page and the viewer exchange, as types.
//!
//! `PROTOCOL.md` says what they mean. What pages send is read strictly: a field that is unknown, of
//! the wrong type or out of range is refused by its name. Nothing here does anything with a message;
//! that is [`viewer`](crate::viewer).

mod refusal;
mod fields;
mod view;
mod asked_world;
mod ask;
mod request;
mod table;
mod changed_tiles;
mod frame;
mod frame_part;
mod answer;
mod expected;
mod explanation;
mod table_reply;
mod reply;

pub use answer::{AnswerReply, BindReply, BoxReply, Columns, LineReply, PastReply};
pub use ask::{AskRequest, Asked, Tool, ToolOptions, When};
pub use asked_world::{AskedWorld, PastWorld};
pub use changed_tiles::ChangedTiles;
pub use expected::{EarlierReply, ExpectedReply, NearReply, PlaceReply, ReasonReply, TurnReply};
pub use explanation::{
    ApproachReply, AxisReply, ExplanationReply, MarchReply, PassedReply, SectionReply, VisitReply,
};
pub use frame::{FrameCodec, FrameHeader};
pub use frame_part::FramePart;
pub use refusal::Refusal;
pub use reply::{CameraReply, ClipReply, ObjectReply, Reply, SceneReply, SceneSource};
pub use request::{OverlayBoxes, OverlayRequest, Request, RequestBody, WireframePlace};
pub use table::TableRequest;
pub use table_reply::{TableReply, TableRow};
pub use view::{CameraRequest, ClipPlace, PictureMode, PoseRequest, ViewRequest};

pub(crate) use refusal::FieldError;

/// The subprotocol's name.
pub const SUBPROTOCOL: &str = "hitscan.view.v1";
