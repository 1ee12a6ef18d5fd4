//! The samples of a height map in the type that its file stores.

/// The samples of a height map, row after row, in the type that the file stores.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Samples {
    /// Unsigned codes of 1 to 8 bits.
    U8 {
        /// The codes.
        codes: Vec<u8>,
        /// The file's depth: 1, 2, 4 or 8.
        bits: u32,
    },
    /// Unsigned codes of 16 bits.
    U16(Vec<u16>),
    /// Signed 16-bit integers.
    I16(Vec<i16>),
    /// Unsigned 32-bit integers.
    U32(Vec<u32>),
    /// Signed 32-bit integers.
    I32(Vec<i32>),
    /// Single precision; NaN is a hole.
    F32(Vec<f32>),
    /// Double precision; NaN is a hole.
    F64(Vec<f64>),
}

impl Samples {
    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::U8 { codes, .. } => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::I16(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::I32(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest code of an 8- or 16-bit unsigned image; `None` for all other types.
    #[must_use]
    pub fn highest_code(&self) -> Option<f64> {
        match self {
            Self::U8 { bits, .. } => Some(f64::from((1_u32 << bits) - 1)),
            Self::U16(_) => Some(f64::from(u16::MAX)),
            _ => None,
        }
    }

    /// What a sample is, in words: `16-bit unsigned`, `32-bit float`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::U8 { bits: 1, .. } => "1-bit unsigned",
            Self::U8 { bits: 2, .. } => "2-bit unsigned",
            Self::U8 { bits: 4, .. } => "4-bit unsigned",
            Self::U8 { .. } => "8-bit unsigned",
            Self::U16(_) => "16-bit unsigned",
            Self::I16(_) => "16-bit signed",
            Self::U32(_) => "32-bit unsigned",
            Self::I32(_) => "32-bit signed",
            Self::F32(_) => "32-bit float",
            Self::F64(_) => "64-bit float",
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<f64> {
        match self {
            Self::U8 { codes, .. } => codes.get(index).copied().map(f64::from),
            Self::U16(codes) => codes.get(index).copied().map(f64::from),
            Self::I16(values) => values.get(index).copied().map(f64::from),
            Self::U32(values) => values.get(index).copied().map(f64::from),
            Self::I32(values) => values.get(index).copied().map(f64::from),
            Self::F32(values) => values.get(index).copied().map(f64::from),
            Self::F64(values) => values.get(index).copied(),
        }
    }
}
