//! What queries of every shape share.

pub(crate) mod filter;
pub(crate) mod wavefront;
