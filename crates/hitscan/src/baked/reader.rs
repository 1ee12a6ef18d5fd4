//! Reads what was baked, checking that each value is there.

use crate::Error;
use crate::storage::{Array, Bytes};
use bytemuck::{AnyBitPattern, NoUninit};

/// Puts together what a [`Writer`](super::Writer) took apart; see [the module's page](super).
///
/// Values are taken in the order in which they were written. An error names the value that was wanted.
#[derive(Debug)]
pub struct Reader<'a> {
    /// What is left of the table.
    table: &'a [u8],
    /// The byte at which that begins.
    place: usize,
    arrays: std::vec::IntoIter<Bytes<'a>>,
}

impl<'a> Reader<'a> {
    /// A reader of a table and its arrays.
    #[must_use]
    pub fn new(table: &'a [u8], arrays: Vec<Bytes<'a>>) -> Self {
        Self {
            table,
            place: 0,
            arrays: arrays.into_iter(),
        }
    }

    /// A reader of a part of a table, which begins at the byte `place`.
    pub(crate) fn of_part(part: &'a [u8], place: usize) -> Self {
        Self {
            place,
            ..Self::new(part, Vec::new())
        }
    }

    /// That `what` is not `expected`, at the place that was read last.
    #[must_use]
    pub fn refused(&self, what: &'static str, expected: &'static str) -> Error {
        Error::Baked {
            what,
            place: self.place,
            expected,
        }
    }

    fn take(&mut self, what: &'static str, count: usize) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.table.split_at_checked(count) else {
            return Err(self.refused(what, "whole: the table ends before"));
        };
        self.table = rest;
        self.place += count;
        Ok(taken)
    }

    /// The next array.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, as for every value.
    pub fn array(&mut self, what: &'static str) -> Result<Bytes<'a>, Error> {
        let next = self.arrays.next();
        next.ok_or_else(|| self.refused(what, "there: an array is missing"))
    }

    /// The next array as numbers.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where it is no whole number of items.
    pub(crate) fn items<T: AnyBitPattern + NoUninit>(
        &mut self,
        what: &'static str,
    ) -> Result<Array<T>, Error> {
        if cfg!(target_endian = "big") {
            return Err(self.refused(what, "read on a little-endian machine"));
        }
        Array::read(what, &self.array(what)?)
    }

    /// A number.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, Error> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(what, 8)?);
        Ok(u64::from_le_bytes(bytes))
    }

    /// A number that may be missing.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none.
    pub fn u64_or_none(&mut self, what: &'static str) -> Result<Option<u64>, Error> {
        let is_there = self.bool(what)?;
        let number = self.u64(what)?;
        Ok(is_there.then_some(number))
    }

    /// A count or an index.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where memory cannot hold so many.
    pub fn size(&mut self, what: &'static str) -> Result<usize, Error> {
        let number = self.u64(what)?;
        usize::try_from(number).map_err(|_| self.refused(what, "a size of this machine"))
    }

    /// How many values follow, each of which takes `bytes` of the table at least: no more than it has.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where the table cannot hold so many.
    pub fn count(&mut self, what: &'static str, bytes: usize) -> Result<usize, Error> {
        let count = self.size(what)?;
        if count > self.table.len() / bytes.max(1) {
            return Err(self.refused(what, "a count of values that follow"));
        }
        Ok(count)
    }

    /// An index of one of `count` things.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where it is too great.
    pub fn index(&mut self, what: &'static str, count: usize) -> Result<usize, Error> {
        let index = self.size(what)?;
        if index >= count {
            return Err(self.refused(what, "the number of one that is there"));
        }
        Ok(index)
    }

    /// A number.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, Error> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(what, 4)?);
        Ok(u32::from_le_bytes(bytes))
    }

    /// A yes or a no.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is neither.
    pub fn bool(&mut self, what: &'static str) -> Result<bool, Error> {
        match self.u32(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.refused(what, "0 or 1")),
        }
    }

    /// A number, with all of its bits.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none.
    pub fn f32(&mut self, what: &'static str) -> Result<f32, Error> {
        self.u32(what).map(f32::from_bits)
    }

    /// A number, with all of its bits.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none.
    pub fn f64(&mut self, what: &'static str) -> Result<f64, Error> {
        self.u64(what).map(f64::from_bits)
    }

    /// `N` numbers.
    ///
    /// # Errors
    /// [`Error::Baked`] where there are fewer.
    pub fn f64s<const N: usize>(&mut self, what: &'static str) -> Result<[f64; N], Error> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.f64(what)?;
        }
        Ok(numbers)
    }

    /// A text.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where it is not UTF-8.
    pub fn text(&mut self, what: &'static str) -> Result<&'a str, Error> {
        let count = self.count(what, 1)?;
        let bytes = self.take(what, count)?;
        core::str::from_utf8(bytes).map_err(|_| self.refused(what, "text in UTF-8"))
    }

    /// A text that may be missing.
    ///
    /// # Errors
    /// [`Error::Baked`] where there is none, and where it is not UTF-8.
    pub fn text_or_none(&mut self, what: &'static str) -> Result<Option<&'a str>, Error> {
        let is_there = self.bool(what)?;
        let text = self.text(what)?;
        Ok(is_there.then_some(text))
    }

    /// That all was read.
    ///
    /// # Errors
    /// [`Error::Baked`] where values or arrays are left.
    pub fn finish(self) -> Result<(), Error> {
        if self.table.is_empty() && self.arrays.len() == 0 {
            return Ok(());
        }
        Err(self.refused("table", "at its end"))
    }
}
