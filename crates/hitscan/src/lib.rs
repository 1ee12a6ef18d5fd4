//! Exact, deterministic collision queries for game worlds.
//!
//! How high is the ground here, what does this ray hit, when will this moving box touch something,
//! which objects overlap: asked of height-map terrain, animated models in the pose they stand in,
//! meshes, spheres and boxes. Whatever decides between two answers is worked out in f64 or exactly,
//! so no ray slips between triangles and every machine gives the same bits.
//!
//! Right-handed, +Y up, metres, seconds, radians. Values are checked once, where they are made
//! ([`Ray::new`], [`HeightField::new`], [`TriMesh::new`], [`Model::new`]); after that queries are
//! total: they neither fail nor panic, and never answer NaN.
//!
//! Start with [`World`], which holds objects and answers every query; the shapes can also be asked
//! one by one. Modules stand below in reading order: each uses only those before it.

mod error;
mod exact;
mod ratio;
mod ray;
mod hit;
mod solid;
mod aabb;
mod ray_aabb;
mod sphere;
mod ray_triangle;
mod all_hits;
mod triangle;
mod plane;
mod camera;
pub mod sweep;
pub mod overlap;
mod bvh;
pub mod height_field;
pub mod tri_mesh;
pub mod model;
pub mod world;

pub use glam;

pub use aabb::Aabb;
pub use camera::Camera;
pub use error::{Error, ModelPlace};
pub use height_field::HeightField;
pub use hit::{Hit, Side, Sides, TriangleHit, TriangleId};
pub use model::Model;
pub use plane::Plane;
pub use ray::Ray;
pub use sphere::{NearestPoint, Sphere};
pub use tri_mesh::TriMesh;
pub use triangle::Triangle;
