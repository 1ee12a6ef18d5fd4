//! The built-in scene: a valley, a robot, and questions about them.
//!
//! Everything is made from formulas, so the demo needs no file and gives the same files
//! everywhere. Read `valley.rs` for the terrain, then `robot.rs` for the model.

pub(crate) mod body;
pub(crate) mod glb;
pub(crate) mod robot;
pub(crate) mod solid;
pub(crate) mod valley;
pub(crate) mod walk;
pub(crate) mod ridge;
