//! Errors of drawing and encoding pictures.

use std::error::Error as StdError;

/// Why a picture could not be drawn or encoded.
///
/// ```
/// use hitscan_picture::{Error, Image};
/// let empty = Image::new(0, 0, Vec::new());
/// assert!(matches!(empty, Err(Error::PixelCount { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The camera's eye, target, field of view or size cannot be used.
    #[error("the camera cannot be set up")]
    Camera(#[source] hitscan::Error),
    /// An image needs at least one pixel, and as many as its size says.
    #[error("an image of {width} x {height} pixels cannot be made of {found}")]
    PixelCount {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
        /// How many pixels there are.
        found: usize,
    },
    /// The area of a map is empty or not finite.
    #[error("a map needs an area of finite, positive width and depth, found {width} x {depth} m")]
    MapArea {
        /// From the minimum to the maximum x, metres.
        width: f64,
        /// From the minimum to the maximum z, metres.
        depth: f64,
    },
    /// The PNG encoder failed, which in memory it does only for a size beyond what PNG allows.
    #[error("the picture cannot be encoded as PNG")]
    Encode(#[source] Box<dyn StdError + Send + Sync>),
    /// A film was given a tile of a pass whose turn it is not.
    #[error("a tile of pass {found} was added to a film that {}", awaits(*expected))]
    OutOfTurn {
        /// The tile's pass; 0 is a first look.
        found: u32,
        /// The pass that is awaited, if any is.
        expected: Option<u32>,
    },
    /// A field of a link to the viewer cannot be used.
    #[error("the link's field `{field}` is `{found}`: expected {expected}")]
    Link {
        /// Its name.
        field: String,
        /// Its value.
        found: String,
        /// What is expected of it.
        expected: String,
    },
    /// The caller cancelled the drawing.
    #[error("stopped")]
    Cancelled,
}

fn awaits(expected: Option<u32>) -> String {
    match expected {
        Some(pass) => format!("awaits pass {pass}"),
        None => "is complete".to_owned(),
    }
}
