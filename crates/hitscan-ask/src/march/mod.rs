//! The classic search for the ground along a ray: steps, then bisection.
//!
//! It is approximate by nature and there to compare with; nothing else in the crate uses it. What it
//! samples is in `ground.rs`.

mod ground;

use crate::Error;
use glam::{DVec3, Vec3};
use ground::Ground;
use hitscan::{HeightField, Ray, RayHit, Side, Sides, TriangleId};
use std::cmp::Ordering;

/// The most steps of a march: where more would be needed to cross the map, steps grow to fit.
///
/// So the time of a march is bounded, to some 0.1 s, whatever the step and the map. On a map of
/// 4097² samples half cells need some 12,000.
const MAX_STEPS: f64 = 1_048_576.0;

/// How finely a march searches.
///
/// ```
/// use hitscan_ask::March;
/// let march = March::default().with_step(0.25)?.with_bisections(10);
/// assert!(march.with_step(0.0).is_err());
/// # Ok::<(), hitscan_ask::Error>(())
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
    /// [`Error::MarchStep`] unless the length is positive and finite.
    pub fn with_step(self, metres: f64) -> Result<Self, Error> {
        if metres.is_finite() && metres > 0.0 {
            Ok(Self {
                step: Some(metres),
                ..self
            })
        } else {
            Err(Error::MarchStep { found: metres })
        }
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

/// A terrain prepared for the classic march, the approximate search that the exact one replaces.
///
/// ```
/// use hitscan::height_field::{Grid, HeightField};
/// use hitscan::{Ray, Sides};
/// use hitscan_ask::{March, MarchedField};
///
/// // A wall one cell thick, which steps of 4 m pass over.
/// let mut heights = vec![0.0; 30 * 3];
/// for row in 0..3 {
///     heights[row * 30 + 11] = 5.0;
/// }
/// let field = HeightField::new(Grid::new(30, 3, [1.0, 1.0]), heights)?;
/// let marched = MarchedField::new(&field);
/// let ray = Ray::new([0.0, 1.0, 1.0], [1.0, -0.00001, 0.0])?;
///
/// let half_cells = March::default();
/// assert!(marched.cast_ray(&ray, Sides::Both, half_cells).is_some());
/// let long_steps = half_cells.with_step(4.0)?;
/// assert!(marched.cast_ray(&ray, Sides::Both, long_steps).is_none());
/// assert!(field.cast_ray(&ray, Sides::Both).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct MarchedField<'a> {
    ground: Ground<'a>,
    /// The corners of the box around all triangles; `None` where all are holes.
    bounds: Option<[DVec3; 2]>,
}

/// The position of a point relative to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Above,
    Below,
    On,
    /// Over a hole.
    Unknown,
}

/// A ray in f64.
struct WideRay {
    origin: DVec3,
    direction: DVec3,
    t_min: f64,
    t_max: f64,
}

impl WideRay {
    fn new(ray: &Ray) -> Self {
        Self {
            origin: ray.origin().as_dvec3(),
            direction: ray.direction().as_dvec3(),
            t_min: f64::from(ray.t_min()),
            // t is answered as f32: what lies beyond its range is beyond the ray.
            t_max: f64::from(ray.t_max().min(f32::MAX)),
        }
    }

    fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }
}

impl<'a> MarchedField<'a> {
    /// Prepares a terrain, in time that grows with its size.
    #[must_use]
    pub fn new(field: &'a HeightField) -> Self {
        let ground = Ground::new(field);
        Self {
            ground,
            bounds: ground.bounds(),
        }
    }

    /// Steps along the ray until a point lies on the other side of the ground than the one before,
    /// then bisects that step, each time against the ground at the midpoint.
    ///
    /// A ray that starts below the ground is searched for the way out and hits from the back. The
    /// search stays in the part of the ray that lies in the map's bounds and in the ray's range,
    /// so it ends, and a ray may come from beyond the map. Beyond 2^20 steps they are lengthened.
    ///
    /// # What it misses
    /// A ridge or a valley that the ray enters and leaves within one step, and a crossing in the
    /// same step as a hole's edge. It then answers with a later hit or none.
    /// [`HeightField::cast_ray`] misses nothing, and is faster.
    ///
    /// # Accuracy
    /// The hit is the end beyond the ground of an interval of `step / 2^bisections`. Its triangle
    /// is the one below that point.
    ///
    /// # Source
    /// The search of classic game-programming texts, without the faults that they have: one stale
    /// height for all bisections, rays from below, no end.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, sides: Sides, march: March) -> Option<RayHit> {
        if ray.is_empty() {
            return None;
        }
        let wide = WideRay::new(ray);
        let [start, end] = self.interval_in_bounds(&wide)?;
        let [x_spacing, z_spacing] = self.ground.field().grid().spacing;
        let half_cell = 0.5 * x_spacing.min(z_spacing);
        let step = march.step.unwrap_or(half_cell) / wide.direction.length();
        let step = step.max((end - start) / MAX_STEPS);

