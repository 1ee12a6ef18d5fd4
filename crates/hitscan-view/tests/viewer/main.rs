//! The viewer as a state machine, driven by hand: no socket, no thread, no clock.

#![expect(
    clippy::unwrap_used,
    reason = "a panic is a failed test, in the functions that tests share too"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of messages are f32's"
)]

mod answers;
mod bounds;
mod cancelled;
mod desk;
mod expected;
mod explanations;
mod frames;
mod golden;
mod hostile;
mod map_scene;
mod motions;
mod pairs;
mod line;
mod partial;
mod past;
mod rules;
mod scene;
mod viewsheds;
mod urgency;
