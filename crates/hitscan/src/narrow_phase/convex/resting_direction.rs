//! The way out of a resting contact, and a point of it.

use super::difference::length;
use super::instant::Instant;
use super::resting::{RestingContact, SeparationSource};
use super::shared_point::shared_point;
use super::shared_point_exact::ExactShift;
use crate::exact::adaptive::{Number, between, dot};
use crate::exact::expansion::nearest_f32;
use crate::shape::unit_vector::unit;
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// The fraction of the distance up to which rounding moves an offset by less than f32 can hold.
const NEAR: f64 = 1.0 / 67_108_864.0;

impl RestingContact {
    /// The way out, of any length.
    fn direction(&self) -> DVec3 {
        match self.source {
            SeparationSource::Certified(certified) => certified.direction.0,
            SeparationSource::Depth(way) => self.cores().direction_out(way),
            SeparationSource::Distance(nearest)
                if nearest.drift <= NEAR * length(nearest.offset) =>
            {
                nearest.offset
            }
            SeparationSource::Distance(nearest) => {
                match self.difference().offset_at(&Instant::at(0.0)) {
                    Some((offset, _)) => offset,
                    None => nearest.offset,
                }
            }
        }
    }

    /// About the way from the obstacle to the shape, where their cores are apart.
    pub(crate) fn rough_direction(&self) -> Option<DVec3> {
        match self.source {
            SeparationSource::Distance(nearest) => Some(nearest.offset),
            SeparationSource::Certified(certified) => Some(certified.direction.0),
            SeparationSource::Depth(_) => None,
        }
    }

    /// The unit direction from the obstacle to the shape: the way out.
    pub(crate) fn normal(&self) -> Vec3 {
        unit(self.direction())
    }

    /// The exact sign of `n · (a - b)`, n being the exact way out.
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        match self.source {
            SeparationSource::Certified(certified) => certified.direction.compare(a, b),
            SeparationSource::Depth(way) => self.cores().compare_along_way(way, a, b),
            SeparationSource::Distance(nearest) => {
                if let Some(order) = dot(&nearest.approx_offset(), &between(b, a)).known_sign() {
                    return order;
                }
                // The ends of the nearest edge are level.
                let is_level = self
                    .clearly_nearest()
                    .is_some_and(|patch| [a, b].into_iter().all(|corner| patch.has_corner(corner)));
                if is_level {
                    Ordering::Equal
                } else {
                    self.difference().compare_along_offset([b, a])
                }
            }
        }
    }

    /// Where they are apart the obstacle's nearest point; else a point that both share.
    pub(crate) fn point(&self) -> Vec3 {
        let nearest = match self.source {
            SeparationSource::Distance(nearest) => nearest,
            SeparationSource::Certified(certified) => {
                return Vec3::from_array(certified.point.to_array().map(nearest_f32));
            }
            SeparationSource::Depth(way) => {
                let normal = self.status.is_eq().then(|| self.cores().direction_out(way));
                return shared_point(&self.cores(), DVec3::ZERO, &ExactShift::none, normal);
            }
        };
        let [obstacle, shape] = self.radii;
        let distance = length(nearest.offset);
        let way = if self.status.is_gt() {
            obstacle
        } else {
            // On the way from core to core both reach from where the shape begins to where the
            // obstacle ends.
            f64::midpoint((distance - shape).max(0.0), obstacle.min(distance))
        };
        let direction = self.direction();
        let point = nearest.on_obstacle + direction * (way / length(direction));
        Vec3::from_array(point.to_array().map(nearest_f32))
    }
}
