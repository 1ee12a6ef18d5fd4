//! The floating-point filter of a line and a capsule: the decisions of `line_capsule.rs` in plain f64,
//! each against one bound of its error; where it is not certain, intervals decide, and then exact numbers.
//!
//! # Bounds
//! With u the unit roundoff, M the largest component of the ways from the capsule's ends to the line's
//! origin, L that of the edge, D that of the direction and r the radius: a component of a way is off by
//! u M, one of the edge by u L, and d is exact. Each sum below counts its terms' own errors and a rounding
//! for each operation, to first order in u; the factors that are used are at least 1.3 times these
//! sums, which is more than what higher orders and the bounds' own roundings make. No product of
//! coordinates underflows: they are multiples of 2^-149, and at most six are multiplied.
//!
//! Source: Fortune, Van Wyk, "Efficient Exact Arithmetic for Computational Geometry", 1993 (static
//! filters).

use crate::exact::expansion::UNIT_ROUNDOFF;
use core::cmp::Ordering::{self, Greater, Less};
use glam::DVec3;

/// Where a line's point at some t is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// Outside, before the line's nearest point.
    Before,
    /// Strictly inside.
    Inside,
    /// Outside, at the line's nearest point or behind it.
    After,
}

/// A line and a capsule in f64.
pub(super) struct CapsuleFilter {
    /// The ways from the ends to the line's origin.
    offsets: [DVec3; 2],
    edge: DVec3,
    direction: DVec3,
    squared_radius: f64,
    /// M, L and D of the bounds.
    sizes: [f64; 3],
}

/// How a value with a bound of its error compares with zero, if that is certain; not if it may be zero.
#[inline]
fn certain(value: f64, bound: f64) -> Option<Ordering> {
    // False of what is not a number.
    if value > bound {
        Some(Greater)
    } else if value < -bound {
        Some(Less)
    } else {
        None
    }
}

impl CapsuleFilter {
    #[inline]
    pub(super) fn new(
        [a, b]: [DVec3; 2],
        radius: f64,
        (origin, direction): (DVec3, DVec3),
    ) -> Self {
        let offsets = [origin - a, origin - b];
        let edge = b - a;
        let largest = |vector: DVec3| vector.abs().max_element();
        Self {
            offsets,
            edge,
            direction,
            squared_radius: radius * radius,
            sizes: [
                largest(offsets[0]).max(largest(offsets[1])),
                largest(edge),
                largest(direction),
            ],
        }
    }

    /// The sign of the squared radius less the line's smallest squared distance.
    #[inline]
    pub(super) fn depth(&self) -> Option<Ordering> {
        let Self {
            offsets,
            edge,
            direction: d,
            squared_radius,
            sizes: [m, l, largest],
        } = *self;
        let (along, squared) = (d.dot(edge), d.dot(d));
        // 3 products off by 2 u D L, and 2 sums of at most 3 D L: 12 u D L.
        let is_forward = certain(along, 32.0 * UNIT_ROUNDOFF * largest * l)?.is_gt();
        // The distance's slope where the line passes an end's plane: (o d) (d e) - (o e) (d d), of factors
        // off by 12, 12, 15 and 8 u: 12 * 3 + 3 * 12 + 15 * 3 + 3 * 8, and 9 for each product and for the
        // difference: 177 u M D² L.
        let bound = 256.0 * UNIT_ROUNDOFF * m * l * largest * largest;
        let slope_at = |offset: DVec3| {
            let slope = offset.dot(d) * along - offset.dot(edge) * squared;
            let sign = certain(slope, bound)?;
            Some(if is_forward { sign } else { sign.reverse() })
        };
        let [early, late] = match is_forward {
            true => offsets,
            false => [offsets[1], offsets[0]],
        };
        if slope_at(early)?.is_gt() {
            return self.depth_at_end(early, squared);
        }
        if slope_at(late)?.is_lt() {
            return self.depth_at_end(late, squared);
        }
        let lateral = d.cross(edge);
        // A component of the lateral direction is off by 6 u D L and at most 2 D L. The triple product:
        // 3 (6 + 2 + 2) u M D L, and 2 sums of at most 6 M D L: 42 u M D L. The square of the lateral
        // direction: 3 (2 * 2 * 6 + 4) and 2 * 12: 108 u D² L².
        let apart = offsets[0].dot(lateral).abs();
        let apart_bound = 64.0 * UNIT_ROUNDOFF * m * largest * l;
        let lateral_squared = lateral.dot(lateral);
        let lateral_bound = 160.0 * UNIT_ROUNDOFF * largest * largest * l * l;
        let product = squared_radius * lateral_squared;
        // The radius' square, the products and the difference round once each.
        let bound = squared_radius * lateral_bound
            + apart_bound * (2.0 * apart + apart_bound)
            + 8.0 * UNIT_ROUNDOFF * (product + apart * apart);
        certain(product - apart * apart, bound)
    }

