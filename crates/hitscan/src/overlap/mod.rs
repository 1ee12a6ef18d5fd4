//! overlap
