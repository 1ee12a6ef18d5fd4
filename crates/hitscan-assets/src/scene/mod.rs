//! Scenes: the TOML file that names terrain, models, spheres and boxes, and the world made of it.
//!
//! [`SceneFile`] is the text as plain values, each checked where it stands, so that an error names
//! the line. [`load_scene`] reads the files that it names and fills a `hitscan::world::World`.
//! Formats of height maps and models do not belong here. Read `entry.rs` next, then `load.rs`.
//!
//! # What the scene file means where the contract leaves room
//! - A scene without objects is sound; every query then misses.
//! - Whole numbers are accepted where numbers are asked for; NaN and infinity never are.
//! - `time` is 0 where only `clip` is given. A `clip` in quotes is a name; if no clip bears it, digits
//!   in quotes count as an index.
//! - `size` of a file that states its own size must agree with it.
//! - `range` goes with `height_scale` only if that is 1. `range` may run downwards.
//! - Names are not empty, since an empty field is no answer.

mod entry;
mod keys;
mod load;
mod parse;

#[cfg(test)]
mod tests;

pub use entry::{BoxEntry, ClipChoice, ModelEntry, SceneFile, SphereEntry, TerrainEntry};
pub use load::{Scene, SceneObject, SceneShape, load_scene};
