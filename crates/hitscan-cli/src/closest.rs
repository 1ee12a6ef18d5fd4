//! `hitscan closest`: what is nearest to each point.

use crate::arguments::ClosestArguments;
use crate::failure::Failure;
use crate::{scene, table};
use hitscan_ask::{ClosestSign, ClosestTable};

pub(crate) fn run(arguments: &ClosestArguments) -> Result<(), Failure> {
    table::limit_threads(&arguments.output.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let sign = if arguments.signed {
        ClosestSign::ClosedSurfaces
    } else {
        ClosestSign::Solids
    };
    let points = ClosestTable::new(&scene, sign);
    table::answer(&arguments.points, &arguments.output, &points)
}
