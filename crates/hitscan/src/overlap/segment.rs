//! How far a segment passes from another segment or from a box, compared with a length.
//!
//! A distance is the least one over the features between which it can lie; a feature that is tried
//! in vain does no harm, so only the nearest points' being inner ones has to be decided. Kinds of
//! overlap are made of these answers in `solid_capsule.rs` and `triangle_capsule.rs`.

use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::BoxHull;
use crate::shape::capsule::{compare_point_segment, squared_sum};
use core::cmp::Ordering;
use glam::DVec3;

/// The edges of a box, as pairs of its corners.
pub(super) fn edges(hull: &BoxHull) -> impl Iterator<Item = [DVec3; 2]> + '_ {
    (0..3).flat_map(move |axis| {
        let lower = (0..8).filter(move |corner| corner >> axis & 1 == 0);
        lower.map(move |corner| [hull.corners[corner], hull.corners[corner | 1 << axis]])
    })
}

/// How the distance of two segments compares with the sum of two lengths, which must not be
/// negative.
///
/// Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9, without quotients.
pub(crate) fn compare_segments(first: [DVec3; 2], second: [DVec3; 2], limit: [f64; 2]) -> Ordering {
    let by_ends = first
        .into_iter()
        .map(|end| compare_point_segment(end, second, limit))
        .chain(
            second
                .into_iter()
                .map(|end| compare_point_segment(end, first, limit)),
        )
        .min()
        .unwrap_or(Ordering::Greater);
    let between_lines = decided(lines_beyond::<Approx>(first, second, limit), || {
        lines_beyond::<Expansion>(first, second, limit)
    });
    by_ends.min(between_lines)
}

/// How the distance of two segments' lines compares with the sum of two lengths, and `Greater`
/// where the lines' nearest points are not both inside the segments.
fn lines_beyond<N: Number>(
    [p, q]: [DVec3; 2],
    [r, s]: [DVec3; 2],
    limit: [f64; 2],
) -> Option<Ordering> {
    let (u, v, w): ([N; 3], [N; 3], [N; 3]) = (between(p, q), between(r, s), between(r, p));
    let axis = cross(&u, &v);
    let squared = dot(&axis, &axis);
    if squared.known_sign()?.is_eq() {
        return Some(Ordering::Greater);
    }
    // The nearest points' shares of the segments, times the axis' square.
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let (uw, vw) = (dot(&u, &w), dot(&v, &w));
    let of_first = uv.times(&vw).minus(&vv.times(&uw));
    let of_second = uu.times(&vw).minus(&uv.times(&uw));
    for share in [of_first, of_second] {
        let is_inner = share.known_sign()?.is_gt() && squared.minus(&share).known_sign()?.is_gt();
        if !is_inner {
            return Some(Ordering::Greater);
        }
    }
    let apart = dot(&axis, &w);
    let limit = squared_sum::<N>(limit).times(&squared);
    apart.times(&apart).minus(&limit).known_sign()
}

/// How a point's distance from a solid box compares with a length, which must be positive.
pub(super) fn compare_point_hull(point: DVec3, hull: &BoxHull, limit: f64) -> Ordering {
    if hull.holds(point) {
        return Ordering::Less;
    }
    let by_faces = (0..3).flat_map(|axis| {
        [0, 1 << axis].map(|corner| {
            let face = Face {
                corner: hull.corners[corner],
                sides: [(axis + 1) % 3, (axis + 2) % 3]
                    .map(|side| hull.corners[corner | 1 << side]),
            };
            decided(face.beyond::<Approx>(point, limit), || {
                face.beyond::<Expansion>(point, limit)
            })
        })
    });
    edges(hull)
        .map(|edge| compare_point_segment(point, edge, [limit, 0.0]))
        .chain(by_faces)
        .min()
        .unwrap_or(Ordering::Greater)
}

/// A face of a box: a corner and the two next to it.
struct Face {
    corner: DVec3,
    sides: [DVec3; 2],
}

