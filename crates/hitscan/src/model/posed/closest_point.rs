//! The closest point of a posed model as a whole, in the model's space.

use super::part_transforms::PartTransform;
use super::{PosedModel, PosedPart};
use crate::Aabb;
use crate::model::Winding;
use crate::narrow_phase::closest_point::{
    Belonging, ClosestPoint, PartSearch, answer_points, box_distance, reach,
};
use crate::tri_mesh::{PlacedMesh, Shell, is_closed};
use glam::{DVec3, Vec3};

impl PosedModel {
    /// The point of the model that is nearest to `point`, which is in the model's space; of the
    /// same reported distance that of the lowest part and triangle.
    ///
    /// Corners of parts come into the model's space in f64, and the answer is exact on them. A part
    /// that the pose deforms is deformed as a whole by the first query that comes near. `None`
    /// where nothing is within `max_distance` metres, itself included and compared exactly, or
    /// where that is negative or the point is not finite. Triangles without area are left out.
    ///
    /// # Accuracy
    /// See [`ClosestPoint`].
    #[must_use]
    #[inline]
    pub fn closest_point(&self, point: impl Into<Vec3>, max_distance: f32) -> Option<ClosestPoint> {
        self.closest(point.into(), max_distance)
    }

    /// As [`PosedModel::closest_point`], the model counting as a solid if its triangles are closed,
    /// and else each part that is closed by itself: see
    /// [`TriMesh::closest_point_signed`](crate::TriMesh::closest_point_signed).
    ///
    /// That is found out once, and once a pose for parts that it deforms or moves against one
    /// another.
    #[must_use]
    #[inline]
    pub fn closest_point_signed(
        &self,
        point: impl Into<Vec3>,
        max_distance: f32,
    ) -> Option<ClosestPoint> {
        self.closest_signed(point.into(), max_distance)
    }

    /// [`PosedModel::closest_point`] of each point, in order; on the threads of rayon's current
    /// pool where the feature `parallel` is on.
    #[must_use]
    pub fn closest_points(&self, points: &[Vec3], max_distance: f32) -> Vec<Option<ClosestPoint>> {
        answer_points(points, |point| self.closest(point, max_distance))
    }

    /// [`PosedModel::closest_point_signed`] of each point, in order; see
    /// [`PosedModel::closest_points`].
    #[must_use]
    pub fn closest_points_signed(
        &self,
        points: &[Vec3],
        max_distance: f32,
    ) -> Vec<Option<ClosestPoint>> {
        answer_points(points, |point| self.closest_signed(point, max_distance))
    }

    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = reach(point, max_distance)?;
        self.closest_of_parts(point.as_dvec3(), max_distance, |_| false)
            .into_answer(false)
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = reach(point, max_distance)?;
        let wide = point.as_dvec3();
        let mut bounds = self.placed_parts().filter_map(|placed| placed.bounds());
        if !bounds.any(|bounds| bounds.contains(point)) {
            return self
                .closest_of_parts(wide, max_distance, |_| false)
                .into_answer(false);
        }
        if self.is_closed() {
            let mut shell = Shell::new(wide);
            self.placed_parts()
                .for_each(|placed| shell.add_mesh(&placed.mesh()));
            let is_inside = shell.is_inside();
            let max_distance = if is_inside {
                f64::INFINITY
            } else {
                max_distance
            };
            return self
                .closest_of_parts(wide, max_distance, |_| false)
                .into_answer(is_inside);
        }
        let is_inside = |placed: &PlacedPart<'_>| {
            placed.part.mesh().is_closed() && {
                let mut shell = Shell::new(wide);
                shell.add_mesh(&placed.mesh());
                shell.is_inside()
            }
        };
        self.closest_of_parts(wide, max_distance, is_inside)
            .into_answer(false)
    }

    fn closest_of_parts(
        &self,
        point: DVec3,
        max_distance: f64,
        is_inside: impl Fn(&PlacedPart<'_>) -> bool,
    ) -> PartSearch {
        let mut search = PartSearch::new(point, max_distance, max_distance);
        for placed in self.placed_parts() {
            let belonging = Belonging {
                part: placed.index,
                is_inside: is_inside(&placed),
                is_mirrored: placed.part.winding() == Winding::Mirrored,
            };
            let is_far = || {
                let bounds = placed.bounds();
                bounds.is_none_or(|bounds| box_distance(point, &bounds) > search.limit())
            };
            if belonging.is_inside || !is_far() {
                search.offer(belonging, |search| placed.mesh().search_near(search));
            }
        }
        search
    }

    /// Whether all triangles together are a closed surface, found out once.
    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.get_or_init(|| {
            let mut parts = self.placed_parts();
            // Closed parts are closed together.
            if parts.all(|placed| placed.part.mesh().is_closed()) {
                return true;
            }
            let meshes = self.placed_parts().map(|placed| placed.mesh());
            let all = meshes.flat_map(PlacedMesh::all_outward_corners);
            self.part_count() > 1 && is_closed(&all.collect::<Vec<_>>())
        })
    }

    /// Whether all parts share one transform, so that their corners coincide in one place if they
    /// do in another.
    pub(crate) fn has_one_transform(&self) -> bool {
        let mut transforms = self.parts().map(|part| part.model_from_part());
        let first = transforms.next();
        transforms.all(|transform| Some(transform) == first)
    }

    /// The parts that have triangles.
    fn placed_parts(&self) -> impl Iterator<Item = PlacedPart<'_>> {
        let parts = (0..).zip(self.parts().zip(self.part_transforms().all()));
        parts
            .filter(|(_, (part, _))| part.bounds().is_some())
            .map(|(index, (part, own))| PlacedPart { index, part, own })
    }
}

/// A part with its transform into the model.
struct PlacedPart<'a> {
    index: u32,
    part: PosedPart<'a>,
    own: &'a PartTransform,
}

impl<'a> PlacedPart<'a> {
    /// A box around the part in the model.
    fn bounds(&self) -> Option<Aabb> {
        let own = self.part.bounds()?;
        match &self.own.transform {
            None => Some(own),
            Some(transform) => transform.placed_box(&own),
        }
    }

    fn mesh(&self) -> PlacedMesh<'a> {
        self.own.placed(self.part, self.index)
    }
}
