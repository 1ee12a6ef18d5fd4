//! The gap between a moving box and a capsule's segment at a given time, in any kind of number.
//!
//! The squared distance of a segment's point from the box is a convex function of the point's parameter
//! along the segment, made of quadratic pieces which change where a face's plane is passed. Nothing
//! is searched for here; `box_capsule.rs` does that.

use super::AabbCast;
use crate::Capsule;
use crate::exact::adaptive::{Approx, Number, between, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use core::cmp::Ordering;
use glam::DVec3;

/// Distance and its trend at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GapState {
    /// How its distance from the segment compares with the radius.
    pub(super) distance: Ordering,
    /// Whether the distance shrinks, stays or grows: the sign of its derivative.
    pub(super) trend: Ordering,
}

/// The shortest vector from the box to the segment at one time, not normalized.
pub(super) struct ShortestVector<N> {
    /// From the box to the segment, times `weight`.
    pub(super) offset: [N; 3],
    /// A positive factor.
    pub(super) weight: N,
    /// Of the sign of the distance less the radius.
    excess: N,
    /// Of the sign of the distance's derivative.
    trend: N,
}

/// A box, its motion, and a capsule.
pub(super) struct Gap {
    min: DVec3,
    max: DVec3,
    motion: DVec3,
    segment: [DVec3; 2],
    radius: f64,
}

impl Gap {
    pub(super) fn new(moving: &AabbCast, capsule: &Capsule) -> Self {
        Self {
            min: moving.start.min().as_dvec3(),
            max: moving.start.max().as_dvec3(),
            motion: moving.motion.as_dvec3(),
            segment: capsule.segment(),
            radius: capsule.radius(),
        }
    }

