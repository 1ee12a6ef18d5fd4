//! bvh
