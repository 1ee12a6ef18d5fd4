//! The direction along which two cores are furthest apart, in f64: their distance, or minus the depth.
//!
//! The gap along a unit direction, the shape's minimum less the obstacle's maximum, is no more than the
//! signed distance; along the best direction it is that distance. Where the two are well apart the closest points
//! have it. Where they touch or overlap, it is climbed to: the shape is moved aside along the direction at hand
//! until they are well apart, and the direction between the closest points there is a better one, or the same.
//!
//! Source: Martinet, "Régularisation d'inéquations variationnelles par approximations successives", 1970: the
//! proximal point method. On unit vectors moving aside by s adds `s - s |n - m|² / 2` to the gap along n, so each
//! step is one of it. What differs: steps are extended as long as that helps.

use super::bounds::{View, project};
use super::closest::{Closest, closest, searched};
use super::core::Core;
use super::gjk::Precision;
use super::rim_directions::{rim_directions, square_to, wide_unit};
use crate::shape::cylinder::across;
use crate::sorting::{ordered_bits, sort_by_rank};
use glam::DVec3;

/// Two cores, the second one shifted.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShiftedPair<'a> {
    pub(super) view: View<'a>,
    pub(super) shift: DVec3,
    /// The largest extent of either along x, y or z.
    pub(super) size: f64,
}

/// A direction and the gap along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Climbed {
    /// From the obstacle to the shape, of unit length.
    pub(super) direction: DVec3,
    pub(super) gap: f64,
    /// Points of the two that are furthest towards each other along the direction.
    pub(super) points: [DVec3; 2],
}

/// How far shapes are moved aside at least, and at most to begin with, over their size: closer the direction
/// between closest points would be rounded by more than the bound of the gap allows.
const ASIDE: [f64; 2] = [1.0 / 512.0, 1.0 / 16.0];
/// How often a direction is improved.
const STEPS: usize = 48;
/// From how many directions the climb begins.
const STARTS: usize = 5;
/// A turn by less than this ends the climb: the closest points are good to less than its product with a size.
const STILL: f64 = 1.0 / (1_u64 << 34) as f64;
/// Of polytopes with more faces or edges these are no starts.
const MANY: usize = 64;

