//! Colliders of a model file: what its author gave physics in place of the meshes that are drawn.

use hitscan::Primitive;
use hitscan::model::PartData;

/// A collider of a node.
#[derive(Debug, Clone)]
pub struct ModelCollider {
    /// Its name, which no other collider of the file has: that of its node, else `node<index>`.
    pub name: String,
    /// The node that it moves with.
    pub node: usize,
    /// What it is, in the space of the node.
    pub shape: ColliderShape,
}

/// What a collider is.
#[derive(Debug, Clone)]
pub enum ColliderShape {
    /// A solid: a sphere, a box, a capsule, a cylinder, or the convex hull of a mesh.
    Solid(Primitive),
    /// The triangles of a mesh, as a part of the node.
    Mesh(Box<PartData>),
}
