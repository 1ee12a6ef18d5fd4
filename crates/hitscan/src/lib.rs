//! Exact, deterministic collision queries for game worlds.
//!
//! How high is the ground here, what does this ray hit, when will this moving shape touch something,
//! which objects overlap: queries of height-map terrain, animated models in their pose, meshes,
//! spheres, capsules, cylinders, hulls and boxes, axis-aligned or oriented. Whatever decides between two answers is
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
//! | how far are these two apart, and where; which are nearest to one another? | [`Snapshot::distance`], [`Snapshot::closest_pair`], [`Snapshot::pairs_within`] |
//! | which objects overlap, and how? | [`Snapshot::broad_phase_pairs`], [`Snapshot::overlaps`] |
//! | why is that the answer? | [`Snapshot::explain`], [`Snapshot::trace_ray`], [`Snapshot::explain_miss`] |
//!
//! # A server's loop
//!
//! A world is edited and brought up to date once a tick; then any number of threads query its snapshots,
//! that of the present and those of ticks past.
//!
//! ```
//! use hitscan::glam::{DAffine3, DVec3, Vec3};
//! use hitscan::height_field::Grid;
//! use hitscan::{Aabb, HeightField, QueryFilter, Ray, World};
//! let mut world = World::new();
//! world.keep_history(30);
//! world.add(HeightField::new(Grid::new(65, 65, [1.0, 1.0]), vec![0.0; 65 * 65])?);
//! let shooter = world.add(Aabb::new([1.0, 0.0, 1.0], [2.0, 2.0, 2.0])?);
//! let target = world.add(Aabb::new([30.0, 0.0, 1.0], [31.0, 2.0, 2.0])?);
//! for tick in 0..10_u8 {
//!     let at = DVec3::new(30.5 + f64::from(tick), 1.0, 1.5);
//!     world.set_transform(target, DAffine3::from_translation(at))?;
//!     world.update();
//!     world.record(tick.into())?;
//!     // A shot, as the shooter saw the world two ticks ago. Whatever a client sends, it is a ray.
//!     let Some(seen) = world.at(f64::from(tick) - 2.0) else { continue };
//!     let (muzzle, direction) = (Vec3::new(1.5, 1.8, 1.5), Vec3::X);
//!     let ray = Ray::new_or_empty(muzzle, direction).limited_to(100.0);
//!     let hit = seen.cast_ray(&ray, QueryFilter::new().exclude_one(shooter)).unwrap();
//!     assert_eq!((hit.object, hit.distance), (Some(target), 26.5 + f32::from(tick)));
//! }
//! # Ok::<(), hitscan::Error>(())
//! ```
//!
//! # Rules of the interface
//!
//! - Shapes that are values ([`HeightField`], [`TriMesh`], [`PosedModel`](model::PosedModel), [`Sphere`],
//!   [`Aabb`], [`Obb`], [`Capsule`], [`Cylinder`], [`ConvexHull`], [`Triangle`], [`Plane`]) answer by the same methods as a [`Snapshot`].
//! - What is special about a call is its last argument but for what it writes into: [`QueryOptions`] for casts
//!   at a snapshot, [`QueryFilter`] for its other queries, [`RayCastSettings`] or [`Sides`] for casts at a
//!   shape. `()` says: nothing is.
//! - Positions and directions are f32, and taken as `impl Into<Vec3>`: `[f32; 3]` does. Lengths that are taken as
//!   `impl Into<f64>` may be f32 or f64 and are kept exactly. What a scene is placed by (transforms, spacing,
//!   clip times) is f64. Answers are f32.
//! - Constructors refuse what is not finite, by [`Error`]. For unchecked numbers, in a loop that
//!   cannot stop, [`Ray::new_or_empty`], [`Ray::between_or_empty`], [`Ray::limited_to`],
//!   [`BallisticArc::new_or_empty`] and [`ShapeCast::new_or_empty`] make a query that hits nothing.
//! - A miss is `None` or an empty `Vec`; plurals answer in the order of their questions, with the bits of one
//!   by one.

// In reading order: each module uses only those before it.
mod error;
mod cancel;
mod storage;
pub mod baked;
pub mod executor;
mod parallel;
mod sorting;
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

pub use crate::camera::{Camera, CameraTile};
pub use crate::narrow_phase::arc_cast::arc::BallisticArc;
pub use crate::narrow_phase::closest_point::{ClosestPoint, Interior};
pub use crate::narrow_phase::contact::{Contact, ContactStatus, ContactsPer};
#[doc(hidden)]
pub use crate::narrow_phase::convex;
pub use crate::narrow_phase::ray_cast::hit::{
    RayCastSettings, RayHit, RayStart, Side, Sides, TriangleId,
};
pub use crate::narrow_phase::ray_cast::project_point::ProjectedPoint;
pub use crate::narrow_phase::ray_cast::ray::Ray;
pub use crate::narrow_phase::shape_cast::{InitialOverlap, ShapeCast, ShapeHit, StartState};
pub use crate::narrow_phase::turning_cast::{TurningCast, TurningHit, TurningStatus};
pub use crate::narrow_phase::{overlap, shape_cast};
pub use crate::query::filter::{FilteredBy, QueryFilter};
pub use crate::query::options::QueryOptions;
pub use crate::query::work_limit::WorkLimit;
pub use crate::shape::aabb::Aabb;
pub use crate::shape::capsule::Capsule;
pub use crate::shape::compound::{Compound, CompoundPart};
pub use crate::shape::convex_hull::ConvexHull;
pub use crate::shape::cylinder::Cylinder;
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
pub use world::{
    Blocker, Enclosure, EnclosureKind, Mover, ObjectCast, ObjectHit, ObjectImpact, Snapshot,
    SurfaceId, TurningObjectCast, TurningObjectHit, World,
};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
