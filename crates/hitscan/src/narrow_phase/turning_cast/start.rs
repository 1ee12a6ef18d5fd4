//! The start: whether a turning shape overlaps, touches or is apart from an obstacle, and what becomes of it.

use super::contact_points::{contact_points, entering_point};
use super::cylinder_touch::{self, separating_directions};
use super::features::try_features;
use super::gap::{Gap, Seen, unit};
use super::orbit::{Orbit, SLACK};
use super::parting::{Parting, parting, parting_by_plane};
use super::screw::{AlongAxis, Pose, Screw};
use super::touching_normals::{TouchingNormal, touching_normals};
use crate::exact::adaptive::sign;
use crate::narrow_phase::convex::{Core, Difference, resting_status};
use core::cmp::Ordering;
use glam::DVec3;

/// What is known of the motion at its start.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// It never comes to the obstacle.
    Never,
    Overlap,
    /// They touch, and a point of the contact moves in.
    Enters(Contact),
    /// They touch, and neither is proved.
    Undecided(Contact),
    /// They are apart at `t`, and since the start; from there on nothing farther than the tolerance is a hit.
    Apart {
        t: f64,
        tolerance: f64,
    },
}

/// Where shape and obstacle touch, or are apart by less than f64 shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    /// Of unit length, from the obstacle to the shape.
    pub(super) normal: DVec3,
    /// Of the obstacle's core, seen from the pivot.
    pub(super) point: DVec3,
    /// They are no farther apart.
    pub(super) gap: f64,
}

/// How the motion starts.
pub(super) fn start(screw: &Screw<'_>, seen: &Seen<'_>) -> Start {
    let obstacle = &seen.convex;
    if slides(screw, seen) || obstacle.core.is_degenerate_triangle() {
        return Start::Never;
    }
    let mut pose = Pose::default();
    screw.pose(0.0, &mut pose);
    let mut gap = seen.gap(&pose);
    if gap.lower <= 0.0 {
        try_features(screw, seen, &pose, &mut gap);
    }
    if gap.lower > 0.0 {
        return from_gap(screw, gap.lower);
    }
    match resting_status(obstacle, &screw.shape) {
        Ordering::Less => Start::Overlap,
        status if seen.has_cylinder(screw) => touching_cylinder(screw, seen, &pose, (&gap, status)),
        Ordering::Equal if screw.is_still && seen.radius > 0.0 => translated(screw, seen, &gap),
        status => touching(screw, seen, &gap, status),
    }
}

/// Apart from the start: of what is nearer than the tolerance half the gap counts, so that it can be left.
fn from_gap(screw: &Screw<'_>, gap: f64) -> Start {
    let tolerance = if gap < screw.tolerance {
        0.5 * gap
    } else {
        screw.tolerance
    };
    Start::Apart { t: 0.0, tolerance }
}

/// Whether a direction of the axis along which the shape does not go back separates the two at the start, and so
/// for ever: turning changes nothing along the axis. Decided exactly.
pub(super) fn slides(screw: &Screw<'_>, seen: &Seen<'_>) -> bool {
    let way = screw.way_along_axis;
    let ahead = way.is_ge() && separates(screw, seen, 1.0);
    ahead || way.is_le() && separates(screw, seen, -1.0)
}

fn separates(screw: &Screw<'_>, seen: &Seen<'_>, towards: f64) -> bool {
    let unit = screw.unit * towards;
    let places = screw.orbits.iter().map(|orbit| unit.dot(orbit.center));
    let reach = match &screw.shape.core {
        Core::Cylinder(cylinder) => cylinder.reach(unit),
        _ => 0.0,
    };
    let low = places.fold(f64::INFINITY, f64::min) - reach;
    let (room, slack) = (low - seen.highest(unit) - seen.radius, 2.0 * seen.slack());
    if seen.has_cylinder(screw) && room >= -slack && room <= slack {
        // What may be a touch is one.
        return resting_status(&seen.convex, &screw.shape).is_ge();
    }
    if room > slack || room < -slack {
        return room > slack;
    }
    let radii = [seen.convex.radius, screw.shape.radius];
    let (axis, shape) = (screw.axis * towards, screw.shape.core.corners());
    let is_over = |from: &DVec3, (to, orbit): (&DVec3, &Orbit)| {
        let rough = unit.dot(orbit.center) - unit.dot(*from - screw.pivot) - seen.radius;
        rough > slack || {
            let way = [*from, *to];
            sign(&AlongAxis {
                axis,
                way,
                radii: [0.0; 2],
            })
            .is_ge()
                && sign(&AlongAxis { axis, way, radii }).is_ge()
        }
    };
    let obstacle = seen.convex.core.corners();
    obstacle
        .iter()
        .all(|from| shape.iter().zip(&screw.orbits).all(|to| is_over(from, to)))
}

