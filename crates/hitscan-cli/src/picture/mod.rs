//! Pictures: an image and what is drawn into it.
//!
//! Nothing here knows files or commands: a picture takes a [`scene::Scene`] that answers
//! rays, or closures that answer heights, and gives back an [`image::Image`]. The same input gives
//! the same bits on any number of threads. Read `image.rs` first, then `render.rs` and `map.rs`.

pub(crate) mod atmosphere;
pub(crate) mod ground;
pub(crate) mod image;
pub(crate) mod map;
pub(crate) mod noise;
pub(crate) mod palette;
pub(crate) mod render;
pub(crate) mod scene;
pub(crate) mod shade;
pub(crate) mod strokes;
pub(crate) mod view;
pub(crate) mod world_scene;
