//! Arguments of `hitscan closest`.

use super::{ExplainArguments, OutputArguments, PartsArguments, SceneArguments, SummaryArguments};
use clap::Args;
use std::path::PathBuf;

/// What is nearest to each point of a table, and how far away.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns px py pz, or py_above in place of py: metres above the ground. It may have
these, each with empty fields too:
  max_distance  how far away things count, metres, itself included [default: infinity]
  mask          the layers that count, a bit each: 5, 0x5 or 0b101 [default: all]
  ignore        an object that does not count, by name; several have `;` between them
                [default: none]
Where the scene has map coordinates (`hitscan info SCENE` says which), easting height northing, or
lon height lat, may stand in place of px py pz; answers are then in them too, as nearest_easting ...

Strictly inside a sphere, a box, a turned box, a capsule or a cylinder the status is `inside` and the distance
negative; with --signed also inside a mesh or model that is closed, or a part that is.

Examples, on the files of `hitscan demo`:
  hitscan closest hitscan-demo/scene.toml hitscan-demo/probes.csv --signed
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv --prefix p |
    hitscan closest hitscan-demo/scene.toml - --signed --prefix near_")]
pub(crate) struct ClosestArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of points; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    #[arg(required_unless_present = "link")]
    pub(crate) points: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Count closed meshes and models as solids: within one the distance is negative.
    #[arg(long)]
    pub(crate) signed: bool,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
}
