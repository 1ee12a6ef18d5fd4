//! Pictures of `hitscan` worlds, and maps of their ground.
//!
//! [`render()`] draws a world as a camera sees it: every pixel is a ray of the library, and so is
//! every shadow and every reflection, which makes a picture the quickest look at what queries
//! answer. [`Map`] draws ground from straight above, with markers and rays on it. Both give an
//! [`Image`] in linear light, which becomes a PNG in memory; no file is opened here.
//!
//! | to | there is |
//! |---|---|
//! | draw a world in one call | [`render()`], with [`PictureOptions`]: [`Light`], ambient occlusion, outlines, costs ([`Shows`]) |
//! | draw it tile by tile on threads of one's own, better with each pass | [`Painter`] and [`Film`] |
//! | draw questions and their answers over it | [`Shot`] and [`draw_shots`] |
//! | know what a pixel shows | [`pick`], [`Painter::ray`] and [`Painter::hit`] |
//! | read the address of the viewer's page | [`Link`] |
//!
//! The same input gives the same bits on any number of threads.
//!
//! # Example
//! ```
//! use hitscan::{Sphere, world::World};
//! use hitscan_picture::{RenderOptions, render};
//! use std::sync::atomic::AtomicBool;
//!
//! let mut world = World::new();
//! world.add(Sphere::new([0.0, 1.0, 0.0], 1.0)?);
//! world.update();
//!
//! let cancel = AtomicBool::new(false);
//! let image = render(world.now(), &RenderOptions::new([64, 36], &cancel))?;
//! let middle = image.pixel(32, 18);
//! assert_ne!(middle, image.pixel(0, 0), "the ball differs from the sky");
//! let png: Vec<u8> = image.to_png()?;
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod srgb;
mod image;
pub mod noise;
mod vectorize;
mod lanes;
mod noise_lanes;
mod strokes;
mod text;
mod pen;
mod map;
mod role;
#[cfg(test)]
mod sight;
mod palette;
mod pixel_rect;
mod scene;
mod camera;
mod view;
mod viewshed;
mod options;
mod link;
mod land_cover;
mod world_scene;
mod sequence;
mod tone;
mod atmosphere;
mod outline;
mod shade;
mod trace;
mod plain_light;
mod cost;
mod legend;
mod tile;
mod shot;
mod shot_marks;
mod painter;
mod film;
mod shots;
mod adaptive;
mod render;
#[cfg(test)]
mod picture_tests;

pub use camera::Projection;
pub use error::Error;
pub use film::Film;
pub use image::{Image, fast_png, small_png};
pub use link::{ClipMoment, Link, LinkPast, LinkPose};
pub use map::{Map, Marker, PathMark, RayEnd, RayMark};
pub use options::{Light, PictureOptions, Shows, SurfaceColor};
pub use painter::Painter;
pub use palette::{Palette, object_color};
pub use pixel_rect::PixelRect;
pub use render::{RenderOptions, pick, render};
pub use role::Role;
pub use sequence::MAX_SAMPLES;
pub use shot::Shot;
pub use shots::draw_shots;
pub use tile::{PaintedTile, Pass};
pub use view::{View, Viewpoint};
pub use viewshed::{ViewshedTint, draw_viewshed};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
