//! The first directory of a TIFF or BigTIFF: tags and their values, read from where they are in the file.
//!
//! What the tags mean is in `layout.rs` and `geo.rs`. No count is believed before the file is found to be
//! so long.
//!
//! Source: Adobe, "TIFF Revision 6.0" (1992), section 2; BigTIFF as libtiff describes it.

use std::path::Path;

use crate::Error;
use crate::heights::first_bytes_say;
use crate::read_at::ReadAt;
use crate::tiff_numbers::field;

/// The first directory of a TIFF or BigTIFF.
pub(super) struct Directory<'a> {
    path: &'a Path,
    file: &'a dyn ReadAt,
    pub(super) is_big_endian: bool,
    is_big_tiff: bool,
    first_entry: u64,
    /// The bytes of all tags.
    entries: Vec<u8>,
}

/// One tag: the type of its values, how many, and where the four or eight bytes are that hold
/// them or their offset.
#[derive(Clone, Copy)]
struct Entry {
    kind: u64,
    count: u64,
    value_at: u64,
}

impl<'a> Directory<'a> {
    pub(super) fn first(path: &'a Path, file: &'a dyn ReadAt) -> Result<Self, Error> {
        /// More than any signature that is known.
        const START: u64 = 16;
        let mut directory = Self {
            path,
            file,
            is_big_endian: false,
            is_big_tiff: false,
            first_entry: 0,
            entries: Vec::new(),
        };
        let start = directory.bytes_at(0, file.length().min(START))?;
        let start = start.unwrap_or_default();
        (directory.is_big_endian, directory.is_big_tiff) = match start.get(..4) {
            Some(b"II*\0") => (false, false),
            Some(b"MM\0*") => (true, false),
            Some(b"II+\0") => (false, true),
            Some(b"MM\0+") => (true, true),
            _ => {
                let expected = "a TIFF image, as the file's ending says";
                let found = first_bytes_say(&start);
                return Err(Error::malformed(path, "byte 0", expected, found));
            }
        };
        let (offset_at, word, count_bytes) = match directory.is_big_tiff {
            true => (8, 8, 8),
            false => (4, 4, 2),
        };
        let start = directory.offset(offset_at, word)?;
        let count = directory.offset(start, count_bytes)?;
        directory.first_entry = start + count_bytes;
        let length = count.saturating_mul(directory.entry_bytes() as u64);
        let entries = directory.bytes_at(directory.first_entry, length)?;
        directory.entries = entries
            .ok_or_else(|| directory.cut(directory.first_entry, &format!("{count} tags")))?;
        Ok(directory)
    }

    fn entry_bytes(&self) -> usize {
        if self.is_big_tiff { 20 } else { 12 }
    }

    /// The bytes of an offset, and of a count of values.
    fn word(&self) -> usize {
        if self.is_big_tiff { 8 } else { 4 }
    }

    fn entry(&self, tag: u16) -> Option<Entry> {
        let size = self.entry_bytes();
        let mut entries = (0..).step_by(size).zip(self.entries.chunks_exact(size));
        entries.find_map(|(place, entry)| {
            if self.number_of(entry.get(..2)?) != u64::from(tag) {
                return None;
            }
            let value = 4 + self.word();
            Some(Entry {
                kind: self.number_of(entry.get(2..4)?),
                count: self.number_of(entry.get(4..value)?),
                value_at: self.first_entry + place + value as u64,
            })
        })
    }

    /// Whether the tag is there.
    pub(super) fn has(&self, tag: u16) -> bool {
        self.entry(tag).is_some()
    }

    /// The first of a tag's whole numbers, if the tag is there.
    pub(super) fn number(&self, tag: u16) -> Result<Option<u64>, Error> {
        let Some(entry) = self.entry(tag) else {
            return Ok(None);
        };
        let (width, field) = self.whole_numbers(tag, entry)?;
        match field.get(..width) {
            Some(value) => Ok(Some(self.number_of(value))),
            None => {
                let location = format!("tag {tag}");
                Err(Error::malformed(self.path, location, "a value", "none"))
            }
        }
    }

    /// The first of a tag's whole numbers.
    pub(super) fn needed(&self, tag: u16, name: &str) -> Result<u64, Error> {
        self.number(tag)?.ok_or_else(|| {
            let what = format!("the tag {name} ({tag})");
            Error::missing(self.path, "first directory", what)
        })
    }

