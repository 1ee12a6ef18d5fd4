//! Spheres.
/// A sphere.
#[derive(Debug)]
pub struct Sphere {}
