//! Places as a cylinder's axis sees them: how far beyond its ends, and how far off.

use glam::DVec3;

/// A cylinder's own axes.
pub(super) struct Frame {
    pub(super) ends: [DVec3; 2],
    /// Of unit length.
    pub(super) axis: DVec3,
    pub(super) radius: f64,
}

/// Where a point is in a cylinder's frame.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// How far it is beyond the first end, and beyond the second; negative within.
    pub(super) beyond: [f64; 2],
    /// From the axis, square to that.
    pub(super) off_axis: DVec3,
}

impl Frame {
    pub(super) fn place(&self, point: DVec3) -> Place {
        let [from_a, from_b] = self.ends.map(|end| point - end);
        let beyond = [-from_a.dot(self.axis), from_b.dot(self.axis)];
        // From the nearer end, so that less is rounded.
        let from_end = if beyond[0] > beyond[1] {
            from_a
        } else {
            from_b
        };
        Place {
            beyond,
            off_axis: self.square(from_end),
        }
    }

    /// By how much a place changes along a way.
    pub(super) fn change(&self, way: DVec3) -> Place {
        let along = way.dot(self.axis);
        Place {
            beyond: [-along, along],
            off_axis: self.square(way),
        }
    }

    fn square(&self, vector: DVec3) -> DVec3 {
        self.axis.cross(vector.cross(self.axis))
    }
}

impl Place {
    /// The way to it from the cylinder's nearest point; zero inside.
    pub(super) fn way(&self, frame: &Frame) -> DVec3 {
        let [before, behind] = self.beyond.map(|beyond| beyond.max(0.0));
        let along = frame.axis * (behind - before);
        let distance = self.off_axis.length();
        if distance > frame.radius {
            along + self.off_axis * ((distance - frame.radius) / distance)
        } else {
            along
        }
    }
}
