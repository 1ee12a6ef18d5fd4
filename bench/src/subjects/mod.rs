//! Our own subjects: the only place that calls hitscan.

mod hitscan;
pub mod hitscan_crowd;
pub mod hitscan_characters;
pub mod hitscan_ties;
pub mod hitscan_cliffs;
pub mod hitscan_moves;
pub mod hitscan_convex;
pub mod hitscan_arcs;
pub mod hitscan_viewshed;
pub mod hitscan_view;
pub mod hitscan_world;
pub mod hitscan_world_moves;

pub use hitscan::{
    Mesh, Terrain, build_mesh, build_terrain, edit_terrain, heights, max_height, moving_boxes,
    ray_and_spheres, touching_boxes,
};
