//! Work of a picture for any thread: the rays of a tile, or the encoding of a picture.

use super::event::PageId;
use super::view::View;
use glam::{DVec3, Vec3};
use hitscan::{RayHit, Sides};
use hitscan_picture::Image;
use std::sync::Arc;

/// Work for any thread. It is run once.
#[derive(Debug)]
pub struct CastJob {
    page: PageId,
    pub(super) picture: u64,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    Tile {
        view: Arc<View>,
        scale: u8,
        tile: Tile,
    },
    Encode {
        image: Image,
    },
}

/// A rectangle of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) first: [u32; 2],
    pub(super) size: [u32; 2],
}

/// What came of a job.
#[derive(Debug)]
pub struct CastResult {
    pub(super) page: PageId,
    pub(super) picture: u64,
    pub(super) made: Made,
}

#[derive(Debug)]
pub(super) enum Made {
    Tile(Tile, Vec<Vec3>),
    Png(Vec<u8>),
}

impl CastJob {
    pub(super) fn new(page: PageId, picture: u64, work: Work) -> Self {
        Self {
            page,
            picture,
            work,
        }
    }

    /// Whose picture it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Does the work.
    #[must_use]
    pub fn run(self) -> CastResult {
        let made = match self.work {
            Work::Tile { view, scale, tile } => Made::Tile(tile, cast(&view, scale, tile)),
            Work::Encode { image } => Made::Png(image.to_png().unwrap_or_default()),
        };
        CastResult {
            page: self.page,
            picture: self.picture,
            made,
        }
    }
}

fn cast(view: &View, scale: u8, tile: Tile) -> Vec<Vec3> {
    let [width, height] = tile.size;
    let pixels = (0..height).flat_map(|row| (0..width).map(move |column| [column, row]));
    let rays: Vec<_> = pixels
        .map(|[column, row]| view.ray([tile.first[0] + column, tile.first[1] + row], scale))
        .collect();
    let hits = view
        .scene
        .now()
        .cast_rays(&rays, Sides::Both, view.filter());
    hits.iter().map(|hit| color(hit.as_ref())).collect()
}

fn color(hit: Option<&RayHit>) -> Vec3 {
    let Some(hit) = hit else {
        return Vec3::new(0.5, 0.7, 0.9);
    };
    let light = hit.normal.as_dvec3().dot(DVec3::new(0.5, 0.8, 0.3)).abs();
    (DVec3::new(0.6, 0.6, 0.55) * (0.2 + 0.8 * light)).as_vec3()
}
