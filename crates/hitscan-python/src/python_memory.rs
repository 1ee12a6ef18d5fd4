//! Memory that Python owns: the elements of numpy arrays, read and written without the GIL.
//!
//! All of the package's `unsafe` is here. While Rust reads or writes an array, Python threads may
//! write and read it as well, and nothing can forbid them to. So no reference to such memory is ever
//! made, neither `&[f32]` nor `&mut [f32]`: each element is loaded or stored by one relaxed atomic
//! operation, which costs what a plain one does. Whoever writes meanwhile changes what is queried, and
//! breaks nothing. What is read is a copy, and is checked after it was read.
//!
//! An array stays where it is as long as it is referred to: numpy refuses to resize one that has
//! other references, and each type here holds one.
#![allow(
    unsafe_code,
    reason = "numpy's elements can only be reached by pointers; each block says why it is sound"
)]

use crate::number::Number;
use crate::strides::Strides;
use hitscan::baked::{Bytes, Keeper};
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{Element, PyArrayDescrMethods, PyArrayDyn, PyUntypedArray};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// Calls `read` with the bytes of a buffer: kept for as long as anything borrows them where the buffer is
/// read-only, else with a copy.
pub(crate) fn with_buffer<R>(
    object: &Bound<'_, PyAny>,
    read: impl FnOnce(&Bytes<'_>) -> R,
) -> PyResult<R> {
    let buffer = PyBuffer::<u8>::get(object)?;
    if !buffer.readonly() || !buffer.is_c_contiguous() {
        return Ok(read(&Bytes::lent(&buffer.to_vec(object.py())?)));
    }
    let keeper: Arc<PyBuffer<u8>> = Arc::new(buffer);
    let (start, length) = (
        keeper.buf_ptr().cast::<u8>().cast_const(),
        keeper.len_bytes(),
    );
    if length == 0 {
        return Ok(read(&Bytes::lent(&[])));
    }
    // SAFETY: the buffer is contiguous and so long, and stays where it is until the last clone of
    // `keeper` releases it; `Bytes` reads the slice only while it, or what was made of it, holds a
    // clone. The buffer is read-only: `bytes`, a mapping, an object of a store. That nobody writes to it
    // by another way is what the method's documentation requires of the caller, as for any mapped file.
    let bytes: &'static [u8] = unsafe { std::slice::from_raw_parts(start, length) };
    Ok(read(&Bytes::kept(bytes, keeper as Keeper)))
}

/// How an element's bits are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// In this machine's byte order, at addresses that are multiples of the size.
    Plain,
    /// Anywhere, in this machine's byte order.
    Unaligned,
    /// Anywhere, in the other byte order.
    Swapped,
}

/// Rows of an array of numbers of any dtype and any strides, read a few at a time.
///
/// The leading axes, row-major, count the rows; they may be broadcast. A row is the last axis, or one
/// element where the rows have no axis of their own.
pub(crate) struct Rows {
    /// Keeps the elements where they are.
    _array: Py<PyUntypedArray>,
    number: Number,
    layout: Layout,
    /// The first row's first element.
    data: *const u8,
    /// Where each begins.
    rows: Strides,
    /// How many rows there are.
    count: usize,
    /// How many elements a row has, and the stride between them in bytes.
    width: usize,
    step: isize,
}

// SAFETY: the elements are only loaded, atomically, and any thread may do so; the reference to the
// array is a `Py`, which any thread may hold and drop.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

