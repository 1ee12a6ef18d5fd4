//! The columns of questions and answers: their names and types.
//!
//! The values of a batch are in `questions.rs` and `answers.rs`.

/// Whether a question's column of numbers may hold infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Infinity {
    /// The row is invalid.
    Refused,
    /// Infinity is a number like others; NaN and an overflow of f32 still are not.
    Accepted,
}

/// The type of a question's column, and the value of an absent column or an empty field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QuestionKind {
    /// Numbers, each the nearest f32: see [`Questions::column`](crate::Questions::column).
    Number {
        /// The value of an empty field; `None` when the number is required.
        default: Option<f32>,
        /// Whether infinity is a valid value.
        infinity: Infinity,
    },
    /// Whole numbers from 0 to 4294967295, exact: see [`Questions::masks`](crate::Questions::masks).
    Mask {
        /// The value of an empty field.
        default: u32,
    },
    /// Text, or nothing: see [`Questions::names`](crate::Questions::names).
    Name,
}

/// An input column that holds a part of a question.
///
/// ```
/// use hitscan_table::QuestionColumn;
/// let columns = [
///     QuestionColumn::required("x"),
///     QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
///     QuestionColumn::optional_mask("mask", u32::MAX),
///     QuestionColumn::optional_name("ignore"),
/// ];
/// assert!(columns[0].is_required() && !columns[3].is_required());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuestionColumn {
    /// The column's name.
    pub name: &'static str,
    /// What it holds.
    pub kind: QuestionKind,
}

impl QuestionColumn {
    /// A required column of finite numbers.
    #[must_use]
    pub const fn required(name: &'static str) -> Self {
        Self::number(name, None, Infinity::Refused)
    }

    /// A column of finite numbers that may be absent or have empty fields, which mean `default`.
    #[must_use]
    pub const fn optional(name: &'static str, default: f32) -> Self {
        Self::number(name, Some(default), Infinity::Refused)
    }

    /// A column of bit masks of 32 bits. It may be absent or have empty fields, which mean
    /// `default`.
    #[must_use]
    pub const fn optional_mask(name: &'static str, default: u32) -> Self {
        Self {
            name,
            kind: QuestionKind::Mask { default },
        }
    }

    /// A column of names that may be absent or have empty fields, which mean no name.
    #[must_use]
    pub const fn optional_name(name: &'static str) -> Self {
        Self {
            name,
            kind: QuestionKind::Name,
        }
    }

    /// The same column, in which infinity is a valid number; columns of masks and names are
    /// unchanged.
    #[must_use]
    pub const fn accepting_infinity(self) -> Self {
        match self.kind {
            QuestionKind::Number { default, .. } => {
                Self::number(self.name, default, Infinity::Accepted)
            }
            _ => self,
        }
    }

    /// Whether a table must have this column.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        matches!(self.kind, QuestionKind::Number { default: None, .. })
    }

    const fn number(name: &'static str, default: Option<f32>, infinity: Infinity) -> Self {
        Self {
            name,
            kind: QuestionKind::Number { default, infinity },
        }
    }
}

/// The type of an answer's column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// How the question was answered; the word of a row that cannot be used is `invalid`.
    Status,
    /// A name.
    Text,
    /// A number. -0 is written as 0.
    F32,
    /// An index.
    U32,
    /// The number of the input row that is answered, counted from 0. The builder fills it in.
    RowNumber,
}

/// An output column that holds a part of the answer.
///
/// ```
/// use hitscan_table::{AnswerColumn, ColumnKind};
/// const HEIGHT: [AnswerColumn; 2] = [
///     AnswerColumn::new("status", ColumnKind::Status),
///     AnswerColumn::new("height", ColumnKind::F32),
/// ];
/// assert_eq!(HEIGHT[1].name, "height");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerColumn {
    /// The column's name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
}

impl AnswerColumn {
    /// A column of this name and kind.
    #[must_use]
    pub const fn new(name: &'static str, kind: ColumnKind) -> Self {
        Self { name, kind }
    }
}
