//! Poses, and clips that animate them.

pub(in crate::model) mod quaternion;
pub(in crate::model) mod rotation_stretch;
pub(in crate::model) mod path_length;
pub(in crate::model) mod pose;
pub(in crate::model) mod track;
mod key_rows;
mod mover;
pub(in crate::model) mod clip;
