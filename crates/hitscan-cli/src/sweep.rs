//! `hitscan sweep`: when each moving shape first touches something.

use crate::arguments::{Hits, InitialOverlapArgument, ShapeArgument, SweepArguments};
use crate::failure::Failure;
use crate::trace::VisitList;
use crate::{explain, scene, table};
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
    let (input, output, explain) = (&arguments.moves, &arguments.output, arguments.explain);
    let nothing = scene::empty()?;
    let moves = SweepTable::with_settings(&nothing, settings);
    explain::check(input, output, explain, &moves)?;
    let scene = scene::load(&arguments.scene, arguments.output.output.as_deref())?;
    let moves = SweepTable::with_settings(&scene, settings);
    explain::answer_or_explain(input, output, explain, &moves, VisitList::Counted)
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
        }
    }
}
