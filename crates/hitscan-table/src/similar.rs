//! Columns of a table whose names are nearly those of optional columns that the table lacks.
//!
//! Such a column is carried through like any that the question does not read, and the limit or filter
//! that it was meant for does not apply: whoever misspelt it must learn of it.

use crate::column_mapping::{ColumnMapping, names_of, plain};
use crate::run_options::{InvalidRows, RunOptions};
use crate::{Answer, Error, SimilarColumn};

/// Reports the columns among the input's `names` that are taken for misspelt ones, in order, or
/// refuses the first.
pub(crate) fn report_similar(
    file: &str,
    names: &[String],
    job: &dyn Answer,
    mapping: &ColumnMapping,
    options: &RunOptions<'_>,
) -> Result<(), Error> {
    let (questions, frame) = (job.questions(), job.frame());
    let columns = questions.iter().zip(&mapping.columns);
    let lacking = columns.filter(|(_, column)| column.is_none());
    let lacking: Vec<String> = lacking
        .flat_map(|(question, _)| names_of(question, frame))
        .collect();
    let is_read = |index| mapping.kind_at(index, questions).is_some();
    let unread = names
        .iter()
        .enumerate()
        .filter(|(index, _)| !is_read(*index));
    for (_, column) in unread {
        let Some(known) = lacking.iter().find(|known| is_near(column, known)) else {
            continue;
        };
        let similar = SimilarColumn {
            file: file.to_owned(),
            column: column.clone(),
            known: known.clone(),
        };
        match options.invalid_rows {
            InvalidRows::Keep => (options.similar_column)(&similar),
            InvalidRows::Refuse | InvalidRows::RefuseAtEnd => {
                return Err(Error::SimilarColumn(similar));
            }
        }
    }
    Ok(())
}

/// Whether `name` is `known` misspelt: the same but for case, marks between words and a plural's s; or,
/// of a name that is no short one, one edit away.
fn is_near(name: &str, known: &str) -> bool {
    /// One edit makes another word of a name of so many letters, such as `mass` of `mask`, if it
    /// replaces a letter.
    const SHORT: usize = 4;
    let (name, known) = (plain(name), plain(known));
    let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    if name == known || is_plural(&name, &known) || is_plural(&known, &name) {
        return true;
    }
    let length = known.chars().count();
    let is_one_edit = strsim::damerau_levenshtein(&name, &known) == 1;
    let replaces = name.chars().count() == length && strsim::levenshtein(&name, &known) == 1;
    is_one_edit && (length > SHORT || length == SHORT && !replaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_by_marks_case_plural_or_an_edit() {
        for (name, known) in [
            ("tmax", "t_max"),
            ("T-Max", "t_max"),
            ("t_mx", "t_max"),
            ("ignored", "ignore"),
            ("ignores", "ignore"),
            ("ingore", "ignore"),
            ("maxdistance", "max_distance"),
            ("max_distanse", "max_distance"),
            ("masks", "mask"),
            ("maks", "mask"),
            ("gX", "gx"),
        ] {
            assert!(is_near(name, known), "{name} {known}");
        }
        for (name, known) in [
            ("mass", "mask"),
            ("task", "mask"),
            ("x", "gx"),
            ("nx", "gx"),
            ("t", "t_max"),
            ("vmax", "t_max"),
            ("name", "mask"),
            ("distance", "max_distance"),
            ("", "gx"),
        ] {
            assert!(!is_near(name, known), "{name} {known}");
        }
    }
}
