//! `hitscan viewshed`: which samples of a terrain are seen from a point, or from how many.

mod eye;
mod counts;
mod written;

use crate::arguments::{OutputArguments, RowArguments, ViewshedArguments, WritingArguments};
use crate::failure::{Failure, check_interrupt};
use crate::{link, output, scene, table, terminal};
use hitscan::ObjectId;
use hitscan::height_field::{Curvature, Viewshed, ViewshedQuery, Visibility};
use hitscan_ask::{
    EyeTable, Ignored, Seen, ViewshedGround, ViewshedSettings, ViewshedTable, described_eye,
    find_terrain, possible_frames,
};
use hitscan_assets::heights::HeightFormat;
use hitscan_assets::{KnownNames, Scene};
use hitscan_picture::draw_viewshed;
use hitscan_table::{Input, answer_fields, check_input};
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
    let settings = settings(arguments).map_err(refused)?;
    let reading = reading(arguments);
    table::limit_threads(&reading.writing)?;
    let eyes = eyes(arguments, &reading)?;
    let scene = scene::load(&arguments.scene, Some(path))?;
    let terrain = terrain(&scene, arguments.terrain.as_deref())?;
    let field = scene.now().height_field(terrain);
    let field = field.ok_or_else(|| Failure::other("the terrain is gone"))?;
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
    let off_ground = |eye: &str| {
        Failure::usage(format!(
            "{eye} stands on no ground: it is off the terrain {name}, or over a hole"
        ))
    };
    let viewshed = match (eyes, &arguments.eye) {
        (Some(eyes), _) => {
            let ground = ground(arguments, &scene, terrain, settings.curvature)?;
            let (queries, summary) =
                EyeTable::new(&scene, terrain).read(eyes, &table::options(&reading))?;
            summary.check(table::options(&reading).invalid_rows)?;
            table::report(&summary);
            let lifted = queries.into_iter();
            let lifted = lifted.map(|query| settings.query(query).map_err(refused));
            let lifted = lifted.collect::<Result<Vec<_>, _>>()?;
            map.check_count(lifted.len())?;
            let counts = counts::count(&ground, field, &lifted, path)?;
            return write(path, &map.counts(&counts)?, &[counts.described(name)]);
        }
        (None, Some(eye)) => {
            let ground = ground(arguments, &scene, terrain, settings.curvature)?;
            let query = settings.query(eye::from(eye, frame)?).map_err(refused)?;
            let viewshed = ground.viewshed(&query).map_err(refused)?;
            viewshed.ok_or_else(|| off_ground("--eye"))?
        }
        (None, None) => {
            let table = ViewshedTable::new(&scene, terrain, settings);
            let row = answer_fields("the link's question", &linked(arguments)?, &table)?;
            if let Some(reason) = row.invalid {
                return Err(Failure::usage(format!("the link's question: {reason}")));
            }
            let viewshed = table.into_viewshed();
            viewshed.ok_or_else(|| off_ground("the link's eye"))?
        }
    };
    check_interrupt()?;
    let place = described_eye(viewshed.eye(), frame);
    let said = [
        format!("{name}: the eye is at {place}"),
        counted(name, &viewshed),
    ];
    let file = match arguments.picture {
        true => draw_viewshed(field, &viewshed)?.to_png()?,
        false => map.levels(viewshed)?,
    };
    write(path, &file, &said)
}

/// Writes the file, and then says what was found.
fn write(path: &Path, file: &[u8], said: &[String]) -> Result<(), Failure> {
    if path == Path::new("-") {
        output::print(file)?;
    } else {
        output::write(path, file)?;
    }
    said.iter().for_each(|line| terminal::say(line));
    Ok(())
}

/// What is looked at, and what hides it.
fn ground<'scene>(
    arguments: &ViewshedArguments,
    scene: &'scene Scene,
    terrain: ObjectId,
    curvature: Option<Curvature>,
) -> Result<ViewshedGround<'scene>, Failure> {
    let ground = ViewshedGround {
        snapshot: scene.now(),
        terrain,
        seen: Seen {
            layers: arguments.mask.unwrap_or(u32::MAX),
            ignored: ignored(scene, arguments.ignore.as_deref())?,
        },
        curvature,
        work: None,
    };
    match ground.can_be_lowered() {
        true => Ok(ground),
        false => Err(Failure::usage(
            "--curvature lowers terrain alone, and the scene has models or solids that hide: leave them \
             out by --ignore or --mask",
        )),
    }
}

/// The question of the link, with what hides as the arguments say, where they do.
fn linked(arguments: &ViewshedArguments) -> Result<Vec<(String, String)>, Failure> {
    let link = arguments.scene.parsed_link()?.unwrap_or_default();
    let mut question = link::question(&link, "--eye or --eyes")?.to_vec();
    let given = [
        ("mask", arguments.mask.map(|mask| mask.to_string())),
        ("ignore", arguments.ignore.clone()),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            question.retain(|(column, _)| column != name);
            question.push((name.to_owned(), value));
        }
    }
    Ok(question)
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

/// The options that are numbers, refused before anything is loaded.
fn settings(arguments: &ViewshedArguments) -> Result<ViewshedSettings, hitscan::Error> {
    let radius = arguments.earth_radius.unwrap_or(Curvature::EARTH_RADIUS);
    let curvature = Curvature::new(radius, arguments.refraction.unwrap_or(0.0))?;
    let settings = ViewshedSettings {
        above: arguments.above,
        target_above: arguments.target_above,
        max_distance: arguments.max_distance.unwrap_or(f64::INFINITY),
        curvature: arguments.curvature.then_some(curvature),
    };
    settings.query(ViewshedQuery::standing([0.0, 0.0]))?;
    Ok(settings)
}

/// The terrain that is looked at.
fn terrain(scene: &Scene, name: Option<&str>) -> Result<ObjectId, Failure> {
    find_terrain(scene, name).map_err(|reason| match name {
        Some(_) => Failure::usage(format!("--terrain: {reason}")),
        None => Failure::usage(reason),
    })
}

fn ignored(scene: &Scene, names: Option<&str>) -> Result<Ignored, Failure> {
    let Some(names) = names else {
        return Ok(Ignored::default());
    };
    hitscan_ask::ignored(scene, names).map_err(|name| {
        let known = KnownNames::near(&name, scene.object_names());
        Failure::usage(format!("--ignore names no object but `{name}`{known}"))
    })
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
