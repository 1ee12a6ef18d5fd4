//! Facts about a file, as aligned lines with headings.

use crate::terminal::escaped;
use hitscan::Aabb;
use std::fmt;

/// Headings, and lines under them with a name and a value.
#[derive(Debug, Default)]
pub(super) struct Facts {
    lines: Vec<Line>,
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

    pub(super) fn fact(&mut self, name: &'static str, value: impl fmt::Display) -> &mut Self {
        self.lines
            .push(Line::Fact(name, escaped(&value.to_string())));
        self
    }

    /// A line without a name.
    pub(super) fn text(&mut self, text: impl Into<String>) -> &mut Self {
        self.lines.push(Line::Text(escaped(&text.into())));
        self
    }

    /// The box around an object; `None` where nothing is in it.
    pub(super) fn bounds(&mut self, bounds: Option<Aabb>) -> &mut Self {
        match bounds {
            None => self.fact("bounds", "nothing in it"),
            Some(bounds) => {
                let size = bounds.max() - bounds.min();
                self.fact(
                    "bounds",
                    format!("{} to {}", point(bounds.min()), point(bounds.max())),
                )
                .fact("size", format!("{} x {} x {} m", size.x, size.y, size.z))
            }
        }
    }

    /// An amount of memory.
    pub(super) fn memory(&mut self, bytes: usize) -> &mut Self {
        self.fact("memory", memory(bytes))
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
            .fact("parts", 2)
            .fact("triangles", 12)
            .memory(1_234_567);
        let text = "a.obj\n  parts      2\n  triangles  12\n  memory     1.2 MB\n";
        assert_eq!(facts.to_string(), text);
        assert_eq!(memory(999), "999 bytes");
        assert_eq!(
            (count(1, "clip"), count(0, "clip")),
            ("1 clip".into(), "0 clips".into())
        );
    }
}
