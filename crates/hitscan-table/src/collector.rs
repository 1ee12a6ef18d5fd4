//! Collects a batch of questions from rows, with the reason why a row is no valid question.
//!
//! Which field of a row belongs to a column, and how it is parsed, is decided in `fields.rs`.

use std::borrow::Cow;

use crate::column_mapping::ColumnMapping;
use crate::mask::InvalidMask;
use crate::number::ParsedNumber;
use crate::questions::{BatchRows, Column, Names};
use crate::{Infinity, QuestionColumn, QuestionKind, Questions};

/// A row of the input, whose fields are read by the types of the question's columns. The argument of
/// each function is the position of one of these columns.
pub(crate) trait RowFields {
    fn number(&self, question: usize) -> ParsedNumber;

    fn double(&self, question: usize) -> ParsedNumber<f64>;

    /// `None` where the field is empty.
    fn mask(&self, question: usize) -> Result<Option<u32>, InvalidMask>;

    /// Empty where the field is.
    fn name(&self, question: usize) -> Result<Cow<'_, str>, InvalidText>;

    /// The field's text; empty where the field is.
    fn text(&self, question: usize) -> String;

    /// The name of the input's column that holds the field; `None` where there is none.
    fn column_name(&self, question: usize) -> Option<&str>;
}

/// A field of text that is not UTF-8.
pub(crate) struct InvalidText;

/// Collects a batch of questions row by row.
pub(crate) struct QuestionCollector<'a> {
    questions: &'a [QuestionColumn],
    columns: Vec<Column>,
    are_above: Vec<bool>,
    are_there: Vec<bool>,
    rows: BatchRows,
}

impl<'a> QuestionCollector<'a> {
    /// An empty batch whose first row is the input's row `first_row`.
    pub(crate) fn new(
        questions: &'a [QuestionColumn],
        mapping: &ColumnMapping,
        first_row: u64,
        rows: usize,
    ) -> Self {
        let column = |question: &QuestionColumn| match question.kind {
            QuestionKind::Number { .. } => Column::Numbers(Vec::with_capacity(rows)),
            QuestionKind::Double { .. } => Column::Doubles(Vec::with_capacity(rows)),
            QuestionKind::Mask { .. } => Column::Masks(Vec::with_capacity(rows)),
            QuestionKind::Name => Column::Names(Names::with_capacity(rows)),
        };
        Self {
            questions,
            columns: questions.iter().map(column).collect(),
            are_above: mapping.are_above(),
            are_there: mapping.are_there(),
            rows: BatchRows {
                first_row,
                readable: Vec::with_capacity(rows),
                ..BatchRows::default()
            },
        }
    }

    /// Adds the next row.
    pub(crate) fn row(&mut self, fields: &impl RowFields) {
        let row = self.rows.count;
        self.rows.count += 1;
        let mut columns = self.columns.iter_mut().zip(self.questions).enumerate();
        let fault = columns.find_map(|(i, (column, question))| {
            let fault = column.read(question.kind, fields, i).err()?;
            Some((i, fault))
        });
        let Some((i, fault)) = fault else {
            self.rows.readable.push(row);
            return;
        };
        for column in &mut self.columns[..i] {
            column.pop();
        }
        let name = self.questions[i].name;
        let name = fields.column_name(i).unwrap_or(name);
        let reason = fault.reason(name, &shorten(&fields.text(i)));
        self.rows.unreadable.push((row, reason));
    }

    /// Adds the next row, which has so many fields, as one that is not answered at all.
    pub(crate) fn skip_row(&mut self, fields: usize) {
        self.rows.skipped.push(self.rows.count);
        self.rows.skipped_fields.push(fields);
        self.rows.count += 1;
    }

    /// A batch of `rows` rows that are all valid questions, and have these columns.
    pub(crate) fn finish_with(mut self, columns: Vec<Column>, rows: usize) -> Questions {
        let count = u32::try_from(rows).expect("the rows of a batch are counted in 32 bits");
        self.columns = columns;
        self.rows.count = count;
        self.rows.readable = (0..count).collect();
        self.finish()
    }

    /// The whole batch.
    pub(crate) fn finish(self) -> Questions {
        Questions {
            columns: self.columns,
            are_above: self.are_above,
            are_there: self.are_there,
            rows: self.rows,
        }
    }
}

