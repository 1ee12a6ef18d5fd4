//! The classic search for the ground along a ray: steps, then bisection.
//!
//! It is approximate by nature, and here to compare with: [`HeightField::cast_ray`] misses nothing, and is faster.

mod ground;
#[cfg(test)]
mod tests;

use ground::{Ground, ground_at};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{
    Error, HeightField, QueryFilter, Ray, RayHit, Side, Sides, Snapshot, TriangleId, WorkLimit,
};

/// The most steps of a march for each column and row of the map: where that is not enough, steps are lengthened.
///
/// So tiny steps and absurd heights end, too. Steps of half a cell are at most 4 for each column
/// and row, on ground that is not steeper than 45 degrees.
const MAX_STEPS_A_LINE: f64 = 512.0;

/// By how much a t at which a plane is passed is moved, relative to itself: a difference, a reciprocal and a
/// product of exact numbers round once each, and moving t rounds twice more.
const SLAB_WIDENING: f64 = 4.0 * f64::EPSILON;

/// The classic approximate search for terrain, and how finely it searches.
///
/// ```
/// use hitscan::{HeightField, Ray, Sides, height_field::Grid};
/// use hitscan_ask::March;
/// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
/// let ray = Ray::new([0.25, 3.0, 0.5], [0.0, -1.0, 0.0])?;
/// let march = March::default().with_step(0.25)?.with_bisections(40);
/// let hit = march.cast_ray(&field, &ray, Sides::Both).unwrap();
/// assert!((hit.t - 2.75).abs() < 1e-6);
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

    /// Steps along the ray until a point lies on the other side of the ground than the one before,
    /// then bisections of that step, each against the height of the ground at its own midpoint.
    ///
    /// A ray that starts below the ground is searched for the way out and hits from the back. The
    /// search stays in the part of the ray that lies in the map's bounds and in the ray's range,
    /// so it ends, and a ray may come from beyond the map.
    ///
    /// # What it misses
    /// A ridge or a valley that the ray enters and leaves within one step, and a crossing in the
    /// same step as a hole's edge. It then answers with a later hit or none.
    ///
    /// # Accuracy
    /// The hit is the end beyond the ground of an interval of `step / 2^bisections`. Its triangle
    /// is the one below that point.
    ///
    /// # Source
    /// The search of classic game-programming texts, without their faults: one stale height for all
    /// bisections, rays from below, no end.
    #[must_use]
    pub fn cast_ray(self, field: &HeightField, ray: &Ray, sides: Sides) -> Option<RayHit> {
        self.watched(field, ray, (sides, None), |_, _| ())
    }

    /// The nearest of its hits on the terrains that `filter` accepts. A step of the filter's
    /// [`WorkLimit`] is a place at which it looks at the ground.
    #[must_use]
    pub fn nearest(
        self,
        snapshot: &Snapshot,
        ray: &Ray,
        (sides, filter): (Sides, QueryFilter<'_>),
    ) -> Option<RayHit> {
        let hits = snapshot
            .height_fields(filter)
            .filter_map(|(object, field)| {
                let hit = self.watched(field, ray, (sides, filter.limit()), |_, _| ())?;
                Some(RayHit {
                    object: Some(object),
                    user_data: snapshot.user_data(object)?,
                    ..hit
                })
            });
        hits.min_by(|a, b| a.t.total_cmp(&b.t))
    }

    /// What [`March::cast_ray`] answers, bit for bit, and where it looked at the ground: the first `limit`
    /// places of each kind. With `work` as far as that lets it, as in [`March::nearest`].
    ///
    /// ```
    /// use hitscan::{HeightField, Ray, Sides, height_field::Grid};
    /// use hitscan_ask::March;
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// let ray = Ray::new([0.25, 1.0, 0.5], [0.0, -1.0, 0.0])?;
    /// let march = March::default().with_step(0.5)?.with_bisections(3);
    /// let (hit, looks) = march.trace_ray(&field, &ray, (Sides::Both, None), 100);
    /// assert_eq!(hit, march.cast_ray(&field, &ray, Sides::Both));
    /// assert_eq!(looks.steps, [0.0, 0.5, 1.0]);
    /// assert_eq!(looks.bisections, [0.75, 0.625, 0.6875]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn trace_ray(
        self,
        field: &HeightField,
        ray: &Ray,
        (sides, work): (Sides, Option<&WorkLimit<'_>>),
        limit: usize,
    ) -> (Option<RayHit>, MarchLooks) {
        let mut looks = MarchLooks::default();
        let hit = self.watched(field, ray, (sides, work), |look, t| {
            let list = match look {
                Look::Step => &mut looks.steps,
                Look::Bisection => &mut looks.bisections,
            };
            if list.len() < limit {
                list.push(t);
            }
        });
        (hit, looks)
    }

    /// The search, as far as a limit lets it; `watch` gets each t at which it looks at the ground.
    fn watched(
        self,
        field: &HeightField,
        ray: &Ray,
        (sides, work): (Sides, Option<&WorkLimit<'_>>),
        mut watch: impl FnMut(Look, f64),
    ) -> Option<RayHit> {
        let search = Search { field, ray };
        let [start, end] = search.range_in_bounds()?;
        let grid = field.grid();
        let length = ray.direction().as_dvec3().length();
        let half_cell = 0.5 * grid.spacing[0].min(grid.spacing[1]);
        let max_steps = MAX_STEPS_A_LINE * (grid.columns as f64 + grid.rows as f64);
        let step = self.step.unwrap_or(half_cell) / length;
        let step = step.max((end - start) / max_steps);

        let mut before = start;
        let mut from = search.position(start);
        let mut count = 0.0;
        loop {
            let after = end.min(start + count * step);
            if work.is_some_and(|work| work.take_steps(1).is_break()) {
                return None;
            }
            let to = search.position(after);
            watch(Look::Step, after);
            let side = match (from, to) {
                (Position::Above, Position::Below | Position::On) => Some(Side::Front),
                (Position::Below, Position::Above | Position::On) => Some(Side::Back),
                (_, Position::On) => search.side_at(after),
                _ => None,
            };
            if let Some(side) = side.filter(|side| sides.admits(*side)) {
                let watch = |t| watch(Look::Bisection, t);
                let t = search.bisect([before, after], from, self.bisections, watch);
                return search.hit(t, side);
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
}

/// Where a march looked at the ground: values of t, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarchLooks {
    /// The ends of its steps.
    pub steps: Vec<f64>,
    /// The middles of the intervals that it halved.
    pub bisections: Vec<f64>,
}

/// Why a march looks at the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Step,
    Bisection,
}

/// Where a point of the ray is with regard to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Above,
    Below,
    On,
    /// Over a hole.
    Unknown,
}

struct Search<'a> {
    field: &'a HeightField,
    ray: &'a Ray,
}

