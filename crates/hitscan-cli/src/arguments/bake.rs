//! Arguments of `hitscan bake`.

use super::SceneArguments;
use clap::Args;
use std::path::PathBuf;

/// A scene as one file that opens at once, for every command, and whose memory processes share.
#[derive(Debug, Args)]
#[command(after_help = "\
All that answers and pictures need is in the file: terrain, meshes and their trees, models, poses,
names. No tree is built when it is opened, and what no query reaches is not even read. It is
read by the version of the program that wrote it, and answers are the scene's, bit for bit.
`hitscan info` compares it with its hashes.

Example, on the files of `hitscan demo`:
  hitscan bake hitscan-demo/scene.toml -o valley.baked
  hitscan ray valley.baked hitscan-demo/rays.csv")]
pub(crate) struct BakeArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The file; `-` is standard output.
    #[arg(short, long, value_name = "OUT.baked")]
    pub(crate) output: PathBuf,
}
