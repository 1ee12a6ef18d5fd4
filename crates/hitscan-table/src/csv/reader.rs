//! CSV from a stream, in chunks of whole rows.
//!
//! Memory holds one chunk and the row that reaches beyond it, however long the table is. Fields are
//! split here only in the header; those of rows are split by the workers.

use std::io::{ErrorKind, Read};

use memchr::memchr_iter;

use super::split::{Fields, Row, Tail, first_row, unquote};
use crate::compression::DamagedStream;
use crate::number::trim;
use crate::{Error, Location};

/// How many bytes are read at once.
const BLOCK_BYTES: usize = 256 * 1024;
/// The longest row, which limits how far an unclosed quote is read.
const ROW_BYTES: usize = 16 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A table's first line.
#[derive(Debug, Clone)]
pub(crate) struct CsvHeader {
    /// The bytes of the line, byte order mark included, line ending excluded.
    pub(crate) line: Vec<u8>,
    /// Its line ending, which rows without one of their own are given.
    pub(crate) newline: &'static [u8],
    /// The columns' names, without quotes and the spaces around them.
    pub(crate) names: Vec<Vec<u8>>,
}

/// Some whole rows.
#[derive(Debug)]
pub(crate) struct CsvChunk {
    bytes: Vec<u8>,
    rows: Vec<RowSpan>,
    /// The line in which the chunk's bytes begin, counted from 1.
    first_line: u64,
}

#[derive(Debug, Clone, Copy)]
struct RowSpan {
    start: usize,
    content: usize,
    length: usize,
}

impl CsvChunk {
    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many bytes there are.
    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// A row without its line ending.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        let span = self.rows[row];
        &self.bytes[span.start..span.start + span.content]
    }

    /// A row's line ending; the input's last row may have none.
    pub(crate) fn newline(&self, row: usize) -> &[u8] {
        let span = self.rows[row];
        &self.bytes[span.start + span.content..span.start + span.length]
    }

    /// The line in which a row of the chunk begins, counted from 1.
    pub(crate) fn line(&self, row: usize) -> u64 {
        self.first_line + newlines(&self.bytes[..self.rows[row].start])
    }

    /// Leaves the first `count` rows, which are fewer than there are, and returns the others.
    pub(crate) fn split_off(&mut self, count: usize) -> Self {
        let first_line = self.line(count);
        let mut rows = self.rows.split_off(count);
        let start = rows.first().map_or(self.bytes.len(), |row| row.start);
        for row in &mut rows {
            row.start -= start;
        }
        Self {
            bytes: self.bytes.split_off(start),
            rows,
            first_line,
        }
    }
}

/// Reads a table chunk by chunk.
pub(crate) struct CsvReader<R> {
    input: R,
    file: String,
    /// Bytes that were read; those from `start` on are not yet in a chunk.
    buffer: Vec<u8>,
    start: usize,
    tail: Tail,
    next_row: u64,
    next_line: u64,
    batch_rows: usize,
    consumed: u64,
}

