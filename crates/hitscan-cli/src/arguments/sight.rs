//! Arguments of `hitscan sight`.

use super::table::parse_columns;
use super::{ColumnList, OutputArguments, SceneArguments, SummaryArguments};
use clap::Args;
use std::path::PathBuf;

/// Which eye of one table sees which target of another.
#[derive(Debug, Args)]
#[command(after_help = "\
Both tables have the columns x y z, or y_above in place of y: metres above the ground. They may have
`ignore`, with empty fields too: an object that is looked through, by name, such as the one whose eye
it is; several have `;` between them. EYES may
have `mask`, the layers that hide, a bit each: 5, 0x5 or 0b101 [default: all]. Other columns are not
carried; there is a row for each pair, with the numbers of both rows, from 0. With --pairs there is one
for each of EYES, with all its columns, and TARGETS has as many rows: it may be the same file, with
--columns and --target-columns.
A point whose y is the f32 nearest to the ground's exact height, as `hitscan height` writes it, is
on the ground, and sees over the triangle that it is on.
Without TARGETS each of EYES has its own target, in the columns target_x target_y target_z, or
target_y_above; there is a row for each, with all its columns.
Where the scene has map coordinates (`hitscan info SCENE` says which), easting height northing, or
lon height lat, may stand in place of x y z.

Examples, on the files of `hitscan demo`:
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv hitscan-demo/targets.csv
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv hitscan-demo/targets.csv --blocker
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv hitscan-demo/targets.csv -o seen.parquet
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv hitscan-demo/eyes.csv --pairs --target-columns x=x,y=y,z=z
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv --blocker --columns target_x=0,target_y_above=1,target_z=0
  hitscan sight hitscan-demo/scene.toml hitscan-demo/eyes.csv hitscan-demo/targets.csv --explain 0,1")]
pub(crate) struct SightArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of eyes; `-` is standard input.
    #[arg(required_unless_present = "link")]
    pub(crate) eyes: Option<PathBuf>,
    /// The table of targets, at most 10,000,000, which are kept in memory; `-` is standard input
    /// [default: the target of each eye is in its row].
    pub(crate) targets: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Answer the eye of each row for the target of the same row, not each eye for each target. There is a
    /// row for each of EYES, with its columns in front.
    #[arg(long, requires = "targets")]
    pub(crate) pairs: bool,
    /// As --columns, which are those of EYES: the columns of TARGETS.
    #[arg(long, value_name = "NAME=COLUMN,...", value_parser = parse_columns, requires = "targets")]
    pub(crate) target_columns: Option<ColumnList>,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
    /// Answer what is nearest between them too: `t object part triangle`, t from 0 at the eye to 1.
    #[arg(long)]
    pub(crate) blocker: bool,
    /// In place of a table, what is between the eye and the target of these rows, from 0, and what
    /// does not block.
    #[arg(long, value_name = "EYE,TARGET", value_parser = parse_rows, requires = "targets")]
    pub(crate) explain: Option<[u64; 2]>,
    /// With --explain: one JSON object in place of text.
    #[arg(long, requires = "explain")]
    pub(crate) json: bool,
}

fn parse_rows(text: &str) -> Result<[u64; 2], String> {
    let rows = text.split_once(',').and_then(|(eye, target)| {
        let row = |text: &str| text.trim().parse().ok();
        Some([row(eye)?, row(target)?])
    });
    rows.ok_or_else(|| format!("{text:?} is no pair of rows: write two, such as 0,3"))
}
