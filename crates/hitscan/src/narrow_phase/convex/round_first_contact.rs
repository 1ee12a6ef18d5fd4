//! The first contact of two shapes, at least one of them with a radius.
//!
//! The time is found in f64, between a time at which the gap is certainly positive and one at which
//! it is certainly negative; the gap being convex, the contact lies between. Where no such times are
//! found, as in grazes and starts in touch, exact arithmetic decides.
//!
//! Source: Kelley, "The Cutting-Plane Method for Solving Convex Programs", 1960, for the search: the
//! gap lies above its tangents. What differs: where a piece of the cores' difference stays nearest, its
//! own quadratic gives the root at once.

use super::bounds::{Approach, View};
use super::closest::{Closest, Feature};
use super::round_contact::{Guess, RoundContact};
use super::round_pair::RoundPair;
use super::{Convex, Meeting, TimedContact};
use crate::exact::expansion::UNIT_ROUNDOFF;
use glam::DVec3;

/// What f64 finds.
enum Found {
    Overlap,
    Nothing,
    Contact {
        enclosure: [f64; 2],
        guess: Guess,
    },
    /// Exact arithmetic has to decide; the contact, if there is one, may be near this time.
    Undecided(f64),
}

/// The first contact, or `None`; contacts after the time `latest` may be omitted.
///
/// `is_swapped` means that the obstacle of the query moves here, by the reversed motion.
pub(super) fn round_first_contact(
    obstacle: &Convex,
    shape: &Convex,
    motion: DVec3,
    latest: f64,
    is_swapped: bool,
) -> Option<Meeting> {
    let radii = [obstacle.radius, shape.radius];
    let view = View::new(&obstacle.core, &shape.core, radii, motion);
    let found = match &view {
        Some(view) => search(view, latest),
        None => Found::Undecided(0.0),
    };
    let has_area = || {
        view.as_ref().is_some_and(View::has_certain_area)
            || !(obstacle.core.is_degenerate_triangle() || shape.core.is_degenerate_triangle())
    };
    let (enclosure, guess) = match found {
        Found::Nothing => return None,
        _ if !has_area() => return None,
        Found::Overlap => return Some(Meeting::Overlap),
        Found::Contact { enclosure, guess } => (enclosure, Some(guess)),
        Found::Undecided(near) => match decide(obstacle, shape, motion, near)? {
            Decided::Overlap => return Some(Meeting::Overlap),
            Decided::Contact(enclosure) => (enclosure, None),
        },
    };
    Some(Meeting::Contact(TimedContact::Round(RoundContact {
        cores: [(&obstacle.core).into(), (&shape.core).into()],
        radii,
        motion,
        is_swapped,
        enclosure,
        guess,
    })))
}

/// What exact arithmetic decides.
enum Decided {
    Overlap,
    Contact([f64; 2]),
}

fn decide(obstacle: &Convex, shape: &Convex, motion: DVec3, near: f64) -> Option<Decided> {
    let are_finite = [obstacle, shape].iter().all(|convex| {
        convex
            .core
            .corners()
            .iter()
            .all(|corner| corner.is_finite())
    });
    if !are_finite {
        return None;
    }
    let pair = RoundPair::new(obstacle, shape, motion);
    if pair.overlaps_at_start() {
        return Some(Decided::Overlap);
    }
    pair.is_hit().then(|| {
        let floor = pair.floor(near);
        Decided::Contact(pair.enclosure_from(floor))
    })
}

/// How often the time is improved before exact arithmetic takes over.
const STEPS: usize = 24;

