//! Film: the accumulation of tiles into a picture that improves with each pass.

use crate::cost::{count_color, legend_end};
use crate::options::Shows;
use crate::outline::{Outline, Seen};
use crate::painter::Painter;
use crate::pixel_rect::PixelRect;
use crate::srgb::srgb_codes;
use crate::tile::{Content, PaintedTile, Pass};
use crate::{Error, Image};
use glam::Vec3;
use std::ops::Range;

/// How many pixels are completed in a step.
const STEP: usize = 1 << 16;

/// A picture in the making: the average of the samples whose passes are complete.
///
/// Tiles of one pass may come in any order; all of them must be there before the first of the next. The
/// image has the same bits, however it was cut into tiles. See [`Painter`] for an example.
#[derive(Debug, Clone)]
pub struct Film {
    size: [u32; 2],
    /// The pass whose tiles are awaited; `None` after the last.
    awaited: Option<Pass>,
    /// The sums of what the complete passes gave each pixel, linear light; empty before the first.
    sums: Vec<Vec3>,
    samples: u32,
    /// What the awaited pass has given; empty before its first tile.
    current: Vec<Vec3>,
    /// How many boxes and triangles were tested for each pixel of the awaited pass or, after it, the
    /// last; empty where colours are painted.
    counts: Vec<u32>,
    /// The surface that each pixel's ray of the awaited pass hit, where there are outlines.
    seen: Vec<Seen>,
    outline: Option<Outline>,
    missing: usize,
    rays: u64,
}

impl Film {
    /// An empty film for a picture of the painter's that begins with `first`: a look, after which it is
    /// complete, or the first sample.
    #[must_use]
    pub fn new(painter: &Painter<'_>, first: Pass) -> Self {
        let size = first.size(painter.size());
        let count = size[0] as usize * size[1] as usize;
        let outline = painter.outline_of(first);
        Self {
            size,
            awaited: Some(first),
            sums: Vec::new(),
            samples: 0,
            current: Vec::new(),
            counts: match painter.shows() {
                Shows::Picture => Vec::new(),
                Shows::Cost => vec![0; count],
            },
            seen: match outline {
                Some(_) => vec![Seen::SKY; count],
                None => Vec::new(),
            },
            outline,
            missing: count,
            rays: 0,
        }
    }

    /// Adds a tile that is not yet there.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] for a tile of a pass that is not awaited.
    pub fn add(&mut self, tile: PaintedTile) -> Result<(), Error> {
        self.add_in_steps(tile, &|| ())
    }

    /// As [`Film::add`]. The last tile of a pass completes it, which takes milliseconds where a picture is
    /// large: `pause` is called between steps of that.
    ///
    /// # Errors
    /// As of [`Film::add`].
    pub fn add_in_steps(&mut self, tile: PaintedTile, pause: &dyn Fn()) -> Result<(), Error> {
        if self.awaited != Some(tile.pass) {
            return Err(Error::OutOfTurn {
                found: tile.pass.number(),
                expected: self.awaited.map(Pass::number),
            });
        }
        self.rays += tile.rays;
        match tile.content {
            Content::Colors(colors) => {
                self.current.resize(self.pixel_count(), Vec3::ZERO);
                copy(&mut self.current, self.size, tile.rect, &colors);
            }
            Content::Counts(counts) => copy(&mut self.counts, self.size, tile.rect, &counts),
        }
        copy(&mut self.seen, self.size, tile.rect, &tile.seen);
        self.missing = self.missing.saturating_sub(tile.rect.count());
        if self.missing == 0 {
            self.complete(tile.pass, pause);
        }
        Ok(())
    }

    fn complete(&mut self, pass: Pass, pause: &dyn Fn()) {
        if let Some(outline) = self.outline {
            for (first, colors) in (0..).step_by(STEP).zip(self.current.chunks_mut(STEP)) {
                outline.draw(self.size[0], &self.seen, first, colors);
                pause();
            }
        }
        if !self.counts.is_empty() {
            let end = self.legend_end();
            self.current = self
                .counts
                .iter()
                .map(|count| count_color(*count, end))
                .collect();
        }
        if self.sums.is_empty() {
            self.sums = std::mem::take(&mut self.current);
        } else {
            let sums = self.sums.chunks_mut(STEP);
            for (sums, colors) in sums.zip(self.current.chunks(STEP)) {
                for (sum, color) in sums.iter_mut().zip(colors) {
                    *sum += *color;
                }
                pause();
            }
        }
        self.samples += 1;
        self.missing = self.pixel_count();
        self.awaited = match pass {
            Pass::Look { .. } => None,
            Pass::Sample(_) => pass.next(),
        };
    }

    /// The picture's width and height, pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// How many passes are complete.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// The pass whose tiles are awaited; `None` after the last.
    #[must_use]
    pub fn awaited(&self) -> Option<Pass> {
        self.awaited
    }

    /// How many rays were cast for all tiles that were added.
    #[must_use]
    pub fn rays(&self) -> u64 {
        self.rays
    }

    /// The count at the upper end of the legend, where the picture shows counts; else 0. What few pixels
    /// have more than this have its colour.
    #[must_use]
    pub fn legend_end(&self) -> u32 {
        match self.counts.is_empty() {
            true => 0,
            false => legend_end(&self.counts),
        }
    }

    /// Whether a pixel has a greater count than the end of the legend.
    pub(crate) fn is_beyond_legend(&self) -> bool {
        let end = self.legend_end();
        self.counts.iter().any(|count| *count > end)
    }

    /// The picture after the complete passes; black before the first.
    #[must_use]
    pub fn image(&self) -> Image {
        let [width, height] = self.size;
        Image::of_checked(width, height, self.average(0..height))
    }

    /// Rows of [`Film::image`] as sRGB, 8 bits for each of red, green and blue; rows that it does not have
    /// are omitted.
    #[must_use]
    pub fn srgb_rows(&self, rows: Range<u32>) -> Vec<u8> {
        srgb_codes(&self.average(rows))
    }

    #[expect(clippy::cast_precision_loss, reason = "at most 16 samples")]
    fn average(&self, rows: Range<u32>) -> Vec<Vec3> {
        let [width, height] = self.size;
        let [start, end] = [rows.start, rows.end].map(|row| row.min(height));
        let places = [start, end.max(start)].map(|row| row as usize * width as usize);
        let weight = 1.0 / self.samples.max(1) as f32;
        match self.sums.get(places[0]..places[1]) {
            Some(sums) => sums.iter().map(|sum| *sum * weight).collect(),
            None => vec![Vec3::ZERO; places[1] - places[0]],
        }
    }

    fn pixel_count(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }
}

/// Copies the values of a rectangle to their places in a picture of this size.
fn copy<T: Copy>(picture: &mut [T], [width, _]: [u32; 2], rect: PixelRect, values: &[T]) {
    let rows = values.chunks_exact(rect.width.max(1) as usize);
    for (y, row) in (rect.y..).zip(rows) {
        let start = y as usize * width as usize + rect.x as usize;
        picture[start..start + row.len()].copy_from_slice(row);
    }
}
