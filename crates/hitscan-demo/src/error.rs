//! Errors of making the demo's content; its own content gives no cause for any of these.

use std::error::Error as StdError;

/// Why a part of the demo could not be made.
///
/// ```
/// use hitscan::World;
/// use hitscan_demo::CrowdFrames;
/// // A world without robots has a crowd of none, which is no error.
/// assert!(CrowdFrames::new(&World::new()).is_ok());
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The library refuses a shape or a query.
    #[error("the demo's world is refused by the library")]
    Refused(#[from] hitscan::Error),
    /// A picture cannot be drawn.
    #[error("the demo's map cannot be drawn")]
    Picture(#[from] hitscan_picture::Error),
    /// The valley cannot be encoded as PNG.
    #[error("the demo's height map cannot be encoded as PNG")]
    Encode(#[source] Box<dyn StdError + Send + Sync>),
    /// The scene has no terrain, so it is not the demo's.
    #[error("the scene has no terrain to map")]
    NoTerrain,
}
