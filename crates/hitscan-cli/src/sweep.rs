//! `hitscan sweep`: when each moving box first touches something.

use crate::arguments::SweepArguments;
use crate::failure::Failure;
use crate::table;
use crate::warnings::load_scene;
use hitscan_ask::SweepTable;

pub(crate) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
    let scene = load_scene(&arguments.scene)?;
    let moves = SweepTable::new(&scene);
    table::answer(&arguments.moves, &arguments.output, &moves)
}
