//! PLY, text and binary of either byte order: one part of triangles, named after the file.
//!
//! The element `vertex` gives `x`, `y`, `z`; `face` gives polygons, which are cut into fans, and
//! `tristrips` strips. All other elements and properties are passed over. How single numbers are
//! read is in `ply/body.rs`, the header in `ply/header.rs`.
//!
//! Source: Greg Turk, "The PLY Polygon File Format", Stanford University, 1994.

mod header;
mod body;
#[cfg(test)]
mod tests;

use std::path::Path;

use glam::Vec3;

use crate::Error;
use crate::model_file::{ModelFormat, Solid, coordinate};
use body::Body;
use header::{Element, Encoding, Header, Kind};

/// Reads the PLY file at `path`, whose content is `bytes`.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<(Solid, ModelFormat), Error> {
    let header = Header::parse(path, bytes)?;
    let mut body = Body::new(path, bytes, &header);
    let mut mesh = Mesh {
        path,
        solid: Solid::new(path),
        positions: Vec::new(),
        faces: Vec::new(),
    };
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => mesh.read_vertices(&mut body, element)?,
            "face" => mesh.read_lists(&mut body, element, List::Polygon)?,
            "tristrips" => mesh.read_lists(&mut body, element, List::Strip)?,
            _ => body.skip(element)?,
        }
    }
    let format = match header.encoding {
        Encoding::Text => ModelFormat::PlyAscii,
        Encoding::LittleEndian | Encoding::BigEndian => ModelFormat::PlyBinary,
    };
    Ok((mesh.finish()?, format))
}

/// How the indices of a list make triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    /// A fan around the first.
    Polygon,
    /// A strip; -1 starts another.
    Strip,
}

#[derive(Debug)]
struct Mesh<'a> {
    path: &'a Path,
    solid: Solid,
    positions: Vec<Vec3>,
    /// Triangles with the faces they come from: vertices may follow faces.
    faces: Vec<(usize, [i64; 3])>,
}

impl Mesh<'_> {
    fn read_vertices(&mut self, body: &mut Body<'_>, element: &Element) -> Result<(), Error> {
        let axis_of = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
        let axes: Vec<Option<usize>> = element
            .properties
            .iter()
            .map(|property| axis_of(&property.name))
            .collect();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if !axes.contains(&Some(axis)) {
                let what = format!("the property {name} of its vertices");
                return Err(Error::missing(self.path, "header", what));
            }
        }
        for index in 0..element.count {
            let mut position = [0.0; 3];
            for (property, axis) in element.properties.iter().zip(&axes) {
                match (axis, property.kind) {
                    (&Some(axis), Kind::Number(number)) => {
                        let value = body.coordinate(number)?;
                        let location = || format!("vertex {index}");
                        position[axis] = coordinate(self.path, value, location)?;
                    }
                    (_, kind) => body.skip_property(kind)?,
                }
            }
            self.positions.push(Vec3::from_array(position));
        }
        Ok(())
    }

    fn read_lists(
        &mut self,
        body: &mut Body<'_>,
        element: &Element,
        list: List,
    ) -> Result<(), Error> {
        let is_indices = |name: &str| name == "vertex_indices" || name == "vertex_index";
        let mut indices = Vec::new();
        for index in 0..element.count {
            for property in &element.properties {
                match property.kind {
                    Kind::List { count, item } if is_indices(&property.name) => {
                        body.indices(count, item, &mut indices)?;
                        self.add(index, &indices, list);
                    }
                    kind => body.skip_property(kind)?,
                }
            }
            if element.properties.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, index: usize, indices: &[i64], list: List) {
        match list {
            List::Polygon => {
                if indices.len() < 3 {
                    let location = || format!("face {index}");
                    self.solid
                        .notes
                        .add("has fewer than 3 corners and is left out", location);
                }
                if let Some((&hub, rim)) = indices.split_first() {
                    let fan = rim.windows(2).map(|edge| (index, [hub, edge[0], edge[1]]));
                    self.faces.extend(fan);
                }
            }
            List::Strip => {
                for strip in indices.split(|&index| index == -1) {
                    for (at, corners) in strip.windows(3).enumerate() {
                        let (second, third) = if at % 2 == 0 { (1, 2) } else { (2, 1) };
                        let triangle = [corners[0], corners[second], corners[third]];
                        self.faces.push((index, triangle));
                    }
                }
            }
        }
    }

    fn finish(mut self) -> Result<Solid, Error> {
        let count = self.positions.len();
        let mut triangles = Vec::with_capacity(self.faces.len());
        for (face, corners) in self.faces {
            let mut triangle = [0; 3];
            for (vertex, index) in triangle.iter_mut().zip(corners) {
                let known = u32::try_from(index).ok();
                let known = known.filter(|&i| usize::try_from(i).is_ok_and(|i| i < count));
                *vertex = known.ok_or_else(|| {
                    let expected = format!("the index of one of {count} vertices");
                    let location = format!("face {face}");
                    Error::malformed(self.path, location, expected, index.to_string())
                })?;
            }
            triangles.push(triangle);
        }
        if triangles.is_empty() {
            let location = || "faces".to_owned();
            self.solid
                .notes
                .add("there are none, so nothing can be hit", location);
        }
        self.solid.push(None, self.positions, triangles);
        Ok(self.solid)
    }
}
