//! The ground under footprints: rectangles in rational arithmetic, triangle by triangle, and discs by
//! adaptive subdivision of slices in f64.

use crate::{Exact, exact};
use glam::DVec3;
use hitscan::HeightField;
use num_traits::{Signed, ToPrimitive, Zero};

/// Integrals of 1, x, z, xx, xz, zz, y, yx and yz about the footprint's middle, and the extremes of y.
pub struct Sums {
    /// The integrals.
    pub integrals: [f64; 9],
    /// The minimum y.
    pub low: f64,
    /// The maximum y.
    pub high: f64,
}

fn triangles(field: &HeightField) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    let count = u32::try_from(field.triangle_count()).unwrap_or(u32::MAX);
    (0..count).filter_map(|triangle| field.triangle(triangle))
}

/// A polygon's corners: u, v and y.
type Corners = Vec<[Exact; 3]>;

/// What of a polygon has a coordinate of at most a limit, times a sign.
fn cut(polygon: &Corners, axis: usize, limit: &Exact, sign: i32) -> Corners {
    let sign = exact(f64::from(sign));
    let beyond = |corner: &[Exact; 3]| &sign * &corner[axis] - limit;
    let mut kept = Vec::new();
    for (number, corner) in polygon.iter().enumerate() {
        let next = &polygon[(number + 1) % polygon.len()];
        let (here, there) = (beyond(corner), beyond(next));
        if !here.is_positive() {
            kept.push(corner.clone());
        }
        if (here.is_positive() && there.is_negative())
            || (here.is_negative() && there.is_positive())
        {
            let fraction = &here / (&here - &there);
            kept.push([0, 1, 2].map(|i| &corner[i] + &fraction * (&next[i] - &corner[i])));
        }
    }
    kept
}

/// The sums over a rectangle whose first side points along `direction`, of length 1.
///
/// # Panics
/// When a sum is beyond f64.
#[must_use]
pub fn rectangle_sums(
    field: &HeightField,
    center: [f32; 2],
    half: [f64; 2],
    direction: [Exact; 2],
) -> Sums {
    let [cosine, sine] = direction;
    let center = center.map(|x| exact(f64::from(x)));
    let mut sums = vec![Exact::zero(); 9];
    let mut extremes: Option<(Exact, Exact)> = None;
    for corners in triangles(field) {
        let mut polygon: Corners = corners
            .iter()
            .map(|corner| {
                let (x, z) = (exact(corner.x) - &center[0], exact(corner.z) - &center[1]);
                let (u, v) = (&cosine * &x - &sine * &z, &sine * &x + &cosine * &z);
                [u, v, exact(corner.y)]
            })
            .collect();
        for (axis, half) in half.into_iter().enumerate() {
            polygon = cut(&polygon, axis, &exact(half), 1);
            polygon = cut(&polygon, axis, &exact(half), -1);
        }
        let mut area = Exact::zero();
        for k in 2..polygon.len() {
            let fan = [&polygon[0], &polygon[k - 1], &polygon[k]];
            let side = |corner: &[Exact; 3], axis: usize| &corner[axis] - &fan[0][axis];
            let double = side(fan[1], 0) * side(fan[2], 1) - side(fan[2], 0) * side(fan[1], 1);
            let part = double.abs() / exact(2.0);
            let one =
                |axis: usize| (&fan[0][axis] + &fan[1][axis] + &fan[2][axis]) * &part / exact(3.0);
            let two = |a: usize, b: usize| {
                let sum = |axis: usize| &fan[0][axis] + &fan[1][axis] + &fan[2][axis];
                let own = (0..3)
                    .map(|k| &fan[k][a] * &fan[k][b])
                    .fold(Exact::zero(), |all, one| all + one);
                (own + sum(a) * sum(b)) * &part / exact(12.0)
            };
            let parts = [
                part.clone(),
                one(0),
                one(1),
                two(0, 0),
                two(0, 1),
                two(1, 1),
                one(2),
                two(2, 0),
                two(2, 1),
            ];
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += part;
            }
            area += part;
        }
        if area.is_positive() {
            for corner in polygon {
                let y = corner[2].clone();
                extremes = Some(match extremes {
                    None => (y.clone(), y),
                    Some((low, high)) => (low.min(y.clone()), high.max(y)),
                });
            }
        }
    }
    let (low, high) = extremes.map_or((f64::NAN, f64::NAN), |(low, high)| {
        (
            low.to_f64().expect("in f64"),
            high.to_f64().expect("in f64"),
        )
    });
    let number = |k: usize| sums[k].to_f64().expect("a sum is in f64");
    Sums {
        integrals: std::array::from_fn(number),
        low,
        high,
    }
}

/// Nodes and weights of Gauss and Legendre's rule of 12 points on -1 to 1, the upper half.
const GAUSS: [[f64; 2]; 6] = [
    [0.125_233_408_511_468_9, 0.249_147_045_813_402_8],
    [0.367_831_498_998_180_2, 0.233_492_536_538_354_8],
    [0.587_317_954_286_617_4, 0.203_167_426_723_065_9],
    [0.769_902_674_194_304_7, 0.160_078_328_543_346_2],
    [0.904_117_256_370_474_9, 0.106_939_325_995_318_4],
    [0.981_560_634_246_719_3, 0.047_175_336_386_511_8],
];

