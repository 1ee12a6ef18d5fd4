//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly; or, with a table, what each
//! of its shapes overlaps, touches or is near to.

use crate::arguments::{ContactsPerArgument, OverlapArguments};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::row_shape::RowShape;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{distance, explain, scene};
use hitscan::{ContactsPer, Interior};
use hitscan_ask::{ContactTable, NearPairTable, NearPairs, OverlapTable, OverlapTest};
use hitscan_table::{TableOptions, TableWriter};

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    match arguments.shapes.is_empty() {
        false => answer_shapes(arguments),
        true => list_pairs(arguments),
    }
}

fn answer_shapes(arguments: &OverlapArguments) -> Result<(), Failure> {
    let each = match arguments.each.unwrap_or_default() {
        ContactsPerArgument::Object => ContactsPer::Object,
        ContactsPerArgument::Triangle => ContactsPer::Triangle,
    };
    let shape = arguments.shape.unwrap_or_default();
    let shape = RowShape::read(shape, arguments.hull.as_deref())?;
    table::limit_threads(&arguments.output.writing)?;
    let run = &TableRun::new(
        &arguments.scene,
        &arguments.shapes,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary,
    )?;
    let nothing = scene::empty()?;
    let interior = match arguments.signed {
        true => Interior::ClosedSurfaces,
        false => Interior::Solids,
    };
    let contacts_in = |scene| {
        let contacts = match &shape {
            RowShape::Kind(kind) => ContactTable::new(scene, *kind, each),
            RowShape::Hull(hull) => ContactTable::of_hull(scene, hull.clone(), each),
        };
        contacts.with_interior(interior)
    };
    explain::check(run, &contacts_in(&nothing))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let contacts = contacts_in(&scene);
    explain::answer_or_explain(run, &scene, &contacts, VisitList::Counted)
}

fn list_pairs(arguments: &OverlapArguments) -> Result<(), Failure> {
    refuse_table_options(arguments)?;
    if let Some(metres) = arguments.apart {
        let output = &arguments.output;
        let load = || scene::load(&arguments.scene, output.output.as_deref());
        let scene = distance::begin_list(output, load)?;
        let pairs = NearPairTable::new(&scene, NearPairs::Within(metres));
        return distance::write_list(output, &pairs.with_limit(arguments.limit));
    }
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
    let parts = arguments.parts.parts.map(|_| "--parts");
    let given = explain.or(parts);
    match given.or_else(|| table::given_option(&arguments.output.rows)) {
        None if arguments.summary && !arguments.exact => Err(Failure::usage(
            "--summary needs --exact, of which it counts the rows, or a table of shapes",
        )),
        None => Ok(()),
        Some(option) => Err(Failure::usage(format!(
            "{option} belongs to a table of shapes: hitscan overlap SCENE SHAPES {option}"
        ))),
    }
}
