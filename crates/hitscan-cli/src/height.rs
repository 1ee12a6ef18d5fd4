//! `hitscan height`: how high the ground is at each point.

use crate::arguments::{HeightArguments, HeightMethod as MethodArgument};
use crate::explain::Explained;
use crate::failure::Failure;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{explain, scene};
use hitscan_ask::{FootprintTable, HeightMethod, HeightTable};
use hitscan_assets::Scene;
use hitscan_table::{Assignment, Questions};

pub(crate) fn run(arguments: &HeightArguments) -> Result<(), Failure> {
    if arguments.method == MethodArgument::Footprint {
        return run_footprints(arguments);
    }
    let method = method(arguments)?;
    table::limit_threads(&arguments.output.writing)?;
    let nothing = scene::empty()?;
    let heights = heights(&nothing, method, arguments);
    let run = &table_run(arguments)?;
    explain::check(run, &heights)?;
    let scene = load(arguments, run)?;
    let heights = self::heights(&scene, method, arguments);
    let explained = |questions: &Questions| Ok(Explained::of(heights.explain(questions)?));
    let visits = VisitList::Counted;
    explain::answer_or_explain_by(run, &scene, &heights, &explained, visits)
}

fn heights<'scene>(
    scene: &'scene Scene,
    method: HeightMethod,
    arguments: &HeightArguments,
) -> HeightTable<'scene> {
    let heights = HeightTable::new(scene, method);
    match arguments.above {
        None => heights,
        Some(_) => heights.with_above(),
    }
}

fn run_footprints(arguments: &HeightArguments) -> Result<(), Failure> {
    if arguments.above.is_some() {
        return Err(Failure::usage(
            "--above belongs to --method exact, max and mean: a footprint has no one height",
        ));
    }
    if arguments.radius.is_some() {
        return Err(Failure::usage(
            "--radius belongs to --method max and mean: of a footprint it is a column of the table",
        ));
    }
    table::limit_threads(&arguments.output.writing)?;
    let nothing = scene::empty()?;
    let run = &table_run(arguments)?;
    explain::check(run, &FootprintTable::new(&nothing))?;
    let scene = load(arguments, run)?;
    let footprints = FootprintTable::new(&scene);
    let explained = |questions: &Questions| Ok(Explained::of(footprints.explain(questions)?));
    let visits = VisitList::Counted;
    explain::answer_or_explain_by(run, &scene, &footprints, &explained, visits)
}

/// Loads the scene, which must have ground: of a scene without any, every answer would be that the
/// point is off the map.
fn load(arguments: &HeightArguments, run: &TableRun<'_>) -> Result<Scene, Failure> {
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let snapshot = scene.now();
    if snapshot.height_fields(()).next().is_some() {
        return Ok(scene);
    }
    let objects = match snapshot.object_count() {
        0 => "no objects".to_owned(),
        1 => "1 object, which is none".to_owned(),
        count => format!("{count} objects, none of which is one"),
    };
    Err(Failure::usage(format!(
        "{}: heights are those of terrain, and the scene has {objects}: add a [[terrain]], or ask \
         `hitscan ray` with rays that go down",
        arguments.scene.scene.display()
    )))
}

fn method(arguments: &HeightArguments) -> Result<HeightMethod, Failure> {
    match (arguments.method, arguments.radius) {
        (MethodArgument::Exact | MethodArgument::Footprint, None) => Ok(HeightMethod::Exact),
        (MethodArgument::Exact | MethodArgument::Footprint, Some(_)) => {
            Err(Failure::usage("--radius belongs to --method max and mean"))
        }
        (_, None) => Err(Failure::usage(
            "--method max and mean need a --radius in metres",
        )),
        (_, Some(radius)) if !(radius.is_finite() && radius >= 0.0) => {
            let message = format!("--radius must be a length of at least 0, found {radius}");
            Err(Failure::usage(message))
        }
        (MethodArgument::Max, Some(radius)) => Ok(HeightMethod::Max(radius)),
        (MethodArgument::Mean, Some(radius)) => Ok(HeightMethod::Mean(radius)),
    }
}

fn table_run(arguments: &HeightArguments) -> Result<TableRun<'_>, Failure> {
    let mut run = TableRun::new(
        &arguments.scene,
        &arguments.points,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary.summary,
    )?;
    if let Some(y) = &arguments.above {
        let y = Assignment::parse_list(&format!("y={y}"));
        let y = y.map_err(|error| Failure::usage(format!("--above: {error}")))?;
        if y.len() > 1 {
            let message = "--above takes one column, or a number: others are given by --columns";
            return Err(Failure::usage(message));
        }
        run.assignments.extend(y);
    }
    Ok(run)
}
