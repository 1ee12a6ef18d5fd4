//! Minimum translation of overlapping cores along their separating axes.
//!
//! The axes are the facets of the cores' Minkowski difference, so that the minimum translation along one
//! of them is the minimum of all translations: closed form, without iteration.
//!
//! Source: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
//! Detection", SIGGRAPH 1996, for the axes. What differs: every comparison is exact.

use super::Core;
use super::difference::Difference;
use super::separating_axes::{Axis, CorePair};
use super::sides::{Side, SideDepth, SidePair, deepest, exact_depth, order_on_sides};
use super::signed_root::SignedRoot;
use crate::exact::adaptive::{Approx, Number, cross, decided, dot, vector};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use core::cmp::Ordering;
use glam::DVec3;

/// The axis of penetration and its sign, or, where there is no axis, a direction across the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PenetrationAxis {
    Along {
        axis: Axis,
        is_positive: bool,
    },
    /// Of a pair with a polytope.
    Side(Side),
    Across,
}

/// A penetration axis, with an enclosure of the depth along it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    way: PenetrationAxis,
    depth: [f64; 2],
}

impl CorePair<'_> {
    /// Whether the sides of their difference count rather than axes: of a pair with a polytope, or with a
    /// triangle as the shape.
    pub(super) fn is_by_sides(&self) -> bool {
        matches!(self.obstacle, Core::Hull(_))
            || matches!(self.shape, Core::Hull(_) | Core::Triangle(_))
    }

    /// Whether the cores overlap openly on all axes (`Less`), touch on one (`Equal`), or are apart on
    /// one (`Greater`), exactly. Cores without an axis overlap on all of them.
    pub(super) fn compare_on_axes(&self) -> Ordering {
        if self.is_by_sides() {
            // Without sides they lie on one line, and at most touch.
            let on_line = || {
                let difference = Difference::new(&self.obstacle, &self.shape, DVec3::ZERO);
                difference.compare_distance([0.0; 3]).max(Ordering::Equal)
            };
            return order_on_sides(&SidePair::new(self, [false; 2])).unwrap_or_else(on_line);
        }
        let mut all = Ordering::Less;
        for axis in self.axes() {
            let order = decided(self.compare_on::<Approx>(axis), || {
                self.compare_on::<Expansion>(axis)
            });
            // Along a cross product that vanishes all projections are 0.
            if order.is_eq() && self.vanishes(axis) {
                continue;
            }
            all = all.max(order);
            if all.is_gt() {
                break;
            }
        }
        all
    }

    fn compare_on<N: Number>(&self, axis: Axis) -> Option<Ordering> {
        let [near, far] = self.near_and_far::<N>(&self.direction(axis));
        Some(near.known_sign()?.max(far.known_sign()?.reverse()))
    }

    /// The shortest way out for cores that meet, and an enclosure of its length: of equal ways the
    /// first axis, and on it its positive direction, a triangle's front. `are_mirrored` says of the obstacle and
    /// the shape whether each is a triangle whose front is that from which its corners go clockwise.
    pub(super) fn way_out(&self, are_mirrored: [bool; 2]) -> (PenetrationAxis, [f64; 2]) {
        if self.is_by_sides() {
            let deepest = deepest(&SidePair::new(self, are_mirrored));
            return deepest.map_or(
                (PenetrationAxis::Across, [0.0; 2]),
                |SideDepth { side, depth }| (PenetrationAxis::Side(side), depth),
            );
        }
        let mut candidates = [None; 2 * Axis::MAX];
        let mut count = 0;
        let mut min_depth = f64::INFINITY;
        for axis in self.distinct_axes() {
            let [positive, negative] = self.depths(axis);
            let mut ways = [(true, positive), (false, negative)];
            if are_mirrored[0] && matches!(axis, Axis::Obstacle(_)) {
                ways.reverse();
            }
            for (is_positive, depth) in ways {
                if depth[0] <= min_depth {
                    min_depth = min_depth.min(depth[1]);
                    let way = PenetrationAxis::Along { axis, is_positive };
                    candidates[count] = Some(Candidate { way, depth });
                    count += 1;
                }
            }
        }
        let mut best: Option<Candidate> = None;
        let near = candidates[..count].iter().flatten();
        for candidate in near.filter(|candidate| candidate.depth[0] <= min_depth) {
            let is_shorter = |best: &Candidate| {
                let (one, other) = (self.exact_depth(candidate.way), self.exact_depth(best.way));
                one.compare(&other).is_gt()
            };
            if best.as_ref().is_none_or(is_shorter) {
                best = Some(*candidate);
            }
        }
        best.map_or((PenetrationAxis::Across, [0.0; 2]), |best| {
            (best.way, best.depth)
        })
    }

    /// Enclosures of how far the shape must go along an axis and against it, where they meet.
    fn depths(&self, axis: Axis) -> [[f64; 2]; 2] {
        let direction = self.direction::<Approx>(axis);
        let squared = dot(&direction, &direction);
        let [near, far] = self.near_and_far(&direction);
        if squared.error * 1e9 < squared.value {
            return [far, Approx::from_f64(0.0).minus(&near)].map(|way| enclose(way, squared));
        }
        let direction = self.direction::<Expansion>(axis);
        let squared = rounded(&dot(&direction, &direction));
        let [near, far] = self.near_and_far(&direction);
        [far, Expansion::from_f64(0.0).minus(&near)].map(|way| enclose(rounded(&way), squared))
    }

    /// How far the shape must go, as a negative number.
    pub(super) fn exact_depth(&self, way: PenetrationAxis) -> SignedRoot {
        let (axis, is_positive) = match way {
            PenetrationAxis::Along { axis, is_positive } => (axis, is_positive),
            PenetrationAxis::Side(side) => {
                return exact_depth(&SidePair::new(self, [false; 2]), side);
            }
            PenetrationAxis::Across => return SignedRoot::zero(),
        };
        let direction = self.direction::<BigFloat>(axis);
        let [near, far] = self.near_and_far(&direction);
        let depth = if is_positive { far } else { near };
        // The numbers are doubled.
        let four = BigFloat::from_f64(4.0);
        SignedRoot {
            is_negative: true,
            squared: [
                depth.times(&depth),
                dot(&direction, &direction).times(&four),
            ],
        }
    }

    /// The direction of a way out, of any length, correct to 2^-40 of it.
    pub(super) fn direction_out(&self, way: PenetrationAxis) -> DVec3 {
        match way {
            PenetrationAxis::Along { axis, is_positive } => {
                let direction = self.rounded_direction(axis);
                if is_positive { direction } else { -direction }
            }
            PenetrationAxis::Side(side) => SidePair::new(self, [false; 2]).rounded_direction(side),
            PenetrationAxis::Across => DVec3::from_array(self.across::<f64>()),
        }
    }

    /// The exact sign of the product of a way out and `a - b`.
    pub(super) fn compare_along_way(&self, way: PenetrationAxis, a: DVec3, b: DVec3) -> Ordering {
        match way {
            PenetrationAxis::Along { axis, is_positive } => {
                let order = self.compare_along(axis, a, b);
                if is_positive { order } else { order.reverse() }
            }
            PenetrationAxis::Side(side) => {
                SidePair::new(self, [false; 2]).compare_along(side, a, b)
            }
            PenetrationAxis::Across => {
                let across = dot(&self.across::<Expansion>(), &vector(a));
                across
                    .minus(&dot(&self.across::<Expansion>(), &vector(b)))
                    .sign()
            }
        }
    }

    /// A direction across both cores, which are points and segments of one line.
    fn across<N: Number>(&self) -> [N; 3] {
        let segment = [&self.obstacle, &self.shape]
            .into_iter()
            .find_map(|core| match core {
                Core::Segment([a, b]) => Some([*a, *b]),
                Core::Hull(hull) => hull.edges().first().map(|edge| hull.edge_ends(edge)),
                _ => None,
            });
        let Some([a, b]) = segment else {
            return vector(DVec3::Y);
        };
        let way = (b - a).abs();
        let smallest = (0..3).fold(0, |min, i| if way[i] < way[min] { i } else { min });
        let way = crate::exact::adaptive::between(a, b);
        cross(&way, &vector(DVec3::AXES[smallest]))
    }
}

/// An expansion in f64 with a bound.
fn rounded(x: &Expansion) -> Approx {
    let value = x.to_f64();
    Approx {
        value,
        error: 4.0 * UNIT_ROUNDOFF * value.abs(),
    }
}

/// An enclosure of half of a number that is not negative, over the root of a positive one.
fn enclose(way: Approx, squared: Approx) -> [f64; 2] {
    let length = 2.0 * squared.value.sqrt();
    // The root halves the relative error; each step adds a unit of roundoff.
    let relative = squared.error / squared.value + 8.0 * UNIT_ROUNDOFF;
    let value = way.value / length;
    let error = way.error / length * 2.0 + relative * value.abs();
    [(value - error).max(0.0), (value + error).max(0.0)]
}
