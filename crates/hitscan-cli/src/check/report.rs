//! The report of `hitscan check` on standard output: errors with their lines, and rows that fail.
//!
//! It is written as rows come, so that memory does not grow with their number.

use crate::arguments::{CheckArguments, ReportFormat};
use crate::failure::{self, Failure};
use crate::output;
use crate::terminal::{escaped, escaped_json, escaped_lines};
use hitscan_assets::Scene;
use hitscan_table::{Location, Summary};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Stdout, Write as _};
use std::path::PathBuf;

/// A report that is being written.
pub(crate) struct Report {
    format: ReportFormat,
    scene: PathBuf,
    writer: RefCell<Result<BufWriter<Stdout>, io::Error>>,
    has_rows: Cell<bool>,
}

impl Report {
    /// The report that the arguments want.
    pub(crate) fn new(arguments: &CheckArguments) -> Option<Self> {
        Some(Self {
            format: arguments.report()?,
            scene: arguments.scene.scene.clone(),
            writer: RefCell::new(Ok(BufWriter::new(io::stdout()))),
            has_rows: Cell::new(false),
        })
    }

    /// Whether it is for people, who have the warnings on standard error.
    pub(crate) fn is_text(&self) -> bool {
        self.format == ReportFormat::Text
    }

    /// Writes all errors of a scene, and ends the report.
    pub(crate) fn write_faults(&self, faults: &[hitscan_assets::Error]) -> Result<(), Failure> {
        match self.format {
            ReportFormat::Text => {
                self.write(&escaped_lines(&text_of(faults)));
                self.write("\n");
            }
            ReportFormat::Github => {
                for fault in faults {
                    let place = fault.line_and_column();
                    let line = place.map(|place| (place.line.into(), Some(place.column)));
                    let file = fault.named_path().display().to_string();
                    self.annotate("error", &file, line, &failure::message(fault));
                }
            }
            ReportFormat::Json => {
                let errors: Vec<_> = faults.iter().map(fault_json).collect();
                let scene = self.scene.display().to_string();
                self.write(&escaped_json(&json!({ "scene": scene, "errors": errors })));
            }
        }
        self.flush()
    }

    /// Adds a row of the table that fails or cannot be used. Where that fails, [`Report::finish`] says so.
    pub(crate) fn add_row(&self, place: &Location, status: &str, reason: &str) {
        match self.format {
            ReportFormat::Text => {
                let line = escaped(&format!("{place}: {status}: {reason}"));
                self.write(&format!("{line}\n"));
            }
            ReportFormat::Github => {
                let line = place.line.map(|line| (line, None));
                let message = format!("row {}: {status}: {reason}", place.row);
                self.annotate("error", &place.file, line, &message);
            }
            ReportFormat::Json => {
                let before = match self.has_rows.get() {
                    false => self.json_head(),
                    true => ",".to_owned(),
                };
                let row = escaped_json(&json!({
                    "file": place.file,
                    "row": place.row,
                    "line": place.line,
                    "status": status,
                    "reason": reason,
                }));
                self.write(&format!("{before}{}", row.trim_end()));
            }
        }
        self.has_rows.set(true);
    }

    /// Ends the report on a table that cannot be read to its end.
    pub(crate) fn break_off(self) -> Result<(), Failure> {
        if self.format == ReportFormat::Json && self.has_rows.get() {
            self.write("],\"is_whole\":false}\n");
        }
        self.flush()
    }

    /// Ends the report on a scene without errors, and on a table.
    pub(crate) fn finish(self, scene: &Scene, table: Option<&Summary>) -> Result<(), Failure> {
        match self.format {
            ReportFormat::Text => {
                let what = match (table, scene.object_names().count()) {
                    (Some(table), _) if table.status_count("pass") + table.skipped < table.rows => {
                        None
                    }
                    (Some(table), _) => {
                        let rows = table.rows - table.skipped;
                        Some(format!("all of {rows} rows pass"))
                    }
                    (None, 1) => Some("1 object, no errors".to_owned()),
                    (None, count) => Some(format!("{count} objects, no errors")),
                };
                if let Some(what) = what {
                    let path = escaped(&self.scene.display().to_string());
                    self.write(&format!("{path}: {what}\n"));
                }
            }
            ReportFormat::Github => {
                let file = self.scene.display().to_string();
                for warning in scene.warnings() {
                    self.annotate("warning", &file, None, warning);
                }
            }
            ReportFormat::Json => {
                let mut end = json!({
                    "warnings": scene.warnings(),
                    "objects": scene.object_names().count(),
                });
                if let Some(table) = table {
                    end["rows"] = table.rows.into();
                    end["failed"] = table.status_count("fail").into();
                    end["invalid"] = table.invalid.into();
                    if !self.has_rows.get() {
                        self.write(&self.json_head());
                    }
                    self.write("],");
                } else {
                    let scene = escaped_json(&self.scene.display().to_string().into());
                    self.write(&format!("{{\"scene\":{},\"errors\":[],", scene.trim_end()));
                }
                self.write(escaped_json(&end).trim_start_matches('{'));
            }
        }
        self.flush()
    }

