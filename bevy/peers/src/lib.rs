//! The plugin beside what else answers rays in Bevy: scenes, subjects, what is true, and rows of times.
//!
//! `cargo xtask bevy --bench` runs the rows; `tests/compared` backs the table in the plugin's README.

mod numbers;
mod body;
mod crowd;
mod stage;
mod brute_force;
mod parallel;
mod skinned_cast;
mod subject;
mod boxes;
mod row;
mod characters;
mod rigid;

pub use boxes::Boxes;
pub use brute_force::{Answer, Scene};
pub use characters::{one_pointer, past_ticks, thousand_rays};
pub use crowd::{Crowd, PartOf};
pub use numbers::Numbers;
pub use rigid::{at_rest, coming_and_going, in_motion};
pub use row::Row;
pub use stage::{Frame, Part, app, frame, ready};
pub use subject::Subject;
