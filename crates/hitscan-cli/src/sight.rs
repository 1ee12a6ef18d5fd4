//! `hitscan sight`: which eye sees which target.

use crate::arguments::SightArguments;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::{scene, table};
use hitscan_ask::SightTable;
use hitscan_table::{TableOptions, TableWriter};
use std::path::Path;

pub(crate) fn run(arguments: &SightArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    if [&arguments.eyes, &arguments.targets].map(|table| table == Path::new("-")) == [true; 2] {
        return Err(Failure::usage(
            "only one of the two tables can be standard input",
        ));
    }
    table::limit_threads(&output.writing)?;
    let eyes = table::input(&arguments.eyes, output)?;
    let targets = table::input(&arguments.targets, output)?;
    let scene = scene::load(&arguments.scene, output.output.as_deref())?;
    let mut sight = SightTable::new(&scene, arguments.blocker);
    let bar = Bar::new("reading");
    let progress = |progress| bar.show(progress);
    let mut reading = table::options(output);
    reading.progress = &progress;
    let summary = sight.read_targets(targets, &reading)?;
    drop(bar);
    table::report(&summary);
    let options = TableOptions {
        format: output.writing.format.map(Into::into),
        frame: None,
        prefix: &output.prefix,
    };
    let out = table::output(output.output.as_deref());
    let mut writer = TableWriter::create_with(out, sight.columns(), options)?;
    let bar = Bar::new("answering");
    let progress = |progress| bar.show(progress);
    let mut answering = table::options(output);
    answering.progress = &progress;
    let summary = sight.write(eyes, &answering, &mut writer)?;
    writer.finish()?;
    drop(bar);
    table::report(&summary);
    Ok(())
}
