//! Dictionaries and runs with a value for each row.

use arrow_array::cast::AsArray;
use arrow_array::types::RunEndIndexType;
use arrow_array::{Array, ArrayRef, RunArray, UInt64Array, downcast_run_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

/// The column with values of its dictionary or runs in their place, if it is one of these.
pub(crate) fn unpack(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            take(dictionary.values(), dictionary.keys(), None)
        }
        DataType::RunEndEncoded(..) => downcast_run_array! {
            array => take(array.values(), &runs_of_rows(array), None),
            _ => Ok(array.clone()),
        },
        _ => Ok(array.clone()),
    }
}

/// [`unpack`], until no dictionary and no runs are left.
pub(super) fn unpack_all(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let mut array = unpack(array)?;
    while let DataType::Dictionary(..) | DataType::RunEndEncoded(..) = array.data_type() {
        array = unpack(&array)?;
    }
    Ok(array)
}

/// The run that each row is in.
fn runs_of_rows<E: RunEndIndexType>(runs: &RunArray<E>) -> UInt64Array {
    let first = runs.get_start_physical_index() as u64;
    let mut rows = Vec::with_capacity(runs.len());
    for (run, end) in (first..).zip(runs.run_ends().sliced_values()) {
        rows.resize(end.as_usize(), run);
    }
    UInt64Array::from(rows)
}
