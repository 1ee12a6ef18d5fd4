//! Integrals over a piece of ground: its area, its moments, and those of its height.

use glam::{DMat2, DVec2};

/// Integrals over ground, seen from above, about some point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    pub(super) area: f64,
    /// Of x and z.
    pub(super) first: DVec2,
    /// Of xx, xz and zz.
    pub(super) second: [f64; 3],
    /// Of y, yx and yz.
    pub(super) height: f64,
    pub(super) height_first: DVec2,
    /// The smallest and the largest y.
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Moments {
    pub(super) const NOTHING: Self = Self {
        area: 0.0,
        first: DVec2::ZERO,
        second: [0.0; 3],
        height: 0.0,
        height_first: DVec2::ZERO,
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    /// Those of a triangle.
    pub(super) fn of_triangle(at: [DVec2; 3], y: [f64; 3]) -> Self {
        let [p, q] = [at[1] - at[0], at[2] - at[0]];
        let area = 0.5 * (p.x * q.y - p.y * q.x).abs();
        let sum = at[0] + at[1] + at[2];
        let product = |a: [f64; 3], b: [f64; 3]| {
            let own = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            area / 12.0 * (own + (a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]))
        };
        let (x, z) = (at.map(|at| at.x), at.map(|at| at.y));
        Self {
            area,
            first: sum * (area / 3.0),
            second: [product(x, x), product(x, z), product(z, z)],
            height: (y[0] + y[1] + y[2]) * (area / 3.0),
            height_first: DVec2::new(product(y, x), product(y, z)),
            low: y[0].min(y[1]).min(y[2]),
            high: y[0].max(y[1]).max(y[2]),
        }
    }

    /// Those about another point, which `way` leads to this one's from.
    pub(super) fn moved(&self, way: DVec2) -> Self {
        let [xx, xz, zz] = self.second;
        let (area, first) = (self.area, self.first);
        Self {
            first: first + way * area,
            second: [
                xx + 2.0 * way.x * first.x + way.x * way.x * area,
                xz + way.x * first.y + way.y * first.x + way.x * way.y * area,
                zz + 2.0 * way.y * first.y + way.y * way.y * area,
            ],
            height_first: self.height_first + way * self.height,
            ..*self
        }
    }

    /// Those along other axes.
    pub(super) fn turned(&self, turn: &DMat2) -> Self {
        let [xx, xz, zz] = self.second;
        let second = DMat2::from_cols_array(&[xx, xz, xz, zz]);
        let second = *turn * second * turn.transpose();
        Self {
            first: *turn * self.first,
            second: [second.x_axis.x, second.x_axis.y, second.y_axis.y],
            height_first: *turn * self.height_first,
            ..*self
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let add = |axis: usize| self.second[axis] + other.second[axis];
        Self {
            area: self.area + other.area,
            first: self.first + other.first,
            second: [add(0), add(1), add(2)],
            height: self.height + other.height,
            height_first: self.height_first + other.height_first,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}
