//! Facts about a file, as aligned lines with headings and as a JSON object.

use crate::failure::Failure;
use crate::output;
use crate::terminal::{escaped, escaped_json};
use hitscan::Aabb;
use serde_json::{Map, Value};
use std::fmt;
use std::io::{BufWriter, Stdout, Write as _, stdout};

/// Headings, and lines under them with a name and a value; and the same as a JSON object.
#[derive(Debug, Default)]
pub(super) struct Facts {
    lines: Vec<Line>,
    json: Map<String, Value>,
}

#[derive(Debug)]
enum Line {
    Heading(String),
    Fact(&'static str, String),
    Text(String),
}

impl Facts {
    pub(super) fn heading(&mut self, text: impl Into<String>) -> &mut Self {
        self.lines.push(Line::Heading(escaped(&text.into())));
        self
    }

    /// A fact in words.
    pub(super) fn fact(&mut self, name: &'static str, value: impl fmt::Display) -> &mut Self {
        let value = value.to_string();
        self.fact_as(name, &value, value.as_str())
    }

    /// A count.
    pub(super) fn count(&mut self, name: &'static str, value: usize) -> &mut Self {
        self.fact_as(name, value, value)
    }

    /// A fact in words, and as a value.
    pub(super) fn fact_as(
        &mut self,
        name: &'static str,
        words: impl fmt::Display,
        value: impl Into<Value>,
    ) -> &mut Self {
        let words = escaped(&words.to_string());
        self.lines.push(Line::Fact(name, words));
        self.value(&name.replace([' ', '-'], "_"), value)
    }

    /// A fact that is no line, only a value.
    pub(super) fn value(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.json.insert(key.to_owned(), value.into());
        self
    }

    /// What is odd about the file.
    pub(super) fn notes(&mut self, notes: &[String]) -> &mut Self {
        for note in notes {
            self.lines.push(Line::Fact("note", escaped(note)));
        }
        self.value("notes", notes)
    }

    /// A line without a name.
    pub(super) fn text(&mut self, text: impl Into<String>) -> &mut Self {
        self.lines.push(Line::Text(escaped(&text.into())));
        self
    }

    /// Facts of one of several things, under a heading of its own; a value in the list `list`.
    pub(super) fn section(&mut self, list: &str, heading: &str, facts: Self) {
        self.heading(heading);
        self.lines.extend(facts.lines);
        self.push(list, facts.json);
    }

    fn push(&mut self, list: &str, json: Map<String, Value>) {
        let entry = self.json.entry(list);
        if let Value::Array(list) = entry.or_insert(Value::Array(Vec::new())) {
            list.push(json.into());
        }
    }

    /// The box around an object; `None` where nothing is in it.
    pub(super) fn bounds(&mut self, bounds: Option<Aabb>) -> &mut Self {
        let Some(bounds) = bounds else {
            return self.fact_as("bounds", "nothing in it", Value::Null);
        };
        let (min, max) = (bounds.min(), bounds.max());
        let words = format!("{} to {}", point(min), point(max));
        let [low, high] = [min, max].map(|corner| corner.to_array().map(nearest_f64));
        let mut corners = Map::new();
        corners.insert("min".to_owned(), low.to_vec().into());
        corners.insert("max".to_owned(), high.to_vec().into());
        self.fact_as("bounds", words, corners);
        // Of the numbers as they are printed, so that a box from 0.785 to 1.785 is 1 m high.
        #[expect(clippy::cast_possible_truncation, reason = "the corners are of f32")]
        let [x, y, z] = [0, 1, 2].map(|axis| (high[axis] - low[axis]) as f32);
        let words = format!("{x} x {y} x {z} m");
        self.lines.push(Line::Fact("size", words));
        self
    }

    /// An amount of memory.
    pub(super) fn memory(&mut self, bytes: usize) -> &mut Self {
        self.lines.push(Line::Fact("memory", memory(bytes)));
        self.value("memory_bytes", bytes)
    }

    /// One JSON object on one line.
    pub(super) fn into_json(self) -> String {
        escaped_json(&self.json.into())
    }

