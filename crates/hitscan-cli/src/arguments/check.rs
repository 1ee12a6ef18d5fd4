//! Arguments of `hitscan check`.

use super::WritingArguments;
use super::table::parse_threads;
use super::{FormatArgument, OutputArguments, RowArguments, SceneArguments, ShapeArgument};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;

/// All errors of a scene at once; or whether each shape of a table is well placed in it.
#[derive(Debug, Args)]
#[command(after_help = "\
Without TABLE all errors of the scene and of the files that it names are printed, each with its line.
Other commands stop at the first.

With TABLE each row is `pass` or `fail`, and `reason` says why. The table has, by --shape:
  box      min_x min_y min_z max_x max_y max_z
  obb      cx cy cz half_x half_y half_z qx qy qz qw: an oriented box
  sphere   cx cy cz radius
  capsule  ax ay az bx by bz radius: all within the radius of the segment from a to b
  cylinder ax ay az bx by bz radius: flat ends, their middles at a and b
  hull     hull cx cy cz qx qy qz qw radius: a hull of the scene, by name, or that of --hull FILE
It may have mask and ignore as the table of `hitscan overlap`.

Exit codes: 0 where all is well, 2 for a scene or a table with errors, 3 where a row fails or cannot be
used.

Examples, on the files of `hitscan demo`:
  hitscan check hitscan-demo/scene.toml
  hitscan check hitscan-demo/scene.toml --format github
  hitscan check hitscan-demo/scene.toml hitscan-demo/walks.csv --shape capsule --on-ground 4")]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
    /// The table of shapes; `-` is standard input. Without it, the scene alone is checked.
    pub(crate) table: Option<PathBuf>,
    /// What the rows are, which decides the columns of the table [default: box].
    #[arg(long, value_name = "KIND", value_enum, requires = "table")]
    pub(crate) shape: Option<ShapeArgument>,
    /// With --shape hull: the hull of all rows, a table with the columns x y z or a model; there is no column
    /// `hull` then.
    #[arg(long, value_name = "FILE", requires = "table")]
    pub(crate) hull: Option<PathBuf>,
    /// Each shape stands on something: moved straight down by so many metres it meets it.
    #[arg(long, value_name = "METRES", requires = "table", value_parser = parse_metres,
        allow_hyphen_values = true)]
    pub(crate) on_ground: Option<f32>,
    /// Each shape overlaps nothing.
    #[arg(long, requires = "table")]
    pub(crate) clear: bool,
    /// Each shape is inside no closed mesh or model and below no terrain, as with `hitscan overlap
    /// --signed`, and in no solid.
    #[arg(long, requires = "table")]
    pub(crate) outside_solids: bool,
    /// The table of answers; `-`, or nothing, is standard output.
    #[arg(short, long, value_name = "OUT", requires = "table")]
    output: Option<PathBuf>,
    /// What is printed of errors and of rows that fail, in place of the table on standard output: text,
    /// json, or github, which are annotations of a workflow; or else the format of the table of answers.
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<CheckFormat>,
    /// How many threads work; the answers are the same [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) rows: RowArguments,
}

impl CheckArguments {
    /// The format of the report, if there is one. A scene alone has no table in its place.
    pub(crate) fn report(&self) -> Option<ReportFormat> {
        match self.format {
            Some(CheckFormat::Report(format)) => Some(format),
            _ if self.table.is_none() => Some(ReportFormat::Text),
            _ => None,
        }
    }

    /// The arguments of the table of answers.
    pub(crate) fn output(&self) -> OutputArguments {
        let format = match self.format {
            Some(CheckFormat::Table(format)) => Some(format),
            Some(CheckFormat::Report(_)) | None => None,
        };
        OutputArguments {
            output: self.output.clone(),
            writing: WritingArguments {
                format,
                threads: self.threads,
            },
            rows: self.rows.clone(),
        }
    }
}

/// How errors and failing rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Json,
    Github,
}

/// The format of what is printed: of a report, or of the table of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckFormat {
    Report(ReportFormat),
    Table(FormatArgument),
}

impl ValueEnum for CheckFormat {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<CheckFormat>> = LazyLock::new(|| {
            let reports = ReportFormat::value_variants().iter().copied();
            let tables = FormatArgument::value_variants().iter().copied();
            let reports = reports.map(CheckFormat::Report);
            reports.chain(tables.map(CheckFormat::Table)).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Report(format) => format.to_possible_value(),
            Self::Table(format) => format.to_possible_value(),
        }
    }
}

fn parse_metres(text: &str) -> Result<f32, String> {
    let metres = text.trim().parse().ok();
    let metres = metres.filter(|metres: &f32| *metres > 0.0 && *metres <= 1e18);
    metres.ok_or_else(|| format!("{text:?} is no distance: write metres above 0, such as 0.1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_above_zero() {
        assert_eq!(parse_metres("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "nan", "inf", ""] {
            assert!(parse_metres(wrong).is_err(), "{wrong}");
        }
    }
}
