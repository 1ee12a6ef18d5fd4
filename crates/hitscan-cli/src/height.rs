//! `hitscan height`: how high the ground is at each point.

use crate::arguments::{HeightArguments, HeightMethod as MethodArgument};
use crate::failure::Failure;
use crate::table;
use crate::warnings::load_scene;
use hitscan_ask::{HeightMethod, HeightTable};

pub(crate) fn run(arguments: &HeightArguments) -> Result<(), Failure> {
    let method = method(arguments)?;
    let scene = load_scene(&arguments.scene)?;
    let heights = HeightTable::new(&scene, method);
    table::answer(&arguments.points, &arguments.output, &heights)
}

fn method(arguments: &HeightArguments) -> Result<HeightMethod, Failure> {
    match (arguments.method, arguments.radius) {
        (MethodArgument::Exact, None) => Ok(HeightMethod::Exact),
        (MethodArgument::Exact, Some(_)) => {
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
