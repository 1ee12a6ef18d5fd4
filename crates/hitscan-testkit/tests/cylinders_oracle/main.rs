//! Cylinders against fractions (rays, sight) and against floats that share nothing with the library (points, arcs,
//! moving and resting shapes), and the same cylinder as an object, as a part, baked and moved.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod support;
mod rays;
mod pairs;
mod nearest_pairs;
mod slides;
mod kept;
mod surfaces;
mod scenes;
mod thin;
