//! `hitscan closest`: what is nearest to each point.

use crate::arguments::ClosestArguments;
use crate::failure::Failure;
use crate::trace::VisitList;
use crate::{explain, scene, table};
use hitscan::Interior;
use hitscan_ask::ClosestTable;

pub(crate) fn run(arguments: &ClosestArguments) -> Result<(), Failure> {
    let sign = if arguments.signed {
        Interior::ClosedSurfaces
    } else {
        Interior::Solids
    };
    table::limit_threads(&arguments.output.writing)?;
    let (input, output, explain) = (&arguments.points, &arguments.output, arguments.explain);
    let nothing = scene::empty()?;
    explain::check(input, output, explain, &ClosestTable::new(&nothing, sign))?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let points = ClosestTable::new(&scene, sign);
    explain::answer_or_explain(input, output, explain, &points, VisitList::Counted)
}
