//! A question's f64 from a typed column, and its positions: each value as f64, and then by its map as f32.

use arrow_array::{Array, ArrayRef, Float64Array, LargeStringArray};
use arrow_schema::ArrowError;

use super::one_type::{as_f64, as_text};
use super::unpacked::unpack_all;
use crate::AxisMap;
use crate::number::{ParsedNumber, all_valid, into_world, read_text};
use crate::value_text::text_of;

/// A column of a batch as f64.
pub(crate) struct DoubleColumn {
    array: ArrayRef,
    values: Values,
}

enum Values {
    Numbers(Float64Array),
    /// Text, and decimals, which are rounded from their text.
    Texts(LargeStringArray),
}

impl DoubleColumn {
    /// Looks up how the values are read; the column's type is one that holds numbers.
    pub(crate) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let array = unpack_all(array)?;
        let values = match array.data_type() {
            data_type if data_type.is_string() || data_type.is_decimal() => {
                Values::Texts(as_text(&array)?)
            }
            _ => Values::Numbers(as_f64(&array)),
        };
        Ok(Self { array, values })
    }

    /// The value of a row.
    pub(crate) fn read(&self, row: usize) -> ParsedNumber<f64> {
        match &self.values {
            Values::Numbers(numbers) if numbers.is_null(row) => ParsedNumber::Empty,
            Values::Numbers(numbers) => match numbers.value(row) {
                number if number.is_nan() => ParsedNumber::NotANumber,
                number => ParsedNumber::Number(number),
            },
            Values::Texts(texts) if texts.is_null(row) => ParsedNumber::Empty,
            Values::Texts(texts) => read_text(texts.value(row).as_bytes()),
        }
    }

    /// The value of a row as text for a message.
    pub(crate) fn show(&self, row: usize) -> String {
        text_of(&self.array, row)
    }
}

/// A column of a batch as positions on one axis.
pub(crate) struct PositionColumn {
    stated: DoubleColumn,
    map: AxisMap,
}

impl PositionColumn {
    /// Looks up how the values are read; the column's type is one that holds numbers.
    pub(crate) fn new(array: &ArrayRef, map: AxisMap) -> Result<Self, ArrowError> {
        let stated = DoubleColumn::new(array)?;
        Ok(Self { stated, map })
    }

    /// The value of a row in the world.
    pub(crate) fn read(&self, row: usize) -> ParsedNumber {
        into_world(self.stated.read(row), self.map)
    }

    /// The values of all rows; `None` where one is not `valid`.
    pub(crate) fn read_all(&self, valid: impl Fn(ParsedNumber) -> Option<f32>) -> Option<Vec<f32>> {
        all_valid((0..self.stated.array.len()).map(|row| valid(self.read(row))))
    }

    /// The value of a row as text for a message.
    pub(crate) fn show(&self, row: usize) -> String {
        self.stated.show(row)
    }
}

/// The numbers of a column as f64, each the nearest: `None` where a field is empty, and the text of a field
/// that holds no number.
///
/// ```
/// use arrow_array::{ArrayRef, Int64Array};
/// use std::sync::Arc;
/// let ticks: ArrayRef = Arc::new(Int64Array::from(vec![Some(1 << 40), None]));
/// let numbers = hitscan_table::f64_values(&ticks)?;
/// assert_eq!(numbers, [Ok(Some(1_099_511_627_776.0)), Ok(None)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What the column's own type contradicts.
pub fn f64_values(array: &ArrayRef) -> Result<Vec<Result<Option<f64>, String>>, ArrowError> {
    let column = DoubleColumn::new(array)?;
    let value = |row| match column.read(row) {
        ParsedNumber::Number(number) => Ok(Some(number)),
        ParsedNumber::Empty => Ok(None),
        ParsedNumber::NotANumber | ParsedNumber::Overflow => Err(column.show(row)),
    };
    Ok((0..array.len()).map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Decimal128Array, Float32Array, Int64Array, NullArray, StringArray};
    use std::sync::Arc;

    fn readings(array: impl Array + 'static) -> Vec<ParsedNumber> {
        let map = AxisMap {
            zero: 10_000_000.0,
            metres_per_unit: 1.0,
        };
        let array: ArrayRef = Arc::new(array);
        let column = PositionColumn::new(&array, map).unwrap();
        (0..array.len()).map(|row| column.read(row)).collect()
    }

    #[test]
    fn the_origin_is_taken_off_in_f64() {
        use ParsedNumber::{Empty, NotANumber, Number, Overflow};
        let f64s = Float64Array::from(vec![Some(10_000_000.125), None, Some(f64::NAN)]);
        assert_eq!(readings(f64s), [Number(0.125), Empty, NotANumber]);
        let decimals = Decimal128Array::from(vec![10_000_000_125]).with_precision_and_scale(20, 3);
        assert_eq!(readings(decimals.unwrap()), [Number(0.125)]);
        let texts = vec![Some(" 10000000.5 "), Some(""), Some("x"), Some("1e39")];
        let expected = [Number(0.5), Empty, NotANumber, Overflow];
        assert_eq!(readings(StringArray::from(texts)), expected);
        assert_eq!(readings(Int64Array::from(vec![9_999_999])), [Number(-1.0)]);
        assert_eq!(readings(Float32Array::from(vec![1.0e7])), [Number(0.0)]);
        assert_eq!(readings(NullArray::new(1)), [Empty]);
    }
}
