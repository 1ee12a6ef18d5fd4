//! One result, and the lines in which a group's process tells it.

/// What one subject reached in one workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: String,
    pub subject: String,
    pub is_ours: bool,
    /// Nanoseconds a query; for building, of the whole build.
    pub ns: f64,
    pub disagreements: usize,
    /// In which way the answers differ.
    pub ways: String,
    /// The memory of what was built.
    pub bytes: Option<usize>,
}

/// A line of a group's output. Fields are separated by tabs, which no name contains.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Row(Row),
    /// Something the reader of the table must know.
    Note(String),
}

impl Line {
    pub fn write(&self) -> String {
        match self {
            Self::Note(note) => format!("note\t{note}"),
            Self::Row(row) => {
                let owner = if row.is_ours { "ours" } else { "peer" };
                let bytes = row.bytes.map_or(String::new(), |bytes| bytes.to_string());
                let (workload, subject, ways) = (&row.workload, &row.subject, &row.ways);
                let (ns, count) = (row.ns, row.disagreements);
                format!("row\t{owner}\t{workload}\t{subject}\t{ns}\t{count}\t{ways}\t{bytes}")
            }
        }
    }

    /// The line that was written so; `None` for any other text.
    pub fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            ["note", note] => Some(Self::Note((*note).to_owned())),
            ["row", owner, workload, subject, ns, count, ways, bytes] => Some(Self::Row(Row {
                workload: (*workload).to_owned(),
                subject: (*subject).to_owned(),
                is_ours: *owner == "ours",
                ns: ns.parse().ok()?,
                disagreements: count.parse().ok()?,
                ways: (*ways).to_owned(),
                bytes: bytes.parse().ok(),
            })),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_was_written() {
        let row = Line::Row(Row {
            workload: "M1-small".to_owned(),
            subject: "hitscan".to_owned(),
            is_ours: true,
            ns: 12.5,
            disagreements: 3,
            ways: "3 missed".to_owned(),
            bytes: Some(17),
        });
        let note = Line::Note("left out: M1-big".to_owned());
        for line in [row, note] {
            assert_eq!(Line::read(&line.write()), Some(line));
        }
        assert_eq!(Line::read("warning: something else"), None);
    }
}
