//! NumPy arrays of two dimensions: f32, f64, u8, u16, i16 and also i32, u32, in either byte order,
//! C or Fortran order, format versions 1 to 3.
//!
//! Source: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays" (Kern, 2007). The
//! header is a Python dictionary; only the subset that NumPy writes is read.

use std::path::Path;

use super::first_bytes_say;
use super::image::{HeightImage, sample_count};
use super::samples::Samples;
use crate::Error;

pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<HeightImage, Error> {
    let (header, data_start) = split_header(path, bytes)?;
    let header = Header::parse(path, header)?;
    let [rows, columns] = header.shape;
    let count = sample_count(path, columns as u64, rows as u64)?;
    let data = &bytes[data_start..];
    if count.checked_mul(header.element.bytes()) != Some(data.len()) {
        return Err(Error::malformed(
            path,
            format!("byte {}", bytes.len()),
            format!(
                "{rows} x {columns} elements of {} bytes from byte {data_start}",
                header.element.bytes()
            ),
            format!("the end of the file after {} bytes of them", data.len()),
        ));
    }
    let samples = header.samples(data);
    let order = if header.is_fortran {
        ", Fortran order"
    } else {
        ""
    };
    Ok(HeightImage::new(path, [columns, rows], samples, None)?
        .with_encoding(format!("NumPy array, {}{order}", header.descr)))
}

/// The header's text and where the data starts.
fn split_header<'a>(path: &Path, bytes: &'a [u8]) -> Result<(&'a str, usize), Error> {
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(Error::malformed(
            path,
            "byte 0",
            "a NumPy array, as the file's ending says",
            first_bytes_say(bytes),
        ));
    }
    let cut = || {
        let found = format!("the end of the file after {} bytes", bytes.len());
        Error::malformed(
            path,
            format!("byte {}", bytes.len()),
            "the header's end",
            found,
        )
    };
    let (start, length) = match bytes.get(6).copied().ok_or_else(cut)? {
        1 => {
            let length = bytes
                .get(8..10)
                .and_then(|b| b.first_chunk())
                .ok_or_else(cut)?;
            (10, u32::from(u16::from_le_bytes(*length)))
        }
        2 | 3 => {
            let length = bytes
                .get(8..12)
                .and_then(|b| b.first_chunk())
                .ok_or_else(cut)?;
            (12, u32::from_le_bytes(*length))
        }
        version => {
            let what = format!("version {version} of the format (1 to 3 are known), and this");
            return Err(Error::unsupported(path, "byte 6", what));
        }
    };
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| length.checked_add(start))
        .ok_or_else(cut)?;
    let header = bytes.get(start..end).ok_or_else(cut)?;
    let text = std::str::from_utf8(header)
        .map_err(|source| Error::undecodable(path, "header", "text", source))?;
    Ok((text, end))
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Element {
    U8,
    U16,
    I16,
    U32,
    I32,
    F32,
    F64,
}

impl Element {
    fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

struct Header {
    descr: String,
    element: Element,
    is_big_endian: bool,
    is_fortran: bool,
    /// Rows and columns.
    shape: [usize; 2],
}

impl Header {
    fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let value = |key: &'static str| {
            value_of(text, key)
                .ok_or_else(|| Error::missing(path, "header", format!("the key '{key}'")))
        };
        let descr = value("descr")?;
        let descr = unquoted(descr).ok_or_else(|| {
            // A structured array has a list of fields here.
            let what = "an array whose elements have fields";
            Error::unsupported(path, "header, key 'descr'", what)
        })?;
        let (is_big_endian, kind) = match descr.split_at_checked(1) {
            Some((">", kind)) => (true, kind),
            Some(("<" | "|" | "=", kind)) => (false, kind),
            _ => (false, descr),
        };
        let element = match kind {
            "u1" => Element::U8,
            "u2" => Element::U16,
            "i2" => Element::I16,
            "u4" => Element::U32,
            "i4" => Element::I32,
            "f4" => Element::F32,
            "f8" => Element::F64,
            _ => {
                let what = format!(
                    "the element type '{descr}' (known are f4, f8, u1, u2, i2, u4 and i4), and this"
                );
                return Err(Error::unsupported(path, "header, key 'descr'", what));
            }
        };
        let is_fortran = match value("fortran_order")? {
            "True" => true,
            "False" => false,
            found => {
                let location = "header, key 'fortran_order'";
                return Err(Error::malformed(path, location, "True or False", found));
            }
        };
        Ok(Self {
            descr: descr.to_owned(),
            element,
            is_big_endian,
            is_fortran,
            shape: parse_shape(path, value("shape")?)?,
        })
    }

    fn samples(&self, data: &[u8]) -> Samples {
        macro_rules! elements {
            ($type:ty) => {
                self.in_row_order(
                    data,
                    if self.is_big_endian {
                        <$type>::from_be_bytes
                    } else {
                        <$type>::from_le_bytes
                    },
                )
            };
        }
        match self.element {
            Element::U8 => Samples::U8 {
                codes: elements!(u8),
                bits: 8,
            },
            Element::U16 => Samples::U16(elements!(u16)),
            Element::I16 => Samples::I16(elements!(i16)),
            Element::U32 => Samples::U32(elements!(u32)),
            Element::I32 => Samples::I32(elements!(i32)),
            Element::F32 => Samples::F32(elements!(f32)),
            Element::F64 => Samples::F64(elements!(f64)),
        }
    }

    /// The elements row after row. The data's length has been checked against the shape.
    fn in_row_order<T, const N: usize>(&self, data: &[u8], value: fn([u8; N]) -> T) -> Vec<T> {
        let elements = data.as_chunks::<N>().0;
        if !self.is_fortran {
            return elements.iter().map(|&bytes| value(bytes)).collect();
        }
        let [rows, columns] = self.shape;
        let mut out = Vec::with_capacity(elements.len());
        for row in 0..rows {
            for column in 0..columns {
                out.push(value(elements[column * rows + row]));
            }
        }
        out
    }
}

