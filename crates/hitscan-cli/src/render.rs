//! `hitscan render`: a picture of a scene in which every pixel is a ray of the library.

use crate::arguments::{LightArgument, RenderArguments};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::terminal::escaped;
use crate::{output, scene};
use glam::Vec3;
use hitscan::{RayHit, World};
use hitscan_ask::joint_of;
use hitscan_assets::Scene;
use hitscan_picture::{
    Image, PictureOptions, Projection, RenderOptions, Shows, SurfaceColor, View, Viewpoint, render,
};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(arguments: &RenderArguments) -> Result<(), Failure> {
    let fov_y = arguments.fov.to_radians();
    if !(fov_y > 0.0 && fov_y < core::f64::consts::PI) {
        let message = format!(
            "--fov must lie between 0 and 180 degrees, found {}",
            arguments.fov
        );
        return Err(Failure::usage(message));
    }
    let output = arguments.output.as_deref();
    if let Some(output) = output {
        output::refuse_ending(output)?;
    }
    let scene = scene::load(&arguments.scene, output)?;
    let options = PictureOptions {
        viewpoint: viewpoint(arguments),
        projection: match arguments.top || arguments.ortho {
            true => Projection::Orthographic,
            false => Projection::Perspective,
        },
        fov_y,
        color: surface_color(&scene),
        light: arguments.light.into(),
        ambient_occlusion: ambient_occlusion(arguments)?,
        outline: arguments.outline,
        shows: match arguments.cost {
            true => Shows::Cost,
            false => Shows::Picture,
        },
        ..PictureOptions::new(arguments.size)
    };
    if let Some(pixel) = arguments.pick {
        return pick(&scene, &options, pixel);
    }
    let options = RenderOptions {
        picture: options,
        samples: arguments.samples,
        ..RenderOptions::new(arguments.size, &INTERRUPTED)
    };
    let image = picture(scene.world(), &options)?;
    output.map_or(Ok(()), |output| save(&image, output))
}

/// How many rays of each sample look for the sky.
fn ambient_occlusion(arguments: &RenderArguments) -> Result<u32, Failure> {
    match (arguments.ao, arguments.light) {
        (Some(1..), LightArgument::Plain) => Err(Failure::usage(
            "--light plain casts the camera's rays alone: --ao needs --light sun or soft",
        )),
        (Some(rays), _) => Ok(rays),
        (None, LightArgument::Soft) => Ok(1),
        (None, LightArgument::Plain | LightArgument::Sun) => Ok(0),
    }
}

/// The colours of a scene's surfaces, as its files have them.
fn surface_color(scene: &Scene) -> SurfaceColor<'_> {
    Arc::new(|hit: &RayHit| {
        let color = scene.surface_color(hit)?;
        Some(Vec3::from(color).as_dvec3())
    })
}

fn viewpoint(arguments: &RenderArguments) -> Viewpoint {
    match (arguments.eye, arguments.look) {
        (Some(eye), Some(target)) => Viewpoint::At(View {
            eye: eye.as_dvec3(),
            target: target.as_dvec3(),
        }),
        (Some(eye), None) => Viewpoint::From(eye.as_dvec3()),
        (None, _) if arguments.top => Viewpoint::Above,
        (None, _) => Viewpoint::Overview,
    }
}

/// Draws a world with a progress bar.
pub(crate) fn picture(world: &World, options: &RenderOptions<'_>) -> Result<Image, Failure> {
    let bar = Bar::new("drawing");
    let progress = |fraction| bar.show_fraction(fraction);
    let options = RenderOptions {
        progress: &progress,
        ..options.clone()
    };
    Ok(render(world, &options)?)
}

/// Prints what a pixel of the picture shows.
fn pick(scene: &Scene, options: &PictureOptions<'_>, pixel: [u32; 2]) -> Result<(), Failure> {
    let [[x, y], [width, height]] = [pixel, options.size];
    if x >= width || y >= height {
        return Err(Failure::usage(format!(
            "--pick {x},{y} is outside the picture of {width} x {height} pixels, which are counted \
             from 0,0 in the upper left corner"
        )));
    }
    let Some(hit) = hitscan_picture::pick(scene.world(), options, pixel)? else {
        return output::print(b"sky\n");
    };
    let mut text = String::new();
    let mut fact = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:8}  {}", escaped(value));
    };
    if let Some(object) = hit.object {
        fact("object", scene.object_name(object).unwrap_or_default());
        if let Some(triangle) = hit.triangle {
            if let Some(part) = scene.part_name(object, triangle.part) {
                fact("part", part);
            }
            fact("triangle", &triangle.triangle.to_string());
        }
        if let Some((joint, _)) = joint_of(scene, object, &hit) {
            fact("joint", &joint);
        }
    }
    fact("distance", &format!("{} m", hit.distance));
    let point = hit.point;
    fact("point", &format!("{},{},{}", point.x, point.y, point.z));
    fact("side", hit.side.name());
    output::print(text.as_bytes())
}

/// Writes a picture as a PNG, whole or not at all; `-` is standard output.
pub(crate) fn save(image: &Image, path: &Path) -> Result<(), Failure> {
    let png = image.to_png()?;
    if path == Path::new("-") {
        output::print(&png)
    } else {
        output::write(path, &png)
    }
}
