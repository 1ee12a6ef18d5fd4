//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly; or, with a table, what each
//! of its shapes overlaps, touches or is near to.

use crate::arguments::{ContactsPerArgument, OverlapArguments};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::trace::VisitList;
use crate::{explain, scene, table};
use hitscan::{ContactsPer, Interior};
use hitscan_ask::{ContactTable, OverlapTable, OverlapTest};
use hitscan_table::{TableOptions, TableWriter};
use std::path::Path;

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    match &arguments.shapes {
        Some(shapes) => answer_shapes(shapes, arguments),
        None => list_pairs(arguments),
    }
}

fn answer_shapes(shapes: &Path, arguments: &OverlapArguments) -> Result<(), Failure> {
    let each = match arguments.each.unwrap_or_default() {
        ContactsPerArgument::Object => ContactsPer::Object,
        ContactsPerArgument::Triangle => ContactsPer::Triangle,
    };
    let shape = arguments.shape.unwrap_or_default().into();
    table::limit_threads(&arguments.output.writing)?;
    let (output, explain) = (&arguments.output, arguments.explain);
    let nothing = scene::empty()?;
    let interior = match arguments.signed {
        true => Interior::ClosedSurfaces,
        false => Interior::Solids,
    };
    let contacts_in = |scene| ContactTable::new(scene, shape, each).with_interior(interior);
    explain::check(shapes, output, explain, &contacts_in(&nothing))?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let contacts = contacts_in(&scene);
    explain::answer_or_explain(shapes, output, explain, &contacts, VisitList::Counted)
}

fn list_pairs(arguments: &OverlapArguments) -> Result<(), Failure> {
    refuse_table_options(arguments)?;
    table::limit_threads(&arguments.output.writing)?;
    let format = arguments.output.writing.format.map(Into::into);
    table::output(arguments.output.output.as_deref()).format(format)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let test = match (arguments.exact, arguments.summary) {
        (false, _) => OverlapTest::Bounds,
        (true, false) => OverlapTest::Exact,
        (true, true) => OverlapTest::Summary,
    };
    let overlaps = OverlapTable::new(&scene, test).with_limit(arguments.limit);
    let output = table::output(arguments.output.output.as_deref());
    let options = TableOptions {
        format,
        frame: overlaps.frame(),
        prefix: "",
    };
    let mut writer = TableWriter::create_with(output, overlaps.columns(), options)?;
    overlaps.write(&mut writer, &INTERRUPTED)?;
    writer.finish()?;
    Ok(())
}

/// Options that say how a table of shapes is read or answered mean nothing without one.
fn refuse_table_options(arguments: &OverlapArguments) -> Result<(), Failure> {
    let explain = arguments.explain.explain.map(|_| "--explain");
    match explain.or_else(|| table::given_option(&arguments.output.rows)) {
        None => Ok(()),
        Some(option) => Err(Failure::usage(format!(
            "{option} belongs to a table of shapes: hitscan overlap SCENE SHAPES {option}"
        ))),
    }
}