/// The integral of `of` between two numbers, by halves until both agree.
fn integral(of: &dyn Fn(f64) -> [f64; 9], from: f64, to: f64, depth: u32) -> [f64; 9] {
    let rule = |from: f64, to: f64| {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let mut sum = [0.0; 9];
        for [node, weight] in GAUSS {
            for at in [middle - half * node, middle + half * node] {
                let value = of(at);
                (0..9).for_each(|k| sum[k] += half * weight * value[k]);
            }
        }
        sum
    };
    let middle = 0.5 * (from + to);
    let (all, left, right) = (rule(from, to), rule(from, middle), rule(middle, to));
    let halves: [f64; 9] = std::array::from_fn(|k| left[k] + right[k]);
    let agrees = (0..9).all(|k| (all[k] - halves[k]).abs() <= 1e-15 * (1.0 + halves[k].abs()));
    if agrees || depth == 0 {
        return halves;
    }
    let left = integral(of, from, middle, depth - 1);
    let right = integral(of, middle, to, depth - 1);
    std::array::from_fn(|k| left[k] + right[k])
}

/// Where a slice of a triangle and a disc changes its kind: at corners, and where edges pass the rim.
fn kinks(at: &[[f64; 2]; 3], radius: f64) -> Vec<f64> {
    let mut kinks: Vec<f64> = at.iter().map(|at| at[0]).collect();
    for k in 0..3 {
        let ([x0, z0], [x1, z1]) = (at[k], at[(k + 1) % 3]);
        let (dx, dz) = (x1 - x0, z1 - z0);
        let (square, half) = (dx * dx + dz * dz, x0 * dx + z0 * dz);
        let root = half * half - square * (x0 * x0 + z0 * z0 - radius * radius);
        if root > 0.0 {
            let times = [-root.sqrt(), root.sqrt()].map(|root| (root - half) / square);
            kinks.extend(times.map(|t| x0 + t * dx));
        }
    }
    kinks
}

/// The sums over a disc, in slices of equal angle, so that chords have no infinite slope.
#[must_use]
pub fn disc_sums(field: &HeightField, center: [f32; 2], radius: f64) -> Sums {
    let center = center.map(f64::from);
    let mut sums = Sums {
        integrals: [0.0; 9],
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };
    for corners in triangles(field) {
        let at = corners.map(|corner| [corner.x - center[0], corner.z - center[1]]);
        let [a, b, c] = corners;
        let (p, q) = (b - a, c - a);
        let normal = p.cross(q);
        let gradient = [-normal.x / normal.y, -normal.z / normal.y];
        let height =
            |x: f64, z: f64| a.y + gradient[0] * (x - at[0][0]) + gradient[1] * (z - at[0][1]);
        // The z of the triangle and the disc at an x.
        let slice = |x: f64| {
            let chord = ((radius - x) * (radius + x)).max(0.0).sqrt();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..3 {
                let ([x0, z0], [x1, z1]) = (at[k], at[(k + 1) % 3]);
                if x0 != x1 && x >= x0.min(x1) && x <= x0.max(x1) {
                    let z = z0 + (z1 - z0) * ((x - x0) / (x1 - x0));
                    (low, high) = (low.min(z), high.max(z));
                }
            }
            (low.max(-chord), high.min(chord))
        };
        let mut kinks = kinks(&at, radius);
        let (from, to) = (
            at.iter()
                .map(|at| at[0])
                .fold(f64::INFINITY, f64::min)
                .max(-radius),
            at.iter()
                .map(|at| at[0])
                .fold(f64::NEG_INFINITY, f64::max)
                .min(radius),
        );
        if from >= to {
            continue;
        }
        kinks.retain(|kink| *kink > from && *kink < to);
        kinks.extend([from, to]);
        kinks.sort_by(f64::total_cmp);
        let of = |angle: f64| {
            let x = radius * libm::sin(angle);
            let (low, high) = slice(x);
            if low >= high {
                return [0.0; 9];
            }
            let width = radius * libm::cos(angle);
            let one = high - low;
            let z = 0.5 * (high + low) * one;
            let zz = (high * high * high - low * low * low) / 3.0;
            let base = height(x, 0.0);
            let y = base * one + gradient[1] * z;
            let yz = base * z + gradient[1] * zz;
            [one, x * one, z, x * x * one, x * z, zz, y, x * y, yz].map(|value| value * width)
        };
        let mut own = [0.0; 9];
        for pair in kinks.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|x| (x / radius).clamp(-1.0, 1.0).asin());
            let part = integral(&of, from, to, 8);
            (0..9).for_each(|k| own[k] += part[k]);
        }
        if own[0] > 1e-13 {
            let mut points: Vec<[f64; 2]> = at
                .into_iter()
                .filter(|[x, z]| x * x + z * z <= radius * radius)
                .collect();
            let steep = gradient[0].hypot(gradient[1]);
            if steep > 0.0 {
                let way = gradient.map(|g| g / steep * radius);
                points.extend([way, way.map(|x| -x)]);
            }
            for x in kinks {
                let (low, high) = slice(x);
                points.extend([[x, low], [x, high]]);
            }
            for [x, z] in points {
                let (low, high) = slice(x);
                let is_there = x >= from && x <= to && low <= high + 1e-12;
                if is_there && z >= low - 1e-12 && z <= high + 1e-12 {
                    let y = height(x, z);
                    (sums.low, sums.high) = (sums.low.min(y), sums.high.max(y));
                }
            }
        }
        (0..9).for_each(|k| sums.integrals[k] += own[k]);
    }
    sums
}
