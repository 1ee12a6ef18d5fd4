//! Random shapes of each kind on a coarse grid, or a little off it.

use crate::Rng;
use glam::{DQuat, Vec3};
use hitscan::convex::examined::ExaminedShape;
use hitscan::{Aabb, Capsule, Obb, Sphere};

/// Shapes on a coarse grid, so that touches, ties and flush faces are common, or far off it.
pub struct Shapes {
    /// Where the numbers come from.
    pub rng: Rng,
    /// Whether all coordinates are whole.
    pub is_on_grid: bool,
}

impl Shapes {
    fn coordinate(&mut self) -> f32 {
        let whole = self.rng.below(5) as f32 - 2.0;
        if self.is_on_grid {
            whole
        } else {
            whole + self.rng.uniform(0.0, 1.0) as f32
        }
    }

    /// A point.
    ///
    /// # Panics
    /// Never.
    pub fn point(&mut self) -> Vec3 {
        Vec3::new(self.coordinate(), self.coordinate(), self.coordinate())
    }

    fn size(&mut self, least: f32) -> f32 {
        least + self.rng.below(4) as f32 * 0.5
    }

    /// A sphere.
    ///
    /// # Panics
    /// Never.
    pub fn sphere(&mut self) -> ExaminedShape {
        let radius = f64::from(self.size(0.5));
        ExaminedShape::Solid(Sphere::new(self.point(), radius).unwrap().into())
    }

    /// A capsule, or a sphere where its ends are one point.
    ///
    /// # Panics
    /// Never.
    pub fn capsule(&mut self) -> ExaminedShape {
        let radius = f64::from(self.size(0.5));
        ExaminedShape::Solid(
            Capsule::new(self.point(), self.point(), radius)
                .unwrap()
                .into(),
        )
    }

    /// An axis-aligned box, perhaps flat.
    ///
    /// # Panics
    /// Never.
    pub fn aabb(&mut self) -> ExaminedShape {
        let min = self.point();
        let size = Vec3::new(self.size(0.0), self.size(0.0), self.size(0.0)) * 2.0;
        ExaminedShape::Solid(Aabb::new(min, min + size).unwrap().into())
    }

    /// A turned box.
    ///
    /// # Panics
    /// Never.
    pub fn obb(&mut self) -> ExaminedShape {
        let half = Vec3::new(self.size(0.5), self.size(0.5), self.size(0.5));
        let quarters = [
            DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
            DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            DQuat::from_xyzw(0.0, 0.0, 1.0, 2.0),
            DQuat::from_xyzw(1.0, -3.0, 2.0, 1.0),
        ];
        let rotation = quarters[self.rng.below(4) as usize];
        ExaminedShape::Solid(Obb::new(self.point(), half, rotation).unwrap().into())
    }

    /// A triangle with area.
    ///
    /// # Panics
    /// Never.
    pub fn triangle(&mut self) -> ExaminedShape {
        loop {
            let corners = [self.point(), self.point(), self.point()].map(Vec3::as_dvec3);
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            if area.length() > 0.01 {
                return ExaminedShape::Triangle(corners);
            }
        }
    }
}

/// What makes a shape.
pub type Maker = fn(&mut Shapes) -> ExaminedShape;
