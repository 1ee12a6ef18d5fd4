//! One turning shape and one obstacle over a span of time: conservative advancement with certified bounds.

use super::advance::clear_until;
use super::features::try_features;
use super::gap::{Gap, Seen, unit};
use super::hit::TurningStatus;
use super::screw::{Pose, Screw};
use super::start::{Contact, Start, slides, start};
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::convex::{Convex, Core};
use glam::{DVec3, Vec3};

/// After so many steps without an end a pair is undecided.
const MAX_STEPS: u32 = 1 << 20;

/// What is found of a pair, at a time that is reported.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairFound {
    pub(crate) status: TurningStatus,
    pub(crate) t: f32,
    pub(crate) gap: f32,
    pub(crate) normal: Vec3,
    pub(crate) point: Vec3,
}

/// Room in which poses are computed, used again for each pair.
#[derive(Debug, Default)]
pub(crate) struct Room {
    pose: Pose,
    reported: Pose,
}

impl Room {
    /// Brings the shape to a time, from which [`is_clear`] looks.
    pub(super) fn pose_at(&mut self, screw: &Screw<'_>, t: f64) {
        screw.pose(t, &mut self.pose);
    }
}

/// The first time in a span at which the shape comes to the obstacle, if that is reported no later than `latest`.
///
/// Before the span the two are known to be farther apart than the tolerance, or it begins at 0.
pub(super) fn meet(
    screw: &Screw<'_>,
    obstacle: &Convex<'_>,
    span: [f64; 2],
    latest: f32,
    room: &mut Room,
) -> Option<PairFound> {
    let seen = Seen::new(screw, obstacle);
    let mut search = Search {
        screw,
        seen: &seen,
        tolerance: screw.tolerance,
        is_started: false,
    };
    search.run(span, latest, room)
}

/// Whether the shape is certainly clear of the obstacle from the time of the room's pose until `last`, by a few
/// directions that cost little, or for ever, along the axis.
pub(super) fn is_clear(screw: &Screw<'_>, obstacle: &Convex<'_>, last: f64, room: &Room) -> bool {
    let seen = Seen::new(screw, obstacle);
    if slides(screw, &seen) {
        return true;
    }
    let first = room.pose.t;
    let clear = |direction: DVec3| {
        [direction, -direction].into_iter().any(|direction| {
            let Some(normal) = unit(direction) else {
                return false;
            };
            clear_until(screw, &seen, &room.pose, normal, screw.tolerance) >= last
        })
    };
    let face = match &obstacle.core {
        Core::Triangle([a, b, c]) => (*b - *a).cross(*c - *a),
        _ => DVec3::ZERO,
    };
    if clear(face) || clear(screw.unit) {
        return true;
    }
    // From the obstacle straight to the axis.
    let middle = seen.corners.iter().copied().sum::<DVec3>() / seen.corners.len() as f64;
    let offset = screw.motion * f64::midpoint(first, last) - middle;
    clear(offset - screw.unit * offset.dot(screw.unit))
}

struct Search<'a> {
    screw: &'a Screw<'a>,
    seen: &'a Seen<'a>,
    /// What counts from now on.
    tolerance: f64,
    /// Whether the start is known.
    is_started: bool,
}

