//! One table of the scene file: its keys as typed values, or an error that names line and column.
//!
//! What the keys of a terrain or a model are is in `parse.rs`.

use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::location::{KeyLocations, Location};
use super::pieces::Piece;
use super::shown_value::shown;
use super::table::{Item, Table};
use crate::Error;

/// What to do about a path with backslashes between quotes.
pub(super) const BACKSLASH_HINT: &str =
    "; between \"...\" a backslash begins an escape: write paths with `/`, or between '...'";

/// A piece of the text of a scene file and where it came from.
pub(super) struct Source<'a> {
    pub(super) path: &'a Path,
    piece: Piece<'a>,
    /// The first byte of each line.
    lines: Vec<usize>,
    /// What is wrong with the piece, in the order in which it was found.
    faults: RefCell<Vec<Error>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(path: &'a Path, piece: Piece<'a>) -> Self {
        let bytes = piece.text.bytes().enumerate();
        let breaks = bytes.filter(|(_, byte)| *byte == b'\n');
        let breaks = breaks.map(|(at, _)| at + 1);
        Self {
            path,
            lines: std::iter::once(0).chain(breaks).collect(),
            piece,
            faults: RefCell::default(),
        }
    }

    /// Adds what is wrong with the piece.
    pub(super) fn add_fault(&self, fault: Error) {
        self.faults.borrow_mut().push(fault);
    }

    fn fault_count(&self) -> usize {
        self.faults.borrow().len()
    }

    /// What is wrong with the piece.
    pub(super) fn into_faults(self) -> Vec<Error> {
        self.faults.into_inner()
    }

    pub(super) fn text(&self) -> &'a str {
        self.piece.text
    }

    /// Whether the piece starts with the header of a table.
    pub(super) fn has_header(&self) -> bool {
        self.piece.has_header()
    }

    /// The line and the column at which a part of the piece starts.
    pub(super) fn location(&self, span: &Range<usize>) -> Location {
        let line = self.lines.partition_point(|&start| start <= span.start);
        let start = self.lines.get(line - 1).copied().unwrap_or_default();
        let before = self.piece.text.get(start..span.start).unwrap_or_default();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Location {
            line: number(self.piece.first_line + line - 1),
            column: number(before.chars().count() + 1),
        }
    }

    /// What to do where the fault in a line is a backslash of a path, as Windows writes them.
    pub(super) fn path_hint(&self, span: Option<Range<usize>>) -> &'static str {
        let start = span.unwrap_or_default().start;
        let before = self.text().get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text()[line..].lines().next().unwrap_or_default();
        match line
            .split_once('"')
            .is_some_and(|(_, text)| text.contains('\\'))
        {
            true => BACKSLASH_HINT,
            false => "",
        }
    }

    /// The error of a name that is not among the known ones.
    pub(super) fn unknown(
        &self,
        what: &'static str,
        key: &Spanned<impl AsRef<str>>,
        known: &[&str],
    ) -> Error {
        let name = key.get_ref().as_ref();
        let location = self.location(&key.span());
        Error::unknown(self.path, location, what, name, known.iter().copied())
    }

    /// There is `found` in place of `expected`.
    pub(super) fn malformed(
        &self,
        span: &Range<usize>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Error {
        Error::malformed(self.path, self.location(span), expected, found)
    }
}

/// A table and the keys it may have.
pub(super) struct Keys<'a> {
    source: &'a Source<'a>,
    table: &'a Table<'a>,
    /// How many faults were there before.
    faults_before: usize,
    /// Whether it has keys other than the known ones.
    has_unknown: bool,
}

/// A value and its key.
pub(super) struct Value<'a> {
    source: &'a Source<'a>,
    key: &'static str,
    value: &'a Spanned<Item<'a>>,
}

impl<'a> Keys<'a> {
    /// The table; keys other than the known ones are faults.
    pub(super) fn new(source: &'a Source<'a>, table: &'a Table<'a>, known: &[&str]) -> Self {
        let faults_before = source.fault_count();
        for (key, _) in &table.entries {
            if !known.contains(key.get_ref()) {
                source.add_fault(source.unknown("key", key, known));
            }
        }
        Self {
            has_unknown: source.fault_count() > faults_before,
            source,
            table,
            faults_before,
        }
    }

