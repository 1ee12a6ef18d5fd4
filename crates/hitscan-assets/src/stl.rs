//! STL, binary and text: one part of triangles, named after the file.
//!
//! Corners at the same position become one vertex; the order of triangles and corners stays. Normals
//! are passed over: the winding has the same information. Many binary files begin with `solid` as text files
//! do, so a file whose length is exactly that of its triangle count is binary, whatever it begins
//! with.
//!
//! Source: 3D Systems, "StereoLithography Interface Specification", 1989.

use std::collections::HashMap;
use std::path::Path;

use glam::Vec3;

use crate::Error;
use crate::model_file::{ModelFormat, Solid, coordinate};

const HEADER_LENGTH: usize = 80;
const FACET_LENGTH: usize = 50;
const NORMAL_LENGTH: usize = 12;

/// Reads the STL file at `path`, whose content is `bytes`.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<(Solid, ModelFormat), Error> {
    let mut solid = Solid::new(path);
    let mut surface = Surface::default();
    let format = if is_text(bytes) {
        read_text(path, bytes, &mut surface)?;
        ModelFormat::StlAscii
    } else {
        let rest = read_binary(path, bytes, &mut surface)?;
        if rest > 0 {
            let first = bytes.len() - rest;
            solid
                .notes
                .add("and what follows is not part of a triangle", || {
                    format!("byte {first}")
                });
        }
        ModelFormat::StlBinary
    };
    solid.push(None, surface.positions, surface.triangles);
    Ok((solid, format))
}

/// How many triangles the header of a binary file states.
fn stated_count(bytes: &[u8]) -> Option<usize> {
    let field = bytes.get(HEADER_LENGTH..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*field)).ok()
}

fn is_text(bytes: &[u8]) -> bool {
    let exact = stated_count(bytes)
        .and_then(|count| count.checked_mul(FACET_LENGTH))
        .and_then(|length| length.checked_add(HEADER_LENGTH + 4));
    if exact == Some(bytes.len()) {
        return false;
    }
    let contains = |word: &[u8]| {
        let start = &bytes[..bytes.len().min(1024)];
        start
            .windows(word.len())
            .any(|found| found.eq_ignore_ascii_case(word))
    };
    let start = bytes.trim_ascii_start();
    let begins = start.len() >= 5 && start[..5].eq_ignore_ascii_case(b"solid");
    begins && (contains(b"facet") || contains(b"endsolid"))
}

/// Triangles with their corners merged.
#[derive(Debug, Default)]
struct Surface {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    known: HashMap<[u32; 3], u32>,
}

impl Surface {
    /// The index of the vertex at `position`; zeros of either sign are the same position.
    fn vertex(&mut self, path: &Path, position: [f32; 3]) -> Result<u32, Error> {
        let key = position.map(|value| (value + 0.0).to_bits());
        if let Some(&index) = self.known.get(&key) {
            return Ok(index);
        }
        let index = u32::try_from(self.positions.len()).map_err(|_| {
            let expected = "at most 4294967295 corners";
            Error::malformed(path, "triangles", expected, "more")
        })?;
        self.known.insert(key, index);
        self.positions.push(Vec3::from_array(position));
        Ok(index)
    }
}

/// Reads a binary file; answers how many bytes follow its triangles.
fn read_binary(path: &Path, bytes: &[u8], surface: &mut Surface) -> Result<usize, Error> {
    let Some(count) = stated_count(bytes) else {
        let found = format!("{} bytes", bytes.len());
        let expected = "a header of 84 bytes, or text that begins with `solid`";
        return Err(Error::malformed(path, "byte 0", expected, found));
    };
    let body = &bytes[HEADER_LENGTH + 4..];
    let (facets, _) = body.as_chunks::<FACET_LENGTH>();
    if facets.len() < count {
        let expected = format!(
            "at most the {} triangles that the file has room for",
            facets.len()
        );
        let location = format!("byte {HEADER_LENGTH}");
        return Err(Error::malformed(
            path,
            location,
            expected,
            count.to_string(),
        ));
    }
    for (index, facet) in facets[..count].iter().enumerate() {
        let (values, _) = facet[NORMAL_LENGTH..].as_chunks::<4>();
        let (corners, _) = values.as_chunks::<3>();
        let mut triangle = [0; 3];
        for (vertex, corner) in triangle.iter_mut().zip(corners) {
            let position = corner.map(f32::from_le_bytes);
            for value in position {
                coordinate(path, value, || format!("triangle {index}"))?;
            }
            *vertex = surface.vertex(path, position)?;
        }
        surface.triangles.push(triangle);
    }
    Ok(body.len() - count * FACET_LENGTH)
}

