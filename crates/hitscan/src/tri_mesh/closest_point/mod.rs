//! The closest point of a mesh, in its own space or placed in the world.
//!
//! The tree is searched nearest boxes first. Blocks of triangles are bounded in f32; those
//! triangles that may be the nearest wait until there are many of them or the search ends, and are
//! decided in f64 or exactly.

mod block_bounds;
mod inside;

pub(crate) use inside::{is_closed, is_inside};

use super::PlacedMesh;
use crate::bvh::{NearPlanes, NearPoint};
use crate::narrow_phase::closest_point::Search;
use crate::simd::dispatch;
use block_bounds::BlockBounds;
use fearless_simd::Simd;
use smallvec::SmallVec;

/// How many triangles wait at most.
const WAITING: usize = 32;

impl PlacedMesh<'_> {
    /// Offers the triangles that may be the nearest to the search.
    pub(crate) fn search_near(&self, search: &mut Search<'_>) {
        let bvh = &self.mesh.bvh;
        let (point, max_abs) = (search.point(), bvh.max_abs());
        let near = match self.transform {
            None => NearPoint::new(point.as_vec3(), max_abs),
            Some(transform) => NearPoint::placed(point, max_abs, &transform.world_from_mesh),
        };
        dispatch!(bvh.width(), simd => self.search_near_with(simd, &near, search));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn search_near_with<S: Simd>(&self, simd: S, near: &NearPoint, search: &mut Search<'_>) {
        let (bvh, planes) = (&self.mesh.bvh, NearPlanes::new(simd, near));
        let mut waiting = Waiting {
            placed: self,
            triangles: SmallVec::new(),
        };
        let mut limit = near.scaled(search.limit());
        bvh.near_leaves(simd, &planes, limit, |leaf| {
            let block = bvh.block(leaf);
            let bounds = BlockBounds::new(simd, &planes, block);
            // As far as the nearest triangle may be, and a step of f32 more: others may tie.
            limit = limit.min(bounds.high * TIE_STEP);
            let items = bvh.items(leaf);
            let mut used = block.used();
            while used != 0 {
                let lane = used.trailing_zeros() as usize % 8;
                used &= used - 1;
                if bounds.low[lane] <= limit {
                    waiting.triangles.push((bounds.low[lane], items[lane]));
                }
            }
            if waiting.triangles.len() > WAITING - 8 {
                waiting.thin_out(limit, search);
                limit = limit.min(near.scaled(search.limit()));
            }
            limit
        });
        waiting.offer(limit, search);
    }
}

/// The relative slack of a distance, so that all distances that round to the same f32 are within it.
const TIE_STEP: f32 = 1.0 + 4.0 * f32::EPSILON;

/// Triangles that may be the nearest, with bounds of their scaled distances from below.
struct Waiting<'a> {
    placed: &'a PlacedMesh<'a>,
    triangles: SmallVec<[(f32, u32); WAITING]>,
}

impl Waiting<'_> {
    /// Leaves out those that are farther than the limit; where most are left, they are offered.
    #[cold]
    #[inline(never)]
    fn thin_out(&mut self, limit: f32, search: &mut Search<'_>) {
        self.triangles.retain(|(low, _)| *low <= limit);
        if self.triangles.len() > WAITING / 2 {
            self.offer(limit, search);
        }
    }

    fn offer(&mut self, limit: f32, search: &mut Search<'_>) {
        for (low, triangle) in self.triangles.drain(..) {
            if low <= limit {
                search.offer(triangle, &self.placed.corners(triangle));
            }
        }
    }
}
