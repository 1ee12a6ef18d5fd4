//! Models as Bevy loads, spawns, animates and propagates them, and what the plugin answers then.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod stage;
mod cases;
mod posed_mesh;
mod known_answers;
mod brute_force;
