//! The classic search for the ground along a ray: steps, then bisection.
//!
//! It is here to compare with and to learn from. It is approximate by nature, so nothing else in
//! the crate may use it; the exact search is in `ray.rs`.

use super::HeightField;
use super::height::WideGround;
use super::ray::wide_walk::Mover;
use crate::exact::expansion::nearest_f32;
use crate::ray_cast::hit::unit;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle;
use crate::{Error, Ray, RayHit, Side, Sides, TriangleId};
use core::cmp::Ordering;
use glam::DVec3;

/// The most steps a march takes: where the map is longer than that many, steps grow to fit.
///
/// So a tiny step ends too; on a map of 4097² samples half cells need some 12,000.
const MAX_STEPS: f64 = 16_777_216.0;

/// How finely [`HeightField::march`] searches.
///
/// ```
/// use hitscan::height_field::March;
/// let march = March::default().with_step(0.25)?.with_bisections(10);
/// assert!(march.with_step(0.0).is_err());
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct March {
    step: Option<f64>,
    bisections: u32,
}

impl Default for March {
    /// Steps of half a cell (half the smaller spacing), 32 bisections.
    fn default() -> Self {
        Self {
            step: None,
            bisections: 32,
        }
    }
}

impl March {
    /// The same search in steps of `metres` along the ray.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN or infinity, [`Error::BadValue`] for zero or less.
    pub fn with_step(self, metres: f64) -> Result<Self, Error> {
        if !metres.is_finite() {
            return Err(Error::NotFinite {
                what: "march step",
                found: metres,
            });
        }
        if metres <= 0.0 {
            return Err(Error::BadValue {
                what: "march step",
                expected: "positive",
                found: metres,
            });
        }
        Ok(Self {
            step: Some(metres),
            ..self
        })
    }

    /// The same search with `count` bisections.
    #[must_use]
    pub fn with_bisections(self, count: u32) -> Self {
        Self {
            bisections: count,
            ..self
        }
    }
}

/// Where a point stands with regard to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Above,
    Below,
    On,
    /// Over a hole.
    Unknown,
}

impl HeightField {
    /// The classic approximate search: steps along the ray until a point lies on the other side of
    /// the ground than the one before, then bisections of that step, each against the height of
    /// the ground at its own midpoint.
    ///
    /// A ray that starts below the ground is searched for the way out and hits from the back. The
    /// search stays in the part of the ray that lies in the map's bounds and in the ray's range,
    /// so it ends, and a ray may come from beyond the map. From 2^24 steps on they are lengthened.
    ///
    /// # What it misses
    /// A ridge or a valley that the ray enters and leaves within one step, and a crossing in the
    /// same step as a hole's edge. It then answers with a later hit or none. [`HeightField::cast_ray`]
    /// misses nothing, and is faster.
    ///
    /// # Accuracy
    /// The hit is the end beyond the ground of an interval of `step / 2^bisections`. Its triangle
    /// is the one below that point.
    ///
    /// # Source
    /// The search of classic game-programming texts, with the faults mended that they have: one
    /// stale height for all bisections, rays from below, no end.
    #[must_use]
    pub fn march(&self, ray: &Ray, sides: Sides, settings: March) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        let [start, end] = self.span_in_bounds(&local)?;
        let length = local.direction.length();
        let half_cell = 0.5 * self.grid.spacing[0].min(self.grid.spacing[1]);
        let step = settings.step.unwrap_or(half_cell) / length;
        let step = step.max((end - start) / MAX_STEPS);