impl Rows {
    /// The rows of `array`, its leading axes broadcast to `leading`. `columns` are the first element of
    /// a row on the last axis, and how many; without it a row is one element and every axis is a
    /// leading one.
    ///
    /// `None` where the array does not hold numbers, where its leading axes do not broadcast to
    /// `leading`, or where its last axis is too short.
    pub(crate) fn new(
        array: &Bound<'_, PyUntypedArray>,
        leading: &[usize],
        columns: Option<(usize, usize)>,
    ) -> Option<Self> {
        let dtype = array.dtype();
        let number = Number::of(&dtype)?;
        let (mut shape, mut strides) = (array.shape(), array.strides());
        let (mut first, mut width, mut step) = (0, 1, 0);
        if let Some((start, columns)) = columns {
            let (length, outer) = shape.split_last()?;
            let (stride, outer_strides) = strides.split_last()?;
            if start.checked_add(columns)? > *length {
                return None;
            }
            (first, width, step) = (isize::try_from(start).ok()? * stride, columns, *stride);
            (shape, strides) = (outer, outer_strides);
        }
        let rows = Strides::new(leading, shape, strides)?;
        let count = leading.iter().product();
        // SAFETY: the pointer to the array object is valid while `array` is borrowed, and its `data` is
        // set when it is made.
        let data = unsafe { (*array.as_array_ptr()).data }.cast::<u8>();
        let is_aligned = strides
            .iter()
            .chain([&step])
            .all(|stride| stride.unsigned_abs().is_multiple_of(number.bytes()))
            && data.addr().is_multiple_of(number.bytes());
        let layout = match dtype.is_native_byteorder() {
            Some(false) => Layout::Swapped,
            _ if is_aligned => Layout::Plain,
            _ => Layout::Unaligned,
        };
        Some(Self {
            _array: array.clone().unbind(),
            number,
            layout,
            // Of an array without elements nothing is read, so where this points does not matter.
            data: data.wrapping_offset(first),
            rows,
            count,
            width,
            step,
        })
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Reads the rows from `first` on, each element once, as f64.
    ///
    /// # Panics
    /// Where `N` is not the length of a row, or where there are not so many rows.
    pub(crate) fn read<const N: usize>(&self, first: usize, rows: &mut [[f64; N]]) {
        assert_eq!(N, self.width, "a row is read whole");
        let end = first.checked_add(rows.len());
        assert!(
            end.is_some_and(|end| end <= self.count),
            "rows are read that exist"
        );
        match (self.layout, self.number) {
            (Layout::Plain, Number::F32) => self.each(first, rows, |place| {
                // SAFETY: `each` gives places of elements, which are aligned in this layout.
                f64::from(f32::from_bits(unsafe { load_u32(place) }))
            }),
            (Layout::Plain, Number::F64) => self.each(first, rows, |place| {
                // SAFETY: as above.
                f64::from_bits(unsafe { load_u64(place) })
            }),
            (Layout::Plain, number) => self.each(first, rows, |place| {
                // SAFETY: as above, for the element's own size.
                number.value(unsafe {
                    match number.bytes() {
                        1 => u64::from(load_u8(place)),
                        2 => u64::from(load_u16(place)),
                        4 => u64::from(load_u32(place)),
                        _ => load_u64(place),
                    }
                })
            }),
            (layout, number) => self.each(first, rows, |place| {
                let mut bits = 0;
                for byte in 0..number.bytes() {
                    let shift = match layout {
                        Layout::Swapped => number.bytes() - 1 - byte,
                        _ => byte,
                    };
                    // SAFETY: `each` gives places of elements, and the byte is within the element.
                    bits |= u64::from(unsafe { load_u8(place.add(byte)) }) << (8 * shift);
                }
                number.value(bits)
            }),
        }
    }

    /// Fills `rows` with what `load` makes of each element's place.
    #[inline(always)]
    fn each<const N: usize>(
        &self,
        first: usize,
        rows: &mut [[f64; N]],
        load: impl Fn(*const u8) -> f64,
    ) {
        let (inner_length, inner_stride) = self.rows.innermost();
        let mut next = first;
        let mut rows = rows;
        while !rows.is_empty() {
            let inner = next % inner_length;
            let run = (inner_length - inner).min(rows.len());
            let (now, later) = rows.split_at_mut(run);
            let mut place = self.data.wrapping_offset(self.rows.offset(next));
            for row in now {
                let mut element = place;
                for value in row {
                    *value = load(element);
                    element = element.wrapping_offset(self.step);
                }
                place = place.wrapping_offset(inner_stride);
            }
            next += run;
            rows = later;
        }
    }
}

/// # Safety
/// `place` is that of a byte of an array that is kept.
#[inline(always)]
unsafe fn load_u8(place: *const u8) -> u8 {
    // SAFETY: the caller's; a relaxed load may read memory that is read-only.
    unsafe { AtomicU8::from_ptr(place.cast_mut()) }.load(Relaxed)
}

/// # Safety
/// `place` is that of two bytes of an array that is kept, and even.
#[inline(always)]
unsafe fn load_u16(place: *const u8) -> u16 {
    // SAFETY: as `load_u8`.
    unsafe { AtomicU16::from_ptr(place.cast_mut().cast()) }.load(Relaxed)
}

/// # Safety
/// `place` is that of four bytes of an array that is kept, and a multiple of 4.
#[inline(always)]
unsafe fn load_u32(place: *const u8) -> u32 {
    // SAFETY: as `load_u8`.
    unsafe { AtomicU32::from_ptr(place.cast_mut().cast()) }.load(Relaxed)
}

/// # Safety
/// `place` is that of eight bytes of an array that is kept, and a multiple of 8.
#[inline(always)]
unsafe fn load_u64(place: *const u8) -> u64 {
    // SAFETY: as `load_u8`.
    unsafe { AtomicU64::from_ptr(place.cast_mut().cast()) }.load(Relaxed)
}

/// What a [`Column`] holds.
pub(crate) trait Stored: Element + Copy {
    /// # Safety
    /// `place` is that of an element of a writeable array that is kept, and aligned.
    unsafe fn store(self, place: *mut Self);
}

macro_rules! stored {
    ($type:ty, $atomic:ty, $bits:expr) => {
        impl Stored for $type {
            #[inline(always)]
            unsafe fn store(self, place: *mut Self) {
                // SAFETY: the caller's; the atomic type has the element's size.
                unsafe { <$atomic>::from_ptr(place.cast()) }.store($bits(self), Relaxed);
            }
        }
    };
}

stored!(bool, AtomicU8, u8::from);
stored!(i8, AtomicU8, i8::cast_unsigned);
stored!(i32, AtomicU32, i32::cast_unsigned);
stored!(i64, AtomicU64, i64::cast_unsigned);
stored!(f32, AtomicU32, f32::to_bits);
stored!(f64, AtomicU64, f64::to_bits);

/// A row-major array that answers are written into, by any number of threads at once.
pub(crate) struct Column<T> {
    array: Py<PyArrayDyn<T>>,
    data: *mut T,
    len: usize,
}

// SAFETY: elements are only stored, atomically, and any thread may do so; the reference to the array
// is a `Py`, which any thread may hold and drop.
unsafe impl<T> Send for Column<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Column<T> {}

impl<T: Stored> Column<T> {
    /// A new array, its elements not yet written: all of them are, before Python sees it.
    ///
    /// # Errors
    /// `MemoryError` where there is no room for it.
    pub(crate) fn new(py: Python<'_>, shape: &[usize]) -> PyResult<Self> {
        let mut lengths: Vec<npy_intp> = shape.iter().map(|length| length.cast_signed()).collect();
        // No array of numpy has more axes than an i32 counts.
        let axes = c_int::try_from(lengths.len()).unwrap_or(c_int::MAX);
        // SAFETY: the type object and the descriptor are numpy's own, and the call takes the reference
        // to the descriptor; `lengths` has as many elements as there are axes; strides, data and object
        // may be null. It returns a new reference, or null with an exception set. Its elements are
        // numbers, of which all bits are valid.
        let array = unsafe {
            let array = PY_ARRAY_API.PyArray_NewFromDescr(
                py,
                get_type_object(py, NpyTypes::PyArray_Type),
                T::get_dtype(py).into_dtype_ptr(),
                axes,
                lengths.as_mut_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                0,
                std::ptr::null_mut(),
            );
            Bound::from_owned_ptr_or_err(py, array)?
        };
        Ok(Self::from_array(array.cast::<PyArrayDyn<T>>()?))
    }

