//! The solids that a point may be inside.

/// What has an inside, in which distances are negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interior {
    /// Spheres, boxes, capsules and other solids.
    #[default]
    Solids,
    /// Closed meshes and models too.
    ClosedSurfaces,
}
