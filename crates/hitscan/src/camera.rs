//! Cameras.