    /// The depth where an end of the segment is nearest to the line: r² d d - |o x d|².
    #[inline]
    fn depth_at_end(&self, offset: DVec3, squared: f64) -> Option<Ordering> {
        let [m, _, largest] = self.sizes;
        let moment = offset.cross(self.direction);
        // A component of the moment is off by 6 u M D, so the square by 3 times twice the component times
        // that, and by 8 u of itself; d d and r² by 8 u and u of themselves.
        let component = 8.0 * UNIT_ROUNDOFF * m * largest;
        let largest_moment = moment.abs().max_element();
        let outer = moment.dot(moment);
        let inner = self.squared_radius * squared;
        let bound =
            6.0 * component * (largest_moment + component) + 16.0 * UNIT_ROUNDOFF * (outer + inner);
        certain(inner - outer, bound)
    }

    /// Where the point at `t` times the direction is, if that is certain.
    #[inline]
    pub(super) fn position(&self, t: f64) -> Option<Position> {
        let Self {
            offsets,
            edge,
            direction: d,
            squared_radius,
            sizes: [m, l, largest],
        } = *self;
        let way = d * t;
        let [from_a, from_b] = offsets.map(|offset| offset + way);
        // A component is off by the offset's error, and by a rounding of the product and of the sum:
        // 2 u (M + D t). What follows has this bound, d, as its unit: no component is more than d / 4 u.
        let off = 4.0 * UNIT_ROUNDOFF * (m + largest * t.abs());
        // A product with the edge: 3 d L, and of errors and roundings of the products and sums 5 u of 3
        // products: 6.75 d L.
        let bound = 10.0 * off * l;
        if certain(from_a.dot(edge), bound)?.is_lt() {
            return self.position_at_end(from_a, off);
        }
        if certain(from_b.dot(edge), bound)?.is_gt() {
            return self.position_at_end(from_b, off);
        }
        // A component of the moment: 2 (d L + 2 u p L) and a rounding of 2 p L: 3.5 d L.
        let moment = from_a.cross(edge);
        let component = 5.0 * off * l;
        let largest_moment = moment.abs().max_element();
        let outer = moment.dot(moment);
        let inner = squared_radius * edge.dot(edge);
        let bound =
            6.0 * component * (largest_moment + component) + 16.0 * UNIT_ROUNDOFF * (outer + inner);
        if certain(outer - inner, bound)?.is_lt() {
            return Some(Position::Inside);
        }
        // The moment's product with the lateral direction, whose components are at most 2 D L and off by
        // 6 u D L: 3 (3.5 d L * 2 D L + q * 6 u D L + q * 2 u D L) and 2 sums of 6 q D L, where q, a
        // component of the moment, is at most d L / 2 u: 39 d D L².
        let slope = moment.dot(d.cross(edge));
        let bound = 64.0 * off * largest * l * l;
        Some(outside(certain(slope, bound)?))
    }

    /// The position of a point that is nearest to an end of the segment, by its way from there.
    #[inline]
    fn position_at_end(&self, from: DVec3, off: f64) -> Option<Position> {
        let [.., largest] = self.sizes;
        let outer = from.dot(from);
        let component = from.abs().max_element();
        // Squares of components that are off by `off`, and 4 u of themselves; r² by 2 u of itself.
        let bound =
            6.0 * off * (component + off) + 16.0 * UNIT_ROUNDOFF * (outer + self.squared_radius);
        if certain(outer - self.squared_radius, bound)?.is_lt() {
            return Some(Position::Inside);
        }
        // 3 d D, and 3 u of 3 products of at most d D / 4 u: 5.25 d D.
        Some(outside(certain(
            from.dot(self.direction),
            8.0 * off * largest,
        )?))
    }
}

/// The position of a point outside, where the distance changes so.
fn outside(slope: Ordering) -> Position {
    if slope.is_lt() {
        Position::Before
    } else {
        Position::After
    }
}