/// The text of a key's value in the header's dictionary, up to the comma or brace that ends it.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let after_key = ['\'', '"'].into_iter().find_map(|quote| {
        let quoted = format!("{quote}{key}{quote}");
        text.find(&quoted).map(|at| &text[at + quoted.len()..])
    })?;
    let value = after_key.trim_start().strip_prefix(':')?.trim_start();
    let end = match value.chars().next()? {
        '(' => value.find(')')? + 1,
        '[' => value.rfind(']')? + 1,
        _ => value.find([',', '}'])?,
    };
    Some(value[..end].trim_end())
}

fn unquoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

/// The rows and columns of `(rows, columns)`.
fn parse_shape(path: &Path, text: &str) -> Result<[usize; 2], Error> {
    let wrong = || {
        let expected = "two dimensions, (rows, columns)";
        Error::malformed(path, "header, key 'shape'", expected, text)
    };
    let inner = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .ok_or_else(wrong)?;
    let mut dimensions = inner
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        // Python 2 wrote long integers with an L.
        .map(|part| part.trim_end_matches('L').parse().ok());
    match (dimensions.next(), dimensions.next(), dimensions.next()) {
        (Some(Some(rows)), Some(Some(columns)), None) => Ok([rows, columns]),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        let length = u32::try_from(header.len()).unwrap().to_le_bytes();
        bytes.extend(&length[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn check(version: u8, header: &str, data: &[u8]) -> Result<Samples, String> {
        read("a.npy".as_ref(), &npy(version, header, data))
            .map(|image| image.samples().clone())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn both_orders_of_bytes_and_of_rows() {
        let c = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }\n";
        let f = "{'shape':(2L,3L),\"fortran_order\":True,\"descr\":\">u2\"}";
        let data = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0];
        assert_eq!(check(1, c, &data), Ok(Samples::U16(vec![1, 2, 3, 4, 5, 6])));
        assert_eq!(
            check(2, f, &data),
            Ok(Samples::U16([1, 3, 5, 2, 4, 6].map(|v| v << 8).to_vec()))
        );
    }

    #[test]
    fn faults_say_what_was_expected() {
        for (version, header, data, part) in [
            (
                1,
                "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2)}",
                8,
                "'<f2'",
            ),
            (
                1,
                "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2)}",
                8,
                "fields",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (4,)}",
                8,
                "two dimensions",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2, 2)}",
                16,
                "two dimensions",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (2, -2)}",
                8,
                "two dimensions",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': Maybe, 'shape': (2, 2)}",
                8,
                "True or False",
            ),
            (1, "{'descr': '<u2', 'shape': (2, 2)}", 8, "fortran_order"),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2)}",
                7,
                "2 x 2 elements",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2)}",
                9,
                "2 x 2 elements",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (1, 4)}",
                8,
                "at least 2 x 2",
            ),
            (
                1,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
                8,
                "at most",
            ),
            (
                4,
                "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2)}",
                8,
                "version 4",
            ),
        ] {
            let message = check(version, header, &vec![0; data]).unwrap_err();
            assert!(message.contains(part), "{message} lacks {part}");
        }
    }
}
