//! A picture whose edges alone are smoothed.
//!
//! Each pixel has one ray through its middle; where a neighbour differs, four more rays through its
//! quarters smooth the edge (adaptive supersampling). Bands of rows are painted in parallel, and no
//! pixel depends on the order, so the picture is the same on any number of threads.

use crate::outline::SurfaceId;
use crate::painter::Painter;
use crate::pixel_rect::PixelRect;
use crate::{Error, Image};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// How far apart two pixels' tone-mapped colours may be before an edge is smoothed.
const MAX_CONTRAST: f64 = 0.05;
/// Where the four further rays of a pixel pass: a rotated grid, in which each has its own row and
/// column.
const ROTATED_GRID: [[f32; 2]; 4] = [
    [0.375, 0.125],
    [0.875, 0.375],
    [0.125, 0.625],
    [0.625, 0.875],
];
/// About how many rays are cast together.
const BAND: u32 = 2048;
/// The columns and rows of the pixels whose rays come one after the other: as many as the library takes
/// through the world as one, in the shape in which it casts a camera's.
const BLOCK: [u32; 2] = [32, 4];

/// The colour that one ray gives a pixel.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    /// Tone-mapped, linear light.
    color: DVec3,
    surface: Option<SurfaceId>,
}

impl Pixel {
    /// That of no ray.
    const BLANK: Self = Self {
        color: DVec3::ZERO,
        surface: None,
    };
}

/// Draws what the painter's camera shows.
///
/// `on_band` is given before each band of rows, from any thread, how many rows it has; all rows are
/// passed over twice. Where it fails no further band is begun.
pub(crate) fn draw(
    painter: &Painter<'_>,
    on_band: &(dyn Fn(u32) -> Result<(), Error> + Sync),
) -> Result<Image, Error> {
    let [width, height] = painter.size();
    let rows = (BAND / width).max(1).next_multiple_of(BLOCK[1]);
    let bands = PixelRect::tiles([width, height], [width, rows]);
    let first: Vec<Vec<Pixel>> = (bands.par_iter())
        .map(|band| {
            on_band(band.height)?;
            let places = band.pixels_by_block(BLOCK);
            let places: Vec<_> = places.map(|pixel| (pixel, [0.5; 2])).collect();
            let mut painted = vec![Pixel::BLANK; band.count()];
            for ((at, _), pixel) in places.iter().zip(pixels(painter, &places)) {
                painted[band.place_of(*at)] = pixel;
            }
            Ok(painted)
        })
        .collect::<Result<_, Error>>()?;
    let first = Grid {
        width,
        pixels: first.concat(),
    };
    let smoothed: Vec<Vec<Vec3>> = (bands.par_iter())
        .map(|band| {
            on_band(band.height)?;
            Ok(first.smoothed(painter, *band))
        })
        .collect::<Result<_, Error>>()?;
    Image::new(width, height, smoothed.concat())
}

/// The pixels that rays through these places of these pixels give.
fn pixels(painter: &Painter<'_>, places: &[([u32; 2], [f32; 2])]) -> Vec<Pixel> {
    let samples = painter.samples_at(places);
    let seen = samples.colors.into_iter().zip(samples.surfaces);
    seen.map(|(color, surface)| Pixel { color, surface })
        .collect()
}

/// All pixels of a picture, row by row, at least one.
struct Grid {
    width: u32,
    pixels: Vec<Pixel>,
}

impl Grid {
    fn pixel(&self, x: u32, y: u32) -> Option<&Pixel> {
        let place = y as usize * self.width as usize + x as usize;
        (x < self.width).then(|| self.pixels.get(place)).flatten()
    }

    fn is_at_an_edge(&self, [x, y]: [u32; 2]) -> bool {
        let Some(middle) = self.pixel(x, y) else {
            return false;
        };
        let neighbours = [
            self.pixel(x.wrapping_sub(1), y),
            self.pixel(x.wrapping_add(1), y),
            y.checked_sub(1).and_then(|y| self.pixel(x, y)),
            self.pixel(x, y.wrapping_add(1)),
        ];
        neighbours.into_iter().flatten().any(|other| {
            let contrast = (other.color - middle.color).abs().max_element();
            other.surface != middle.surface || contrast > MAX_CONTRAST
        })
    }

    /// The colours of a band's pixels, of those at edges the mean of four more rays.
    fn smoothed(&self, painter: &Painter<'_>, band: PixelRect) -> Vec<Vec3> {
        let edges = band.pixels_by_block(BLOCK);
        let edges: Vec<[u32; 2]> = edges.filter(|at| self.is_at_an_edge(*at)).collect();
        let places = (edges.iter()).flat_map(|at| ROTATED_GRID.map(|within| (*at, within)));
        let quarters = pixels(painter, &places.collect::<Vec<_>>());
        let middles = band.pixels().filter_map(|[x, y]| self.pixel(x, y));
        let mut colors: Vec<Vec3> = middles.map(|middle| middle.color.as_vec3()).collect();
        for (at, quarters) in edges.iter().zip(quarters.chunks_exact(ROTATED_GRID.len())) {
            let sum = quarters.iter();
            let sum = sum.fold(DVec3::ZERO, |sum, pixel| sum + pixel.color);
            colors[band.place_of(*at)] = (sum / 4.0).as_vec3();
        }
        colors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PictureOptions;
    use crate::view::{View, Viewpoint};
    use hitscan::height_field::{Grid as Samples, HeightField};
    use hitscan::{Aabb, Sphere, World};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A red ball and a box on a slope beside water.
    fn picture(on_band: &(dyn Fn(u32) -> Result<(), Error> + Sync)) -> Image {
        let heights = (0..81_u8)
            .map(|index| f32::from((index % 9).saturating_sub(3)))
            .collect();
        let field = HeightField::new(Samples::new(9, 9, [1.0, 1.0]), heights).unwrap();
        let mut world = World::new();
        world.add(Arc::new(field));
        world.add(Sphere::new([2.0, 1.5, 4.0], 1.0).unwrap());
        world.add(Aabb::new([5.0, 2.0, 5.0], [6.0, 5.0, 6.0]).unwrap());
        world.update();
        let options = PictureOptions {
            viewpoint: Viewpoint::At(View {
                eye: DVec3::new(1.0, 4.0, 14.0),
                target: DVec3::new(4.0, 2.0, 4.0),
            }),
            fov_y: 0.8,
            ..PictureOptions::new([48, 27])
        };
        let painter = Painter::new(world.now(), &options).unwrap();
        draw(&painter, on_band).unwrap()
    }

    #[test]
    fn one_thread_draws_the_same_picture_and_reports_each_row() {
        let rows = AtomicU32::new(0);
        let image = picture(&|count| {
            rows.fetch_add(count, Ordering::Relaxed);
            Ok(())
        });
        assert_eq!(rows.load(Ordering::Relaxed), 2 * 27);
        let one = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        assert_eq!(one.install(|| picture(&|_| Ok(()))), image);
    }

    #[test]
    fn an_empty_world_is_sky_and_drawing_can_be_cancelled() {
        let world = World::new();
        let painter = Painter::new(world.now(), &PictureOptions::new([4, 4])).unwrap();
        assert!(draw(&painter, &|_| Ok(())).is_ok());
        let cancelled = draw(&painter, &|_| Err(Error::Cancelled));
        assert!(matches!(cancelled, Err(Error::Cancelled)));
    }
}
