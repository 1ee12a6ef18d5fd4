//! Arguments of `hitscan arc`.

use super::{
    ExplainArguments, OutputArguments, PartsArguments, SceneArguments, SidesArgument,
    SummaryArguments,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What each ballistic arc of a table hits: where a thrown or fired thing lands.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns ox oy oz, or oy_above in place of oy: metres above the ground; and vx vy vz,
the velocity at t = 0, metres a second. It may have these, each with empty fields too:
  gx gy gz     the acceleration, metres a second squared [default: 0 -9.81 0]
  t_min t_max  the part of the arc that counts, seconds [default: 0 and infinity]
  mask         the layers that the arc sees, a bit each: 5, 0x5 or 0b101 [default: all]
  ignore       an object that the arc passes through, by name, such as the shooter; several
               have `;` between them [default: none]
Where the scene has map coordinates (`hitscan info SCENE` says which), easting height northing, or
lon height lat, may stand in place of ox oy oz; answers are then in them too, as hit_easting ...

Examples, on the files of `hitscan demo`:
  hitscan arc hitscan-demo/scene.toml hitscan-demo/arcs.csv
  hitscan arc hitscan-demo/scene.toml hitscan-demo/arcs.csv --hits any
  hitscan arc hitscan-demo/scene.toml hitscan-demo/arcs.csv --explain 1")]
pub(crate) struct ArcArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of arcs; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    #[arg(required_unless_present = "link")]
    pub(crate) arcs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Which hits are answered.
    #[arg(long, value_enum, default_value_t = ArcHitsArgument::Nearest)]
    pub(crate) hits: ArcHitsArgument,
    /// Which sides of surfaces are hit.
    #[arg(long, value_enum, default_value_t = SidesArgument::Both)]
    pub(crate) sides: SidesArgument,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArcHitsArgument {
    /// The nearest hit of each arc.
    Nearest,
    /// Only whether there is a hit.
    Any,
}
