//! The closest point of one triangle.

use super::ClosestPoint;
use super::search::{PartInfo, Search};
use crate::Triangle;
use glam::Vec3;

impl Triangle {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let point = point.as_dvec3();
        let mut search = Search::new(point, max_distance, f64::INFINITY);
        search.offer(0, &self.wide());
        let found = search.into_found()?;
        let answer = found.answer(point, PartInfo::SURFACE);
        Some(ClosestPoint {
            triangle: None,
            ..answer
        })
    }
}
