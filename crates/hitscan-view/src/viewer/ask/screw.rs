//! A motion that turns, as it is drawn.

use glam::{DQuat, DVec3, Vec3};

/// Steps of a path that turns.
const STEPS: u8 = 64;

/// A translation and a turn at the same time.
pub(super) struct Screw {
    motion: DVec3,
    /// A unit vector; zero where nothing turns.
    axis: DVec3,
    /// Radians.
    angle: f64,
    /// What it turns about at the start.
    pub(super) pivot: DVec3,
}

impl Screw {
    /// The turn is about the axis, of any length, by the angle.
    pub(super) fn new(motion: Vec3, (axis, angle): (Vec3, f64), pivot: DVec3) -> Self {
        Self {
            motion: motion.as_dvec3(),
            axis: axis.as_dvec3().normalize_or_zero(),
            angle,
            pivot,
        }
    }

    /// The way of a point from the start to the end.
    pub(super) fn path(&self, from: DVec3) -> impl Iterator<Item = Vec3> {
        (0..=STEPS).map(move |step| self.at(from, f64::from(step) / f64::from(STEPS)))
    }

    fn at(&self, from: DVec3, t: f64) -> Vec3 {
        let half = self.angle * t / 2.0;
        let [x, y, z] = (self.axis * libm::sin(half)).to_array();
        let rotation = DQuat::from_xyzw(x, y, z, libm::cos(half));
        let turned = match self.axis == DVec3::ZERO {
            true => from,
            false => self.pivot + rotation * (from - self.pivot),
        };
        (turned + self.motion * t).as_vec3()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_path_turns_and_moves() {
        let turn = (Vec3::new(0.0, 2.0, 0.0), PI);
        let screw = Screw::new(Vec3::Y, turn, DVec3::X);
        let path: Vec<Vec3> = screw.path(DVec3::ZERO).collect();
        let near = |one: Vec3, other: [f32; 3]| one.distance(other.into()) < 1e-6;
        assert!(near(path[0], [0.0, 0.0, 0.0]), "{path:?}");
        // Right-handed: about +Y from -X to +Z.
        assert!(near(path[32], [1.0, 0.5, 1.0]), "{path:?}");
        assert!(near(path[64], [2.0, 1.0, 0.0]), "{path:?}");
    }
}