/// A shape with a radius that turns about itself only and touches: the gap of a translation is convex, so that its
/// slope at the start decides, exactly.
fn translated(screw: &Screw<'_>, seen: &Seen<'_>, gap: &Gap) -> Start {
    let (obstacle, shape) = (&seen.convex.core, &screw.shape.core);
    let difference = Difference::new(obstacle, shape, DVec3::ZERO);
    match difference.compare_along_offset([DVec3::ZERO, screw.motion]) {
        Ordering::Less => Start::Enters(Contact {
            normal: gap.normal,
            point: gap.closest.on_obstacle,
            gap: 0.0,
        }),
        _ => Start::Never,
    }
}

/// The two touch, or are apart by less than f64 shows.
fn touching(screw: &Screw<'_>, seen: &Seen<'_>, gap: &Gap, status: Ordering) -> Start {
    let normals = match seen.radius > 0.0 {
        true => offset_normal(screw, seen).into_iter().collect(),
        false => touching_normals(screw, seen, &gap.closest),
    };
    let contact = Contact {
        normal: normals
            .first()
            .map_or(gap.normal, |normal| normal.direction),
        point: gap.closest.on_obstacle,
        gap: if status.is_eq() { 0.0 } else { gap.upper },
    };
    let limits: Vec<(DVec3, f64)> = (normals.iter())
        .map(|normal| {
            (
                normal.direction,
                -slowest(screw, seen, SLACK + normal.error),
            )
        })
        .collect();
    let points = contact_points(screw, seen, gap, &normals);
    if let Some(point) = entering_point(screw, &points, &limits) {
        let point = point - contact.normal * seen.radius;
        return Start::Enters(Contact { point, ..contact });
    }
    // Sums of directions that separate do so too.
    let sum = normals
        .iter()
        .fold(DVec3::ZERO, |sum, normal| sum + normal.direction);
    let error = normals.iter().fold(0.0, |sum, normal| sum + normal.error);
    let sum = unit(sum).filter(|_| normals.len() > 1 && sum.length_squared() > 0.01);
    let directions = normals
        .iter()
        .map(|normal| (normal.direction, normal.error));
    let directions: Vec<(DVec3, f64)> = directions
        .chain(sum.map(|sum| (sum, 10.0 * error)))
        .collect();
    parted(screw, seen, &directions).unwrap_or(Start::Undecided(contact))
}

/// The same where one of the two is a cylinder: what may be a touch is one.
fn touching_cylinder(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    pose: &Pose,
    (gap, status): (&Gap, Ordering),
) -> Start {
    let normals = separating_directions(screw, seen, pose, gap);
    let normal = normals.first().copied().unwrap_or(gap.normal);
    let contact = Contact {
        normal,
        point: gap.closest.on_obstacle,
        gap: if status.is_eq() { 0.0 } else { gap.upper },
    };
    // What is only translated stays on that side of the obstacle.
    let away = -4.0 * seen.slack();
    if screw.is_still
        && normals
            .iter()
            .any(|normal| normal.dot(screw.motion) >= away)
    {
        return Start::Never;
    }
    let limit = -slowest(screw, seen, SLACK);
    let limits: Vec<(DVec3, f64)> = normals.iter().map(|normal| (*normal, limit)).collect();
    let points = cylinder_touch::contact_points(screw, seen, pose, gap, &normals);
    if let Some(point) = entering_point(screw, &points, &limits) {
        let point = point - normal * seen.radius;
        return Start::Enters(Contact { point, ..contact });
    }
    let sum = unit(normals.iter().sum::<DVec3>()).filter(|_| normals.len() > 1);
    let directions = normals.iter().copied().chain(sum);
    let directions: Vec<(DVec3, f64)> = directions.map(|normal| (normal, 0.0)).collect();
    parted(screw, seen, &directions).unwrap_or(Start::Undecided(contact))
}

/// No less than what a velocity along a direction may be off by, where the direction is off by this.
fn slowest(screw: &Screw<'_>, seen: &Seen<'_>, off: f64) -> f64 {
    4.0 * off * seen.extent * (1.0 + screw.angle.abs())
}

/// Where the two have parted along one of the directions that separate them, each with what it may be off by.
fn parted(screw: &Screw<'_>, seen: &Seen<'_>, directions: &[(DVec3, f64)]) -> Option<Start> {
    let longest = |part: fn(&Screw<'_>, &Seen<'_>, DVec3, f64) -> Option<Parting>| {
        let partings = directions.iter();
        let partings = partings.filter_map(|(normal, error)| part(screw, seen, *normal, *error));
        partings.max_by(|a, b| a.t.total_cmp(&b.t))
    };
    let Parting { t, gap } = longest(parting).or_else(|| longest(parting_by_plane))?;
    let tolerance = (0.5 * gap).min(screw.tolerance);
    Some(Start::Apart { t, tolerance })
}

/// The direction between the nearest points of cores that are apart, which alone separates shapes with radii that
/// touch.
fn offset_normal(screw: &Screw<'_>, seen: &Seen<'_>) -> Option<TouchingNormal> {
    let (obstacle, shape) = (&seen.convex.core, &screw.shape.core);
    let difference = Difference::new(obstacle, shape, DVec3::ZERO);
    Some(TouchingNormal {
        direction: unit(difference.direction_at_start()?)?,
        // The exact direction, rounded and brought to unit length.
        error: SLACK,
        level: [Vec::new(), Vec::new()],
    })
}