        let mut before = start;
        let mut from = self.position(&wide, start);
        let mut count = 0.0;
        loop {
            let after = end.min(start + count * step);
            let to = self.position(&wide, after);
            let side = match (from, to) {
                (Position::Above, Position::Below | Position::On) => Some(Side::Front),
                (Position::Below, Position::Above | Position::On) => Some(Side::Back),
                (_, Position::On) => self.side_at(&wide, after),
                _ => None,
            };
            if let Some(side) = side.filter(|side| sides.admits(*side)) {
                let t = self.bisect(&wide, [before, after], from, march.bisections);
                return self.hit(&wide, t, side);
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
    fn bisect(&self, ray: &WideRay, interval: [f64; 2], from: Position, count: u32) -> f64 {
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

    /// From which side a ray that starts on the ground hits it there; none along the ground.
    fn side_at(&self, ray: &WideRay, t: f64) -> Option<Side> {
        let below = self.ground.below(ray.at(t))?;
        match below.normal().dot(ray.direction).partial_cmp(&0.0) {
            Some(Ordering::Less) => Some(Side::Front),
            Some(Ordering::Greater) => Some(Side::Back),
            _ => None,
        }
    }

    fn position(&self, ray: &WideRay, t: f64) -> Position {
        let point = ray.at(t);
        match self.ground.below(point) {
            Some(below) if point.y > below.height() => Position::Above,
            Some(below) if point.y < below.height() => Position::Below,
            Some(_) => Position::On,
            None => Position::Unknown,
        }
    }

    /// The part of the ray's range in which it may be within the bounds.
    fn interval_in_bounds(&self, ray: &WideRay) -> Option<[f64; 2]> {
        let [min, max] = self.bounds?;
        let mut interval = [ray.t_min, ray.t_max];
        for axis in 0..3 {
            interval = clip(
                interval,
                [min[axis], max[axis]],
                ray.origin[axis],
                ray.direction[axis],
            )?;
        }
        Some(interval)
    }

    fn hit(&self, ray: &WideRay, t: f64, side: Side) -> Option<RayHit> {
        let below = self.ground.below(ray.at(t))?;
        let t = t.clamp(ray.t_min, ray.t_max);
        let distance = t * ray.direction.dot(ray.direction).sqrt();
        Some(RayHit {
            t: nearest_f32(t),
            // A ray from far beyond the map may come a longer way than f32 holds.
            distance: nearest_f32(distance.min(f64::from(f32::MAX))),
            point: ray.at(t).as_vec3(),
            normal: unit(below.normal()),
            side,
            object: None,
            triangle: Some(TriangleId {
                part: 0,
                triangle: below.triangle(),
            }),
            barycentrics: below.weights().map(nearest_f32),
        })
    }
}

/// The part of an interval of t in which `origin + t * direction` may lie between `low` and `high`.
fn clip(
    [from, to]: [f64; 2],
    [low, high]: [f64; 2],
    origin: f64,
    direction: f64,
) -> Option<[f64; 2]> {
    /// The relative error of a plane's t: its difference, reciprocal and product round once each,
    /// and moving t rounds twice more; 8 units roundoff cover these.
    const WIDENING: f64 = 4.0 * f64::EPSILON;
    if direction == 0.0 {
        return (low <= origin && origin <= high).then_some([from, to]);
    }
    let (near, far) = if direction < 0.0 {
        (high, low)
    } else {
        (low, high)
    };
    let reciprocal = 1.0 / direction;
    let [enter, leave] = [near, far].map(|plane| (plane - origin) * reciprocal);
    let from = from.max(enter - enter.abs() * WIDENING);
    let to = to.min(leave + leave.abs() * WIDENING);
    (from <= to).then_some([from, to])
}

/// Rounds to the nearest f32, never -0.
fn nearest_f32(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
    let rounded = x as f32;
    rounded + 0.0
}

/// `v`, which is not zero, at unit length.
fn unit(v: DVec3) -> Vec3 {
    let scaled = v / v.abs().max_element();
    let unit = scaled / scaled.dot(scaled).sqrt();
    Vec3::new(
        nearest_f32(unit.x),
        nearest_f32(unit.y),
        nearest_f32(unit.z),
    )
}
