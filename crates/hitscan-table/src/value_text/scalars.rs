//! Numbers, truths, text and bytes.

use std::fmt::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, ArrowPrimitiveType};
use arrow_schema::{ArrowError, DataType};

use super::{WriteRow, display, no_such_type};

pub(super) fn writer<'a>(array: &'a dyn Array) -> Result<WriteRow<'a>, ArrowError> {
    Ok(match array.data_type() {
        DataType::Null => Box::new(|_, _| Ok(())),
        DataType::Boolean => values(array.as_boolean(), display),
        DataType::Int8 => number::<Int8Type>(array),
        DataType::Int16 => number::<Int16Type>(array),
        DataType::Int32 => number::<Int32Type>(array),
        DataType::Int64 => number::<Int64Type>(array),
        DataType::UInt8 => number::<UInt8Type>(array),
        DataType::UInt16 => number::<UInt16Type>(array),
        DataType::UInt32 => number::<UInt32Type>(array),
        DataType::UInt64 => number::<UInt64Type>(array),
        DataType::Float16 => number::<Float16Type>(array),
        DataType::Float32 => values(array.as_primitive::<Float32Type>(), float),
        DataType::Float64 => values(array.as_primitive::<Float64Type>(), float),
        DataType::Decimal32(..) => decimal::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimal::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimal::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimal::<Decimal256Type>(array),
        DataType::Utf8 => values(array.as_string::<i32>(), display),
        DataType::LargeUtf8 => values(array.as_string::<i64>(), display),
        DataType::Utf8View => values(array.as_string_view(), display),
        DataType::Binary => values(array.as_binary::<i32>(), hexadecimal),
        DataType::LargeBinary => values(array.as_binary::<i64>(), hexadecimal),
        DataType::BinaryView => values(array.as_binary_view(), hexadecimal),
        DataType::FixedSizeBinary(_) => values(array.as_fixed_size_binary(), hexadecimal),
        other => return Err(no_such_type(other)),
    })
}

fn values<'a, A: ArrayAccessor + 'a>(
    array: A,
    write: fn(A::Item, &mut String) -> std::fmt::Result,
) -> WriteRow<'a> {
    Box::new(move |row, text| write(array.value(row), text))
}

fn number<T: ArrowPrimitiveType>(array: &dyn Array) -> WriteRow<'_>
where
    T::Native: std::fmt::Display,
{
    values(array.as_primitive::<T>(), display)
}

/// All digits, with the point where the type has it.
fn decimal<T: DecimalType>(array: &dyn Array) -> WriteRow<'_> {
    let array = array.as_primitive::<T>();
    Box::new(move |row, text| text.write_str(&array.value_as_string(row)))
}

/// The shortest text that reads back as the same number, with a point where it has no exponent.
fn float(value: impl ryu::Float, text: &mut String) -> std::fmt::Result {
    text.write_str(ryu::Buffer::new().format(value))
}

fn hexadecimal(bytes: &[u8], text: &mut String) -> std::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(text, "{byte:02x}"))
}
