//! Command-line arguments. The meaning of each command is in its own file.

mod explain;
mod parts;
mod reference;
mod scene;
mod table;
mod arc;
mod bake;
mod shapes;
mod closest;
mod distance;
mod sight;
mod check;
mod eye;
mod viewshed;
mod textures;
#[cfg(feature = "view")]
mod view;
mod render;

pub(crate) use arc::{ArcArguments, ArcHitsArgument};
pub(crate) use bake::BakeArguments;
pub(crate) use check::{CheckArguments, ReportFormat};
pub(crate) use closest::ClosestArguments;
pub(crate) use distance::DistanceArguments;
pub(crate) use explain::ExplainArguments;
pub(crate) use eye::{Coordinate, Eye, EyeSystem};
pub(crate) use parts::{PartsArguments, SummaryArguments};
pub(crate) use reference::{CompletionsArguments, HelpArguments, ManArguments};
pub(crate) use render::{LightArgument, RenderArguments};
pub(crate) use scene::{SceneArguments, SingleFileArguments};
pub(crate) use shapes::{
    ContactsPerArgument, InitialOverlapArgument, OverlapArguments, ShapeArgument, SweepArguments,
};
pub(crate) use sight::SightArguments;
pub(crate) use table::{
    ColumnList, FormatArgument, OnBadRow, OutputArguments, RowArguments, WritingArguments,
};
pub(crate) use textures::TexturesArgument;
#[cfg(feature = "view")]
pub(crate) use view::ViewArguments;
pub(crate) use viewshed::ViewshedArguments;

use clap::{Args, Parser, Subcommand, ValueEnum};
use hitscan::Sides;
use std::path::PathBuf;

/// Exact collision queries for game worlds: terrain, animated models, spheres and boxes.
///
/// Tables are CSV (.csv, .csv.gz, .csv.zst, .tsv), Parquet or Arrow IPC (.parquet, .arrow) by the file's
/// ending; `-` is CSV on standard input or output. `hitscan demo` makes a world to try everything on.
#[derive(Debug, Parser)]
#[command(
    name = "hitscan",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "\
Topics:
  hitscan help scene    the tables and keys of a scene file
  hitscan help tables   the columns, status words and options of every command
  hitscan help files    which files are read, and what of them; where maps lie on the earth
  hitscan help recipes  commands for common jobs, with their files and what they print"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ray(RayArguments),
    Arc(ArcArguments),
    Height(HeightArguments),
    Sweep(SweepArguments),
    Overlap(OverlapArguments),
    Closest(ClosestArguments),
    Distance(DistanceArguments),
    Sight(SightArguments),
    Viewshed(ViewshedArguments),
    Check(CheckArguments),
    Bake(BakeArguments),
    Info(InfoArguments),
    Render(RenderArguments),
    #[cfg(feature = "view")]
    View(ViewArguments),
    Demo(DemoArguments),
    Help(HelpArguments),
    Completions(CompletionsArguments),
    Man(ManArguments),
}

impl Command {
    /// The name and the scene of a command that answers tables, where none is named.
    pub(crate) fn without_table(&self) -> Option<(&'static str, &SceneArguments)> {
        let (name, scene, tables) = match self {
            Self::Ray(ray) => ("ray", &ray.scene, &ray.rays),
            Self::Arc(arc) => ("arc", &arc.scene, &arc.arcs),
            Self::Height(height) => ("height", &height.scene, &height.points),
            Self::Sweep(sweep) => ("sweep", &sweep.scene, &sweep.moves),
            Self::Overlap(overlap) => ("overlap", &overlap.scene, &overlap.shapes),
            Self::Closest(closest) => ("closest", &closest.scene, &closest.points),
            Self::Distance(distance) => ("distance", &distance.scene, &distance.pairs),
            Self::Sight(sight) => {
                return sight.eyes.is_none().then_some(("sight", &sight.scene));
            }
            Self::Viewshed(viewshed) => {
                let has_no_eye = viewshed.eye.is_none() && viewshed.eyes.is_none();
                return has_no_eye.then_some(("viewshed", &viewshed.scene));
            }
            _ => return None,
        };
        tables.is_empty().then_some((name, scene))
    }
}

/// What each ray of a table hits: where, on which triangle of which part.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns ox oy oz dx dy dz, or oy_above in place of oy: metres above the ground.
It may have these, each with empty fields too:
  t_min t_max  the part of the ray that counts [default: 0 and infinity]
  mask         the layers that the ray sees, a bit each: 5, 0x5 or 0b101 [default: all]
  ignore       an object that the ray passes through, by name, such as the shooter; several
               have `;` between them [default: none]
Where the scene has map coordinates (`hitscan info SCENE` says which), easting height northing, or
lon height lat, may stand in place of ox oy oz; answers are then in them too, as hit_easting ...

Examples, on the files of `hitscan demo`:
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv -o hits.csv
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv --format csv.gz | gunzip
  hitscan ray hitscan-demo/scene.toml hitscan-demo/points.csv --prefix hit_ --columns ox=x,oy=500,oz=z,dx=0,dy=-1,dz=0
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv --prefix first_ |
    hitscan ray hitscan-demo/scene.toml - --hits any --threads 2 --on-bad-row skip
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv --explain 0
  hitscan ray hitscan-demo/scene.toml hitscan-demo/rays.csv --explain 0 --expect bruno")]
