//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly.

use crate::arguments::OverlapArguments;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::{scene, table};
use hitscan_ask::{OverlapTable, OverlapTest};
use hitscan_table::{TableOptions, TableWriter};

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    table::limit_threads(&arguments.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.as_deref())?;
    let test = match (arguments.exact, arguments.summary) {
        (false, _) => OverlapTest::Bounds,
        (true, false) => OverlapTest::Exact,
        (true, true) => OverlapTest::Summary,
    };
    let overlaps = OverlapTable::new(&scene, test).with_limit(arguments.limit);
    let output = table::output(arguments.output.as_deref());
    let options = TableOptions {
        format: arguments.writing.format.map(Into::into),
        frame: overlaps.frame(),
        prefix: "",
    };
    let mut writer = TableWriter::create_with(output, overlaps.columns(), options)?;
    overlaps.write(&mut writer, &INTERRUPTED)?;
    writer.finish()?;
    Ok(())
}
