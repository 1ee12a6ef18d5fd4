//! The distance of two cores at an exact time, while one of them moves: decided exactly.
//!
//! Every answer is the sign of a formula over the patches of the cores' difference, in f64 with a bound
//! first. Nothing is searched for here, and nothing is rounded.

use super::core::{Core, Way};
use super::instant::{Instant, Linear};
use super::patch::{Offset, Patch, patches};
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::big_float::BigFloat;
use ::core::cmp::Ordering;
use glam::DVec3;

/// Two cores of which one moves.
#[derive(Debug, Clone)]
pub(crate) struct Difference {
    obstacle: Core,
    shape: Core,
    motion: DVec3,
    patches: Vec<Patch>,
}

/// A time at which an exact question is asked, also in f64 with bounds.
struct Asked<'a> {
    approx: Instant<Approx>,
    exact: &'a Instant<BigFloat>,
}

impl<'a> Asked<'a> {
    fn new(exact: &'a Instant<BigFloat>) -> Self {
        Self {
            approx: exact.approximately(),
            exact,
        }
    }
}

impl Difference {
    /// `shape` moves by `motion` while t goes from 0 to 1; the obstacle rests.
    pub(crate) fn new(obstacle: &Core, shape: &Core, motion: DVec3) -> Self {
        Self {
            patches: patches(obstacle, shape),
            obstacle: *obstacle,
            shape: *shape,
            motion,
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
        let time = Asked::new(time);
        if self.is_inside(&time) {
            return Ordering::Less;
        }
        let limits: (Approx, BigFloat) = (squared(limit), squared(limit));
        let mut least = Ordering::Greater;
        for patch in &self.patches {
            let beyond = decided(patch.beyond(self.motion, &time.approx, &limits.0), || {
                patch.beyond(self.motion, time.exact, &limits.1)
            });
            if beyond.is_lt() {
                return beyond;
            }
            least = least.min(beyond);
        }
        least
    }

    /// Whether the cores share inner points of their difference: it has a volume, and no plane parts
    /// them there.
    ///
    /// Source: Gottschalk, "Collision Queries using Oriented Bounding Boxes", 2000, for the axes.
    fn is_inside(&self, time: &Asked<'_>) -> bool {
        let mut is_solid = false;
        let spans = (self.obstacle.face_spans().into_iter()).chain(self.shape.face_spans());
        let shapes = self.shape.directions();
        let crossed = self
            .obstacle
            .directions()
            .into_iter()
            .flat_map(|first| shapes.iter().map(move |second| [first, *second]));
        for span in spans.chain(crossed) {
            let side = decided(self.reaches_around(&time.approx, span), || {
                self.reaches_around(time.exact, span)
            });
            match side {
                Around::BothSides => is_solid = true,
                Around::OneSide => return false,
                Around::NoAxis => {}
            }
        }
        is_solid
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

    /// Whether the distance shrinks, stays or grows at `time`: the sign of its derivative. Where the
    /// cores meet, `Equal`.
    pub(super) fn trend(&self, time: &Instant<BigFloat>) -> Ordering {
        self.compare_along(time, [DVec3::ZERO, self.motion])
    }

    /// The sign of `offset · (to - from)` at `time`.
    pub(super) fn compare_along(&self, time: &Instant<BigFloat>, way: Way) -> Ordering {
        let time = Asked::new(time);
        let Some((patch, offset)) = self.nearest(&time) else {
            return Ordering::Equal;
        };
        let approx = patch
            .offset(self.motion, &time.approx)
            .flatten()
            .and_then(|offset| dot(&offset, &between(way[0], way[1])).known_sign());
        decided(approx, || {
            let offset = offset.or_else(|| patch.offset(self.motion, time.exact).flatten())?;
            dot(&offset, &between(way[0], way[1])).known_sign()
        })
    }

    /// The direction from the obstacle's nearest point to the shape's at `time`, of any length, and
    /// their distance; `None` where the cores meet.
    pub(super) fn offset_at(&self, time: &Instant<BigFloat>) -> Option<(DVec3, f64)> {
        let asked = Asked::new(time);
        let (patch, _) = self.nearest(&asked)?;
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
        let (patch, _) = self.nearest(&Asked::new(&start))?;
        let start = Instant::at(0.0);
        let offset: Offset<N> = patch.offset(self.motion, &start).flatten()?;
        let along = dot(&offset, &patch.way_from_base(self.motion, &start));
        Some([along.times(&along), dot(&offset, &offset)])
    }

    /// The patch at which the distance is least, and the offset where it has been computed.
    fn nearest(&self, time: &Asked<'_>) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        for patch in &self.patches {
            match self.is_nearest_in(patch, &time.approx) {
                Some(true) => return Some((patch, None)),
                Some(false) => {}
                None => {
                    let Some(offset) = patch.offset(self.motion, time.exact).flatten() else {
                        continue;
                    };
                    let supports = patch.supports(&offset, &self.obstacle, &self.shape);
                    if supports == Some(true) {
                        return Some((patch, Some(offset)));
                    }
                }
            }
        }
        None
    }

    /// The patch at which the distance is least at t = 0, where f64 decides that.
    pub(super) fn clearly_nearest(&self) -> Option<Patch> {
        let start = Instant::<Approx>::at(0.0);
        let mut patches = self.patches.iter();
        let nearest = patches.find(|patch| self.is_nearest_in(patch, &start) == Some(true));
        nearest.copied()
    }

    fn is_nearest_in<N: Number>(&self, patch: &Patch, time: &Instant<N>) -> Option<bool> {
        match patch.offset(self.motion, time)? {
            None => Some(false),
            Some(offset) => patch.supports(&offset, &self.obstacle, &self.shape),
        }
    }

    /// The first patch at which the distance is least at both times, and so between them too.
    pub(super) fn nearest_throughout(&self, times: [&Instant<BigFloat>; 2]) -> Option<&Patch> {
        let times = times.map(Asked::new);
        self.patches.iter().find(|patch| {
            times.iter().all(|time| {
                decided(self.is_nearest_in(patch, &time.approx), || {
                    self.is_nearest_in(patch, time.exact)
                })
            })
        })
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

    /// The times at which the point at which the distance is least may pass from a patch to another.
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
            let asked = Asked::new(&start);
            let side = decided(self.reaches_around(&asked.approx, span), || {
                self.reaches_around(asked.exact, span)
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
