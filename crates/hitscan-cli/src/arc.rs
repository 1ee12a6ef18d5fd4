//! `hitscan arc`: what each ballistic arc hits.

use crate::arguments::{ArcArguments, ArcHitsArgument};
use crate::failure::Failure;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{explain, scene};
use hitscan_ask::{ArcHits, ArcTable};

pub(crate) fn run(arguments: &ArcArguments) -> Result<(), Failure> {
    let hits = match arguments.hits {
        ArcHitsArgument::Nearest => ArcHits::Nearest,
        ArcHitsArgument::Any => ArcHits::Any,
    };
    table::limit_threads(&arguments.output.writing)?;
    let run = &table_run(arguments)?;
    let nothing = scene::empty()?;
    let arcs = ArcTable::new(&nothing, hits, arguments.sides.into());
    explain::check(run, &arcs)?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let arcs = ArcTable::new(&scene, hits, arguments.sides.into());
    explain::answer_or_explain(run, &scene, &arcs, VisitList::Counted)
}

fn table_run(arguments: &ArcArguments) -> Result<TableRun<'_>, Failure> {
    TableRun::new(
        &arguments.scene,
        &arguments.arcs,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary.summary,
    )
}
