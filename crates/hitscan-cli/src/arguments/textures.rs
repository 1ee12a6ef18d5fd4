//! The choice of pictures with or without textures.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TexturesArgument {
    /// Base colours are those of textures, where models have them.
    On,
    /// No image is read.
    Off,
}
