//! Tab-separated values, which are CSV with tabs in place of commas: converted to CSV while they are
//! read, and back while they are written.
//!
//! Rows keep their lines and line endings, and fields their bytes, but for the quotes around one that
//! holds the other separator: `a,b` is `"a,b"` in CSV.

use std::io::{self, Read, Write};

const BLOCK_BYTES: usize = 64 * 1024;

/// Exchanges the separators of a table that comes in pieces.
#[derive(Debug)]
struct Exchange {
    from: u8,
    to: u8,
    place: Place,
    /// The field that is not at its end yet and has no quotes around it.
    field: Vec<u8>,
    /// Whether that field holds the new separator.
    needs_quotes: bool,
}

/// Where in a row the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote in a quoted field, which ends it unless another follows.
    Quote,
}

impl Exchange {
    fn new(from: u8, to: u8) -> Self {
        Self {
            from,
            to,
            place: Place::FieldStart,
            field: Vec::new(),
            needs_quotes: false,
        }
    }

    /// Appends what `bytes` are in the other separators, but for a field that may go on.
    fn exchange(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        /// A field without an end is no reason to keep all of a file: the reader of rows refuses it.
        const LONGEST_FIELD: usize = 32 * 1024 * 1024;
        for &byte in bytes {
            match self.place {
                Place::Quoted => {
                    if byte == b'"' {
                        self.place = Place::Quote;
                    }
                    out.push(byte);
                    continue;
                }
                Place::Quote if byte == b'"' => {
                    self.place = Place::Quoted;
                    out.push(byte);
                    continue;
                }
                Place::FieldStart if byte == b'"' => {
                    self.place = Place::Quoted;
                    out.push(byte);
                    continue;
                }
                Place::FieldStart | Place::Plain | Place::Quote => {}
            }
            if byte == self.from || byte == b'\n' {
                self.end_field(out);
                out.push(if byte == b'\n' { byte } else { self.to });
                self.place = Place::FieldStart;
            } else if self.place == Place::Quote {
                out.push(byte);
            } else {
                self.place = Place::Plain;
                self.needs_quotes |= byte == self.to;
                self.field.push(byte);
                if self.field.len() > LONGEST_FIELD {
                    self.end_field(out);
                }
            }
        }
    }

    /// Appends the field that is at its end.
    fn end_field(&mut self, out: &mut Vec<u8>) {
        if self.needs_quotes {
            // A carriage return belongs to the line ending.
            let returned = self.field.ends_with(b"\r");
            let end = self.field.len() - usize::from(returned);
            out.push(b'"');
            for &byte in &self.field[..end] {
                if byte == b'"' {
                    out.push(byte);
                }
                out.push(byte);
            }
            out.push(b'"');
            out.extend_from_slice(&self.field[end..]);
        } else {
            out.extend_from_slice(&self.field);
        }
        self.field.clear();
        self.needs_quotes = false;
    }
}

/// Reads tab-separated values as CSV.
pub(crate) struct TabReader<R> {
    tabs: R,
    exchange: Exchange,
    block: Vec<u8>,
    converted: Vec<u8>,
    taken: usize,
}

impl<R: Read> TabReader<R> {
    pub(crate) fn new(tabs: R) -> Self {
        Self {
            tabs,
            exchange: Exchange::new(b'\t', b','),
            block: vec![0; BLOCK_BYTES],
            converted: Vec::new(),
            taken: 0,
        }
    }
}

impl<R: Read> Read for TabReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.converted.len() {
            let read = self.tabs.read(&mut self.block)?;
            self.converted.clear();
            self.taken = 0;
            if read == 0 {
                self.exchange.end_field(&mut self.converted);
                if self.converted.is_empty() {
                    return Ok(0);
                }
            }
            self.exchange
                .exchange(&self.block[..read], &mut self.converted);
        }
        let rest = &self.converted[self.taken..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

/// Writes CSV, which ends with a line ending, as tab-separated values.
pub(crate) struct TabWriter<W> {
    tabs: W,
    exchange: Exchange,
    converted: Vec<u8>,
}

impl<W: Write> TabWriter<W> {
    pub(crate) fn new(tabs: W) -> Self {
        Self {
            tabs,
            exchange: Exchange::new(b',', b'\t'),
            converted: Vec::new(),
        }
    }
}

impl<W: Write> Write for TabWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.converted.clear();
        self.exchange.exchange(bytes, &mut self.converted);
        self.tabs.write_all(&self.converted)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tabs.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tabs: &[u8]) -> String {
        let mut csv = String::new();
        TabReader::new(tabs).read_to_string(&mut csv).unwrap();
        csv
    }

    fn write(csv: &str) -> String {
        let mut tabs = Vec::new();
        TabWriter::new(&mut tabs).write_all(csv.as_bytes()).unwrap();
        String::from_utf8(tabs).unwrap()
    }

    #[test]
    fn separators_are_exchanged_and_fields_stay() {
        for (tabs, csv) in [
            ("a\tb\n1\t2\n", "a,b\n1,2\n"),
            ("a\tb\r\n1\t2\r\n", "a,b\r\n1,2\r\n"),
            ("1,5\tx\n", "\"1,5\",x\n"),
            ("x\t1,5\r\n", "x,\"1,5\"\r\n"),
            ("5\"\t\"a\tb\"\t\"\"\n", "5\",\"a\tb\",\"\"\n"),
            ("\"a\"\"\tb\nc\"\td\n", "\"a\"\"\tb\nc\",d\n"),
            ("5\",\tx\n", "\"5\"\",\",x\n"),
            ("\t\n", ",\n"),
            ("", ""),
        ] {
            assert_eq!(read(tabs.as_bytes()), csv, "{tabs:?}");
        }
        assert_eq!(read(b"a\tb,c"), "a,\"b,c\"");
    }

    #[test]
    fn what_is_written_reads_as_the_same() {
        for csv in [
            "a,b\n1,2\n",
            "\"a,b\",c\r\n",
            "\"a\tb\",\"x\"\"y\"\n",
            "\"\",5\"\n",
        ] {
            assert_eq!(read(write(csv).as_bytes()), csv);
        }
        assert_eq!(write("a\tb,c\n"), "\"a\tb\"\tc\n");
    }

    #[test]
    fn pieces_may_end_anywhere() {
        let csv = b"a,\"b,\"\"c\"\r\n1\t,2\n";
        let mut whole = Vec::new();
        TabWriter::new(&mut whole).write_all(csv).unwrap();
        for split in 0..csv.len() {
            let mut tabs = Vec::new();
            let mut writer = TabWriter::new(&mut tabs);
            writer.write_all(&csv[..split]).unwrap();
            writer.write_all(&csv[split..]).unwrap();
            assert_eq!(tabs, whole, "{split}");
        }
    }
}
