//! What queries of every shape share.

pub(crate) mod filter;
pub(crate) mod options;
pub(crate) mod watch;
pub(crate) mod collector;
pub(crate) mod closest_hits;
pub(crate) mod wavefront;
