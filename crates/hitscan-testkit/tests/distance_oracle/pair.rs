//! The distance of two convex pieces, in whole numbers and fractions: by all planes of their difference, and by
//! all pairs of corners, edges and faces. It shares neither code nor method with the library.

use core::cmp::Ordering;
use hitscan::glam::DVec3;
use hitscan::world::DistanceStatus;
use hitscan_testkit::core_oracle::{RationalCore, dot as exact_dot, nearest};
use hitscan_testkit::whole_body::{Vector as Whole, cross, dot, minus, whole_vector};
use hitscan_testkit::{Exact, Vector, exact};
use num_traits::{Signed, ToPrimitive, Zero};

/// A convex piece of an object: its corners in f64, and how far it reaches from them.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) part: u32,
    pub(crate) triangle: u32,
    pub(crate) corners: Vec<DVec3>,
    pub(crate) radius: f64,
}

/// How two pieces lie.
#[derive(Clone, Debug)]
pub(crate) struct Lie {
    pub(crate) status: DistanceStatus,
    pub(crate) distance: f32,
    /// From one to the other where they are apart.
    pub(crate) offset: Option<DVec3>,
}

impl Lie {
    /// In the order of ties.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let place = |status| match status {
            DistanceStatus::Overlap => 0,
            DistanceStatus::Touching => 1,
            DistanceStatus::Apart => 2,
        };
        let order = self.distance.total_cmp(&other.distance);
        order.then(place(self.status).cmp(&place(other.status)))
    }
}

/// Whether it is a triangle without area, which touches nothing.
pub(crate) fn is_degenerate(piece: &Piece) -> bool {
    let [a, b, c] = piece.corners[..] else {
        return false;
    };
    let [a, b, c] = [a, b, c].map(whole_vector);
    cross(&minus(&b, &a), &minus(&c, &a))
        .iter()
        .all(Zero::is_zero)
}

/// How the two lie.
pub(crate) fn lie(a: &Piece, b: &Piece) -> Lie {
    let meets = |status| Lie {
        status,
        distance: 0.0,
        offset: None,
    };
    let radius = exact(a.radius) + exact(b.radius);
    let has_radius = radius.is_positive();
    match place_of_origin(&difference(a, b)) {
        Some(Ordering::Less) => return meets(DistanceStatus::Overlap),
        Some(Ordering::Equal) if has_radius => return meets(DistanceStatus::Overlap),
        Some(Ordering::Equal) => return meets(DistanceStatus::Touching),
        Some(Ordering::Greater) | None => {}
    }
    let (squared, offset) = distance(a, b);
    match squared.cmp(&(&radius * &radius)) {
        Ordering::Less => meets(DistanceStatus::Overlap),
        Ordering::Equal if has_radius && squared.is_zero() => meets(DistanceStatus::Overlap),
        Ordering::Equal => meets(DistanceStatus::Touching),
        Ordering::Greater => Lie {
            status: DistanceStatus::Apart,
            distance: nearest_f32(&squared, &radius),
            offset: Some(DVec3::from_array(
                offset.map(|number| number.to_f64().unwrap()),
            )),
        },
    }
}

/// All corners of one less all of the other, each once.
fn difference(a: &Piece, b: &Piece) -> Vec<Whole> {
    let [a, b] = [a, b]
        .map(|piece| -> Vec<Whole> { piece.corners.iter().copied().map(whole_vector).collect() });
    let mut all: Vec<Whole> = (a.iter())
        .flat_map(|a| b.iter().map(|b| minus(a, b)))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Whether the origin is inside the hull of points (`Less`), on its boundary or outside; `None` where all lie in one
/// plane.
fn place_of_origin(points: &[Whole]) -> Option<Ordering> {
    let mut place = None;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = cross(&minus(b, a), &minus(c, a));
                if normal.iter().all(Zero::is_zero) {
                    continue;
                }
                let level = dot(&normal, a);
                let (mut is_below, mut is_above) = (false, false);
                for point in points {
                    match dot(&normal, point).cmp(&level) {
                        Ordering::Less => is_below = true,
                        Ordering::Equal => {}
                        Ordering::Greater => is_above = true,
                    }
                    if is_below && is_above {
                        break;
                    }
                }
                let beyond = match (is_below, is_above) {
                    (true, true) => continue,
                    (false, false) => return None,
                    // Everything is below: the origin is beyond where 0 is above the level.
                    (true, false) => level.sign_of().reverse(),
                    (false, true) => level.sign_of(),
                };
                place = place.max(Some(beyond));
                if place == Some(Ordering::Greater) {
                    return place;
                }
            }
        }
    }
    place
}

trait SignOf {
    fn sign_of(&self) -> Ordering;
}

impl SignOf for num_bigint::BigInt {
    fn sign_of(&self) -> Ordering {
        self.cmp(&Self::zero())
    }
}

/// The square of the distance of the cores, and the way between their nearest points.
fn distance(a: &Piece, b: &Piece) -> (Exact, Vector) {
    let [a, b] = [a, b].map(cores);
    let all = a.iter().flat_map(|a| b.iter().map(|b| nearest(a, b)));
    let least = all.reduce(|best, next| {
        if next.squared < best.squared {
            next
        } else {
            best
        }
    });
    let least = least.unwrap();
    (exact_dot(&least.offset, &least.offset), least.offset)
}

/// A piece as points, segments and triangles that cover its boundary.
fn cores(piece: &Piece) -> Vec<RationalCore> {
    let corners: Vec<Vector> = piece
        .corners
        .iter()
        .map(|at| at.to_array().map(exact))
        .collect();
    if corners.len() < 4 {
        return vec![RationalCore::new(corners)];
    }
    let mut all = Vec::new();
    for i in 0..corners.len() {
        for j in i + 1..corners.len() {
            for k in j + 1..corners.len() {
                let three = [i, j, k].map(|place| corners[place].clone());
                all.push(RationalCore::new(three.to_vec()));
            }
        }
    }
    all
}

/// The f32 nearest to a root less a number.
#[expect(clippy::cast_possible_truncation, reason = "a guess that is corrected")]
fn nearest_f32(squared: &Exact, less: &Exact) -> f32 {
    // How the exact number compares with an f64.
    let compare = |limit: f64| {
        let sum = exact(limit) + less;
        if sum.is_negative() {
            Ordering::Greater
        } else {
            squared.cmp(&(&sum * &sum))
        }
    };
    let middle = |a: f32, b: f32| f64::midpoint(f64::from(a), f64::from(b));
    let guess = squared.to_f64().unwrap().sqrt() - less.to_f64().unwrap();
    let mut found = guess.max(0.0) as f32;
    let is_even = |x: f32| x.to_bits().is_multiple_of(2);
    while found > 0.0 {
        match compare(middle(found.next_down(), found)) {
            Ordering::Less => found = found.next_down(),
            Ordering::Equal if !is_even(found) => found = found.next_down(),
            _ => break,
        }
    }
    loop {
        match compare(middle(found, found.next_up())) {
            Ordering::Greater => found = found.next_up(),
            Ordering::Equal if !is_even(found) => found = found.next_up(),
            _ => return found,
        }
    }
}
