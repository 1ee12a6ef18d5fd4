//! Values that hold values: lists, structs, maps, unions, dictionaries and runs.

use std::fmt::{self, Write as _};
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, OffsetSizeTrait, UnionArray, downcast_dictionary_array, downcast_run_array,
};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, DataType, FieldRef, UnionMode};

use super::{ValueText, WriteRow, no_such_type};

pub(super) fn writer<'a>(array: &'a dyn Array) -> Result<WriteRow<'a>, ArrowError> {
    match array.data_type() {
        DataType::List(_) => list::<i32>(array),
        DataType::LargeList(_) => list::<i64>(array),
        DataType::ListView(_) => list_view::<i32>(array),
        DataType::LargeListView(_) => list_view::<i64>(array),
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            let length = lists.value_length().as_usize();
            let values = ValueText::new(lists.values())?;
            Ok(Box::new(move |row, text| {
                write_list(&values, row * length..(row + 1) * length, text)
            }))
        }
        DataType::Struct(_) => structure(array),
        DataType::Map(..) => map(array),
        DataType::Union(_, mode) => union(array.as_union(), *mode),
        DataType::Dictionary(..) => dictionary(array),
        DataType::RunEndEncoded(..) => runs(array),
        other => Err(no_such_type(other)),
    }
}

fn list<O: OffsetSizeTrait>(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    let lists = array.as_list::<O>();
    let values = ValueText::new(lists.values())?;
    Ok(Box::new(move |row, text| {
        let offsets = lists.value_offsets();
        write_list(
            &values,
            offsets[row].as_usize()..offsets[row + 1].as_usize(),
            text,
        )
    }))
}

fn list_view<O: OffsetSizeTrait>(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    let lists = array.as_list_view::<O>();
    let values = ValueText::new(lists.values())?;
    Ok(Box::new(move |row, text| {
        let start = lists.value_offset(row).as_usize();
        write_list(
            &values,
            start..start + lists.value_size(row).as_usize(),
            text,
        )
    }))
}

/// As in `[1, , 3]`: null has no text.
fn write_list(values: &ValueText<'_>, range: Range<usize>, text: &mut String) -> fmt::Result {
    write_all('[', range, ']', text, |row, text| values.write(row, text))
}

/// As in `{name: value, other: value}`.
fn structure(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    let array = array.as_struct();
    let field = |(column, name)| Ok((name, ValueText::new(column)?));
    let columns = array.columns().iter().map(|column| &**column);
    let fields: Vec<(&str, ValueText<'_>)> = columns
        .zip(array.column_names())
        .map(field)
        .collect::<Result<_, ArrowError>>()?;
    Ok(Box::new(move |row, text| {
        write_all('{', &fields, '}', text, |(name, values), text| {
            write!(text, "{name}: ")?;
            values.write(row, text)
        })
    }))
}

/// As in `{key: value, other: value}`.
fn map(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    let array = array.as_map();
    let keys = ValueText::new(array.keys())?;
    let values = ValueText::new(array.values())?;
    Ok(Box::new(move |row, text| {
        let offsets = array.value_offsets();
        let entries = offsets[row].as_usize()..offsets[row + 1].as_usize();
        write_all('{', entries, '}', text, |entry, text| {
            keys.write(entry, text)?;
            text.write_str(": ")?;
            values.write(entry, text)
        })
    }))
}

/// As in `{name=value}`, the name being that of the value's type.
fn union(array: &UnionArray, mode: UnionMode) -> Result<WriteRow<'_>, ArrowError> {
    let DataType::Union(fields, _) = array.data_type() else {
        return Err(no_such_type(array.data_type()));
    };
    let field = |(id, field): (i8, &FieldRef)| {
        Ok((id, field.name().clone(), ValueText::new(array.child(id))?))
    };
    let fields: Vec<(i8, String, ValueText<'_>)> = fields
        .iter()
        .map(field)
        .collect::<Result<_, ArrowError>>()?;
    Ok(Box::new(move |row, text| {
        let id = array.type_id(row);
        let is_it = |field: &&(i8, _, _)| field.0 == id;
        let (_, name, values) = fields.iter().find(is_it).ok_or(fmt::Error)?;
        let row = match mode {
            UnionMode::Dense => array.value_offset(row),
            UnionMode::Sparse => row,
        };
        write!(text, "{{{name}=")?;
        values.write(row, text)?;
        text.write_char('}')
    }))
}

fn dictionary(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    downcast_dictionary_array! {
        array => {
            let values = ValueText::new(array.values())?;
            let keys = array.keys().values();
            Ok(Box::new(move |row, text| values.write(keys[row].as_usize(), text)))
        }
        other => Err(no_such_type(other)),
    }
}

fn runs(array: &dyn Array) -> Result<WriteRow<'_>, ArrowError> {
    downcast_run_array! {
        array => {
            let values = ValueText::new(array.values())?;
            Ok(Box::new(move |row, text| {
                values.write(array.get_physical_index(row), text)
            }))
        }
        other => Err(no_such_type(other)),
    }
}

fn write_all<T>(
    open: char,
    items: impl IntoIterator<Item = T>,
    close: char,
    text: &mut String,
    write: impl Fn(T, &mut String) -> fmt::Result,
) -> fmt::Result {
    text.write_char(open)?;
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            text.write_str(", ")?;
        }
        write(item, text)?;
    }
    text.write_char(close)
}