    pub(super) fn motion(&self) -> DVec3 {
        self.motion
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn state_at(&self, t: f64) -> GapState {
        let signs = |excess: Option<Ordering>, trend: Option<Ordering>| {
            Some(GapState {
                distance: excess?,
                trend: trend?,
            })
        };
        let approx = self
            .shortest_vector(&Approx::from_f64(t))
            .and_then(|way| signs(way.excess.sign(), way.trend.sign()));
        decided(approx, || {
            let way = self.shortest_vector(&Expansion::from_f64(t))?;
            signs(Some(way.excess.sign()), Some(way.trend.sign()))
        })
    }

    /// The shortest vector at `t`; `None` where the kind of number does not decide where it is.
    pub(super) fn shortest_vector<N: Number>(&self, t: &N) -> Option<ShortestVector<N>> {
        let faces = Faces::<N>::new(self, t);
        let (zero, one) = (N::from_f64(0.0), N::from_f64(1.0));
        let radius = N::from_f64(self.radius);
        let limit = radius.times(&radius);
        let motion: [N; 3] = vector(self.motion);
        for (share, ends_here) in [
            (&zero, Ordering::is_ge as fn(Ordering) -> bool),
            (&one, Ordering::is_le),
        ] {
            let offset = faces.offset_at(share, &one)?;
            if ends_here(dot(&faces.edge, &offset).known_sign()?) {
                return Some(ShortestVector {
                    excess: dot(&offset, &offset).minus(&limit),
                    trend: zero.minus(&dot(&motion, &offset)),
                    offset,
                    weight: one.clone(),
                });
            }
        }
        // The nearest point lies between the ends. Beside the faces that it is beyond, the offset
        // is `base + share * edge` in the axes that those faces belong to.
        let (base, edge) = faces.piece_of_nearest()?;
        let weight = dot(&edge, &edge);
        let along = dot(&base, &edge);
        // Lagrange's identity spares the cancellation of weight * base² - along².
        let moment = cross(&base, &edge);
        Some(ShortestVector {
            excess: dot(&moment, &moment).minus(&limit.times(&weight)),
            trend: zero.minus(&dot(&cross(&motion, &edge), &moment)),
            offset: [0, 1, 2].map(|i: usize| base[i].times(&weight).minus(&along.times(&edge[i]))),
            weight,
        })
    }

    /// Whether the box comes closer than the radius at any time, before 0 and after 1 too.
    ///
    /// Seen along the motion, the Minkowski sum of box and segment is a polygon, and the motion's line
    /// is a point: this is whether the point is closer to the polygon than the radius. The polygon's
    /// sides are among the sum's edges, of which those inside the polygon do no harm.
    pub(super) fn closes(&self) -> bool {
        decided(self.closes_in::<Approx>(), || self.closes_in::<Expansion>())
    }

    fn closes_in<N: Number>(&self) -> Option<bool> {
        let motion: [N; 3] = vector(self.motion);
        let corner = |k: usize| {
            let pick = |axis: usize| [self.min, self.max][k >> axis & 1][axis];
            DVec3::new(pick(0), pick(1), pick(2))
        };
        // Corner `k + 8 end` of the grown box.
        let corners: [[N; 3]; 16] =
            core::array::from_fn(|k| between(corner(k & 7), self.segment[k >> 3]));
        let directions: [[N; 3]; 4] = [
            vector(DVec3::X),
            vector(DVec3::Y),
            vector(DVec3::Z),
            between(self.segment[0], self.segment[1]),
        ];
        let mut is_inside = true;
        for direction in &directions {
            let axis = cross(&motion, direction);
            let mut sides = [false; 3];
            for corner in &corners {
                sides[match dot(&axis, corner).known_sign()? {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                }] = true;
            }
            if sides == [true, false, false] || sides == [false, false, true] {
                is_inside = false;
                break;
            }
        }
        if is_inside {
            return Some(true);
        }
        let radius = N::from_f64(self.radius);
        let limit = radius.times(&radius);
        let moments = corners.each_ref().map(|corner| cross(corner, &motion));
        let reach = limit.times(&dot(&motion, &motion));
        for moment in &moments {
            if dot(moment, moment).minus(&reach).known_sign()?.is_lt() {
                return Some(true);
            }
        }
        for from in 0..16 {
            for (bit, direction) in [1, 2, 4, 8].into_iter().zip(&directions) {
                if from & bit != 0 {
                    continue;
                }
                let to = from | bit;
                let along = [0, 1, 2].map(|i: usize| moments[to][i].minus(&moments[from][i]));
                // The point lies beside the edge, not beyond its ends.
                if !dot(&moments[from], &along).known_sign()?.is_lt()
                    || !dot(&moments[to], &along).known_sign()?.is_gt()
                {
                    continue;
                }
                let axis = cross(&motion, direction);
                let apart = dot(&corners[from], &axis);
                let excess = apart.times(&apart).minus(&limit.times(&dot(&axis, &axis)));
                if excess.known_sign()?.is_lt() {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

/// The segment as the box' faces see it at some time.
struct Faces<N> {
    /// From the greatest corner to the segment's first end.
    beyond_max: [N; 3],
    /// From the smallest corner to the segment's first end.
    beyond_min: [N; 3],
    /// The segment.
    edge: [N; 3],
}

impl<N: Number> Faces<N> {
    fn new(gap: &Gap, t: &N) -> Self {
        let motion: [N; 3] = vector(gap.motion);
        let [a, b] = gap.segment;
        let from = |corner: DVec3| {
            let offset: [N; 3] = between(corner, a);
            [0, 1, 2].map(|i: usize| offset[i].minus(&motion[i].times(t)))
        };
        Self {
            beyond_max: from(gap.max),
            beyond_min: from(gap.min),
            edge: between(a, b),
        }
    }

    /// From the box to the segment's point at the share `share / divisor`, times the divisor, which
    /// is positive.
    fn offset_at(&self, share: &N, divisor: &N) -> Option<[N; 3]> {
        let mut offset = [0, 1, 2].map(|_| N::from_f64(0.0));
        for (i, offset) in offset.iter_mut().enumerate() {
            let way = share.times(&self.edge[i]);
            let above = self.beyond_max[i].times(divisor).plus(&way);
            let below = self.beyond_min[i].times(divisor).plus(&way);
            if above.known_sign()?.is_gt() {
                *offset = above;
            } else if below.known_sign()?.is_lt() {
                *offset = below;
            }
        }
        Some(offset)
    }

    /// Where the nearest point lies between the ends: the offset's start and direction in the axes
    /// in which the nearest point is beyond a face, and zero in the others.
    fn piece_of_nearest(&self) -> Option<([N; 3], [N; 3])> {
        // The piece begins at the last passing of a face where the distance still shrinks.
        let zero = N::from_f64(0.0);
        let mut from = (zero.clone(), N::from_f64(1.0));
        for i in 0..3 {
            let heading = self.edge[i].known_sign()?;
            if heading.is_eq() {
                continue;
            }
            for face in [&self.beyond_max[i], &self.beyond_min[i]] {
                let share = if heading.is_gt() {
                    zero.minus(face)
                } else {
                    face.clone()
                };
                let divisor = self.edge[i].magnitude();
                let later = share.times(&from.1).minus(&from.0.times(&divisor));
                if !later.known_sign()?.is_gt() {
                    continue;
                }
                let offset = self.offset_at(&share, &divisor)?;
                if dot(&self.edge, &offset).known_sign()?.is_lt() {
                    from = (share, divisor);
                }
            }
        }
        let (share, divisor) = from;
        let mut base = [0, 1, 2].map(|_| zero.clone());
        let mut edge = base.clone();
        for i in 0..3 {
            let way = share.times(&self.edge[i]);
            let above = self.beyond_max[i].times(&divisor).plus(&way).known_sign()?;
            let below = self.beyond_min[i].times(&divisor).plus(&way).known_sign()?;
            let heading = self.edge[i].known_sign()?;
            // A face that is just passed counts from there on.
            base[i] = if above.is_gt() || (above.is_eq() && heading.is_gt()) {
                self.beyond_max[i].clone()
            } else if below.is_lt() || (below.is_eq() && heading.is_lt()) {
                self.beyond_min[i].clone()
            } else {
                continue;
            };
            edge[i] = self.edge[i].clone();
        }
        Some((base, edge))
    }
}
