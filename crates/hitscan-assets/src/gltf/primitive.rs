//! One primitive of a mesh: its positions, triangles and morph targets.

use glam::Vec3;

use super::Source;
use super::accessors::Accessors;
use super::document::{Attributes, Primitive};
use super::layout::Shape;
use super::nodes::target_count;
use crate::Error;
use crate::model_file::MAX_COORDINATE;

/// The value of an absent `mode`.
pub(super) const TRIANGLES: u32 = 4;

/// Which primitive is read, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location {
    pub(super) mesh_index: usize,
    pub(super) index: usize,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "meshes[{}].primitives[{}]", self.mesh_index, self.index)
    }
}

/// Reads one primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    pub(super) accessors: Accessors<'a>,
    pub(super) primitive: &'a Primitive,
    pub(super) location: Location,
}

impl Reader<'_> {
    /// Refuses a primitive whose only content is compressed by Draco; what is beside the
    /// compressed form for those who lack it is read.
    pub(super) fn require_uncompressed(&self, positions: usize) -> Result<(), Error> {
        let accessors = [Some(positions), self.primitive.indices];
        let mut accessors = accessors.into_iter().flatten();
        if self.primitive.extensions.draco.is_none()
            || accessors.all(|accessor| self.accessors.has_content(accessor))
        {
            return Ok(());
        }
        let what = "the extension KHR_draco_mesh_compression";
        Err(Error::unsupported(
            self.source.path,
            self.location.to_string(),
            what,
        ))
    }

    /// An accessor's elements as positions or displacements.
    pub(super) fn vectors(&self, accessor: usize) -> Result<Vec<Vec3>, Error> {
        let values = self.accessors.floats(accessor, Shape::Vec3)?;
        if let Some(at) = values.iter().position(|v| v.abs() > MAX_COORDINATE) {
            let location = self.accessors.element(accessor, at / 3);
            let expected = format!("a coordinate within ±{MAX_COORDINATE:e}");
            return Err(self
                .source
                .malformed(location, expected, values[at].to_string()));
        }
        let (vectors, _) = values.as_chunks::<3>();
        Ok(vectors.iter().copied().map(Vec3::from_array).collect())
    }

    /// The triangles between corners of so many positions, strips and fans unrolled.
    pub(super) fn triangles(&self, mode: u32, vertices: usize) -> Result<Vec<[u32; 3]>, Error> {
        let corners = match self.primitive.indices {
            Some(accessor) => self.indices(accessor, vertices)?,
            None => {
                let location = || format!("{}.attributes.POSITION", self.location);
                self.accessors
                    .charge(vertices.saturating_mul(4), location)?;
                let end = u32::try_from(vertices).map_err(|_| {
                    let expected = "at most 4294967295 positions";
                    self.source
                        .malformed(location(), expected, vertices.to_string())
                })?;
                (0..end).collect()
            }
        };
        // At most one triangle starts at each corner.
        let bytes = corners.len().saturating_mul(size_of::<[u32; 3]>());
        self.accessors.charge(bytes, || self.location.to_string())?;
        unroll(mode, &corners).ok_or_else(|| {
            let location = format!("{}.mode", self.location);
            self.source.malformed(location, "0 to 6", mode.to_string())
        })
    }

    fn indices(&self, accessor: usize, vertices: usize) -> Result<Vec<u32>, Error> {
        let indices = self.accessors.integers(accessor, Shape::Scalar)?;
        let is_outside = |&index: &u32| usize::try_from(index).is_ok_and(|i| i >= vertices);
        if let Some(at) = indices.iter().position(is_outside) {
            let location = self.accessors.element(accessor, at);
            let expected = format!("the index of one of {vertices} positions");
            return Err(self
                .source
                .malformed(location, expected, indices[at].to_string()));
        }
        Ok(indices)
    }

    /// The displacements of each morph target; a target without positions displaces nothing.
    pub(super) fn morph_targets(&self, vertices: usize) -> Result<Vec<Vec<Vec3>>, Error> {
        let mesh = &self.source.document.meshes[self.location.mesh_index];
        let count = target_count(mesh);
        let targets = &self.primitive.targets;
        if targets.len() != count {
            let location = format!("{}.targets", self.location);
            let expected = format!("{count} morph targets, as its mesh's first primitive has");
            return Err(self
                .source
                .malformed(location, expected, targets.len().to_string()));
        }
        let read = |(at, target): (usize, &Attributes)| {
            let location = || format!("{}.targets[{at}]", self.location);
            let Some(&accessor) = target.get("POSITION") else {
                let bytes = vertices.saturating_mul(size_of::<Vec3>());
                self.accessors.charge(bytes, location)?;
                return Ok(vec![Vec3::ZERO; vertices]);
            };
            self.require_count(accessor, vertices, location)?;
            self.vectors(accessor)
        };
        targets.iter().enumerate().map(read).collect()
    }

    /// Checks that `accessor` has an element for each position.
    pub(super) fn require_count(
        &self,
        accessor: usize,
        vertices: usize,
        location: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let found = self.accessors.count(accessor);
        if found == vertices {
            return Ok(());
        }
        let expected = format!("one element for each of {vertices} positions");
        Err(self
            .source
            .malformed(location(), expected, found.to_string()))
    }
}

/// The triangles between corners, as glTF 2.0, 3.7.2.1 orders them, or `None` for another mode.
fn unroll(mode: u32, corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    match mode {
        TRIANGLES => {
            let (triangles, _) = corners.as_chunks::<3>();
            Some(triangles.to_vec())
        }
        5 => {
            let strip = corners.windows(3).enumerate();
            let triangle = |(at, corners): (usize, &[u32])| match at % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[0], corners[2], corners[1]],
            };
            Some(strip.map(triangle).collect())
        }
        6 => {
            let (&hub, rim) = corners.split_first()?;
            Some(rim.windows(2).map(|edge| [edge[0], edge[1], hub]).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_are_unrolled_in_the_specified_corner_order() {
        // A strip 0-1-2-3-4 and a fan around 0:
        //
        //     1---3         2---3
        //    / \ / \       / \ / \
        //   0---2---4     1---0---4
        let corners = [0, 1, 2, 3, 4];
        let cases: [(u32, &[[u32; 3]]); 3] = [
            (4, &[[0, 1, 2]]),
            (5, &[[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
            (6, &[[1, 2, 0], [2, 3, 0], [3, 4, 0]]),
        ];
        for (mode, triangles) in cases {
            assert_eq!(unroll(mode, &corners).as_deref(), Some(triangles), "{mode}");
            assert_eq!(
                unroll(mode, &corners[..2]).as_deref(),
                Some(&[][..]),
                "{mode}"
            );
        }
        assert_eq!(unroll(7, &corners), None);
    }
}