    /// What was read of the table, or a stand-in where that is a fault.
    pub(super) fn kept_or<T>(&self, read: Result<T, Error>, stand_in: T) -> T {
        read.unwrap_or_else(|fault| {
            // What is missing may be there under a wrong name, which is a fault already.
            let is_misnamed = self.has_unknown && matches!(fault, Error::Missing { .. });
            if !is_misnamed {
                self.source.add_fault(fault);
            }
            stand_in
        })
    }

    /// What was read of the table, or a default where that is a fault.
    pub(super) fn kept<T: Default>(&self, read: Result<T, Error>) -> T {
        self.kept_or(read, T::default())
    }

    /// Whether no fault of the table was found yet.
    pub(super) fn is_sound(&self) -> bool {
        self.source.fault_count() == self.faults_before
    }

    pub(super) fn location(&self) -> Location {
        self.source.location(self.span())
    }

    /// Where the values of these keys are, as far as they are there.
    pub(super) fn locations(&self, keys: &[&'static str]) -> KeyLocations {
        let values = keys.iter().filter_map(|&key| self.get(key));
        KeyLocations(values.map(|value| (value.key, value.location())).collect())
    }

    /// The library refuses a shape that this table describes: which of its keys is to blame is the
    /// first whose word is in the message, or the table itself.
    pub(super) fn refused(&self, error: hitscan::Error, blame: &[(&str, &'static str)]) -> Error {
        let message = error.to_string();
        let mut words = blame.iter().filter(|(word, _)| message.contains(word));
        let value = words.find_map(|(_, key)| self.get(key));
        let location = value.map_or_else(|| self.location(), |value| value.location());
        Error::refused(self.source.path, location, error)
    }

    pub(super) fn span(&self) -> &Range<usize> {
        &self.table.span
    }

    /// The value of `key`, if it is there.
    pub(super) fn get(&self, key: &'static str) -> Option<Value<'a>> {
        let mut entries = self.table.entries.iter();
        let (_, value) = entries.find(|(name, _)| *name.get_ref() == key)?;
        Some(Value {
            source: self.source,
            key,
            value,
        })
    }

    /// The value of `key`, which is required.
    pub(super) fn need(&self, key: &'static str) -> Result<Value<'a>, Error> {
        let missing = || {
            Error::missing(
                self.source.path,
                self.location(),
                format!("the key `{key}`"),
            )
        };
        self.get(key).ok_or_else(missing)
    }
}

impl<'a> Value<'a> {
    pub(super) fn span(&self) -> Range<usize> {
        self.value.span()
    }

    pub(super) fn location(&self) -> Location {
        self.source.location(&self.span())
    }

    pub(super) fn key(&self) -> &'static str {
        self.key
    }

    /// The error of a value that is not valid for its key.
    pub(super) fn wrong(&self, expected: &str) -> Error {
        let expected = format!("{expected} for `{}`", self.key);
        let found = shown(self.value.get_ref());
        self.source.malformed(&self.span(), expected, found)
    }

    pub(super) fn string(&self) -> Result<&'a str, Error> {
        self.as_string().ok_or_else(|| self.wrong("a string"))
    }

    pub(super) fn as_string(&self) -> Option<&'a str> {
        match self.value.get_ref() {
            Item::String(text) => Some(text),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub(super) fn truth(&self) -> Result<bool, Error> {
        match self.value.get_ref() {
            Item::Boolean(truth) => Ok(*truth),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// A whole number that counts or numbers things.
    pub(super) fn index(&self) -> Result<usize, Error> {
        whole(self.value.get_ref()).ok_or_else(|| self.wrong("a whole number, zero or more,"))
    }

    pub(super) fn number(&self) -> Result<f64, Error> {
        self.as_number()
            .ok_or_else(|| self.wrong("a finite number"))
    }

    pub(super) fn number_f32(&self) -> Result<f32, Error> {
        nearest_f32(self.value.get_ref())
            .ok_or_else(|| self.wrong("a number within the range of f32"))
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        nearest_f64(self.value.get_ref())
    }

    /// An array of `N` numbers, which are `what`, such as `metres [x, y, z]`.
    pub(super) fn numbers<const N: usize>(&self, what: &str) -> Result<[f64; N], Error> {
        let wrong = || self.wrong(&format!("{what}, {N} finite numbers"));
        self.array(nearest_f64).ok_or_else(wrong)
    }

    /// An array of `N` numbers, which are `what`, or one for all of them.
    pub(super) fn number_or_numbers<const N: usize>(&self, what: &str) -> Result<[f64; N], Error> {
        let wrong = || self.wrong(&format!("a finite number, or {what}"));
        let all = self.as_number().map(|number| [number; N]);
        all.or_else(|| self.array(nearest_f64)).ok_or_else(wrong)
    }

    /// Three numbers `[x, y, z]`, which are `what`, each the nearest f32 to the text.
    pub(super) fn vector_f32(&self, what: &str) -> Result<[f32; 3], Error> {
        let wrong = || {
            self.wrong(&format!(
                "{what} [x, y, z], 3 numbers within the range of f32,"
            ))
        };
        self.array(nearest_f32).ok_or_else(wrong)
    }

    /// An array of arrays of three numbers `[x, y, z]`, each the nearest f32 to the text.
    pub(super) fn vectors_f32(&self, what: &str) -> Result<Vec<[f32; 3]>, Error> {
        let wrong = || {
            self.wrong(&format!(
                "{what} [[x, y, z], ...], numbers within the range of f32,"
            ))
        };
        let Item::Array(points) = self.value.get_ref() else {
            return Err(wrong());
        };
        let point = |item: &Spanned<Item>| items(item.get_ref(), nearest_f32);
        points
            .iter()
            .map(point)
            .collect::<Option<_>>()
            .ok_or_else(wrong)
    }

    /// An array of tables, each in braces.
    pub(super) fn tables(&self) -> Result<Vec<&'a Table<'a>>, Error> {
        let Item::Array(items) = self.value.get_ref() else {
            return Err(self.wrong("an array of tables"));
        };
        let table = |item: &'a Spanned<Item<'a>>| match item.get_ref() {
            Item::Table(table) => Some(table),
            _ => None,
        };
        let tables = items.iter().map(table).collect::<Option<_>>();
        tables.ok_or_else(|| self.wrong("an array of tables"))
    }

    /// An array of two points, each an array of two numbers.
    pub(super) fn points(&self) -> Result<[[f64; 2]; 2], Error> {
        let wrong = || self.wrong("two opposite corners [[x, z], [x, z]], finite numbers,");
        let point = |value: &Item| items(value, nearest_f64);
        self.array(point).ok_or_else(wrong)
    }

    /// An array of `N` whole numbers, which are `what`.
    pub(super) fn indices<const N: usize>(&self, what: &str) -> Result<[usize; N], Error> {
        let wrong = || self.wrong(&format!("{what}, {N} whole numbers,"));
        self.array(whole).ok_or_else(wrong)
    }

    fn array<T: Copy + Default, const N: usize>(
        &self,
        item: impl Fn(&Item) -> Option<T>,
    ) -> Option<[T; N]> {
        items(self.value.get_ref(), item)
    }
}

fn items<T: Copy + Default, const N: usize>(
    value: &Item,
    item: impl Fn(&Item) -> Option<T>,
) -> Option<[T; N]> {
    let Item::Array(items) = value else {
        return None;
    };
    let items: &[Spanned<Item>; N] = items.as_slice().try_into().ok()?;
    let mut read = [T::default(); N];
    for (read, value) in read.iter_mut().zip(items) {
        *read = item(value.get_ref())?;
    }
    Some(read)
}

fn nearest_f64(value: &Item) -> Option<f64> {
    let number: f64 = match value {
        Item::Float(digits) | Item::Integer { digits, radix: 10 } => digits.parse().ok()?,
        Item::Integer { digits, radix } => u64::from_str_radix(digits, *radix).ok()? as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Straight from the text: by way of f64 it would be rounded twice.
fn nearest_f32(value: &Item) -> Option<f32> {
    let number: f32 = match value {
        Item::Float(digits) | Item::Integer { digits, radix: 10 } => digits.parse().ok()?,
        Item::Integer { digits, radix } => u64::from_str_radix(digits, *radix).ok()? as f32,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn whole(value: &Item) -> Option<usize> {
    match value {
        Item::Integer { digits, radix } => usize::from_str_radix(digits, *radix).ok(),
        _ => None,
    }
}
