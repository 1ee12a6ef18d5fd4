//! Sizes that the pages of a Parquet column state, before any is unpacked.
//!
//! A page's header is a struct of Thrift's compact protocol; of it a few fields are read, and the others
//! skipped.
//!
//! # Source
//! Apache Parquet, "parquet.thrift", `PageHeader`; Apache Thrift, "Thrift Compact protocol encoding".

use std::io::{self, Read as _};

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;

/// So many bytes at most are what one of LZ4 unpacks to; its older framing has a decoder that stops at nothing.
const LZ4_RATIO: u64 = 255;
/// Values of `PageType`.
const DICTIONARY_PAGE: i64 = 2;
/// Values of `Encoding` by which a page holds no more bytes than its values have.
const PLAIN: i64 = 0;
const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
/// Values by which it holds the places of its values in the dictionary.
const PLAIN_DICTIONARY: i64 = 2;
const RLE_DICTIONARY: i64 = 8;

/// The sizes of a column chunk, or the maximum ones of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PageSizes {
    /// Bytes of the dictionary, unpacked.
    pub(super) dictionary: u64,
    /// Bytes of the largest other page.
    pub(super) page: u64,
    /// Bytes of all pages that hold their values as they are.
    pub(super) plain: u64,
    /// How many values there are.
    pub(super) values: u64,
    /// The most bytes that a value may have which a page does not hold as it is: it may be there many times.
    pub(super) repeated: u64,
}

impl PageSizes {
    /// The sizes that the pages of a column chunk state. Decoders unpack no more than that, but for those of
    /// two codecs, whose pages are inspected here.
    pub(super) fn of(chunk: &[u8], codec: Compression) -> Result<Self, String> {
        let mut sizes = Self::default();
        let (mut has_dictionary, mut rest) = (false, chunk);
        while !rest.is_empty() {
            let mut compact = Compact { rest };
            let page = PageHeader::read(&mut compact).ok_or("a page's header is damaged")?;
            let [packed, stated, values, levels] =
                [page.packed, page.unpacked, page.values, page.levels]
                    .map(|number| u64::try_from(number).unwrap_or(u64::MAX));
            let end = usize::try_from(packed).unwrap_or(usize::MAX);
            let body = compact.rest.split_at_checked(end);
            let (body, behind) = body.ok_or("a page reaches beyond its column")?;
            rest = behind;
            let unpacked = match codec {
                Compression::GZIP(_) if !page.is_whole && stated > levels => {
                    let levels = usize::try_from(levels).unwrap_or(usize::MAX);
                    let packed = body.get(levels..).unwrap_or_default();
                    check_gzip(packed, stated)?;
                    stated
                }
                Compression::LZ4 => stated.max(packed.saturating_mul(LZ4_RATIO)),
                _ => stated,
            };
            if page.kind == DICTIONARY_PAGE {
                sizes.dictionary = sizes.dictionary.max(unpacked);
                continue;
            }
            sizes.page = sizes.page.max(unpacked);
            sizes.values = sizes.values.saturating_add(values);
            match page.encoding {
                PLAIN | DELTA_LENGTH_BYTE_ARRAY => {
                    sizes.plain = sizes.plain.saturating_add(unpacked);
                }
                PLAIN_DICTIONARY | RLE_DICTIONARY => has_dictionary = true,
                // Values that share their beginnings: one is at most as long as all that its page holds.
                _ => sizes.repeated = sizes.repeated.max(unpacked),
            }
        }
        if has_dictionary {
            sizes.repeated = sizes.repeated.max(sizes.dictionary);
        }
        Ok(sizes)
    }

    /// The greater of each size.
    pub(super) fn or_greater(self, other: Self) -> Self {
        Self {
            dictionary: self.dictionary.max(other.dictionary),
            page: self.page.max(other.page),
            plain: self.plain.max(other.plain),
            values: self.values.max(other.values),
            repeated: self.repeated.max(other.repeated),
        }
    }
}

