//! Elements out of buffers: every component type, normalised or not, interleaved, sparse.
//!
//! Lengths were checked in `validation.rs`, so that slices here cannot fail. What remains to be watched
//! is memory, see `memory.rs`. What elements mean is up to the caller.

use super::Source;
use super::buffers::Buffers;
use super::layout::{Component, Layout, Shape};
use super::validation;
use crate::Error;

/// Reads accessors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accessors<'a> {
    source: Source<'a>,
    buffers: &'a Buffers<'a>,
}

impl<'a> Accessors<'a> {
    /// Of a document with its buffers.
    pub(super) fn new(source: Source<'a>, buffers: &'a Buffers<'a>) -> Self {
        Self { source, buffers }
    }

    /// Counts `bytes` of memory that the values at `location` take.
    pub(super) fn charge(
        &self,
        bytes: usize,
        location: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        self.buffers.memory().charge(self.source, bytes, location)
    }

    /// How many elements accessor `index` has.
    pub(super) fn count(&self, index: usize) -> usize {
        self.source.document.accessors[index].count
    }

    /// Whether accessor `index` has bytes for its elements; otherwise all are zeros.
    pub(super) fn has_content(&self, index: usize) -> bool {
        let accessor = &self.source.document.accessors[index];
        accessor.buffer_view.is_some() || accessor.sparse.is_some()
    }

    /// The components of accessor `index`, whose elements must have the given shape, as numbers;
    /// normalised integers as fractions. All are finite.
    pub(super) fn floats(&self, index: usize, shape: Shape) -> Result<Vec<f32>, Error> {
        let layout = self.layout(index, shape)?;
        let is_normalized = self.source.document.accessors[index].normalized;
        let convert = float_of(layout.component, is_normalized)
            .ok_or_else(|| self.wrong_component(index, "5120 to 5123 or 5126", layout.component))?;
        let values = self.read(index, layout, convert)?;
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let location = self.element(index, at / shape.components());
            let found = values[at].to_string();
            return Err(self.source.malformed(location, "a finite number", found));
        }
        Ok(values)
    }

    /// The components of accessor `index`, which must be unsigned integers in the given shape.
    pub(super) fn integers(&self, index: usize, shape: Shape) -> Result<Vec<u32>, Error> {
        let layout = self.layout(index, shape)?;
        let convert = integer_of(layout.component)
            .ok_or_else(|| self.wrong_component(index, "5121, 5123 or 5125", layout.component))?;
        self.read(index, layout, convert)
    }

    /// The location of one element, for messages.
    pub(super) fn element(&self, index: usize, element: usize) -> String {
        format!("accessors[{index}], element {element}")
    }

    fn layout(&self, index: usize, shape: Shape) -> Result<Layout, Error> {
        let layout = validation::layout(self.source, index)?;
        if layout.shape == shape {
            return Ok(layout);
        }
        let location = format!("accessors[{index}].type");
        Err(self
            .source
            .malformed(location, shape.name(), layout.shape.name()))
    }

    fn wrong_component(&self, index: usize, expected: &str, found: Component) -> Error {
        let location = format!("accessors[{index}].componentType");
        self.source
            .malformed(location, expected, format!("{found:?}"))
    }

    fn read<T: Copy + Default>(
        &self,
        index: usize,
        layout: Layout,
        convert: fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Error> {
        let accessor = &self.source.document.accessors[index];
        let location = || format!("accessors[{index}].count");
        let base = match accessor.buffer_view {
            Some(view) => self.buffers.view(view)?.map(|bytes| (view, bytes)),
            None => None,
        };
        let max_zeros = self.buffers.memory().max_zeros();
        if base.is_none() && accessor.count > max_zeros {
            let expected = format!("at most {max_zeros}, as it has no bytes");
            let found = accessor.count.to_string();
            return Err(self.source.malformed(location(), expected, found));
        }
        let components = layout.shape.components();
        let length = accessor.count.saturating_mul(components);
        self.charge(length.saturating_mul(size_of::<T>()), location)?;

        let mut values = vec![T::default(); length];
        if let Some((view, bytes)) = base {
            let stride = validation::stride(&self.source.document.buffer_views[view], layout);
            let bytes = &bytes[accessor.byte_offset..];
            for (element, values) in values.chunks_exact_mut(components).enumerate() {
                read_element(&bytes[element * stride..], layout, values, convert);
            }
        }
        self.replace_sparse(index, layout, &mut values, convert)?;
        Ok(values)
    }

    /// Overwrites the elements that a sparse accessor names.
    fn replace_sparse<T: Copy>(
        &self,
        index: usize,
        layout: Layout,
        values: &mut [T],
        convert: fn(&[u8]) -> T,
    ) -> Result<(), Error> {
        let accessor = &self.source.document.accessors[index];
        let Some(sparse) = &accessor.sparse else {
            return Ok(());
        };
        let indices = self.buffers.view(sparse.indices.buffer_view)?;
        let replacements = self.buffers.view(sparse.values.buffer_view)?;
        let component =
            validation::sparse_component(sparse).and_then(|c| Some((c, integer_of(c)?)));
        let (Some(indices), Some(replacements), Some((component, index_of))) =
            (indices, replacements, component)
        else {
            // A buffer without bytes has nothing to replace elements by.
            return Ok(());
        };
        let indices = &indices[sparse.indices.byte_offset..];
        let replacements = &replacements[sparse.values.byte_offset..];
        let stride = layout.packed_stride();
        let components = layout.shape.components();
        for at in 0..sparse.count {
            let element = index_of(&indices[at * component.size()..]);
            let start = usize::try_from(element).unwrap_or(usize::MAX);
            let range = start
                .checked_mul(components)
                .map(|s| s..s.saturating_add(components));
            let Some(values) = range.and_then(|range| values.get_mut(range)) else {
                let location = format!("accessors[{index}].sparse.indices, element {at}");
                let expected = format!("an index below the accessor's {}", accessor.count);
                return Err(self
                    .source
                    .malformed(location, expected, element.to_string()));
            };
            read_element(&replacements[at * stride..], layout, values, convert);
        }
        Ok(())
    }
}

