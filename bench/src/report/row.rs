//! One result, and the lines in which a group's process writes it.

use crate::label::Call;

/// What one subject reached in one workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: String,
    pub subject: String,
    /// The library with its version, and its mode where modes answer differently.
    pub library: String,
    pub call: Call,
    pub is_ours: bool,
    /// Nanoseconds a query; for building, of the whole build.
    pub ns: f64,
    pub disagreements: usize,
    /// In which way the answers differ.
    pub ways: String,
    /// The memory of what was built.
    pub bytes: Option<usize>,
    /// One number of all answers.
    pub digest: u64,
}

/// A line of a group's output.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Row(Row),
    /// Something the reader of the table must be aware of.
    Note(String),
}

impl Line {
    /// Fields with their names, so that a program of another version reads those that it has too;
    /// separated by tabs, which no field contains.
    pub fn write(&self) -> String {
        match self {
            Self::Note(note) => format!("note\t{note}"),
            Self::Row(row) => {
                let call = match row.call {
                    Call::One => "one",
                    Call::Many => "many",
                };
                let bytes = row.bytes.map_or(String::new(), |bytes| bytes.to_string());
                let fields = [
                    ("workload", row.workload.clone()),
                    ("subject", row.subject.clone()),
                    ("library", row.library.clone()),
                    ("call", call.to_owned()),
                    ("ours", row.is_ours.to_string()),
                    ("ns", row.ns.to_string()),
                    ("disagreements", row.disagreements.to_string()),
                    ("ways", row.ways.clone()),
                    ("bytes", bytes),
                    ("digest", row.digest.to_string()),
                ];
                let fields = fields.map(|(name, value)| format!("\t{name}={value}"));
                format!("row{}", fields.concat())
            }
        }
    }

    /// The line that was written so; `None` for any other text.
    pub fn read(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once('\t')?;
        let field = |name: &str| {
            let mut fields = rest.split('\t').filter_map(|field| field.split_once('='));
            let (_, value) = fields.find(|(own, _)| *own == name)?;
            Some(value.to_owned())
        };
        match kind {
            "note" => Some(Self::Note(rest.to_owned())),
            "row" => Some(Self::Row(Row {
                workload: field("workload")?,
                subject: field("subject")?,
                library: field("library")?,
                call: match field("call")?.as_str() {
                    "many" => Call::Many,
                    _ => Call::One,
                },
                is_ours: field("ours")?.parse().ok()?,
                ns: field("ns")?.parse().ok()?,
                disagreements: field("disagreements")?.parse().ok()?,
                ways: field("ways")?,
                bytes: field("bytes")?.parse().ok(),
                digest: field("digest")?.parse().ok()?,
            })),
            _ => None,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row with nothing but its time.
    pub fn row(workload: &str, is_ours: bool, call: Call, ns: f64) -> Row {
        Row {
            workload: workload.to_owned(),
            subject: "subject".to_owned(),
            library: "library 1.0".to_owned(),
            call,
            is_ours,
            ns,
            disagreements: 0,
            ways: String::new(),
            bytes: None,
            digest: 0,
        }
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let row = Row {
            disagreements: 3,
            ways: "3 missed".to_owned(),
            bytes: Some(17),
            digest: u64::MAX,
            ..row("M1-small", true, Call::Many, 12.5)
        };
        let without_bytes = Row {
            bytes: None,
            ways: String::new(),
            ..row.clone()
        };
        let note = Line::Note("left out: M1-big".to_owned());
        for line in [Line::Row(row), Line::Row(without_bytes), note] {
            assert_eq!(Line::read(&line.write()), Some(line));
        }
        assert_eq!(Line::read("warning: something else"), None);
    }

    #[test]
    fn fields_that_are_unknown_are_passed_over() {
        let note = Line::read("row\tworkload=T1\tcolour=red");
        assert_eq!(note, None);
        let fields =
            "workload=T1\tsubject=a\tlibrary=a\tcall=one\tours=true\tns=1\tdisagreements=0";
        let line = format!("row\t{fields}\tways=\tbytes=\tdigest=1\tcolour=red");
        assert!(matches!(Line::read(&line), Some(Line::Row(row)) if row.ns == 1.0));
    }
}
