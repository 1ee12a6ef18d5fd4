//! The intersection of the intervals of all axes: the separating-axis test in time.
//!
//! `time_interval.rs` encloses each interval in f64; where enclosures overlap the
//! quotients are compared exactly here, so that no decision depends on rounding. Nothing here
//! depends on the shapes.
//!
//! Source: Eberly, "Dynamic Collision Detection using Oriented Bounding Boxes", 1999, for the test
//! with constant velocities. What differs: an axis without motion needs an open overlap, touching
//! and parting is no contact, and every comparison is exact.

use super::time_interval::{Along, Bounded, Projection, Range, TimeInterval};
use crate::exact::expansion::{
    Expansion, UNIT_ROUNDOFF, compare_quotient, floor_quotient, nearest_f32, nearest_f32_quotient,
};
use core::cmp::Ordering;
use std::collections::BTreeMap;

/// A [`Projection`] without rounding. All three may share a factor, also a negative one for
/// `-far, -near, -speed`: the axis then points the other way.
pub(crate) struct ExactProjection {
    pub(crate) near: Expansion,
    pub(crate) far: Expansion,
    pub(crate) speed: Expansion,
}

/// The interval of an axis with motion, without rounding: two quotients by the same positive speed.
struct ExactInterval {
    enter: Expansion,
    leave: Expansion,
    speed: Expansion,
}

impl ExactProjection {
    /// The interval and whether the motion goes forward; without motion whether the shapes overlap.
    fn span(self) -> Result<(ExactInterval, Along), StaticAxis> {
        let zero = Expansion::from_f64(0.0);
        match self.speed.sign() {
            Ordering::Greater => Ok((
                ExactInterval {
                    enter: self.near,
                    leave: self.far,
                    speed: self.speed,
                },
                Along::Forward,
            )),
            Ordering::Less => Ok((
                ExactInterval {
                    enter: zero.minus(&self.far),
                    leave: zero.minus(&self.near),
                    speed: zero.minus(&self.speed),
                },
                Along::Backward,
            )),
            Ordering::Equal if self.near.sign().is_lt() && self.far.sign().is_gt() => {
                Err(StaticAxis::Overlapping)
            }
            Ordering::Equal => Err(StaticAxis::Separate),
        }
    }
}

/// The shapes on an axis without motion: they overlap at all times, or at none.
enum StaticAxis {
    Overlapping,
    Separate,
}

/// One axis with its enclosure.
#[derive(Debug, Clone, Copy)]
struct Candidate<A> {
    axis: A,
    rank: u8,
    span: TimeInterval,
}

/// How the shapes first hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FirstContact<A> {
    /// They overlap at t = 0.
    Overlap,
    /// They hit.
    Hit(Entry<A>),
}

/// When the axis that is entered last is entered; not before t = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry<A> {
    /// The exact time lies in it.
    time: Range,
    pub(crate) axis: A,
    /// Whether the motion goes along the axis or against it.
    pub(crate) along: Along,
}

impl<A: Copy> Entry<A> {
    /// The same on an axis of another kind.
    pub(crate) fn on<B>(self, axis: B) -> Entry<B> {
        Entry {
            time: self.time,
            axis,
            along: self.along,
        }
    }

    /// An enclosure of the exact time, in 0 to 1.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        [self.time.low.max(0.0), self.time.high.min(1.0)]
    }

    /// The exact time rounded once to f32. `project` gives an axis's numbers without rounding, and is
    /// called only where f64 does not do.
    pub(crate) fn t(&self, project: &dyn Fn(A) -> ExactProjection) -> f32 {
        let [low, high] = [self.time.low, self.time.high].map(nearest_f32);
        if low == high {
            return low;
        }
        self.exactly(project, nearest_f32_quotient)
    }

    /// The exact time rounded down to f64; see [`Entry::t`].
    pub(crate) fn floor(&self, project: &dyn Fn(A) -> ExactProjection) -> f64 {
        if self.time.low == self.time.high {
            return self.time.low + 0.0;
        }
        self.exactly(project, floor_quotient)
    }

    #[cold]
    fn exactly<T>(
        &self,
        project: &dyn Fn(A) -> ExactProjection,
        round: impl Fn(&Expansion, &Expansion) -> T,
    ) -> T {
        let Ok((exact, _)) = project(self.axis).span() else {
            unreachable!("an axis that is entered has motion")
        };
        round(&exact.enter, &exact.speed)
    }
}

