//! `hitscan arc`: what each ballistic arc hits.

use crate::arguments::{ArcArguments, ArcHitsArgument};
use crate::failure::Failure;
use crate::trace::VisitList;
use crate::{explain, scene, table};
use hitscan_ask::{ArcHits, ArcTable};

pub(crate) fn run(arguments: &ArcArguments) -> Result<(), Failure> {
    let hits = match arguments.hits {
        ArcHitsArgument::Nearest => ArcHits::Nearest,
        ArcHitsArgument::Any => ArcHits::Any,
    };
    table::limit_threads(&arguments.output.writing)?;
    let (input, output, explain) = (&arguments.arcs, &arguments.output, arguments.explain);
    let nothing = scene::empty()?;
    let arcs = ArcTable::new(&nothing, hits, arguments.sides.into());
    explain::check(input, output, explain, &arcs)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let arcs = ArcTable::new(&scene, hits, arguments.sides.into());
    explain::answer_or_explain(input, output, explain, &arcs, VisitList::Counted)
}
