//! A column's values as one type, whatever holds them: f64, u32 or text.
//!
//! The columns are unpacked. A type that is not among those named has no value in any row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{
    Array, ArrayRef, Float64Array, LargeStringArray, UInt32Array, downcast_integer_array,
};
use arrow_schema::{ArrowError, DataType};

use crate::value_text::ValueText;

/// Integers and floats as the nearest f64.
pub(super) fn as_f64(array: &ArrayRef) -> Float64Array {
    downcast_integer_array! {
        array => array.unary(|value| value as f64),
        DataType::Float16 => array.as_primitive::<Float16Type>().unary(|value| value.to_f64()),
        DataType::Float32 => array.as_primitive::<Float32Type>().unary(f64::from),
        DataType::Float64 => array.as_primitive::<Float64Type>().clone(),
        _ => Float64Array::new_null(array.len()),
    }
}

/// Integers as u32; null where one is out of range.
pub(super) fn as_u32(array: &ArrayRef) -> UInt32Array {
    downcast_integer_array! {
        array => array.unary_opt(exact_u32),
        _ => UInt32Array::new_null(array.len()),
    }
}

fn exact_u32(value: impl TryInto<u32>) -> Option<u32> {
    value.try_into().ok()
}

/// Text of every layout, and the text of decimals.
pub(super) fn as_text(array: &ArrayRef) -> Result<LargeStringArray, ArrowError> {
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().clone(),
        DataType::Utf8View => array.as_string_view().iter().collect(),
        decimal if decimal.is_decimal() => {
            let values = ValueText::new(array)?;
            (0..array.len()).map(|row| values.text(row)).collect()
        }
        _ => LargeStringArray::new_null(array.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columnar::unpacked::unpack_all;
    use arrow_array::types::*;
    use arrow_array::*;
    use arrow_cast::cast;
    use hitscan_testkit::Rng;
    use std::sync::Arc;

    fn random<N>(number: fn(&mut Rng) -> N, ends: [N; 2]) -> Vec<Option<N>> {
        let mut rng = Rng::new(5);
        let numbers: Vec<N> = (0..500).map(|_| number(&mut rng)).chain(ends).collect();
        numbers.into_iter().map(Some).chain([None]).collect()
    }

    fn random_u64(rng: &mut Rng) -> u64 {
        let bits = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        bits >> (rng.next_u32() % 64)
    }

    fn integers() -> Vec<ArrayRef> {
        let i64s = random(|rng| random_u64(rng).cast_signed(), [i64::MIN, i64::MAX]);
        let i64s: ArrayRef = Arc::new(Int64Array::from(i64s));
        let u64s = random(random_u64, [1 << 32, u64::MAX]);
        let u64s: ArrayRef = Arc::new(UInt64Array::from(u64s));
        let types = [
            DataType::Int8,
            DataType::Int16,
            DataType::Int32,
            DataType::UInt8,
            DataType::UInt16,
            DataType::UInt32,
        ];
        let narrow = types
            .iter()
            .map(|data_type| cast(&i64s, data_type).unwrap());
        narrow.chain([i64s.clone(), u64s]).collect()
    }

    fn floats() -> Vec<ArrayRef> {
        let f64s = random(|rng| f64::from_bits(random_u64(rng)), [f64::NAN, f64::MAX]);
        let f32s = random(|rng| f32::from_bits(rng.next_u32()), [f32::NAN, f32::MAX]);
        let f32s: ArrayRef = Arc::new(Float32Array::from(f32s));
        let f16s = cast(&f32s, &DataType::Float16).unwrap();
        vec![Arc::new(Float64Array::from(f64s)), f32s, f16s]
    }

    /// Equal, and NaN where the other has it.
    fn assert_same(array: &dyn Array, expected: &dyn Array) {
        assert_eq!(format!("{array:?}"), format!("{expected:?}"));
        assert_eq!(array.len(), expected.len());
        for row in 0..array.len() {
            let (array, expected) = (array.slice(row, 1), expected.slice(row, 1));
            assert_eq!(format!("{array:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn numbers_are_those_of_a_cast() {
        for array in integers()
            .into_iter()
            .chain(floats())
            .chain([Arc::new(NullArray::new(2)) as _])
        {
            assert_same(&as_f64(&array), &cast(&array, &DataType::Float64).unwrap());
        }
        for array in integers() {
            assert_same(&as_u32(&array), &cast(&array, &DataType::UInt32).unwrap());
        }
    }

    #[test]
    fn texts_are_those_of_a_cast() {
        let texts = vec![
            Some(""),
            None,
            Some("é"),
            Some("more than a view has in line"),
        ];
        let strings: ArrayRef = Arc::new(StringArray::from(texts));
        let integers = integers();
        let decimals = [
            DataType::Decimal64(18, 3),
            DataType::Decimal128(38, -2),
            DataType::Decimal256(76, 0),
        ];
        let arrays = [
            cast(&strings, &DataType::LargeUtf8).unwrap(),
            cast(&strings, &DataType::Utf8View).unwrap(),
            strings,
            Arc::new(NullArray::new(2)),
        ];
        let decimals = decimals
            .iter()
            .map(|decimal| cast(&integers[2], decimal).unwrap());
        for array in arrays.into_iter().chain(decimals) {
            assert_same(
                &as_text(&array).unwrap(),
                &cast(&array, &DataType::LargeUtf8).unwrap(),
            );
        }
    }

    #[test]
    fn dictionaries_and_runs_are_unpacked_as_by_a_cast() {
        let texts = || [Some("a"), None, Some("a"), Some("a"), Some("b"), None, None];
        let dictionary: DictionaryArray<Int8Type> = texts().into_iter().collect();
        let nulls =
            DictionaryArray::new(UInt64Array::new_null(3), Arc::new(StringArray::new_null(0)));
        let values = StringArray::from(vec![Some("x"), None, Some("y")]);
        let keys = UInt16Array::from(vec![Some(1), Some(2), None, Some(0), Some(2)]);
        let null_values = DictionaryArray::try_new(keys, Arc::new(values.clone())).unwrap();
        let ends = Int16Array::from(vec![2, 3, 7]);
        let runs = RunArray::try_new(&ends, &values).unwrap();
        let packed: [ArrayRef; 4] = [
            Arc::new(dictionary),
            Arc::new(nulls),
            Arc::new(null_values),
            Arc::new(runs),
        ];
        for array in packed {
            for start in 0..=array.len() {
                for length in 0..=array.len() - start {
                    let array = array.slice(start, length);
                    let expected = cast(&array, &DataType::Utf8);
                    assert_same(&unpack_all(&array).unwrap(), &expected.unwrap());
                }
            }
        }
    }

    #[test]
    fn dictionaries_of_dictionaries_and_runs_of_dictionaries_are_unpacked_whole() {
        let inner: DictionaryArray<Int8Type> = [Some("a"), None, Some("b")].into_iter().collect();
        let inner: ArrayRef = Arc::new(inner);
        let keys = Int32Array::from(vec![Some(2), None, Some(1)]);
        let outer = DictionaryArray::try_new(keys, inner.clone()).unwrap();
        let runs = RunArray::try_new(&Int32Array::from(vec![1, 2, 4]), &inner).unwrap();
        let unpacked = unpack_all(&(Arc::new(outer) as _)).unwrap();
        assert_same(&unpacked, &StringArray::from(vec![Some("b"), None, None]));
        let unpacked = unpack_all(&(Arc::new(runs) as _)).unwrap();
        assert_same(
            &unpacked,
            &StringArray::from(vec![Some("a"), None, Some("b"), Some("b")]),
        );
    }
}