fn search(view: &View, latest: f64) -> Found {
    let mut from = match view.first_axes(latest) {
        Approach::Apart => return Found::Nothing,
        Approach::From(time) => time.min(1.0),
    };
    let mut left = loop {
        let closest = view.closest_at(from);
        let offset = closest.offset();
        if from == 0.0 && view.is_overlapping(closest.on_shape - closest.on_obstacle) {
            return Found::Overlap;
        }
        if view.is_apart(offset, [0.0, latest]) {
            return Found::Nothing;
        }
        if view.motion == DVec3::ZERO {
            return Found::Undecided(0.0);
        }
        let here = Sample::new(view, from, &closest, offset);
        if from > 0.0 && here.gap.abs() <= view.slack && here.speed < 0.0 {
            return certify(view, &here, &closest, offset);
        }
        if here.gap > 0.0 && here.speed < 0.0 {
            break here;
        }
        if from == 0.0 {
            return Found::Undecided(0.0);
        }
        from = 0.0;
    };
    // The root, if there is one, lies between `left` and `right`.
    let mut right: Option<Sample> = None;
    let mut t = left.root.unwrap_or(left.nearest);
    for _ in 0..STEPS {
        // A tangent's root is not beyond the first root, a chord's not before it.
        let min = left.time - left.gap / left.speed;
        let max = match right {
            Some(right) if right.gap < 0.0 => {
                left.time + (right.time - left.time) * (left.gap / (left.gap - right.gap))
            }
            // Two tangents meet below the smallest gap, or near it.
            Some(right) => {
                if view.is_apart_between([left.direction, right.direction]) {
                    return Found::Nothing;
                }
                let way = (right.time - left.time) * right.speed - right.gap + left.gap;
                left.time + way / (right.speed - left.speed)
            }
            None => 1.0,
        };
        if !(t >= min && t <= max) {
            t = if right.is_some_and(|right| right.gap >= 0.0) {
                max
            } else {
                min
            };
        }
        t = t.clamp(0.0, 1.0);
        let closest = view.closest_at(t);
        let offset = closest.offset();
        if view.is_apart(offset, [0.0, latest]) {
            return Found::Nothing;
        }
        let here = Sample::new(view, t, &closest, offset);
        if here.gap.abs() <= view.slack && here.speed < 0.0 {
            return certify(view, &here, &closest, offset);
        }
        if here.gap > 0.0 && here.speed < 0.0 {
            if here.time <= left.time || here.time >= 1.0 {
                return Found::Undecided(t);
            }
            left = here;
        } else if here.gap.is_finite() {
            right = Some(here);
        } else {
            return Found::Undecided(t);
        }
        t = here.root.unwrap_or(here.nearest);
    }
    Found::Undecided(left.time)
}

/// The gap at one time, in f64.
#[derive(Clone, Copy)]
struct Sample {
    time: f64,
    /// The unit direction between the closest points.
    direction: DVec3,
    gap: f64,
    /// The gap's derivative.
    speed: f64,
    /// When the nearest piece, if it went on for ever, would come within the radius.
    root: Option<f64>,
    /// When that piece would be nearest.
    nearest: f64,
}

impl Sample {
    fn new(view: &View, time: f64, closest: &Closest, offset: DVec3) -> Self {
        let radius = view.radius;
        let distance = offset.length();
        // The motion's part along which the distance from that piece changes.
        let across = match closest.feature {
            Feature::Corner => view.motion,
            Feature::Edge(edge) => {
                view.motion - edge * (edge.dot(view.motion) / edge.length_squared())
            }
            Feature::Face(normal) => normal * (normal.dot(view.motion) / normal.length_squared()),
        };
        // |offset + s across|² = radius² is a s² + 2 b s + c = 0.
        let a = across.length_squared();
        let b = offset.dot(across);
        let c = (distance - radius) * (distance + radius);
        let discriminant = match closest.feature {
            Feature::Face(_) => a * (radius * radius),
            // Lagrange's identity spares the cancellation of b² - a c.
            _ => a * (radius * radius) - offset.cross(across).length_squared(),
        };
        let root = (discriminant >= 0.0 && a > 0.0).then(|| {
            let square_root = discriminant.sqrt();
            if b < 0.0 {
                time + c / (square_root - b)
            } else {
                time - (b + square_root) / a
            }
        });
        Self {
            time,
            direction: offset / distance,
            gap: distance - radius,
            speed: b / distance,
            root,
            nearest: time - b / a,
        }
    }
}

/// Encloses the root near a sample between times at which the gap's sign is certain.
fn certify(view: &View, here: &Sample, closest: &Closest, offset: DVec3) -> Found {
    let root = here.time - here.gap / here.speed;
    let widening = 4.0 * view.slack / -here.speed + 4.0 * UNIT_ROUNDOFF * root;
    let (low, high) = (root - widening, root + widening);
    if !(low >= 0.0 && high <= 1.0) {
        return Found::Undecided(root.clamp(0.0, 1.0));
    }
    let witness = closest.on_shape - closest.on_obstacle;
    let later = witness + view.motion * (high - here.time);
    if !(view.is_apart(offset, [low, low]) && view.is_overlapping(later)) {
        return Found::Undecided(root);
    }
    let travel = view.motion.length() * (high - low);
    // The exact offset is the shortest vector of a convex set, so another of its vectors is off by no
    // more than the root of the difference of the squares; and it changes no faster than the shape
    // moves.
    let excess = (witness.length() - view.radius).max(0.0) + travel + view.slack;
    let error = (excess * (2.0 * view.radius + excess)).sqrt() + travel + view.slack;
    let offset = closest.square_offset();
    Found::Contact {
        enclosure: [low, high],
        guess: Guess {
            offset,
            error: 2.0 * (error + (offset - witness).length()),
            drift: travel + view.slack,
            on_obstacle: closest.on_obstacle + view.eye,
        },
    }
}
