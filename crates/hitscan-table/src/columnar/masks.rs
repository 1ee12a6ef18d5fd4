//! A question's masks from a typed column: whole numbers, without rounding.
//!
//! Integers of every width, floats that are whole, decimals, text, and dictionaries or runs of
//! these: the types that `numbers.rs` reads numbers from.

use arrow_array::{Array, ArrayRef, Float64Array, LargeStringArray, UInt32Array};
use arrow_buffer::NullBuffer;
use arrow_schema::ArrowError;

use super::one_type::{as_f64, as_text, as_u32};
use super::unpacked::unpack_all;
use crate::mask::{InvalidMask, mask_of_f64, read_mask_text};
use crate::value_text::text_of;

/// A column of a batch as masks.
pub(crate) struct MaskColumn {
    /// The column as it is in the batch, for messages.
    array: ArrayRef,
    nulls: Option<NullBuffer>,
    values: Values,
}

enum Values {
    /// Null where the integer is out of range.
    Integers(UInt32Array),
    Floats(Float64Array),
    Texts(LargeStringArray),
}

impl MaskColumn {
    /// Converts the values as far as nothing is lost; the type is one that
    /// [`holds_numbers`](super::holds_numbers).
    pub(crate) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let plain = unpack_all(array)?;
        let values = match plain.data_type() {
            integer if integer.is_integer() => Values::Integers(as_u32(&plain)),
            float if float.is_floating() => Values::Floats(as_f64(&plain)),
            _ => Values::Texts(as_text(&plain)?),
        };
        Ok(Self {
            array: array.clone(),
            nulls: plain.logical_nulls(),
            values,
        })
    }

    /// The value of a row; `None` for null and empty text.
    pub(crate) fn read(&self, row: usize) -> Result<Option<u32>, InvalidMask> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(None);
        }
        match &self.values {
            Values::Integers(values) if values.is_null(row) => Err(InvalidMask),
            Values::Integers(values) => Ok(Some(values.value(row))),
            Values::Floats(values) => mask_of_f64(values.value(row)).map(Some),
            Values::Texts(values) => read_mask_text(values.value(row).as_bytes()),
        }
    }

    /// The value of a row as text for a message.
    pub(crate) fn show(&self, row: usize) -> String {
        text_of(&self.array, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::{
        Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt64Type,
    };
    use arrow_array::{
        Decimal128Array, DictionaryArray, Float32Array, Int32Array, NullArray, PrimitiveArray,
        RunArray, StringArray, StringViewArray,
    };
    use std::sync::Arc;

    fn masks(array: impl Array + 'static) -> Vec<Result<Option<u32>, InvalidMask>> {
        let array: ArrayRef = Arc::new(array);
        let column = MaskColumn::new(&array).unwrap();
        (0..array.len()).map(|row| column.read(row)).collect()
    }

    #[test]
    fn integers_of_every_width_are_exact() {
        let top = |mask| vec![Ok(Some(mask)), Ok(None)];
        assert_eq!(
            masks(PrimitiveArray::<Int8Type>::from(vec![Some(127), None])),
            top(127)
        );
        assert_eq!(
            masks(PrimitiveArray::<UInt8Type>::from(vec![Some(255), None])),
            top(255)
        );
        assert_eq!(
            masks(PrimitiveArray::<Int16Type>::from(vec![Some(32_767), None])),
            top(32_767)
        );
        assert_eq!(
            masks(PrimitiveArray::<UInt16Type>::from(vec![Some(65_535), None])),
            top(65_535)
        );
        assert_eq!(
            masks(PrimitiveArray::<Int32Type>::from(vec![
                Some(i32::MAX),
                None
            ])),
            top(0x7fff_ffff)
        );
        assert_eq!(
            masks(UInt32Array::from(vec![Some(u32::MAX), None])),
            top(u32::MAX)
        );
        let beyond = u64::from(u32::MAX) + 1;
        assert_eq!(
            masks(PrimitiveArray::<UInt64Type>::from(vec![beyond - 1, beyond])),
            [Ok(Some(u32::MAX)), Err(InvalidMask)]
        );
        assert_eq!(
            masks(PrimitiveArray::<Int64Type>::from(vec![16_777_217, -1])),
            [Ok(Some(16_777_217)), Err(InvalidMask)]
        );
    }

    #[test]
    fn other_types_hold_masks_where_they_are_whole() {
        let floats = Float64Array::from(vec![Some(4_294_967_295.0), None, Some(0.5)]);
        assert_eq!(
            masks(floats),
            [Ok(Some(u32::MAX)), Ok(None), Err(InvalidMask)]
        );
        // The f32 nearest to 4294967295 is one more than it.
        let floats = Float32Array::from(vec![6.0, 4_294_967_295.0_f32]);
        assert_eq!(masks(floats), [Ok(Some(6)), Err(InvalidMask)]);
        let decimals = Decimal128Array::from(vec![12_000, 12_500]).with_precision_and_scale(10, 3);
        assert_eq!(masks(decimals.unwrap()), [Ok(Some(12)), Err(InvalidMask)]);
        let texts = vec![Some("0x10"), Some(""), None, Some("x")];
        let expected = [Ok(Some(16)), Ok(None), Ok(None), Err(InvalidMask)];
        assert_eq!(masks(StringArray::from(texts.clone())), expected);
        assert_eq!(masks(StringViewArray::from(texts.clone())), expected);
        assert_eq!(
            masks(texts.into_iter().collect::<DictionaryArray<Int8Type>>()),
            expected
        );
        let runs = RunArray::<Int32Type>::try_new(
            &Int32Array::from(vec![1, 3]),
            &PrimitiveArray::<Int64Type>::from(vec![Some(5), None]),
        );
        assert_eq!(masks(runs.unwrap()), [Ok(Some(5)), Ok(None), Ok(None)]);
        assert_eq!(masks(NullArray::new(1)), [Ok(None)]);
    }
}
