//! Wavefront OBJ: vertices and polygons, a part for each `o` or `g` statement that has polygons.
//!
//! Materials, texture coordinates and normals are passed over and no other file is opened. A reader
//! of our own rather than the `tobj` crate's, which begins a new model at each material too, and
//! does not report at which line a file is wrong.
//!
//! Source: Wavefront Technologies, "Object Files", Advanced Visualizer manual, appendix B1, 1995.

use std::borrow::Cow;
use std::path::Path;

use glam::Vec3;

use crate::Error;
use crate::model_file::{ModelFormat, Solid, coordinate};

/// Statements that make curves and surfaces: leaving them out would be a silently different model.
const FREE_FORM: [&str; 5] = ["cstype", "curv", "curv2", "surf", "sp"];

/// Statements that do not affect where triangles are.
const PASSED_OVER: [&str; 20] = [
    "",
    "vt",
    "vn",
    "vp",
    "p",
    "l",
    "s",
    "mg",
    "mtllib",
    "usemtl",
    "maplib",
    "usemap",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "cstype",
    "end",
];

/// Reads the OBJ file at `path`, whose content is `bytes`.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<(Solid, ModelFormat), Error> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut reader = Reader {
        path,
        solid: Solid::new(path),
        vertices: Vec::new(),
        groups: vec![Group::default()],
        unknown: 0,
    };
    for (line, statement) in statements(bytes) {
        reader.statement(line, &statement)?;
    }
    Ok((reader.finish()?, ModelFormat::Obj))
}

/// The statements with the numbers of their first lines; a backslash joins a line to the next, and
/// `#` starts a comment.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = bytes.split(|&byte| byte == b'\n').enumerate();
    std::iter::from_fn(move || {
        let (index, first) = lines.next()?;
        let mut statement = String::from_utf8_lossy(first.trim_ascii_end());
        while statement.ends_with('\\') {
            let joined = statement.to_mut();
            joined.pop();
            joined.push(' ');
            let Some((_, next)) = lines.next() else {
                break;
            };
            joined.push_str(&String::from_utf8_lossy(next.trim_ascii_end()));
        }
        if let Some(comment) = statement.find('#') {
            statement.to_mut().truncate(comment);
        }
        Some((index + 1, statement))
    })
}

/// The polygons between two `o` or `g` statements.
#[derive(Debug, Default)]
struct Group {
    name: Option<String>,
    triangles: Vec<Triangle>,
}

/// Three indices into all the file's vertices, which may be further down.
#[derive(Debug, Clone, Copy)]
struct Triangle {
    corners: [usize; 3],
    line: usize,
}

#[derive(Debug)]
struct Reader<'a> {
    path: &'a Path,
    solid: Solid,
    vertices: Vec<Vec3>,
    groups: Vec<Group>,
    /// How many statements are none of the format.
    unknown: usize,
}

