//! The picture that is being cast for a page: tiles, and which of them are done.

use super::cast_job::{CastJob, Tile, Work};
use super::event::PageId;
use super::view::View;
use crate::protocol::FrameHeader;
use glam::Vec3;
use hitscan_picture::Image;
use std::sync::Arc;

/// Rays along the side of a tile.
const TILE: u32 = 64;

/// A picture of which not all tiles are done.
#[derive(Debug)]
pub(super) struct Picture {
    pub(super) number: u64,
    view: Arc<View>,
    scale: u8,
    pixels: Vec<Vec3>,
    tiles_left: usize,
    micros: u64,
}

impl Picture {
    /// Begins a picture, with the jobs that cast it.
    pub(super) fn begin(
        number: u64,
        page: PageId,
        view: &Arc<View>,
        scale: u8,
    ) -> (Self, Vec<CastJob>) {
        let [width, height] = view.size(scale);
        let job = |tile| {
            let view = Arc::clone(view);
            CastJob::new(page, number, Work::Tile { view, scale, tile })
        };
        let jobs: Vec<CastJob> = tiles([width, height]).map(job).collect();
        let picture = Self {
            number,
            view: Arc::clone(view),
            scale,
            pixels: vec![Vec3::ZERO; width as usize * height as usize],
            tiles_left: jobs.len(),
            micros: 0,
        };
        (picture, jobs)
    }

    /// Takes in a tile; whether it was the last.
    pub(super) fn put(&mut self, tile: Tile, colors: &[Vec3], micros: u64) -> bool {
        let width = self.view.size(self.scale)[0] as usize;
        let [column, row] = tile.first.map(|place| place as usize);
        for (index, line) in colors.chunks(tile.size[0] as usize).enumerate() {
            let start = (row + index) * width + column;
            self.pixels[start..start + line.len()].copy_from_slice(line);
        }
        self.micros += micros;
        self.tiles_left -= 1;
        self.tiles_left == 0
    }

    /// The whole picture and what its frame's header says, all but the frame's number.
    pub(super) fn finish(self) -> Option<(FrameHeader, Image, Shown)> {
        let [width, height] = self.view.size(self.scale);
        let header = FrameHeader {
            scale: self.scale,
            view: self.view.request.number,
            size: [width, height].map(|side| u16::try_from(side).unwrap_or(u16::MAX)),
            is_finished: !self.view.request.moving,
            rays: u64::from(width) * u64::from(height),
            micros: u32::try_from(self.micros).unwrap_or(u32::MAX),
            ..FrameHeader::default()
        };
        let image = Image::new(width, height, self.pixels).ok()?;
        let (view, scale) = (self.view, self.scale);
        Some((header, image, Shown { view, scale }))
    }
}

/// What a frame shows: enough to make the ray of each of its pixels again.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) view: Arc<View>,
    pub(super) scale: u8,
}

/// The tiles of a picture, row by row.
fn tiles([width, height]: [u32; 2]) -> impl Iterator<Item = Tile> {
    let side = TILE as usize;
    (0..height).step_by(side).flat_map(move |row| {
        (0..width).step_by(side).map(move |column| Tile {
            first: [column, row],
            size: [TILE.min(width - column), TILE.min(height - row)],
        })
    })
}
