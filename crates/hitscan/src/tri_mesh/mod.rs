//! A static triangle mesh and its queries.

mod block_corners;
mod triangle_block;
mod build;
mod ray;
mod lane_vector;
mod swept_block;
mod transformed_box;
mod placed_outline;
mod mesh_transform;
mod local_outline;
mod placed;
mod placed_tree;
mod placed_rays;
mod closest_point;
mod arc;
mod queries;
mod crossings;
mod mesh_hull;
mod builder;
mod baked;
#[cfg(test)]
mod internal_edge_tests;
#[cfg(test)]
mod best_first_visit_tests;

pub(crate) use block_corners::BlockCorners;
pub use builder::TriMeshBuilder;
pub(crate) use closest_point::{is_closed, is_inside};
pub(crate) use mesh_transform::MeshTransform;
pub(crate) use placed::PlacedMesh;
pub(crate) use placed_outline::{placed_outline, placed_pieces};
pub(crate) use ray::ray_stream::{FEW_RAYS, RayStream, StreamRays};
pub(crate) use ray::watch::TriangleWatch;
pub(crate) use ray::wavefront::MeshRay;
pub(crate) use ray::{LeafTriangle, Surface, number};
pub(crate) use transformed_box::{MARGIN, max_abs, placed_bounds, placed_box, widened_query};
pub(crate) use triangle_block::{Shear, TriangleBlock};

use crate::bvh::{BuildPreset, Bvh, LeafItems};
use crate::cancel::{Cancel, Cancelled, LOOK_AFTER};
use crate::shape::aabb::check_coordinates;
use crate::simd::Width;
use crate::storage::Array;
use crate::{Aabb, Error};
use block_corners::{ByWeldId, Corners, WeldKey};
use glam::{DVec3, Vec3};
use std::sync::{Arc, OnceLock};

/// A triangle mesh in its own space, with the tree that makes queries fast.
///
/// Two-sided: rays hit both sides unless the settings say otherwise. Corners are counter-clockwise
/// seen from the front. Triangles without area keep their number and are never hit.
///
/// ```
/// use hitscan::{Ray, TriMesh};
/// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
/// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
/// let hit = mesh.cast_ray(&Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?, ());
/// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone)]
pub struct TriMesh {
    positions: Array<Vec3>,
    triangles: Arc<Array<[u32; 3]>>,
    bvh: Bvh<TriangleBlock>,
    /// The vertices in each block's places, for a mesh whose vertices move each by itself.
    block_corners: Option<Arc<Array<BlockCorners>>>,
    /// Whether the triangles make a closed surface, once it was queried.
    closed: OnceLock<bool>,
    /// How far rays of a packet may start apart, once there was a batch.
    max_scatter: OnceLock<f32>,
}

