//! Questions about shapes that move or rest: `sweep` and `overlap`.

use super::{
    ExplainArguments, Hits, OutputArguments, PartsArguments, SceneArguments, SidesArgument,
    SummaryArguments,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// When each moving shape of a table first touches something.
#[derive(Debug, Args)]
#[command(after_help = "\
The table has the columns dx dy dz, which is how far the shape moves, and by --shape:
  box      min_x min_y min_z max_x max_y max_z
  obb      cx cy cz half_x half_y half_z qx qy qz qw: an oriented box
  sphere   cx cy cz radius
  capsule  ax ay az bx by bz radius: all within the radius of the segment from a to b
  cylinder ax ay az bx by bz radius: flat ends, their middles at a and b
  hull     hull cx cy cz qx qy qz qw radius: a hull of the scene, by name, or that of --hull FILE
With --object it has mover dx dy dz: objects of the scene move, as they stand or with --turning;
`mover` is a name.
It may have these, each with empty fields too:
  mask         the layers that the shape meets, a bit each: 5, 0x5 or 0b101 [default: all]
  ignore       an object that the shape passes through, by name, such as the one that moves;
               several have `;` between them [default: none]
With --turning it has these too; `hitscan help tables` says more:
  axis_x axis_y axis_z     the axis of the turn, of any length
  angle                    radians while t goes from 0 to 1, right-handed [default: 0]
  pivot_x pivot_y pivot_z  a point of the axis [default: the middle of the box around what moves]
  tolerance                how near a hit is, metres
Where the scene has map coordinates (`hitscan info SCENE` says which), min_easting min_height
min_northing, easting height northing (of a centre), a_easting a_height a_northing and so on, and
pivot_easting may stand in place of min_x min_y min_z, cx cy cz, ax ay az, pivot_x; in degrees they
end in lon and lat. In place
of each y there may be metres above the ground: min_y_above max_y_above, cy_above, ay_above by_above.

Examples, on the files of `hitscan demo`:
  hitscan sweep hitscan-demo/scene.toml hitscan-demo/moves.csv
  hitscan sweep hitscan-demo/scene.toml hitscan-demo/moves.csv -o contacts.csv.zst
  hitscan sweep hitscan-demo/scene.toml hitscan-demo/walks.csv --shape capsule --contact
  hitscan sweep hitscan-demo/scene.toml hitscan-demo/walks.csv --shape capsule --hits all
  hitscan sweep hitscan-demo/scene.toml hitscan-demo/moves.csv --explain 0")]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of moves; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    #[arg(required_unless_present = "link")]
    pub(crate) moves: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// What moves, which decides the columns of the table.
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    pub(crate) shape: ShapeArgument,
    /// With --shape hull: the hull of all rows, a table with the columns x y z or a model; there is no column
    /// `hull` then.
    #[arg(long, value_name = "FILE", conflicts_with = "object")]
    pub(crate) hull: Option<PathBuf>,
    /// Objects of the scene move, which the column `mover` names; the answers end with `mover_part
    /// mover_triangle`. A mover is no obstacle itself.
    #[arg(long, conflicts_with = "shape")]
    pub(crate) object: bool,
    /// Which sides of triangles are hit; front is the side that the motion goes against.
    #[arg(long, value_enum, default_value_t = SidesArgument::Both)]
    pub(crate) sides: SidesArgument,
    /// What the shape does with what it overlaps at the start: stop there, or escape from it, stopped
    /// only from going deeper.
    #[arg(long, value_enum, default_value_t, alias = "overlaps")]
    pub(crate) initial_overlap: InitialOverlapArgument,
    /// Which hits are answered; all are the first with each object, or surface of several objects.
    #[arg(long, value_enum, default_value_t = Hits::Nearest)]
    pub(crate) hits: Hits,
    /// Answer too how the shape stands at the start, where it touches, from which side, and how far
    /// and in which direction it gets out of an overlap: `start x y z side separation out_x out_y
    /// out_z`.
    #[arg(long)]
    pub(crate) contact: bool,
    /// The shapes, or objects, turn too: the table has `axis_x axis_y axis_z angle`, and the answers end with `gap`.
    #[arg(long)]
    pub(crate) turning: bool,
    /// With --turning: how near a hit is, metres, where no column says it [default: a ten-thousandth of
    /// the longest side of the box around what moves].
    #[arg(long, value_name = "METRES", requires = "turning")]
    pub(crate) tolerance: Option<f64>,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    #[command(flatten)]
    pub(crate) summary: SummaryArguments,
}

/// Which objects overlap, or what each shape of a table overlaps, touches or is near to.
#[derive(Debug, Args)]
#[command(after_help = "\
With SHAPES there is a row for each object that a shape overlaps, touches or is within its margin
of, and a row `separate` for a shape with none: also for one inside a closed mesh or below the ground,
unless --signed asks for it. The table has, by --shape:
  box      min_x min_y min_z max_x max_y max_z
  obb      cx cy cz half_x half_y half_z qx qy qz qw: an oriented box
  sphere   cx cy cz radius
  capsule  ax ay az bx by bz radius: all within the radius of the segment from a to b
  cylinder ax ay az bx by bz radius: flat ends, their middles at a and b
  hull     hull cx cy cz qx qy qz qw radius: a hull of the scene, by name, or that of --hull FILE