impl Search<'_> {
    /// The part of the ray's range in which it is within the map's bounds.
    fn range_in_bounds(&self) -> Option<[f64; 2]> {
        let bounds = self.field.bounds()?;
        let min = self.map_corner([0, 0], f64::from(bounds.min().y));
        let grid = self.field.grid();
        let max = self.map_corner([grid.columns - 1, grid.rows - 1], f64::from(bounds.max().y));
        let (origin, direction) = self.line();
        let mut range = [f64::from(self.ray.t_min()), f64::from(self.ray.t_max())];
        for axis in 0..3 {
            let [low, high] = [min[axis], max[axis]].map(|plane| plane - origin[axis]);
            if direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let goes_down = direction[axis] < 0.0;
            let (first, last) = if goes_down { (high, low) } else { (low, high) };
            let reciprocal = 1.0 / direction[axis];
            let (enter, leave) = (first * reciprocal, last * reciprocal);
            range[0] = range[0].max(enter - enter.abs() * SLAB_WIDENING);
            range[1] = range[1].min(leave + leave.abs() * SLAB_WIDENING);
        }
        (range[0] <= range[1]).then_some(range)
    }

    fn map_corner(&self, [column, row]: [usize; 2], y: f64) -> DVec3 {
        let grid = self.field.grid();
        DVec3::new(grid.x(column), y, grid.z(row))
    }

    /// The ray's origin and direction.
    fn line(&self) -> (DVec3, DVec3) {
        (
            self.ray.origin().as_dvec3(),
            self.ray.direction().as_dvec3(),
        )
    }

    /// The ray's point at `t`, moved back to the map's border if rounding put it beyond.
    fn at(&self, t: f64) -> DVec3 {
        let (origin, direction) = self.line();
        let point = origin + direction * t;
        let grid = self.field.grid();
        DVec3::new(
            point.x.clamp(grid.x(0), grid.x(grid.columns - 1)),
            point.y,
            point.z.clamp(grid.z(0), grid.z(grid.rows - 1)),
        )
    }

    fn ground_below(&self, point: DVec3) -> Option<Ground> {
        ground_at(self.field, point.x, point.z)
    }

    fn position(&self, t: f64) -> Position {
        let point = self.at(t);
        match self.ground_below(point) {
            Some(ground) if point.y > ground.height => Position::Above,
            Some(ground) if point.y < ground.height => Position::Below,
            Some(_) => Position::On,
            None => Position::Unknown,
        }
    }

    /// The end beyond the ground of the halved interval; `from` is the position at its start.
    fn bisect(
        &self,
        [mut before, mut after]: [f64; 2],
        from: Position,
        count: u32,
        mut watch: impl FnMut(f64),
    ) -> f64 {
        for _ in 0..count {
            let middle = f64::midpoint(before, after);
            if middle <= before || middle >= after {
                break;
            }
            let position = self.position(middle);
            watch(middle);
            if position == from || position == Position::Unknown {
                before = middle;
            } else {
                after = middle;
            }
        }
        after
    }

    /// From which side a ray that starts on the ground hits it there; none along the ground.
    fn side_at(&self, t: f64) -> Option<Side> {
        let ground = self.ground_below(self.at(t))?;
        let slope = normal(&ground.corners).dot(self.line().1);
        if slope < 0.0 {
            Some(Side::Front)
        } else if slope > 0.0 {
            Some(Side::Back)
        } else {
            None
        }
    }

    fn hit(&self, t: f64, side: Side) -> Option<RayHit> {
        let point = self.at(t);
        let ground = self.ground_below(point)?;
        let barycentrics = weights(&ground.corners, point).map(rounded);
        let t = t.clamp(f64::from(self.ray.t_min()), f64::from(self.ray.t_max()));
        let (origin, direction) = self.line();
        let limit = DVec3::splat(f64::from(f32::MAX));
        Some(RayHit {
            t: rounded(t),
            distance: rounded((t * direction.dot(direction).sqrt()).min(f64::from(f32::MAX))),
            point: (origin + direction * t).clamp(-limit, limit).as_vec3(),
            normal: unit(normal(&ground.corners)),
            side,
            object: None,
            user_data: 0,
            triangle: Some(TriangleId {
                part: 0,
                triangle: ground.triangle,
            }),
            barycentrics,
        })
    }
}

fn normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// `v`, which is not zero, at unit length.
fn unit(v: DVec3) -> Vec3 {
    let scaled = v / v.abs().max_element();
    let unit = scaled / scaled.dot(scaled).sqrt();
    Vec3::new(rounded(unit.x), rounded(unit.y), rounded(unit.z))
}

/// The nearest f32, never -0.
#[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
fn rounded(x: f64) -> f32 {
    x as f32 + 0.0
}

/// The weights of a triangle's second and third corner at `point` seen from above.
fn weights([a, b, c]: &[DVec3; 3], point: DVec3) -> [f64; 2] {
    let area = |p: DVec3, q: DVec3, r: DVec3| (q.z - p.z) * (r.x - p.x) - (q.x - p.x) * (r.z - p.z);
    let whole = area(*a, *b, *c);
    [area(*a, point, *c) / whole, area(*a, *b, point) / whole]
}
