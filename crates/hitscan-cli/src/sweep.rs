//! `hitscan sweep`: when each moving shape first touches something.

use crate::arguments::{Hits, InitialOverlapArgument, SidesArgument, SweepArguments};
use crate::explain::Explained;
use crate::failure::Failure;
use crate::row_shape::RowShape;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{explain, scene};
use hitscan::shape_cast::InitialOverlap;
use hitscan_ask::{
    ContactColumns, MoveHits, MoveSettings, ObjectSweepTable, ObjectTurningTable, SweepTable,
    TurningHits, TurningSettings, TurningTable,
};
use hitscan_assets::Scene;
use hitscan_table::Questions;

pub(crate) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
    if arguments.turning {
        return run_turning(arguments);
    }
    let settings = MoveSettings {
        shape: arguments.shape.into(),
        sides: arguments.sides.into(),
        initial_overlap: match arguments.initial_overlap {
            InitialOverlapArgument::Stop => InitialOverlap::Stop,
            InitialOverlapArgument::Escape => InitialOverlap::Escape,
        },
        hits: hits(arguments)?,
    };
    table::limit_threads(&arguments.output.writing)?;
    let run = &table_run(arguments)?;
    let nothing = scene::empty()?;
    if arguments.object {
        let moves = ObjectSweepTable::new(&nothing, settings);
        explain::check(run, &moves)?;
        let scene = scene::load(&arguments.scene, run.output_file())?;
        let moves = ObjectSweepTable::new(&scene, settings);
        let explained = |questions: &Questions| Ok(Explained::of(moves.explain(questions)?));
        let visits = VisitList::Counted;
        return explain::answer_or_explain_by(run, &scene, &moves, &explained, visits);
    }
    let shape = RowShape::read(arguments.shape, arguments.hull.as_deref())?;
    explain::check(run, &moves_in(&nothing, &shape, settings))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let moves = moves_in(&scene, &shape, settings);
    explain::answer_or_explain(run, &scene, &moves, VisitList::Counted)
}

fn moves_in<'s>(scene: &'s Scene, shape: &RowShape, settings: MoveSettings) -> SweepTable<'s> {
    match shape {
        RowShape::Kind(_) => SweepTable::with_settings(scene, settings),
        RowShape::Hull(hull) => SweepTable::of_hull(scene, hull.clone(), settings),
    }
}

/// Answers shapes that turn while they move.
fn run_turning(arguments: &SweepArguments) -> Result<(), Failure> {
    let hits = match arguments.hits {
        Hits::Nearest => TurningHits::Nearest,
        Hits::Any => TurningHits::Any,
        Hits::All => return Err(refused("--hits all")),
    };
    if arguments.initial_overlap == InitialOverlapArgument::Escape {
        return Err(refused("--initial-overlap escape"));
    }
    if arguments.sides != SidesArgument::Both {
        return Err(refused("--sides"));
    }
    if arguments.contact {
        return Err(refused("--contact"));
    }
    if arguments.explain.explain.is_some() {
        return Err(refused("--explain"));
    }
    if let Some(tolerance) = arguments.tolerance
        && !(tolerance > 0.0 && tolerance.is_finite())
    {
        let message = format!("--tolerance must be a length of more than 0, found {tolerance}");
        return Err(Failure::usage(message));
    }
    let settings = TurningSettings {
        shape: arguments.shape.into(),
        tolerance: arguments.tolerance,
        hits,
    };
    table::limit_threads(&arguments.output.writing)?;
    let run = &table_run(arguments)?;
    let nothing = scene::empty()?;
    // There is nothing to explain: that is refused above.
    let explained = |_: &Questions| Ok(Explained::default());
    let visits = VisitList::Counted;
    if arguments.object {
        explain::check(run, &ObjectTurningTable::new(&nothing, settings))?;
        let scene = scene::load(&arguments.scene, run.output_file())?;
        let turns = ObjectTurningTable::new(&scene, settings);
        return explain::answer_or_explain_by(run, &scene, &turns, &explained, visits);
    }
    let shape = RowShape::read(arguments.shape, arguments.hull.as_deref())?;
    explain::check(run, &turns_in(&nothing, &shape, settings))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let turns = turns_in(&scene, &shape, settings);
    explain::answer_or_explain_by(run, &scene, &turns, &explained, visits)
}

fn turns_in<'s>(scene: &'s Scene, shape: &RowShape, settings: TurningSettings) -> TurningTable<'s> {
    match shape {
        RowShape::Kind(_) => TurningTable::new(scene, settings),
        RowShape::Hull(hull) => TurningTable::of_hull(scene, hull.clone(), settings),
    }
}

fn refused(option: &str) -> Failure {
    Failure::usage(format!(
        "{option} does not go with --turning, which answers the first hit alone (or --hits any), from both \
         sides, and stops at overlaps"
    ))
}

fn hits(arguments: &SweepArguments) -> Result<MoveHits, Failure> {
    let columns = match arguments.contact {
        false => ContactColumns::Hit,
        true => ContactColumns::HitAndContact,
    };
    match (arguments.hits, columns) {
        (Hits::Nearest, columns) => Ok(MoveHits::Nearest(columns)),
        (Hits::All, columns) => Ok(MoveHits::All(columns)),
        (Hits::Any, ContactColumns::Hit) => Ok(MoveHits::Any),
        (Hits::Any, ContactColumns::HitAndContact) => Err(Failure::usage(
            "--hits any answers the status alone: --contact needs --hits nearest or all",
        )),
    }
}

fn table_run(arguments: &SweepArguments) -> Result<TableRun<'_>, Failure> {
    TableRun::new(
        &arguments.scene,
        &arguments.moves,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary.summary,
    )
}
