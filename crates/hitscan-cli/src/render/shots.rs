//! The questions of a table with their answers, to be drawn over a picture.

use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::terminal;
use glam::Vec2;
use hitscan::Interior;
use hitscan::explain::Question;
use hitscan::{ContactsPer, QueryFilter, Ray, RayHit, Sides};
use hitscan_ask::{
    ArcHits, ArcTable, ClosestTable, ContactTable, Explain, HeightMethod, HeightTable, HitColumns,
    March, MoveSettings, OverlapTest, RayHits, RayTable, Seen, ShapeKind, SightLineTable,
    SweepTable,
};
use hitscan_assets::Scene;
use hitscan_picture::Shot;
use hitscan_table::{Answer as _, Assignment, BadRows, Error, Input, Questions, RunOptions, read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

/// More would hide each other and what is behind them.
const MAX_SHOTS: usize = 10_000;

/// What the rows of a table ask.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Ray(Sides),
    March(Sides, March),
    Arc(Sides),
    Sweep(MoveSettings),
    Closest(Interior),
    Overlap(ShapeKind, ContactsPer),
    Height,
    Sight,
}

/// The shots of a table, and how many of its rows are skipped.
#[derive(Default)]
pub(super) struct Shots {
    shots: Vec<Shot>,
    left_out: u64,
    rows: u64,
}

impl Shots {
    /// The shots; the number of skipped rows goes to standard error.
    pub(super) fn reported(self, name: &str) -> Vec<Shot> {
        if self.left_out > 0 {
            let Self { left_out, rows, .. } = self;
            let name = terminal::escaped(name);
            terminal::say(&format!(
                "{name}: {left_out} of {rows} rows are not drawn: they are invalid, or follow the \
                 first {MAX_SHOTS}"
            ));
        }
        self.shots
    }
}

/// Runs the queries of a table's rows; its columns and the assigned ones determine their kind.
pub(super) fn of_table(
    scene: &Scene,
    path: &Path,
    assignments: &[Assignment],
) -> Result<Vec<Shot>, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            "--shots reads a file, whose columns tell what it asks: `-` is none",
        ));
    }
    let name = path.display().to_string();
    let sweeps = ShapeKind::ALL.map(|shape| {
        Kind::Sweep(MoveSettings {
            shape,
            ..MoveSettings::default()
        })
    });
    let kinds = [Kind::Arc(Sides::Both), Kind::Ray(Sides::Both)];
    let overlaps = ShapeKind::ALL.map(|shape| Kind::Overlap(shape, ContactsPer::Object));
    let others = [Kind::Closest(Interior::Solids), Kind::Sight, Kind::Height];
    let kinds = kinds
        .into_iter()
        .chain(sweeps)
        .chain(overlaps)
        .chain(others);
    for kind in kinds {
        match of_input(scene, kind, Input::File(path.to_owned()), assignments) {
            Err(
                Error::MissingColumn { .. }
                | Error::WrongColumns { .. }
                | Error::NoSuchQuestion { .. },
            ) => {}
            shots => return Ok(shots?.reported(&name)),
        }
    }
    Err(Failure::usage(format!(
        "{name}: its columns are those of no shots; expected rays (ox oy oz dx dy dz), arcs (ox oy oz \
         vx vy vz), moving or resting shapes (min_x … dx dy dz, min_x … max_z, or those of another \
         shape), lines of sight (x y z target_x target_y target_z) or points (px py pz for the closest point, x z for the height)"
    )))
}

/// Runs the queries of an input's rows.
pub(super) fn of_input(
    scene: &Scene,
    kind: Kind,
    input: Input,
    assignments: &[Assignment],
) -> Result<Shots, Error> {
    let options = RunOptions {
        assignments,
        batch_rows: NonZeroUsize::MIN,
        bad_rows: BadRows::Refuse,
        ..RunOptions::new(&INTERRUPTED)
    };
    let asker = Asker::new(scene, kind);
    let (columns, frame) = match &asker {
        Asker::Height(table) => (table.questions(), table.frame()),
        Asker::Sight(table) => (table.questions(), table.frame()),
        Asker::Other(table) => (table.questions(), table.frame()),
    };
    let mut shots = Shots::default();
    let summary = read(input, columns, frame, &options, &mut |batch| {
        let questions = batch.questions();
        if shots.shots.len() < MAX_SHOTS && !questions.is_empty() {
            shots.shots.extend(asker.shot(scene, kind, questions));
        }
        Ok(())
    })?;
    shots.rows = summary.rows;
    shots.left_out = summary.rows - shots.shots.len() as u64;
    Ok(shots)
}

