//! The ground of a scene, on which crowds and models are placed.

use std::sync::Arc;

use glam::DVec3;
use hitscan::height_field::HeightField;

/// The terrains of a scene.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a>(pub(super) &'a [Arc<HeightField>]);

impl Ground<'_> {
    /// The point on the highest ground at x and z, which become the nearest f32: exactly where a
    /// query takes the height. `None` off all maps and over holes.
    pub(super) fn point(self, x: f64, z: f64) -> Option<DVec3> {
        let [x, z] = nearest_point([x, z]);
        let heights = self.0.iter();
        let heights = heights.filter_map(|field| field.elevation([x, z]).map(f64::from));
        let highest = heights.reduce(f64::max)?;
        Some(DVec3::new(f64::from(x), highest, f64::from(z)))
    }
}

/// x and z as a query takes them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "heights are answered at points of f32"
)]
pub(super) fn nearest_point(point: [f64; 2]) -> [f32; 2] {
    point.map(|coordinate| coordinate as f32)
}
