//! Which column of the input holds which part of the question.
//!
//! Only names are compared here, no rows are read.

use crate::{AnswerColumn, Error, QuestionColumn, QuestionKind};

/// For each column of the question, the position of the input's column that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnMapping {
    /// `None`: the input lacks the column, and each row has its default.
    pub(crate) columns: Vec<Option<usize>>,
}

impl ColumnMapping {
    /// Finds the columns of the question among the input's `names`.
    pub(crate) fn new(
        file: &str,
        names: &[String],
        questions: &[QuestionColumn],
        answers: &[AnswerColumn],
    ) -> Result<Self, Error> {
        let taken = answers
            .iter()
            .find(|answer| names.iter().any(|name| name == answer.name));
        if let Some(answer) = taken {
            return Err(Error::AnswerNameTaken {
                file: file.to_owned(),
                column: answer.name,
            });
        }
        let find = |question: &QuestionColumn| {
            let mut found = (0..names.len()).filter(|&i| names[i] == question.name);
            match (found.next(), found.next()) {
                (Some(first), Some(second)) => Err(Error::DuplicateColumn {
                    file: file.to_owned(),
                    column: question.name,
                    first: first + 1,
                    second: second + 1,
                }),
                (None, _) if question.is_required() => Err(Error::MissingColumn {
                    file: file.to_owned(),
                    column: question.name,
                    hint: hint(question.name, names, questions),
                }),
                (found, _) => Ok(found),
            }
        };
        Ok(Self {
            columns: questions.iter().map(find).collect::<Result<_, _>>()?,
        })
    }

    /// What the question reads from the input's column `index`; `None` where that is nothing.
    pub(crate) fn kind_at(
        &self,
        index: usize,
        questions: &[QuestionColumn],
    ) -> Option<QuestionKind> {
        let mut mapped = self.columns.iter().zip(questions);
        let (_, question) = mapped.find(|&(&column, _)| column == Some(index))?;
        Some(question.kind)
    }
}

/// The hint about a missing column: a similar name, or the names that exist.
fn hint(missing: &str, names: &[String], questions: &[QuestionColumn]) -> String {
    let plain = |name: &str| {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    // A single letter is similar to every other, so only its case may differ; one edit in a short
    // name, two in a longer one.
    let limit = match missing.len() {
        0..=1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    let near = names
        .iter()
        .filter(|name| !name.is_empty() && questions.iter().all(|question| question.name != **name))
        .map(|name| {
            (
                strsim::damerau_levenshtein(&plain(name), &plain(missing)),
                name,
            )
        })
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance);
    if let Some((_, name)) = near {
        return format!("did you mean `{name}`?");
    }
    if let [only] = names
        && let Some(separator) = [';', '\t', '|'].into_iter().find(|&c| only.contains(c))
    {
        return format!(
            "the header has no comma but {separator:?}; fields are separated by commas"
        );
    }
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`"));
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!("there is {}{more}", shown.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColumnKind;

    const QUESTIONS: [QuestionColumn; 3] = [
        QuestionColumn::required("ox"),
        QuestionColumn::required("min_x"),
        QuestionColumn::optional("t_max", 1.0),
    ];
    const ANSWERS: [AnswerColumn; 2] = [
        AnswerColumn::new("status", ColumnKind::Status),
        AnswerColumn::new("t", ColumnKind::F32),
    ];

    fn map_columns(header: &str) -> Result<ColumnMapping, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        ColumnMapping::new("a.csv", &names, &QUESTIONS, &ANSWERS).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_are_found_in_any_order() {
        let columns = map_columns("id,min_x,t_max,ox").map(|mapping| mapping.columns);
        assert_eq!(columns, Ok(vec![Some(3), Some(1), Some(2)]));
        let columns = map_columns("ox,min_x").map(|mapping| mapping.columns);
        assert_eq!(columns, Ok(vec![Some(0), Some(1), None]));
    }

    #[test]
    fn messages_name_the_column_and_what_helps() {
        for (header, expected) in [
            ("OX,min_x", "the column `ox` is missing; did you mean `OX`?"),
            (
                "ox,minx",
                "the column `min_x` is missing; did you mean `minx`?",
            ),
            ("ox,min x", "did you mean `min x`?"),
            ("ox,mni_x", "did you mean `mni_x`?"),
            (
                "ox,name",
                "the column `min_x` is missing; there is `ox`, `name`",
            ),
            ("ox;min_x", "the header has no comma but ';'"),
            (
                "ox,a,b,ox",
                "the column `ox` appears twice (columns 1 and 4)",
            ),
            (
                "ox,min_x,t",
                "the column `t` has the name of a column of the answer",
            ),
            ("ox,min_x,t_max,t_max", "the column `t_max` appears twice"),
        ] {
            let message = map_columns(header).expect_err(header);
            assert!(message.starts_with("a.csv: "), "{message}");
            assert!(message.contains(expected), "{header}: {message}");
        }
    }
}