impl<R: Read> CsvReader<R> {
    /// Reads the header. Chunks will have at most `batch_rows` rows.
    pub(crate) fn open(
        input: R,
        file: String,
        batch_rows: usize,
    ) -> Result<(Self, CsvHeader), Error> {
        let mut reader = Self {
            input,
            file,
            buffer: Vec::new(),
            start: 0,
            tail: Tail::Open,
            next_row: 0,
            next_line: 1,
            batch_rows: 1,
            consumed: 0,
        };
        let Some(chunk) = reader.next_chunk()? else {
            return Err(Error::NoHeader { file: reader.file });
        };
        reader.next_row = 0;
        reader.batch_rows = batch_rows;
        let line = chunk.row(0);
        if line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff") {
            return Err(Error::Utf16 { file: reader.file });
        }
        let plain = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let mut fields = Fields::default();
        fields.split(plain);
        let name = |i| trim(&unquote(fields.get(plain, i))).to_vec();
        let header = CsvHeader {
            line: line.to_vec(),
            newline: if chunk.newline(0) == b"\r\n" {
                b"\r\n"
            } else {
                b"\n"
            },
            names: (0..fields.len()).map(name).collect(),
        };
        Ok((reader, header))
    }

    /// The next rows, as soon as one read has brought some; `None` at the end.
    ///
    /// Not waiting for a full chunk lets a slow producer's questions be answered as they come.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<CsvChunk>, Error> {
        loop {
            let (rows, length) = self.whole_rows()?;
            let line = self.next_line;
            let bytes = &self.buffer[self.start..self.start + length];
            self.next_line += newlines(bytes);
            self.consumed += length as u64;
            self.start += length;
            if !rows.is_empty() {
                let chunk = CsvChunk {
                    bytes: bytes.to_vec(),
                    first_line: line,
                    rows,
                };
                self.next_row += chunk.rows.len() as u64;
                return Ok(Some(chunk));
            }
            if self.tail == Tail::End {
                return Ok(None);
            }
            self.read_more()?;
        }
    }

    /// Finds the whole rows in the buffer, at most a batch, and how many bytes they and the blank lines
    /// between them take.
    fn whole_rows(&self) -> Result<(Vec<RowSpan>, usize), Error> {
        let bytes = &self.buffer[self.start..];
        let mut rows = Vec::new();
        let mut start = 0;
        if self.consumed == 0 && bytes.starts_with(BYTE_ORDER_MARK) {
            start = BYTE_ORDER_MARK.len();
        }
        // The mark is part of the first row but not of its first field, which may be quoted.
        let mut row_start = 0;
        while start < bytes.len() && rows.len() < self.batch_rows {
            match first_row(&bytes[start..], self.tail) {
                Row::Whole { content, length } => {
                    // A blank line is no row.
                    if content > 0 {
                        rows.push(RowSpan {
                            start: row_start,
                            content: start - row_start + content,
                            length: start - row_start + length,
                        });
                    }
                    start += length;
                    row_start = start;
                }
                Row::Partial => break,
                Row::UnclosedQuote => {
                    return Err(Error::UnclosedQuote {
                        location: self.location(&bytes[..start], rows.len()),
                    });
                }
            }
        }
        Ok((rows, row_start))
    }

    /// Reads once, to the end of the row that is not yet whole.
    fn read_more(&mut self) -> Result<(), Error> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let held = self.buffer.len();
        if held > ROW_BYTES {
            return Err(Error::RowTooLong {
                location: self.location(&[], 0),
                limit: ROW_BYTES,
            });
        }
        self.buffer.resize(held + BLOCK_BYTES, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[held..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let read = read.map_err(|error| self.read_error(error))?;
        self.buffer.truncate(held + read);
        if read == 0 {
            self.tail = Tail::End;
        }
        Ok(())
    }

    fn read_error(&self, error: std::io::Error) -> Error {
        match error.downcast::<DamagedStream>() {
            Ok(damage) => Error::Damaged {
                file: self.file.clone(),
                format: damage.format,
                at: format!("after byte {}, in row {}", damage.position, self.next_row),
                reason: damage.reason,
            },
            Err(source) => Error::Read {
                file: self.file.clone(),
                source,
            },
        }
    }

    /// The location of the row after `rows` rows and `before` bytes of the buffer.
    fn location(&self, before: &[u8], rows: usize) -> Location {
        Location {
            file: self.file.clone(),
            line: Some(self.next_line + newlines(before)),
            row: self.next_row + rows as u64,
            file_row: None,
        }
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few bytes at a time.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len()).min(out.len());
            let (now, later) = self.0.split_at(n);
            out[..n].copy_from_slice(now);
            self.0 = later;
            Ok(n)
        }
    }

    #[test]
    fn chunks_do_not_depend_on_how_bytes_arrive() {
        let text = b"\xef\xbb\xbf\"a\nc\" , b\r\n1,\"x\ny\"\r\n\r\n2,\"\"\"\"\n3,4";
        for step in 1..text.len() {
            let (mut reader, header) =
                CsvReader::open(Dribble(text, step), "a.csv".into(), 2).unwrap();
            assert_eq!(header.names, [&b"a\nc"[..], b"b"]);
            assert_eq!(header.newline, b"\r\n");
            assert_eq!(header.line, &text[..12]);
            let mut rows = Vec::new();
            while let Some(chunk) = reader.next_chunk().unwrap() {
                assert!(chunk.len() <= 2);
                for row in 0..chunk.len() {
                    rows.push((chunk.line(row), chunk.row(row).to_vec()));
                }
            }
            let expected = [
                (3, b"1,\"x\ny\"".to_vec()),
                (6, b"2,\"\"\"\"".to_vec()),
                (7, b"3,4".to_vec()),
            ];
            assert_eq!(rows, expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn a_header_alone_and_nothing_at_all() {
        let (mut reader, header) = CsvReader::open(&b"a,b"[..], "a.csv".into(), 9).unwrap();
        assert_eq!(header.newline, b"\n");
        assert!(reader.next_chunk().unwrap().is_none());
        for nothing in [&b""[..], b"\n\r\n", b"\xef\xbb\xbf"] {
            let error = CsvReader::open(nothing, "a.csv".into(), 9).err().unwrap();
            assert!(matches!(error, Error::NoHeader { .. }), "{error}");
        }
    }

    #[test]
    fn an_open_quote_is_found_where_it_begins() {
        let (mut reader, _) = CsvReader::open(&b"a\n1\n\"2\n3\n"[..], "a.csv".into(), 9).unwrap();
        // The first read brings the row before it.
        assert_eq!(reader.next_chunk().unwrap().unwrap().len(), 1);
        let error = reader.next_chunk().unwrap_err();
        assert!(
            error.to_string().starts_with("a.csv, line 3 (row 1): "),
            "{error}"
        );
        let endless = [b"a\n1,\"".to_vec(), vec![b'x'; ROW_BYTES + BLOCK_BYTES]].concat();
        let (mut reader, _) = CsvReader::open(&endless[..], "a.csv".into(), 9).unwrap();
        let error = reader.next_chunk().unwrap_err();
        assert!(matches!(error, Error::RowTooLong { .. }), "{error}");
    }
}
