//! What queries of every shape share.

pub(crate) mod wavefront;
