//! Sources of a column of the question.

use std::fmt;

use crate::AxisMap;
use crate::number::ParsedNumber;

/// Where a column of the question takes its values from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MappedColumn {
    pub(crate) source: ValueSource,
    pub(crate) meaning: Meaning,
}

/// A column of the input, or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueSource {
    /// The position among the input's columns.
    Input(usize),
    Constant(Constant),
}

/// The value of all rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Constant {
    /// A number, as the question gets it and as it was stated: they differ for a position in a frame.
    Number {
        value: f32,
        stated: f64,
    },
    Double(f64),
    Mask(u32),
}

impl Constant {
    /// The value of a column of numbers.
    pub(crate) fn number(self) -> ParsedNumber {
        match self {
            Self::Number { value, .. } => ParsedNumber::Number(value),
            Self::Double(_) | Self::Mask(_) => ParsedNumber::Empty,
        }
    }

    /// The value of a column of f64.
    pub(crate) fn double(self) -> ParsedNumber<f64> {
        match self {
            Self::Double(value) => ParsedNumber::Number(value),
            Self::Number { .. } | Self::Mask(_) => ParsedNumber::Empty,
        }
    }

    /// The value of a column of masks.
    pub(crate) fn mask(self) -> Option<u32> {
        match self {
            Self::Number { .. } | Self::Double(_) => None,
            Self::Mask(mask) => Some(mask),
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { stated, .. } | Self::Double(stated) => stated.fmt(f),
            Self::Mask(mask) => mask.fmt(f),
        }
    }
}

/// What the values of a mapped column mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meaning {
    /// What the question's column says.
    Own,
    /// A position in a frame, under the question's own name.
    InFrame(AxisMap),
    /// A position in a frame, under the axis's alias.
    ByAlias(AxisMap),
    /// Metres above the ground.
    Above,
}

impl MappedColumn {
    /// The position among the input's columns; `None` of a constant.
    pub(crate) fn index(self) -> Option<usize> {
        match self.source {
            ValueSource::Input(index) => Some(index),
            ValueSource::Constant(_) => None,
        }
    }

    /// The map of a position in a frame.
    pub(crate) fn map(self) -> Option<AxisMap> {
        match self.meaning {
            Meaning::InFrame(map) | Meaning::ByAlias(map) => Some(map),
            Meaning::Own | Meaning::Above => None,
        }
    }
}
