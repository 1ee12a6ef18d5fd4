//! The body of a PLY file, number by number, text or binary.
//!
//! No memory is allocated by a count: it grows as numbers are found, and where a number is missing
//! because the file ends, reading ends with an error.

use std::path::Path;

use super::header::{Element, Encoding, Header, Kind, Number};
use crate::Error;

/// Reads numbers one after the other.
#[derive(Debug)]
pub(super) struct Body<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    encoding: Encoding,
    at: usize,
    line: usize,
}

impl<'a> Body<'a> {
    /// The body after `header` in a file's bytes.
    pub(super) fn new(path: &'a Path, bytes: &'a [u8], header: &Header) -> Self {
        Self {
            path,
            bytes,
            encoding: header.encoding,
            at: header.length,
            line: header.lines + 1,
        }
    }

    /// The next number as the nearest f32.
    pub(super) fn coordinate(&mut self, number: Number) -> Result<f32, Error> {
        if self.encoding == Encoding::Text {
            return self.parse("a number");
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding to the nearest f32 is meant"
        )]
        let nearest = self.binary(number)? as f32;
        Ok(nearest)
    }

    /// Replaces `indices` by the items of the next list.
    pub(super) fn indices(
        &mut self,
        count: Number,
        item: Number,
        indices: &mut Vec<i64>,
    ) -> Result<(), Error> {
        indices.clear();
        for _ in 0..self.list_length(count, item)? {
            let index = self.integer(item)?;
            indices.push(index);
        }
        Ok(())
    }

    /// Passes over a property.
    pub(super) fn skip_property(&mut self, kind: Kind) -> Result<(), Error> {
        match kind {
            Kind::Number(number) => self.skip_numbers(1, number),
            Kind::List { count, item } => {
                let length = self.list_length(count, item)?;
                self.skip_numbers(length, item)
            }
        }
    }

    /// Passes over all of an element.
    pub(super) fn skip(&mut self, element: &Element) -> Result<(), Error> {
        if element.properties.is_empty() {
            return Ok(());
        }
        for _ in 0..element.count {
            for property in &element.properties {
                self.skip_property(property.kind)?;
            }
        }
        Ok(())
    }

    fn skip_numbers(&mut self, count: usize, number: Number) -> Result<(), Error> {
        for _ in 0..count {
            match self.encoding {
                Encoding::Text => {
                    self.word()?;
                }
                Encoding::LittleEndian | Encoding::BigEndian => {
                    self.binary(number)?;
                }
            }
        }
        Ok(())
    }

    /// How many items follow: not more than the file has bytes for.
    fn list_length(&mut self, count: Number, item: Number) -> Result<usize, Error> {
        let start = self.at;
        let stated = self.integer(count)?;
        let size = match self.encoding {
            Encoding::Text => 1,
            Encoding::LittleEndian | Encoding::BigEndian => item.size(),
        };
        let room = (self.bytes.len() - self.at) / size;
        let length = usize::try_from(stated)
            .ok()
            .filter(|&length| length <= room);
        length.ok_or_else(|| {
            let expected = format!("a list of at most the {room} items that the file has room for");
            Error::malformed(
                self.path,
                self.location(start),
                expected,
                stated.to_string(),
            )
        })
    }

    fn integer(&mut self, number: Number) -> Result<i64, Error> {
        if self.encoding == Encoding::Text {
            return self.parse("an integer");
        }
        let start = self.at;
        let value = self.binary(number)?;
        // Every integer type of the format fits into an f64; only a float can be something else.
        if value.fract() != 0.0 || value.abs() > f64::from(u32::MAX) {
            let expected = "an integer of at most 32 bits";
            return Err(Error::malformed(
                self.path,
                self.location(start),
                expected,
                value.to_string(),
            ));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an integer of at most 33 bits with its sign, as was just checked"
        )]
        let integer = value as i64;
        Ok(integer)
    }

    fn parse<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, Error> {
        let word = self.word()?;
        let text = String::from_utf8_lossy(word);
        text.parse().map_err(|_| {
            let location = self.location(self.at);
            Error::malformed(self.path, location, expected, format!("`{text}`"))
        })
    }

    /// The next word of a text body.
    fn word(&mut self) -> Result<&'a [u8], Error> {
        let rest = &self.bytes[self.at..];
        let skipped = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        self.line += rest[..skipped]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let rest = &rest[skipped..];
        let length = rest
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace())
            .count();
        self.at += skipped + length;
        if length == 0 {
            return Err(self.ended());
        }
        Ok(&rest[..length])
    }

    fn binary(&mut self, number: Number) -> Result<f64, Error> {
        Ok(match number {
            Number::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Number::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Number::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Number::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Number::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Number::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Number::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Number::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    /// The next bytes, lowest first.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.ended());
        };
        self.at += N;
        let mut bytes = *bytes;
        if self.encoding == Encoding::BigEndian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn ended(&self) -> Error {
        let found = "the end of the file";
        Error::malformed(self.path, self.location(self.at), "another number", found)
    }

    /// The line of the latest word of a text body, or byte `at` of a binary one.
    fn location(&self, at: usize) -> String {
        match self.encoding {
            Encoding::Text => format!("line {}", self.line),
            Encoding::LittleEndian | Encoding::BigEndian => format!("byte {at}"),
        }
    }
}
