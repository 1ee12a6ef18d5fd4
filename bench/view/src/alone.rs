//! The same rays without server and pictures: by the library's own calls, on all threads.

use crate::Result;
use crate::turned::{Frame, Turned};
use hitscan::{Camera, CameraTile, QueryFilter, RayHit, Snapshot};
use hitscan_assets::{Scene, load_scene};
use hitscan_picture::{Painter, Pass, PictureOptions, View, Viewpoint};
use rayon::prelude::*;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub(crate) struct Alone {
    scene: Scene,
}

/// A picture that was painted to its end.
pub(crate) struct Painted {
    pub(crate) rays: f64,
    pub(crate) seconds: f64,
}

impl Alone {
    /// The scene that the program shows.
    pub(crate) fn new(scene: &Path) -> Result<Self> {
        let scene = load_scene(scene)?;
        Ok(Self { scene })
    }

    fn world(&self) -> &Snapshot {
        self.scene.world().now()
    }

    /// Casts the rays of these very frames, one frame after the other; rays a second.
    pub(crate) fn replay(&self, turned: &Turned) -> Result<f64> {
        let begin = Instant::now();
        let mut rays = 0;
        for frame in &turned.frames {
            rays += black_box(self.cast(frame)?).len() as u64;
        }
        let seconds = begin.elapsed().as_secs_f64();
        let told = turned.rays();
        if rays != told {
            return Err(format!("the page's frames are of {told} rays, alone of {rays}").into());
        }
        Ok(rays as f64 / seconds)
    }

    /// What the rays of a frame meet, row by row.
    pub(crate) fn cast(&self, frame: &Frame) -> Result<Vec<Option<RayHit>>> {
        let (eye, look) = (frame.eye.as_vec3(), frame.look.as_vec3());
        let camera = Camera::new(eye, look, frame.fov.to_radians(), frame.size)?;
        let tile = CameraTile::whole(&camera).with_step(frame.scale)?;
        let everything = QueryFilter::new();
        Ok(self.world().cast_camera(&camera, &tile, everything))
    }

    /// Paints the picture of a frame at rest, with so many passes after the first look.
    pub(crate) fn refine(&self, frame: &Frame, passes: u32) -> Result<Painted> {
        let scene = self.scene.clone();
        let color = move |hit: &RayHit| {
            let color = scene.surface_color(hit)?;
            Some(glam::Vec3::from(color).as_dvec3())
        };
        let options = PictureOptions {
            viewpoint: Viewpoint::At(View {
                eye: frame.eye.as_vec3().as_dvec3(),
                target: frame.look.as_vec3().as_dvec3(),
            }),
            fov_y: frame.fov.to_radians(),
            color: Arc::new(color),
            ..PictureOptions::new(frame.size).softly_lit()
        };
        let painter = Painter::new(self.world(), &options)?;
        let begin = Instant::now();
        let looks = std::iter::once(Pass::Look { step: 1 });
        let mut rays = 0;
        for pass in looks.chain((1..=passes).map(Pass::Sample)) {
            let tiles = painter.tiles(pass).into_par_iter();
            rays += tiles
                .map(|tile| painter.paint(pass, tile).rays())
                .sum::<u64>();
        }
        Ok(Painted {
            rays: rays as f64,
            seconds: begin.elapsed().as_secs_f64(),
        })
    }
}
