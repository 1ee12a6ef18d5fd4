//! A control message of a page.

use super::ask::AskRequest;
use super::fields::{Fields, numbers_at};
use super::refusal::{FieldError, Refusal, shown};
use super::view::ViewRequest;
use crate::limits;
use serde_json::Value;

/// A control message of a page: its number and what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What answers it bears the same.
    pub id: u32,
    /// What it says.
    pub body: RequestBody,
}

/// What a control message of a page says.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestBody {
    /// The first message, with the key where the server requires one.
    Hello {
        /// The key.
        key: Option<String>,
    },
    /// What the page wants to see.
    View(ViewRequest),
    /// A frame is on the page.
    Shown {
        /// The frame.
        frame: u32,
        /// How long its bytes took to arrive behind `sending`, microseconds.
        took_us: Option<u32>,
    },
    /// A part of a frame has arrived.
    Received {
        /// The frame.
        frame: u32,
        /// How many bytes of the frame there are with it.
        end: u32,
        /// How long its bytes took to arrive behind `sending`, microseconds.
        took_us: Option<u32>,
    },
    /// A question.
    Ask(AskRequest),
    /// Why an answer is the answer.
    Explain {
        /// The number of the `ask`.
        ask: u32,
        /// Why the answer is not this object, in place of all else.
        expect: Option<String>,
    },
    /// Nobody waits for a question's answer any more.
    Cancel {
        /// The number of its message.
        ask: u32,
    },
    /// Which points nothing hides from the camera of a frame.
    Visible {
        /// The frame.
        frame: u32,
        /// The points, metres.
        points: Vec<[f64; 3]>,
    },
    /// Boxes to draw.
    Overlay(OverlayRequest),
    /// The lines of an object.
    Wireframe {
        /// Its name.
        object: String,
        /// Where it is placed.
        place: WireframePlace,
    },
    /// The scene's files are to be read again.
    Reload,
    /// Nothing but a sign of life.
    Ping,
}

/// Which boxes are to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct OverlayRequest {
    /// Of objects, or of a tree.
    pub boxes: OverlayBoxes,
    /// The object; without one the world.
    pub object: Option<String>,
    /// The level of the tree, 0 being its root.
    pub level: u32,
}

/// Which boxes an overlay shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverlayBoxes {
    /// Those around objects.
    Bounds,
    /// Those of the nodes of a tree.
    Tree,
}

/// Where an object is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WireframePlace {
    /// As it is placed in the world.
    World,
    /// A hull as a shape of a table, its own origin at 0 and not rotated.
    Origin,
}

const WIREFRAME_PLACES: [(&str, WireframePlace); 2] = [
    ("world", WireframePlace::World),
    ("origin", WireframePlace::Origin),
];

const OVERLAY_BOXES: [(&str, OverlayBoxes); 2] = [
    ("bounds", OverlayBoxes::Bounds),
    ("tree", OverlayBoxes::Tree),
];

impl Request {
    /// Reads a message.
    ///
    /// ```
    /// use hitscan_view::protocol::{Request, RequestBody};
    /// let request = Request::parse(r#"{"type": "ping", "id": 7}"#)?;
    /// assert_eq!((request.id, request.body), (7, RequestBody::Ping));
    /// # Ok::<(), hitscan_view::protocol::Refusal>(())
    /// ```
    ///
    /// # Errors
    /// The field that cannot be used. Where [`Refusal::id`] is `None`, the text is not of the protocol
    /// at all: no JSON object, or without a `type` and a number.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| *Refusal::new("message", text, format!("JSON: {error}")))?;
        let Value::Object(fields) = value else {
            return Err(*Refusal::new("message", shown(&value), "an object"));
        };
        let mut fields = Fields::of_message(fields);
        let kind = fields.text("type", "text").map_err(|refusal| *refusal)?;
        let id = fields.u32("id").map_err(|refusal| *refusal)?;
        if id == 0 {
            let expected = "a whole number from 1 to 4294967295";
            return Err(*Refusal::new("id", "0", expected));
        }
        match RequestBody::read(&kind, &mut fields).and_then(|body| fields.finish().map(|()| body))
        {
            Ok(body) => Ok(Self { id, body }),
            Err(refusal) => Err(refusal.of(id)),
        }
    }
}

impl RequestBody {
    fn read(kind: &str, fields: &mut Fields) -> Result<Self, FieldError> {
        Ok(match kind {
            "hello" => Self::Hello {
                key: fields.optional_text("key", "text")?,
            },
            "view" => Self::View(ViewRequest::read(fields)?),
            "shown" => Self::Shown {
                frame: fields.u32("frame")?,
                took_us: fields.optional_u32("took_us")?,
            },
            "received" => Self::Received {
                frame: fields.u32("frame")?,
                end: fields.u32("end")?,
                took_us: fields.optional_u32("took_us")?,
            },
            "ask" => Self::Ask(AskRequest::read(fields)?),
            "explain" => Self::Explain {
                ask: fields.u32("ask")?,
                expect: fields.optional_text("expect", "an object's name")?,
            },
            "cancel" => Self::Cancel {
                ask: fields.u32("ask")?,
            },
            "visible" => Self::Visible {
                frame: fields.u32("frame")?,
                points: read_points(fields)?,
            },
            "overlay" => Self::Overlay(OverlayRequest {
                boxes: fields.word("boxes", &OVERLAY_BOXES, None)?,
                object: fields.optional_text("object", "an object's name")?,
                level: fields.optional_u32("level")?.unwrap_or(0),
            }),
            "wireframe" => Self::Wireframe {
                object: fields.text("object", "an object's name")?,
                place: fields.word("place", &WIREFRAME_PLACES, Some(WireframePlace::World))?,
            },
            "reload" => Self::Reload,
            "ping" => Self::Ping,
            other => {
                let expected = "hello, view, shown, received, ask, explain, cancel, visible, \
                                overlay, wireframe, reload or ping";
                return Err(Refusal::new("type", other, expected));
            }
        })
    }
}

fn read_points(fields: &mut Fields) -> Result<Vec<[f64; 3]>, FieldError> {
    let points = fields.list("points")?;
    if points.len() > limits::VISIBLE_POINTS {
        let found = format!("{} points", points.len());
        let expected = format!("at most {}", limits::VISIBLE_POINTS);
        return Err(Refusal::new("points", found, expected).by("VISIBLE_POINTS"));
    }
    let point = |(place, value): &(String, Value)| numbers_at(place, value);
    points.iter().map(point).collect()
}
