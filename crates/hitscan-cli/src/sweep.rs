//! `hitscan sweep`: when each moving shape first touches something.

use crate::arguments::{Hits, InitialOverlapArgument, ShapeArgument, SweepArguments};
use crate::failure::Failure;
use crate::table::{self, TableRun};
use crate::trace::VisitList;
use crate::{explain, scene};
use hitscan::shape_cast::InitialOverlap;
use hitscan_ask::{ContactColumns, MoveHits, MoveSettings, ShapeKind, SweepTable};

pub(crate) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
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
    let moves = SweepTable::with_settings(&nothing, settings);
    explain::check(run, &moves)?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let moves = SweepTable::with_settings(&scene, settings);
    explain::answer_or_explain(run, &scene, &moves, VisitList::Counted)
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

impl From<ShapeArgument> for ShapeKind {
    fn from(shape: ShapeArgument) -> Self {
        match shape {
            ShapeArgument::Box => Self::Box,
            ShapeArgument::Obb => Self::Obb,
            ShapeArgument::Sphere => Self::Sphere,
            ShapeArgument::Capsule => Self::Capsule,
            ShapeArgument::Hull => Self::Hull,
            ShapeArgument::Cylinder => Self::Cylinder,
        }
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
