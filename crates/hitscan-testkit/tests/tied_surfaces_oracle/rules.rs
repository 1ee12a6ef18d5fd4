//! The rules for the triangles of one object, followed on every triangle.

use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use hitscan::Primitive;
use hitscan::convex::examined::{ExaminedShape, examine};
use hitscan_testkit::whole_body::{
    Body, Squared, Vector, axes, distance, dot, minus, unit, whole, whole_vector,
};
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeSet;

/// How a shape lies to a triangle.
pub(crate) struct Lie {
    pub(crate) status: Ordering,
    is_depth: bool,
    pub(crate) squared: Squared,
}

impl Lie {
    pub(crate) fn new(triangle: &[DVec3; 3], shape: &Body, margin: f32) -> Option<Self> {
        let obstacle = Body::new(&ExaminedShape::Triangle(*triangle));
        // Where the boxes around them are apart, that is decided at once.
        let reach = &shape.radius + whole(f64::from(margin));
        for axis in [DVec3::X, DVec3::Y, DVec3::Z].map(whole_vector) {
            let reach = &reach * dot(&axis, &axis).sqrt();
            let is_beyond = shape.lowest(&axis) - &reach > obstacle.highest(&axis)
                || obstacle.lowest(&axis) - &reach > shape.highest(&axis);
            if is_beyond {
                return None;
            }
        }
        let apart = distance(&obstacle, shape);
        if !apart.numerator.is_zero() {
            let within = |margin: f64| {
                let reach = &shape.radius + whole(margin);
                apart.numerator.cmp(&(&reach * &reach * &apart.denominator))
            };
            let is_within = within(f64::from(margin)).is_le();
            let status = within(0.0);
            return is_within.then_some(Self {
                status,
                is_depth: false,
                squared: apart,
            });
        }
        let mut least: Option<Squared> = None;
        let mut status = Ordering::Less;
        for axis in axes(&obstacle, shape) {
            for along in [axis.clone(), axis.map(|x| -x)] {
                let depth = obstacle.highest(&along) - shape.lowest(&along);
                if depth.is_zero() && shape.radius.is_zero() {
                    status = Ordering::Equal;
                }
                let found = Squared {
                    numerator: &depth * &depth,
                    denominator: dot(&along, &along),
                    along,
                };
                if least
                    .as_ref()
                    .is_none_or(|least| found.compare(least).is_lt())
                {
                    least = Some(found);
                }
            }
        }
        Some(Self {
            status,
            is_depth: true,
            squared: least.expect("a triangle has a normal"),
        })
    }

    /// By separation; the radius is the same for all.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self.is_depth, other.is_depth) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (true, true) => self.squared.compare(&other.squared).reverse(),
            (false, false) => self.squared.compare(&other.squared),
        }
    }

    fn compare_along(&self, a: DVec3, b: DVec3) -> Ordering {
        along(&self.squared.along, a, b)
    }
}

fn along(normal: &Vector, a: DVec3, b: DVec3) -> Ordering {
    dot(normal, &minus(&whole_vector(a), &whole_vector(b))).cmp(&BigInt::zero())
}

pub(crate) type Triangles = Vec<[DVec3; 3]>;
type Compare<'a> = &'a dyn Fn(DVec3, DVec3) -> Ordering;

/// The corners that lie furthest along a normal.
fn furthest(corners: &[DVec3; 3], compare: Compare<'_>) -> Vec<DVec3> {
    let is_furthest = |a: &DVec3| corners.iter().all(|b| compare(*a, *b).is_ge());
    corners.iter().copied().filter(is_furthest).collect()
}

/// The triangles that contradict a contact, whether or not they are in question.
fn contradicting(triangles: &Triangles, own: usize, compare: Compare<'_>) -> Vec<usize> {
    let furthest = furthest(&triangles[own], compare);
    let contradicts = |other: &usize| {
        let corners = &triangles[*other];
        *other != own
            && furthest.iter().all(|corner| corners.contains(corner))
            && corners
                .iter()
                .any(|corner| compare(*corner, furthest[0]).is_gt())
    };
    (0..triangles.len()).filter(contradicts).collect()
}

