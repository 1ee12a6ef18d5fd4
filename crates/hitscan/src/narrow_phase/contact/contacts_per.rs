//! One contact per object, or one per triangle.

/// How many contacts a query returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContactsPer {
    /// One per object: that of least separation; of equal ones one that is not suppressed (see
    /// [`ContactsPer::Triangle`]), then that of the lowest part and triangle index. Its way out ends the
    /// overlap with that triangle only, not with a whole mesh, which is not convex.
    #[default]
    Object,
    /// One per primitive and per triangle within the margin. Contacts with edges inside a flat or
    /// concave surface (ghost contacts) are suppressed.
    Triangle,
}
