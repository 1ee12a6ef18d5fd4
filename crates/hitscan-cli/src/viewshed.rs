//! `hitscan viewshed`: which samples of a terrain are seen from a point.

use crate::arguments::{Eye, ViewshedArguments, WritingArguments};
use crate::failure::{Failure, check_interrupt};
use crate::{output, scene, table, terminal};
use hitscan::height_field::{Viewshed, ViewshedQuery, Visibility};
use hitscan::{ObjectId, QueryFilter};
use hitscan_ask::ignored_objects;
use hitscan_assets::{KnownNames, Scene};
use hitscan_picture::{Image, draw_viewshed};
use std::path::Path;

pub(crate) fn run(arguments: &ViewshedArguments) -> Result<(), Failure> {
    let path = arguments.output.as_path();
    output::refuse_ending(path)?;
    let query = query(arguments)?;
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
    let snapshot = scene.world().now();
    let name = scene.object_name(terrain).unwrap_or_default();
    let viewshed = snapshot.viewshed(terrain, &query, filter).ok_or_else(|| {
        Failure::usage(format!(
            "--eye stands on no ground: it is off the terrain {name}, or over a hole"
        ))
    })?;
    check_interrupt()?;
    let everything = QueryFilter::new();
    let field = snapshot
        .height_fields(everything)
        .find(|(object, _)| *object == terrain)
        .map(|(_, field)| field);
    let png = match field {
        Some(field) if arguments.picture => draw_viewshed(field, &viewshed)?.to_png()?,
        _ => grey(&viewshed)?,
    };
    if path == Path::new("-") {
        output::print(&png)?;
    } else {
        output::write(path, &png)?;
    }
    say_counts(name, &viewshed);
    Ok(())
}

fn query(arguments: &ViewshedArguments) -> Result<ViewshedQuery, Failure> {
    let refused = |error: hitscan::Error| Failure::usage(error.to_string());
    let query = match arguments.eye {
        Eye::At(eye) => ViewshedQuery::at(eye),
        Eye::Standing(eye) => ViewshedQuery::standing(eye),
    };
    query
        .with_above(arguments.above)
        .and_then(|query| query.with_target_above(arguments.target_above))
        .and_then(|query| query.with_max_distance(arguments.max_distance.unwrap_or(f64::INFINITY)))
        .map_err(refused)
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

/// One pixel a sample.
fn grey(viewshed: &Viewshed) -> Result<Vec<u8>, Failure> {
    let level = |sample: &Visibility| match sample {
        Visibility::Visible => 255,
        Visibility::Hidden => 0,
        Visibility::Outside => 128,
    };
    let levels: Vec<u8> = viewshed.samples().iter().map(level).collect();
    let [columns, rows] = [viewshed.columns(), viewshed.rows()].map(|side| {
        u32::try_from(side)
            .map_err(|_| Failure::other("the terrain has too many samples for a PNG"))
    });
    Ok(Image::grey_png(columns?, rows?, &levels)?)
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