/// Refuses what unpacks to more bytes than are stated: gzip's decoder stops at nothing.
fn check_gzip(packed: &[u8], stated: u64) -> Result<(), String> {
    let mut unpacked = MultiGzDecoder::new(packed).take(stated.saturating_add(1));
    match io::copy(&mut unpacked, &mut io::sink()) {
        Ok(found) if found > stated => Err("a page unpacks to more than it states".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// The fields of a page's header that tell its size.
#[derive(Default)]
struct PageHeader {
    kind: i64,
    unpacked: i64,
    packed: i64,
    values: i64,
    encoding: i64,
    /// Bytes in front that are not packed.
    levels: i64,
    /// Whether it is not packed at all.
    is_whole: bool,
}

impl PageHeader {
    fn read(compact: &mut Compact<'_>) -> Option<Self> {
        let mut header = Self::default();
        compact.each_field(&mut |compact, field, kind| {
            match field {
                1 => header.kind = compact.number()?,
                2 => header.unpacked = compact.number()?,
                3 => header.packed = compact.number()?,
                // The headers of the kinds of data pages.
                5 | 8 if kind == STRUCT => {
                    let encoding = if field == 5 { 2 } else { 4 };
                    compact.each_field(&mut |compact, field, kind| {
                        match field {
                            1 => header.values = compact.number()?,
                            _ if field == encoding => header.encoding = compact.number()?,
                            5 | 6 if kind == I32 => header.levels += compact.number()?,
                            7 => header.is_whole = kind == FALSE,
                            _ => compact.skip(kind, DEEPEST)?,
                        }
                        Some(())
                    })?;
                }
                _ => compact.skip(kind, DEEPEST)?,
            }
            Some(())
        })?;
        Some(header)
    }
}

/// Kinds of fields.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;

/// Structs within structs are skipped so deep.
const DEEPEST: u8 = 16;

/// What is to be read of a struct; nothing is there where it is damaged.
struct Compact<'a> {
    rest: &'a [u8],
}

/// Reads a field of this number and kind, or skips it.
type ReadField<'f, 'a> = &'f mut dyn FnMut(&mut Compact<'a>, i64, u8) -> Option<()>;

impl<'a> Compact<'a> {
    /// Reads the fields of a struct to its end.
    fn each_field(&mut self, read: ReadField<'_, 'a>) -> Option<()> {
        let mut field = 0;
        loop {
            let head = self.byte()?;
            let (step, kind) = (head >> 4, head & 15);
            if kind == 0 {
                return Some(());
            }
            field = match step {
                0 => self.number()?,
                step => field + i64::from(step),
            };
            read(self, field, kind)?;
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// A number of seven bits a byte, the lowest first.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// A whole number whose sign is its lowest bit.
    fn number(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
    }

    fn skip_bytes(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.skip_bytes(1),
            I16..=I64 => self.varint().map(drop),
            DOUBLE => self.skip_bytes(8),
            BINARY => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    count => count.into(),
                };
                self.skip_each(count, &[head & 15], depth)
            }
            MAP => match self.varint()? {
                0 => Some(()),
                count => {
                    let kinds = self.byte()?;
                    self.skip_each(count, &[kinds >> 4, kinds & 15], depth)
                }
            },
            STRUCT => self.each_field(&mut |compact, _, kind| compact.skip(kind, depth)),
            _ => None,
        }
    }

    fn skip_each(&mut self, count: u64, kinds: &[u8], depth: u8) -> Option<()> {
        for _ in 0..count {
            for kind in kinds {
                match *kind {
                    // In a list each is a byte.
                    TRUE | FALSE => self.skip_bytes(1)?,
                    kind => self.skip(kind, depth)?,
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write as _;

    #[test]
    fn gzip_unpacks_to_no_more_than_is_stated() {
        let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&[0; 100_000]).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(check_gzip(&packed, 100_000), Ok(()));
        assert!(check_gzip(&packed, 99_999).is_err());
        assert!(check_gzip(&packed[..20], 100_000).is_err());
    }

    #[test]
    fn headers_are_read_and_what_is_not_known_is_skipped() {
        let codec = Compression::SNAPPY;
        // Unpacked 300 bytes, packed 2; a data page of 7 values of the dictionary, with statistics.
        let data = [
            &[0x15, 0x00, 0x15, 0xd8, 0x04, 0x15, 0x04, 0x2c, 0x15, 0x0e][..],
            &[
                0x15, 0x10, 0x15, 0x06, 0x15, 0x06, 0x1c, 0x18, 0x02, 9, 9, 0x00, 0x00, 0x00,
            ],
            &[1, 2],
        ]
        .concat();
        // A dictionary of 40 bytes.
        let dictionary = [
            &[
                0x15, 0x04, 0x15, 0x50, 0x15, 0x02, 0x4c, 0x15, 0x02, 0x15, 0x00,
            ][..],
            &[0x12, 0x00, 0x00],
            &[1],
        ]
        .concat();
        let sizes = PageSizes::of(&[dictionary, data.clone(), data.clone()].concat(), codec);
        let expected = PageSizes {
            dictionary: 40,
            page: 300,
            plain: 0,
            values: 14,
            repeated: 40,
        };
        assert_eq!(sizes, Ok(expected));
        for end in 1..data.len() {
            assert!(PageSizes::of(&data[..end], codec).is_err(), "{end}");
        }
    }
}
