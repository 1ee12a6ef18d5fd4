//! Surface interaction: the position of a hit, and its material.

use glam::DVec3;

/// Where a ray of a picture hit, and what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceHit {
    /// Metres from the ray's origin.
    pub(crate) distance: f64,
    /// The point.
    pub(crate) point: DVec3,
    /// The unit normal there, on either side; zero inside a solid.
    pub(crate) normal: DVec3,
    /// What the surface is made of.
    pub(crate) material: Material,
}

/// What a surface looks made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Material {
    /// Terrain.
    Ground {
        /// The point's height between the lowest ground (0) and the highest (1).
        elevation: f64,
        /// The unit normal of the ground averaged around the point, so that triangles do not show.
        smooth_normal: DVec3,
    },
    /// Any other object.
    Object {
        /// Its number among all that is no terrain.
        object: u32,
        /// Its part, 0 where it has none.
        part: u32,
        /// Its own colour there, linear light; without one it gets that of its number and part.
        color: Option<DVec3>,
    },
}

/// `v` at unit length; up where it has no direction.
pub(crate) fn unit_or_up(v: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(DVec3::Y)
}