impl Face {
    /// How a point's distance from the face's plane compares with a length, and `Greater` where the
    /// nearest point is not inside the face.
    fn beyond<N: Number>(&self, point: DVec3, limit: f64) -> Option<Ordering> {
        let offset: [N; 3] = between(self.corner, point);
        let [u, v]: [[N; 3]; 2] = self.sides.map(|side| between(self.corner, side));
        let normal = cross(&u, &v);
        let squared = dot(&normal, &normal);
        for share in [
            dot(&cross(&offset, &v), &normal),
            dot(&cross(&u, &offset), &normal),
        ] {
            let is_inner =
                share.known_sign()?.is_gt() && squared.minus(&share).known_sign()?.is_gt();
            if !is_inner {
                return Some(Ordering::Greater);
            }
        }
        let height = dot(&normal, &offset);
        let limit = squared_sum::<N>([limit, 0.0]).times(&squared);
        height.times(&height).minus(&limit).known_sign()
    }
}

/// How a segment's distance from a solid box compares with a length, which must be positive.
pub(super) fn compare_segment_hull(segment: [DVec3; 2], hull: &BoxHull, limit: f64) -> Ordering {
    let meets = decided(meets_hull::<Approx>(segment, hull), || {
        meets_hull::<Expansion>(segment, hull)
    });
    if meets {
        return Ordering::Less;
    }
    segment
        .into_iter()
        .map(|end| compare_point_hull(end, hull, limit))
        .chain(edges(hull).map(|edge| compare_segments(segment, edge, [limit, 0.0])))
        .min()
        .unwrap_or(Ordering::Greater)
}

/// Whether a segment and a closed box share a point: no axis of the box' faces, nor one across the
/// segment and an edge, parts them.
fn meets_hull<N: Number>([p, q]: [DVec3; 2], hull: &BoxHull) -> Option<bool> {
    let edge: [N; 3] = between(p, q);
    let (from_p, from_q): ([N; 3], [N; 3]) =
        (between(p, hull.corners[0]), between(q, hull.corners[7]));
    let way = [0, 1, 2].map(|i: usize| from_p[i].plus(&from_q[i]));
    let faces = [0, 1, 2].map(|axis| hull.normal(axis));
    let across = hull
        .directions
        .map(|direction| cross(&edge, &vector(direction)));
    for axis in faces.iter().chain(&across) {
        let reach = dot(axis, &edge).magnitude().plus(&hull.reach(axis));
        let depth = reach.minus(&dot(axis, &way).magnitude());
        if depth.known_sign()?.is_lt() {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;

    #[test]
    fn segments_are_nearest_between_inner_points_or_ends() {
        let along_x = [DVec3::ZERO, DVec3::X * 4.0];
        let above = |x: f64, z: f64| [DVec3::new(x, 3.0, z), DVec3::new(x, 3.0, z + 4.0)];
        for (other, distance) in [
            (above(2.0, -2.0), 3.0),
            (above(2.0, 4.0), 5.0),
            (above(4.0, 4.0), 5.0),
            ([DVec3::new(1.0, 3.0, 0.0), DVec3::new(9.0, 3.0, 0.0)], 3.0),
            ([DVec3::new(2.0, -1.0, 0.0), DVec3::new(2.0, 1.0, 0.0)], 0.0),
        ] {
            for (limit, expected) in [
                (distance + 1e-9, Ordering::Less),
                (distance, Ordering::Equal),
                (distance - 1e-9, Ordering::Greater),
            ] {
                if limit >= 0.0 {
                    assert_eq!(compare_segments(along_x, other, [limit, 0.0]), expected);
                }
            }
        }
    }

    #[test]
    fn points_and_segments_beside_a_box() {
        let hull = BoxHull::from(&Aabb::new([0.0; 3], [2.0; 3]).unwrap());
        let point = |x, y, z, limit| compare_point_hull(DVec3::new(x, y, z), &hull, limit);
        assert_eq!(point(1.0, 1.0, 5.0, 3.0), Ordering::Equal);
        assert_eq!(point(1.0, 5.0, 6.0, 5.0), Ordering::Equal);
        assert_eq!(point(4.0, 5.0, 8.0, 7.0), Ordering::Equal);
        assert_eq!(point(1.0, 1.0, 2.0, 1e-30), Ordering::Less);
        let through = [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(3.0, 1.0, 1.0)];
        assert_eq!(compare_segment_hull(through, &hull, 1e-30), Ordering::Less);
        let past = [DVec3::new(-1.0, 5.0, 6.0), DVec3::new(9.0, 5.0, 6.0)];
        assert_eq!(compare_segment_hull(past, &hull, 5.0), Ordering::Equal);
    }
}
