//! A batch of questions: the numbers, masks and names of each row that is a valid question.
//!
//! Other rows are not in it, and [`AnswerBuilder`](crate::AnswerBuilder) answers them `invalid`.

use std::ops::Range;

/// The values of a batch of questions, one column after the other.
///
/// Every question here has all its values; a number is finite, or infinite where the column accepts
/// that. See [`Answer`](crate::Answer) for an example.
#[derive(Debug, Clone)]
pub struct Questions {
    pub(crate) columns: Vec<Column>,
    /// For each column whether the table has it under its other name, as metres above the ground.
    pub(crate) are_above: Vec<bool>,
    /// For each column whether the table has it.
    pub(crate) are_there: Vec<bool>,
    pub(crate) rows: BatchRows,
}

impl Questions {
    /// How many questions the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.readable.len()
    }

    /// Whether no row of the batch is a valid question.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.readable.is_empty()
    }

    /// The numbers of a column, in the order of [`Answer::questions`](crate::Answer::questions).
    ///
    /// # Panics
    /// When the question has no such column, or it does not hold numbers.
    #[must_use]
    pub fn column(&self, column: usize) -> &[f32] {
        match &self.columns[column] {
            Column::Numbers(numbers) => numbers,
            other => panic!("numbers of the column {other:?}"),
        }
    }

    /// The numbers of a column of f64, in the order of [`Answer::questions`](crate::Answer::questions).
    ///
    /// # Panics
    /// When the question has no such column, or it does not hold f64.
    #[must_use]
    pub fn doubles(&self, column: usize) -> &[f64] {
        match &self.columns[column] {
            Column::Doubles(numbers) => numbers,
            other => panic!("f64 of the column {other:?}"),
        }
    }

    /// The masks of a column, in the order of [`Answer::questions`](crate::Answer::questions).
    ///
    /// # Panics
    /// When the question has no such column, or it does not hold masks.
    #[must_use]
    pub fn masks(&self, column: usize) -> &[u32] {
        match &self.columns[column] {
            Column::Masks(masks) => masks,
            other => panic!("masks of the column {other:?}"),
        }
    }

    /// The names of a column, in the order of [`Answer::questions`](crate::Answer::questions).
    ///
    /// # Panics
    /// When the question has no such column, or it does not hold names.
    #[must_use]
    pub fn names(&self, column: usize) -> &Names {
        match &self.columns[column] {
            Column::Names(names) => names,
            other => panic!("names of the column {other:?}"),
        }
    }

    /// Whether a column holds metres above the ground, under its other name: see
    /// [`QuestionColumn::or_above`](crate::QuestionColumn::or_above).
    ///
    /// # Panics
    /// When the question has no such column.
    #[must_use]
    pub fn is_above(&self, column: usize) -> bool {
        self.are_above[column]
    }

    /// Whether the table has a column; without it each question has the default.
    ///
    /// # Panics
    /// When the question has no such column.
    #[must_use]
    pub fn has(&self, column: usize) -> bool {
        self.are_there[column]
    }

    /// The number of a question's row in the input, counted from 0.
    ///
    /// # Panics
    /// When the batch has no such question.
    #[must_use]
    pub fn row_number(&self, question: usize) -> u64 {
        self.rows.first_row + u64::from(self.rows.readable[question])
    }

    /// Some of the questions by themselves, with the row numbers that they have here: the question at
    /// `part.start` is their first.
    ///
    /// # Panics
    /// When the batch has no such questions.
    #[must_use]
    pub fn part(&self, part: Range<usize>) -> Self {
        Self {
            columns: self.columns.iter().map(|one| one.part(&part)).collect(),
            are_above: self.are_above.clone(),
            are_there: self.are_there.clone(),
            rows: BatchRows {
                first_row: self.rows.first_row,
                count: self.rows.count,
                readable: self.rows.readable[part].to_vec(),
                ..BatchRows::default()
            },
        }
    }

    /// The rows of the batch that are not skipped, in order: the number of each in the input, counted
    /// from 0, and its question, if it is a valid one.
    pub(crate) fn kept_rows(&self) -> impl Iterator<Item = (u64, Option<usize>)> {
        let rows = &self.rows;
        let (mut question, mut skipped) = (0, 0);
        (0..rows.count).filter_map(move |row| {
            let number = rows.first_row + u64::from(row);
            if rows.skipped.get(skipped) == Some(&row) {
                skipped += 1;
                return None;
            }
            if rows.readable.get(question) == Some(&row) {
                question += 1;
                return Some((number, Some(question - 1)));
            }
            Some((number, None))
        })
    }

    /// The rows of the batch that the questions are from.
    pub(crate) fn rows(&self) -> &BatchRows {
        &self.rows
    }
}

/// The names in a column of questions; where a field was empty there is none.
///
/// Spaces and tabs around an unquoted CSV field do not belong to the name.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// All names, concatenated.
    text: String,
    /// Where each question's name ends in the text.
    ends: Vec<usize>,
}

impl Names {
    /// The name that a question has, which is not empty.
    ///
    /// # Panics
    /// When the batch has no such question.
    #[must_use]
    pub fn get(&self, question: usize) -> Option<&str> {
        let start = question
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        let name = &self.text[start..self.ends[question]];
        (!name.is_empty()).then_some(name)
    }

    /// No names, with room for those of `questions`.
    pub(crate) fn with_capacity(questions: usize) -> Self {
        Self {
            text: String::new(),
            ends: Vec::with_capacity(questions),
        }
    }

    pub(crate) fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub(crate) fn pop(&mut self) {
        self.ends.pop();
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

/// The values of one column of the question.
#[derive(Debug, Clone)]
pub(crate) enum Column {
    Numbers(Vec<f32>),
    Doubles(Vec<f64>),
    Masks(Vec<u32>),
    Names(Names),
}

impl Column {
    fn part(&self, part: &Range<usize>) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(numbers[part.clone()].to_vec()),
            Self::Doubles(numbers) => Self::Doubles(numbers[part.clone()].to_vec()),
            Self::Masks(masks) => Self::Masks(masks[part.clone()].to_vec()),
            Self::Names(names) => {
                let mut some = Names::with_capacity(part.len());
                for question in part.clone() {
                    some.push(names.get(question).unwrap_or_default());
                }
                Self::Names(some)
            }
        }
    }
}

/// A batch's rows, and which of them are valid questions.
#[derive(Debug, Clone, Default)]
pub(crate) struct BatchRows {
    /// The number of the batch's first row in the input.
    pub(crate) first_row: u64,
    /// How many rows the batch has.
    pub(crate) count: u32,
    /// The rows that are valid questions, counted from the batch's first, ascending.
    pub(crate) readable: Vec<u32>,
    /// The rows that are skipped, without an answer, ascending.
    pub(crate) skipped: Vec<u32>,
    /// How many fields each of these has.
    pub(crate) skipped_fields: Vec<usize>,
    /// The rows that are neither valid questions nor skipped, ascending, and why.
    pub(crate) unreadable: Vec<(u32, String)>,
}