impl Column {
    /// Adds the value of a row's field `i`, or nothing where there is a fault.
    #[inline]
    fn read(&mut self, kind: QuestionKind, fields: &impl RowFields, i: usize) -> Result<(), Fault> {
        match (self, kind) {
            (Self::Numbers(numbers), QuestionKind::Number { default, infinity }) => {
                numbers.push(valid_number(default, infinity, fields.number(i))?);
            }
            (Self::Doubles(numbers), QuestionKind::Double { default }) => {
                numbers.push(valid_double(default, fields.double(i))?);
            }
            (Self::Masks(masks), QuestionKind::Mask { default }) => {
                let mask = fields.mask(i).map_err(|InvalidMask| Fault::NotAMask)?;
                masks.push(mask.unwrap_or(default));
            }
            (Self::Names(names), QuestionKind::Name) => {
                names.push(&fields.name(i).map_err(|InvalidText| Fault::NotText)?);
            }
            (column, kind) => unreachable!("the column {column:?} was made for {kind:?}"),
        }
        Ok(())
    }

    fn pop(&mut self) {
        match self {
            Self::Numbers(numbers) => {
                numbers.pop();
            }
            Self::Doubles(numbers) => {
                numbers.pop();
            }
            Self::Masks(masks) => {
                masks.pop();
            }
            Self::Names(names) => names.pop(),
        }
    }
}

/// Why a field is no valid value of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Empty,
    NotANumber,
    Overflow,
    DoubleOverflow,
    Infinite,
    NotAMask,
    NotText,
}

impl Fault {
    fn reason(self, column: &str, found: &str) -> String {
        match self {
            Self::Empty => format!("the column `{column}` is empty"),
            Self::NotANumber => format!("the column `{column}` holds no number but `{found}`"),
            Self::Overflow => format!("`{found}` in the column `{column}` is too large for f32"),
            Self::DoubleOverflow => {
                format!("`{found}` in the column `{column}` is too large for f64")
            }
            Self::Infinite => format!("the column `{column}` is infinite"),
            Self::NotAMask => format!(
                "the column `{column}` holds no whole number from 0 to {} but `{found}`",
                u32::MAX
            ),
            Self::NotText => format!("`{found}` in the column `{column}` is not UTF-8"),
        }
    }
}

/// The value of a field in its column.
#[inline]
pub(crate) fn valid_number(
    default: Option<f32>,
    infinity: Infinity,
    reading: ParsedNumber,
) -> Result<f32, Fault> {
    match reading {
        ParsedNumber::Number(number) if number.is_finite() => Ok(number),
        ParsedNumber::Number(number) if infinity == Infinity::Accepted => Ok(number),
        ParsedNumber::Number(_) => Err(Fault::Infinite),
        ParsedNumber::Empty => default.ok_or(Fault::Empty),
        ParsedNumber::NotANumber => Err(Fault::NotANumber),
        ParsedNumber::Overflow => Err(Fault::Overflow),
    }
}

/// The value of a field in its column of f64.
pub(crate) fn valid_double(default: f64, reading: ParsedNumber<f64>) -> Result<f64, Fault> {
    match reading {
        ParsedNumber::Number(number) => Ok(number),
        ParsedNumber::Empty => Ok(default),
        ParsedNumber::NotANumber => Err(Fault::NotANumber),
        ParsedNumber::Overflow => Err(Fault::DoubleOverflow),
    }
}

