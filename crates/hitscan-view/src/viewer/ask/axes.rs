//! When a moving box and what it hits overlap along each of their separating axes: one sees which axis
//! decides.
//!
//! It is for drawing, in f64: the hit itself is the library's, decided exactly. Shapes with a radius
//! have no such axes.

use super::drawing::aabb_corners;
use super::surface::triangle_corners;
use crate::protocol::AxisReply;
use glam::DVec3;
use hitscan::world::ObjectShape;
use hitscan::{Obb, Primitive, ShapeCast, ShapeHit, Snapshot};

/// What a separating axis is made of: corners, and directions with their names.
struct Polytope {
    corners: Vec<DVec3>,
    /// Normals of faces.
    normals: Vec<(String, DVec3)>,
    /// Directions of edges.
    edges: Vec<(String, DVec3)>,
}

/// The axes of a moving box and of the box or the triangle that it hits.
pub(super) fn axes(world: &Snapshot, cast: &ShapeCast, hit: &ShapeHit) -> Option<Vec<AxisReply>> {
    let moving = of_primitive(&cast.shape(), "")?;
    let object = hit.object?;
    let resting = match hit.triangle {
        Some(triangle) => of_triangle(triangle_corners(world, object, triangle)?),
        None => match world.shape(object)? {
            ObjectShape::Primitive(solid) => of_primitive(&solid, "obstacle ")?,
            _ => return None,
        },
    };
    let mut named: Vec<(String, DVec3)> = Vec::new();
    let faces = moving.normals.iter().chain(&resting.normals);
    let crosses = moving.edges.iter().flat_map(|(one, along)| {
        let with = resting.edges.iter();
        with.map(move |(other, edge)| (format!("{one} × {other}"), along.cross(*edge)))
    });
    for (name, axis) in faces.cloned().chain(crosses) {
        // Edges side by side have no axis, and one that is there already says nothing new.
        let Some(axis) = axis.try_normalize() else {
            continue;
        };
        let is_known = |(_, known): &(String, DVec3)| known.dot(axis).abs() > 1.0 - 1e-12;
        if !named.iter().any(is_known) {
            named.push((name, axis));
        }
    }
    let motion = cast.motion().as_dvec3();
    let along = |(name, axis): (String, DVec3)| {
        let (moved, rest) = (extent(&moving, axis), extent(&resting, axis));
        (name, overlap(moved, motion.dot(axis), rest))
    };
    let intervals: Vec<(String, Interval)> = named.into_iter().map(along).collect();
    let enters = intervals
        .iter()
        .filter_map(|(_, interval)| interval.enter());
    let last = enters.fold(f64::NEG_INFINITY, f64::max);
    let reply = |(name, interval): (String, Interval)| interval.reply(name, last);
    Some(intervals.into_iter().map(reply).collect())
}

/// When two projections overlap while t goes from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Interval {
    Always,
    Never,
    FromTo(f64, f64),
}

impl Interval {
    /// When it begins, if it begins on the way.
    fn enter(self) -> Option<f64> {
        match self {
            Self::FromTo(enter, _) if enter > 0.0 => Some(enter),
            _ => None,
        }
    }

    /// `last` is when the last of all intervals begins.
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
    fn reply(self, name: String, last: f64) -> AxisReply {
        let (enter, leave) = match self {
            Self::FromTo(enter, leave) => (Some(enter as f32), Some(leave as f32)),
            Self::Always | Self::Never => (None, None),
        };
        AxisReply {
            name,
            enter,
            leave,
            never: self == Self::Never,
            decides: self.enter() == Some(last),
        }
    }
}

/// When [a, b] that moves by `motion` overlaps [c, d], t from 0 to 1.
fn overlap([a, b]: [f64; 2], motion: f64, [c, d]: [f64; 2]) -> Interval {
    if motion == 0.0 {
        return match a < d && c < b {
            true => Interval::Always,
            false => Interval::Never,
        };
    }
    let ends = [(c - b) / motion, (d - a) / motion];
    let (enter, leave) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    if leave <= 0.0 || enter > 1.0 {
        Interval::Never
    } else if enter < 0.0 && leave > 1.0 {
        Interval::Always
    } else {
        Interval::FromTo(enter.max(0.0), leave.min(1.0))
    }
}

fn extent(polytope: &Polytope, axis: DVec3) -> [f64; 2] {
    let along = polytope.corners.iter().map(|corner| corner.dot(axis));
    along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| {
        [low.min(at), high.max(at)]
    })
}

/// A box along the axes or a turned one; `whose` comes in front of the names of a turned one's axes.
fn of_primitive(solid: &Primitive, whose: &str) -> Option<Polytope> {
    let (corners, axes) = match solid {
        Primitive::Aabb(aabb) => {
            let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
            let axes = axes.map(|(name, axis)| (name.to_owned(), axis));
            (aabb_corners(aabb), axes)
        }
        Primitive::Obb(obb) => (obb.corners(), obb_axes(obb, whose)),
        Primitive::Sphere(_) | Primitive::Capsule(_) => return None,
    };
    Some(Polytope {
        corners: corners.to_vec(),
        normals: axes.to_vec(),
        edges: axes.to_vec(),
    })
}

fn obb_axes(obb: &Obb, whose: &str) -> [(String, DVec3); 3] {
    let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
    let whose = if whose.is_empty() { "own " } else { whose };
    axes.map(|(name, axis)| (format!("{whose}{name}"), obb.rotation() * axis))
}

fn of_triangle(corners: [DVec3; 3]) -> Polytope {
    let [a, b, c] = corners;
    let edges = [
        ("edge v0-v1", b - a),
        ("edge v1-v2", c - b),
        ("edge v2-v0", a - c),
    ];
    Polytope {
        corners: corners.to_vec(),
        normals: vec![("triangle's normal".to_owned(), (b - a).cross(c - a))],
        edges: edges.map(|(name, edge)| (name.to_owned(), edge)).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_within_the_motion() {
        use Interval::{Always, FromTo, Never};
        for (moving, motion, resting, expected) in [
            ([0.0, 1.0], 4.0, [2.0, 3.0], FromTo(0.25, 0.75)),
            ([0.0, 1.0], -4.0, [-3.0, -2.0], FromTo(0.5, 1.0)),
            ([0.0, 1.0], 4.0, [9.0, 10.0], Never),
            ([0.0, 1.0], -4.0, [2.0, 3.0], Never),
            ([0.0, 1.0], 0.0, [0.5, 3.0], Always),
            ([0.0, 1.0], 0.0, [1.0, 3.0], Never),
            ([0.0, 9.0], 1.0, [3.0, 5.0], Always),
        ] {
            assert_eq!(
                overlap(moving, motion, resting),
                expected,
                "{moving:?} by {motion}"
            );
        }
    }
}
