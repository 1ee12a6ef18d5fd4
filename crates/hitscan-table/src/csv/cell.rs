//! Values of typed columns as CSV fields.
//!
//! The column's type is looked up once a batch, not once a value.

use std::io::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int32Type, Int64Type, UInt8Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array, LargeStringArray,
    StringArray, StringViewArray, UInt8Array, UInt32Array, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};

use crate::number::write_float;
use crate::value_text::ValueText;

/// A column's values as CSV fields.
pub(crate) struct Cells<'a> {
    array: &'a dyn Array,
    /// Null by any way: marked so, of no type, or a key of a null value.
    nulls: Option<NullBuffer>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Float32(&'a Float32Array),
    Float64(&'a Float64Array),
    Int32(&'a Int32Array),
    Int64(&'a Int64Array),
    UInt8(&'a UInt8Array),
    UInt32(&'a UInt32Array),
    UInt64(&'a UInt64Array),
    Boolean(&'a BooleanArray),
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    /// The position of each row's value, and the values.
    Dictionary(Vec<usize>, Box<Cells<'a>>),
    Other(ValueText<'a>),
}

impl<'a> Cells<'a> {
    /// Looks up how the column's values are written.
    pub(crate) fn new(array: &'a dyn Array) -> Result<Self, ArrowError> {
        let kind = match array.data_type() {
            DataType::Float32 => Kind::Float32(array.as_primitive::<Float32Type>()),
            DataType::Float64 => Kind::Float64(array.as_primitive::<Float64Type>()),
            DataType::Int32 => Kind::Int32(array.as_primitive::<Int32Type>()),
            DataType::Int64 => Kind::Int64(array.as_primitive::<Int64Type>()),
            DataType::UInt8 => Kind::UInt8(array.as_primitive::<UInt8Type>()),
            DataType::UInt32 => Kind::UInt32(array.as_primitive::<UInt32Type>()),
            DataType::UInt64 => Kind::UInt64(array.as_primitive::<UInt64Type>()),
            DataType::Boolean => Kind::Boolean(array.as_boolean()),
            DataType::Utf8 => Kind::Text(array.as_string::<i32>()),
            DataType::LargeUtf8 => Kind::LargeText(array.as_string::<i64>()),
            DataType::Utf8View => Kind::TextView(array.as_string_view()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = dictionary.values();
                // Without values every key is null and none is looked up.
                let keys = match values.is_empty() {
                    true => Vec::new(),
                    false => dictionary.normalized_keys(),
                };
                Kind::Dictionary(keys, Box::new(Cells::new(values)?))
            }
            _ => Kind::Other(ValueText::new(array)?),
        };
        Ok(Self {
            array,
            nulls: array.logical_nulls(),
            kind,
        })
    }

    /// Appends a value; nothing for null. The error is the reason why the value has no text.
    pub(crate) fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), String> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(());
        }
        match &self.kind {
            Kind::Float32(array) => write_float(array.value(row), out),
            Kind::Float64(array) => write_float(array.value(row), out),
            Kind::Int32(array) => write_integer(array.value(row), out),
            Kind::Int64(array) => write_integer(array.value(row), out),
            Kind::UInt8(array) => write_integer(array.value(row), out),
            Kind::UInt32(array) => write_integer(array.value(row), out),
            Kind::UInt64(array) => write_integer(array.value(row), out),
            Kind::Boolean(array) => out.extend_from_slice(match array.value(row) {
                true => b"true",
                false => b"false",
            }),
            Kind::Text(array) => write_text(array.value(row).as_bytes(), out),
            Kind::LargeText(array) => write_text(array.value(row).as_bytes(), out),
            Kind::TextView(array) => write_text(array.value(row).as_bytes(), out),
            Kind::Dictionary(keys, values) => values.write(keys[row], out)?,
            Kind::Other(values) => {
                let mut text = String::new();
                values
                    .write(row, &mut text)
                    .map_err(|_| format!("no text for this {}", self.array.data_type()))?;
                write_text(text.as_bytes(), out);
            }
        }
        Ok(())
    }
}

fn write_integer(number: impl std::fmt::Display, out: &mut Vec<u8>) {
    // Writing into memory has no way to fail.
    let _ = write!(out, "{number}");
}

/// Appends text as a field, within quotes where it could be read as anything else.
///
/// Empty text has quotes, as nothing at all is null; so has text with spaces around it, which some
/// readers would drop.
pub(crate) fn write_text(text: &[u8], out: &mut Vec<u8>) {
    let edge = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !edge(text.first()) && !edge(text.last()) && !text.iter().any(special) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Appends a row of fields with commas between them; the error is the column and the reason.
pub(crate) fn write_row(
    cells: &[Cells<'_>],
    row: usize,
    out: &mut Vec<u8>,
) -> Result<(), (usize, String)> {
    for (column, cell) in cells.iter().enumerate() {
        if column > 0 {
            out.push(b',');
        }
        cell.write(row, out).map_err(|reason| (column, reason))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Date32Array, DictionaryArray, NullArray, TimestampMillisecondArray};

    fn cells(array: &dyn Array) -> Vec<String> {
        let cells = Cells::new(array).unwrap();
        let cell = |row| {
            let mut out = Vec::new();
            cells.write(row, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        (0..array.len()).map(cell).collect()
    }

    #[test]
    fn values_are_written_as_people_expect() {
        let floats = Float64Array::from(vec![Some(1.0), None, Some(0.1), Some(-1.0e-9)]);
        assert_eq!(cells(&floats), ["1", "", "0.1", "-1e-9"]);
        assert_eq!(
            cells(&BooleanArray::from(vec![true, false])),
            ["true", "false"]
        );
        let texts = vec![
            Some("a"),
            None,
            Some(""),
            Some("a,b"),
            Some("a\"b"),
            Some(" a"),
        ];
        let expected = ["a", "", "\"\"", "\"a,b\"", "\"a\"\"b\"", "\" a\""];
        assert_eq!(cells(&StringArray::from(texts.clone())), expected);
        let dictionary: DictionaryArray<Int32Type> = texts.into_iter().collect();
        assert_eq!(cells(&dictionary), expected);
        assert_eq!(cells(&NullArray::new(1)), [""]);
        assert_eq!(cells(&Date32Array::from(vec![0])), ["1970-01-01"]);
        let stamps = TimestampMillisecondArray::from(vec![1_500]).with_timezone("+00:00");
        assert_eq!(cells(&stamps), ["1970-01-01T00:00:01.500Z"]);
    }

    #[test]
    fn a_value_without_text_is_an_error() {
        let stamps = TimestampMillisecondArray::from(vec![i64::MAX]);
        let cells = Cells::new(&stamps).unwrap();
        assert!(cells.write(0, &mut Vec::new()).is_err());
    }
}
