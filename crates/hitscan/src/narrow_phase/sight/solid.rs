//! The open segment between two points against a solid: whether a point of it is strictly inside.

use super::SightLine;
use crate::narrow_phase::convex::{Convex, resting_status};
use crate::narrow_phase::ray_cast::ray_cylinder::CylinderLine;
use crate::narrow_phase::ray_cast::rounded_hull::Path;
use crate::narrow_phase::ray_cast::slabs::CrossingTime;
use crate::shape::box_hull::BoxHull;
use crate::{Capsule, ConvexHull, Cylinder, Primitive};
use glam::DVec3;

/// Whether a point of the open segment (of a point: the point) lies strictly inside the solid, exactly.
/// A box that is flat along one axis is crossed strictly inside its face.
pub(crate) fn blocks(solid: &Primitive, line: &SightLine) -> bool {
    if let Primitive::Cylinder(cylinder) = solid {
        return cylinder_blocks(cylinder, line);
    }
    let segment = Convex::segment([line.from, line.to]);
    resting_status(&Convex::from(solid), &segment).is_lt()
}

fn cylinder_blocks(cylinder: &Cylinder, line: &SightLine) -> bool {
    if line.from == line.to {
        return cylinder.compare(line.from).is_lt();
    }
    let line = CylinderLine::new(cylinder, line.from, [line.from, line.to]);
    line.inside().is_some_and(|[entry, exit]| {
        entry.compare_f64(1.0).is_lt() && exit.compare_f64(0.0).is_gt()
    })
}

/// The t from which on the segment, which the solid blocks, is strictly inside: 0 where it starts in
/// the closed solid, else in f64.
pub(crate) fn entry(solid: &Primitive, line: &SightLine) -> f64 {
    if solid.holds(line.from) {
        return 0.0;
    }
    let direction = line.to - line.from;
    let t = match solid {
        Primitive::Sphere(sphere) => {
            sphere_entry(line.from - sphere.wide_center(), direction, sphere.radius())
        }
        Primitive::Capsule(capsule) => capsule_entry(capsule, line.from, direction),
        Primitive::Aabb(aabb) => hull_entry(&BoxHull::from(aabb), line.from, direction),
        Primitive::Obb(obb) => hull_entry(&BoxHull::from(obb), line.from, direction),
        Primitive::ConvexHull(hull) => polytope_entry(hull, line.from, direction),
        Primitive::Cylinder(cylinder) => {
            let line = CylinderLine::new(cylinder, line.from, [line.from, line.to]);
            (line.inside()).map_or(f64::INFINITY, |[entry, _]| entry.to_f64())
        }
    };
    // A graze may round to no entry at all: the exact test has found one.
    if t.is_finite() {
        t.clamp(0.0, 1.0)
    } else {
        0.5
    }
}

/// From `offset` off a sphere's centre; infinite where it is missed.
fn sphere_entry(offset: DVec3, direction: DVec3, radius: f64) -> f64 {
    let towards = -offset.dot(direction);
    let squared = direction.dot(direction);
    // The point nearest to the centre, so that nothing cancels far away.
    let nearest = offset + direction * (towards / squared);
    let discriminant = squared * (radius * radius - nearest.dot(nearest));
    if discriminant < 0.0 || towards <= 0.0 {
        return f64::INFINITY;
    }
    let beyond = offset.dot(offset) - radius * radius;
    beyond / (towards + discriminant.sqrt())
}

fn capsule_entry(capsule: &Capsule, from: DVec3, direction: DVec3) -> f64 {
    let [a, b] = capsule.segment();
    let by_ends = [a, b].map(|end| sphere_entry(from - end, direction, capsule.radius()));
    let axis = b - a;
    let length = axis.dot(axis);
    let mut entry = by_ends[0].min(by_ends[1]);
    if length > 0.0 {
        // Seen along the axis, the side is a circle.
        let flat = |v: DVec3| v - axis * (v.dot(axis) / length);
        let t = sphere_entry(flat(from - a), flat(direction), capsule.radius());
        let along = (from + direction * t - a).dot(axis) / length;
        if (0.0..=1.0).contains(&along) {
            entry = entry.min(t);
        }
    }
    entry
}

