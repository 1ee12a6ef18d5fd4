//! Arrays of plain numbers that are owned, or borrowed from bytes with another owner.
//!
//! Trees, meshes and terrain hold their large arrays in an [`Array`]. One that is read from a baked
//! file (`baked/`) refers to the mapped file; it is copied the first time that it is changed.

use crate::Error;
use bytemuck::{AnyBitPattern, NoUninit, try_cast_slice};
use core::any::Any;
use core::fmt;
use core::ops::{Deref, DerefMut, Range};
use std::borrow::Cow;
use std::sync::Arc;

/// The owner of bytes, which must live for as long as they are borrowed.
pub type Keeper = Arc<dyn Any + Send + Sync>;

/// Bytes from which baked shapes are read: shared with their owner, so that shapes borrow them, or borrowed
/// while reading, so that shapes copy them.
///
/// ```
/// use hitscan::baked::Bytes;
/// let lent = Bytes::lent(&[1, 2, 3, 4]);
/// assert_eq!(lent.part(1..3).map(|part| part.as_slice().to_vec()), Some(vec![2, 3]));
/// assert!(lent.part(3..5).is_none());
/// ```
#[derive(Clone)]
pub struct Bytes<'a>(Source<'a>);

#[derive(Clone)]
enum Source<'a> {
    Shared { bytes: &'static [u8], owner: Keeper },
    Borrowed(&'a [u8]),
}

impl<'a> Bytes<'a> {
    /// Bytes that live as long as `owner`; each shape that borrows them holds a clone of it.
    ///
    /// The bytes are read only while a clone of `owner` lives: whoever maps a file, and gives the
    /// mapping as the owner, may unmap it when the last clone is dropped.
    #[must_use]
    pub fn kept(bytes: &'static [u8], owner: Keeper) -> Self {
        Self(Source::Shared { bytes, owner })
    }

    /// Bytes that shapes copy.
    #[must_use]
    pub fn lent(bytes: &'a [u8]) -> Self {
        Self(Source::Borrowed(bytes))
    }

    /// The bytes, for as long as these are held.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        match &self.0 {
            Source::Shared { bytes, .. } => bytes,
            Source::Borrowed(bytes) => bytes,
        }
    }

    /// Some of the bytes; `None` where the range leaves them.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Option<Self> {
        Some(Self(match &self.0 {
            Source::Shared { bytes, owner } => Source::Shared {
                bytes: bytes.get(range)?,
                owner: Arc::clone(owner),
            },
            Source::Borrowed(bytes) => Source::Borrowed(bytes.get(range)?),
        }))
    }
}

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", self.as_slice().len())
    }
}

/// An array that is owned, or borrowed from shared bytes.
///
/// The owner is stored beside the slice, so that address and length are at one place in both kinds, and
/// reading them needs no branch. With the owner inside the borrowed variant, rays at a mesh took up to 7 %
/// more instructions.
#[derive(Clone)]
pub(crate) struct Array<T: Clone + 'static> {
    items: Cow<'static, [T]>,
    /// Keeps borrowed items alive.
    owner: Option<Keeper>,
}

impl<T: AnyBitPattern + NoUninit> Array<T> {
    /// The items in `bytes`: borrowed where the bytes are shared and aligned for `T`, else copied.
    ///
    /// # Errors
    /// [`Error::Baked`] where the bytes are not a whole number of items.
    pub(crate) fn read(what: &'static str, bytes: &Bytes<'_>) -> Result<Self, Error> {
        let (all, size) = (bytes.as_slice(), size_of::<T>());
        if !all.len().is_multiple_of(size) {
            return Err(Error::Baked {
                what,
                place: all.len() / size,
                expected: "whole",
            });
        }
        if let Source::Shared { bytes, owner } = &bytes.0
            && let Ok(items) = try_cast_slice(bytes)
        {
            return Ok(Self {
                items: Cow::Borrowed(items),
                owner: Some(Arc::clone(owner)),
            });
        }
        Ok(bytemuck::pod_collect_to_vec(all).into())
    }

    /// The items as bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

impl<T: Clone> Deref for Array<T> {
    type Target = [T];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Clone> Array<T> {
    /// The items to be changed; borrowed ones are copied first.
    #[inline]
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        let items = self.items.to_mut();
        self.owner = None;
        items
    }
}

impl<T: Clone> DerefMut for Array<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.to_mut()
    }
}

impl<T: Clone> From<Vec<T>> for Array<T> {
    fn from(items: Vec<T>) -> Self {
        Self {
            items: Cow::Owned(items),
            owner: None,
        }
    }
}

impl<T: Clone> Default for Array<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Clone + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a, T: Clone> IntoIterator for &'a Array<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that begin where a cache line does, or so many bytes beyond.
    fn shared(beyond: usize) -> Bytes<'static> {
        static NUMBERS: [u64; 4] = [1, 2, 3, 4];
        let bytes: &'static [u8] = bytemuck::cast_slice(&NUMBERS);
        Bytes::kept(&bytes[beyond..beyond + 16], Arc::new(()))
    }

    #[test]
    fn arrays_are_borrowed_where_aligned_and_copied_elsewhere() {
        let borrowed = Array::<u64>::read("numbers", &shared(0)).unwrap();
        assert!(borrowed.owner.is_some());
        let copied = Array::<u64>::read("numbers", &shared(1)).unwrap();
        assert!(copied.owner.is_none());
        let lent = shared(0);
        let lent = Array::<u64>::read("numbers", &Bytes::lent(lent.as_slice())).unwrap();
        assert!(lent.owner.is_none());
        assert_eq!((&borrowed[..], &lent[..]), (&[1, 2][..], &[1, 2][..]));
    }

    #[test]
    fn an_array_is_copied_when_it_is_changed() {
        let mut array = Array::<u64>::read("numbers", &shared(8)).unwrap();
        let before = array.clone();
        array[1] = 9;
        assert_eq!((&array[..], &before[..]), (&[2, 9][..], &[2, 3][..]));
    }

    #[test]
    fn bytes_that_are_no_whole_number_of_items_are_refused() {
        let error = Array::<u64>::read("numbers", &Bytes::lent(&[0; 12])).unwrap_err();
        assert_eq!(error.to_string(), "baked numbers[1] must be whole");
    }

    #[test]
    fn the_owner_lives_as_long_as_an_array_does() {
        let owner: Keeper = Arc::new(7);
        let bytes = Bytes::kept(&[1, 2, 3], Arc::clone(&owner));
        let array = Array::<u8>::read("bytes", &bytes).unwrap();
        drop(bytes);
        assert_eq!(Arc::strong_count(&owner), 2);
        drop(array);
        assert_eq!(Arc::strong_count(&owner), 1);
    }
}
