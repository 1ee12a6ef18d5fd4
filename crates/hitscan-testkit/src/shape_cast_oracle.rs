//! Oracle of moving boxes against boxes, triangles and spheres, in rational numbers.
//!
//! Slow, direct transcriptions of the contract that share no code with the library: every corner of
//! the box is projected on every axis, and roots are found by bisection. `moving_box_lp` finds the
//! times of box and triangle a second way, as a linear program over its vertices.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// A point or vector of rational numbers.
pub type Vector = [BigRational; 3];

/// A box that moves by `motion` while t goes from 0 to 1.
#[derive(Debug, Clone)]
pub struct MovingBox {
    /// The minimum corner at t = 0.
    pub min: Vector,
    /// The maximum corner at t = 0.
    pub max: Vector,
    /// The motion.
    pub motion: Vector,
}

/// What a shape cast of a box hits.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one at a time is made, in tests")]
pub enum Outcome {
    /// Nothing.
    Miss,
    /// It overlaps at the start.
    Overlap,
    /// It hits the obstacle at `t`; the obstacle's normal is along `normal`, of any length.
    Hit {
        /// The exact time.
        t: BigRational,
        /// The direction of the normal.
        normal: Vector,
    },
}

/// The number `x`, which must be finite.
///
/// # Panics
/// When it is not.
#[must_use]
pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("a finite number")
}

/// Three numbers, which must be finite.
#[must_use]
pub fn vector(x: [f64; 3]) -> Vector {
    x.map(rational)
}

/// The f32 nearest to `x`, which lies in 0 to 1; ties to even.
///
/// # Panics
/// When `x` lies outside.
#[must_use]
pub fn nearest_f32(x: &BigRational) -> f32 {
    assert!(!x.is_negative() && *x <= whole(1), "{x} is not in 0 to 1");
    round_by(|midpoint| midpoint.cmp(x))
}

