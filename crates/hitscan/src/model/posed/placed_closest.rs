//! The closest points of placed parts, and whether they hold a point.

use super::placed_part::PlacedPart;
use super::placed_parts::PlacedParts;
use crate::model::part_tree::PartTree;
use crate::narrow_phase::closest_point::{ClosestPoint, PartInfo, PartSearch, Reach, box_distance};
use crate::tri_mesh::is_inside;
use glam::{DVec3, Vec3};

impl<'a> PlacedParts<'a> {
    /// The closest point up to `max_distance`; what is farther than the limit need not be found.
    pub(crate) fn closest(self, point: Vec3, reach: Reach<'_>) -> Option<ClosestPoint> {
        let search = self.closest_of_parts(point, reach, |_| false);
        search.into_answer(false)
    }

    /// As [`Self::closest`], with its sign: the parts count as a solid if they are closed together, and
    /// else each that is closed by itself.
    pub(crate) fn closest_signed(self, point: Vec3, reach: Reach<'_>) -> Option<ClosestPoint> {
        let is_in = |part: PlacedPart<'_>| {
            let bounds = part.culling_bounds();
            bounds.is_some_and(|bounds| bounds.contains(point))
        };
        if !self.all().any(is_in) {
            return self.closest(point, reach);
        }
        if self.are_closed() {
            let is_inside = self.hold(point.as_dvec3());
            let reach = match is_inside {
                true => Reach {
                    allowance: reach.allowance,
                    ..Reach::ANYWHERE
                },
                false => reach,
            };
            let search = self.closest_of_parts(point, reach, |_| false);
            return search.into_answer(is_inside);
        }
        self.closest_of_parts(point, reach, |part| part.holds(point.as_dvec3()))
            .into_answer(false)
    }

    /// Whether a point is strictly inside the parts, if they are closed together, and else inside one that
    /// is closed by itself.
    pub(crate) fn hold(self, point: DVec3) -> bool {
        match self.are_closed() {
            true => is_inside(point, self.all().map(|part| part.placed_mesh())),
            false => self.all().any(|part| part.holds(point)),
        }
    }

    /// The closest point of the surface to a point that it [holds](Self::hold).
    pub(crate) fn closest_from_inside(self, point: DVec3) -> Option<ClosestPoint> {
        let are_closed = self.are_closed();
        let mut search = PartSearch::new(point, Reach::ANYWHERE);
        for part in self.all() {
            let part_info = PartInfo {
                part: part.index,
                is_inside: !are_closed && part.holds(point),
                is_mirrored: part.is_mirrored(),
            };
            search.offer(part_info, |search| part.placed_mesh().search_near(search));
        }
        search.into_answer(are_closed)
    }

    fn closest_of_parts<'w>(
        self,
        point: Vec3,
        reach: Reach<'w>,
        is_inside: impl Fn(PlacedPart<'_>) -> bool,
    ) -> PartSearch<'w> {
        let mut search = PartSearch::new(point.as_dvec3(), reach);
        self.for_each_near(point, reach.limit.max(0.0), |part| {
            let part_info = PartInfo {
                part: part.index,
                is_inside: is_inside(part),
                is_mirrored: part.is_mirrored(),
            };
            search.offer(part_info, |search| part.placed_mesh().search_near(search));
            if search.is_over() {
                return f64::NEG_INFINITY;
            }
            // Parts in whose boxes the point is may still have it inside.
            search.limit().max(0.0)
        });
        search
    }

    /// Visits the parts whose boxes are no farther from a point than the limit that `visit` returned
    /// last, the nearest first where they are many.
    fn for_each_near(
        self,
        point: Vec3,
        mut limit: f64,
        mut visit: impl FnMut(PlacedPart<'a>) -> f64,
    ) {
        if let Some(PartTree { tree, parts }) = self.tree() {
            tree.near_items(point, limit, &mut |item| {
                if let Some(part) = self.part(parts[item as usize]) {
                    limit = visit(part);
                }
                limit
            });
            return;
        }
        for part in self.all() {
            let bounds = part.culling_bounds();
            if bounds.is_some_and(|bounds| box_distance(point.as_dvec3(), bounds) <= limit) {
                limit = visit(part);
            }
        }
    }
}