/// Reads a text file, which may hold several solids: they become one.
fn read_text(path: &Path, bytes: &[u8], surface: &mut Surface) -> Result<(), Error> {
    let mut corners: Vec<u32> = Vec::new();
    let mut is_in_loop = false;
    let mut last_line = 0;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        last_line = index + 1;
        let location = || format!("line {last_line}");
        let refused = |expected: &str, found: &str| {
            Err(Error::malformed(
                path,
                location(),
                expected,
                format!("`{found}`"),
            ))
        };
        let line = String::from_utf8_lossy(line.trim_ascii());
        let mut words = line.split_whitespace();
        let Some(keyword) = words.next() else {
            continue;
        };
        match (keyword.to_ascii_lowercase().as_str(), is_in_loop) {
            ("solid" | "facet" | "endfacet" | "endsolid", false) => {}
            ("outer", false) => is_in_loop = true,
            ("vertex", true) => {
                let mut position = [0.0; 3];
                for value in &mut position {
                    let word = words.next().unwrap_or_default();
                    let Ok(number) = word.parse::<f32>() else {
                        return refused("`vertex` and three numbers", word);
                    };
                    *value = coordinate(path, number, location)?;
                }
                corners.push(surface.vertex(path, position)?);
            }
            ("endloop", true) => {
                let &[a, b, c] = corners.as_slice() else {
                    return refused("three vertices in a loop", &corners.len().to_string());
                };
                surface.triangles.push([a, b, c]);
                corners.clear();
                is_in_loop = false;
            }
            (_, true) => return refused("`vertex` or `endloop`", keyword),
            (_, false) => return refused("a statement of an STL file", keyword),
        }
    }
    if is_in_loop {
        let location = format!("line {last_line}");
        return Err(Error::malformed(
            path,
            location,
            "`endloop`",
            "the end of the file",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid two facets\n\
        facet normal 0 0 nan\n outer loop\n  vertex 0 0 0\n  vertex 1e0 0 0\n  vertex 0 1 -0.0\n \
        endloop\nendfacet\nFACET NORMAL 0 0 1\n OUTER LOOP\n  VERTEX 0 1 0\n  VERTEX 1 0 0\n  \
        VERTEX 1 1 0\n ENDLOOP\nENDFACET\nendsolid two facets\n";

    fn binary(header: &[u8], facets: usize) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(HEADER_LENGTH, b' ');
        bytes.extend(u32::try_from(facets).unwrap().to_le_bytes());
        for facet in 0..facets {
            let x = if facet == 0 { 0.0 } else { 1.0 };
            let values = [0.0, 0.0, f32::NAN, x, x, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            bytes.extend([0xff; 2]);
        }
        bytes
    }

    fn read_bytes(bytes: &[u8]) -> Result<(ModelFormat, usize, Vec<[u32; 3]>), String> {
        let (solid, format) = read(Path::new("two.stl"), bytes).map_err(|e| e.to_string())?;
        let part = &solid.parts()[0];
        assert_eq!((solid.parts().len(), part.name.as_str()), (1, "two"));
        Ok((format, part.positions.len(), part.triangles.clone()))
    }

    #[test]
    fn both_kinds_are_read_and_equal_corners_merged() {
        let expected = vec![[0, 1, 2], [2, 1, 3]];
        let found = read_bytes(TEXT.as_bytes()).unwrap();
        assert_eq!(found, (ModelFormat::StlAscii, 4, expected));
        let expected = vec![[0, 1, 2], [3, 1, 2]];
        for header in [&b"binary"[..], b"solid facet", b""] {
            let found = read_bytes(&binary(header, 2)).unwrap();
            assert_eq!(found, (ModelFormat::StlBinary, 4, expected.clone()));
        }
        assert!(read_bytes(&binary(b"", 0)).unwrap().2.is_empty());
        assert!(read_bytes(b"solid\nendsolid\n").unwrap().2.is_empty());
    }

    #[test]
    fn counts_are_checked_against_the_length() {
        let mut longer = binary(b"", 2);
        longer.extend(b"trailer");
        assert_eq!(read_bytes(&longer).unwrap().2.len(), 2);
        let mut lying = binary(b"", 2);
        lying[83] = 0xff;
        let message = read_bytes(&lying).unwrap_err();
        let expected = "byte 80: expected at most the 2 triangles that the file has room for";
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn errors_name_the_place() {
        let cases = [
            (
                "vertex 1e0 0 0",
                "vertex 1e0 0",
                "line 5: expected `vertex` and three numbers",
            ),
            (
                "vertex 1e0 0 0",
                "vertex inf 0 0",
                "line 5: expected a coordinate within",
            ),
            (
                "  vertex 1e0 0 0\n",
                "",
                "line 6: expected three vertices in a loop, found `2`",
            ),
            (
                " ENDLOOP\n",
                "",
                "line 14: expected `vertex` or `endloop`, found `ENDFACET`",
            ),
            (
                "outer loop",
                "polygon",
                "line 3: expected a statement of an STL file",
            ),
            (
                " ENDLOOP\nENDFACET\nendsolid two facets\n",
                "",
                "expected `endloop`, found the end",
            ),
        ];
        for (from, to, expected) in cases {
            let message = read_bytes(TEXT.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        let mut infinite = binary(b"", 2);
        infinite[84 + 50 + 12..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        let message = read_bytes(&infinite).unwrap_err();
        assert!(
            message.contains("triangle 1: expected a coordinate"),
            "{message}"
        );
        assert!(read_bytes(b"solid").unwrap_err().contains("byte 0"));
    }
}
