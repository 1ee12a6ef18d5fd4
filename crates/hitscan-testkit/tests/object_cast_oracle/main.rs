//! Meshes that move among meshes, against whole numbers: all pairs of triangles by brute force, without a line of
//! the library's; and what else moves, against shapes that move.

mod pairs;
mod rules;
mod meshes;
mod others;
