//! Checks of an answer by poses that are sampled densely, and most densely where they come near.

use crate::bodies::{Body, Turn};
use hitscan::{TurningHit, TurningStatus};

/// How often each was seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) misses: usize,
    pub(crate) hits: usize,
    pub(crate) overlaps: usize,
    pub(crate) undecided: usize,
    /// Hits at 0.
    pub(crate) at_start: usize,
    /// Hits that are nearer at the start than the tolerance.
    pub(crate) near_start: usize,
}

/// How many poses are looked at before their neighbours are.
const SAMPLES: u32 = 160;

/// Checks an answer of a turn at obstacles; `named` is the one that it names.
pub(crate) fn check(
    turn: &Turn,
    obstacles: &[Body],
    named: usize,
    tolerance: f64,
    found: Option<&TurningHit>,
    seen: &mut Seen,
) {
    let Some(found) = found else {
        seen.misses += 1;
        for obstacle in obstacles {
            never_deep(turn, obstacle, 1.0, "a miss");
        }
        return;
    };
    let (t, gap) = (f64::from(found.t), f64::from(found.gap));
    let start = |body: &Body| turn.body.separation(body);
    assert!(
        (0.0..=1.0).contains(&t) && gap >= 0.0 && gap.is_finite(),
        "{found:?}"
    );
    let rounding = |body: &Body| 1e-9 * turn.extent(body);
    match found.status {
        TurningStatus::Overlap => {
            seen.overlaps += 1;
            let depth = start(&obstacles[named]);
            assert!(
                t == 0.0 && depth < rounding(&obstacles[named]),
                "{depth} {turn:?} {found:?}"
            );
            return;
        }
        TurningStatus::Undecided => seen.undecided += 1,
        TurningStatus::Hit => seen.hits += 1,
    }
    for obstacle in obstacles {
        never_deep(turn, obstacle, t, "before a hit");
    }
    let obstacle = &obstacles[named];
    let at = turn.at(t);
    let distance = at.separation(obstacle);
    assert!(
        distance <= gap + rounding(obstacle),
        "the distance is {distance}: {turn:?} {obstacle:?} {found:?}"
    );
    let normal = found.normal.as_dvec3();
    assert!((normal.length() - 1.0).abs() < 1e-6, "{found:?}");
    // A normal of f32 leans by 2^-24, which counts over the longest way between two corners.
    let along = at.gap_along(obstacle, normal) - at.radius - obstacle.radius;
    let lean = 2e-7 * turn.extent(obstacle);
    assert!(
        along > -lean,
        "{along} along the normal: {turn:?} {obstacle:?} {found:?}"
    );
    if found.status == TurningStatus::Undecided {
        return;
    }
    if t == 0.0 {
        seen.at_start += 1;
    }
    let first = start(obstacle);
    let allowed = if first > rounding(obstacle) && first < tolerance {
        seen.near_start += 1;
        0.5 * first + rounding(obstacle)
    } else {
        tolerance
    };
    let speed = turn.motion.length() + turn.angle.abs() * 2.0 * turn.extent(obstacle);
    let step = speed * f64::from(f32::EPSILON) * t;
    assert!(
        gap <= allowed.max(step) * (1.0 + 1e-6),
        "{gap} > {allowed}, {step}: {turn:?} {obstacle:?} {found:?}"
    );
}

/// Checks that nothing of what turns is deep in anything before a time.
pub(crate) fn check_before(turns: &[Turn], obstacles: &[Body], last: f64) {
    for turn in turns {
        for obstacle in obstacles {
            never_deep(turn, obstacle, last, "a piece of an object");
        }
    }
}

/// No pose up to a time is deep in the obstacle, save for rounding.
fn never_deep(turn: &Turn, obstacle: &Body, last: f64, what: &str) {
    let depth = |t: f64| turn.at(t).separation(obstacle);
    let limit = -1e-9 * turn.extent(obstacle);
    let times: Vec<f64> = (0..=SAMPLES)
        .map(|i| last * f64::from(i) / f64::from(SAMPLES))
        .collect();
    let depths: Vec<f64> = times.iter().map(|t| depth(*t)).collect();
    let mut least = depths.iter().copied().fold(f64::INFINITY, f64::min);
    let mut at = times[depths.iter().position(|d| *d == least).unwrap_or(0)];
    for i in 1..times.len() - 1 {
        if depths[i] > depths[i - 1] || depths[i] > depths[i + 1] {
            continue;
        }
        let (t, deepest) = golden_minimum(&depth, times[i - 1], times[i + 1]);
        if deepest < least {
            (at, least) = (t, deepest);
        }
    }
    assert!(
        least >= limit,
        "{what} is {least} deep at {at}: {turn:?} {obstacle:?}"
    );
}

/// A local minimum by golden section.
fn golden_minimum(of: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> (f64, f64) {
    let ratio = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut of_a, mut of_b) = (of(a), of(b));
    for _ in 0..24 {
        if of_a < of_b {
            (high, b, of_b) = (b, a, of_a);
            a = high - ratio * (high - low);
            of_a = of(a);
        } else {
            (low, a, of_a) = (a, b, of_b);
            b = low + ratio * (high - low);
            of_b = of(b);
        }
    }
    if of_a < of_b { (a, of_a) } else { (b, of_b) }
}