        let mut before = start;
        let mut from = self.position(&local, start);
        let mut count = 0.0;
        loop {
            let after = end.min(start + count * step);
            let to = self.position(&local, after);
            let side = match (from, to) {
                (Position::Above, Position::Below | Position::On) => Some(Side::Front),
                (Position::Below, Position::Above | Position::On) => Some(Side::Back),
                (_, Position::On) => self.side_at(&local, after),
                _ => None,
            };
            if let Some(side) = side.filter(|side| sides.admits(*side)) {
                let t = self.bisect(&local, [before, after], from, settings.bisections);
                return self.marched_hit(ray, t, side);
            }
            // A point on the ground keeps the side from which it was reached.
            if to != Position::On || from == Position::Unknown {
                from = to;
            }
            before = after;
            if after >= end {
                return None;
            }
            count += 1.0;
        }
    }

    /// The end beyond the ground of the halved interval; `from` is the position at its start.
    fn bisect(&self, ray: &LocalRay, interval: [f64; 2], from: Position, count: u32) -> f64 {
        let [mut before, mut after] = interval;
        for _ in 0..count {
            let middle = f64::midpoint(before, after);
            if middle <= before || middle >= after {
                break;
            }
            let position = self.position(ray, middle);
            if position == from || position == Position::Unknown {
                before = middle;
            } else {
                after = middle;
            }
        }
        after
    }

    /// From which side a ray that starts on the ground meets it there; none along the ground.
    fn side_at(&self, ray: &LocalRay, t: f64) -> Option<Side> {
        let point = self.on_map(ray.at(t));
        let WideGround::Height { corners, .. } = self.ground_at(point.x, point.z) else {
            return None;
        };
        let slope = ray_triangle::normal(&corners).dot(ray.direction);
        match slope.partial_cmp(&0.0) {
            Some(Ordering::Less) => Some(Side::Front),
            Some(Ordering::Greater) => Some(Side::Back),
            _ => None,
        }
    }

    fn position(&self, ray: &LocalRay, t: f64) -> Position {
        let point = self.on_map(ray.at(t));
        match self.ground_at(point.x, point.z) {
            WideGround::Height { height, .. } if point.y > height => Position::Above,
            WideGround::Height { height, .. } if point.y < height => Position::Below,
            WideGround::Height { .. } => Position::On,
            WideGround::Outside | WideGround::Hole => Position::Unknown,
        }
    }

    /// The point, moved back to the border if rounding put it beyond.
    fn on_map(&self, point: DVec3) -> DVec3 {
        let (x, z) = (self.grid.x_lines(), self.grid.z_lines());
        DVec3::new(
            point.x.clamp(x.first(), x.end()),
            point.y,
            point.z.clamp(z.first(), z.end()),
        )
    }

    /// The part of the ray's range in which it is within the map's bounds.
    fn span_in_bounds(&self, ray: &LocalRay) -> Option<[f64; 2]> {
        let range = self.ranges.root();
        if range.is_empty() {
            return None;
        }
        let (x, z) = (self.grid.x_lines(), self.grid.z_lines());
        let min = DVec3::new(x.first(), self.grid.y(range.min), z.first());
        let max = DVec3::new(x.end(), self.grid.y(range.max), z.end());
        if ray.is_empty() {
            return None;
        }
        let mover = Mover::new(ray.origin, ray.origin, ray.direction, ray.t_min);
        mover.span_in(ray.t_max, min, max)
    }

    fn marched_hit(&self, ray: &Ray, t: f64, side: Side) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        let point = self.on_map(local.at(t));
        let WideGround::Height {
            triangle, corners, ..
        } = self.ground_at(point.x, point.z)
        else {
            return None;
        };
        let normal = ray_triangle::normal(&corners);
        let t_wide = t.clamp(local.t_min, local.t_max);
        let t = (nearest_f32(t_wide), t_wide);
        Some(RayHit {
            triangle: Some(TriangleId { part: 0, triangle }),
            barycentrics: weights(&corners, point).map(nearest_f32),
            ..RayHit::new(ray, t, (unit(normal), side))
        })
    }
}

/// The weights of a triangle's second and third corner at the place of `point` seen from above.
fn weights([a, b, c]: &[DVec3; 3], point: DVec3) -> [f64; 2] {
    let area = |p: DVec3, q: DVec3, r: DVec3| (q.z - p.z) * (r.x - p.x) - (q.x - p.x) * (r.z - p.z);
    let whole = area(*a, *b, *c);
    [area(*a, point, *c) / whole, area(*a, *b, point) / whole]
}