/// Collects the intervals of all axes, giving up as soon as they certainly have nothing in common.
///
/// There are no more than `AXES` of them.
#[derive(Debug)]
pub(crate) struct Intersection<A, const AXES: usize> {
    candidates: [Option<Candidate<A>>; AXES],
    count: usize,
    enter_low: f64,
    leave_high: f64,
    /// Contacts after this time may be omitted.
    latest: f64,
}

impl<A: Copy, const AXES: usize> Intersection<A, AXES> {
    pub(crate) fn new() -> Self {
        Self::by(1.0)
    }

    /// For contacts up to the time `latest`, from 0 to 1; later ones may be omitted.
    pub(crate) fn by(latest: f64) -> Self {
        Self {
            candidates: [None; AXES],
            count: 0,
            enter_low: f64::NEG_INFINITY,
            leave_high: f64::INFINITY,
            latest,
        }
    }

    /// Adds an axis; `None` where the shapes certainly do not hit in time.
    ///
    /// Of axes with the same time of entry the one with the lowest `rank` is hit; ranks differ.
    #[inline]
    pub(crate) fn add(&mut self, rank: u8, axis: A, projection: &Projection) -> Option<()> {
        // Most axes that part the shapes do so before any quotient is computed.
        if projection.is_apart_until(self.latest) {
            return None;
        }
        let span = projection.enclose()?;
        self.enter_low = self.enter_low.max(span.enter.low);
        self.leave_high = self.leave_high.min(span.leave.high);
        if self.enter_low > self.leave_high.min(self.latest) || self.leave_high <= 0.0 {
            return None;
        }
        if span.along != Along::Static {
            self.candidates[self.count] = Some(Candidate { axis, rank, span });
            self.count += 1;
        }
        Some(())
    }

    /// Decides, exactly, whether and when the shapes hit.
    ///
    /// `project` gives an axis's numbers without rounding; it is called only where the filter fails.
    pub(crate) fn decide(
        mut self,
        project: &dyn Fn(A) -> ExactProjection,
    ) -> Option<FirstContact<A>> {
        let mut exact = ExactComparison {
            project,
            cached: BTreeMap::new(),
        };
        let mut first: Option<Candidate<A>> = None;
        for slot in &mut self.candidates[..self.count] {
            let Some(mut candidate) = *slot else { continue };
            if candidate.span.along == Along::Unknown {
                match exact.measure(&candidate) {
                    Ok(span) => candidate.span = span,
                    Err(StaticAxis::Separate) => return None,
                    Err(StaticAxis::Overlapping) => {
                        *slot = None;
                        continue;
                    }
                }
            }
            *slot = Some(candidate);
            first = Some(match first {
                Some(best) if !exact.is_hit_instead(&candidate, &best) => best,
                _ => candidate,
            });
        }
        let all = || self.candidates.iter().flatten();
        // Without motion on any axis the shapes overlap on all of them.
        let Some(first) = first else {
            return Some(FirstContact::Overlap);
        };
        if !all().all(|axis| exact.compare_leave(axis, 0.0).is_gt()) {
            return None;
        }
        if exact.compare_enter(&first, 0.0).is_lt() {
            return Some(FirstContact::Overlap);
        }
        let is_hit = exact.compare_enter(&first, 1.0).is_le()
            && all().all(|axis| exact.enters_in_time(&first, axis));
        is_hit.then_some(FirstContact::Hit(Entry {
            time: first.span.enter,
            axis: first.axis,
            along: first.span.along,
        }))
    }
}

