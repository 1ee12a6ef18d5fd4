//! The `ask` message: a tool, its question, its options.

use super::asked_world::AskedWorld;
use super::fields::Fields;
use super::refusal::{FieldError, Refusal, shown};
use crate::limits;
use serde_json::Value;

/// The command that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// `hitscan ray`.
    Ray,
    /// `hitscan height`.
    Height,
    /// `hitscan sweep`.
    Sweep,
    /// `hitscan overlap` with a table.
    Overlap,
    /// `hitscan closest`.
    Closest,
    /// `hitscan arc`.
    Arc,
    /// `hitscan sight` without a table of targets.
    Sight,
    /// `hitscan viewshed` of one eye.
    Viewshed,
    /// `hitscan distance` of two objects.
    Distance,
}

impl Tool {
    /// All tools by their names.
    pub const ALL: [(&str, Self); 9] = [
        ("ray", Self::Ray),
        ("height", Self::Height),
        ("sweep", Self::Sweep),
        ("overlap", Self::Overlap),
        ("closest", Self::Closest),
        ("arc", Self::Arc),
        ("sight", Self::Sight),
        ("viewshed", Self::Viewshed),
        ("distance", Self::Distance),
    ];

    /// The command's name.
    ///
    /// ```
    /// assert_eq!(hitscan_view::protocol::Tool::Overlap.name(), "overlap");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ray => "ray",
            Self::Height => "height",
            Self::Sweep => "sweep",
            Self::Overlap => "overlap",
            Self::Closest => "closest",
            Self::Arc => "arc",
            Self::Sight => "sight",
            Self::Viewshed => "viewshed",
            Self::Distance => "distance",
        }
    }
}

/// An `ask`.
#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// What answers.
    pub tool: Tool,
    /// The question.
    pub what: Asked,
    /// The command's options.
    pub options: ToolOptions,
    /// The world that is queried.
    pub when: When,
}

/// Which world is queried.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// The one that the page showed so many milliseconds ago.
    Ago(u64),
    /// The scene in the poses that the question states.
    Stated(AskedWorld),
}

/// A question, or the pixel that defines it.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// Columns and the texts of their fields, in no order that matters.
    Columns(Vec<(String, String)>),
    /// A pixel of a frame.
    Pixel {
        /// The frame.
        frame: u32,
        /// The pixel's column and row in that frame.
        pixel: [u32; 2],
    },
}

/// The options of the command, without their dashes, as texts; what they mean is read where the table
/// is made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOptions {
    given: Vec<(String, String)>,
}

impl ToolOptions {
    /// The options at a place: an object of texts, numbers, true and false.
    pub(super) fn read(place: &str, value: Value) -> Result<Self, FieldError> {
        let fields = Fields::of_object(place, value)?;
        let mut given = Vec::new();
        for (name, value) in fields.into_rest() {
            let text = match value {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                other => {
                    let place = format!("{place}.{name}");
                    return Err(Refusal::new(place, shown(&other), "text, a number or true"));
                }
            };
            given.push((name, text));
        }
        Ok(Self { given })
    }

    /// Adds an option, unless it is given.
    pub(crate) fn add(&mut self, name: &str, value: &str) {
        if !self.has(name) {
            self.given.push((name.to_owned(), value.to_owned()));
        }
    }

    /// The options and their values, in the order of the message.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        let given = self.given.iter();
        given.map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether there is an option of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| given == name)
    }

    /// Takes the option of this name.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.given.iter().position(|(given, _)| given == name)?;
        Some(self.given.remove(place).1)
    }

    /// Takes an option that is one of some words, the first of which is the default.
    pub(crate) fn word<T: Copy>(
        &mut self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<T, FieldError> {
        let Some(text) = self.take(name) else {
            return Ok(words[0].1);
        };
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let expected = format!("one of {}", words.join(", "));
            Refusal::new(format!("options.{name}"), text, expected)
        })
    }

    /// Refuses an option that nobody took.
    pub(crate) fn finish(self) -> Result<(), FieldError> {
        match self.given.into_iter().next() {
            None => Ok(()),
            Some((name, text)) => Err(Refusal::new(
                format!("options.{name}"),
                text,
                "no such option of this tool",
            )),
        }
    }
}

impl AskRequest {
    /// Whether it requests all pairs of objects that overlap, of which there are no questions.
    pub(crate) fn is_of_pairs(&self) -> bool {
        let has_no_columns = matches!(&self.what, Asked::Columns(columns) if columns.is_empty());
        self.tool == Tool::Overlap && has_no_columns
    }

    pub(super) fn read(fields: &mut Fields) -> Result<Self, FieldError> {
        let tool = fields.word("tool", &Tool::ALL, None)?;
        let question = fields.read("question", read_question)?;
        let frame = fields.optional_u32("frame")?;
        let pixel = fields.optional_pair("pixel")?;
        let when = When::read(fields)?;
        let what = match (question, frame, pixel) {
            (Some(columns), None, None) => Asked::Columns(columns),
            (None, Some(frame), Some(pixel)) => match (tool, &when) {
                (_, When::Stated(_)) => {
                    let expected = "no field: a pixel asks the world of its frame";
                    return Err(Refusal::new("world", "poses", expected));
                }
                (Tool::Ray | Tool::Height | Tool::Closest, _) => Asked::Pixel { frame, pixel },
                _ => {
                    let expected = "a question: pixels ask for ray, height and closest";
                    return Err(Refusal::new("pixel", "a pixel", expected));
                }
            },
            _ => {
                let (found, expected) = ("neither, or both", "`question`, or `frame` and `pixel`");
                return Err(Refusal::new("question", found, expected));
            }
        };
        Ok(Self {
            tool,
            what,
            options: fields
                .read("options", ToolOptions::read)?
                .unwrap_or_default(),
            when,
        })
    }
}

impl When {
    fn read(fields: &mut Fields) -> Result<Self, FieldError> {
        let ago = fields.optional_u53("as_of_ms")?;
        match (fields.read("world", AskedWorld::read)?, ago) {
            (Some(world), None) => Ok(Self::Stated(world)),
            (None, ago) => {
                let ago = ago.unwrap_or(0);
                if ago > limits::HISTORY_MS {
                    let expected = format!("0 to {}", limits::HISTORY_MS);
                    let refusal = Refusal::new("as_of_ms", ago.to_string(), expected);
                    return Err(refusal.by("HISTORY_MS"));
                }
                Ok(Self::Ago(ago))
            }
            (Some(_), Some(ago)) => {
                let expected = "`as_of_ms` or `world`";
                Err(Refusal::new("as_of_ms", ago.to_string(), expected))
            }
        }
    }
}

/// The columns of a question. A number's text is the shortest that reads back as the same f64.
fn read_question(place: &str, value: Value) -> Result<Vec<(String, String)>, FieldError> {
    let fields = Fields::of_object(place, value)?;
    let column = |(name, value): (String, Value)| match value {
        Value::Number(number) => Ok((name, number.to_string())),
        Value::String(text) => Ok((name, text)),
        other => Err(Refusal::new(
            format!("{place}.{name}"),
            shown(&other),
            "a number or text",
        )),
    };
    fields.into_rest().into_iter().map(column).collect()
}
