//! Ray against triangle, decided exactly: the one test of terrain, meshes and posed models.
//!
//! Method: the three edge functions `direction · ((p - origin) × (q - origin))` give the side of
//! the ray's line on which each edge passes (the scalar triple products of Segura and Feito,
//! "Algorithms to Test Ray-Triangle Intersection", WSCG 2001). A floating-point filter computes
//! each in f64 with a bound on its error; where the bound leaves a sign open, an exact fallback
//! finds it. An edge that two triangles share has exactly opposite functions in them, so no ray
//! passes between; an edge that the ray hits belongs to both. No tolerance decides an answer, and
//! the arithmetic of one triangle never matters to its neighbour, so any conservative test may come
//! before this one.
//!
//! | file | what |
//! |---|---|
//! | `lanes` | what the filter computes in: one f64, or several side by side |
//! | `bounds` | every error bound and threshold, with its derivation |
//! | `hit` | what makes a triangle hit: its feature, side, weights |
//! | `filter` | the formulas, and the filter of one triangle a lane |
//! | `integer` | the edge functions in integers, where coordinates have few bits |
//! | `exact` | the exact fallback, out of line |
//! | `predicate` | one ray and one triangle |
//! | `triangle` | a triangle by itself |
//! | `diagnosis` | how a line passes a triangle, for explanations |
//! | `perturbed` | simulation of simplicity, for all hits |
//! | `hit_points` | the points and unit normals of eight hits side by side |

mod lanes;
mod bounds;
mod hit;
mod filter;
mod integer;
mod exact;
mod predicate;
mod diagnosis;
mod perturbed;
mod triangle;
mod hit_points;

pub(crate) use diagnosis::{Diagnosis, Passing, diagnose};
pub(crate) use filter::{Filtered, FilteredBatch, RelativeTriangle};
pub(crate) use hit::{CandidateHit, Feature, TriangleHit};
pub(crate) use hit_points::HitPoints;
pub(crate) use lanes::{LANES, Vectors, Vertical, by_lane, nearest, widened};
pub(crate) use perturbed::{hits_perturbed, may_be_in_plane, sides_in_plane};
pub(crate) use predicate::{candidate_hit, intersect, intersect_exactly, normal};
