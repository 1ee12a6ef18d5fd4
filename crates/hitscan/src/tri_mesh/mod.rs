//! Static triangle meshes.

/// Mesh.
#[derive(Debug)]
pub struct TriMesh {}
