//! A question's names from a typed column of text.
//!
//! Text of every layout, and dictionaries or runs of it. No space is trimmed.

use arrow_array::{Array, ArrayRef, LargeStringArray};
use arrow_schema::{ArrowError, DataType};

use super::one_type::as_text;
use super::unpacked::unpack_all;

/// Whether a column of this type can hold a question's names.
pub(crate) fn holds_names(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => holds_names(values),
        DataType::RunEndEncoded(_, values) => holds_names(values.data_type()),
        other => matches!(
            other,
            DataType::Null | DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
        ),
    }
}

/// A column of a batch as names.
pub(crate) struct NameColumn {
    texts: LargeStringArray,
}

impl NameColumn {
    /// Brings the text into one layout; the column's type is one that [`holds_names`].
    pub(crate) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let texts = as_text(&unpack_all(array)?)?;
        Ok(Self { texts })
    }

    /// The value of a row; empty for null.
    pub(crate) fn read(&self, row: usize) -> &str {
        if self.texts.is_null(row) {
            ""
        } else {
            self.texts.value(row)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::{Int16Type, Int32Type};
    use arrow_array::{
        DictionaryArray, Int32Array, NullArray, RunArray, StringArray, StringViewArray,
    };
    use std::sync::Arc;

    fn names(array: impl Array + 'static) -> Vec<String> {
        let array: ArrayRef = Arc::new(array);
        assert!(holds_names(array.data_type()));
        let column = NameColumn::new(&array).unwrap();
        (0..array.len())
            .map(|row| column.read(row).to_owned())
            .collect()
    }

    #[test]
    fn every_layout_of_text_holds_names() {
        let texts = vec![Some("a"), None, Some(""), Some(" é "), Some("a")];
        let expected = ["a", "", "", " é ", "a"];
        assert_eq!(names(StringArray::from(texts.clone())), expected);
        assert_eq!(names(LargeStringArray::from(texts.clone())), expected);
        assert_eq!(names(StringViewArray::from(texts.clone())), expected);
        assert_eq!(
            names(texts.into_iter().collect::<DictionaryArray<Int16Type>>()),
            expected
        );
        let runs = RunArray::<Int32Type>::try_new(
            &Int32Array::from(vec![2, 3]),
            &StringArray::from(vec![Some("b"), None]),
        );
        assert_eq!(names(runs.unwrap()), ["b", "b", ""]);
        assert_eq!(names(NullArray::new(1)), [""]);
    }

    #[test]
    fn numbers_are_no_names() {
        assert!(!holds_names(&DataType::Int64));
        assert!(!holds_names(&DataType::Binary));
    }
}
