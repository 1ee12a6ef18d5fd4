//! The same rays without server and pictures: by the library's own calls, on all threads.

use crate::Result;
use crate::page::{STEP, turned};
use glam::DVec3;
use hitscan::{Camera, CameraTile, QueryFilter, RayHit, Sides, Snapshot};
use hitscan_assets::{Scene, load_scene};
use hitscan_picture::{Painter, Pass, PictureOptions, View, Viewpoint};
use rayon::prelude::*;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) struct Alone {
    scene: Scene,
    view: View,
}

/// A picture that was painted to its end.
pub(crate) struct Painted {
    pub(crate) rays: f64,
    pub(crate) seconds: f64,
}

impl Alone {
    /// The scene that the program shows, from where it proposes to look.
    pub(crate) fn new(scene: &Path) -> Result<Self> {
        let scene = load_scene(scene)?;
        let painter = Painter::new(scene.world().now(), &PictureOptions::new([64, 36]))?;
        let view = painter.view();
        drop(painter);
        Ok(Self { scene, view })
    }

    fn world(&self) -> &Snapshot {
        self.scene.world().now()
    }

    fn look(&self, number: u32) -> DVec3 {
        turned(self.view.eye, self.view.target, f64::from(number) * STEP)
    }

    /// Rays a second of a turning camera, each a pixel of a block of `scale` rays a side.
    pub(crate) fn turn(&self, size: [u32; 2], scale: u32, time: Duration) -> Result<f64> {
        let begin = Instant::now();
        let mut rays = 0_usize;
        let mut number = 0;
        while begin.elapsed() < time {
            number += 1;
            let look = self.look(number).as_vec3();
            let camera = Camera::new(self.view.eye.as_vec3(), look, 50_f64.to_radians(), size)?;
            let frame = CameraTile::whole(&camera).with_step(scale)?;
            let hits = self
                .world()
                .cast_camera(&camera, &frame, Sides::Both, QueryFilter::new());
            rays += black_box(hits).len();
        }
        Ok(rays as f64 / begin.elapsed().as_secs_f64())
    }

    /// Paints a picture with so many passes after the first look.
    pub(crate) fn refine(&self, size: [u32; 2], passes: u32) -> Result<Painted> {
        let scene = self.scene.clone();
        let color = move |hit: &RayHit| {
            let color = scene.surface_color(hit)?;
            Some(glam::Vec3::from(color).as_dvec3())
        };
        let options = PictureOptions {
            viewpoint: Viewpoint::At(View {
                eye: self.view.eye.as_vec3().as_dvec3(),
                target: self.look(1).as_vec3().as_dvec3(),
            }),
            fov_y: 50_f64.to_radians(),
            color: Arc::new(color),
            ..PictureOptions::new(size).softly_lit()
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
