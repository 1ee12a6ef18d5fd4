//! `hitscan render`: a picture of a scene in which every pixel is a ray of the library.

mod pick;
mod shots;
mod link;

use crate::arguments::{ColumnList, LightArgument, RenderArguments, TexturesArgument};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::{output, scene, warnings};
use glam::Vec3;
use hitscan::{RayHit, Snapshot};
use hitscan_assets::{DiskFiles, Scene, SceneCamera};
use hitscan_picture::{
    Image, Painter, Palette, PictureOptions, Projection, RenderOptions, Shows, SurfaceColor, View,
    Viewpoint, draw_shots, render,
};
use std::path::Path;
use std::sync::Arc;

pub(crate) fn run(arguments: &RenderArguments) -> Result<(), Failure> {
    let link = arguments.scene.parsed_link()?;
    let is_angle = |degrees: &f64| *degrees > 0.0 && *degrees < 180.0;
    if let Some(degrees) = arguments.fov.filter(|degrees| !is_angle(degrees)) {
        let message = format!("--fov must lie between 0 and 180 degrees, found {degrees}");
        return Err(Failure::usage(message));
    }
    let output = arguments.output.as_deref();
    if let Some(output) = output {
        output::refuse_ending(output)?;
    }
    let scene = scene::load(&arguments.scene, output)?;
    let has_colors = arguments.pick.is_none() && !arguments.cost;
    if arguments.textures == TexturesArgument::On && has_colors {
        read_textures(&scene, output)?;
    }
    let options = match &link {
        Some(link) => link::options(&scene, link)?,
        None => options(arguments, &scene)?,
    };
    if let Some(pixel) = arguments.pick {
        return pick::run(&scene, &options.picture, pixel);
    }
    let mut shots = match &arguments.shots {
        Some(table) => shots::of_table(&scene, table, ColumnList::of(&arguments.columns))?,
        None => Vec::new(),
    };
    if let Some(link) = &link {
        shots.extend(link::shots(&scene, link)?);
    }
    let mut image = picture(scene.now(), &options)?;
    if !shots.is_empty() {
        let painter = Painter::new(scene.now(), &options.picture)?;
        draw_shots(&mut image, &painter, &shots);
    }
    output.map_or(Ok(()), |output| save(&image, output))
}

/// The picture that the options ask for.
fn options<'a>(
    arguments: &RenderArguments,
    scene: &'a Scene,
) -> Result<RenderOptions<'a>, Failure> {
    // What the arguments say of the eye is in place of the whole camera.
    let is_elsewhere = arguments.eye.is_some() || arguments.top;
    let camera = scene.camera().filter(|_| !is_elsewhere);
    let is_orthographic = camera.is_some_and(|camera| camera.is_orthographic);
    let fov_degrees = fov_degrees(camera);
    let picture = PictureOptions {
        viewpoint: viewpoint(arguments, camera),
        projection: match arguments.top || arguments.ortho || is_orthographic {
            true => Projection::Orthographic,
            false => Projection::Perspective,
        },
        fov_y: arguments.fov.unwrap_or(fov_degrees).to_radians(),
        color: surface_color(scene),
        light: arguments.light.into(),
        ambient_occlusion: ambient_occlusion(arguments)?,
        palette: match arguments.light {
            LightArgument::Sun => Palette::Vivid,
            LightArgument::Plain | LightArgument::Soft => Palette::ForAllEyes,
        },
        outline: arguments.outline,
        shows: match arguments.cost {
            true => Shows::Cost,
            false => Shows::Picture,
        },
        ..PictureOptions::new(arguments.size)
    };
    Ok(RenderOptions {
        picture,
        samples: arguments.samples,
        ..RenderOptions::new(arguments.size, &INTERRUPTED)
    })
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

/// Reads the textures of a scene; the output must not be one of their files.
fn read_textures(scene: &Scene, output: Option<&Path>) -> Result<(), Failure> {
    warnings::print(scene.read_textures(&DiskFiles));
    let mut files = scene.texture_files().iter();
    files.try_for_each(|file| output.map_or(Ok(()), |output| output::refuse_input(output, file)))
}

/// The angle of a scene's camera, or the default.
fn fov_degrees(camera: Option<&SceneCamera>) -> f64 {
    camera.map_or(SceneCamera::FOV_DEGREES, |camera| camera.fov_degrees)
}

fn view(camera: &SceneCamera) -> View {
    View {
        eye: camera.eye,
        target: camera.look,
    }
}

fn viewpoint(arguments: &RenderArguments, camera: Option<&SceneCamera>) -> Viewpoint {
    match (arguments.eye, arguments.look) {
        (Some(eye), Some(target)) => Viewpoint::At(View {
            eye: eye.as_dvec3(),
            target: target.as_dvec3(),
        }),
        (Some(eye), None) => Viewpoint::From(eye.as_dvec3()),
        (None, _) if arguments.top => Viewpoint::Above,
        (None, _) => camera.map_or(Viewpoint::Overview, |camera| Viewpoint::At(view(camera))),
    }
}

/// Draws a world with a progress bar.
pub(crate) fn picture(world: &Snapshot, options: &RenderOptions<'_>) -> Result<Image, Failure> {
    let bar = Bar::new("drawing");
    let progress = |fraction| bar.show_fraction(fraction);
    let options = RenderOptions {
        progress: &progress,
        ..options.clone()
    };
    Ok(render(world, &options)?)
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
