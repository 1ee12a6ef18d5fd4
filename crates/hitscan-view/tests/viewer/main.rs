//! The viewer as a state machine, driven by hand: no socket, no thread, no clock.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of messages are f32's"
)]

mod answers;
mod bounds;
mod desk;
mod explanations;
mod frames;
mod golden;
mod hostile;
mod rules;
mod scene;
