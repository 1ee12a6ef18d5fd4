//! A floating-point filter for a box that overlaps a triangle: which axis is the shortest way out.
//!
//! The separating-axis test in f64 with one bound of the error an axis, derived below. What it decides is
//! what `way_out.rs` decides exactly; it answers [`Filtered::Unsure`] where two ways may be equally long,
//! unless they certainly are and the first counts.
//!
//! Ties that are usual are certain: along x, y and z the depth of an axis-aligned box is a difference of
//! two coordinates, and both ways along one axis compare as two sums do. So boxes in level ground are
//! decided here.
//!
//! # Rounding
//! Let S be the largest coordinate, and `sum` the sum of the magnitudes of all products that make up
//! an axis's components. A component is within 4.01u of its products' magnitudes; a corner seen from the
//! box's middle within 3u S, and no greater than 2 S; a half edge within 3u S, and no greater than S.
//! With the roundings of a scalar product a projection is off by less than 18u S `sum`, the extent of three
//! half edges by less than 27u S `sum`, and their sum by a few units more: below 64u S `sum`. Twice that
//! leaves room for the rounding of the bound itself.

use super::certain_overlap::{CertainOverlap, Filtered};
use super::separating_axes::Axis;
use super::way_out::PenetrationAxis;
use crate::exact::expansion::{UNIT_ROUNDOFF, two_sum};
use crate::exact::extremes::{box_around, max_abs};
use crate::shape::box_hull::BoxHull;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

const PROJECTION_ERROR: f64 = 128.0 * UNIT_ROUNDOFF;

/// Bound on the error of a direction, as a part of the sum of its products' magnitudes.
const DIRECTION_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// More than what underflow takes from a cross product's component or a scalar product: 2^-1075 a product.
const UNDERFLOW: f64 = 1e-290;

/// The maximum of coordinates: no product leaves f64's range.
const MAX_SIZE: f64 = 1e60;

/// Factors that cover the rounding of a quotient or product of positive numbers and of a root.
const UP: f64 = 1.0 + 8.0 * UNIT_ROUNDOFF;
const DOWN: f64 = 1.0 - 8.0 * UNIT_ROUNDOFF;

/// How a box lies to a triangle, where f64 is certain of it.
///
/// `is_mirrored` means that the triangle's front is that from which its corners go clockwise.
pub(crate) fn filter_overlap(hull: &BoxHull, corners: &[DVec3; 3], is_mirrored: bool) -> Filtered {
    let mut axes = Axes::new(hull, corners, is_mirrored);
    match axes.scan() {
        ControlFlow::Break(found) => found,
        ControlFlow::Continue(()) => axes.shortest(),
    }
}

/// A vector in f64, with the magnitudes of the products that its components are made of.
#[derive(Clone, Copy)]
struct Direction {
    value: DVec3,
    /// Their sum.
    sum: f64,
    /// Which components are zero because each of their products has a factor that is exactly zero.
    is_zero: [bool; 3],
}

impl Direction {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cross(a: DVec3, b: DVec3) -> Self {
        let component = |i: usize, j: usize| {
            let (plus, minus) = (a[i] * b[j], a[j] * b[i]);
            let is_zero = (a[i] == 0.0 || b[j] == 0.0) && (a[j] == 0.0 || b[i] == 0.0);
            (plus - minus, plus.abs() + minus.abs(), is_zero)
        };
        let [x, y, z] = [component(1, 2), component(2, 0), component(0, 1)];
        Self {
            value: DVec3::new(x.0, y.0, z.0),
            sum: x.1 + y.1 + z.1,
            is_zero: [x.2, y.2, z.2],
        }
    }

    /// Bound on the error of each component, and of the length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn error(&self) -> f64 {
        DIRECTION_ERROR * self.sum + UNDERFLOW
    }

    /// Which of x, y and z it is along, if it does not vanish.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn face(&self) -> Option<usize> {
        (0..3).find(|&face| (0..3).all(|i| i == face || self.is_zero[i]))
    }
}

/// A way out that may be the shortest.
#[derive(Clone, Copy)]
struct Candidate {
    way: PenetrationAxis,
    depth: [f64; 2],
    direction: DVec3,
    error: f64,
}

/// The axes of a box and a triangle, in order, and the shortest way so far.
struct Axes<'a> {
    hull: &'a BoxHull,
    corners: &'a [DVec3; 3],
    is_mirrored: bool,
    /// Around the triangle.
    low: DVec3,
    high: DVec3,
    /// The triangle's corners seen from the box's middle.
    offsets: [DVec3; 3],
    halves: [DVec3; 3],
    is_aligned: bool,
    /// S, times [`PROJECTION_ERROR`].
    unit_error: f64,
    /// Which of x, y and z there is an axis along.
    is_face: [bool; 3],
    best: Option<Candidate>,
    /// No other way is shorter than this.
    rival: f64,
}

