//! `hitscan viewshed`: which samples of a terrain are seen from a point, or from how many.

mod eye;
mod ground;
mod counts;
mod written;

use crate::arguments::{OutputArguments, RowArguments, ViewshedArguments, WritingArguments};
use crate::failure::{Failure, check_interrupt};
use crate::{output, scene, table, terminal};
use ground::Ground;
use hitscan::ObjectId;
use hitscan::height_field::{Curvature, Viewshed, ViewshedQuery, Visibility};
use hitscan_ask::{EyeTable, ignored_objects, possible_frames};
use hitscan_assets::heights::HeightFormat;
use hitscan_assets::{KnownNames, Scene};
use hitscan_picture::draw_viewshed;
use hitscan_table::{Input, check_input};
use std::path::Path;
use written::Map;

pub(crate) fn run(arguments: &ViewshedArguments) -> Result<(), Failure> {
    let path = arguments.output.as_path();
    let is_map = HeightFormat::from_path(path) == Some(HeightFormat::Tiff);
    if !is_map {
        output::refuse_ending(path)?;
    } else if arguments.picture {
        return Err(Failure::usage(
            "--picture is written as a PNG, and not as a GeoTIFF",
        ));
    }
    check_limits(arguments)?;
    let curvature = curvature(arguments).map_err(refused)?;
    let reading = reading(arguments);
    table::limit_threads(&reading.writing)?;
    let eyes = eyes(arguments, &reading)?;
    let scene = scene::load(&arguments.scene, Some(path))?;
    let terrain = terrain(&scene, arguments.terrain.as_deref())?;
    let field = scene.world().now().height_field(terrain);
    let field = field.ok_or_else(|| Failure::other("the terrain is gone"))?;
    let ground = Ground {
        snapshot: scene.world().now(),
        terrain,
        mask: arguments.mask.unwrap_or(u32::MAX),
        ignored: ignored(&scene, arguments.ignore.as_deref())?,
        curvature,
    };
    ground.check()?;
    let frame = scene.frame();
    if is_map && frame.is_none() {
        return Err(Failure::usage(format!(
            "{}: the scene has no map to place a GeoTIFF on: write a PNG, or give the terrain \
             `georeferenced = true`",
            path.display()
        )));
    }
    let map = Map {
        grid: field.grid(),
        frame: frame.filter(|_| is_map),
        path,
    };
    let name = scene.object_name(terrain).unwrap_or_default();
    let (file, said) = match (eyes, &arguments.eye) {
        (Some(eyes), _) => {
            let (queries, summary) =
                EyeTable::new(&scene, terrain).read(eyes, &table::options(&reading))?;
            summary.check(table::options(&reading).invalid_rows)?;
            table::report(&summary);
            let lifted = queries.into_iter().map(|query| {
                let above = query.above() + arguments.above;
                with_limits(query, above, arguments).map_err(refused)
            });
            let lifted = lifted.collect::<Result<Vec<_>, _>>()?;
            map.check_count(lifted.len())?;
            let counts = counts::count(&ground, field, &lifted, path)?;
            (map.counts(&counts)?, vec![counts.described(name)])
        }
        (None, Some(eye)) => {
            let query = with_limits(eye::from(eye, frame)?, arguments.above, arguments);
            let viewshed = ground.viewshed(&query.map_err(refused)?)?.ok_or_else(|| {
                Failure::usage(format!(
                    "--eye stands on no ground: it is off the terrain {name}, or over a hole"
                ))
            })?;
            check_interrupt()?;
            let place = eye::described(viewshed.eye(), frame);
            let said = vec![
                format!("{name}: the eye is at {place}"),
                counted(name, &viewshed),
            ];
            let file = match arguments.picture {
                true => draw_viewshed(field, &viewshed)?.to_png()?,
                false => map.levels(viewshed)?,
            };
            (file, said)
        }
        (None, None) => return Err(Failure::usage("--eye or --eyes is needed")),
    };
    if path == Path::new("-") {
        output::print(&file)?;
    } else {
        output::write(path, &file)?;
    }
    said.iter().for_each(|line| terminal::say(line));
    Ok(())
}

/// How a table of eyes is read.
fn reading(arguments: &ViewshedArguments) -> OutputArguments {
    OutputArguments {
        output: Some(arguments.output.clone()),
        writing: WritingArguments {
            threads: arguments.threads,
            ..WritingArguments::default()
        },
        rows: RowArguments {
            input_format: arguments.input_format,
            strict: arguments.strict,
            ..RowArguments::default()
        },
    }
}

/// The table of eyes, whose columns are checked before the scene is loaded.
fn eyes(
    arguments: &ViewshedArguments,
    reading: &OutputArguments,
) -> Result<Option<Input>, Failure> {
    let Some(eyes) = &arguments.eyes else {
        return Ok(None);
    };
    let eyes = table::input(std::slice::from_ref(eyes), reading)?;
    let options = table::options(reading);
    check_input(&eyes, EyeTable::columns(), &possible_frames(), &options)?;
    Ok(Some(eyes))
}

fn refused(error: hitscan::Error) -> Failure {
    Failure::usage(error.to_string())
}

fn curvature(arguments: &ViewshedArguments) -> Result<Option<Curvature>, hitscan::Error> {
    let radius = arguments.earth_radius.unwrap_or(Curvature::EARTH_RADIUS);
    let refraction = arguments.refraction.unwrap_or(0.0);
    let curvature = Curvature::new(radius, refraction)?;
    Ok(arguments.curvature.then_some(curvature))
}

/// Refuses heights and distances before anything is loaded.
fn check_limits(arguments: &ViewshedArguments) -> Result<(), Failure> {
    let anywhere = ViewshedQuery::standing([0.0, 0.0]);
    with_limits(anywhere, arguments.above, arguments)
        .map_err(refused)
        .map(drop)
}

fn with_limits(
    query: ViewshedQuery,
    above: f64,
    arguments: &ViewshedArguments,
) -> Result<ViewshedQuery, hitscan::Error> {
    query
        .with_above(above)
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

/// How many samples are seen, and how many are not.
fn counted(name: &str, viewshed: &Viewshed) -> String {
    let [visible, outside] =
        [Visibility::Visible, Visibility::Outside].map(|kind| viewshed.count(kind));
    let hidden = viewshed.samples().len() - visible - outside;
    let percent = 100.0 * visible as f64 / (visible + hidden).max(1) as f64;
    format!(
        "{name}: {visible} samples are visible ({percent:.1} %), {hidden} are not, {outside} are holes \
         or too far"
    )
}