impl ShiftedPair<'_> {
    /// The gap along a unit direction.
    #[inline]
    pub(super) fn gap(&self, direction: DVec3) -> f64 {
        self.view.lowest_gap(direction) + direction.dot(self.shift)
    }

    /// The closest points after the shape is moved further, it being back at its place in the answer.
    pub(super) fn closest(&self, aside: DVec3) -> Closest {
        let closest = closest(&self.view.obstacle, &self.view.shape, self.shift + aside);
        Closest {
            on_shape: closest.on_shape - aside,
            ..closest
        }
    }

    /// The highest gap, and where: from a direction if there is one, which suffices for cores that are apart, and
    /// from others.
    pub(super) fn highest(&self, from: Option<DVec3>) -> Climbed {
        let mut best: Option<Climbed> = None;
        let mut keep = |climbed: Climbed| {
            if best.is_none_or(|best| climbed.gap > best.gap) && !climbed.gap.is_nan() {
                best = Some(climbed);
            }
            best.is_some_and(|best| best.gap > self.view.slack)
        };
        let is_found = from.is_some_and(|from| keep(self.climb(from)));
        let axes = self.axes();
        if !is_found {
            let mut starts: Vec<(f64, DVec3)> = (axes.iter().copied())
                .chain(around())
                .map(|axis| (self.gap(axis), axis))
                .collect();
            starts.extend(self.rim_starts());
            // The highest first, of equal ones the first.
            sort_by_rank(&mut starts, |(gap, _)| [!ordered_bits(*gap), 0, 0]);
            let mut tried: Vec<DVec3> = Vec::new();
            for (_, start) in starts {
                if tried.len() == STARTS {
                    break;
                }
                if tried.iter().any(|other| other.dot(start) > 1.0 - 1e-3) {
                    continue;
                }
                tried.push(start);
                if keep(self.climb(start)) {
                    break;
                }
            }
        }
        let best = best.unwrap_or_else(|| self.climb(DVec3::X));
        self.snapped(best, &axes)
    }

    /// The highest gap near a direction, of cores that are close to one another; `None` where they overlap.
    ///
    /// If the gap along a direction is no less than its rounding below 0, and along those around it is no higher, it
    /// is no higher along any: where cores are apart the gap, a concave function of vectors, has one summit on the
    /// unit sphere.
    pub(super) fn highest_near(&self, direction: DVec3) -> Option<Climbed> {
        let slack = self.view.slack;
        let warm =
            |way: DVec3, direction: DVec3| self.closest_from(way, direction, Precision::ROUGH);
        let rough = self.climb_by(direction, (ASIDE[1], 0.25 * slack), &warm);
        if rough.gap > 16.0 * slack {
            return Some(rough);
        }
        let climbed = self.climb_by(rough.direction, (ASIDE[0], 0.25 * slack), &warm);
        if climbed.gap < -slack {
            return None;
        }
        let polished = self.snapped(self.polished(climbed), &self.axes());
        let way = polished.direction * (ASIDE[0] * self.size);
        let closest = self.closest_from(way, polished.direction, Precision::EXACT);
        Some(Climbed {
            points: [closest.on_obstacle, closest.on_shape],
            ..polished
        })
    }

    /// The highest gap among directions beside one, whose errors are those of closest points.
    fn polished(&self, climbed: Climbed) -> Climbed {
        const TURNS: [f64; 2] = [1.0 / (1_u64 << 18) as f64, 1.0 / (1_u64 << 30) as f64];
        let (mut direction, mut gap) = (climbed.direction, climbed.gap);
        let aside = across(direction);
        let other = direction.cross(aside);
        let mut turn = TURNS[0];
        for _ in 0..2 * STEPS {
            if turn < TURNS[1] {
                break;
            }
            let before = gap;
            for way in [aside, -aside, other, -other] {
                let next = direction + way * turn;
                let next = next / next.length();
                let next_gap = self.gap(next);
                if next_gap > gap {
                    (direction, gap) = (next, next_gap);
                }
            }
            if gap == before {
                turn *= 0.5;
            }
        }
        Climbed {
            direction,
            gap,
            ..climbed
        }
    }

    /// About the closest points, searched from a first direction, or any that are near enough.
    pub(super) fn closest_until(&self, first: DVec3, enough: f64) -> Closest {
        self.closest_from(DVec3::ZERO, first, Precision::ROUGH.or_within(enough))
    }

    /// As [`ShiftedPair::closest`], searched from a first direction.
    pub(super) fn closest_from(&self, aside: DVec3, first: DVec3, precision: Precision) -> Closest {
        let (obstacle, shape) = (&self.view.obstacle, &self.view.shape);
        let closest = searched(obstacle, shape, self.shift + aside, first, precision);
        Closest {
            on_shape: closest.on_shape - aside,
            ..closest
        }
    }

    /// Directions across which a cylinder and the other may be least deep, with the gaps along them.
    fn rim_starts(&self) -> Vec<(f64, DVec3)> {
        let (cylinder, other) = match (&self.view.obstacle, &self.view.shape) {
            (Core::Hull(hull), Core::Cylinder(cylinder)) => {
                return rim_directions(hull, cylinder, self.shift);
            }
            (Core::Cylinder(cylinder), Core::Hull(hull)) => {
                let outward = rim_directions(hull, cylinder, -self.shift);
                return outward.into_iter().map(|(gap, way)| (gap, -way)).collect();
            }
            (other, Core::Cylinder(cylinder)) | (Core::Cylinder(cylinder), other) => {
                (cylinder, other)
            }
            _ => return Vec::new(),
        };
        let axis = cylinder.axis().0;
        let edges = other.directions().into_iter();
        let edges = edges.filter_map(|[a, b]| wide_unit(b - a)).chain([axis]);
        edges.flat_map(|edge| self.best_around(edge)).collect()
    }

    /// The directions square to an edge from which the gap falls off either way, and the gaps along them.
    fn best_around(&self, edge: DVec3) -> Vec<(f64, DVec3)> {
        let around = square_to(edge);
        let gaps: Vec<f64> = around.iter().map(|way| self.gap(*way)).collect();
        let is_best = |place: &usize| {
            let neighbours = [place + around.len() - 1, place + 1];
            let next = neighbours.map(|next| gaps[next % around.len()]);
            gaps[*place] >= next[0] && gaps[*place] >= next[1]
        };
        let places = (0..around.len()).filter(is_best);
        places.map(|place| (gaps[place], around[place])).collect()
    }

    /// Better and better directions from one on.
    fn climb(&self, from: DVec3) -> Climbed {
        self.climb_by(from, (ASIDE[0], 0.0), &|way, _| self.closest(way))
    }

    /// The same, moved aside by no less than a part of the size, and until less is gained, by the closest points after
    /// the shape is moved.
    fn climb_by(
        &self,
        from: DVec3,
        (least, gain): (f64, f64),
        closest: &dyn Fn(DVec3, DVec3) -> Closest,
    ) -> Climbed {
        let (mut direction, mut gap) = (from, self.gap(from));
        let mut aside = ASIDE[1] * self.size;
        let mut points = None;
        for _ in 0..STEPS {
            let way = direction * (aside + (-gap).max(0.0) * 1.25);
            let closest = closest(way, direction);
            let offset = closest.on_shape + way - closest.on_obstacle;
            let Some(mut next) = wide_unit(offset) else {
                break;
            };
            points = Some([closest.on_obstacle, closest.on_shape]);
            let turn = next - direction;
            let mut next_gap = self.gap(next);
            let mut stretch = 2.0;
            while turn.length() * stretch < 1.0 {
                let further = direction + turn * stretch;
                let further = further / further.length();
                let further_gap = self.gap(further);
                if further_gap.is_nan() || further_gap <= next_gap {
                    break;
                }
                (next, next_gap) = (further, further_gap);
                stretch *= 2.0;
            }
            let is_better = next_gap > gap + gain;
            let turned = turn.length();
            if next_gap > gap {
                (direction, gap) = (next, next_gap);
            }
            if !is_better || turned <= STILL {
                if aside <= least * self.size {
                    break;
                }
                aside *= 0.125;
            }
        }
        Climbed {
            direction,
            gap,
            points: points.unwrap_or_else(|| {
                let closest = closest(DVec3::ZERO, direction);
                [closest.on_obstacle, closest.on_shape]
            }),
        }
    }

    /// The direction of an axis in its place, where the gap along that is the same but for rounding; or one square
    /// to an edge that it is nearly square to.
    pub(super) fn snapped(&self, climbed: Climbed, axes: &[DVec3]) -> Climbed {
        const SQUARE: f64 = 1.0 / 1_048_576.0;
        let floor = climbed.gap - 0.5 * self.view.slack;
        let with = |direction: DVec3, gap: f64| Climbed {
            direction,
            gap,
            ..climbed
        };
        for axis in axes {
            let gap = self.gap(*axis);
            if gap >= floor {
                return with(*axis, gap);
            }
        }
        for edge in self.edges() {
            let along = climbed.direction.dot(edge);
            if along.abs() <= SQUARE {
                let direction = climbed.direction - edge * along;
                let direction = direction / direction.length();
                let gap = self.gap(direction);
                if gap >= floor {
                    return with(direction, gap);
                }
            }
        }
        climbed
    }

    /// Unit directions along the edges of both, and along the axes of cylinders.
    fn edges(&self) -> Vec<DVec3> {
        let of = |core: &Core<'_>| -> Vec<DVec3> {
            match core {
                Core::Cylinder(cylinder) => vec![cylinder.axis().0],
                Core::Hull(hull) if hull.edges().len() > MANY => Vec::new(),
                _ => {
                    let ways = core.directions().into_iter();
                    ways.filter_map(|[a, b]| wide_unit(b - a)).collect()
                }
            }
        };
        let mut edges = of(&self.view.obstacle);
        edges.extend(of(&self.view.shape));
        edges
    }

    /// The normals of faces of both and of the ends of cylinders, both ways, and the products of edges and axes.
    pub(super) fn axes(&self) -> Vec<DVec3> {
        let mut axes: Vec<DVec3> = Vec::new();
        let mut add = |axis: Option<DVec3>| {
            if let Some(axis) = axis {
                axes.extend([axis, -axis]);
            }
        };
        let cores = [&self.view.obstacle, &self.view.shape];
        for core in cores {
            match core {
                Core::Cylinder(cylinder) => add(Some(cylinder.axis().0)),
                Core::Hull(hull) if hull.faces().len() > MANY => {}
                _ => {
                    for [first, second] in core.face_spans() {
                        let [first, second] = [first, second].map(|[a, b]| b - a);
                        add(unit_product(first, second));
                    }
                }
            }
        }
        let edges = cores.map(|core| match core {
            Core::Cylinder(cylinder) => vec![cylinder.axis().0],
            Core::Hull(hull) if hull.edges().len() > MANY => Vec::new(),
            _ => core.directions().into_iter().map(|[a, b]| b - a).collect(),
        });
        for first in &edges[0] {
            for second in &edges[1] {
                add(unit_product(*first, *second));
            }
        }
        let [from, to] = cores.map(middle);
        let between = to + self.shift - from;
        add(wide_unit(between));
        for core in cores {
            if let Core::Cylinder(cylinder) = core {
                let axis = cylinder.axis().0;
                add(wide_unit(axis.cross(between.cross(axis))));
            }
        }
        axes
    }
}

