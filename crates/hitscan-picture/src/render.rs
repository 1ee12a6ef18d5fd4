//! A world as a camera sees it, in one call.

use crate::adaptive;
use crate::film::Film;
use crate::legend;
use crate::options::{Light, PictureOptions, Shows};
use crate::painter::Painter;
use crate::sequence::MAX_SAMPLES;
use crate::tile::Pass;
use crate::{Error, Image};
use hitscan::{RayHit, Snapshot};
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How a picture is drawn. See the crate's documentation for an example.
#[derive(Clone)]
pub struct RenderOptions<'a> {
    /// What it shows.
    pub picture: PictureOptions<'a>,
    /// How many samples each pixel has, 1 to [`MAX_SAMPLES`]; `None` chooses: one, and four more at
    /// edges, but [`MAX_SAMPLES`] where light is soft, where there is ambient occlusion and for
    /// outlines.
    pub samples: Option<u32>,
    /// Whether a picture that shows counts has a legend in it.
    pub legend: bool,
    /// Ends the drawing with [`Error::Cancelled`] soon after it is set.
    pub cancel: &'a AtomicBool,
    /// Is called with the fraction that is done, from 0 to 1, from any thread.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl<'a> RenderOptions<'a> {
    /// A view of the whole world, 50 degrees high, in the sun, without progress reports.
    #[must_use]
    pub fn new(size: [u32; 2], cancel: &'a AtomicBool) -> Self {
        Self {
            picture: PictureOptions::new(size),
            samples: None,
            legend: true,
            cancel,
            progress: &|_| {},
        }
    }

    /// How many samples each pixel has; `None` for one, and more at edges.
    fn sample_count(&self) -> Option<u32> {
        let picture = &self.picture;
        let is_soft =
            picture.light == Light::Soft || picture.ambient_occlusion > 0 || picture.outline;
        let chosen = is_soft.then_some(MAX_SAMPLES);
        self.samples
            .map(|count| count.clamp(1, MAX_SAMPLES))
            .or(chosen)
    }
}

impl fmt::Debug for RenderOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderOptions")
            .field("picture", &self.picture)
            .field("samples", &self.samples)
            .finish_non_exhaustive()
    }
}

/// Draws a world as it is in a snapshot, on a sunny afternoon.
///
/// Terrain is coloured by height and slope, other objects in the colours of the
/// options, or else by their number and part. The picture has
/// the same bits on any number of threads.
///
/// # Errors
/// [`Error::Camera`] for a view, an angle or a size that cannot be used; [`Error::Cancelled`].
pub fn render(world: &Snapshot, options: &RenderOptions<'_>) -> Result<Image, Error> {
    let painter = Painter::new(world, &options.picture)?;
    let done = AtomicU32::new(0);
    let step = |count: u32, all: u32| {
        if options.cancel.load(Ordering::Relaxed) {
            return Err(Error::Cancelled);
        }
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        (options.progress)(f64::from(done) / f64::from(all));
        Ok(())
    };
    let passes = match (options.picture.shows, options.sample_count()) {
        (Shows::Cost, _) => vec![Pass::Look { step: 1 }],
        (Shows::Picture, Some(samples)) => (1..=samples).map(Pass::Sample).collect(),
        (Shows::Picture, None) => {
            let rows = painter.size()[1].saturating_mul(2);
            return adaptive::draw(&painter, &|count| step(count, rows));
        }
    };
    let mut film = Film::new(&painter, passes[0]);
    let count = u32::try_from(passes.len()).unwrap_or(u32::MAX);
    for pass in passes {
        let tiles = painter.tiles(pass);
        let all = u32::try_from(tiles.len())
            .unwrap_or(u32::MAX)
            .saturating_mul(count);
        let painted: Vec<_> = (tiles.par_iter())
            .map(|tile| {
                step(1, all)?;
                Ok(painter.paint(pass, *tile))
            })
            .collect::<Result<_, Error>>()?;
        for tile in painted {
            film.add(tile)?;
        }
    }
    let mut image = film.image();
    if options.picture.shows == Shows::Cost && options.legend {
        legend::draw(&mut image, film.legend_end(), film.is_beyond_legend());
    }
    Ok(image)
}

/// What the picture that [`render`] draws with the same options shows in the middle of the pixel
/// (x, y), counted from the upper left one; `None` is the sky.
///
/// # Errors
/// [`Error::Camera`] as of [`render`].
pub fn pick(
    world: &Snapshot,
    options: &PictureOptions<'_>,
    pixel: [u32; 2],
) -> Result<Option<RayHit>, Error> {
    let painter = Painter::new(world, options)?;
    let ray = painter.ray(Pass::Look { step: 1 }, pixel);
    Ok(ray.and_then(|ray| painter.hit(&ray)))
}
