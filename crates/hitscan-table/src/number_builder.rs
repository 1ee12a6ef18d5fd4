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
    /// Those of 64 values each, the first in the lowest bit.
    words: Vec<u64>,
    /// Those of the last values, which are fewer.
    last: u64,
    last_len: usize,
}

impl<P: ArrowPrimitiveType> NumberBuilder<P> {
    /// No numbers, with room for `rows`.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(rows),
            present: Bits {
                words: Vec::with_capacity(rows.div_ceil(WORD) + 1),
                ..Bits::default()
            },
        }
    }

    pub(crate) fn append_value(&mut self, value: P::Native) {
        self.values.push(value);
        self.present.append(1, 1);
    }

    pub(crate) fn append_null(&mut self) {
        self.values.push(P::Native::default());
        self.present.append(0, 1);
    }

    /// Appends the values of all items, `None` where there is none.
    #[inline]
    pub(crate) fn append_all<'a, T>(
        &mut self,
        items: &'a [T],
        value: impl Fn(&'a T) -> Option<P::Native>,
    ) {
        self.append_present(items, |item| match value(item) {
            Some(value) => (true, value),
            None => (false, P::Native::default()),
        });
    }

    /// Appends the values of all items, each with whether it is there; one that is not is the default.
    #[inline]
    pub(crate) fn append_present<'a, T>(
        &mut self,
        items: &'a [T],
        value: impl Fn(&'a T) -> (bool, P::Native),
    ) {
        for some in items.chunks(WORD) {
            let mut present = 0;
            self.values.extend(some.iter().enumerate().map(|(i, item)| {
                let (is_present, value) = value(item);
                present |= u64::from(is_present) << i;
                value
            }));
            self.present.append(present, some.len());
        }
    }

    /// The column; what remains has no rows.
    pub(crate) fn finish(&mut self) -> PrimitiveArray<P> {
        let rows = self.values.len();
        let values = ScalarBuffer::from(std::mem::take(&mut self.values));
        let mut words = std::mem::take(&mut self.present).into_words();
        let present: u32 = words.iter().map(|word| word.count_ones()).sum();
        let nulls = (present as usize != rows).then(|| {
            // The first value's bit is the lowest of the first byte, on every machine.
            words.iter_mut().for_each(|word| *word = word.to_le());
            NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(words), 0, rows))
        });
        PrimitiveArray::new(values, nulls)
    }
}

/// How many bits a word has.
const WORD: usize = u64::BITS as usize;

impl Bits {
    /// Appends the lowest `len` bits, one or more; those above are 0.
    #[inline]
    fn append(&mut self, bits: u64, len: usize) {
        self.last |= bits << self.last_len;
        let end = self.last_len + len;
        if end >= WORD {
            self.words.push(self.last);
            let taken = WORD - self.last_len;
            self.last = if taken == WORD { 0 } else { bits >> taken };
        }
        self.last_len = end % WORD;
    }

    fn into_words(mut self) -> Vec<u64> {
        self.words.push(self.last);
        self.words
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
                let others: Vec<u32> = (one_by_one..rows).collect();
                let (some, rest) = others.split_at(others.len() / 4);
                builder.append_all(some, |row| value(*row));
                builder.append_all(rest, |row| value(*row));
                let (found, expected): (UInt32Array, _) = (builder.finish(), expected.finish());
                assert_eq!(found, expected, "{rows} rows");
                assert_eq!(found.values(), expected.values());
                assert_eq!(found.nulls().is_some(), expected.nulls().is_some());
                assert_eq!(builder.finish().len(), 0);
            }
        }
    }
}
