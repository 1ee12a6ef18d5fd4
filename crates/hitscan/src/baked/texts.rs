//! Texts that are used where they lie.

use super::{Reader, Writer};
use crate::Error;
use crate::storage::Array;

/// Texts, one after the other and none of them empty: owned, or borrowed from shared bytes.
///
/// ```
/// use hitscan::baked::{Bytes, Reader, Texts, Writer};
/// let mut names = Texts::default();
/// names.push("moon");
/// names.push("sun");
/// let mut writer = Writer::new();
/// names.bake(&mut writer);
/// let (table, arrays) = writer.into_parts();
/// let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
/// let copy = Texts::from_baked(&mut Reader::new(&table, arrays))?;
/// assert_eq!((copy.len(), copy.get(1), copy.get(2)), (2, Some("sun"), None));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// In UTF-8.
    bytes: Array<u8>,
    /// Where each ends.
    ends: Array<u64>,
}

impl Texts {
    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        let bytes = self.bytes.to_mut();
        bytes.extend_from_slice(text.as_bytes());
        let end = bytes.len() as u64;
        self.ends.to_mut().push(end);
    }

    /// The text with this number, counted from 0.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        let before = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = usize::try_from(before).ok()?..usize::try_from(end).ok()?;
        core::str::from_utf8(self.bytes.get(range)?).ok()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bakes them; see [`baked`](crate::baked).
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.array(self.bytes.bytes());
        writer.array(self.ends.bytes());
    }

    /// The texts that were baked next. They are borrowed where they are kept and aligned.
    ///
    /// # Errors
    /// [`Error::Baked`] for what no writer makes, such as a text that is empty or not UTF-8.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let bytes: Array<u8> = reader.items("texts")?;
        let ends: Array<u64> = reader.items("ends of texts")?;
        let all = core::str::from_utf8(&bytes).map_err(|error| Error::Baked {
            what: "texts",
            place: error.valid_up_to(),
            expected: "in UTF-8",
        })?;
        let mut before = 0;
        for (place, end) in ends.iter().enumerate() {
            let end = usize::try_from(*end).unwrap_or(usize::MAX);
            if end <= before || !all.is_char_boundary(end) {
                return Err(Error::Baked {
                    what: "ends of texts",
                    place,
                    expected: "behind the one before, in the texts",
                });
            }
            before = end;
        }
        super::check_length("texts", before, bytes.len())?;
        Ok(Self { bytes, ends })
    }
}
