//! `hitscan distance`: how far pairs of objects are apart; without a table the closest pair of all.

use crate::arguments::{DistanceArguments, ExplainArguments, OutputArguments};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::scene;
use crate::table::{self, TableRun};
use hitscan_ask::{DistanceTable, NearPairTable, NearPairs};
use hitscan_assets::Scene;
use hitscan_table::{TableOptions, TableWriter};

pub(crate) fn run(arguments: &DistanceArguments) -> Result<(), Failure> {
    if arguments.pairs.is_empty() {
        return answer_closest(arguments);
    }
    table::limit_threads(&arguments.output.writing)?;
    let run = &TableRun::new(
        &arguments.scene,
        &arguments.pairs,
        &arguments.output,
        ExplainArguments::default(),
        arguments.parts,
        arguments.summary.summary,
    )?;
    let nothing = scene::empty()?;
    table::check(run, &DistanceTable::new(&nothing))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    table::answer(run, &DistanceTable::new(&scene)).map(drop)
}

fn answer_closest(arguments: &DistanceArguments) -> Result<(), Failure> {
    let parts = arguments.parts.parts.map(|_| "--parts");
    let summary = arguments.summary.summary.then_some("--summary");
    let given = parts.or(summary);
    if let Some(option) = given.or_else(|| table::given_option(&arguments.output.rows)) {
        return Err(Failure::usage(format!(
            "{option} belongs to a table of pairs: hitscan distance SCENE PAIRS {option}"
        )));
    }
    let output = &arguments.output;
    let scene = begin_list(output, || {
        scene::load(&arguments.scene, output.output.as_deref())
    })?;
    write_list(output, &NearPairTable::new(&scene, NearPairs::Closest))
}

/// Refuses what is wrong with the output of a list of pairs, and loads the scene.
pub(crate) fn begin_list(
    output: &OutputArguments,
    load: impl FnOnce() -> Result<Scene, Failure>,
) -> Result<Scene, Failure> {
    table::limit_threads(&output.writing)?;
    let format = output.writing.format.map(Into::into);
    table::output(output.output.as_deref()).format(format)?;
    load()
}

/// Writes a list of pairs.
pub(crate) fn write_list(
    output: &OutputArguments,
    pairs: &NearPairTable<'_>,
) -> Result<(), Failure> {
    let options = TableOptions {
        format: output.writing.format.map(Into::into),
        frame: pairs.frame(),
        prefix: "",
    };
    let out = table::output(output.output.as_deref());
    let mut writer = TableWriter::create_with(out, pairs.columns(), options)?;
    pairs.write(&mut writer, &INTERRUPTED)?;
    writer.finish()?;
    Ok(())
}
