//! Columns of the question that the caller assigns: to columns of the table of other names, or to numbers.

use super::mapped_column::{Constant, MappedColumn, Meaning, ValueSource};
use super::names::{choices, list, names_of, similar};
use crate::mask::read_mask_text;
use crate::number::{ParsedNumber, into_world, read_text};
use crate::{AssignedValue, Assignment, Error, Frame, Infinity, QuestionColumn, QuestionKind};

/// For each column of the question what it was assigned to, and by which of its names.
pub(super) struct Assigned {
    columns: Vec<Option<(MappedColumn, String)>>,
}

impl Assigned {
    /// Checks the assignments against the columns of the question and those of the table, `names`.
    pub(super) fn new(
        file: &str,
        names: &[String],
        questions: &[QuestionColumn],
        frame: Option<&Frame>,
        assignments: &[Assignment],
    ) -> Result<Self, Error> {
        let mut columns: Vec<Option<(MappedColumn, String)>> = vec![None; questions.len()];
        for assignment in assignments {
            let name = &assignment.column;
            let (i, meaning) = meant(questions, frame, name).ok_or_else(|| {
                let known: Vec<String> = questions
                    .iter()
                    .flat_map(|question| names_of(question, frame))
                    .collect();
                Error::NoSuchQuestion {
                    file: file.to_owned(),
                    assignment: assignment.to_string(),
                    column: name.clone(),
                    hint: match similar(name, known.iter()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("it has {}", known.join(", ")),
                    },
                }
            })?;
            if let Some((_, other)) = &columns[i] {
                return Err(Error::AssignedTwice {
                    file: file.to_owned(),
                    column: name.clone(),
                    other: other.clone(),
                });
            }
            let source = match &assignment.value {
                AssignedValue::Column(_) => ValueSource::Input(find(file, names, assignment)?),
                AssignedValue::Constant(text) => {
                    ValueSource::Constant(constant(file, &questions[i], meaning, assignment, text)?)
                }
            };
            columns[i] = Some((MappedColumn { source, meaning }, name.clone()));
        }
        Ok(Self { columns })
    }

    /// What the column of the question at `i` was assigned to.
    pub(super) fn take(&mut self, i: usize) -> Option<(MappedColumn, String)> {
        self.columns[i].take()
    }
}

/// The column of the question that has this name, and what its values then mean.
fn meant(
    questions: &[QuestionColumn],
    frame: Option<&Frame>,
    name: &str,
) -> Option<(usize, Meaning)> {
    questions.iter().enumerate().find_map(|(i, question)| {
        let mut choices = choices(question, frame).into_iter();
        let (_, meaning) = choices.find(|(choice, _)| choice == name)?;
        Some((i, meaning))
    })
}

/// The position of the table's column that an assignment names.
fn find(file: &str, names: &[String], assignment: &Assignment) -> Result<usize, Error> {
    let AssignedValue::Column(wanted) = &assignment.value else {
        unreachable!("a constant is looked for in no table");
    };
    let mut found = (0..names.len()).filter(|&index| names[index] == *wanted);
    match (found.next(), found.next()) {
        (Some(index), None) => Ok(index),
        (Some(first), Some(second)) => Err(Error::DuplicateColumn {
            file: file.to_owned(),
            column: wanted.clone(),
            first: first + 1,
            second: second + 1,
        }),
        (None, _) => Err(Error::NoSuchColumn {
            file: file.to_owned(),
            assignment: assignment.to_string(),
            column: wanted.clone(),
            hint: match similar(wanted, names.iter()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the table has {}", list(names)),
            },
        }),
    }
}

/// A number as the value of a column.
fn constant(
    file: &str,
    question: &QuestionColumn,
    meaning: Meaning,
    assignment: &Assignment,
    text: &str,
) -> Result<Constant, Error> {
    let refused = |expected| Error::BadConstant {
        file: file.to_owned(),
        assignment: assignment.to_string(),
        expected,
    };
    let infinity = match question.kind {
        QuestionKind::Number { infinity, .. } => infinity,
        QuestionKind::Double { .. } => {
            return match read_text(text.as_bytes()) {
                ParsedNumber::Number(value) => Ok(Constant::Double(value)),
                _ => Err(refused("a number, or inf")),
            };
        }
        QuestionKind::Mask { .. } => {
            return match read_mask_text(text.as_bytes()) {
                Ok(Some(mask)) => Ok(Constant::Mask(mask)),
                _ => Err(refused("a whole number from 0 to 4294967295")),
            };
        }
        QuestionKind::Name => {
            return Err(refused("the name of a column, whose fields are names"));
        }
    };
    let stated = read_text::<f64>(text.as_bytes());
    let value = match meaning {
        Meaning::InFrame(map) | Meaning::ByAlias(map) => into_world(stated, map),
        Meaning::Own | Meaning::Above => read_text::<f32>(text.as_bytes()),
    };
    match (stated, value) {
        (ParsedNumber::Number(stated), ParsedNumber::Number(value))
            if value.is_finite() || infinity == Infinity::Accepted =>
        {
            Ok(Constant::Number { value, stated })
        }
        _ => Err(refused(match infinity {
            Infinity::Refused => "a finite number within f32",
            Infinity::Accepted => "a number within f32, or inf",
        })),
    }
}
