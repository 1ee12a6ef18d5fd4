//! Exact, deterministic collision queries for game worlds.
//!
//! How high is the ground here, what does this ray hit, when will this moving shape touch something,
//! which objects overlap: queries of height-map terrain, animated models in their pose, meshes,
//! spheres, capsules and boxes, axis-aligned or oriented. Whatever decides between two answers is
//! computed in f64 or exactly, so no ray slips between triangles and every machine gives the same bits.
//!
//! Right-handed, +Y up, metres, seconds, radians. Values are checked once, where they are made
//! ([`Ray::new`], [`HeightField::new`], [`TriMesh::new`], [`Model::new`]); after that queries are
//! total: they neither fail nor panic, and never answer NaN.
//!
//! | question | query |
//! |---|---|
//! | how high is the ground here? | [`Snapshot::height`], [`Snapshot::max_height`], [`Snapshot::mean_height`] |
//! | how does the ground lie under this wheel, foot or house? | [`Snapshot::footprint`] |
//! | what does this ray, bullet or pointer hit? | [`Snapshot::cast_ray`] (with [`Camera::ray`]) |
//! | what does a camera see, pixel by pixel? | [`Snapshot::cast_camera`] |
//! | is anything in the way? | [`Snapshot::cast_ray_any`] |
//! | where does this thrown or fired thing land? | [`Snapshot::cast_arc`] |
//! | do these two see each other, and what is between them? | [`Snapshot::is_visible`], [`Snapshot::first_blocker`] |
//! | which ground is seen from here? | [`Snapshot::viewshed`] |
//! | what does it pass through, in order? | [`Snapshot::cast_ray_all`] |
//! | when does this moving shape touch something? | [`Snapshot::cast_shape`] |
//! | what does this shape overlap, touch or come near to? | [`Snapshot::contacts`], [`Snapshot::overlaps_shape`] |
//! | what is nearest to this point, and is it inside? | [`Snapshot::closest_point`], [`Snapshot::closest_point_signed`] |
//! | which objects overlap, and how? | [`Snapshot::broad_phase_pairs`], [`Snapshot::overlaps`] |
//! | why is that the answer? | [`Snapshot::explain`], [`Snapshot::trace_ray`], [`Snapshot::explain_miss`] |
//!
//! Shapes that are values ([`HeightField`], [`TriMesh`], [`Sphere`], [`Aabb`], [`Obb`],
//! [`Capsule`], [`Triangle`], [`Plane`]) can also be queried one by one. Queries and answers
//! are f32; what a scene is placed by (transforms, spacing, radii) is f64.
//!
//! ```
//! use hitscan::{Ray, Sphere, World};
//! let mut world = World::new();
//! let planet = world.add(Sphere::new([0.0, 5.0, 0.0], 2.0)?);
//! world.update();
//! let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
//! let hit = world.now().cast_ray(&ray, ()).expect("the planet is below");
//! assert_eq!((hit.object, hit.t), (Some(planet), 2.0));
//! # Ok::<(), hitscan::Error>(())
//! ```

// In reading order: each module uses only those before it.
mod error;
mod storage;
pub mod baked;
mod parallel;
#[doc(hidden)]
pub mod simd;
mod exact;
mod object_id;
mod shape;
mod narrow_phase;
mod camera;
pub mod broad_phase;
mod query;
mod bvh;
pub mod height_field;
pub mod tri_mesh;
pub mod model;
pub mod world;
pub mod explain;
mod debug;
#[cfg(feature = "serde")]
mod serialization;
#[cfg(test)]
mod test_rng;

pub use glam;

pub use crate::camera::Camera;
pub use crate::camera::CameraTile;
pub use crate::narrow_phase::arc_cast::arc::BallisticArc;
pub use crate::narrow_phase::closest_point::ClosestPoint;
pub use crate::narrow_phase::contact::{Contact, ContactStatus, ContactsPer};
#[doc(hidden)]
pub use crate::narrow_phase::convex;
pub use crate::narrow_phase::ray_cast::hit::{
    RayCastSettings, RayHit, RayStart, Side, Sides, TriangleId,
};
pub use crate::narrow_phase::ray_cast::project_point::ProjectedPoint;
pub use crate::narrow_phase::ray_cast::ray::Ray;
pub use crate::narrow_phase::ray_cast::ray_sphere_set::SphereSet;
pub use crate::narrow_phase::shape_cast::{InitialOverlap, ShapeCast, ShapeHit, StartState};
pub use crate::narrow_phase::{contact, overlap, shape_cast};
pub use crate::query::filter::{FilteredBy, QueryFilter};
pub use crate::query::options::QueryOptions;
pub use crate::shape::aabb::Aabb;
pub use crate::shape::aabb_set::AabbSet;
pub use crate::shape::capsule::Capsule;
pub use crate::shape::obb::Obb;
pub use crate::shape::plane::Plane;
pub use crate::shape::primitive::Primitive;
pub use crate::shape::sphere::Sphere;
pub use crate::shape::triangle::Triangle;
pub use bvh::BuildPreset;
pub use error::{Error, ModelPlace};
pub use height_field::HeightField;
pub use model::Model;
pub use object_id::ObjectId;
pub use tri_mesh::TriMesh;
pub use world::{Blocker, Snapshot, World};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
