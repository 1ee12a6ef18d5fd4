//! Textures of base colours, for pictures: no answer looks at them.
//!
//! Images become texels (`image.rs`), and places on a surface become colours of texels (`sampled.rs`).
//! Which images, and where vertices lie in them, is read in `gltf/textures.rs`; those of a scene are
//! held in `scene/scene_textures.rs`.

mod image;
mod sampled;

pub(crate) use image::{Allowance, TexelImage};
pub(crate) use sampled::{PartTexture, Texture, Wrap};