fn hull_entry(hull: &BoxHull, from: DVec3, direction: DVec3) -> f64 {
    let mut entry = 0.0_f64;
    for axis in 0..3 {
        let [x, y, z]: [f64; 3] = hull.normal(axis);
        let normal = DVec3::new(x, y, z);
        let speed = normal.dot(direction);
        if speed != 0.0 {
            let planes = [hull.corners[0], hull.corners[7]];
            let t = planes.map(|corner| normal.dot(corner - from) / speed);
            entry = entry.max(t[0].min(t[1]));
        }
    }
    entry
}

/// Where a hull is entered; infinite where f64 finds none.
fn polytope_entry(hull: &ConvexHull, from: DVec3, direction: DVec3) -> f64 {
    if hull.radius() > 0.0 {
        let path = Path {
            origin: from,
            velocity: direction,
            half: DVec3::ZERO,
        };
        return hull.reached_by(&path, [0.0, 1.0]).unwrap_or(f64::INFINITY);
    }
    let polytope = hull.polytope();
    let mut entry = 0.0_f64;
    for (place, face) in polytope.faces().iter().enumerate() {
        let speed = face.normal.dot(direction);
        if speed < 0.0 {
            let height = face.normal.dot(polytope.face_span(place)[0] - from);
            entry = entry.max(height / speed);
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, Sphere};

    fn line(from: [f64; 3], to: [f64; 3]) -> SightLine {
        let [from, to] = [from, to].map(DVec3::from);
        SightLine { from, to }
    }

    #[test]
    fn touching_a_box_does_not_block() {
        let cube = Primitive::from(Aabb::new([0.0; 3], [2.0; 3]).unwrap());
        for (from, to, is_blocked) in [
            ([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0], true),
            ([-1.0, 2.0, 1.0], [3.0, 2.0, 1.0], false),
            ([-1.0, 1.0, 1.0], [0.0, 1.0, 1.0], false),
            ([-1.0, 1.0, 1.0], [0.1, 1.0, 1.0], true),
            ([-1.0, 1.0, 1.0], [1.0, 3.0, 1.0], false),
            ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], true),
            ([2.0, 1.0, 1.0], [2.0, 1.0, 1.0], false),
        ] {
            assert_eq!(
                blocks(&cube, &line(from, to)),
                is_blocked,
                "{from:?} {to:?}"
            );
        }
        assert_eq!(entry(&cube, &line([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0])), 0.25);
        let pane = Primitive::from(Aabb::new([0.0; 3], [0.0, 2.0, 2.0]).unwrap());
        assert!(blocks(&pane, &line([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0])));
        assert!(!blocks(&pane, &line([-1.0, 2.0, 1.0], [3.0, 2.0, 1.0])));
        assert!(!blocks(&pane, &line([0.0, -1.0, 1.0], [0.0, 3.0, 1.0])));
    }

    #[test]
    fn touching_a_hull_does_not_block() {
        let corners = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, 0.0, 2.0],
        ];
        let hull = Primitive::from(ConvexHull::new(corners).unwrap());
        let card = Primitive::from(ConvexHull::new(corners[..3].to_vec()).unwrap());
        for (solid, from, to, is_blocked) in [
            (&hull, [-1.0, 0.5, 0.5], [3.0, 0.5, 0.5], true),
            (&hull, [-1.0, 0.0, 0.5], [3.0, 0.0, 0.5], false),
            (&hull, [-1.0, 2.0, 0.0], [3.0, 2.0, 0.0], false),
            (&hull, [0.25, 0.25, 0.25], [0.25, 0.25, 0.25], true),
            (&hull, [0.0, 0.25, 0.25], [-1.0, 0.25, 0.25], false),
            (&card, [0.5, 0.5, -1.0], [0.5, 0.5, 1.0], true),
            (&card, [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], false),
            (&card, [-1.0, 0.5, 0.0], [3.0, 0.5, 0.0], false),
            (&card, [0.5, 0.5, 0.0], [0.5, 0.5, 1.0], false),
        ] {
            assert_eq!(
                blocks(solid, &line(from, to)),
                is_blocked,
                "{from:?} {to:?}"
            );
        }
        assert_eq!(entry(&hull, &line([-1.0, 0.5, 0.5], [3.0, 0.5, 0.5])), 0.25);
    }

    #[test]
    fn a_tangent_does_not_block() {
        let ball = Primitive::from(Sphere::new([0.0; 3], 1.0).unwrap());
        assert!(!blocks(&ball, &line([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0])));
        assert!(blocks(&ball, &line([-2.0, 0.5, 0.0], [2.0, 0.5, 0.0])));
        assert_eq!(entry(&ball, &line([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0])), 0.5);
    }
}