/// The f32 nearest to a number in 0 to 1, which `compare` compares a rational with.
fn round_by(compare: impl Fn(&BigRational) -> std::cmp::Ordering) -> f32 {
    let (mut low, mut high) = (0u32, 1.0_f32.to_bits());
    // The smallest bits whose upper midpoint is beyond the number, or at it for even bits.
    while low < high {
        let middle = low + (high - low) / 2;
        let value = |bits| rational(f64::from(f32::from_bits(bits)));
        let midpoint = (value(middle) + value(middle + 1)) / whole(2);
        let order = compare(&midpoint);
        if order.is_gt() || (order.is_eq() && middle % 2 == 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    f32::from_bits(low)
}

/// A number that is an f32 already.
///
/// # Panics
/// When it is none.
#[must_use]
pub fn to_f32(x: &BigRational) -> f32 {
    let near = x.to_f32().expect("in the range of f32");
    assert_eq!(*x, rational(f64::from(near)), "not an f32");
    near + 0.0
}

/// The number rounded to f64.
///
/// # Panics
/// When it is beyond f64.
#[must_use]
pub fn to_f64(x: &BigRational) -> f64 {
    x.to_f64().expect("in the range of f64")
}

fn whole(x: i32) -> BigRational {
    BigRational::from_integer(BigInt::from(x))
}

fn dot(a: &Vector, b: &Vector) -> BigRational {
    (0..3).map(|i| &a[i] * &b[i]).sum()
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}

fn unit(axis: usize) -> Vector {
    [0, 1, 2].map(|i| whole(i32::from(i == axis)))
}

fn is_zero(a: &Vector) -> bool {
    a.iter().all(Zero::is_zero)
}

fn corners(moving: &MovingBox) -> Vec<Vector> {
    (0..8)
        .map(|which| {
            let side = |i: usize| {
                if which >> i & 1 == 0 {
                    &moving.min
                } else {
                    &moving.max
                }
            };
            [0, 1, 2].map(|i| side(i)[i].clone())
        })
        .collect()
}

fn extent(points: &[Vector], axis: &Vector) -> (BigRational, BigRational) {
    let all: Vec<_> = points.iter().map(|point| dot(point, axis)).collect();
    let least = all.iter().min().expect("there are points").clone();
    let most = all.iter().max().expect("there are points").clone();
    (least, most)
}

/// The moving box against the box from `min` to `max`.
#[must_use]
pub fn moving_box_box(moving: &MovingBox, min: &Vector, max: &Vector) -> Outcome {
    let obstacle = [min.clone(), max.clone()];
    moving_box_hull(moving, &obstacle, &[0, 1, 2].map(unit))
}

/// The moving box against a triangle, on thirteen axes.
#[must_use]
pub fn moving_box_triangle(moving: &MovingBox, triangle: &[Vector; 3]) -> Outcome {
    let [a, b, c] = triangle;
    let edges = [minus(b, a), minus(c, b), minus(a, c)];
    let normal = cross(&edges[0], &edges[1]);
    if is_zero(&normal) {
        return Outcome::Miss;
    }
    let mut axes = vec![normal];
    axes.extend((0..3).map(unit));
    for edge in &edges {
        axes.extend((0..3).map(|axis| cross(edge, &unit(axis))));
    }
    moving_box_hull(moving, triangle, &axes)
}

/// The moving box against an oriented box with these corners, on fifteen axes. Bit `i` of a corner's
/// index is the end of the box's own axis `i`. The oriented box must not be flat.
#[must_use]
pub fn moving_box_obb(moving: &MovingBox, corners: &[Vector; 8]) -> Outcome {
    let edges = [1, 2, 4].map(|k: usize| minus(&corners[k], &corners[0]));
    let mut axes: Vec<Vector> = [(1, 2), (2, 0), (0, 1)]
        .map(|(j, k): (usize, usize)| cross(&edges[j], &edges[k]))
        .into();
    axes.extend((0..3).map(unit));
    for edge in &edges {
        axes.extend((0..3).map(|axis| cross(edge, &unit(axis))));
    }
    moving_box_hull(moving, corners, &axes)
}

/// The moving box against the hull of `points`, on `axes` in the order of their rank.
fn moving_box_hull(moving: &MovingBox, points: &[Vector], axes: &[Vector]) -> Outcome {
    let box_corners = corners(moving);
    let mut enter: Option<(BigRational, Vector)> = None;
    let mut leave: Option<BigRational> = None;
    for axis in axes.iter().filter(|axis| !is_zero(axis)) {
        let (box_low, box_high) = extent(&box_corners, axis);
        let (low, high) = extent(points, axis);
        let speed = dot(axis, &moving.motion);
        if speed.is_zero() {
            if box_low < high && low < box_high {
                continue;
            }
            return Outcome::Miss;
        }
        let times = [(low - box_high) / &speed, (high - box_low) / &speed];
        let (start, end) = if speed.is_positive() {
            (times[0].clone(), times[1].clone())
        } else {
            (times[1].clone(), times[0].clone())
        };
        if enter.as_ref().is_none_or(|(latest, _)| start > *latest) {
            let towards = if speed.is_positive() {
                -whole(1)
            } else {
                whole(1)
            };
            enter = Some((start, axis.clone().map(|x| x * &towards)));
        }
        leave = Some(leave.map_or(end.clone(), |earliest| earliest.min(end)));
    }
    let (Some((enter, normal)), Some(leave)) = (enter, leave) else {
        return Outcome::Overlap;
    };
    if enter > leave || !leave.is_positive() || enter > whole(1) {
        Outcome::Miss
    } else if enter.is_negative() {
        Outcome::Overlap
    } else {
        Outcome::Hit { t: enter, normal }
    }
}

/// The first and last t at which the closed moving box and the closed triangle share a point, over
/// all t: the minimum and maximum t among the vertices of the linear program in (u, v, t) that says
/// that `a + u (b - a) + v (c - a)` lies in the box. `None` where there is none; the motion must
/// not be zero.
#[must_use]
pub fn moving_box_lp(
    moving: &MovingBox,
    triangle: &[Vector; 3],
) -> Option<(BigRational, BigRational)> {
    let [a, b, c] = triangle;
    let (along_u, along_v) = (minus(b, a), minus(c, a));
    // Each constraint: coefficients of u, v, t, and the maximum of their sum.
    let mut constraints: Vec<(Vector, BigRational)> = vec![
        ([whole(-1), whole(0), whole(0)], whole(0)),
        ([whole(0), whole(-1), whole(0)], whole(0)),
        ([whole(1), whole(1), whole(0)], whole(1)),
    ];
    for i in 0..3 {
        let row = [along_u[i].clone(), along_v[i].clone(), -&moving.motion[i]];
        let opposite = row.clone().map(|x| -x);
        constraints.push((row, &moving.max[i] - &a[i]));
        constraints.push((opposite, &a[i] - &moving.min[i]));
    }
    let mut times: Option<(BigRational, BigRational)> = None;
    for i in 0..constraints.len() {
        for j in 0..i {
            for k in 0..j {
                let rows = [&constraints[i], &constraints[j], &constraints[k]];
                let Some(vertex) = solve(rows) else { continue };
                if constraints
                    .iter()
                    .all(|(row, most)| dot(row, &vertex) <= *most)
                {
                    let t = vertex[2].clone();
                    times = Some(match times {
                        None => (t.clone(), t),
                        Some((first, last)) => (first.min(t.clone()), last.max(t)),
                    });
                }
            }
        }
    }
    times
}

/// Where three planes intersect, by Cramer's rule.
fn solve(rows: [&(Vector, BigRational); 3]) -> Option<Vector> {
    let [p, q, r] = rows.map(|row| &row.0);
    let determinant = dot(p, &cross(q, r));
    if determinant.is_zero() {
        return None;
    }
    let (qr, rp, pq) = (cross(q, r), cross(r, p), cross(p, q));
    Some([0, 1, 2].map(|i: usize| {
        (&rows[0].1 * &qr[i] + &rows[1].1 * &rp[i] + &rows[2].1 * &pq[i]) / &determinant
    }))
}

/// Whether the box's interior at time `t` shares a point with the triangle: the triangle is clipped
/// by the box, and what is left must not lie in one of its faces.
#[must_use]
pub fn interior_overlaps(moving: &MovingBox, triangle: &[Vector; 3], t: &BigRational) -> bool {
    let mut polygon: Vec<Vector> = triangle.to_vec();
    for axis in 0..3 {
        let way = &moving.motion[axis] * t;
        for (limit, sign) in [
            (&moving.min[axis] + &way, 1),
            (&moving.max[axis] + &way, -1),
        ] {
            let depth = |point: &Vector| (&point[axis] - &limit) * whole(sign);
            let mut kept = Vec::new();
            for (i, here) in polygon.iter().enumerate() {
                let there = &polygon[(i + 1) % polygon.len()];
                let (depth_here, depth_there) = (depth(here), depth(there));
                if !depth_here.is_negative() {
                    kept.push(here.clone());
                }
                if (&depth_here * &depth_there).is_negative() {
                    let part = &depth_here / (&depth_here - &depth_there);
                    kept.push([0, 1, 2].map(|i: usize| &here[i] + (&there[i] - &here[i]) * &part));
                }
            }
            polygon = kept;
        }
    }
    !polygon.is_empty()
        && (0..3).all(|axis| {
            let way = &moving.motion[axis] * t;
            polygon
                .iter()
                .any(|point| point[axis] > &moving.min[axis] + &way)
                && polygon
                    .iter()
                    .any(|point| point[axis] < &moving.max[axis] + &way)
        })
}

/// Where a moving box hits a sphere: the time rounded to f32 and the normal in f64.
#[derive(Debug, Clone, PartialEq)]
pub enum SphereOutcome {
    /// Nothing.
    Miss,
    /// It overlaps at the start.
    Overlap,
    /// It hits the sphere.
    Hit {
        /// The time, rounded to the nearest f32.
        t: f32,
        /// The unit normal.
        normal: [f64; 3],
    },
}

/// The moving box against the sphere of a positive radius.
///
/// # Panics
/// Not for finite numbers.
#[must_use]
pub fn moving_box_sphere(
    moving: &MovingBox,
    center: &Vector,
    radius: &BigRational,
) -> SphereOutcome {
    let limit = radius * radius;
    let distance = |t: &BigRational| {
        let offset = offset(moving, center, t);
        dot(&offset, &offset)
    };
    let at_start = distance(&whole(0));
    if at_start < limit {
        return SphereOutcome::Overlap;
    }
    let Some(nearest) = nearest_time(moving, center) else {
        return SphereOutcome::Miss;
    };
    if !nearest.is_positive() || distance(&nearest) >= limit {
        return SphereOutcome::Miss;
    }
    if nearest > whole(1) && distance(&whole(1)) > limit {
        return SphereOutcome::Miss;
    }
    // The entry lies between 0 and the nearest time; before it the distance exceeds the radius.
    let compare = |t: &BigRational| {
        if *t >= nearest {
            std::cmp::Ordering::Greater
        } else {
            limit.cmp(&distance(t))
        }
    };
    let t = round_by(compare);
    // The normal may turn fast: the time is narrowed down far beyond f32 for it, and beyond the time
    // in which the box passes the least radius.
    let next = |t: f32| rational(f64::from(t));
    let mut low = next(t.next_down().max(0.0));
    let mut high = next(t.next_up()).min(nearest.clone());
    let is_at_center = |t: &BigRational| offset(moving, center, t).iter().all(Zero::is_zero);
    let mut steps = 0;
    while steps < 150 || is_at_center(&high) {
        steps += 1;
        let middle = (&low + &high) / whole(2);
        if compare(&middle).is_ge() {
            high = middle;
        } else {
            low = middle;
        }
    }
    let offset = offset(moving, center, &high);
    let longest = offset
        .iter()
        .map(Signed::abs)
        .max()
        .expect("three components");
    let scaled = offset.map(|x| (x / &longest).to_f64().expect("at most 1"));
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    SphereOutcome::Hit {
        t,
        normal: scaled.map(|x| x / length),
    }
}

/// From the center to the nearest point of the box at `t`.
fn offset(moving: &MovingBox, center: &Vector, t: &BigRational) -> Vector {
    [0, 1, 2].map(|i: usize| {
        let way = &moving.motion[i] * t;
        let (low, high) = (&moving.min[i] + &way, &moving.max[i] + &way);
        center[i].clone().clamp(low, high) - &center[i]
    })
}

/// The first time of the least distance; `None` for a box that does not move.
fn nearest_time(moving: &MovingBox, center: &Vector) -> Option<BigRational> {
    let mut breaks: Vec<BigRational> = Vec::new();
    for i in (0..3).filter(|&i| !moving.motion[i].is_zero()) {
        breaks.push((&center[i] - &moving.min[i]) / &moving.motion[i]);
        breaks.push((&center[i] - &moving.max[i]) / &moving.motion[i]);
    }
    breaks.sort();
    let approach = |t: &BigRational| dot(&offset(moving, center, t), &moving.motion);
    // The derivative is continuous, grows, and is linear between breaks and beyond them.
    let first = breaks.first()?.clone();
    let last = breaks.last()?.clone();
    let outer = [first - whole(1)]
        .into_iter()
        .chain(breaks)
        .chain([last + whole(1)]);
    let points: Vec<_> = outer.map(|t| (approach(&t), t)).collect();
    let root = |a: &(BigRational, BigRational), b: &(BigRational, BigRational)| {
        &a.1 - &a.0 * (&b.1 - &a.1) / (&b.0 - &a.0)
    };
    let after = points
        .iter()
        .position(|(approach, _)| !approach.is_negative());
    Some(match after {
        Some(0) => root(&points[0], &points[1]),
        Some(i) => root(&points[i - 1], &points[i]),
        None => root(&points[points.len() - 2], &points[points.len() - 1]),
    })
}