    /// The elements of a former answer, to be written again; `None` where it is read-only, not
    /// row-major, not aligned, or of another shape.
    pub(crate) fn reuse(array: &Bound<'_, PyArrayDyn<T>>, shape: &[usize]) -> Option<Self> {
        // SAFETY: the pointer to the array object is valid while `array` is borrowed.
        let flags = unsafe { (*array.as_array_ptr()).flags };
        let is_writeable = flags & NPY_ARRAY_WRITEABLE != 0;
        let is_plain = array.is_c_contiguous() && array.is_aligned();
        (is_writeable && is_plain && array.shape() == shape).then(|| Self::from_array(array))
    }

    fn from_array(array: &Bound<'_, PyArrayDyn<T>>) -> Self {
        Self {
            data: array.data(),
            len: array.len(),
            array: array.clone().unbind(),
        }
    }

    /// Writes an element.
    ///
    /// # Panics
    /// Beyond the end.
    #[inline(always)]
    pub(crate) fn put(&self, index: usize, value: T) {
        assert!(index < self.len, "an element of the column is written");
        // SAFETY: the index is below the length; the array is row-major, aligned and writeable, and is
        // kept by `array`.
        unsafe { value.store(self.data.add(index)) }
    }

    /// Writes the elements of row `row` of an array of such rows.
    #[inline(always)]
    pub(crate) fn put_row<const N: usize>(&self, row: usize, values: [T; N]) {
        for (place, value) in values.into_iter().enumerate() {
            self.put(row * N + place, value);
        }
    }

    /// The array.
    pub(crate) fn into_array(self) -> Py<PyArrayDyn<T>> {
        self.array
    }
}
