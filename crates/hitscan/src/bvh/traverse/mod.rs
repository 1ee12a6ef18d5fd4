//! Traversal: a prepared ray or box against the nodes of a tree.

pub(crate) mod slab_time;
pub(crate) mod traversal_query;
pub(crate) mod prepared;
mod flat_boxes;
pub(crate) mod stack;
pub(crate) mod watch;
pub(crate) mod single;
pub(crate) mod near_point;
pub(crate) mod best_first;
pub(crate) mod sorted_stack;
pub(crate) mod cursor;
pub(crate) mod interval_packet;
pub(crate) mod bundle;
pub(crate) mod bundle_cast;
pub(crate) mod aabb_query;
mod chosen_boxes;
mod union;
mod arc;