/// Directions all around.
fn around() -> impl Iterator<Item = DVec3> {
    let places = [-1.0, 0.0, 1.0];
    let all = places
        .into_iter()
        .flat_map(move |x| places.map(|y| (x, y)))
        .flat_map(move |(x, y)| places.map(|z| DVec3::new(x, y, z)));
    all.filter_map(wide_unit)
}

/// The middle of the box around a core.
fn middle(core: &Core<'_>) -> DVec3 {
    let spans = DVec3::AXES.map(|axis| project(core, axis));
    DVec3::from_array(spans.map(|[low, high]| f64::midpoint(low, high)))
}

/// The largest extent of a core along x, y or z.
pub(super) fn extent(core: &Core<'_>) -> f64 {
    let spans = DVec3::AXES.map(|axis| project(core, axis));
    spans
        .iter()
        .fold(0.0, |max: f64, [low, high]| max.max(high - low))
}

/// The product of two directions at unit length; `None` where they are parallel but for rounding.
fn unit_product(first: DVec3, second: DVec3) -> Option<DVec3> {
    const PARALLEL: f64 = 1e-9;
    let product = wide_unit(first)?.cross(wide_unit(second)?);
    if product.length() > PARALLEL {
        wide_unit(product)
    } else {
        None
    }
}
