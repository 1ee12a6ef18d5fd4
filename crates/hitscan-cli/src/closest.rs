//! `hitscan closest`: what is nearest to each point.

use crate::arguments::ClosestArguments;
use crate::failure::Failure;
use crate::trace::VisitList;
use crate::{explain, scene, table};
use hitscan::Interior;
use hitscan_ask::ClosestTable;

pub(crate) fn run(arguments: &ClosestArguments) -> Result<(), Failure> {
    table::limit_threads(&arguments.output.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let sign = if arguments.signed {
        Interior::ClosedSurfaces
    } else {
        Interior::Solids
    };
    let points = ClosestTable::new(&scene, sign);
    let explain = arguments.explain;
    explain::answer_or_explain(
        &arguments.points,
        &arguments.output,
        explain,
        &points,
        VisitList::Counted,
    )
}
