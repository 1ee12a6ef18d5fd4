//! File signatures: the kind of a file by its first bytes, for messages about files under a wrong name.

use crate::{Error, Format};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Csv,
    Parquet,
    Arrow,
    Gzip,
    Zstd,
    /// One that is never read, by its name.
    Other(&'static str),
}

/// With what files of a kind begin. Where that is text a header of CSV could be the same, and a byte
/// that no text has must follow soon.
const SIGNATURES: [(&[u8], Kind); 9] = [
    (b"PAR1", Kind::Parquet),
    (b"ARROW1", Kind::Arrow),
    (b"\xff\xff\xff\xff", Kind::Arrow),
    (b"\x1f\x8b", Kind::Gzip),
    (b"\x28\xb5\x2f\xfd", Kind::Zstd),
    (b"\xfd7zXZ\0", Kind::Other("xz")),
    (b"BZh", Kind::Other("bzip2")),
    (b"PK\x03\x04", Kind::Other("a zip archive or a spreadsheet")),
    (b"FEA1", Kind::Other("an old Feather file")),
];

/// Refuses an input that begins as a file of another kind than `format`.
///
/// What begins as nothing known is left to the format's reader, whose message is about details.
pub(crate) fn check(
    file: &str,
    is_stream: bool,
    format: Format,
    start: &[u8],
) -> Result<(), Error> {
    let expected = match format {
        Format::Csv | Format::Tsv => Kind::Csv,
        Format::CsvGzip => Kind::Gzip,
        Format::CsvZstd => Kind::Zstd,
        Format::Parquet => Kind::Parquet,
        Format::Arrow => Kind::Arrow,
    };
    let found = kind(start);
    match found {
        None => Ok(()),
        Some(found) if found == expected => Ok(()),
        Some(found) => Err(Error::WrongFormat {
            file: file.to_owned(),
            expected: words(expected),
            found: words(found),
            advice: advice(found, is_stream),
        }),
    }
}

/// Refuses CSV that is compressed twice, or is no CSV at all once it is unpacked.
pub(crate) fn check_unpacked(file: &str, start: &[u8]) -> Result<(), Error> {
    match kind(start) {
        None | Some(Kind::Csv) => Ok(()),
        Some(found) => Err(Error::WrongFormat {
            file: file.to_owned(),
            expected: "CSV in it",
            found: words(found),
            advice: "unpack it and say what it is".to_owned(),
        }),
    }
}

fn kind(start: &[u8]) -> Option<Kind> {
    /// How far a byte that no text has is looked for.
    const LOOKED_AT: usize = 64;
    let start = &start[..start.len().min(LOOKED_AT)];
    let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\r' | b'\n');
    let is_all_text = start.iter().all(is_text);
    let matches = |(bytes, _): &&(&[u8], Kind)| {
        start.starts_with(bytes) && !(is_all_text && bytes.is_ascii())
    };
    let known = SIGNATURES.iter().find(matches).map(|&(_, kind)| kind);
    let is_csv = || is_all_text && start.contains(&b',');
    known.or_else(|| is_csv().then_some(Kind::Csv))
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Csv => "CSV",
        Kind::Parquet => "Parquet",
        Kind::Arrow => "Arrow IPC",
        Kind::Gzip => "gzip",
        Kind::Zstd => "zstd",
        Kind::Other(name) => name,
    }
}

fn advice(found: Kind, is_stream: bool) -> String {
    let (format, only_files) = match found {
        Kind::Csv => (Format::Csv, false),
        Kind::Gzip => (Format::CsvGzip, false),
        Kind::Zstd => (Format::CsvZstd, false),
        Kind::Parquet => (Format::Parquet, true),
        Kind::Arrow => (Format::Arrow, true),
        Kind::Other(_) => return "convert it to CSV, Parquet or Arrow IPC".to_owned(),
    };
    let name = format.name();
    match (is_stream, only_files) {
        (true, true) => format!("save it as a file that ends in .{name}, and name that file"),
        (true, false) => format!("for CSV in it say `--input-format {name}`"),
        (false, true) => format!("rename it to end in .{name}, or say `--input-format {name}`"),
        (false, false) => {
            format!("if it is CSV, rename it to end in .{name}, or say `--input-format {name}`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_first_bytes() {
        for (start, expected) in [
            (&b"PAR1\x15\x04\x15"[..], Some(Kind::Parquet)),
            (b"PAR1,x,z\n1,2,3\n", Some(Kind::Csv)),
            (b"ARROW1\0\0\xff\xff", Some(Kind::Arrow)),
            (b"ARROW1,x\n", Some(Kind::Csv)),
            (b"\xff\xff\xff\xff\x10\0", Some(Kind::Arrow)),
            (b"\x1f\x8b\x08\0", Some(Kind::Gzip)),
            (b"\x28\xb5\x2f\xfd\0", Some(Kind::Zstd)),
            (b"BZh,x\n", Some(Kind::Csv)),
            (b"BZh91AY&SY\x01", Some(Kind::Other("bzip2"))),
            (b"\xef\xbb\xbfx,z\n", Some(Kind::Csv)),
            (b"", None),
            (b"x\n1\n", None),
            (b"\xff\xfex\0,\0", None),
        ] {
            assert_eq!(
                kind(start),
                expected,
                "{:?}",
                String::from_utf8_lossy(start)
            );
        }
    }
}