It may have `margin`, metres [default: 0], and mask and ignore as the table of `hitscan sweep`.
Objects that share a `surface` in the scene are one object (`hitscan help scene`).

Without SHAPES pairs of the scene's objects are listed. The kinds of --exact, a row for each pair of
triangles or solids:
  cross     they pass through each other, along the segment x0 y0 z0 to x1 y1 z1
  coplanar  they lie in one plane and share an area
  touch     they share a point or an edge
  contains  without triangles: all of object_b is within object_a, which is closed or a solid and
            may be the later of the two; with a triangle: it is within the other object, a solid
--summary has the columns object_a object_b, how many rows of each kind there are, cross coplanar
touch inside (triangles within a solid), and contains: `a` or `b`, the one that contains all of the
other, or empty.

Examples, on the files of `hitscan demo`:
  hitscan overlap hitscan-demo/scene.toml
  hitscan overlap hitscan-demo/scene.toml --exact -o overlaps.parquet
  hitscan overlap hitscan-demo/scene.toml --exact --summary
  hitscan overlap hitscan-demo/scene.toml hitscan-demo/shapes.csv
  hitscan overlap hitscan-demo/scene.toml hitscan-demo/walks.csv --shape capsule --each triangle
  hitscan overlap hitscan-demo/scene.toml hitscan-demo/walks.csv --shape capsule --signed
  hitscan overlap hitscan-demo/scene.toml hitscan-demo/shapes.csv --explain 0 --json")]
pub(crate) struct OverlapArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of shapes; `-` is standard input. Several, and patterns such as 'logs/*.csv', are one.
    /// Without it, pairs of objects are listed.
    pub(crate) shapes: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// With SHAPES: what rests, which decides the columns of the table [default: box].
    #[arg(long, value_name = "KIND", value_enum, requires = "shapes")]
    pub(crate) shape: Option<ShapeArgument>,
    /// With --shape hull: the hull of all rows, a table with the columns x y z or a model; there is no column
    /// `hull` then.
    #[arg(long, value_name = "FILE", requires = "shapes")]
    pub(crate) hull: Option<PathBuf>,
    /// With SHAPES: of what there is a row each [default: object].
    #[arg(long, value_enum, requires = "shapes")]
    pub(crate) each: Option<ContactsPerArgument>,
    /// With SHAPES: say too what a shape is `inside` of, a closed mesh or model, or `below`, a terrain,
    /// without overlapping a triangle of it, and the way out.
    #[arg(long, requires = "shapes")]
    pub(crate) signed: bool,
    #[command(flatten)]
    pub(crate) explain: ExplainArguments,
    #[command(flatten)]
    pub(crate) parts: PartsArguments,
    /// Without SHAPES: compare shapes, triangle by triangle, not bounding boxes.
    #[arg(long, conflicts_with = "shapes")]
    pub(crate) exact: bool,
    /// Without SHAPES: list every pair of objects that are no farther apart than so many metres, exactly,
    /// with their distance; the columns are those of `hitscan distance`.
    #[arg(long, value_name = "METRES", value_parser = parse_apart, allow_hyphen_values = true,
        conflicts_with_all = ["shapes", "exact"])]
    pub(crate) apart: Option<f64>,
    /// With SHAPES: print on standard error at the end how many rows were answered, with which status
    /// and which objects, and how long it took. With --exact: one row for each pair of objects.
    #[arg(long)]
    pub(crate) summary: bool,
    /// Without SHAPES: end the table after so many rows.
    #[arg(long, value_name = "N", conflicts_with = "shapes")]
    pub(crate) limit: Option<u64>,
}

fn parse_apart(text: &str) -> Result<f64, String> {
    let metres = text.trim().parse().ok();
    let metres = metres.filter(|metres: &f64| *metres >= 0.0);
    metres.ok_or_else(|| format!("{text:?} is no distance: metres, at least 0"))
}

/// The kinds of shapes, named as in scene files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ShapeArgument {
    #[default]
    Box,
    #[value(alias = "turned_box")]
    Obb,
    Sphere,
    Capsule,
    /// A hull of the scene, by its name.
    Hull,
    Cylinder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum InitialOverlapArgument {
    /// What overlaps the shape at the start stops it.
    #[default]
    Stop,
    /// It may get out, and along; it is stopped from going deeper.
    #[value(alias = "leave")]
    Escape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ContactsPerArgument {
    /// The contact of least separation.
    #[default]
    Object,
    /// All triangles, and solids, save those whose contact a neighbouring triangle contradicts.
    Triangle,
}
