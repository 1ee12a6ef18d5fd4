//! What a picture asks of the world: the nearest thing along a ray, and whether anything is there.

use glam::DVec3;
use hitscan::Ray;

/// A world that can be drawn. Each answer comes from one ray of the library.
pub(crate) trait Scene: Sync {
    /// What the ray meets first.
    fn nearest(&self, ray: &Ray) -> Option<Sighting>;

    /// Whether the ray meets anything at all.
    fn is_blocked(&self, ray: &Ray) -> bool;
}

/// What a ray of a picture met.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sighting {
    /// Metres from the ray's origin.
    pub(crate) distance: f64,
    /// Where it was met.
    pub(crate) point: DVec3,
    /// The unit normal there, on either side; zero inside a solid.
    pub(crate) normal: DVec3,
    /// What was met.
    pub(crate) matter: Matter,
}

/// What a thing looks made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Matter {
    /// Terrain.
    Ground {
        /// Where the point stands between the lowest ground (0) and the highest (1).
        elevation: f64,
        /// The unit normal of the ground averaged around the point, so that triangles do not show.
        smooth_normal: DVec3,
    },
    /// Any other object.
    Object {
        /// Its number in the world.
        object: u32,
        /// Its part, 0 where it has none.
        part: u32,
    },
}

/// The same direction with length 1; up where there is none.
pub(crate) fn unit(v: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(DVec3::Y)
}