fn read_element<T>(bytes: &[u8], layout: Layout, values: &mut [T], convert: fn(&[u8]) -> T) {
    for (component, value) in values.iter_mut().enumerate() {
        *value = convert(&bytes[layout.offset(component)..]);
    }
}

/// The first bytes of a component; `validation.rs` made sure that they are there.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// How a component becomes a number (glTF 2.0, 3.11, "Animations", for the normalised ones), or
/// `None` where it cannot: 32-bit integers are indices only.
fn float_of(component: Component, is_normalized: bool) -> Option<fn(&[u8]) -> f32> {
    let convert: fn(&[u8]) -> f32 = match (component, is_normalized) {
        (Component::F32, _) => |b| f32::from_le_bytes(first(b)),
        (Component::I8, false) => |b| f32::from(i8::from_le_bytes(first(b))),
        (Component::U8, false) => |b| f32::from(u8::from_le_bytes(first(b))),
        (Component::I16, false) => |b| f32::from(i16::from_le_bytes(first(b))),
        (Component::U16, false) => |b| f32::from(u16::from_le_bytes(first(b))),
        (Component::I8, true) => |b| (f32::from(i8::from_le_bytes(first(b))) / 127.0).max(-1.0),
        (Component::U8, true) => |b| f32::from(u8::from_le_bytes(first(b))) / 255.0,
        (Component::I16, true) => |b| (f32::from(i16::from_le_bytes(first(b))) / 32767.0).max(-1.0),
        (Component::U16, true) => |b| f32::from(u16::from_le_bytes(first(b))) / 65535.0,
        (Component::U32, _) => return None,
    };
    Some(convert)
}

/// How a component becomes an index, or `None` where it cannot.
fn integer_of(component: Component) -> Option<fn(&[u8]) -> u32> {
    let convert: fn(&[u8]) -> u32 = match component {
        Component::U8 => |b| u32::from(u8::from_le_bytes(first(b))),
        Component::U16 => |b| u32::from(u16::from_le_bytes(first(b))),
        Component::U32 => |b| u32::from_le_bytes(first(b)),
        Component::I8 | Component::I16 | Component::F32 => return None,
    };
    Some(convert)
}
