//! One contact an object, or one a triangle.

/// Of what there is a contact each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Each {
    /// One for each object: that of least separation; of equal ones one that is not left out, then that
    /// of the lowest part and triangle. It clears that triangle, not a whole mesh, which is not convex.
    #[default]
    Object,
    /// One for each primitive and each triangle within the margin, save those left out: contacts with
    /// an edge or a corner of a triangle where a neighbouring triangle of the same object contradicts
    /// the normal, as it does where the edge is flat or hollow.
    Triangle,
}
