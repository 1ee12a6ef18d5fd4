//! Checks of an answer with a cylinder, by poses that are sampled and points in both.

use crate::bodies::Turn;
use crate::round_bodies::RoundBody;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{TurningCast, TurningHit, TurningStatus};

/// How often each was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) misses: usize,
    pub(crate) hits: usize,
    pub(crate) overlaps: usize,
    pub(crate) undecided: usize,
    pub(crate) at_start: usize,
}

/// How many poses are looked at before their neighbours are.
const SAMPLES: u32 = 60;

/// Checks an answer: of the two bodies at least one is a cylinder.
pub(crate) fn check(
    (cast, turn): &(TurningCast, Turn),
    [shape, obstacle]: [&RoundBody; 2],
    found: Option<&TurningHit>,
    seen: &mut Seen,
) {
    let size = |v: Vec3| f64::from(v.abs().max_element());
    let extent = size(cast.cast().motion()) + turn.pivot.abs().max_element() + 8.0;
    let Some(found) = found else {
        seen.misses += 1;
        return never_deep(turn, [shape, obstacle], 1.0, extent);
    };
    let (t, gap) = (f64::from(found.t), f64::from(found.gap));
    match found.status {
        TurningStatus::Overlap => {
            seen.overlaps += 1;
            let mut numbers = DVec3::ZERO;
            let depth = greatest_depth([shape, obstacle], &mut numbers);
            assert!(
                t == 0.0 && depth > -1e-3,
                "{depth} {turn:?} {shape:?} {obstacle:?} {found:?}"
            );
            return;
        }
        TurningStatus::Undecided => seen.undecided += 1,
        TurningStatus::Hit => seen.hits += 1,
    }
    never_deep(turn, [shape, obstacle], t, extent);
    let what = || format!("{turn:?} {shape:?} {obstacle:?} {found:?}");
    let (at, point) = (shape.carried(turn, t), found.point.as_dvec3());
    // The point is rounded to f32, and so is the normal, which counts over the longest way.
    let rounding = 2e-7 * extent;
    let distances = [obstacle.distance(point).abs(), at.distance(point) - gap];
    assert!(
        distances.iter().all(|d| *d <= rounding),
        "{distances:?} {}",
        what()
    );
    let normal = found.normal.as_dvec3() / found.normal.as_dvec3().length();
    let along = -at.highest(-normal) - obstacle.highest(normal);
    assert!(along > -rounding, "{along} along the normal: {}", what());
    if found.status == TurningStatus::Undecided {
        return;
    }
    seen.at_start += usize::from(t == 0.0);
    let step =
        (turn.motion.length() + turn.angle.abs() * 2.0 * extent) * f64::from(f32::EPSILON) * t;
    assert!(
        gap <= cast.tolerance().max(step) * (1.0 + 1e-6),
        "{}",
        what()
    );
}

/// How deep the two are in each other, by points of the one that has an inside or by those of the other.
fn greatest_depth([shape, obstacle]: [&RoundBody; 2], numbers: &mut DVec3) -> f64 {
    match obstacle {
        RoundBody::Drum { .. } => obstacle.depth_of(shape, numbers),
        _ => shape.depth_of(obstacle, numbers),
    }
}

/// At no pose up to a time is a point of one in the other, save for rounding.
fn never_deep(turn: &Turn, [shape, obstacle]: [&RoundBody; 2], last: f64, extent: f64) {
    let mut numbers = DVec3::ZERO;
    let mut depth = |t: f64| greatest_depth([&shape.carried(turn, t), obstacle], &mut numbers);
    let times: Vec<f64> = (0..=SAMPLES)
        .map(|i| last * f64::from(i) / f64::from(SAMPLES))
        .collect();
    let depths: Vec<f64> = times.iter().map(|t| depth(*t)).collect();
    let mut deepest = depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for i in 1..times.len() - 1 {
        if depths[i] < depths[i - 1] || depths[i] < depths[i + 1] {
            continue;
        }
        let (mut low, mut high) = (times[i - 1], times[i + 1]);
        for _ in 0..24 {
            let thirds = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            let found = thirds.map(&mut depth);
            deepest = deepest.max(found[0]).max(found[1]);
            if found[0] > found[1] {
                high = thirds[1];
            } else {
                low = thirds[0];
            }
        }
    }
    assert!(
        deepest <= 1e-9 * extent,
        "{deepest} deep up to {last}: {turn:?} {shape:?} {obstacle:?}"
    );
}
