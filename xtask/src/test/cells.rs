//! The table of queries by kind of object, counted from lines that tests print: `cell: question |
//! object | count`.

use std::fmt;

/// The table, in the order in which rows and columns were first seen.
#[derive(Debug, Default)]
pub(super) struct Cells {
    questions: Vec<String>,
    objects: Vec<String>,
    /// Question, object, count.
    counts: Vec<(usize, usize, u64)>,
}

impl Cells {
    pub(super) fn read(&mut self, line: &str) {
        let Some(cell) = line.strip_prefix("cell: ") else {
            return;
        };
        let parts: Vec<&str> = cell.split(" | ").collect();
        if let [question, object, count] = parts.as_slice()
            && let Ok(count) = count.parse()
        {
            let question = place(&mut self.questions, question);
            let object = place(&mut self.objects, object);
            self.counts.push((question, object, count));
        }
    }

    fn count(&self, question: usize, object: usize) -> u64 {
        let cell = |own: &&(usize, usize, u64)| (own.0, own.1) == (question, object);
        self.counts.iter().filter(cell).map(|own| own.2).sum()
    }
}

/// Where a name is in a list; at its end if it is new.
fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|own| own == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl fmt::Display for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.questions.is_empty() {
            return Ok(());
        }
        let first = self.questions.iter().map(String::len).max().unwrap_or(0);
        writeln!(f, "answers held against rational arithmetic:")?;
        write!(f, "{:first$}", "")?;
        for object in &self.objects {
            write!(f, "  {object}")?;
        }
        for (row, question) in self.questions.iter().enumerate() {
            write!(f, "\n{question:first$}")?;
            for (column, object) in self.objects.iter().enumerate() {
                let width = object.len();
                write!(f, "  {:width$}", self.count(row, column))?;
            }
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;

    #[test]
    fn cells_become_a_table() {
        let mut cells = Cells::default();
        for line in [
            "cell: ray | terrain | 8",
            "cell: ray | mesh | 2",
            "test result: ok. 3 passed",
            "cell: arc | terrain | 5",
            "cell: ray | mesh | 3",
        ] {
            cells.read(line);
        }
        let expected = "\
answers held against rational arithmetic:
     terrain  mesh
ray        8     5
arc        5     0
";
        assert_eq!(cells.to_string(), expected);
        assert_eq!(Cells::default().to_string(), "");
    }
}
