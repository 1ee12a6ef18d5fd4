//! `hitscan viewshed`: which samples of a terrain are seen from a point.

mod eye;

use crate::arguments::{ViewshedArguments, WritingArguments};
use crate::failure::{Failure, check_interrupt};
use crate::{output, scene, table, terminal};
use hitscan::height_field::{Viewshed, ViewshedQuery, Visibility};
use hitscan::{ObjectId, QueryFilter};
use hitscan_ask::ignored_objects;
use hitscan_assets::georeference::write_geo_tiff;
use hitscan_assets::heights::HeightFormat;
use hitscan_assets::{KnownNames, Scene};
use hitscan_picture::{Image, draw_viewshed};
use std::path::Path;

pub(crate) fn run(arguments: &ViewshedArguments) -> Result<(), Failure> {
    let path = arguments.output.as_path();
    let is_map = is_geo_tiff(path);
    if !is_map {
        output::refuse_ending(path)?;
    } else if arguments.picture {
        return Err(Failure::usage(
            "--picture is written as a PNG, and not as a GeoTIFF",
        ));
    }
    check_limits(arguments)?;
    table::limit_threads(&WritingArguments {
        threads: arguments.threads,
        ..WritingArguments::default()
    })?;
    let scene = scene::load(&arguments.scene, Some(path))?;
    let terrain = terrain(&scene, arguments.terrain.as_deref())?;
    let ignored = ignored(&scene, arguments.ignore.as_deref())?;
    let filter = QueryFilter::new()
        .layers(arguments.mask.unwrap_or(u32::MAX))
        .exclude(&ignored);
    let frame = scene.frame();
    if is_map && frame.is_none() {
        return Err(Failure::usage(format!(
            "{}: the scene has no map to place a GeoTIFF on: write a PNG, or give the terrain \
             `georeferenced = true`",
            path.display()
        )));
    }
    let query = with_limits(eye::from(&arguments.eye, frame)?, arguments).map_err(refused)?;
    let snapshot = scene.world().now();
    let name = scene.object_name(terrain).unwrap_or_default();
    let viewshed = snapshot.viewshed(terrain, &query, filter).ok_or_else(|| {
        Failure::usage(format!(
            "--eye stands on no ground: it is off the terrain {name}, or over a hole"
        ))
    })?;
    check_interrupt()?;
    let field = snapshot
        .height_fields(QueryFilter::new())
        .find(|(object, _)| *object == terrain)
        .map(|(_, field)| field);
    let picture = match (field, frame) {
        (Some(field), Some(frame)) if is_map => {
            let written = write_geo_tiff(field.grid(), &levels(&viewshed), OUTSIDE, frame);
            written.map_err(|error| Failure::other(format!("{}: {error}", path.display())))?
        }
        (Some(field), _) if arguments.picture => draw_viewshed(field, &viewshed)?.to_png()?,
        _ => grey(&viewshed)?,
    };
    if path == Path::new("-") {
        output::print(&picture)?;
    } else {
        output::write(path, &picture)?;
    }
    let place = eye::described(viewshed.eye(), frame);
    terminal::say(&format!("{name}: the eye is at {place}"));
    say_counts(name, &viewshed);
    Ok(())
}

/// Whether the output is a GeoTIFF by its ending.
fn is_geo_tiff(path: &Path) -> bool {
    HeightFormat::from_path(path) == Some(HeightFormat::Tiff)
}

fn refused(error: hitscan::Error) -> Failure {
    Failure::usage(error.to_string())
}

/// Refuses heights and distances before anything is loaded.
fn check_limits(arguments: &ViewshedArguments) -> Result<(), Failure> {
    let anywhere = ViewshedQuery::standing([0.0, 0.0]);
    with_limits(anywhere, arguments).map_err(refused).map(drop)
}

fn with_limits(
    query: ViewshedQuery,
    arguments: &ViewshedArguments,
) -> Result<ViewshedQuery, hitscan::Error> {
    query
        .with_above(arguments.above)
        .and_then(|query| query.with_target_above(arguments.target_above))
        .and_then(|query| query.with_max_distance(arguments.max_distance.unwrap_or(f64::INFINITY)))
}

/// The terrain of this name, or the first.
fn terrain(scene: &Scene, name: Option<&str>) -> Result<ObjectId, Failure> {
    let terrains: Vec<ObjectId> = scene
        .world()
        .now()
        .height_fields(())
        .map(|(object, _)| object)
        .collect();
    let Some(name) = name else {
        let first = terrains.first().copied();
        return first.ok_or_else(|| Failure::usage("the scene has no terrain"));
    };
    let names = terrains
        .iter()
        .filter_map(|object| scene.object_name(*object));
    find(&terrains, scene, name).ok_or_else(|| {
        let known = KnownNames::near(name, names);
        Failure::usage(format!("--terrain names no terrain but `{name}`{known}"))
    })
}

fn ignored(scene: &Scene, names: Option<&str>) -> Result<Vec<ObjectId>, Failure> {
    let Some(names) = names else {
        return Ok(Vec::new());
    };
    ignored_objects(scene, names).map_err(|name| {
        let known = KnownNames::near(&name, scene.object_names());
        Failure::usage(format!("--ignore names no object but `{name}`{known}"))
    })
}

fn find(objects: &[ObjectId], scene: &Scene, name: &str) -> Option<ObjectId> {
    let has_name = |object: &&ObjectId| scene.object_name(**object) == Some(name);
    objects.iter().find(has_name).copied()
}

/// The grey of holes and of what is too far.
const OUTSIDE: u8 = 128;

/// One grey a sample.
fn levels(viewshed: &Viewshed) -> Vec<u8> {
    let level = |sample: &Visibility| match sample {
        Visibility::Visible => 255,
        Visibility::Hidden => 0,
        Visibility::Outside => OUTSIDE,
    };
    viewshed.samples().iter().map(level).collect()
}

fn grey(viewshed: &Viewshed) -> Result<Vec<u8>, Failure> {
    let [columns, rows] = [viewshed.columns(), viewshed.rows()].map(|side| {
        u32::try_from(side)
            .map_err(|_| Failure::other("the terrain has too many samples for a PNG"))
    });
    Ok(Image::grey_png(columns?, rows?, &levels(viewshed))?)
}

fn say_counts(name: &str, viewshed: &Viewshed) {
    let count = |kind| viewshed.count(kind);
    let (visible, hidden) = (count(Visibility::Visible), count(Visibility::Hidden));
    let percent = 100.0 * visible as f64 / (visible + hidden).max(1) as f64;
    terminal::say(&format!(
        "{name}: {visible} samples are visible ({percent:.1} %), {hidden} are not, {} are holes or too \
         far",
        count(Visibility::Outside)
    ));
}