    /// All of a tag's whole numbers; none where the tag is not there.
    pub(super) fn numbers(&self, tag: u16) -> Result<Vec<u64>, Error> {
        let Some(entry) = self.entry(tag) else {
            return Ok(Vec::new());
        };
        let (width, field) = self.whole_numbers(tag, entry)?;
        let all = field.chunks_exact(width);
        Ok(all.map(|value| self.number_of(value)).collect())
    }

    /// All of a tag's f64; none where the tag is not there or holds something else.
    pub(super) fn doubles(&self, tag: u16) -> Result<Vec<f64>, Error> {
        let field = self.field_of(tag, field::DOUBLE, 8)?.unwrap_or_default();
        let all = field.chunks_exact(8);
        Ok(all
            .map(|value| f64::from_bits(self.number_of(value)))
            .collect())
    }

    /// A tag's text without what fills it up, if the tag is there.
    pub(super) fn text(&self, tag: u16) -> Result<Option<String>, Error> {
        let field = self.field_of(tag, field::ASCII, 1)?;
        let text = field.and_then(|field| String::from_utf8(field).ok());
        Ok(text.map(|text| text.trim_matches(['\0', ' ']).to_owned()))
    }

    /// The values of a tag of this type, if it is there.
    fn field_of(&self, tag: u16, kind: u16, width: u64) -> Result<Option<Vec<u8>>, Error> {
        let entry = self.entry(tag);
        match entry.filter(|entry| entry.kind == u64::from(kind)) {
            Some(entry) => self.field(entry, width),
            None => Ok(None),
        }
    }

    /// The width of a tag's whole numbers and their bytes.
    fn whole_numbers(&self, tag: u16, entry: Entry) -> Result<(usize, Vec<u8>), Error> {
        let width = match u16::try_from(entry.kind) {
            Ok(field::BYTE) => 1,
            Ok(field::SHORT) => 2,
            Ok(field::LONG) => 4,
            Ok(field::LONG8) => 8,
            _ => {
                let found = format!("values of type {}", entry.kind);
                return Err(Error::malformed(
                    self.path,
                    format!("tag {tag}"),
                    "whole numbers",
                    found,
                ));
            }
        };
        let field = self.field(entry, width as u64)?.ok_or_else(|| {
            let expected = format!("{} values of tag {tag} within the file", entry.count);
            self.cut(entry.value_at, &expected)
        })?;
        Ok((width, field))
    }

    /// The bytes of an entry's values: in the entry itself if they fit, else where it points; `None` where
    /// the file ends before.
    fn field(&self, entry: Entry, width: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(length) = entry.count.checked_mul(width) else {
            return Ok(None);
        };
        let word = self.word() as u64;
        if length <= word {
            return self.bytes_at(entry.value_at, length);
        }
        match self.bytes_at(entry.value_at, word)? {
            Some(start) => self.bytes_at(self.number_of(&start), length),
            None => Ok(None),
        }
    }

    /// The number of `width` bytes at `at`, as a place in the file or a count of what it has.
    fn offset(&self, at: u64, width: u64) -> Result<u64, Error> {
        let bytes = self.bytes_at(at, width)?;
        let bytes = bytes.ok_or_else(|| self.cut(at, "an offset or a count"))?;
        let value = self.number_of(&bytes);
        if value <= self.file.length() {
            return Ok(value);
        }
        let expected = format!("an offset or a count within {} bytes", self.file.length());
        let location = format!("byte {at}");
        Err(Error::malformed(
            self.path,
            location,
            expected,
            value.to_string(),
        ))
    }

    /// Some bytes of the file; `None` where it ends before.
    fn bytes_at(&self, start: u64, length: u64) -> Result<Option<Vec<u8>>, Error> {
        let end = start.checked_add(length);
        let is_there = end.is_some_and(|end| end <= self.file.length());
        let Some(length) = usize::try_from(length).ok().filter(|_| is_there) else {
            return Ok(None);
        };
        let mut bytes = vec![0; length];
        let read = self.file.read_exact_at(start, &mut bytes);
        read.map_err(|source| Error::io(self.path, source))?;
        Ok(Some(bytes))
    }

    /// The whole number that these bytes are.
    fn number_of(&self, bytes: &[u8]) -> u64 {
        let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        if self.is_big_endian {
            bytes.iter().fold(0, shift)
        } else {
            bytes.iter().rev().fold(0, shift)
        }
    }

    fn cut(&self, at: u64, expected: &str) -> Error {
        let found = format!("the end of the file after {} bytes", self.file.length());
        Error::malformed(self.path, format!("byte {at}"), expected, found)
    }
}
