//! Planes.
