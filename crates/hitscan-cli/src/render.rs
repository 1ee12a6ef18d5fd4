//! `hitscan render`: a picture of a scene in which every pixel is a ray of the library.

use crate::arguments::RenderArguments;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::warnings::load_scene;
use crate::whole_file;
use hitscan::World;
use hitscan_picture::{Image, RenderOptions, View, render};
use std::path::Path;

pub(crate) fn run(arguments: &RenderArguments) -> Result<(), Failure> {
    let fov_y = arguments.fov.to_radians();
    if !(fov_y > 0.0 && fov_y < core::f64::consts::PI) {
        let message = format!(
            "--fov must lie between 0 and 180 degrees, found {}",
            arguments.fov
        );
        return Err(Failure::usage(message));
    }
    let scene = load_scene(&arguments.scene)?;
    let chosen = arguments.eye.zip(arguments.look);
    let view = chosen.map(|(eye, target)| View {
        eye: eye.as_dvec3(),
        target: target.as_dvec3(),
    });
    let image = picture(scene.world(), view, fov_y, arguments.size)?;
    save(&image, &arguments.output)
}

/// Draws a world with a progress bar, seen from `view` or from where everything is in view.
pub(crate) fn picture(
    world: &World,
    view: Option<View>,
    fov_y: f64,
    size: [u32; 2],
) -> Result<Image, Failure> {
    let bar = Bar::new("drawing");
    let progress = |fraction| bar.show_fraction(fraction);
    let options = RenderOptions {
        view,
        fov_y,
        progress: &progress,
        ..RenderOptions::new(size, &INTERRUPTED)
    };
    Ok(render(world, &options)?)
}

/// Writes a picture as a PNG, whole or not at all.
pub(crate) fn save(image: &Image, path: &Path) -> Result<(), Failure> {
    whole_file::write(path, &image.to_png()?)
}
