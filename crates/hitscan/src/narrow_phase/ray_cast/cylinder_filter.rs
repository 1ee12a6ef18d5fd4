//! The floating-point filter of a ray and a cylinder: the answers of `ray_cylinder.rs` in plain f64, each decision
//! against one bound of its error. Where one is not certain, running bounds and then exact numbers decide.
//!
//! Times are computed by the operations of [`roots`](crate::exact::quadratic_root::roots), so they have its bits.
//!
//! # Bounds
//! With u the unit roundoff, W the largest component of the ways from the ends to the ray's origin, U that of the
//! axis, D that of the direction: a component of a way is off by u W, one of the axis by u U, and the direction, which is
//! exact, counts as off by u D, as running bounds have it. Each sum below counts its terms' own errors and a rounding for each operation, to first order in u, as
//! running bounds do; the factors that are used are greater by more than what higher orders and the bounds' own
//! roundings make. Sizes are held within [`SIZES`]: no product overflows, and what underflow takes from one, 2^-1074
//! times at most seven sizes, is far below u times any product of eight.
//!
//! Source: Fortune, Van Wyk, "Efficient Exact Arithmetic for Computational Geometry", 1993 (static filters).

use super::cylinder_surface::{Part, normal_of};
use super::hit::{RayCastSettings, Side};
use super::ray::LocalRay;
use super::solid_hits::{SolidHit, SolidHits};
use crate::Cylinder;
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use glam::{DVec3, Vec3};

/// Sizes are left to exact numbers outside of these.
const SIZES: [f64; 2] = [1e-15, 1e15];

/// A time at which the ray crosses a part of the surface, and how far that may be off.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    part: Part,
    t: f64,
    error: f64,
}

/// From when to when the ray's line is within a part of the surface, if it ever leaves it.
type Within = Option<[Crossing; 2]>;

/// What is certain of a line and a part.
enum Certain {
    Outside,
    Within(Within),
}

/// A ray and a cylinder in f64.
struct Filter {
    /// The ways from the ends to the ray's origin.
    ways: [DVec3; 2],
    axis: DVec3,
    direction: DVec3,
    radius: f64,
    /// W, U and D of the bounds.
    sizes: [f64; 3],
}

/// The hits of a ray that is not empty, with settings those that may be the first that counts; `None` where that is
/// not certain.
#[inline]
pub(super) fn certain_hits(
    cylinder: &Cylinder,
    ray: &LocalRay,
    settings: Option<RayCastSettings>,
) -> Option<Option<SolidHits>> {
    let filter = Filter::new(cylinder, ray)?;
    let Certain::Within(side) = filter.side()? else {
        return Some(None);
    };
    let Certain::Within(ends) = filter.ends()? else {
        return Some(None);
    };
    let [entry, exit] = match (ends, side) {
        (Some(ends), Some(side)) => [later(ends[0], side[0])?, earlier(ends[1], side[1])?],
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => return None,
    };
    if is_before(exit.t, exit.error, entry.t, entry.error)
        || is_before(exit.t, exit.error, ray.t_min, 0.0)
        || is_before(ray.t_max, 0.0, entry.t, entry.error)
    {
        return Some(None);
    }
    if !is_before(entry.t, entry.error, exit.t, exit.error)
        || !is_before(ray.t_min, 0.0, exit.t, exit.error)
    {
        return None;
    }
    let surface = |crossing: Crossing, side: Side| {
        let t = crossing.nearest_f32()?;
        Some(SolidHit {
            t: (t, crossing.t),
            normal: normal_of(cylinder, crossing.part, ray.at(crossing.t)),
            side,
            face: None,
        })
    };
    let first = if is_before(entry.t, entry.error, ray.t_min, 0.0) {
        SolidHit {
            t: (nearest_f32(ray.t_min), ray.t_min),
            normal: Vec3::ZERO,
            side: Side::Inside,
            face: None,
        }
    } else if is_before(ray.t_min, 0.0, entry.t, entry.error)
        && is_before(entry.t, entry.error, ray.t_max, 0.0)
    {
        surface(entry, Side::Front)?
    } else {
        return None;
    };
    let is_decided = settings.is_some_and(|settings| settings.admits(first.side));
    let exit = if is_decided || is_before(ray.t_max, 0.0, exit.t, exit.error) {
        None
    } else if is_before(exit.t, exit.error, ray.t_max, 0.0) {
        Some(surface(exit, Side::Back)?)
    } else {
        return None;
    };
    Some(Some(SolidHits::Through {
        entry: Some(first),
        exit,
    }))
}

