//! Closest points of a batch of points, on several threads where the feature `parallel` is on.

use super::ClosestPoint;
use crate::parallel::answers_of;
use glam::Vec3;

/// What `answer` makes of each point, in order.
pub(super) fn answer_points(
    points: &[Vec3],
    answer: impl Fn(Vec3) -> Option<ClosestPoint> + Sync,
) -> Vec<Option<ClosestPoint>> {
    answers_of(points, |point| answer(*point))
}

/// The maximum distance as f64; `None` where it or the point is no valid input.
pub(crate) fn checked_max_distance(point: Vec3, max_distance: f32) -> Option<f64> {
    (point.is_finite() && max_distance >= 0.0).then_some(f64::from(max_distance))
}
