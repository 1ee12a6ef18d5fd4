//! `hitscan overlap`: which objects overlap, by bounding boxes or exactly.

use crate::arguments::OverlapArguments;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::table;
use crate::warnings::load_scene;
use hitscan_ask::{OverlapTable, OverlapTest};
use hitscan_table::TableWriter;

pub(crate) fn run(arguments: &OverlapArguments) -> Result<(), Failure> {
    let scene = load_scene(&arguments.scene)?;
    let test = if arguments.exact {
        OverlapTest::Exact
    } else {
        OverlapTest::Bounds
    };
    let overlaps = OverlapTable::new(&scene, test);
    let output = table::output(arguments.output.as_deref());
    let mut writer = TableWriter::create(output, overlaps.columns())?;
    overlaps.write(&mut writer, &INTERRUPTED)?;
    writer.finish()?;
    Ok(())
}