impl Reader<'_> {
    fn statement(&mut self, line: usize, statement: &str) -> Result<(), Error> {
        let statement = statement.trim();
        let (keyword, rest) = statement
            .split_once(char::is_whitespace)
            .unwrap_or((statement, ""));
        match keyword {
            "v" => self.vertex(line, rest),
            // `fo` is the face statement of the format's first version.
            "f" | "fo" => self.face(line, rest),
            "o" | "g" => {
                let name = rest.trim();
                self.groups.push(Group {
                    name: (!name.is_empty()).then(|| name.to_owned()),
                    triangles: Vec::new(),
                });
                Ok(())
            }
            _ if FREE_FORM.contains(&keyword) => Err(Error::unsupported(
                self.path,
                format!("line {line}"),
                format!("free-form geometry (`{keyword}`)"),
            )),
            _ if PASSED_OVER.contains(&keyword) => Ok(()),
            _ if statement.contains('\0') => {
                let found = "bytes that are none";
                Err(Error::malformed(
                    self.path,
                    format!("line {line}"),
                    "text",
                    found,
                ))
            }
            _ => {
                self.unknown += 1;
                let location = || format!("line {line}");
                self.solid
                    .notes
                    .add("is no statement of polygons and left out", location);
                Ok(())
            }
        }
    }

    fn vertex(&mut self, line: usize, rest: &str) -> Result<(), Error> {
        let location = || format!("line {line}");
        let mut fields = rest.split_whitespace();
        let mut position = [0.0; 3];
        for value in &mut position {
            let field = fields.next().unwrap_or_default();
            let number: f32 = field.parse().map_err(|_| {
                let expected = "`v` and three numbers";
                Error::malformed(self.path, location(), expected, format!("`{field}`"))
            })?;
            *value = coordinate(self.path, number, location)?;
        }
        self.vertices.push(Vec3::from_array(position));
        Ok(())
    }

    fn face(&mut self, line: usize, rest: &str) -> Result<(), Error> {
        let mut corners = rest
            .split_whitespace()
            .map(|field| self.corner(line, field));
        let (Some(first), Some(second)) = (corners.next(), corners.next()) else {
            self.solid
                .notes
                .add("has fewer than 3 corners and is left out", || {
                    format!("line {line}")
                });
            return Ok(());
        };
        let (first, mut last) = (first?, second?);
        let mut triangles = Vec::new();
        for corner in corners {
            let corner = corner?;
            triangles.push(Triangle {
                corners: [first, last, corner],
                line,
            });
            last = corner;
        }
        if triangles.is_empty() {
            self.solid
                .notes
                .add("has fewer than 3 corners and is left out", || {
                    format!("line {line}")
                });
        }
        if let Some(group) = self.groups.last_mut() {
            group.triangles.extend(triangles);
        }
        Ok(())
    }

    /// The vertex that a corner such as `7`, `7/1`, `7//2` or `-1/1/2` names: counted from 1, or
    /// backwards from the latest.
    fn corner(&self, line: usize, field: &str) -> Result<usize, Error> {
        let refused = |expected: &str| {
            let found = format!("`{field}`");
            Err(Error::malformed(
                self.path,
                format!("line {line}"),
                expected,
                found,
            ))
        };
        let Some(index) = field.split('/').next().and_then(|i| i.parse::<i64>().ok()) else {
            return refused("a corner such as `1`, `1/2`, `1//3` or `1/2/3`");
        };
        let from_start = usize::try_from(index).ok().and_then(|i| i.checked_sub(1));
        let from_end = usize::try_from(index.unsigned_abs()).ok();
        let from_end = from_end.and_then(|back| self.vertices.len().checked_sub(back));
        match if index > 0 { from_start } else { from_end } {
            Some(vertex) if index != 0 => Ok(vertex),
            _ => refused("a vertex, counted from 1 or backwards from -1"),
        }
    }

    /// Gives each group its own vertices, in the order in which its corners name them first.
    fn finish(self) -> Result<Solid, Error> {
        let mut solid = self.solid;
        // For each vertex, the last group that has it, and its index there.
        let mut known: Vec<(usize, u32)> = vec![(usize::MAX, 0); self.vertices.len()];
        for (group_index, group) in self.groups.into_iter().enumerate() {
            if group.triangles.is_empty() {
                continue;
            }
            let mut positions = Vec::new();
            let mut triangles = Vec::with_capacity(group.triangles.len());
            for Triangle { corners, line } in group.triangles {
                let mut triangle = [0; 3];
                for (local, vertex) in triangle.iter_mut().zip(corners) {
                    let Some((owner, index)) = known.get_mut(vertex) else {
                        let expected = format!("one of {} vertices", self.vertices.len());
                        let found = (vertex + 1).to_string();
                        let location = format!("line {line}");
                        return Err(Error::malformed(self.path, location, expected, found));
                    };
                    if *owner != group_index {
                        let next = u32::try_from(positions.len()).map_err(|_| {
                            let expected = "at most 4294967295 vertices in a part";
                            Error::malformed(self.path, format!("line {line}"), expected, "more")
                        })?;
                        (*owner, *index) = (group_index, next);
                        positions.push(self.vertices[vertex]);
                    }
                    *local = *index;
                }
                triangles.push(triangle);
            }
            solid.push(group.name, positions, triangles);
        }
        if self.vertices.is_empty() && self.unknown > 0 {
            let expected = "vertices and polygons (`v` and `f`)";
            return Err(Error::malformed(
                self.path,
                "the whole file",
                expected,
                "no vertex",
            ));
        }
        if known.iter().all(|&(owner, _)| owner == usize::MAX) {
            let location = || "polygons".to_owned();
            solid
                .notes
                .add("there are none, so nothing can be hit", location);
        }
        Ok(solid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part's name, number of vertices and triangles.
    type Found = (String, usize, Vec<[u32; 3]>);

    fn read_text(text: &str) -> Result<Vec<Found>, String> {
        let (solid, _) = read(Path::new("folder/shape.obj"), text.as_bytes())
            .map_err(|error| error.to_string())?;
        let parts = solid.parts().iter();
        Ok(parts
            .map(|part| {
                (
                    part.name.clone(),
                    part.positions.len(),
                    part.triangles.clone(),
                )
            })
            .collect())
    }

    const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    fn triangles(faces: &str) -> Vec<[u32; 3]> {
        let parts = read_text(&format!("{QUAD}{faces}")).unwrap();
        parts[0].2.clone()
    }

    #[test]
    fn corners_in_all_their_forms_are_fans() {
        let fan = [[0, 1, 2], [0, 2, 3]];
        for faces in [
            "f 1 2 3 4",
            "f 1/1 2/2 3/3 4/4",
            "f 1//1 2//2 3//3 4//4",
            "f 1/1/1 2/2/2 3/3/3 4/4/4\r\n",
            "f -4 -3 -2 -1",
            "f -4//-4 2/7/9 -2/1 4",
            "f 1 2 3\nf 1 3 4",
            "f 1 2 \\\n 3 4",
            "  f\t1 2 3 4 # a comment",
            "mtllib ../../secret.mtl\nusemtl red\nf 1 2 3\nusemtl blue\ns off\nf 1 3 4",
        ] {
            assert_eq!(triangles(faces), fan, "{faces}");
        }
    }

    #[test]
    fn parts_begin_at_objects_and_groups() {
        let text = format!(
            "{QUAD}f 1 2 3\no first\ng\nf 2 3 4\ng second half\nf 4 3 2\nf 4 2 1\no empty\n\
             g second half\nf 1 2 3\n"
        );
        let expected = [
            ("shape", 3, vec![[0, 1, 2]]),
            ("shape#1", 3, vec![[0, 1, 2]]),
            ("second half", 4, vec![[0, 1, 2], [0, 2, 3]]),
            ("second half#3", 3, vec![[0, 1, 2]]),
        ];
        let expected = expected.map(|(name, vertices, t)| (name.to_owned(), vertices, t));
        assert_eq!(read_text(&text).unwrap(), expected);
    }

    #[test]
    fn vertices_may_follow_faces_and_have_colours() {
        let text = "f 1 2 3\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\n";
        assert_eq!(read_text(text).unwrap()[0].2, [[0, 1, 2]]);
        let marked = format!(
            "\u{feff}{text}",
            text = text.trim_start_matches("f 1 2 3\n")
        );
        assert_eq!(
            read_text(&format!("{marked}f 1 2 3")).unwrap()[0].2,
            [[0, 1, 2]]
        );
        assert_eq!(read_text("# nothing\n").unwrap(), []);
        assert!(read_text("hello\n").is_err(), "text that is no OBJ");
    }

    #[test]
    fn errors_name_the_line() {
        let cases = [
            ("v 1 2", "line 1: expected `v` and three numbers, found ``"),
            (
                "v 1 2 x",
                "line 1: expected `v` and three numbers, found `x`",
            ),
            ("\nv 1 2 1e19", "line 2: expected a coordinate within ±1e18"),
            (
                "v 0 nan 0",
                "line 1: expected a coordinate within ±1e18, found NaN",
            ),
            (
                "v 0 0 0\nf 1 1 0",
                "line 2: expected a vertex, counted from 1",
            ),
            (
                "v 0 0 0\n\\\n\nf 1 1 -2",
                "line 4: expected a vertex, counted from 1",
            ),
            (
                "v 0 0 0\nf 1 1 2\n",
                "line 2: expected one of 1 vertices, found 2",
            ),
            ("f 1 a 2\n", "line 1: expected a corner such as"),
            ("v 0 0 0\n\u{1}\0\n", "line 2: expected text"),
        ];
        for (text, expected) in cases {
            let message = read_text(text).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
