//! The distance of two cores at an exact time, while one of them moves: decided exactly.
//!
//! Every answer is the sign of a formula over one patch of the cores' difference, the one that is nearest, in
//! f64 with a bound first. Nothing is rounded.

use super::core::{Core, Way};
use super::instant::{Instant, Linear};
use super::patch::{Offset, Patch, patches};
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::big_float::BigFloat;
use crate::exact::quadratic_root::{Root, exact_roots};
use ::core::cell::Cell;
use ::core::cmp::Ordering;
use glam::DVec3;

/// Two cores, one of them moving.
#[derive(Debug, Clone)]
pub(crate) struct Difference<'a> {
    pub(super) obstacle: Core<'a>,
    pub(super) shape: Core<'a>,
    pub(super) motion: DVec3,
    pub(super) patches: Vec<Patch>,
    /// The patch that was nearest the last time.
    pub(super) last: Cell<Option<usize>>,
}

/// The time of an exact query, also in f64 with bounds.
pub(super) struct QueryTime<'a> {
    pub(super) approx: Instant<Approx>,
    pub(super) exact: &'a Instant<BigFloat>,
}

impl<'a> QueryTime<'a> {
    pub(super) fn new(exact: &'a Instant<BigFloat>) -> Self {
        Self {
            approx: exact.approximately(),
            exact,
        }
    }
}

impl<'a> Difference<'a> {
    /// `shape` moves by `motion` while t goes from 0 to 1; the obstacle rests.
    pub(crate) fn new(obstacle: &Core<'a>, shape: &Core<'a>, motion: DVec3) -> Self {
        Self {
            patches: patches(obstacle, shape),
            obstacle: *obstacle,
            shape: *shape,
            motion,
            last: Cell::new(None),
        }
    }

    /// How the distance at t = 0 compares with the sum of three numbers: `Less` too where the
    /// cores' common points are inner ones, `Equal` with 0 where they only touch.
    pub(crate) fn compare_distance(&self, limit: [f64; 3]) -> Ordering {
        self.compare_at(&Instant::at(0.0), limit)
    }

    /// The sign of `offset · (to - from)` at t = 0, offset being the vector from the
    /// obstacle's nearest point to the shape's; `Equal` where the cores meet.
    pub(crate) fn compare_along_offset(&self, way: Way) -> Ordering {
        self.compare_along(&Instant::at(0.0), way)
    }

    /// How the distance at `time` compares with the sum of three numbers.
    pub(super) fn compare_at(&self, time: &Instant<BigFloat>, limit: [f64; 3]) -> Ordering {
        let sum: BigFloat = sum(limit);
        if sum.sign().is_lt() {
            return Ordering::Greater;
        }
        let time = QueryTime::new(time);
        match self.nearest_outside(&time) {
            Some((patch, _)) => self.compare_beyond(patch, &time, limit),
            None => self.compare_meeting(&time, &sum),
        }
    }

    /// How the distance at `time` compares with the sum of three numbers, and, where it is not less, whether
    /// it shrinks, stays or grows.
    pub(super) fn compare_and_trend(
        &self,
        time: &Instant<BigFloat>,
        limit: [f64; 3],
    ) -> (Ordering, Ordering) {
        let time = QueryTime::new(time);
        let Some((patch, offset)) = self.nearest_outside(&time) else {
            return (self.compare_meeting(&time, &sum(limit)), Ordering::Equal);
        };
        let order = self.compare_beyond(patch, &time, limit);
        let trend = if order.is_lt() {
            Ordering::Equal
        } else {
            self.sign_along(patch, offset, &time, [DVec3::ZERO, self.motion])
        };
        (order, trend)
    }

