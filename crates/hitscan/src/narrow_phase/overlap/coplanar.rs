//! Two triangles of one plane: a common area, a common segment or point, or nothing.
//!
//! Flattened along an axis, the triangles are separated by the lines of their six edges: convex
//! polygons are apart exactly if one of those lines parts them (the separating axis theorem).

use super::crossing_point::rounded_point;
use super::orientation::{edges, flattening, relative, turn};
use super::{Overlap, OverlapKind};
use core::cmp::Ordering;
use glam::DVec3;

/// How triangles of one plane overlap, or `None` where they are apart or one has no area.
pub(super) fn overlap(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Overlap> {
    let (axis, a_turn) = flattening(a)?;
    let b_turn = turn(axis, b[0], b[1], b[2]);
    if b_turn.is_eq() {
        return None;
    }
    let mut common = None;
    for (first, first_turn, second) in [(a, a_turn, b), (b, b_turn, a)] {
        for [p, q, _] in edges(first) {
            let sides = second.map(|corner| relative(turn(axis, p, q, corner), first_turn));
            if sides == [Ordering::Less; 3] {
                return None;
            }
            if !sides.contains(&Ordering::Greater) && common.is_none() {
                common = Some(on_the_line(p, q, second, &sides));
            }
        }
    }
    let Some([low, high]) = common else {
        return Some(Overlap::of_kind(OverlapKind::Coplanar));
    };
    Some(Overlap {
        kind: OverlapKind::Touch,
        segment: Some([rounded_point(low), rounded_point(high)]),
    })
}

/// What the edge from `p` to `q` shares with those corners of `other` that lie on its line (side
/// zero) and the segment between them. One or two do, and the triangles are known to overlap.
fn on_the_line(p: DVec3, q: DVec3, other: &[DVec3; 3], sides: &[Ordering; 3]) -> [DVec3; 2] {
    // All points are exactly on one line, so any coordinate that changes along it gives the order.
    let axis = (0..3).find(|&axis| p[axis] != q[axis]).unwrap_or(0);
    let lower = |a: DVec3, b: DVec3| if b[axis] < a[axis] { b } else { a };
    let upper = |a: DVec3, b: DVec3| if b[axis] > a[axis] { b } else { a };
    let mut on_line = other
        .iter()
        .zip(sides)
        .filter(|(_, side)| side.is_eq())
        .map(|(corner, _)| *corner);
    let first = on_line.next().unwrap_or(p);
    let second = on_line.next().unwrap_or(first);
    [
        upper(lower(p, q), lower(first, second)),
        lower(upper(p, q), upper(first, second)),
    ]
}