/// Compares times, exactly where enclosures do not decide.
struct ExactComparison<'a, A> {
    project: &'a dyn Fn(A) -> ExactProjection,
    /// The exact intervals that were needed so far, by rank.
    cached: BTreeMap<u8, ExactInterval>,
}

impl<A: Copy> ExactComparison<'_, A> {
    /// The enclosure of an axis whose motion the filter does not decide, from its exact numbers.
    fn measure(&mut self, candidate: &Candidate<A>) -> Result<TimeInterval, StaticAxis> {
        let (exact, along) = (self.project)(candidate.axis).span()?;
        let span = TimeInterval {
            enter: enclose_quotient(&exact.enter, &exact.speed),
            leave: enclose_quotient(&exact.leave, &exact.speed),
            along,
        };
        self.cached.insert(candidate.rank, exact);
        Ok(span)
    }

    /// Computes the exact interval of `candidate`, unless it is cached.
    fn cache(&mut self, candidate: &Candidate<A>) {
        let project = self.project;
        self.cached.entry(candidate.rank).or_insert_with(|| {
            let Ok((span, _)) = project(candidate.axis).span() else {
                unreachable!("the filter found motion on the axis, and its bounds hold")
            };
            span
        });
    }

    /// Whether `a` is the axis that is hit rather than `b`: it is entered later, or as the first of
    /// equals.
    fn is_hit_instead(&mut self, a: &Candidate<A>, b: &Candidate<A>) -> bool {
        let order = a.span.enter.compare(b.span.enter).unwrap_or_else(|| {
            self.cache(a);
            self.cache(b);
            let (a, b) = (&self.cached[&a.rank], &self.cached[&b.rank]);
            compare_quotients((&a.enter, &a.speed), (&b.enter, &b.speed))
        });
        order.then(b.rank.cmp(&a.rank)).is_gt()
    }

    /// Whether axis `a` is entered before axis `b` is left, or just then.
    fn enters_in_time(&mut self, a: &Candidate<A>, b: &Candidate<A>) -> bool {
        let order = a.span.enter.compare(b.span.leave).unwrap_or_else(|| {
            self.cache(a);
            self.cache(b);
            let (a, b) = (&self.cached[&a.rank], &self.cached[&b.rank]);
            compare_quotients((&a.enter, &a.speed), (&b.leave, &b.speed))
        });
        order.is_le()
    }

    /// How the time at which the axis is entered compares with `t`.
    fn compare_enter(&mut self, axis: &Candidate<A>, t: f64) -> Ordering {
        axis.span.enter.compare(Range::point(t)).unwrap_or_else(|| {
            self.cache(axis);
            let exact = &self.cached[&axis.rank];
            compare_quotient(&exact.enter, &exact.speed, t)
        })
    }

    /// How the time at which the axis is left compares with `t`.
    fn compare_leave(&mut self, axis: &Candidate<A>, t: f64) -> Ordering {
        axis.span.leave.compare(Range::point(t)).unwrap_or_else(|| {
            self.cache(axis);
            let exact = &self.cached[&axis.rank];
            compare_quotient(&exact.leave, &exact.speed, t)
        })
    }
}

/// How two quotients by positive numbers compare.
fn compare_quotients(a: (&Expansion, &Expansion), b: (&Expansion, &Expansion)) -> Ordering {
    a.0.times(b.1).minus(&b.0.times(a.1)).sign()
}

/// Encloses a quotient of expansions, whose three roundings are at most five units together.
fn enclose_quotient(numerator: &Expansion, denominator: &Expansion) -> Range {
    if numerator.sign().is_eq() {
        return Range::point(0.0);
    }
    let value = numerator.to_f64() / denominator.to_f64();
    let error = 8.0 * UNIT_ROUNDOFF * value.abs();
    Bounded { value, error }.range()
}