/// What reads the questions of one kind.
enum Asker<'scene> {
    Height(Box<HeightTable<'scene>>),
    Sight(Box<SightLineTable<'scene>>),
    Other(Box<dyn Explain + 'scene>),
}

impl<'scene> Asker<'scene> {
    fn new(scene: &'scene Scene, kind: Kind) -> Self {
        let rays = RayHits::Nearest(HitColumns::World);
        Self::Other(match kind {
            Kind::Ray(sides) | Kind::March(sides, _) => Box::new(RayTable::new(scene, rays, sides)),
            Kind::Arc(sides) => Box::new(ArcTable::new(scene, ArcHits::Nearest, sides)),
            Kind::Sweep(settings) => Box::new(SweepTable::with_settings(scene, settings)),
            Kind::Closest(sign) => Box::new(ClosestTable::new(scene, sign)),
            Kind::Overlap(shape, each) => Box::new(ContactTable::new(scene, shape, each)),
            Kind::Sight => return Self::Sight(Box::new(SightLineTable::new(scene, true))),
            Kind::Height => {
                let heights = HeightTable::new(scene, HeightMethod::Exact);
                return Self::Height(Box::new(heights));
            }
        })
    }

    /// The first of the questions with its answer; `None` for an invalid one.
    fn shot(&self, scene: &Scene, kind: Kind, questions: &Questions) -> Option<Shot> {
        let snapshot = scene.now();
        match self {
            Self::Height(table) => {
                let seen: Seen = table.seen(questions).ok()?;
                let point = [0, 1].map(|column| questions.column(column)[0]);
                let point = Vec2::from_array(point);
                Some(Shot::ask_ground(snapshot, point, seen.filter()))
            }
            Self::Sight(table) => {
                let (ends, seen) = table.line(questions).ok()?;
                Some(Shot::ask_sight(snapshot, ends, seen.filter()))
            }
            Self::Other(table) => {
                let (question, seen) = table.question(questions).ok()?;
                if let (Kind::March(sides, march), Question::Ray { ray, .. }) = (kind, &question) {
                    let hit = marched(scene, ray, sides, march, seen.filter());
                    return Some(Shot::March { ray: *ray, hit });
                }
                Shot::ask(snapshot, &question, seen.filter())
            }
        }
    }
}

/// The pairs of objects that overlap, as `hitscan overlap` without a table lists them: by their boxes, or
/// where their triangles meet.
pub(super) fn of_pairs(scene: &Scene, test: OverlapTest) -> Vec<Shot> {
    let snapshot = scene.now();
    let mut shots = Vec::new();
    for pair in snapshot.broad_phase_pairs(()) {
        let intersection = pair.intersection;
        if test == OverlapTest::Bounds {
            shots.push(Shot::BoxPair { intersection });
        } else {
            let mut meets = false;
            let _ = snapshot.visit_overlaps_of(pair.a, pair.b, (), |overlap| {
                if !meets {
                    shots.push(Shot::BoxPair { intersection });
                }
                meets = true;
                let segment = overlap.segment;
                shots.extend(segment.map(|segment| Shot::Meeting { segment }));
                match shots.len() < MAX_SHOTS {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
        }
        if shots.len() >= MAX_SHOTS {
            break;
        }
    }
    shots
}

/// The nearest hit that the approximate search finds.
fn marched(
    scene: &Scene,
    ray: &Ray,
    sides: Sides,
    march: March,
    filter: QueryFilter<'_>,
) -> Option<RayHit> {
    let fields = scene.now().height_fields(filter);
    let hits = fields.filter_map(|(_, field)| march.cast_ray(field, ray, sides));
    hits.min_by(|a, b| a.t.total_cmp(&b.t))
}
