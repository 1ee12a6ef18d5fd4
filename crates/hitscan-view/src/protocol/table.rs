//! A table that a page sends: a header in JSON, and the bytes of a file.

use super::ask::{Tool, ToolOptions};
use super::fields::Fields;
use super::refusal::{FieldError, Refusal, shown};
use serde_json::Value;
use std::sync::Arc;

/// A table of questions, or of answers.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRequest {
    /// What answers it bears the same.
    pub id: u32,
    /// The file's name, whose ending says the format.
    pub name: String,
    /// The command, where the columns do not determine it.
    pub tool: Option<Tool>,
    /// The command's options.
    pub options: ToolOptions,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
}

impl TableRequest {
    /// Reads a binary message: the header's length as a little-endian u32, the header, the file.
    ///
    /// # Errors
    /// As [`Request::parse`](super::Request::parse).
    pub fn parse(message: &[u8]) -> Result<Self, Refusal> {
        let wrong = || *Refusal::new("message", "bytes", "a header's length, a header and a file");
        let (length, rest) = message.split_first_chunk().ok_or_else(wrong)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| wrong())?;
        let (header, bytes) = rest.split_at_checked(length).ok_or_else(wrong)?;
        let header: Value = serde_json::from_slice(header)
            .map_err(|error| *Refusal::new("message", "a header", format!("JSON: {error}")))?;
        let Value::Object(fields) = header else {
            return Err(*Refusal::new("message", shown(&header), "an object"));
        };
        let mut fields = Fields::of_message(fields);
        let id = fields.u32("id").map_err(|refusal| *refusal)?;
        let table = Self::read(id, &mut fields, bytes);
        table
            .and_then(|table| fields.finish().map(|()| table))
            .map_err(|refusal| refusal.of(id))
    }

    fn read(id: u32, fields: &mut Fields, bytes: &[u8]) -> Result<Self, FieldError> {
        fields.word("type", &[("table", ())], None)?;
        let name = fields.text("name", "a file's name")?;
        let tool = fields.place("tool");
        let tool = match fields.optional("tool") {
            None => None,
            Some(value) => {
                let known = Tool::ALL.iter().find(|(name, _)| value == *name);
                let known = known.map(|(_, tool)| *tool);
                let wrong = || Refusal::new(tool, shown(&value), "the name of a tool");
                Some(known.ok_or_else(wrong)?)
            }
        };
        Ok(Self {
            id,
            name,
            tool,
            options: fields
                .read("options", ToolOptions::read)?
                .unwrap_or_default(),
            bytes: bytes.into(),
        })
    }
}
