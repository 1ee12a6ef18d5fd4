//! Two triangles: whether, how and along which segment they intersect.
//!
//! Triangles of one plane are handed on to `coplanar.rs`.

use super::coplanar;
use super::crossing_point::{crossing_point, rounded_point};
use super::orientation::{bounds, plane_side, relative};
use super::{Overlap, OverlapKind};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// How triangles `a` and `b` overlap, or `None` where they are apart or one has no area.
///
/// The segment runs along `normal of a × normal of b`, so that the segments of two closed surfaces
/// join into loops, end to start. It is the same, bit for bit, whatever corner comes first, and
/// reversed where `a` and `b` are exchanged.
///
/// # Shape and units
/// Corners in metres, finite, counter-clockwise seen from the front, both in one space.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
///
/// # Source
/// Guigue, Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
/// Predicates", Journal of Graphics Tools 8(1), 2003: the order of two edges' crossings along the
/// common line is the orientation of the edges' four ends. Here the corners on the other plane are
/// ends of the same kind, so no case is left to a tolerance, and the common part is given.
#[must_use]
pub fn triangle_triangle(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Overlap> {
    if bounds_apart(a, b) {
        return None;
    }
    let b_sides = b.map(|corner| plane_side(a, corner));
    if b_sides == [Ordering::Equal; 3] {
        return coplanar::overlap(a, b);
    }
    if is_on_one_side(&b_sides) {
        return None;
    }
    let a_sides = a.map(|corner| plane_side(b, corner));
    // All of `a` in the plane of `b`, but not the other way round: `b` has no area.
    if a_sides == [Ordering::Equal; 3] || is_on_one_side(&a_sides) {
        return None;
    }
    // Seen from `b` the common line runs the other way.
    let [a_low, a_high] = span(a, a_sides, b);
    let [b_high, b_low] = span(b, b_sides, a);
    let gap_before = a_low.against(&b_high);
    let gap_after = b_low.against_reversed(&a_high);
    if gap_before.is_gt() || gap_after.is_gt() {
        return None;
    }
    let low = if a_low.against(&b_low).is_lt() {
        b_low
    } else {
        a_low
    };
    let high = if a_high.against(&b_high).is_gt() {
        b_high
    } else {
        a_high
    };
    let has_length = gap_before.is_lt() && gap_after.is_lt();
    let kind = if has_length && straddles(&a_sides) && straddles(&b_sides) {
        OverlapKind::Cross
    } else {
        OverlapKind::Touch
    };
    let segment = Some([low.point(), high.point()]);
    Some(Overlap { kind, segment })
}

fn bounds_apart(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let ((a_min, a_max), (b_min, b_max)) = (bounds(a), bounds(b));
    a_max.cmplt(b_min).any() || b_max.cmplt(a_min).any()
}

fn is_on_one_side(sides: &[Ordering; 3]) -> bool {
    sides[0].is_ne() && sides[1] == sides[0] && sides[2] == sides[0]
}

fn straddles(sides: &[Ordering; 3]) -> bool {
    sides.contains(&Ordering::Less) && sides.contains(&Ordering::Greater)
}

/// One end of a triangle's common part with the other triangle's plane: where an edge intersects it.
#[derive(Clone, Copy)]
struct End<'a> {
    /// On the plane, or across it from `q`.
    p: DVec3,
    p_side: Ordering,
    /// Strictly off the plane.
    q: DVec3,
    q_side: Ordering,
    /// The other triangle.
    plane: &'a [DVec3; 3],
}

impl End<'_> {
    /// How this end of triangle `a` compares with `other`, one of triangle `b`, along
    /// `normal of a × normal of b`.
    ///
    /// Let d be that direction, and the ends X and Y = X + λd. As p and X lie on the same side of q
    /// on their edge (and so for the other), the orientation of the edges' four ends has the sign
    /// of `(q - X) × (Y - X) · (q' - X)`, which is λ times a positive number times the sides of q
    /// and q'. It is zero only for X = Y: else both edges lay in a plane with the common line,
    /// which would be the plane of `a`, from which q' is off.
    fn against(&self, other: &End) -> Ordering {
        let sign = plane_side(&[self.p, self.q, other.p], other.q);
        relative(relative(sign, self.q_side), other.q_side).reverse()
    }

    /// The same for this end of `b` and `other` of `a`.
    fn against_reversed(&self, other: &End) -> Ordering {
        other.against(self).reverse()
    }

    fn point(&self) -> Vec3 {
        if self.p_side.is_eq() {
            rounded_point(self.p)
        } else {
            crossing_point(self.p, self.q, self.plane)
        }
    }
}

/// The ends of what `triangle` has in common with the plane of `plane`, in the order along
/// `normal of triangle × normal of plane`.
///
/// `sides` are those of its corners: neither all zero nor all on one side.
fn span<'a>(triangle: &[DVec3; 3], sides: [Ordering; 3], plane: &'a [DVec3; 3]) -> [End<'a>; 2] {
    let end = |p: usize, q: usize| End {
        p: triangle[p],
        p_side: sides[p],
        q: triangle[q],
        q_side: sides[q],
        plane,
    };
    let others = |corner: usize| ((corner + 1) % 3, (corner + 2) % 3);
    // A corner alone on its side: both of its edges reach the plane. Seen from the triangle's front
    // with the plane's positive side up, the direction is to the left, and so is the edge that
    // leads on from a corner on top.
    for corner in 0..3 {
        let (next, previous) = others(corner);
        let side = sides[corner];
        if side.is_ne() && sides[next] != side && sides[previous] != side {
            let (right, left) = (end(previous, corner), end(next, corner));
            return if side.is_gt() {
                [right, left]
            } else {
                [left, right]
            };
        }
    }
    // None is alone, so one corner is on the plane and both others on one side of it.
    let corner = sides.iter().position(|side| side.is_eq()).unwrap_or(0);
    [end(corner, others(corner).0); 2]
}