    /// The report's begin, up to the rows.
    fn json_head(&self) -> String {
        let scene = escaped_json(&self.scene.display().to_string().into());
        format!("{{\"scene\":{},\"errors\":[],\"bad\":[", scene.trim_end())
    }

    /// Writes an annotation of a workflow at a line, and at a column of it.
    fn annotate(&self, kind: &str, file: &str, line: Option<(u64, Option<u32>)>, message: &str) {
        let mut text = format!("::{kind} file={}", annotated(file, true));
        // Writing to a string does not fail.
        if let Some((line, column)) = line {
            let _ = write!(text, ",line={line}");
            if let Some(column) = column {
                let _ = write!(text, ",col={column}");
            }
        }
        let _ = writeln!(text, "::{}", annotated(&escaped_lines(message), false));
        self.write(&text);
    }

    fn write(&self, text: &str) {
        let mut writer = self.writer.borrow_mut();
        if let Ok(open) = writer.as_mut()
            && let Err(error) = open.write_all(text.as_bytes())
        {
            *writer = Err(error);
        }
    }

    fn flush(&self) -> Result<(), Failure> {
        let ended = BufWriter::new(io::stdout());
        let written = self
            .writer
            .replace(Ok(ended))
            .and_then(|mut writer| writer.flush());
        output::printed(written)
    }
}

/// `text` as a value of an annotation, or as a property.
fn annotated(text: &str, is_property: bool) -> String {
    let mut quoted = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    if is_property {
        quoted = quoted.replace(':', "%3A").replace(',', "%2C");
    }
    quoted
}

fn fault_json(fault: &hitscan_assets::Error) -> serde_json::Value {
    let place = fault.line_and_column();
    json!({
        "file": fault.named_path().display().to_string(),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
        "message": failure::message(fault),
    })
}

/// All errors, each with the line that is at fault and a mark under the place, and how many there are.
pub(crate) fn text_of(faults: &[hitscan_assets::Error]) -> String {
    let mut lines = Lines::default();
    let mut text = String::new();
    for fault in faults {
        text.push_str(&failure::message(fault));
        text.push('\n');
        if let Some(excerpt) = lines.excerpt(fault) {
            text.push_str(&excerpt);
        }
    }
    let many = if faults.len() == 1 { "" } else { "s" };
    let _ = write!(text, "{} error{many}", faults.len());
    text
}

/// The lines of the file that was requested last.
#[derive(Default)]
struct Lines {
    path: PathBuf,
    lines: Vec<String>,
}

impl Lines {
    /// The line where a fault is, with its number, and a mark below its column.
    fn excerpt(&mut self, fault: &hitscan_assets::Error) -> Option<String> {
        let place = fault.line_and_column()?;
        let path = fault.named_path();
        if self.path != path {
            let bytes = std::fs::read(path).ok()?;
            self.path = path.to_owned();
            self.lines = String::from_utf8_lossy(&bytes)
                .lines()
                .map(str::to_owned)
                .collect();
        }
        let number = usize::try_from(place.line).ok()?.checked_sub(1)?;
        let line = self.lines.get(number)?;
        Some(marked(
            line,
            place.line,
            usize::try_from(place.column).ok()?.checked_sub(1)?,
        ))
    }
}

/// A line with its number and a mark below a character, of a long line what is around that.
fn marked(line: &str, number: u32, column: usize) -> String {
    /// Characters of a line that are shown, and how many of them before the mark.
    const SHOWN: usize = 120;
    const BEFORE: usize = 60;
    let count = line.chars().count();
    let first = match count > SHOWN {
        true => column.saturating_sub(BEFORE),
        false => 0,
    };
    let mut shown = String::new();
    let mut mark = String::new();
    for (index, character) in line.chars().enumerate().skip(first).take(SHOWN) {
        let one = match character {
            '\t' => "    ".to_owned(),
            other => escaped(other.encode_utf8(&mut [0; 4])),
        };
        if index < column {
            mark.extend(std::iter::repeat_n(' ', one.chars().count()));
        }
        shown.push_str(&one);
    }
    let width = number.to_string().len().max(4);
    format!("{number:width$} | {shown}\n{:width$} | {mark}^\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_below_the_character() {
        assert_eq!(marked("a = 1", 3, 4), "   3 | a = 1\n     |     ^\n");
        assert_eq!(
            marked("\tä = 1", 12345, 1),
            "12345 |     ä = 1\n      |     ^\n"
        );
        let long = marked(&"x".repeat(1000), 3, 500);
        let lines: Vec<&str> = long.lines().collect();
        assert_eq!((lines[0].len(), lines[1].find('^')), (127, Some(67)));
    }

    #[test]
    fn annotations_are_one_line() {
        assert_eq!(annotated("a\nb: 5 %", false), "a%0Ab: 5 %25");
        assert_eq!(annotated("C:\\a,b", true), "C%3A\\a%2Cb");
    }
}
