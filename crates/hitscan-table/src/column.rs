//! The columns of questions and answers: their names and types.
//!
//! The values of a batch are in `questions.rs` and `answers.rs`.

use crate::Axis;

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
    /// Numbers, each the nearest f64: see [`Questions::doubles`](crate::Questions::doubles). They may be
    /// infinite, and are no part of a position.
    Double {
        /// The value of an empty field.
        default: f64,
    },
    /// Whole numbers from 0 to 4294967295, exact: see [`Questions::masks`](crate::Questions::masks).
    Mask {
        /// The value of an empty field.
        default: u32,
    },
    /// Text, or nothing: see [`Questions::names`](crate::Questions::names).
    Name,
}

/// The part of a position that a question's column of numbers holds.
///
/// Without a [`Frame`](crate::Frame) it makes no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QuestionPosition {
    /// The axis.
    pub axis: Axis,
    /// Which point on that axis.
    pub bound: Bound,
}

/// Which point of a shape a position is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A point of its own, such as a ray's origin.
    Point,
    /// The smaller end of a box.
    Min,
    /// The greater end of a box.
    Max,
    /// The end `a` of a segment.
    A,
    /// The end `b` of a segment.
    B,
    /// What is looked at from a point.
    Target,
    /// What something turns about.
    Pivot,
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
/// assert!(QuestionColumn::required_name("hull").is_required());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuestionColumn {
    /// The column's name.
    pub name: &'static str,
    /// What it holds.
    pub kind: QuestionKind,
    /// Where it is a position, which part of it.
    pub position: Option<QuestionPosition>,
    /// Another name, under which it holds metres above the ground. [`Questions::is_above`] tells
    /// which of the two a table has.
    ///
    /// [`Questions::is_above`]: crate::Questions::is_above
    pub above: Option<&'static str>,
    /// Whether a table must have it though a field may be empty.
    must_be_there: bool,
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

    /// A column of numbers that are kept as f64, infinity among them. It may be absent or have empty fields,
    /// which mean `default`.
    #[must_use]
    pub const fn optional_double(name: &'static str, default: f64) -> Self {
        Self::new(name, QuestionKind::Double { default })
    }

    /// A column of bit masks of 32 bits. It may be absent or have empty fields, which mean
    /// `default`.
    #[must_use]
    pub const fn optional_mask(name: &'static str, default: u32) -> Self {
        Self::new(name, QuestionKind::Mask { default })
    }

    /// A column of names that may be absent or have empty fields, which mean no name.
    #[must_use]
    pub const fn optional_name(name: &'static str) -> Self {
        Self::new(name, QuestionKind::Name)
    }

    /// A column of names that must be there; an empty field means no name.
    #[must_use]
    pub const fn required_name(name: &'static str) -> Self {
        Self {
            must_be_there: true,
            ..Self::optional_name(name)
        }
    }

    /// The same column, which holds a part of a position.
    #[must_use]
    pub const fn position(self, axis: Axis, bound: Bound) -> Self {
        Self {
            position: Some(QuestionPosition { axis, bound }),
            ..self
        }
    }

    /// The same column, in whose place a table may have one called `name` of metres above the
    /// ground.
    #[must_use]
    pub const fn or_above(self, name: &'static str) -> Self {
        Self {
            above: Some(name),
            ..self
        }
    }

    /// The same column, in which infinity is a valid number; columns of masks and names are
    /// unchanged.
    #[must_use]
    pub const fn accepting_infinity(self) -> Self {
        match self.kind {
            QuestionKind::Number { default, .. } => Self {
                kind: QuestionKind::Number {
                    default,
                    infinity: Infinity::Accepted,
                },
                ..self
            },
            _ => self,
        }
    }

    /// Whether a table must have this column.
    #[must_use]
    pub const fn is_required(&self) -> bool {
        self.must_be_there || matches!(self.kind, QuestionKind::Number { default: None, .. })
    }

    const fn number(name: &'static str, default: Option<f32>, infinity: Infinity) -> Self {
        Self::new(name, QuestionKind::Number { default, infinity })
    }

    const fn new(name: &'static str, kind: QuestionKind) -> Self {
        Self {
            name,
            kind,
            position: None,
            above: None,
            must_be_there: false,
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
    /// The number of a row, counted from 0.
    U64,
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
    /// Where it is a number of metres on an axis, which axis. With a [`Frame`](crate::Frame) the
    /// column is f64, in the table's coordinates.
    pub axis: Option<Axis>,
    /// What comes in front of the axis's alias, where the table names its positions by aliases and
    /// this column is to have such a name too.
    pub alias_prefix: Option<&'static str>,
}

impl AnswerColumn {
    /// A column of this name and kind.
    #[must_use]
    pub const fn new(name: &'static str, kind: ColumnKind) -> Self {
        Self {
            name,
            kind,
            axis: None,
            alias_prefix: None,
        }
    }

    /// The same column, which holds a position on an axis.
    #[must_use]
    pub const fn on_axis(self, axis: Axis) -> Self {
        Self {
            axis: Some(axis),
            ..self
        }
    }

    /// The same column, which is called `prefix` and the axis's alias where the table names its
    /// positions by aliases: `x` is then `hit_easting`, say.
    #[must_use]
    pub const fn named_by_alias(self, prefix: &'static str) -> Self {
        Self {
            alias_prefix: Some(prefix),
            ..self
        }
    }
}
