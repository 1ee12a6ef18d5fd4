//! The numbers that arrays are made of, and the values of their bits.

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;

/// The numbers that arrays are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Number {
    /// What `dtype` holds; `None` where it is none of these.
    pub(crate) fn of(dtype: &Bound<'_, PyArrayDescr>) -> Option<Self> {
        Some(match (dtype.kind(), dtype.itemsize()) {
            (b'i', 1) => Self::I8,
            (b'u', 1) => Self::U8,
            (b'i', 2) => Self::I16,
            (b'u', 2) => Self::U16,
            (b'i', 4) => Self::I32,
            (b'u', 4) => Self::U32,
            (b'i', 8) => Self::I64,
            (b'u', 8) => Self::U64,
            (b'f', 2) => Self::F16,
            (b'f', 4) => Self::F32,
            (b'f', 8) => Self::F64,
            _ => return None,
        })
    }

    /// Whether it is a whole number.
    pub(crate) fn is_whole(self) -> bool {
        !matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// Whether f32 holds all of its values, so that an answer in f32 loses nothing.
    pub(crate) fn fits_f32(self) -> bool {
        matches!(
            self,
            Self::I8 | Self::U8 | Self::I16 | Self::U16 | Self::F16 | Self::F32
        )
    }

    /// The value of an element's bits. Whole numbers of 64 bits are rounded to the nearest f64.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        reason = "the bits above an element's width are zero"
    )]
    pub(crate) fn value(self, bits: u64) -> f64 {
        match self {
            Self::I8 => f64::from(bits as u8 as i8),
            Self::U8 => f64::from(bits as u8),
            Self::I16 => f64::from(bits as u16 as i16),
            Self::U16 => f64::from(bits as u16),
            Self::I32 => f64::from(bits as u32 as i32),
            Self::U32 => f64::from(bits as u32),
            Self::I64 => bits as i64 as f64,
            Self::U64 => bits as f64,
            Self::F16 => half_value(bits as u16),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        }
    }

    /// How many bytes an element takes.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// The value of a number of IEEE 754's binary16; every one is exact in f64.
fn half_value(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * f64::from_bits((1023 - 24) << 52),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + fraction) * f64::from_bits((1023 - 25 + u64::from(exponent)) << 52),
    }
}
