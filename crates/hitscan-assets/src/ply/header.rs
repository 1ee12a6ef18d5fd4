//! The header of a PLY file: which elements follow, with which properties.
//!
//! Counts are those that the file states; `body.rs` checks whether they are true.

use std::path::Path;

use crate::Error;

/// The content of a header.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// The byte at which the body begins.
    pub(super) length: usize,
    /// How many lines the header has.
    pub(super) lines: usize,
}

/// How the numbers of the body are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// Things of one kind that follow each other in the body.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

/// One property of each element.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What a property holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Number(Number),
    List { count: Number, item: Number },
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "char" | "int8" => Some(Self::I8),
            "uchar" | "uint8" => Some(Self::U8),
            "short" | "int16" => Some(Self::I16),
            "ushort" | "uint16" => Some(Self::U16),
            "int" | "int32" => Some(Self::I32),
            "uint" | "uint32" => Some(Self::U32),
            "float" | "float32" => Some(Self::F32),
            "double" | "float64" => Some(Self::F64),
            _ => None,
        }
    }

    /// Bytes, in a binary body.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

impl Header {
    /// Parses the header at the start of a file's bytes.
    pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut length = 0;
        for (index, raw) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            length += raw.len();
            let location = || format!("line {}", index + 1);
            let line = String::from_utf8_lossy(raw.trim_ascii());
            let words: Vec<&str> = line.split_whitespace().collect();
            let refused = |expected: &str| {
                Err(Error::malformed(
                    path,
                    location(),
                    expected,
                    format!("`{line}`"),
                ))
            };
            match (index, words.as_slice()) {
                (0, ["ply"]) => {}
                (0, _) => return refused("`ply`"),
                (_, ["comment" | "obj_info", ..] | []) => {}
                (_, ["format", name, "1.0"]) => {
                    encoding = match *name {
                        "ascii" => Some(Encoding::Text),
                        "binary_little_endian" => Some(Encoding::LittleEndian),
                        "binary_big_endian" => Some(Encoding::BigEndian),
                        _ => return refused("ascii, binary_little_endian or binary_big_endian"),
                    };
                }
                (_, ["element", name, count]) => {
                    let Ok(count) = count.parse() else {
                        return refused("`element`, a name and a count");
                    };
                    elements.push(Element {
                        name: (*name).to_owned(),
                        count,
                        properties: Vec::new(),
                    });
                }
                (_, ["property", kind @ .., name]) => {
                    let (Some(element), Some(kind)) = (elements.last_mut(), parse_kind(kind))
                    else {
                        return refused("a property of an element, such as `property float x`");
                    };
                    element.properties.push(Property {
                        name: (*name).to_owned(),
                        kind,
                    });
                }
                (_, ["end_header"]) => {
                    let Some(encoding) = encoding else {
                        return Err(Error::missing(path, "header", "the `format`"));
                    };
                    return Ok(Self {
                        encoding,
                        elements,
                        length,
                        lines: index + 1,
                    });
                }
                _ => return refused("a line of a PLY header"),
            }
        }
        let location = "the end of the file";
        Err(Error::missing(path, location, "`end_header`"))
    }
}

fn parse_kind(words: &[&str]) -> Option<Kind> {
    match *words {
        [number] => Some(Kind::Number(Number::from_name(number)?)),
        ["list", count, item] => Some(Kind::List {
            count: Number::from_name(count)?,
            item: Number::from_name(item)?,
        }),
        _ => None,
    }
}
