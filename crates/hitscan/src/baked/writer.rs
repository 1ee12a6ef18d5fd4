//! The writer of baked data: scalars go into one table, large arrays are borrowed.

use std::borrow::Cow;

/// Serializes scalars into a table, and borrows large arrays; see [the module's page](super).
#[derive(Debug, Default)]
pub struct Writer<'a> {
    table: Vec<u8>,
    arrays: Vec<Cow<'a, [u8]>>,
}

impl<'a> Writer<'a> {
    /// An empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an array, which a reader may borrow.
    pub fn array(&mut self, bytes: impl Into<Cow<'a, [u8]>>) {
        self.arrays.push(bytes.into());
    }

    /// Appends a `u64`.
    pub fn u64(&mut self, number: u64) {
        self.table.extend(number.to_le_bytes());
    }

    /// Appends an optional `u64`: a flag, and the number or 0.
    pub fn u64_or_none(&mut self, number: Option<u64>) {
        self.bool(number.is_some());
        self.u64(number.unwrap_or_default());
    }

    /// Appends a count or an index.
    pub fn size(&mut self, size: usize) {
        self.u64(size as u64);
    }

    /// Appends a `u32`.
    pub fn u32(&mut self, number: u32) {
        self.table.extend(number.to_le_bytes());
    }

    /// Appends a `bool`, as a `u32`.
    pub fn bool(&mut self, value: bool) {
        self.u32(value.into());
    }

    /// Appends the bits of an `f32`.
    pub fn f32(&mut self, number: f32) {
        self.u32(number.to_bits());
    }

    /// Appends the bits of an `f64`.
    pub fn f64(&mut self, number: f64) {
        self.u64(number.to_bits());
    }

    /// Appends the bits of each `f64`.
    pub fn f64s(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.f64(*number));
    }

    /// Appends a text: its length in bytes, and its UTF-8.
    pub fn text(&mut self, text: &str) {
        self.size(text.len());
        self.table.extend(text.as_bytes());
    }

    /// Appends an optional text: a flag, and the text or an empty one.
    pub fn text_or_none(&mut self, text: Option<&str>) {
        self.bool(text.is_some());
        self.text(text.unwrap_or_default());
    }

    /// The length of the table, bytes.
    pub(crate) fn table_length(&self) -> usize {
        self.table.len()
    }

    /// The table, and the arrays in the order in which a reader takes them.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<Cow<'a, [u8]>>) {
        (self.table, self.arrays)
    }
}
