//! The rows of the table, each kind in a module of its own.

pub(crate) mod turning;
pub(crate) mod peer;
pub(crate) mod clicks;
pub(crate) mod pages;
pub(crate) mod refinement;

pub(crate) const SMALL: [u32; 2] = [640, 360];
pub(crate) const LARGE: [u32; 2] = [1280, 720];
