//! The world of `hitscan demo`: a valley with a river, animated robots, spheres, crates, a crowd,
//! and questions about them.
//!
//! Everything is made from formulas, so it needs no file and has the same bytes everywhere. Nothing
//! is written here either: [`Demo::files`] gives names and bytes, and whoever has written them
//! reads the scene back as any other, with `hitscan_assets::load_scene`. The rest works on that
//! scene: [`Questions`] about it, each with a label; [`MarchComparison`], rays that the classic
//! march answers wrongly; [`draw_map`] and
//! [`watch_valley`], pictures from above; and [`CrowdFrames`], a thousand robots that walk.
//!
//! The robot is a complete binary glTF file, with rigid parts, a skin, a morph target and two clips,
//! for whoever needs an animated model to test with.
//!
//! # Example
//! ```
//! use hitscan::Model;
//! use hitscan_assets::{ModelOptions, read_model_bytes};
//!
//! let bytes = hitscan_demo::robot_glb();
//! let file = read_model_bytes("robot.glb".as_ref(), &bytes, &ModelOptions::default())?;
//! let robot = Model::new(file.data)?;
//! assert_eq!(robot.parts().len(), 20);
//! assert!(robot.find_clip("Walk").is_some() && robot.find_clip("Wave").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod solid;
mod rig;
mod body;
mod glb;
mod walk;
mod robot;
mod valley;
mod camera_table;
mod scene;
mod crowd;
mod march_comparison;
mod demo;
mod question;
mod objects;
mod shape_questions;
mod questions;
mod question_tables;
mod map;

pub use camera_table::FOV_DEGREES;
pub use crowd::CrowdFrames;
pub use demo::{Demo, DemoFile};
pub use error::Error;
pub use map::{draw_map, watch_valley};
pub use march_comparison::{MarchComparison, MarchError};
pub use question::Question;
pub use questions::Questions;
pub use robot::robot_glb;
pub use shape_questions::{Ball, Person};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
