//! The queries of a snapshot, one file each.

pub(crate) mod watch;
pub(crate) mod collector;
pub(crate) mod closest_object;
pub(crate) mod ray;
mod visit_ray_hits;
pub(crate) mod height;
pub(crate) mod surface_pieces;
mod part_contacts;
mod part_casts;
mod surface_casts;
pub(crate) mod shape_cast;
mod turning_cast;
mod contacts;
pub(crate) mod closest_point;
pub(crate) mod enclosures;
pub(crate) mod bounds;
pub(crate) mod impacts;
mod world_triangles;
pub(crate) mod overlap_feature;
pub(crate) mod overlaps;
mod leaf_cache;
mod piece_walk;
pub(crate) mod distance;
mod near_pairs;
pub(crate) mod sight;
pub(crate) mod viewshed;
mod together;
pub(crate) mod wavefront;
mod bundle;
mod lone_shape;
pub(crate) mod batch;
pub(crate) mod object_cast;
mod turning_object_cast;
pub(crate) mod camera;
pub(crate) mod arc;
#[cfg(test)]
mod tests;
