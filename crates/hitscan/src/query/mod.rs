//! Queries: options, filters, collectors, watchers and wavefronts that all shapes share.

pub(crate) mod work_limit;
pub(crate) mod filter;
pub(crate) mod options;
mod limited_source;
pub(crate) mod watch;
pub(crate) mod collector;
pub(crate) mod closest_hits;
pub(crate) mod wavefront;
pub(crate) mod surface_queries;
