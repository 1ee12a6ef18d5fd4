//! A question's numbers from a typed column: each value as the nearest f32.
//!
//! Integers and floats of every width, decimals, text, and dictionaries or runs of these. What
//! else a column may hold is no number and is refused before any row is read.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};

use super::one_type::as_text;
use super::unpacked::unpack_all;
use crate::number::{ParsedNumber, all_valid, nearest_f32, read_f32, read_f64, read_text};
use crate::value_text::text_of;

/// Whether a column of this type can hold a question's numbers.
pub(crate) fn holds_numbers(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => holds_numbers(values),
        DataType::RunEndEncoded(_, values) => holds_numbers(values.data_type()),
        DataType::Null | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        other => other.is_integer() || other.is_floating() || other.is_decimal(),
    }
}

/// A column of a batch as numbers.
pub(crate) struct NumberColumn {
    /// The column, unpacked where it was a dictionary or in runs, and text where it was decimals.
    array: ArrayRef,
    nulls: Option<NullBuffer>,
    read: fn(&ArrayRef, usize) -> ParsedNumber,
}

impl NumberColumn {
    /// Looks up how the values are read; the type is one that [`holds_numbers`].
    pub(crate) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let mut array = unpack_all(array)?;
        // Decimals are rounded from their text, so that they too are rounded once.
        if array.data_type().is_decimal() {
            array = Arc::new(as_text(&array)?);
        }
        let read: fn(&ArrayRef, usize) -> ParsedNumber = match array.data_type() {
            DataType::Float32 => |array, row| read_f32(value::<Float32Type>(array, row)),
            DataType::Float64 => |array, row| read_f64(value::<Float64Type>(array, row)),
            DataType::Float16 => |array, row| read_f64(value::<Float16Type>(array, row).to_f64()),
            DataType::Int8 => |array, row| exact(value::<Int8Type>(array, row)),
            DataType::Int16 => |array, row| exact(value::<Int16Type>(array, row)),
            DataType::UInt8 => |array, row| exact(value::<UInt8Type>(array, row)),
            DataType::UInt16 => |array, row| exact(value::<UInt16Type>(array, row)),
            // A conversion of integers rounds to the nearest, once.
            DataType::Int32 => {
                |array, row| ParsedNumber::Number(value::<Int32Type>(array, row) as f32)
            }
            DataType::UInt32 => {
                |array, row| ParsedNumber::Number(value::<UInt32Type>(array, row) as f32)
            }
            DataType::Int64 => {
                |array, row| ParsedNumber::Number(value::<Int64Type>(array, row) as f32)
            }
            DataType::UInt64 => {
                |array, row| ParsedNumber::Number(value::<UInt64Type>(array, row) as f32)
            }
            DataType::Utf8 => {
                |array, row| read_text(array.as_string::<i32>().value(row).as_bytes())
            }
            DataType::LargeUtf8 => {
                |array, row| read_text(array.as_string::<i64>().value(row).as_bytes())
            }
            DataType::Utf8View => {
                |array, row| read_text(array.as_string_view().value(row).as_bytes())
            }
            _ => |_, _| ParsedNumber::NotANumber,
        };
        Ok(Self {
            nulls: array.logical_nulls(),
            array,
            read,
        })
    }

    /// The value of a row.
    pub(crate) fn read(&self, row: usize) -> ParsedNumber {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            ParsedNumber::Empty
        } else {
            (self.read)(&self.array, row)
        }
    }

    /// The values of all rows; `None` where one is not `valid`. Finite numbers are valid in every column.
    pub(crate) fn read_all(&self, valid: impl Fn(ParsedNumber) -> Option<f32>) -> Option<Vec<f32>> {
        let nulls = self.nulls.as_ref().map_or(0, NullBuffer::null_count);
        match self.array.data_type() {
            DataType::Float32 if nulls == 0 => {
                let values = self.array.as_primitive::<Float32Type>().values();
                if are_finite(values) {
                    return Some(values.to_vec());
                }
                all_valid(values.iter().map(|value| valid(read_f32(*value))))
            }
            DataType::Float64 if nulls == 0 => {
                let values = self.array.as_primitive::<Float64Type>().values();
                let nearest: Vec<f32> = values.iter().map(|value| nearest_f32(*value)).collect();
                if are_finite(&nearest) {
                    return Some(nearest);
                }
                all_valid(values.iter().map(|value| valid(read_f64(*value))))
            }
            _ => all_valid((0..self.array.len()).map(|row| valid(self.read(row)))),
        }
    }

    /// The value of a row as text for a message.
    pub(crate) fn show(&self, row: usize) -> String {
        text_of(&self.array, row)
    }
}

