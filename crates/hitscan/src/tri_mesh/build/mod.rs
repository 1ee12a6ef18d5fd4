//! Blocks of triangles, the leaves of the tree.

pub(crate) mod leaf_packing;
