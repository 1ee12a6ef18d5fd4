//! `hitscan ray`: what each ray hits.

use crate::arguments::{Hits, RayArguments, RayMethod};
use crate::explain::Explained;
use crate::failure::Failure;
use crate::table::{self, TableRun};
use crate::trace::{MOST_VISITS, VisitList};
use crate::{expected, explain, scene, terminal};
use hitscan_ask::{Explain as _, HitColumns, March, RayHits, RayTable};
use hitscan_table::Questions;

pub(crate) fn run(arguments: &RayArguments) -> Result<(), Failure> {
    let hits = hits(arguments)?;
    table::limit_threads(&arguments.output.writing)?;
    let run = &table_run(arguments)?;
    let nothing = scene::empty()?;
    let rays = RayTable::new(&nothing, hits, arguments.sides.into());
    explain::check(run, &rays)?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    if arguments.method == RayMethod::March {
        let snapshot = scene.world().now();
        let terrains = snapshot.height_fields(()).count();
        match snapshot.object_count() - terrains {
            0 => {}
            1 => terminal::say("--method march searches terrain alone: 1 other object is left out"),
            count => terminal::say(&format!(
                "--method march searches terrain alone: {count} other objects are left out"
            )),
        }
    }
    let rays = RayTable::new(&scene, hits, arguments.sides.into());
    let visits = match arguments.visits {
        true => VisitList::Listed,
        false => VisitList::Counted,
    };
    let Some(name) = &arguments.expect else {
        return explain::answer_or_explain(run, &scene, &rays, visits);
    };
    let object = expected::object(&scene, name)?;
    let explained = |questions: &Questions| {
        Ok(Explained {
            candidates: rays.explain(questions)?,
            trace: rays.trace(questions, MOST_VISITS)?,
            expected: rays.expected(questions, object)?,
        })
    };
    explain::answer_or_explain_by(run, &scene, &rays, &explained, visits)
}

/// The hits that the options name together; options that exclude each other are refused.
fn hits(arguments: &RayArguments) -> Result<RayHits, Failure> {
    let march = march(arguments)?;
    if march.is_some() && arguments.explain.explain.is_some() {
        return Err(Failure::usage(
            "a march looks at heights alone: --explain needs --method exact",
        ));
    }
    if arguments.visits && arguments.hits == Hits::All {
        return Err(Failure::usage(
            "the visits are those of the nearest hit's search: --visits needs --hits nearest or any",
        ));
    }
    if arguments.expect.is_some() && arguments.hits == Hits::All {
        return Err(Failure::usage(
            "with --hits all nothing hides what is behind it: --expect needs --hits nearest or any",
        ));
    }
    let columns = columns(arguments)?;
    match (arguments.hits, march) {
        (Hits::Nearest, None) => Ok(RayHits::Nearest(columns)),
        (Hits::All, None) => Ok(RayHits::All(columns)),
        (Hits::Any, None) => Ok(RayHits::Any),
        (Hits::Nearest, Some(march)) => Ok(RayHits::March(march)),
        (Hits::Any, Some(march)) => Ok(RayHits::MarchAny(march)),
        (Hits::All, Some(_)) => Err(Failure::usage(
            "a march finds one hit: --hits all needs --method exact",
        )),
    }
}

/// How finely `--method march` searches; `None` is the exact search.
fn march(arguments: &RayArguments) -> Result<Option<March>, Failure> {
    if arguments.method == RayMethod::Exact {
        return match (arguments.step, arguments.bisections) {
            (None, None) => Ok(None),
            _ => Err(Failure::usage(
                "--step and --bisections belong to --method march",
            )),
        };
    }
    let mut march = March::default();
    if let Some(step) = arguments.step {
        march = march.with_step(step).map_err(|_| {
            Failure::usage(format!("--step must be a positive length, found {step}"))
        })?;
    }
    if let Some(bisections) = arguments.bisections {
        march = march.with_bisections(bisections);
    }
    Ok(Some(march))
}

/// The columns of a hit.
fn columns(arguments: &RayArguments) -> Result<HitColumns, Failure> {
    if !arguments.bind {
        return Ok(HitColumns::World);
    }
    if arguments.hits == Hits::Any {
        return Err(Failure::usage(
            "--hits any answers the status alone: --bind needs --hits nearest or all",
        ));
    }
    if arguments.method == RayMethod::March {
        return Err(Failure::usage(
            "a march hits terrain alone, which has no joints: --bind needs --method exact",
        ));
    }
    Ok(HitColumns::WorldAndBind)
}

fn table_run(arguments: &RayArguments) -> Result<TableRun<'_>, Failure> {
    TableRun::new(
        &arguments.scene,
        &arguments.rays,
        &arguments.output,
        arguments.explain,
        arguments.parts,
        arguments.summary.summary,
    )
}
