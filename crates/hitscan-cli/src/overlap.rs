//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly.

use crate::arguments::OverlapArguments;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::{scene, table};
use hitscan_ask::{OverlapTable, OverlapTest};
use hitscan_table::TableWriter;

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    let scene = scene::load(&arguments.scene, arguments.output.as_deref())?;
    let test = match (arguments.exact, arguments.summary) {
        (false, _) => OverlapTest::Bounds,
        (true, false) => OverlapTest::Exact,
        (true, true) => OverlapTest::Summary,
    };
    let overlaps = OverlapTable::new(&scene, test).with_limit(arguments.limit);
    let output = table::output(arguments.output.as_deref());
    let mut writer = TableWriter::create(output, overlaps.columns())?;
    overlaps.write(&mut writer, &INTERRUPTED)?;
    writer.finish()?;
    Ok(())
}
