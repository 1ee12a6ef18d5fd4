//! A column of numbers that grows, with which of them are there.
//!
//! Arrow's builders append to the values and to the bits of what is there by turns, which for many values at
//! once takes longer than the values themselves.

use arrow_array::{ArrowPrimitiveType, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};

/// A column of numbers.
#[derive(Debug)]
pub(crate) struct NumberBuilder<P: ArrowPrimitiveType> {
    values: Vec<P::Native>,
    present: Bits,
}

/// A bit for each value: whether it is there.
#[derive(Debug, Default)]
struct Bits {
    /// Those of 64 values each.
    words: Vec<u64>,
    /// Those of the last values, which are fewer.
    last: u64,
    last_len: u32,
    /// How many values are not there.
    missing: usize,
}

impl<P: ArrowPrimitiveType> NumberBuilder<P> {
    /// No numbers, with room for `rows`.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(rows),
            present: Bits {
                words: Vec::with_capacity(rows.div_ceil(64)),
                ..Bits::default()
            },
        }
    }

    pub(crate) fn append_value(&mut self, value: P::Native) {
        self.append_all(std::iter::once(Some(value)));
    }

    pub(crate) fn append_null(&mut self) {
        self.append_all(std::iter::once(None));
    }

    #[inline]
    pub(crate) fn append_all(&mut self, values: impl Iterator<Item = Option<P::Native>>) {
        let present = &mut self.present;
        self.values.extend(values.map(|value| {
            present.push(value.is_some());
            value.unwrap_or_default()
        }));
    }

    /// The column; what remains has no rows.
    pub(crate) fn finish(&mut self) -> PrimitiveArray<P> {
        let rows = self.values.len();
        let values = ScalarBuffer::from(std::mem::take(&mut self.values));
        let Bits {
            mut words,
            last,
            missing,
            ..
        } = std::mem::take(&mut self.present);
        let present = (missing > 0).then(|| {
            words.push(last.to_le());
            NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(words), 0, rows))
        });
        PrimitiveArray::new(values, present)
    }
}

impl Bits {
    #[inline]
    fn push(&mut self, is_there: bool) {
        self.last |= u64::from(is_there) << self.last_len;
        self.missing += usize::from(!is_there);
        self.last_len += 1;
        if self.last_len == u64::BITS {
            // The first value's bit is the lowest of the first byte, on every machine.
            self.words.push(self.last.to_le());
            (self.last, self.last_len) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::UInt32Builder;
    use arrow_array::types::UInt32Type;
    use arrow_array::{Array, UInt32Array};

    #[test]
    fn a_column_is_that_of_arrows_builder() {
        for rows in [0, 1, 63, 64, 65, 128, 200] {
            for every in [1, 2, 3, 64, 1000] {
                let value = |row: u32| (row % every != every - 1).then_some(row);
                let mut expected = UInt32Builder::new();
                (0..rows).for_each(|row| expected.append_option(value(row)));
                let mut builder = NumberBuilder::<UInt32Type>::with_capacity(7);
                let one_by_one = rows / 3;
                for row in 0..one_by_one {
                    match value(row) {
                        Some(value) => builder.append_value(value),
                        None => builder.append_null(),
                    }
                }
                builder.append_all((one_by_one..rows).map(value));
                let (found, expected): (UInt32Array, _) = (builder.finish(), expected.finish());
                assert_eq!(found, expected, "{rows} rows");
                assert_eq!(found.values(), expected.values());
                assert_eq!(found.nulls().is_some(), expected.nulls().is_some());
                assert_eq!(builder.finish().len(), 0);
            }
        }
    }
}