/// Whether one number is certainly less than another; false of what is not a number.
#[inline]
fn is_before(a: f64, error: f64, b: f64, other: f64) -> bool {
    // The differences and sums are rounded.
    let rounding = 8.0 * UNIT_ROUNDOFF * (a.abs() + b.abs());
    b - a > (error + other) * (1.0 + 8.0 * UNIT_ROUNDOFF) + rounding
}

#[inline]
fn later(one: Crossing, other: Crossing) -> Option<Crossing> {
    if is_before(one.t, one.error, other.t, other.error) {
        Some(other)
    } else if is_before(other.t, other.error, one.t, one.error) {
        Some(one)
    } else {
        None
    }
}

#[inline]
fn earlier(one: Crossing, other: Crossing) -> Option<Crossing> {
    let last = later(one, other)?;
    Some(if last.part == one.part { other } else { one })
}

impl Crossing {
    /// The nearest f32 to the exact time, if the bound tells it.
    #[inline]
    fn nearest_f32(&self) -> Option<f32> {
        let error = self.error + 4.0 * UNIT_ROUNDOFF * self.t.abs();
        let [low, high] = [self.t - error, self.t + error].map(nearest_f32);
        // Beside 0 all is left to exact numbers.
        (low == high && low != 0.0).then_some(low)
    }
}

impl Filter {
    #[inline]
    fn new(cylinder: &Cylinder, ray: &LocalRay) -> Option<Self> {
        let [a, b] = cylinder.segment();
        let (ways, axis) = ([ray.origin - a, ray.origin - b], b - a);
        let largest = |vector: DVec3| vector.abs().max_element();
        let sizes = [
            largest(ways[0]).max(largest(ways[1])),
            largest(axis),
            largest(ray.direction),
        ];
        let radius = cylinder.radius();
        let [least, most] = SIZES;
        // False of what is not a number.
        let is_usual = |size: f64| size >= least && size <= most;
        let are_usual = sizes.into_iter().all(is_usual) && is_usual(radius);
        are_usual.then_some(Self {
            ways,
            axis,
            direction: ray.direction,
            radius,
            sizes,
        })
    }

    /// The line and the planes of the ends.
    #[inline]
    fn ends(&self) -> Option<Certain> {
        let Self {
            ways: [from_a, from_b],
            axis,
            direction,
            sizes: [w, u, d],
            ..
        } = *self;
        // The way from the origin to the first end is minus that from there.
        let heights = [(-from_a).dot(axis), from_b.dot(axis)];
        // 3 products off by 3 u W U each, and 2 sums of at most 3 W U: 14 u W U.
        let height_error = 20.0 * UNIT_ROUNDOFF * w * u;
        let speed = direction.dot(axis);
        // Likewise.
        let speed_error = 20.0 * UNIT_ROUNDOFF * d * u;
        if speed.abs() <= 4.0 * speed_error {
            let is_level = (0..3).all(|i: usize| direction[i] == 0.0 || axis[i] == 0.0);
            if !is_level {
                return None;
            }
            if heights.iter().any(|height| *height > height_error) {
                return Some(Certain::Outside);
            }
            let is_between = heights.iter().all(|height| *height < -height_error);
            return is_between.then_some(Certain::Within(None));
        }
        let crossing = |part: Part, t: f64| {
            let off = height_error + t.abs() * speed_error;
            // The least speed is three quarters of this one at least.
            let error = off / (speed.abs() - speed_error);
            Crossing {
                part,
                t,
                error: error * (1.0 + 16.0 * UNIT_ROUNDOFF) + 2.0 * UNIT_ROUNDOFF * t.abs(),
            }
        };
        let first = crossing(Part::FirstEnd, heights[0] / speed);
        let second = crossing(Part::SecondEnd, -heights[1] / speed);
        Some(Certain::Within(Some(if speed > 0.0 {
            [first, second]
        } else {
            [second, first]
        })))
    }