pub(crate) struct RayArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of rays; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    #[arg(required_unless_present = "link")]
    pub(crate) rays: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Which hits are answered.
    #[arg(long, value_enum, default_value_t = Hits::Nearest)]
    pub(crate) hits: Hits,
    /// Which sides of surfaces are hit.
    #[arg(long, value_enum, default_value_t = SidesArgument::Both)]
    pub(crate) sides: SidesArgument,
    /// How terrain is searched; `march` is the classic approximate search, for comparison.
    #[arg(long, value_enum, default_value_t = RayMethod::Exact)]
    pub(crate) method: RayMethod,
    /// The length of a march's steps, metres [default: half the smaller spacing].
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    pub(crate) step: Option<f64>,
    /// The number of a march's bisections [default: 32].
    #[arg(long, value_name = "N")]
    pub(crate) bisections: Option<u32>,
    /// Answer in a model's bind space too: the `joint` that moves the hit point most, and that point
    /// in bind space, `bind_x bind_y bind_z`, which is where a decal goes.
    #[arg(long)]
    pub(crate) bind: bool,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
    /// With --explain: each box, triangle and solid that the search for the nearest hit looks at, in
    /// order, and what became of it; the first 10,000.
    #[arg(long, requires = "explain")]
    pub(crate) visits: bool,
    /// With --explain: why the ray does not hit this object, by name: hidden behind what, filtered,
    /// out of range, from the wrong side, or passed by how many metres, and which turn would hit it.
    #[arg(long, value_name = "OBJECT", requires = "explain")]
    pub(crate) expect: Option<String>,
}

/// How high the ground is at each point of a table.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns x z, and may have these, each with empty fields too:
  mask         the layers that count, a bit each: 5, 0x5 or 0b101 [default: all]
  ignore       a terrain that is left out, by name; several have `;` between them
               [default: none]
With --method footprint it also has `radius`, a disc, or half_x half_z, a rectangle, with an optional
`angle`, radians about +Y. Answers: the mean height, the least-squares plane's normal nx ny nz, its
`slope` in radians and its height `plane` at the point, the ground's `min` and `max`, and `coverage`,
the ground's share of the footprint.
Where the scene has map coordinates (`hitscan info SCENE` says which), easting northing, or lon lat,
may stand in place of x z; the height is then that of the map.

Examples, on the files of `hitscan demo`:
  hitscan height hitscan-demo/scene.toml hitscan-demo/points.csv
  hitscan height hitscan-demo/scene.toml hitscan-demo/points.csv --method mean --radius 12
  hitscan height hitscan-demo/scene.toml hitscan-demo/points.csv --prefix low_ |
    hitscan height hitscan-demo/scene.toml - --method max --radius 12 --prefix high_
  hitscan height hitscan-demo/scene.toml hitscan-demo/footprints.csv --method footprint
  hitscan height hitscan-demo/scene.toml hitscan-demo/eyes.csv --above y
  hitscan height hitscan-demo/scene.toml hitscan-demo/points.csv --explain 0")]
pub(crate) struct HeightArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of points; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    #[arg(required_unless_present = "link")]
    pub(crate) points: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Which height is answered.
    #[arg(long, value_enum, default_value_t = HeightMethod::Exact)]
    pub(crate) method: HeightMethod,
    /// Answer how far above the ground the y of each point is too, in metres, negative below it, as the
    /// column `above`. COLUMN is the table's column of y, or a number. Not with --method footprint.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) above: Option<String>,
    /// The radius for `max` and `mean`, metres.
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub(crate) radius: Option<f64>,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
}

/// What is in a scene, baked or not, a height map or a model.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples, on the files of `hitscan demo`:
  hitscan info hitscan-demo/scene.toml
  hitscan info hitscan-demo/robot.glb
  hitscan info hitscan-demo/scene.toml --json

The object of --json has `file`, `kind` (scene, baked_scene, height_map or model) and, by kind, these keys and
others for what the text says; what a file has not is null or not there:
  scene       objects: a list of name, kind, triangles, bounds, and model: a place in models
              models: a list of file, instances (their number), bounds and the keys of a model
              bounds: min and max, three numbers each; memory_bytes; notes: a list of texts
  height_map  format, columns, rows, triangles (those over holes are none), holes,
              values: the least and the greatest; spacing and extent: two numbers, metres;
              memory_bytes
  baked_scene version, content_hash: 32 hexadecimal digits, file_bytes, and the keys of a scene;
              the whole file is compared with its hashes
  model       format, nodes, joints: a list of names, triangles, bounds, memory_bytes, notes
              parts: a list of name, triangles, skinned, morph_targets
              clips: a list of index, name, start and end (seconds), channels")]
pub(crate) struct InfoArguments {
    /// The file.
    pub(crate) file: PathBuf,
    /// One JSON object in place of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A built-in world: one question of each kind, the answers in a table, and pictures.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  hitscan demo --out hitscan-demo")]
pub(crate) struct DemoArguments {
    /// The folder to write to.
    #[arg(long, value_name = "DIR", default_value = "hitscan-demo")]
    pub(crate) out: PathBuf,
    /// Write to a folder that holds something else too, and replace files of the demo's names.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hits {
    /// The nearest hit of each row.
    Nearest,
    /// All hits, nearest first, one row each.
    All,
    /// Only whether there is a hit.
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SidesArgument {
    Both,
    Front,
    Back,
}

impl From<SidesArgument> for Sides {
    fn from(sides: SidesArgument) -> Self {
        match sides {
            SidesArgument::Both => Self::Both,
            SidesArgument::Front => Self::Front,
            SidesArgument::Back => Self::Back,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RayMethod {
    Exact,
    March,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeightMethod {
    /// The height on the point's triangle.
    Exact,
    /// The highest sample within the radius.
    Max,
    /// The mean of the samples within the radius.
    Mean,
    /// How the surface lies under a disc or a rectangle.
    Footprint,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_sound() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }
}
