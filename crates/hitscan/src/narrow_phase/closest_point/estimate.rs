//! The nearest point of a triangle in f64, where plain bounds show that it is good enough: for most
//! answers.

use crate::exact::expansion::UNIT_ROUNDOFF;
use glam::DVec3;

/// Bound on the error of a weight and a direction's components, relative to the largest.
const WEIGHT_ERROR: f64 = 1.0 / (1u64 << 26) as f64;

/// Bounds on the error of a coordinate, relative to itself and to the largest coordinate.
const COORDINATE_ERROR: f64 = 1.0 / (1u64 << 27) as f64;
const POINT_ERROR: f64 = 1.0 / (1u64 << 43) as f64;

/// Where a triangle is nearest to a point.
pub(super) struct Estimate {
    pub(super) at: DVec3,
    /// From there to the point, of any length.
    pub(super) direction: DVec3,
    pub(super) barycentrics: [f64; 2],
}

impl Estimate {
    /// `None` where it might not be good enough.
    ///
    /// With edges up to `edge` along each axis and corners up to `size` from the point, each
    /// product of an edge and an offset is a sum of three terms up to `edge * size`, each off by
    /// less than 4 units, and two sums. A difference of products of two of them is 18 such terms
    /// squared, off by 28 units each at most.
    pub(super) fn new(point: DVec3, corners: &[DVec3; 3]) -> Option<Self> {
        let (ab, ac) = (corners[1] - corners[0], corners[2] - corners[0]);
        let [a, b, c] = corners.map(|corner| corner - point);
        let edge = ab.abs().max(ac.abs()).max_element();
        let size = a.abs().max(b.abs()).max(c.abs()).max_element();
        let product = edge * size;
        let off = 32.0 * UNIT_ROUNDOFF * product;
        let area_off = 512.0 * UNIT_ROUNDOFF * product * product;
        let (a_b, a_c) = (-ab.dot(a), -ac.dot(a));
        let (b_b, b_c) = (-ab.dot(b), -ac.dot(b));
        let (c_b, c_c) = (-ab.dot(c), -ac.dot(c));
        let at_corner = |k: usize, barycentrics| Self {
            at: corners[k],
            direction: point - corners[k],
            barycentrics,
        };
        if a_b < -off && a_c < -off {
            return Some(at_corner(0, [0.0, 0.0]));
        }
        if b_b > off && b_b - b_c > 2.0 * off {
            return Some(at_corner(1, [1.0, 0.0]));
        }
        if c_c > off && c_c - c_b > 2.0 * off {
            return Some(at_corner(2, [0.0, 1.0]));
        }
        let [of_a, of_b, of_c] = [
            b_b * c_c - c_b * b_c,
            c_b * a_c - a_b * c_c,
            a_b * b_c - b_b * a_c,
        ];
        let bounds = Bounds { point, edge, size };
        if of_a > area_off && of_b > area_off && of_c > area_off {
            let sum = of_a + of_b + of_c;
            let (v, w) = (of_b / sum, of_c / sum);
            let normal = ab.cross(ac);
            let height = -a.dot(normal);
            let max = normal.abs().max_element();
            let is_sure = height.abs() > 32.0 * UNIT_ROUNDOFF * size * max
                && 16.0 * UNIT_ROUNDOFF * edge * edge <= WEIGHT_ERROR * max;
            let direction = if height < 0.0 { -normal } else { normal };
            let way = a + ab * v + ac * w;
            return is_sure
                .then(|| bounds.estimate(way, direction, [v, w], 8.0 * area_off / sum))?;
        }
        let on_edge = |start: DVec3, way: DVec3, along: f64, before: f64| {
            let weight = along / (along - before);
            let weight_error = 8.0 * off / (along - before);
            let way = start + way * weight;
            let way_off = weight_error * edge + 8.0 * UNIT_ROUNDOFF * size;
            (way_off <= WEIGHT_ERROR * way.abs().max_element()).then_some((
                way,
                weight,
                weight_error,
            ))
        };
        if of_c < -area_off && a_b > off && b_b < -off {
            let (way, weight, weight_error) = on_edge(a, ab, a_b, b_b)?;
            return bounds.estimate(way, -way, [weight, 0.0], weight_error);
        }
        if of_b < -area_off && a_c > off && c_c < -off {
            let (way, weight, weight_error) = on_edge(a, ac, a_c, c_c)?;
            return bounds.estimate(way, -way, [0.0, weight], weight_error);
        }
        let (from_b, from_c) = (b_c - b_b, c_c - c_b);
        if of_a < -area_off && from_b > 2.0 * off && from_c < -2.0 * off {
            let (way, weight, weight_error) = on_edge(b, ac - ab, from_b, from_c)?;
            return bounds.estimate(way, -way, [1.0 - weight, weight], 2.0 * weight_error);
        }
        None
    }
}

/// What bounds of errors are made of.
struct Bounds {
    point: DVec3,
    edge: f64,
    size: f64,
}

impl Bounds {
    /// The estimate `way` from the point, whose weights may be off by `weight_error`.
    fn estimate(
        &self,
        way: DVec3,
        direction: DVec3,
        barycentrics: [f64; 2],
        weight_error: f64,
    ) -> Option<Estimate> {
        let at = self.point + way;
        let max = self.point.abs().max_element().max(self.size);
        // Corners may be farther from 0 than the point is, and nearer: the bound takes the smallest
        // that the largest coordinate may be.
        let allowed = (at.abs() * COORDINATE_ERROR).max(DVec3::splat(POINT_ERROR * 0.5 * max));
        let off = 2.0 * weight_error * self.edge + 16.0 * UNIT_ROUNDOFF * (self.size + max);
        let is_good = weight_error <= WEIGHT_ERROR && allowed.cmpge(DVec3::splat(off)).all();
        is_good.then_some(Estimate {
            at,
            direction,
            barycentrics,
        })
    }
}
