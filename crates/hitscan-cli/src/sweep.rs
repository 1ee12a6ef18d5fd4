//! `hitscan sweep`: when each moving box first touches something.

use crate::arguments::SweepArguments;
use crate::failure::Failure;
use crate::{scene, table};
use hitscan_ask::SweepTable;

pub(crate) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
    table::limit_threads(&arguments.output.writing)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let moves = SweepTable::new(&scene);
    table::answer(&arguments.moves, &arguments.output, &moves)
}
