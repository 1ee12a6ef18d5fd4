//! `hitscan check`: all errors of a scene at once, or whether each shape of a table is well placed.

mod report;

use crate::arguments::{CheckArguments, ExplainArguments, OutputArguments, PartsArguments};
use crate::failure::{Failure, check_interrupt};
use crate::row_shape::RowShape;
use crate::table::{self, TableRun};
use crate::{output, scene, warnings};
use hitscan_ask::{PlacementChecks, PlacementTable};
use hitscan_assets::Scene;
use hitscan_table::{Format, Location, Output, Summary};
use report::Report;
use std::path::Path;

pub(crate) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    match &arguments.table {
        None => check_scene(arguments),
        Some(table) => check_table(table, arguments),
    }
}

fn check_scene(arguments: &CheckArguments) -> Result<(), Failure> {
    let output = arguments.output();
    let format = output
        .writing
        .format
        .map(|format| Format::from(format).name());
    if let Some(option) = format.or_else(|| table::given_option(&arguments.rows)) {
        return Err(Failure::usage(format!(
            "{option} belongs to a table of shapes: hitscan check SCENE TABLE"
        )));
    }
    table::limit_threads(&output.writing)?;
    let report = Report::new(arguments);
    let scene = load(arguments, report.as_ref())?;
    report.map_or(Ok(()), |report| report.finish(&scene, None))
}

fn placements_in<'s>(
    scene: &'s Scene,
    shape: &RowShape,
    checks: PlacementChecks,
) -> PlacementTable<'s> {
    match shape {
        RowShape::Kind(kind) => PlacementTable::new(scene, *kind, checks),
        RowShape::Hull(hull) => PlacementTable::of_hull(scene, hull.clone(), checks),
    }
}

fn check_table(input: &Path, arguments: &CheckArguments) -> Result<(), Failure> {
    let checks = PlacementChecks {
        on_ground: arguments.on_ground,
        clear: arguments.clear,
        outside_solids: arguments.outside_solids,
    };
    if checks == PlacementChecks::default() {
        return Err(Failure::usage(
            "nothing is to be checked of the table: give --on-ground METRES, --clear or \
             --outside-solids",
        ));
    }
    let shape = arguments.shape.unwrap_or_default();
    let shape = RowShape::read(shape, arguments.hull.as_deref())?;
    let output = arguments.output();
    let report = Report::new(arguments);
    if report.is_some() && output.output.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage(
            "--format text, json and github write to standard output: name a file for the table",
        ));
    }
    table::limit_threads(&output.writing)?;
    let nothing = scene::empty()?;
    let run = &TableRun::new(
        &arguments.scene,
        &[input.to_owned()],
        &output,
        ExplainArguments::default(),
        PartsArguments::default(),
        false,
    )?;
    table::check(run, &placements_in(&nothing, &shape, checks))?;
    if let Some(path) = &output.output {
        output::refuse_input(path, &arguments.scene.scene)?;
    }
    let scene = load(arguments, report.as_ref())?;
    if let Some(path) = &output.output {
        scene::refuse_files(path, &scene)?;
    }
    let answers = placements_in(&scene, &shape, checks);
    let summary = match &report {
        None => {
            let to = table::output(output.output.as_deref());
            table::answer_to(to, run, &answers, None)
        }
        Some(report) => {
            let add = |place: &Location, status: &str, reason: &str| {
                report.add_row(place, status, reason);
            };
            table::answer_to(table_output(&output), run, &answers, Some(&add))
        }
    };
    let (summary, reported) = match (summary, report) {
        (Ok(summary), Some(report)) => {
            let reported = report.finish(&scene, Some(&summary));
            (summary, reported)
        }
        (Ok(summary), None) => (summary, Ok(())),
        (Err(failure), report) => {
            // The failure says more than one of the report.
            let _ = report.map(Report::break_off);
            return Err(failure);
        }
    };
    match (reported, unmet(&summary)) {
        // Rows fail, whoever reads of it.
        (Err(Failure::OutputClosed), Err(unmet)) => Err(unmet),
        (reported, unmet) => reported.and(unmet),
    }
}

/// Where the table goes beside a report.
fn table_output(arguments: &OutputArguments) -> Output {
    match &arguments.output {
        Some(path) => Output::File(path.clone()),
        None => Output::Stream {
            name: "no table".to_owned(),
            writer: Box::new(std::io::sink()),
        },
    }
}

/// Loads the scene, or reports all that is wrong with it.
fn load(arguments: &CheckArguments, report: Option<&Report>) -> Result<Scene, Failure> {
    let loaded = scene::check(&arguments.scene)?;
    check_interrupt()?;
    match (loaded, report) {
        (Ok(scene), report) => {
            // Other reports have them.
            if report.is_none_or(Report::is_text) {
                warnings::print(scene.warnings());
            }
            Ok(scene)
        }
        (Err(faults), Some(report)) => {
            report.write_faults(&faults)?;
            Err(Failure::Reported)
        }
        (Err(faults), None) => Err(Failure::Input(report::text_of(&faults).into())),
    }
}

/// The end of a run in which a row fails or cannot be used.
fn unmet(summary: &Summary) -> Result<(), Failure> {
    let (failed, invalid) = (summary.status_count("fail"), summary.invalid);
    if failed + invalid == 0 {
        return Ok(());
    }
    let unusable = match invalid {
        0 => String::new(),
        _ => format!(", {invalid} cannot be used"),
    };
    let rows = summary.rows;
    Err(Failure::Unmet(format!(
        "of {rows} rows {failed} fail{unusable}"
    )))
}
