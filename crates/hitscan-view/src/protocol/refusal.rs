//! The refusal of a message: the field, the value found, the value expected.

use serde::Serialize;
use serde_json::Value;

/// A message that cannot be used, as it is sent back.
///
/// ```
/// use hitscan_view::protocol::Request;
/// let refusal = Request::parse(r#"{"type": "shown", "id": 3, "frame": -1}"#).unwrap_err();
/// assert_eq!((refusal.id, refusal.field.as_str()), (Some(3), "frame"));
/// assert_eq!((refusal.found.as_str(), refusal.expected.as_str()), ("-1", "a whole number from 0 to 4294967295"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The message's number; `None` where the message has none, and so is not of the protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// The field, `camera.eye[1]` say.
    pub field: String,
    /// What it holds, shortened.
    pub found: String,
    /// What it should hold.
    pub expected: String,
    /// The limit's name, where one refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

/// A refusal of a field, before the message's number is added.
pub(crate) type FieldError = Box<Refusal>;

impl Refusal {
    /// A refusal of what a field holds.
    pub(crate) fn new(
        field: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> FieldError {
        Box::new(Self {
            id: None,
            field: field.into(),
            found: shortened(found.into()),
            expected: expected.into(),
            limit: None,
        })
    }

    /// The same, by a limit.
    pub(crate) fn by(&self, limit: &'static str) -> FieldError {
        Box::new(Self {
            limit: Some(limit),
            ..self.clone()
        })
    }

    /// The same, of a field within the one at `place`.
    pub(crate) fn within(&self, place: &str) -> FieldError {
        Box::new(Self {
            field: format!("{place}.{}", self.field),
            ..self.clone()
        })
    }

    /// The same, of the message with this number.
    pub(crate) fn of(&self, id: u32) -> Self {
        Self {
            id: Some(id),
            ..self.clone()
        }
    }
}

/// A value as a refusal names it.
pub(crate) fn shown(value: &Value) -> String {
    value.to_string()
}

/// The first characters of a text.
fn shortened(text: String) -> String {
    /// So many.
    const SHOWN: usize = 80;
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
