//! The closest point of a mesh, in its own space or placed in the world.
//!
//! The tree is searched nearest boxes first. Blocks of triangles are bounded in f32; those
//! triangles that may be the nearest wait until there are many of them or the search ends, and are
//! decided in f64 or exactly.

mod block_bounds;
mod inside;

pub(crate) use inside::{WindingSum, is_closed};

use super::{PlacedMesh, TriMesh};
use crate::bvh::{NearPlanes, NearPoint};
use crate::narrow_phase::closest_point::{
    ClosestPoint, PartInfo, Search, answer_points, checked_max_distance,
};
use crate::simd::dispatch;
use block_bounds::BlockBounds;
use fearless_simd::Simd;
use glam::Vec3;
use smallvec::SmallVec;

/// How many triangles wait at most.
const WAITING: usize = 32;

impl TriMesh {
    /// The point of the mesh that is nearest to `point`; of triangles of the same reported distance
    /// that of the lowest.
    ///
    /// `None` where nothing is within `max_distance` metres, itself included and compared exactly,
    /// or where that is negative or the point is not finite. Triangles without area are left out.
    ///
    /// ```
    /// use hitscan::{TriMesh, glam::Vec3};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [0.0, 0.0, 9.0].into(), [9.0, 0.0, 0.0].into()];
    /// let floor = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let nearest = floor.closest_point([2.0, 3.0, 3.0], 5.0).unwrap();
    /// assert_eq!((nearest.distance, nearest.point), (3.0, Vec3::new(2.0, 0.0, 3.0)));
    /// assert_eq!(nearest.normal, Vec3::Y);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Accuracy
    /// See [`ClosestPoint`].
    #[must_use]
    #[inline]
    pub fn closest_point(&self, point: impl Into<Vec3>, max_distance: f32) -> Option<ClosestPoint> {
        self.closest(point.into(), max_distance)
    }

    /// As [`TriMesh::closest_point`], the mesh counting as a solid if it is closed: strictly
    /// inside, where its winding number is not 0, the distance is negative, and `max_distance` does
    /// not matter.
    ///
    /// A mesh is closed where each edge is run through as often one way as the other; corners are
    /// one where their coordinates are equal, and triangles without area count. That is found out
    /// once, by the first call.
    #[must_use]
    #[inline]
    pub fn closest_point_signed(
        &self,
        point: impl Into<Vec3>,
        max_distance: f32,
    ) -> Option<ClosestPoint> {
        self.closest_signed(point.into(), max_distance)
    }

    /// [`TriMesh::closest_point`] of each point, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn closest_points(&self, points: &[Vec3], max_distance: f32) -> Vec<Option<ClosestPoint>> {
        answer_points(points, |point| self.closest(point, max_distance))
    }

    /// [`TriMesh::closest_point_signed`] of each point, in order; see [`TriMesh::closest_points`].
    #[must_use]
    pub fn closest_points_signed(
        &self,
        points: &[Vec3],
        max_distance: f32,
    ) -> Vec<Option<ClosestPoint>> {
        answer_points(points, |point| self.closest_signed(point, max_distance))
    }

    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let mut search = Search::new(
            point.as_dvec3(),
            checked_max_distance(point, max_distance)?,
            f64::INFINITY,
        );
        PlacedMesh::from(self).search_near(&mut search);
        let found = search.into_found()?;
        Some(found.answer(point.as_dvec3(), PartInfo::SURFACE))
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let wide = point.as_dvec3();
        let max_distance = checked_max_distance(point, max_distance)?;
        let is_inside = self.is_closed() && {
            let mut winding = WindingSum::new(wide);
            winding.add_mesh(&PlacedMesh::from(self));
            winding.is_inside()
        };
        let max_distance = if is_inside {
            f64::INFINITY
        } else {
            max_distance
        };
        let mut search = Search::new(wide, max_distance, f64::INFINITY);
        PlacedMesh::from(self).search_near(&mut search);
        let found = search.into_found()?;
        let part_info = PartInfo {
            is_inside,
            ..PartInfo::SURFACE
        };
        Some(found.answer(wide, part_info))
    }
}

impl PlacedMesh<'_> {
    /// Offers the triangles that may be the nearest to the search.
    pub(crate) fn search_near(&self, search: &mut Search) {
        let bvh = &self.mesh.bvh;
        let (point, max_abs) = (search.point(), bvh.max_abs());
        let near = match self.transform {
            None => NearPoint::new(point.as_vec3(), max_abs),
            Some(transform) => NearPoint::placed(point, max_abs, &transform.world_from_mesh),
        };
        dispatch!(bvh.width(), simd => self.search_near_with(simd, &near, search));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn search_near_with<S: Simd>(&self, simd: S, near: &NearPoint, search: &mut Search) {
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
    fn thin_out(&mut self, limit: f32, search: &mut Search) {
        self.triangles.retain(|(low, _)| *low <= limit);
        if self.triangles.len() > WAITING / 2 {
            self.offer(limit, search);
        }
    }

    fn offer(&mut self, limit: f32, search: &mut Search) {
        for (low, triangle) in self.triangles.drain(..) {
            if low <= limit {
                search.offer(triangle, &self.placed.corners(triangle));
            }
        }
    }
}