/// The contacts that count, in order, by triangle; and the one of the least separation.
pub(crate) fn contacts(
    triangles: &Triangles,
    shape: &Body,
    margin: f32,
) -> (Vec<usize>, Option<usize>) {
    let lies: Vec<Option<Lie>> = triangles
        .iter()
        .map(|triangle| Lie::new(triangle, shape, margin))
        .collect();
    let all: Vec<usize> = (0..lies.len()).filter(|i| lies[*i].is_some()).collect();
    let lie = |i: usize| lies[i].as_ref().expect("it is within the margin");
    let is_left_out = |own: &usize| {
        let compare = |a, b| lie(*own).compare_along(a, b);
        let others = contradicting(triangles, *own, &compare);
        others.iter().any(|other| lies[*other].is_some())
    };
    let kept: Vec<usize> = all
        .iter()
        .copied()
        .filter(|own| !is_left_out(own))
        .collect();
    let least = all.iter().copied().min_by(|a, b| {
        let order = lie(*a).compare(lie(*b));
        order.then_with(|| (is_left_out(a), a).cmp(&(is_left_out(b), b)))
    });
    (if kept.is_empty() { all } else { kept }, least)
}

/// A contact that stops a shape which leaves what it overlaps.
pub(crate) struct Stop {
    pub(crate) floor: f64,
    pub(crate) t: f32,
    pub(crate) normal: DVec3,
    contradicting: Vec<usize>,
}

/// The triangle that stops a shape which leaves what it overlaps, if any.
pub(crate) fn leaving(
    triangles: &Triangles,
    shape: &Primitive,
    motion: Vec3,
) -> (Option<(usize, Stop)>, usize) {
    let examined = ExaminedShape::Solid(shape.clone());
    let body = Body::new(&examined);
    let motion = motion.as_dvec3();
    let corners: Vec<DVec3> = {
        let all = triangles
            .iter()
            .flatten()
            .map(|corner| corner.to_array().map(f64::to_bits));
        let unique: BTreeSet<[u64; 3]> = all.collect();
        unique
            .into_iter()
            .map(|bits| DVec3::from_array(bits.map(f64::from_bits)))
            .collect()
    };
    let mut gone = BTreeSet::new();
    let mut at_start = BTreeSet::new();
    let mut stops: Vec<Option<Stop>> = Vec::new();
    for (own, triangle) in triangles.iter().enumerate() {
        let lie = Lie::new(triangle, &body, 0.0);
        at_start.extend(lie.as_ref().map(|_| own));
        let overlap = lie.filter(|lie| lie.status.is_lt());
        stops.push(match overlap {
            Some(lie) if !lie.compare_along(motion, DVec3::ZERO).is_lt() => {
                gone.insert(own);
                None
            }
            Some(lie) => Some(Stop {
                floor: 0.0,
                t: 0.0,
                normal: unit(&lie.squared.along),
                contradicting: contradicting(triangles, own, &|a, b| lie.compare_along(a, b)),
            }),
            None => {
                let obstacle = ExaminedShape::Triangle(*triangle);
                // From each of the triangle's corners to each corner of the object.
                let ways: Vec<[DVec3; 2]> = triangle
                    .iter()
                    .flat_map(|from| corners.iter().map(|to| [*from, *to]))
                    .collect();
                examine(&obstacle, &examined, motion, &ways).map(|found| {
                    let compare = |a: DVec3, b: DVec3| {
                        let way = ways.iter().position(|way| *way == [b, a]);
                        found.signs[way.expect("it begins at the triangle")]
                    };
                    assert!(!found.is_overlap, "{triangle:?} {shape:?}");
                    Stop {
                        floor: found.floor,
                        t: found.t,
                        normal: found.normal.as_dvec3(),
                        contradicting: contradicting(triangles, own, &compare),
                    }
                })
            }
        });
    }
    let left = gone.len();
    loop {
        let is_passed = |own: &usize| {
            let stop = stops[*own].as_ref();
            !gone.contains(own)
                && stop.is_some_and(|stop| stop.contradicting.iter().any(|i| gone.contains(i)))
        };
        let passed: Vec<usize> = (0..stops.len()).filter(is_passed).collect();
        if passed.is_empty() {
            break;
        }
        gone.extend(passed);
    }
    let is_left_out = |stop: &Stop| {
        stop.contradicting.iter().any(|other| {
            if stop.floor == 0.0 {
                at_start.contains(other)
            } else {
                (stops[*other].as_ref()).is_some_and(|other| other.floor == stop.floor)
            }
        })
    };
    let rank = |(own, stop): &(usize, &Stop)| (stop.floor, is_left_out(stop), *own);
    let remaining = stops
        .iter()
        .enumerate()
        .filter(|(own, _)| !gone.contains(own));
    let remaining = remaining.filter_map(|(own, stop)| Some((own, stop.as_ref()?)));
    let first = remaining
        .min_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("times are numbers"))
        .map(|(own, _)| own);
    let first = first.map(|own| (own, stops[own].take().expect("it stops the shape")));
    (first, left)
}