impl<'a> Axes<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(hull: &'a BoxHull, corners: &'a [DVec3; 3], is_mirrored: bool) -> Self {
        let (first, last) = (hull.corners[0], hull.corners[7]);
        let middle = (first + last) * 0.5;
        let [low, high] = box_around(corners);
        let halves = [1, 2, 4].map(|k: usize| (hull.corners[k] - first) * 0.5);
        let around = halves[0].abs() + halves[1].abs() + halves[2].abs() + middle.abs();
        let size = max_abs(around.max(low.abs()).max(high.abs()));
        Self {
            hull,
            corners,
            is_mirrored,
            low,
            high,
            offsets: corners.map(|corner| corner - middle),
            halves,
            is_aligned: hull.directions == DVec3::AXES,
            unit_error: PROJECTION_ERROR * size,
            is_face: [false; 3],
            best: None,
            rival: f64::INFINITY,
        }
    }

    /// Looks at all axes; breaks where that decides.
    fn scan(&mut self) -> ControlFlow<Filtered> {
        let [a, b, c] = *self.corners;
        let edges = [b - a, c - b, a - c];
        if self.is_aligned {
            // Rounded differences have the signs of the exact ones.
            let (min, max) = (self.hull.corners[0], self.hull.corners[7]);
            if self.low.cmpgt(max).any() || self.high.cmplt(min).any() {
                return ControlFlow::Break(Filtered::Apart);
            }
        }
        let normal = Direction::cross(edges[0], edges[1]);
        // NaN is not certain either.
        let is_certain = self.unit_error <= PROJECTION_ERROR * MAX_SIZE
            && normal.value.abs().max_element() > normal.error();
        if !is_certain {
            return ControlFlow::Break(Filtered::Unsure);
        }
        self.add(Axis::Obstacle(0), &normal, [0, 1, 2])?;
        for face in 0..3 {
            let direction = if self.is_aligned {
                let mut is_zero = [true; 3];
                is_zero[face] = false;
                Direction {
                    value: DVec3::AXES[face],
                    sum: 1.0,
                    is_zero,
                }
            } else {
                let [j, k] = [(face + 1) % 3, (face + 2) % 3];
                Direction::cross(self.hull.directions[j], self.hull.directions[k])
            };
            self.add(Axis::Shape(face), &direction, [0, 1, 2])?;
        }
        for (obstacle, edge) in edges.into_iter().enumerate() {
            for shape in 0..3 {
                // A product of an edge with what is across the normal is along the normal.
                if self.is_aligned && normal.is_zero[shape] {
                    continue;
                }
                let direction = Direction::cross(edge, self.hull.directions[shape]);
                // The edge's two ends have the same coordinate on this axis.
                let opposite = (obstacle + 2) % 3;
                let axis = Axis::Edges { obstacle, shape };
                self.add(axis, &direction, [obstacle, obstacle, opposite])?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds an axis. `ends` are those corners that can be the lowest or highest on it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(
        &mut self,
        axis: Axis,
        direction: &Direction,
        ends: [usize; 3],
    ) -> ControlFlow<Filtered> {
        let face = direction.face();
        if let Some(face) = face {
            // Of axes along x, y and z the first of each counts; a product that vanishes is none.
            if self.is_face[face] {
                return ControlFlow::Continue(());
            }
            let is_certain = direction.value[face].abs() > direction.error();
            if !is_certain {
                return ControlFlow::Break(Filtered::Unsure);
            }
            self.is_face[face] = true;
        }
        let (depths, direction, error) = match face {
            Some(face) if self.is_aligned => {
                let is_up = direction.value[face] > 0.0;
                (
                    self.aligned_depths(face, is_up),
                    sign_vector(face, is_up),
                    0.0,
                )
            }
            _ => {
                let depths = self.depths(direction, ends)?;
                match face {
                    Some(face) => (depths, sign_vector(face, direction.value[face] > 0.0), 0.0),
                    None => (depths, direction.value, direction.error()),
                }
            }
        };
        let [positive, negative] = depths;
        if positive[1] < 0.0 || negative[1] < 0.0 {
            return ControlFlow::Break(Filtered::Apart);
        }
        let ways = [(true, positive, direction), (false, negative, -direction)];
        // Both ways along x, y or z compare as the sums of the ends do; of equal ones the positive way
        // counts, of a triangle's that from its front.
        let certain = face.map(|face| {
            let order = self.compare_ways(face, direction[face] > 0.0);
            let is_front_negative = self.is_mirrored && matches!(axis, Axis::Obstacle(_));
            order.is_lt() || order.is_eq() && !is_front_negative
        });
        for (is_positive, depth, direction) in ways {
            if certain.is_some_and(|certain| certain != is_positive) {
                continue;
            }
            self.consider(Candidate {
                way: PenetrationAxis::Along { axis, is_positive },
                depth,
                direction,
                error,
            });
        }
        ControlFlow::Continue(())
    }

    /// How of both ways along an axis along x, y or z the positive one compares with the other.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn compare_ways(&self, face: usize, is_up: bool) -> Ordering {
        let triangle = two_sum(self.low[face], self.high[face]);
        let hull = two_sum(self.hull.corners[0][face], self.hull.corners[7][face]);
        // The way up is from the box's lower end to the triangle's upper one. Nothing here is NaN.
        let order = triangle.partial_cmp(&hull).unwrap_or(Ordering::Equal);
        if is_up { order } else { order.reverse() }
    }

    /// Enclosures of how far an axis-aligned box must go along x, y or z, in the axis's direction
    /// and against it: differences of two coordinates.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn aligned_depths(&self, face: usize, is_up: bool) -> [[f64; 2]; 2] {
        let (min, max) = (self.hull.corners[0][face], self.hull.corners[7][face]);
        let up = difference(self.high[face], min);
        let down = difference(max, self.low[face]);
        if is_up { [up, down] } else { [down, up] }
    }

    /// Enclosures of how far the box must go along an axis and against it. Both may be too low where
    /// that is no shorter than the shortest so far.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn depths(
        &self,
        direction: &Direction,
        ends: [usize; 3],
    ) -> ControlFlow<Filtered, [[f64; 2]; 2]> {
        let axis = direction.value;
        let [a, b, c] = ends.map(|end| axis.dot(self.offsets[end]));
        let radius = if self.is_aligned {
            let half = DVec3::new(self.halves[0].x, self.halves[1].y, self.halves[2].z);
            axis.abs().dot(half)
        } else {
            let [x, y, z] = self.halves.map(|half| axis.dot(half).abs());
            x + y + z
        };
        let error = self.unit_error * direction.sum + UNDERFLOW;
        let ways = [radius + a.max(b).max(c), radius - a.min(b).min(c)];
        if ways[0] < -error || ways[1] < -error {
            return ControlFlow::Break(Filtered::Apart);
        }
        let length = axis.length();
        let off = direction.error();
        let (shortest, longest) = ((length * DOWN) - off, (length * UP) + off);
        let best = self.best.map_or(f64::INFINITY, |best| best.depth[1]);
        let is_certain = shortest > 0.5 * length;
        if !is_certain {
            return ControlFlow::Break(Filtered::Unsure);
        }
        ControlFlow::Continue(ways.map(|way| {
            if way - error > best * longest * UP {
                // What is longer is not looked at.
                return [f64::INFINITY; 2];
            }
            let low = ((way - error) / longest * DOWN).max(0.0);
            [low, (way + error) / shortest * UP]
        }))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn consider(&mut self, new: Candidate) {
        let Some(best) = &self.best else {
            self.best = Some(new);
            return;
        };
        let is_known = |candidate: &Candidate| candidate.depth[0] == candidate.depth[1];
        if new.depth[1] < best.depth[1] {
            self.rival = self.rival.min(best.depth[0]);
            self.best = Some(new);
        } else if !(is_known(best) && is_known(&new) && new.depth == best.depth) {
            self.rival = self.rival.min(new.depth[0]);
        }
    }

    /// The shortest way, if no other may be as short.
    fn shortest(&self) -> Filtered {
        match &self.best {
            Some(best) if best.depth[1] < self.rival && best.depth[1].is_finite() => {
                let is_touch = best.depth == [0.0; 2];
                let is_certain = is_touch || best.depth[0] > 0.0;
                if !is_certain {
                    return Filtered::Unsure;
                }
                Filtered::Overlap(CertainOverlap {
                    way: best.way,
                    status: if is_touch {
                        Ordering::Equal
                    } else {
                        Ordering::Less
                    },
                    depth: best.depth,
                    direction: best.direction,
                    error: best.error,
                    end: best.direction.dot(DVec3::select(
                        best.direction.cmpgt(DVec3::ZERO),
                        self.high,
                        self.low,
                    )),
                })
            }
            _ => Filtered::Unsure,
        }
    }
}

fn sign_vector(face: usize, is_up: bool) -> DVec3 {
    DVec3::AXES[face] * if is_up { 1.0 } else { -1.0 }
}

/// An enclosure of `a - b`; one number where it is exact.
#[cfg_attr(not(debug_assertions), inline(always))]
fn difference(a: f64, b: f64) -> [f64; 2] {
    let (difference, rest) = two_sum(a, -b);
    if rest == 0.0 {
        [difference + 0.0; 2]
    } else {
        [difference.next_down(), difference.next_up()]
    }
}

#[cfg(test)]
mod tests;
