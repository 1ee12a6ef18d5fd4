//! `hitscan closest`: what is nearest to each point.

use crate::arguments::ClosestArguments;
use crate::failure::Failure;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{explain, scene};
use hitscan::Interior;
use hitscan_ask::ClosestTable;

pub(crate) fn run(arguments: &ClosestArguments) -> Result<(), Failure> {
    let sign = if arguments.signed {
        Interior::ClosedSurfaces
    } else {
        Interior::Solids
    };
    table::limit_threads(&arguments.output.writing)?;
    let run = &table_run(arguments)?;
    let nothing = scene::empty()?;
    explain::check(run, &ClosestTable::new(&nothing, sign))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let points = ClosestTable::new(&scene, sign);
    explain::answer_or_explain(run, &scene, &points, VisitList::Counted)
}

fn table_run(arguments: &ClosestArguments) -> Result<TableRun<'_>, Failure> {
    TableRun::new(
        &arguments.scene,
        &arguments.points,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary.summary,
    )
}
