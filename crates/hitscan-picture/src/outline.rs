//! Outlines: where neighbouring rays met different surfaces.

use glam::Vec3;

/// What of a ray's hit decides whether an outline passes between it and its neighbour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
    /// The object and part; `None` is the sky.
    pub(crate) surface: Option<(u32, u32)>,
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) distance: f32,
}
