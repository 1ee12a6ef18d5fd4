//! Tables as programs write them, a million of them in a file, without the TOML parser: `[[sphere]]`,
//! and below it in each line a key and a string, a number, or numbers in brackets.
//!
//! Whatever else a text has, and whatever is wrong with it, is left to the parser: what is read here it
//! would read to the same values at the same places.

use toml::Spanned;

use super::table::{Item, Table};

/// Tables with more keys than any of a scene has are the parser's.
const MOST_KEYS: usize = 32;

/// Reads a text that is one plain table: the name in its header, and the table.
pub(super) fn plain_table(text: &str) -> Option<(&str, Table<'_>)> {
    let mut text = Cursor { text, at: 0 };
    text.take(b'[')?;
    text.take(b'[')?;
    let kind = text.kind()?;
    text.take(b']')?;
    text.take(b']')?;
    let span = 0..text.at;
    text.end_line()?;
    let mut entries: Vec<(Spanned<&str>, Spanned<Item<'_>>)> = Vec::with_capacity(4);
    loop {
        text.skip(is_blank);
        if text.next().is_none() {
            return Some((kind, Table { span, entries }));
        }
        if text.end_line().is_some() {
            continue;
        }
        let key = text.key()?;
        if entries.len() == MOST_KEYS || entries.iter().any(|(other, _)| other == &key) {
            return None;
        }
        text.skip(is_blank);
        text.take(b'=')?;
        text.skip(is_blank);
        entries.push((key, text.value()?));
        text.end_line()?;
    }
}

/// A text, and how far it is read. What is read is ASCII.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    /// Skips what `is_skipped`, and returns how many bytes there were.
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.next().is_some_and(&is_skipped) {
            self.at += 1;
        }
        self.at - start
    }

    /// What was read since `start`.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Blanks up to the next line, or to the end of the text.
    fn end_line(&mut self) -> Option<()> {
        self.skip(is_blank);
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += match rest {
            [] => 0,
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        Some(())
    }

    /// The name of a table: keys without quotes, with dots between them.
    fn kind(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.key()?;
        while self.take(b'.').is_some() {
            self.key()?;
        }
        Some(self.since(start))
    }

    /// A key without quotes or dots.
    fn key(&mut self) -> Option<Spanned<&'a str>> {
        let start = self.at;
        let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let length = self.skip(is_of_key);
        (length > 0).then(|| Spanned::new(start..self.at, self.since(start)))
    }

    fn value(&mut self) -> Option<Spanned<Item<'a>>> {
        match self.next()? {
            quote @ (b'"' | b'\'') => self.string(quote),
            b'[' => self.numbers(),
            _ => self.number(),
        }
    }

    /// A string that is not empty, as two quotes may also begin a long one.
    fn string(&mut self, quote: u8) -> Option<Spanned<Item<'a>>> {
        let start = self.at;
        self.take(quote)?;
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != quote && byte != b'\\';
        let length = self.skip(is_plain);
        let text = self.since(start + 1);
        self.take(quote)?;
        (length > 0).then(|| Spanned::new(start..self.at, Item::String(text)))
    }

    /// Numbers in brackets, in one line.
    fn numbers(&mut self) -> Option<Spanned<Item<'a>>> {
        let start = self.at;
        self.take(b'[')?;
        let mut items = Vec::with_capacity(3);
        loop {
            self.skip(is_blank);
            if self.take(b']').is_some() {
                break;
            }
            items.push(self.number()?);
            self.skip(is_blank);
            if self.take(b',').is_none() {
                self.take(b']')?;
                break;
            }
        }
        Some(Spanned::new(start..self.at, Item::Array(items)))
    }

    /// A decimal number without underscores, and with a sign only if it is negative.
    fn number(&mut self) -> Option<Spanned<Item<'a>>> {
        let start = self.at;
        let _ = self.take(b'-');
        let first = self.next();
        let digits = self.digits()?;
        if first == Some(b'0') && digits > 1 {
            return None;
        }
        let is_fraction = self.take(b'.').is_some();
        if is_fraction {
            self.digits()?;
        }
        let has_exponent = self.take(b'e').or_else(|| self.take(b'E')).is_some();
        if has_exponent {
            let _ = self.take(b'-').or_else(|| self.take(b'+'));
            self.digits()?;
        }
        let text = self.since(start);
        let item = match is_fraction || has_exponent {
            true => Item::Float(text),
            false => Item::Integer {
                digits: text,
                radix: 10,
            },
        };
        Some(Spanned::new(start..self.at, item))
    }

    /// At least one digit; returns how many there were.
    fn digits(&mut self) -> Option<usize> {
        let count = self.skip(|byte| byte.is_ascii_digit());
        (count > 0).then_some(count)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use hitscan_testkit::Rng;
    use toml::de::{DeTable, DeValue};

    use super::*;

    /// The table that the TOML parser reads where the text is one, all of it as text.
    fn parsed(text: &str) -> Option<String> {
        let root = DeTable::parse(text).ok()?;
        let mut kinds = root.get_ref().iter();
        let (Some((kind, value)), None) = (kinds.next(), kinds.next()) else {
            return None;
        };
        let DeValue::Array(tables) = value.get_ref() else {
            return None;
        };
        let [table] = tables.as_ref() else {
            return None;
        };
        let DeValue::Table(keys) = table.get_ref() else {
            return None;
        };
        let table = Table::of(keys, table.span());
        Some(format!("{:?}", (kind.get_ref(), table)))
    }

    #[test]
    fn what_programs_write_is_read_without_the_parser() {
        for text in [
            "[[box]]\n\rmin = 1",
            "[[box]]\nmin = 1\nmin = 1",
            "[[box]]\nmin = 1 2",
        ] {
            assert!(
                plain_table(text).is_none() && parsed(text).is_none(),
                "{text}"
            );
        }
        for text in [
            "[[sphere]]\nname = \"s1\"\ncenter = [1.5, -2, 3e-7]\nradius = 0.25\n",
            "[[box]]\r\nmin = [ 0 , 0.0,\t-0]\r\nmax=[1,1,1,]\r\n\r\nlayers = 4294967295",
            "[[ab-c_9]] \t\n\t 7 = 'it is \"so\"' \n \n\n",
            "[[model]]\nfile = \"a/b.glb\"\ntranslation = []",
            "[[sphere]]",
        ] {
            let read = plain_table(text).map(|read| format!("{read:?}"));
            assert_eq!(read, parsed(text), "{text}");
            assert!(read.is_some(), "{text}");
        }
    }

    #[test]
    fn whatever_is_read_is_what_the_parser_reads() {
        const PARTS: [&str; 58] = [
            "a",
            "b",
            "name",
            "a.b",
            "\"a\"",
            " = ",
            "=",
            " = ",
            "\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            "\t",
            "[",
            "]",
            ",",
            ", ",
            "[[",
            "]]",
            "[1, 2]",
            "[1,\n2]",
            "[[1], [2]]",
            "{ a = 1 }",
            "0",
            "-0",
            "+1",
            "7",
            "12",
            "01",
            "-1.5",
            "1.",
            ".5",
            "1e5",
            "1E-7",
            "1e+9",
            "1_0",
            "0x1F",
            "0b1",
            "0o7",
            "inf",
            "-nan",
            "true",
            "1979-05-27",
            "07:32:00",
            "\"s\"",
            "'l'",
            "\"\"",
            "''",
            "\"\"\"t\"\"\"",
            "'''t'''",
            "\"\\n\"",
            "'\\'",
            "\"\u{e4}\"",
            "\"\u{7f}\"",
            "# c",
            "99999999999999999999",
            "[[sphere]]\n",
        ];
        let mut rng = Rng::new(0x7a61);
        let mut read_plain = 0;
        for round in 0..60_000 {
            let mut any = || PARTS[rng.below(PARTS.len())];
            let mut text = format!("[[sphere]]\na = {}\nb ={}\n", any(), any());
            if round % 4 == 0 {
                text.extend([any(), any(), any()]);
            }
            if let Some(read) = plain_table(&text) {
                read_plain += 1;
                assert_eq!(Some(format!("{read:?}")), parsed(&text), "{text:?}");
            }
        }
        assert!(read_plain > 500, "{read_plain}");
    }
}
