//! Height-map terrain.

/// Terrain.
#[derive(Debug)]
pub struct HeightField {}
