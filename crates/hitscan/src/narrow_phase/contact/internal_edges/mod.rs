//! Internal-edge suppression: ghost contacts with edges inside a flat or concave surface do not count.
//!
//! A contact with the normal n has a feature of its triangle: the corners that lie furthest along n, which
//! are three for a face, two for an edge, one for a vertex. The feature is *inactive* if another triangle
//! has these corners too, by equal coordinates, and one more that lies further along n: the surface
//! continues beyond the feature on the shape's side.
//!
//! ```text
//!      n                      n                      n
//!      ^   /                  ^                      ^
//!      |  /                   |                      |
//!  ____|_/                ____|_____             ____|
//!    concave                flat                 convex  \
//!   inactive              inactive               active   \
//! ```
//!
//! Over flat ground n is not the edge's own normal but tilted toward the shape, so that the neighbour's
//! third corner lies further along it. A face is always active. Every comparison along n is exact.
//!
//! A contact with an inactive feature is *suppressed* if the neighbour is hit at the same time, or touched by the
//! resting shape: a shape slides over triangulated ground as over a smooth one.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1 for Voronoi regions of features; as
//! active edges in Jolt Physics (Rouwe, 2021), where an angle decides. Here there is no threshold.

mod feature;
mod neighbours;
mod state;

pub(crate) use feature::{ContactFeature, has_area};
pub(crate) use state::{EdgeState, FeatureState};
