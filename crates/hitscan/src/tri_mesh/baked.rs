//! A mesh as it is baked: its vertices, its triangles and its tree, each used where it lies.

use super::TriMesh;
use super::block_corners::BlockCorners;
use super::triangle_block::TriangleBlock;
use crate::Error;
use crate::baked::{Reader, Writer};
use crate::bvh::Bvh;
use crate::parallel::check_chunks;
use crate::shape::aabb::MAX_COORDINATE;
use crate::storage::Array;
use glam::Vec3;
use std::sync::{Arc, OnceLock};

impl TriMesh {
    /// Bakes the mesh and its tree; see [`baked`](crate::baked).
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.array(self.positions.bytes());
        writer.array(self.triangles.bytes());
        self.bvh.bake(writer);
        writer.bool(self.block_corners.is_some());
        if let Some(corners) = &self.block_corners {
            writer.array(corners.bytes());
        }
        // Computed here if it was not queried before, so that earlier queries change no byte.
        writer.bool(self.is_closed());
    }

    /// The mesh that was baked next. Its arrays are borrowed where they are kept and aligned.
    ///
    /// # Errors
    /// [`Error::Baked`] and [`Error::WrongLength`] for what no writer makes.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let positions: Array<Vec3> = reader.items("mesh positions")?;
        let triangles: Array<[u32; 3]> = reader.items("mesh triangles")?;
        check_positions(&positions)?;
        check_below("mesh triangles", &triangles, positions.len())?;
        if triangles.len() > u32::MAX as usize {
            return Err(reader.refused("mesh triangles", "at most 2^32 - 1"));
        }
        let bvh: Bvh<TriangleBlock> =
            Bvh::from_baked(reader, triangles.len(), TriangleBlock::is_sound)?;
        let block_corners = match reader.bool("vertices of blocks")? {
            false => None,
            true => {
                let corners: Array<BlockCorners> = reader.items("vertices of blocks")?;
                check_below("vertices of blocks", &corners, positions.len())?;
                let (expected, found) = (bvh.leaves().len(), corners.len());
                if expected != found {
                    let what = "vertices of blocks";
                    return Err(Error::WrongLength {
                        what,
                        expected,
                        found,
                    });
                }
                Some(Arc::new(corners))
            }
        };
        let closed = OnceLock::from(reader.bool("whether a mesh is closed")?);
        Ok(Self {
            positions,
            triangles: Arc::new(triangles),
            bvh,
            block_corners,
            closed,
            max_scatter: OnceLock::new(),
        })
    }
}

/// Whether all are within the limit, and none is NaN.
fn is_in_range(coordinates: &[f32]) -> bool {
    // Without a branch a coordinate, which lets the compiler make vector code of it.
    let outside = |count: u32, x: &f32| {
        let is_inside = x.abs() <= MAX_COORDINATE;
        count + u32::from(!is_inside)
    };
    coordinates.iter().fold(0, outside) == 0
}

fn check_positions(positions: &[Vec3]) -> Result<(), Error> {
    check_chunks(positions, |place, positions| {
        if is_in_range(bytemuck::cast_slice(positions)) {
            return Ok(());
        }
        Err(Error::Baked {
            what: "mesh positions",
            place,
            expected: "finite and within ±1e18 metres, with those that follow it",
        })
    })
}

/// Refuses indices of `count` and more.
fn check_below<const N: usize>(
    what: &'static str,
    indices: &[[u32; N]],
    count: usize,
) -> Result<(), Error> {
    check_chunks(indices, |place, indices| {
        let max = indices.as_flattened().iter().copied().fold(0, u32::max);
        if (max as usize) < count {
            return Ok(());
        }
        Err(Error::Baked {
            what,
            place,
            expected: "numbers of vertices, with those that follow it",
        })
    })
}

impl TriangleBlock {
    /// Whether a block that was read is one of so many triangles.
    fn is_sound(&self, triangles: usize) -> bool {
        self.used() == u32::from(u8::MAX) >> (8 - triangles)
            && is_in_range(self.rows().as_flattened())
            && self.places().as_flattened().iter().all(|place| *place < 8)
    }
}
