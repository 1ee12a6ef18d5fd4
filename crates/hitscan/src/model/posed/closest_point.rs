//! The closest point of a posed model as a whole, in the model's space.

use super::PosedModel;
use crate::narrow_phase::closest_point::{ClosestPoint, answer_points, checked_max_distance};
use glam::Vec3;

impl PosedModel {
    /// The point of the model that is nearest to `point`, which is in the model's space; of the
    /// same reported distance that of the lowest part and triangle index.
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
        let max_distance = checked_max_distance(point, max_distance)?;
        (self.placed_parts()).closest(point, (max_distance, max_distance))
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        (self.placed_parts()).closest_signed(point, (max_distance, max_distance))
    }
}
