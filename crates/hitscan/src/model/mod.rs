//! Animated models: nodes, skins, morph targets and clips, and the pose in which they are asked.

mod data;

pub use data::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};

/// An animated model, checked.
#[derive(Debug)]
pub struct Model {}
