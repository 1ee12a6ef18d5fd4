//! `hitscan height`: how high the ground is at each point.

use crate::arguments::{HeightArguments, HeightMethod as MethodArgument};
use crate::failure::Failure;
use crate::{scene, table};
use hitscan_ask::{FootprintTable, HeightMethod, HeightTable};

pub(crate) fn run(arguments: &HeightArguments) -> Result<(), Failure> {
    if arguments.method == MethodArgument::Footprint {
        return run_footprints(arguments);
    }
    let method = method(arguments)?;
    table::limit_threads(&arguments.output.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let heights = HeightTable::new(&scene, method);
    table::answer(&arguments.points, &arguments.output, &heights)
}

fn run_footprints(arguments: &HeightArguments) -> Result<(), Failure> {
    if arguments.radius.is_some() {
        return Err(Failure::usage(
            "--radius belongs to --method max and mean: of a footprint it is a column of the table",
        ));
    }
    table::limit_threads(&arguments.output.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let footprints = FootprintTable::new(&scene);
    table::answer(&arguments.points, &arguments.output, &footprints)
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