    /// The nearest patch; `None` where the cores meet.
    fn nearest_outside(&self, time: &QueryTime<'_>) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        if let Some(last) = self.last_nearest(time) {
            return Some(last);
        }
        // Where they overlap openly no patch need be tried.
        if self.is_certainly_inside(time) {
            return None;
        }
        self.nearest_of_all(time)
    }

    fn compare_beyond(&self, patch: &Patch, time: &QueryTime<'_>, limit: [f64; 3]) -> Ordering {
        let beyond = patch.beyond_plane::<Approx>(self.motion, &time.approx, &squared(limit));
        decided(beyond.known_sign(), || {
            let beyond = patch.beyond_plane::<BigFloat>(self.motion, time.exact, &squared(limit));
            beyond.known_sign()
        })
    }

    /// How the distance of cores that meet compares with a number that is not negative.
    fn compare_meeting(&self, time: &QueryTime<'_>, limit: &BigFloat) -> Ordering {
        if limit.sign().is_gt() || self.is_inside(time) {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    /// Which patch was nearest the last time, if any ever was.
    pub(super) fn last_place(&self) -> Option<usize> {
        self.last.get()
    }

    /// About when, after a time at which a patch is nearest, another one may become so: the point passes
    /// from it over one of its sides, or to a patch that it is a side of.
    pub(super) fn guess_of_change(&self, place: usize, after: f64) -> Option<f64> {
        let corners = self.patches[place].corners();
        let around = self.patches.iter().filter(|patch| {
            let others = patch.corners();
            corners.iter().all(|corner| others.contains(corner))
        });
        let passings = around.flat_map(|patch| patch.passings(self.motion));
        let times = passings.map(|at| at.numerator.scaled_quotient(&at.denominator, 0));
        times.filter(|t| *t > after).min_by(f64::total_cmp)
    }

    /// About when the distance from a patch, if it went on for ever, first comes down to the sum of three
    /// numbers.
    pub(super) fn guess_by(&self, place: usize, limit: [f64; 3]) -> Option<f64> {
        let patch = &self.patches[place];
        let coefficients = patch.squared_excess(self.motion, &squared(limit));
        let [first, second] = exact_roots(&coefficients);
        let descending = |root: &Root| root.slope().is_le();
        let root = [first, second].into_iter().flatten().find(descending)?;
        Some(root.to_f64())
    }

    /// Whether the cores share inner points of their difference: it has a volume, and no plane parts
    /// them there.
    ///
    /// Source: Gottschalk, "Collision Queries using Oriented Bounding Boxes", 2000, for the axes.
    fn is_inside(&self, time: &QueryTime<'_>) -> bool {
        let side = |span: [Way; 2]| {
            let approx = self.reaches_around(&time.approx, span);
            Some(decided(approx, || self.reaches_around(time.exact, span)))
        };
        self.lies_around(&side).unwrap_or(false)
    }

    /// Whether f64 shows that they share inner points.
    fn is_certainly_inside(&self, time: &QueryTime<'_>) -> bool {
        let side = |span: [Way; 2]| self.reaches_around(&time.approx, span);
        self.lies_around(&side).unwrap_or(false)
    }

    /// Whether the difference has a volume and lies on both sides of all planes that its faces may lie in,
    /// given the side for each span of a plane; `None` where that is not known.
    fn lies_around(&self, side: &dyn Fn([Way; 2]) -> Option<Around>) -> Option<bool> {
        let mut is_solid = false;
        let spans = (self.obstacle.face_spans().into_iter()).chain(self.shape.face_spans());
        let shapes = self.shape.directions();
        let crossed = self
            .obstacle
            .directions()
            .into_iter()
            .flat_map(|first| shapes.iter().map(move |second| [first, *second]));
        for span in spans.chain(crossed) {
            match side(span)? {
                Around::BothSides => is_solid = true,
                Around::OneSide => return Some(false),
                Around::NoAxis => {}
            }
        }
        Some(is_solid)
    }

    /// Whether the difference lies on both sides of the plane through the point at `time`.
    fn reaches_around<N: Number>(&self, time: &Instant<N>, span: [Way; 2]) -> Option<Around> {
        let [u, v] = span.map(|[from, to]| between(from, to));
        let axis: [N; 3] = cross(&u, &v);
        if dot(&axis, &axis).known_sign()?.is_eq() {
            return Some(Around::NoAxis);
        }
        let motion: [N; 3] = vector(self.motion);
        let way = dot(&axis, &motion).times(&time.numerator);
        let (mut is_before, mut is_behind) = (false, false);
        for &a in self.obstacle.corners() {
            for &b in self.shape.corners() {
                let still: [N; 3] = between(a, b);
                let still = dot(&axis, &still).times(&time.denominator);
                match way.plus(&still).known_sign()? {
                    Ordering::Less => is_before = true,
                    Ordering::Equal => {}
                    Ordering::Greater => is_behind = true,
                }
                if is_before && is_behind {
                    return Some(Around::BothSides);
                }
            }
        }
        Some(Around::OneSide)
    }

    /// The sign of `offset · (to - from)` at `time`.
    pub(super) fn compare_along(&self, time: &Instant<BigFloat>, way: Way) -> Ordering {
        let time = QueryTime::new(time);
        match self.nearest(&time) {
            Some((patch, offset)) => self.sign_along(patch, offset, &time, way),
            None => Ordering::Equal,
        }
    }

    fn sign_along(
        &self,
        patch: &Patch,
        offset: Option<Offset<BigFloat>>,
        time: &QueryTime<'_>,
        way: Way,
    ) -> Ordering {
        let approx = patch
            .offset(self.motion, &time.approx)
            .flatten()
            .and_then(|offset| dot(&offset, &between(way[0], way[1])).known_sign());
        decided(approx, || {
            let offset = offset.or_else(|| patch.offset(self.motion, time.exact).flatten())?;
            dot(&offset, &between(way[0], way[1])).known_sign()
        })
    }

    /// The direction from the obstacle's nearest point to the shape's at t = 0, of any length, the exact one
    /// rounded once; `None` where the cores meet.
    pub(crate) fn direction_at_start(&self) -> Option<DVec3> {
        Some(self.offset_at(&Instant::at(0.0))?.0)
    }

    /// The direction from the obstacle's nearest point to the shape's at `time`, of any length, and
    /// their distance; `None` where the cores meet.
    pub(super) fn offset_at(&self, time: &Instant<BigFloat>) -> Option<(DVec3, f64)> {
        let query_time = QueryTime::new(time);
        let (patch, _) = self.nearest(&query_time)?;
        let offset = patch.offset(self.motion, time).flatten()?;
        let from_base = patch.way_from_base(self.motion, time);
        // Seen in a unit in which neither the offset nor its square leaves f64's range.
        let unit = offset.iter().filter_map(BigFloat::magnitude_power).max()?;
        let direction = DVec3::from_array([0, 1, 2].map(|i: usize| offset[i].scaled_f64(-unit)));
        let along = dot(&offset, &from_base).scaled_quotient(&time.denominator, -unit);
        Some((direction, along / direction.length()))
    }

    /// The exact square of the distance at t = 0, a numerator and a positive denominator; `None` where
    /// the cores meet.
    pub(super) fn squared_distance<N: Number>(&self) -> Option<[N; 2]> {
        let start = Instant::at(0.0);
        let (patch, _) = self.nearest(&QueryTime::new(&start))?;
        let start = Instant::at(0.0);
        let offset: Offset<N> = patch.offset(self.motion, &start).flatten()?;
        let along = dot(&offset, &patch.way_from_base(self.motion, &start));
        Some([along.times(&along), dot(&offset, &offset)])
    }

    /// The product of a nearest patch's offset and a vector as a function of time.
    pub(super) fn along_of_patch(
        &self,
        patch: &Patch,
        time: &Instant<BigFloat>,
        way: Way,
    ) -> Option<Linear> {
        patch.offset_along(self.motion, time, way)
    }

    /// The times at which the point at which the distance is smallest may pass from a patch to another.
    pub(super) fn passings(&self) -> Vec<Instant<BigFloat>> {
        let all = self.patches.iter();
        all.flat_map(|patch| patch.passings(self.motion)).collect()
    }

    /// Whether the distance is ever less than the sum of two radii, before 0 and after 1 too.
    ///
    /// Seen along the motion the difference is a polygon and the motion's line a point: this is whether the
    /// point is in the polygon or closer to one of its sides or corners. Those inside the polygon do no
    /// harm.
    pub(super) fn closes(&self, radii: [f64; 2]) -> bool {
        let limit = [radii[0], radii[1], 0.0];
        let limits: (Approx, BigFloat) = (squared(limit), squared(limit));
        self.is_passed_through()
            || self.patches.iter().any(|patch| {
                decided(patch.is_passed_within(self.motion, &limits.0), || {
                    patch.is_passed_within(self.motion, &limits.1)
                })
            })
    }

    /// Whether the motion's line passes through the difference's inside, as seen along it.
    fn is_passed_through(&self) -> bool {
        let mut is_wide = false;
        let ways = (self.obstacle.directions().into_iter()).chain(self.shape.directions());
        for way in ways {
            let span = [[DVec3::ZERO, self.motion], way];
            let start = Instant::at(0.0);
            let time = QueryTime::new(&start);
            let side = decided(self.reaches_around(&time.approx, span), || {
                self.reaches_around(time.exact, span)
            });
            match side {
                Around::BothSides => is_wide = true,
                Around::OneSide => return false,
                Around::NoAxis => {}
            }
        }
        is_wide
    }
}

/// How the difference lies about a plane through the point.
enum Around {
    /// The plane's normal vanishes.
    NoAxis,
    /// All of it is on one side, or in the plane.
    OneSide,
    BothSides,
}

/// The length of a vector whose square may leave f64's range.
pub(super) fn length(v: DVec3) -> f64 {
    let size = v.abs().max_element();
    if size == 0.0 {
        0.0
    } else {
        (v / size).length() * size
    }
}

/// The sum of three numbers.
fn sum<N: Number>([a, b, c]: [f64; 3]) -> N {
    N::difference(a, -b).plus(&N::from_f64(c))
}

fn squared<N: Number>(limit: [f64; 3]) -> N {
    let sum: N = sum(limit);
    sum.times(&sum)
}