impl Search<'_> {
    fn run(&mut self, [first, last]: [f64; 2], latest: f32, room: &mut Room) -> Option<PairFound> {
        let (screw, seen) = (self.screw, self.seen);
        let past = f64::from(latest.next_up());
        let mut t = first;
        if first == 0.0 {
            match self.begin()? {
                Begun::Found(found) => return Some(found),
                Begun::From(from) => t = from,
            }
        }
        // Less than the whole tolerance is left between, unless that is not near enough.
        let mut margin = 0.25;
        for _ in 0..MAX_STEPS {
            if t >= last || t >= past {
                return None;
            }
            screw.pose(t, &mut room.pose);
            let mut gap = seen.gap(&room.pose);
            if gap.lower <= 0.0 {
                try_features(screw, seen, &room.pose, &mut gap);
            }
            let is_near = gap.upper <= self.tolerance || gap.lower <= margin * self.tolerance;
            if is_near && !self.is_started {
                match self.begin()? {
                    Begun::Found(found) => return Some(found),
                    Begun::From(from) => t = t.max(from),
                }
                continue;
            }
            if gap.upper <= self.tolerance
                && let Some(found) = self.report(t, false, room)
            {
                return Some(found);
            }
            let next = self.advance(&gap, margin * self.tolerance, last, &room.pose);
            if next > t {
                t = next;
            } else if margin > 0.0 {
                margin = 0.0;
            } else {
                return self.report(t, true, room);
            }
        }
        self.report(t, true, room)
    }

    /// The time to which the best of a few directions shows that the two stay apart.
    fn advance(&self, gap: &Gap, margin: f64, last: f64, pose: &Pose) -> f64 {
        let (screw, seen) = (self.screw, self.seen);
        if gap.lower < margin {
            return pose.t;
        }
        let until = |normal| clear_until(screw, seen, pose, normal, margin);
        let mut best = until(gap.normal);
        if best >= last {
            return best;
        }
        // Directions across which the shape turns: the axis, and from the obstacle straight to it.
        let away = screw.motion * pose.t - gap.closest.on_obstacle;
        let away = away - screw.unit * away.dot(screw.unit);
        for direction in [screw.unit, -screw.unit, away] {
            if let Some(normal) = unit(direction) {
                best = best.max(until(normal));
            }
        }
        best
    }

    /// What is at the start: an answer, or the time from which to go on.
    fn begin(&mut self) -> Option<Begun> {
        self.is_started = true;
        let found = |status, contact: Contact| {
            Some(Begun::Found(PairFound {
                status,
                t: 0.0,
                gap: rounded_up(contact.gap),
                normal: contact.normal.as_vec3() + Vec3::ZERO,
                point: self.in_world(contact.point, contact.normal),
            }))
        };
        match start(self.screw, self.seen) {
            Start::Never => None,
            Start::Overlap => {
                let contact = Contact {
                    normal: DVec3::ZERO,
                    point: self.seen.corners[0],
                    gap: 0.0,
                };
                found(TurningStatus::Overlap, contact)
            }
            Start::Enters(contact) => found(TurningStatus::Hit, contact),
            Start::Undecided(contact) => found(TurningStatus::Undecided, contact),
            Start::Apart { t, tolerance } => {
                self.tolerance = tolerance;
                Some(Begun::From(t))
            }
        }
    }

    /// The answer at a time up to which all is proved, if the shape is as near as it must be there, or if it is the
    /// last word.
    fn report(&self, t: f64, is_last: bool, room: &mut Room) -> Option<PairFound> {
        let (screw, seen) = (self.screw, self.seen);
        let reported = rounded_down(t);
        screw.pose(f64::from(reported), &mut room.reported);
        let mut gap = seen.gap(&room.reported);
        let step = f64::from(reported.next_up()) - f64::from(reported);
        let allowed = self.tolerance.max(screw.longest_way([0.0, step]));
        let is_near = gap.upper <= allowed;
        if !is_near && !is_last {
            return None;
        }
        if gap.lower <= 0.5 * gap.upper {
            try_features(screw, seen, &room.reported, &mut gap);
        }
        let status = match is_near {
            true => TurningStatus::Hit,
            false => TurningStatus::Undecided,
        };
        Some(PairFound {
            status,
            t: reported,
            gap: rounded_up(gap.upper),
            normal: self.reported_normal(&room.reported, &gap),
            point: self.in_world(gap.closest.on_obstacle, gap.normal),
        })
    }

    /// The normal that, rounded to f32, separates the two best.
    fn reported_normal(&self, pose: &Pose, gap: &Gap) -> Vec3 {
        let offset = gap.closest.on_shape - gap.closest.on_obstacle;
        let mut best = (f64::NEG_INFINITY, gap.normal.as_vec3());
        for direction in [gap.normal, offset, gap.closest.square_offset()] {
            let Some(normal) = unit(direction) else {
                continue;
            };
            let rounded = normal.as_vec3();
            if let Some(normal) = unit(rounded.as_dvec3()) {
                let lower = self.seen.lower_along(normal, pose);
                if lower > best.0 {
                    best = (lower, rounded);
                }
            }
        }
        best.1 + Vec3::ZERO
    }

    /// A point of the obstacle's core, seen from the pivot, brought to its surface and into the world.
    fn in_world(&self, point: DVec3, normal: DVec3) -> Vec3 {
        let place = point + normal * self.seen.convex.radius + self.screw.pivot;
        place.as_vec3() + Vec3::ZERO
    }
}

enum Begun {
    Found(PairFound),
    From(f64),
}

/// The largest f32 that is not above `x`, never -0.
fn rounded_down(x: f64) -> f32 {
    let nearest = nearest_f32(x);
    if f64::from(nearest) > x {
        nearest.next_down() + 0.0
    } else {
        nearest
    }
}

/// The smallest f32 that is not below `x`; the largest finite one beyond all.
fn rounded_up(x: f64) -> f32 {
    let nearest = nearest_f32(x);
    if f64::from(nearest) < x {
        nearest.next_up().min(f32::MAX)
    } else {
        nearest.min(f32::MAX)
    }
}
