//! Skins and morph targets: weights of joints, welded vertices, and bounds of what joints and morph targets move.

pub(in crate::model) mod morph;
pub(in crate::model) mod skin;
pub(in crate::model) mod weld;
pub(in crate::model) mod extent;
pub(in crate::model) mod joint_bounds;