    /// Prints the same object, with `list` in place of a list of this name, whose entries come one by one.
    pub(super) fn print_json_with(mut self, list: &str) -> Result<JsonList, Failure> {
        self.json.remove(list);
        let (before, after) = self
            .json
            .into_iter()
            .partition(|(key, _)| key.as_str() < list);
        let mut head = members(before);
        if !head.is_empty() {
            head.push(',');
        }
        let after = match members(after) {
            none if none.is_empty() => none,
            some => format!(",{some}"),
        };
        let mut out = BufWriter::new(stdout());
        let written = write!(out, "{{{head}\"{list}\":[");
        written.or_else(|error| output::printed(Err(error)))?;
        Ok(JsonList {
            out,
            separator: "",
            end: format!("]{after}}}\n"),
        })
    }
}

/// The members of a JSON object, without its braces.
fn members(object: Map<String, Value>) -> String {
    let text = escaped_json(&object.into());
    let text = text.trim_end();
    text[1..text.len() - 1].to_owned()
}

/// A JSON object that is printed up to the entries of its last list: they are not kept.
pub(super) struct JsonList {
    out: BufWriter<Stdout>,
    separator: &'static str,
    /// What comes behind the list.
    end: String,
}

impl JsonList {
    pub(super) fn add(&mut self, facts: Facts) -> Result<(), Failure> {
        let separator = std::mem::replace(&mut self.separator, ",");
        let entry = facts.into_json();
        let written = write!(self.out, "{separator}{}", entry.trim_end());
        written.or_else(|error| output::printed(Err(error)))
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let written = self.out.write_all(self.end.as_bytes());
        output::printed(written.and_then(|()| self.out.flush()))
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.lines.iter().map(|line| match line {
            Line::Fact(name, _) => name.len(),
            Line::Heading(_) | Line::Text(_) => 0,
        });
        let width = names.max().unwrap_or(0);
        for (index, line) in self.lines.iter().enumerate() {
            match line {
                Line::Heading(text) if index == 0 => writeln!(f, "{text}")?,
                Line::Heading(text) => writeln!(f, "\n{text}")?,
                Line::Fact(name, value) => writeln!(f, "  {name:width$}  {value}")?,
                Line::Text(text) => writeln!(f, "  {text}")?,
            }
        }
        Ok(())
    }
}

fn point(p: hitscan::glam::Vec3) -> String {
    format!("({}, {}, {})", p.x, p.y, p.z)
}

/// The number whose shortest digits are those of an f32.
pub(super) fn nearest_f64(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// A number without digits that its rounding made: those of an f32 where it is one, else at most 15.
pub(super) fn plain(number: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whether it is exact is tested"
    )]
    let single = number as f32;
    if f64::from(single) == number {
        return nearest_f64(single);
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// A number of bytes in the unit that fits.
pub(super) fn memory(bytes: usize) -> String {
    let units = ["KB", "MB", "GB"];
    let mut amount = bytes as f64;
    let mut unit = "bytes";
    for larger in units {
        if amount < 1000.0 {
            break;
        }
        amount /= 1000.0;
        unit = larger;
    }
    if unit == "bytes" {
        format!("{bytes} bytes")
    } else {
        format!("{amount:.1} {unit}")
    }
}

/// A count with its noun, which gets an s where it is not one.
pub(super) fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_aligned_and_units_fit() {
        let mut facts = Facts::default();
        facts
            .heading("a.obj")
            .count("parts", 2)
            .count("triangles", 12)
            .memory(1_234_567);
        let text = "a.obj\n  parts      2\n  triangles  12\n  memory     1.2 MB\n";
        assert_eq!(facts.to_string(), text);
        let json = "{\"memory_bytes\":1234567,\"parts\":2,\"triangles\":12}\n";
        assert_eq!(facts.into_json(), json);
        assert_eq!((plain(f64::from(0.2_f32)), plain(0.1 + 0.2)), (0.2, 0.3));
        assert_eq!(memory(999), "999 bytes");
        assert_eq!(
            (count(1, "clip"), count(0, "clip")),
            ("1 clip".into(), "0 clips".into())
        );
    }
}
