//! Arguments of `hitscan distance`.

use super::{OutputArguments, PartsArguments, SceneArguments, SummaryArguments};
use clap::Args;
use std::path::PathBuf;

/// How far two objects of the scene are apart, and between which points; without a table the closest pair.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns object_a object_b, names of objects. It may have these, each with empty
fields too:
  max_distance  how far apart they count, metres, itself included [default: infinity]
  mask          the layers that count, a bit each: 5, 0x5 or 0b101 [default: all]; an object in no
                layer counts, as it is named
  ignore        an object, or a part of a compound as object/part, that does not count; several
                have `;` between them [default: none]

The status is `apart`, `touching` or `overlap`, and `none` beyond max_distance. x0 y0 z0 and x1 y1 z1
are the nearest points of object_a and object_b, nx ny nz the direction between them; where the two
touch or overlap both are one point that they share. Part and triangle of both are those of the
nearest pieces, of several the lowest. A solid within a solid overlaps it; a mesh is its triangles,
and within another mesh it is apart.

Without PAIRS there is one row for the two objects of the scene that are closest to one another, with
their names in front; `hitscan overlap SCENE --apart METRES` lists all pairs that are as near.

Examples, the first and the last on the files of `hitscan demo`:
  hitscan distance hitscan-demo/scene.toml
  hitscan distance level.toml pairs.csv --threads 2 -o distances.parquet
  hitscan overlap hitscan-demo/scene.toml --apart 2.5")]
pub(crate) struct DistanceArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of pairs; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    /// Without it, the closest pair is answered.
    pub(crate) pairs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
}
