//! The ends of rows, the ranges of fields, and the text of a field.
//!
//! Everything works on bytes that are already in memory and copies none but unquoted text with
//! quotes in it.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

/// Whether more bytes may follow those in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// The input goes on.
    Open,
    /// The input ends here, and so does its last row.
    End,
}

/// The row at the beginning of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
    /// A row: its content and, with the line ending, its length.
    Whole { content: usize, length: usize },
    /// A row that is not yet whole.
    Partial,
    /// The input ends within quotes.
    UnclosedQuote,
}

/// Finds the row at the beginning of `bytes`, which are not empty.
pub(crate) fn first_row(bytes: &[u8], tail: Tail) -> Row {
    let newline = match memchr2(b'\n', b'"', bytes) {
        Some(found) if bytes[found] == b'"' => match quoted_row_end(bytes) {
            Ok(newline) => newline,
            Err(InsideQuotes) if tail == Tail::End => return Row::UnclosedQuote,
            Err(InsideQuotes) => return Row::Partial,
        },
        newline => newline,
    };
    match (newline, tail) {
        (Some(newline), _) => Row::Whole {
            content: newline - usize::from(bytes[..newline].ends_with(b"\r")),
            length: newline + 1,
        },
        (None, Tail::Open) => Row::Partial,
        (None, Tail::End) => Row::Whole {
            content: bytes.len(),
            length: bytes.len(),
        },
    }
}

/// The bytes in the buffer end within quotes.
struct InsideQuotes;

/// The newline that ends a row in which there are quotes.
fn quoted_row_end(bytes: &[u8]) -> Result<Option<usize>, InsideQuotes> {
    let mut field = 0;
    loop {
        let after_quotes = quoted_part(&bytes[field..]).ok_or(InsideQuotes)?;
        let plain = field + after_quotes;
        match memchr2(b',', b'\n', &bytes[plain..]) {
            None => return Ok(None),
            Some(end) if bytes[plain + end] == b'\n' => return Ok(Some(plain + end)),
            Some(comma) => field = plain + comma + 1,
        }
    }
}

/// The length of the quoted part, quotes included, with which a field may begin; `None` when it
/// does not end.
fn quoted_part(field: &[u8]) -> Option<usize> {
    if field.first() != Some(&b'"') {
        return Some(0);
    }
    let mut end = 1;
    loop {
        end += memchr(b'"', &field[end..])? + 1;
        if field.get(end) != Some(&b'"') {
            return Some(end);
        }
        end += 1;
    }
}

/// The fields of one row after the other, in memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    ranges: Vec<Range<usize>>,
}

impl Fields {
    /// Finds the fields of a row without its line ending.
    pub(crate) fn split(&mut self, row: &[u8]) {
        self.ranges.clear();
        let mut start = 0;
        if memchr(b'"', row).is_none() {
            for comma in memchr_iter(b',', row) {
                self.ranges.push(start..comma);
                start = comma + 1;
            }
        } else {
            loop {
                // The reader has seen to it that quotes end.
                let plain = start + quoted_part(&row[start..]).unwrap_or(row.len() - start);
                let Some(comma) = memchr(b',', &row[plain..]) else {
                    break;
                };
                self.ranges.push(start..plain + comma);
                start = plain + comma + 1;
            }
        }
        self.ranges.push(start..row.len());
    }

    /// How many fields the row has.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The bytes of a field of the row that was split.
    pub(crate) fn get<'r>(&self, row: &'r [u8], field: usize) -> &'r [u8] {
        &row[self.ranges[field].clone()]
    }
}

/// Whether the field begins with a quote.
pub(crate) fn is_quoted(field: &[u8]) -> bool {
    field.first() == Some(&b'"')
}

/// The text of a field: without the quotes around it and with doubled quotes made one.
///
/// Characters between the closing quote and the comma, which no sound writer leaves, are kept.
pub(crate) fn unquote(field: &[u8]) -> Cow<'_, [u8]> {
    if !is_quoted(field) {
        return Cow::Borrowed(field);
    }
    let end = quoted_part(field).unwrap_or(field.len());
    let inner = &field[1..(end - 1).max(1)];
    let rest = &field[end..];
    if rest.is_empty() && memchr(b'"', inner).is_none() {
        return Cow::Borrowed(inner);
    }
    let mut text = Vec::with_capacity(field.len());
    let mut copied = 0;
    for quote in memchr_iter(b'"', inner) {
        // Of a pair of quotes the first is copied, the second is passed over.
        if quote >= copied {
            text.extend_from_slice(&inner[copied..=quote]);
            copied = quote + 2;
        }
    }
    text.extend_from_slice(inner.get(copied..).unwrap_or_default());
    text.extend_from_slice(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(mut text: &[u8]) -> Vec<&[u8]> {
        let mut rows = Vec::new();
        while !text.is_empty() {
            let Row::Whole { content, length } = first_row(text, Tail::End) else {
                panic!("{:?} is no row", String::from_utf8_lossy(text));
            };
            rows.push(&text[..content]);
            text = &text[length..];
        }
        rows
    }

    fn fields(row: &str) -> Vec<&str> {
        let mut fields = Fields::default();
        fields.split(row.as_bytes());
        (0..fields.len())
            .map(|i| std::str::from_utf8(fields.get(row.as_bytes(), i)).unwrap())
            .collect()
    }

    #[test]
    fn rows_end_at_newlines_outside_quotes() {
        assert_eq!(rows(b"a,b\nc,d\r\n\ne"), [&b"a,b"[..], b"c,d", b"", b"e"]);
        assert_eq!(rows(b"\"a\nb\",c\r\nd"), [&b"\"a\nb\",c"[..], b"d"]);
        assert_eq!(rows(b"\"a\"\"\n\"\nb"), [&b"\"a\"\"\n\""[..], b"b"]);
        // A quote within an unquoted field opens nothing.
        assert_eq!(
            rows(b"5\" pipe,\"x\ny\"\nz\""),
            [&b"5\" pipe,\"x\ny\""[..], b"z\""]
        );
    }

    #[test]
    fn a_row_is_partial_until_its_newline() {
        for text in ["a", "a,\"b", "\"a\nb\"", "\"a\"\"\n"] {
            assert_eq!(
                first_row(text.as_bytes(), Tail::Open),
                Row::Partial,
                "{text:?}"
            );
        }
        assert_eq!(first_row(b"a,\"b\nc", Tail::End), Row::UnclosedQuote);
        let whole = Row::Whole {
            content: 1,
            length: 1,
        };
        assert_eq!(first_row(b"a", Tail::End), whole);
    }

    #[test]
    fn fields_keep_their_bytes() {
        assert_eq!(
            fields("a, b ,,\"c,\"\"d\",e\"f"),
            ["a", " b ", "", "\"c,\"\"d\"", "e\"f"]
        );
        assert_eq!(fields(""), [""]);
        assert_eq!(fields(","), ["", ""]);
        assert_eq!(fields("\"a\"b,c"), ["\"a\"b", "c"]);
    }

    #[test]
    fn unquoting_undoes_quoting() {
        for (field, text) in [
            ("a", "a"),
            ("\"\"", ""),
            ("\"a,b\"", "a,b"),
            ("\"a\"\"b\"", "a\"b"),
            ("\"\"\"\"", "\""),
            ("\"\"\"\"\"\"", "\"\""),
            ("\"a\"b", "ab"),
            ("\"a\"\"\"b\"", "a\"b\""),
            ("a\"b", "a\"b"),
            ("\"", ""),
        ] {
            assert_eq!(unquote(field.as_bytes()), text.as_bytes(), "{field}");
        }
    }
}
