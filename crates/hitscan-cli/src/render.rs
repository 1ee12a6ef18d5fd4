//! `hitscan render`: a picture of a scene in which every pixel is a ray of the library.

use crate::arguments::RenderArguments;
use crate::failure::Failure;
use crate::picture::atmosphere::Atmosphere;
use crate::picture::image::Image;
use crate::picture::render::draw;
use crate::picture::scene::{Scene, Sighting};
use crate::picture::shade::Shader;
use crate::picture::view::View;
use crate::picture::world_scene::WorldScene;
use crate::scene::OpenScene;
use crate::watch::{Bar, INTERRUPTED, check_interrupt};
use crate::whole_file;
use hitscan::glam::DVec3;
use hitscan::{Camera, Ray, World};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) fn run(arguments: &RenderArguments) -> Result<(), Failure> {
    let fov = arguments.fov.to_radians();
    if !(fov > 0.0 && fov < core::f64::consts::PI) {
        let message = format!(
            "--fov must lie between 0 and 180 degrees, found {}",
            arguments.fov
        );
        return Err(Failure::usage(message));
    }
    let scene = OpenScene::read(&arguments.scene)?;
    let chosen = arguments.eye.zip(arguments.look);
    let view = chosen.map(|(eye, look)| View {
        eye: eye.as_dvec3(),
        look: look.as_dvec3(),
    });
    let image = picture(scene.world(), view, fov, arguments.size)?;
    save(&image, &arguments.output)
}

/// Draws a world, seen from `view` or from a place with a view of everything.
pub(crate) fn picture(
    world: &World,
    view: Option<View>,
    fov: f64,
    size: [u32; 2],
) -> Result<Image, Failure> {
    let scene = Watched(WorldScene::new(world));
    let (min, max) = world
        .now()
        .bounds()
        .map_or((DVec3::NEG_ONE, DVec3::ONE), |bounds| {
            (bounds.min().as_dvec3(), bounds.max().as_dvec3())
        });
    let view = view.unwrap_or_else(|| View::of_bounds(&scene, min, max, fov));
    let camera = Camera::new(view.eye.as_vec3(), view.look.as_vec3(), fov, size)
        .map_err(|error| Failure::usage(format!("the camera: {error}")))?;
    let scale = (max - min).length();
    let shader = Shader {
        scene: &scene,
        air: Atmosphere::afternoon(scale, view.distance_outside(min, max)),
        scale,
    };
    let bar = Bar::new("drawing");
    let rows = AtomicU32::new(0);
    let image = draw(&shader, &camera, &|| {
        let done = rows.fetch_add(1, Ordering::Relaxed) + 1;
        bar.show_fraction(f64::from(done) / f64::from(2 * size[1]));
    });
    drop(bar);
    check_interrupt()?;
    image.ok_or_else(|| Failure::usage("a picture needs pixels"))
}

/// Writes a picture as a PNG, whole or not at all.
pub(crate) fn save(image: &Image, path: &Path) -> Result<(), Failure> {
    let png = image
        .to_png()
        .map_err(|error| Failure::other(format!("the picture: {error}")))?;
    whole_file::write(path, &png)
}

/// A scene in which nothing is to be seen once Ctrl-C was pressed, so that drawing ends at once.
struct Watched<'a>(WorldScene<'a>);

impl Scene for Watched<'_> {
    fn nearest(&self, ray: &Ray) -> Option<Sighting> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            None
        } else {
            self.0.nearest(ray)
        }
    }

    fn is_blocked(&self, ray: &Ray) -> bool {
        self.0.is_blocked(ray)
    }
}