    /// The line and the side.
    #[inline]
    fn side(&self) -> Option<Certain> {
        let Self {
            ways: [from_a, _],
            axis,
            direction,
            radius,
            sizes: [w, u, d],
        } = *self;
        let largest = |vector: DVec3| vector.abs().max_element();
        let (moment, lateral) = (from_a.cross(axis), direction.cross(axis));
        let (m, l) = (largest(moment), largest(lateral));
        // 2 products off by 3 u W U each, and a difference of at most 2 W U: 8 u W U; the other likewise.
        let m_error = 12.0 * UNIT_ROUNDOFF * w * u;
        let l_error = 12.0 * UNIT_ROUNDOFF * d * u;
        let limit = radius * radius * axis.dot(axis);
        let moment_squared = moment.dot(moment);
        let c0 = moment_squared - limit;
        // 3 squares of components that are off, 3 u of their sum, 7 u of the limit and a difference.
        let c0_error =
            6.0 * (m + m_error) * m_error + 12.0 * UNIT_ROUNDOFF * (moment_squared + limit);
        if l <= l_error {
            let is_along = (0..3).all(|i: usize| {
                let beside = [(i + 1) % 3, (i + 2) % 3];
                direction[i] == 0.0 || beside.iter().all(|j| axis[*j] == 0.0)
            });
            return match is_along {
                true if c0 > c0_error => Some(Certain::Outside),
                true if c0 < -c0_error => Some(Certain::Within(None)),
                _ => None,
            };
        }
        let half = moment.dot(lateral);
        let (c1, c2) = (half + half, lateral.dot(lateral));
        // Twice 3 products off by M l + L m + l m and u M L, and 2 sums of at most 3 M L, and their sum: 22 u M L.
        let c1_error = 6.0 * ((m + m_error) * l_error + l * m_error) + 32.0 * UNIT_ROUNDOFF * m * l;
        let c2_error = 6.0 * (l + l_error) * l_error + 4.0 * UNIT_ROUNDOFF * c2;
        let discriminant = c1 * c1 - 4.0 * c0 * c2;
        // 2 products off by what their factors are, and by 3 u of themselves at most, and a difference.
        let bound = (2.0 * c1.abs() + c1_error) * c1_error
            + 4.0 * ((c0.abs() + c0_error) * c2_error + c2 * c0_error)
            + 8.0 * UNIT_ROUNDOFF * (c1 * c1 + 4.0 * c0.abs() * c2);
        if discriminant < -bound {
            return Some(Certain::Outside);
        }
        let root = discriminant.sqrt();
        // |√a - √b| <= |a - b| / √b.
        let root_error = bound / root + 2.0 * UNIT_ROUNDOFF * root;
        let is_negative = c1 < 0.0;
        let q = -0.5 * if is_negative { c1 - root } else { c1 + root };
        let q_error = 0.5 * (c1_error + root_error) + 4.0 * UNIT_ROUNDOFF * q.abs();
        // False of what is not a number.
        let are_far_from_zero =
            discriminant > 4.0 * bound && c2 > 4.0 * c2_error && q.abs() > 4.0 * q_error;
        if !are_far_from_zero {
            return None;
        }
        let crossing = |t: f64, off: f64, least: f64| Crossing {
            part: Part::Side,
            t,
            error: off / least * (1.0 + 16.0 * UNIT_ROUNDOFF) + 2.0 * UNIT_ROUNDOFF * t.abs(),
        };
        let (over, under) = (q / c2, c0 / q);
        let over = crossing(over, q_error + over.abs() * c2_error, c2 - c2_error);
        let under = crossing(under, c0_error + under.abs() * q_error, q.abs() - q_error);
        Some(Certain::Within(Some(if is_negative {
            [under, over]
        } else {
            [over, under]
        })))
    }
}
