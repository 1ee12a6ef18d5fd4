//! Triangles.
/// A triangle.
#[derive(Debug)]
pub struct Triangle {}