/// Whether all numbers are finite: to the end in any case, as a loop without an exit is vectorized.
fn are_finite(numbers: &[f32]) -> bool {
    (numbers.iter()).fold(true, |are_all, number| are_all & number.is_finite())
}

fn value<T: ArrowPrimitiveType>(array: &ArrayRef, row: usize) -> T::Native {
    array.as_primitive::<T>().value(row)
}

fn exact(number: impl Into<f32>) -> ParsedNumber {
    ParsedNumber::Number(number.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{
        Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int32Array, Int64Array,
        NullArray, RunArray, StringArray, UInt64Array,
    };

    fn readings(array: impl Array + 'static) -> Vec<ParsedNumber> {
        let array: ArrayRef = Arc::new(array);
        assert!(holds_numbers(array.data_type()));
        let column = NumberColumn::new(&array).unwrap();
        (0..array.len()).map(|row| column.read(row)).collect()
    }

    #[test]
    fn every_type_is_rounded_once() {
        use ParsedNumber::{Empty, NotANumber, Number, Overflow};
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        let f64s = Float64Array::from(vec![Some(0.1), None, Some(nan), Some(infinity), Some(1e39)]);
        let expected = [
            Number(0.1),
            Empty,
            NotANumber,
            Number(f32::INFINITY),
            Overflow,
        ];
        assert_eq!(readings(f64s), expected);
        assert_eq!(readings(Float32Array::from(vec![f32::NAN])), [NotANumber]);
        // 2^24 + 1 lies between two f32; and so does 2^60 + 2^36 + 1, just above the half.
        let i64s = Int64Array::from(vec![-16_777_217, (1 << 60) + (1 << 36) + 1]);
        let above = (1u64 << 60) as f32 + (1u64 << 37) as f32;
        assert_eq!(readings(i64s), [Number(-16_777_216.0), Number(above)]);
        assert_eq!(
            readings(UInt64Array::from(vec![u64::MAX])),
            [Number(18_446_744_073_709_551_616.0)]
        );
        let decimals = Decimal128Array::from(vec![12_345, -1]).with_precision_and_scale(10, 3);
        assert_eq!(
            readings(decimals.unwrap()),
            [Number(12.345), Number(-0.001)]
        );
        let texts = vec![Some(" 1e3 "), Some(""), None, Some("x"), Some("1e39")];
        let expected = [Number(1000.0), Empty, Empty, NotANumber, Overflow];
        assert_eq!(readings(StringArray::from(texts.clone())), expected);
        assert_eq!(
            readings(texts.into_iter().collect::<DictionaryArray<Int8Type>>()),
            expected
        );
        let texts: DictionaryArray<Int8Type> = [Some("2"), None].into_iter().collect();
        let runs = RunArray::try_new(&Int32Array::from(vec![2, 3]), &texts);
        assert_eq!(readings(runs.unwrap()), [Number(2.0), Number(2.0), Empty]);
        assert_eq!(readings(NullArray::new(2)), [Empty, Empty]);
    }

    #[test]
    fn times_and_truths_are_no_numbers() {
        assert!(!holds_numbers(&DataType::Date32));
        assert!(!holds_numbers(&DataType::Boolean));
        assert!(!holds_numbers(&DataType::Binary));
    }
}