/// Text for a message.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of one row; those that a test does not use are empty.
    #[derive(Clone, Copy)]
    struct Row {
        numbers: [ParsedNumber; 2],
        mask: Result<Option<u32>, InvalidMask>,
        name: &'static str,
    }

    impl RowFields for Row {
        fn number(&self, question: usize) -> ParsedNumber {
            self.numbers[question]
        }

        fn double(&self, _: usize) -> ParsedNumber<f64> {
            ParsedNumber::Empty
        }

        fn mask(&self, _: usize) -> Result<Option<u32>, InvalidMask> {
            self.mask
        }

        fn name(&self, _: usize) -> Result<Cow<'_, str>, InvalidText> {
            match self.name {
                "?" => Err(InvalidText),
                name => Ok(Cow::Borrowed(name)),
            }
        }

        fn text(&self, _: usize) -> String {
            "1e39".to_owned()
        }

        fn column_name(&self, _: usize) -> Option<&str> {
            None
        }
    }

    const QUESTIONS: [QuestionColumn; 4] = [
        QuestionColumn::required("x"),
        QuestionColumn::optional("t_max", 9.0).accepting_infinity(),
        QuestionColumn::optional_mask("mask", 5),
        QuestionColumn::optional_name("ignore"),
    ];

    fn collector(questions: &[QuestionColumn], first_row: u64) -> QuestionCollector<'_> {
        let columns = vec![None; questions.len()];
        QuestionCollector::new(questions, &ColumnMapping::of(columns), first_row, 9)
    }

    fn numbers(numbers: [ParsedNumber; 2]) -> Row {
        Row {
            numbers,
            mask: Ok(None),
            name: "",
        }
    }

    #[test]
    fn unreadable_rows_are_left_out_of_every_column() {
        let one = ParsedNumber::Number(1.0);
        let infinite = ParsedNumber::Number(f32::INFINITY);
        let rows = [
            [one, ParsedNumber::Empty],
            [one, ParsedNumber::Overflow],
            [infinite, one],
            [ParsedNumber::Empty, one],
            [one, infinite],
        ];
        let mut collector = collector(&QUESTIONS, 100);
        for row in rows {
            collector.row(&numbers(row));
        }
        let batch = collector.finish();
        assert_eq!(batch.len(), 2);
        assert_eq!(batch.column(0), [1.0, 1.0]);
        assert_eq!(batch.column(1), [9.0, f32::INFINITY]);
        assert_eq!(batch.masks(2), [5, 5]);
        assert_eq!([batch.row_number(0), batch.row_number(1)], [100, 104]);
        let reason = "`1e39` in the column `t_max` is too large for f32".to_owned();
        assert_eq!(batch.rows().unreadable[0], (1, reason));
        assert_eq!(batch.rows().unreadable.len(), 3);
        assert_eq!(batch.rows().count, 5);
    }

    #[test]
    fn masks_and_names_keep_step_with_the_numbers() {
        let mut collector = collector(&QUESTIONS, 0);
        for (x, mask, name) in [
            (0.0, Ok(Some(u32::MAX)), "fox"),
            (1.0, Err(InvalidMask), "crate"),
            (2.0, Ok(Some(16_777_217)), "?"),
            (3.0, Ok(None), ""),
            (4.0, Ok(Some(0)), "é"),
        ] {
            let numbers = [ParsedNumber::Number(x), ParsedNumber::Empty];
            collector.row(&Row {
                numbers,
                mask,
                name,
            });
        }
        let batch = collector.finish();
        assert_eq!(batch.column(0), [0.0, 3.0, 4.0]);
        assert_eq!(batch.masks(2), [u32::MAX, 5, 0]);
        let names = [0, 1, 2].map(|question| batch.names(3).get(question));
        assert_eq!(names, [Some("fox"), None, Some("é")]);
        let reason = "the column `mask` holds no whole number from 0 to 4294967295 but `1e39`";
        assert_eq!(batch.rows().unreadable[0], (1, reason.to_owned()));
    }

    #[test]
    fn a_fault_behind_a_name_takes_the_name_back() {
        let questions = [QUESTIONS[3], QUESTIONS[2]];
        let mut collector = collector(&questions, 0);
        for (name, mask) in [
            ("a", Ok(Some(1))),
            ("bc", Err(InvalidMask)),
            ("d", Ok(Some(2))),
        ] {
            let numbers = [ParsedNumber::Empty; 2];
            collector.row(&Row {
                numbers,
                mask,
                name,
            });
        }
        let batch = collector.finish();
        assert_eq!(batch.masks(1), [1, 2]);
        let names = [0, 1].map(|question| batch.names(0).get(question));
        assert_eq!(names, [Some("a"), Some("d")]);
    }

    #[test]
    #[should_panic(expected = "masks of the column")]
    fn a_column_is_read_as_what_it_is() {
        let _ = collector(&QUESTIONS, 0).finish().masks(0);
    }
}