impl TriMesh {
    /// A mesh of triangles whose corners index `positions`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for positions that are not finite or beyond
    /// ±1e18, [`Error::IndexOutOfBounds`] for a corner that is no position, [`Error::TooMany`] for
    /// more than 2^32 - 1 triangles.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, Error> {
        Self::with_preset(positions, triangles, BuildPreset::default())
    }

    /// As [`TriMesh::new`], with a choice between a quick build and quick queries.
    ///
    /// # Errors
    /// As [`TriMesh::new`].
    pub fn with_preset(
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        preset: BuildPreset,
    ) -> Result<Self, Error> {
        Self::builder(positions, triangles).preset(preset).build()
    }

    /// A build of a mesh of triangles whose corners index `positions`, metres, with options.
    #[must_use]
    pub fn builder(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> TriMeshBuilder<'static> {
        TriMeshBuilder::new(positions, triangles)
    }

    /// A mesh whose vertices may be moved each by itself: vertices share a corner of a block only if
    /// they have the same number in `weld_ids`, so that they are together wherever they are moved.
    ///
    /// # Errors
    /// As [`TriMesh::new`].
    pub(crate) fn deformable(
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        weld_ids: &[u32],
    ) -> Result<Self, Error> {
        check_mesh(&positions, &triangles, Cancel::NEVER)?;
        let (weld_key, how) = (ByWeldId(weld_ids), (BuildPreset::default(), Cancel::NEVER));
        let bvh = build(&positions, &triangles, how, &weld_key)?;
        let leaves = bvh.leaves().iter();
        let corners = leaves.map(|items| corners_of(items, &triangles, &weld_key).vertices);
        let block_corners: Vec<BlockCorners> = corners.collect();
        let block_corners = Some(Arc::new(block_corners.into()));
        Ok(Self {
            positions: positions.into(),
            triangles: Arc::new(triangles.into()),
            bvh,
            block_corners,
            closed: OnceLock::new(),
            max_scatter: OnceLock::new(),
        })
    }

    /// The same triangles with their corners elsewhere, the tree refitted.
    ///
    /// `positions` must be as many as before, finite and in range. Where the mesh was not made to be
    /// deformed, positions that were equal must be equal still.
    pub(crate) fn moved(&self, positions: Vec<Vec3>) -> Self {
        let mut bvh = self.bvh.clone();
        bvh.refit(|leaf, items, block| {
            match &self.block_corners {
                Some(corners) => {
                    let corners = &corners[leaf];
                    block.place_corners(|place| positions[corners[place] as usize]);
                }
                None => block.move_triangles(|triangle| {
                    let corners = self.triangles[items[triangle] as usize];
                    corners.map(|corner| positions[corner as usize])
                }),
            }
            block.bounds()
        });
        bvh.find_flat_boxes();
        Self {
            positions: positions.into(),
            triangles: Arc::clone(&self.triangles),
            bvh,
            block_corners: self.block_corners.clone(),
            closed: OnceLock::new(),
            max_scatter: OnceLock::new(),
        }
    }

    /// The same mesh, queried with these vector instructions. Answers do not depend on them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(mut self, width: Width) -> Self {
        self.bvh.set_width(width);
        self
    }

    /// The corner positions.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The corners of each triangle, as indices into the positions.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The box around all triangles, or `None` without triangles.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.bvh.bounds()
    }

    /// The bytes that the mesh and its tree take.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of_val(&*self.positions)
            + size_of_val(&**self.triangles)
            + self.bvh.memory_bytes()
            + self.block_corners().map_or(0, size_of_val)
    }

    /// The bytes that it does not share with the mesh that it was [moved](Self::moved) from.
    pub(crate) fn moved_bytes(&self) -> usize {
        size_of_val(&*self.positions) + self.bvh.memory_bytes()
    }

    /// The vertices in the places of each block, for a mesh that is made to be deformed.
    pub(crate) fn block_corners(&self) -> Option<&[BlockCorners]> {
        self.block_corners.as_deref().map(|corners| &**corners)
    }

    /// The corners of a triangle in f64.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        let position = |corner: u32| self.positions[corner as usize].as_dvec3();
        [position(a), position(b), position(c)]
    }

    pub(crate) fn bvh(&self) -> &Bvh<TriangleBlock> {
        &self.bvh
    }
}

fn triangle_bounds(positions: &[Vec3], corners: [u32; 3]) -> Aabb {
    let [a, b, c] = corners.map(|corner| positions[corner as usize]);
    Aabb::from_ordered(a.min(b).min(c), a.max(b).max(c))
}

fn check_mesh(positions: &[Vec3], triangles: &[[u32; 3]], cancel: Cancel<'_>) -> Result<(), Error> {
    cancel.check()?;
    check_coordinates("mesh position", positions)?;
    let limit = u32::MAX as usize;
    if triangles.len() > limit {
        return Err(Error::TooMany {
            what: "triangles",
            found: triangles.len(),
            limit,
        });
    }
    let count = positions.len();
    let corners = triangles.as_flattened();
    for (first, some) in (0..).step_by(LOOK_AFTER).zip(corners.chunks(LOOK_AFTER)) {
        cancel.check()?;
        if let Some(place) = some.iter().position(|&corner| corner as usize >= count) {
            return Err(Error::IndexOutOfBounds {
                what: "triangle corner",
                place: first + place,
                index: some[place] as usize,
                count,
            });
        }
    }
    Ok(())
}

/// The tree over triangles. Vertices that are alike share a place of a block.
fn build(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    (preset, cancel): (BuildPreset, Cancel<'_>),
    weld_key: &(impl WeldKey + Sync),
) -> Result<Bvh<TriangleBlock>, Cancelled> {
    let width = Width::default();
    let mut bvh = if preset == BuildPreset::Fast {
        let all = build::leaf_packing::blocks(positions, triangles, weld_key, (width, cancel))?;
        Bvh::over_leaves(&all.bounds, all.leaves, all.blocks, preset, cancel)?
    } else {
        let mut bounds = Vec::with_capacity(triangles.len());
        for some in triangles.chunks(LOOK_AFTER) {
            cancel.check()?;
            let some = some.iter();
            bounds.extend(some.map(|corners| triangle_bounds(positions, *corners)));
        }
        Bvh::build_in_blocks(
            &bounds,
            preset,
            |items| Corners::of(items, triangles, weld_key, width),
            |corners| TriangleBlock::new(corners, positions),
            cancel,
        )?
    };
    cancel.check()?;
    bvh.find_flat_boxes();
    Ok(bvh)
}

/// The corners of a leaf's triangles.
fn corners_of(items: &LeafItems, triangles: &[[u32; 3]], weld_key: &impl WeldKey) -> Corners {
    Corners::of(items, triangles, weld_key, Width::default())
        .expect("a leaf is made only of triangles that fit a block")
}
