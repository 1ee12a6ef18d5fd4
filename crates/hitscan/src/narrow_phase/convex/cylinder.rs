//! A cylinder as a convex set in f64: its furthest points, its box, and the point nearest to another.

use super::cylinder_frame::Frame;
use crate::Cylinder;
use crate::shape::cylinder::{across, disc_reach};
use glam::DVec3;

/// A cylinder: its ends are discs across the axis. Its own radius is no radius around a core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CylinderCore {
    pub(crate) ends: [DVec3; 2],
    /// From the first end to the second, where the cylinder is: seen from afar both ends may round to one point.
    along: DVec3,
    pub(crate) radius: f64,
}

/// The point of a cylinder's surface that is nearest to a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearestOnCylinder {
    /// How far the point is outside; negative inside.
    pub(crate) gap: f64,
    /// The outward unit direction there.
    pub(crate) normal: DVec3,
    pub(crate) point: DVec3,
}

impl From<&Cylinder> for CylinderCore {
    fn from(cylinder: &Cylinder) -> Self {
        let ends = cylinder.segment();
        Self {
            ends,
            along: ends[1] - ends[0],
            radius: cylinder.radius(),
        }
    }
}

impl CylinderCore {
    /// The cylinder as seen from a point.
    pub(crate) fn seen_from(&self, eye: DVec3) -> Self {
        Self {
            ends: self.ends.map(|end| end - eye),
            ..*self
        }
    }

    /// The same cylinder elsewhere: its ends, and its axis of any length.
    pub(crate) fn moved_to(&self, ends: [DVec3; 2], along: DVec3) -> Self {
        Self {
            ends,
            along,
            ..*self
        }
    }

    /// The axis at unit length, and its length.
    pub(crate) fn axis(&self) -> (DVec3, f64) {
        let scale = self.along.abs().max_element();
        let scaled = self.along / scale;
        let length = scaled.length();
        (scaled / length, length * scale)
    }

    /// How far the discs reach along a vector, times its length.
    #[inline]
    pub(crate) fn reach(&self, along: DVec3) -> f64 {
        let axis = self.along;
        let across = along.cross(axis);
        self.radius * (across.length_squared() / axis.length_squared()).sqrt()
    }

    /// A point furthest along a vector.
    #[inline]
    pub(crate) fn furthest(&self, along: DVec3) -> DVec3 {
        let [a, b] = self.ends;
        let axis = self.along;
        let end = if along.dot(axis) > 0.0 { b } else { a };
        // Scaled, so that no product underflows.
        let largest = along.abs().max_element();
        let across = axis.cross((along / largest).cross(axis));
        let length = across.length();
        if length > 0.0 {
            end + across * (self.radius / length)
        } else {
            end
        }
    }

    /// The ends of a box around it.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let [a, b] = self.ends;
        let reach = disc_reach(self.along, self.radius);
        [a.min(b) - reach, a.max(b) + reach].map(|end| end + DVec3::ZERO)
    }

    /// The same less a layer of this thickness all around, if anything is left.
    pub(super) fn shrunk(&self, by: f64) -> Option<Self> {
        let (axis, length) = self.axis();
        let [a, b] = self.ends;
        (self.radius > by && length > 2.0 * by).then(|| Self {
            ends: [a + axis * by, b - axis * by],
            along: self.along - axis * (2.0 * by),
            radius: self.radius - by,
        })
    }

    #[inline]
    pub(super) fn frame(&self) -> Frame {
        Frame {
            ends: self.ends,
            axis: self.axis().0,
            radius: self.radius,
        }
    }

    /// The point of the surface nearest to another; from inside of equally near ones that of the side, of the
    /// first end, of the second.
    pub(crate) fn nearest(&self, point: DVec3) -> NearestOnCylinder {
        let [a, b] = self.ends;
        let frame = self.frame();
        let (axis, place) = (frame.axis, frame.place(point));
        let ([before, behind], off_axis) = (place.beyond, place.off_axis);
        let distance = off_axis.length();
        let radial = if distance > 0.0 {
            off_axis / distance
        } else {
            across(axis)
        };
        let (lateral, end) = (distance - self.radius, before.max(behind));
        let outward = if before >= behind { -axis } else { axis };
        let (gap, normal) = match (lateral > 0.0, end > 0.0) {
            (true, true) => {
                let size = lateral.max(end);
                let (x, y) = (lateral / size, end / size);
                let length = (x * x + y * y).sqrt();
                (size * length, (radial * x + outward * y) / length)
            }
            (true, false) => (lateral, radial),
            (false, true) => (end, outward),
            (false, false) if lateral >= end => (lateral, radial),
            (false, false) => (end, outward),
        };
        let foot = match (lateral > 0.0, end > 0.0) {
            // On the rim.
            (true, true) => (if before >= behind { a } else { b }) + radial * self.radius,
            _ => point - normal * gap,
        };
        NearestOnCylinder {
            gap,
            normal,
            point: foot,
        }
    }
}
