//! A patch and a point that moves, as functions of time.
//!
//! Nothing here depends on which patch is nearest; `difference.rs` finds that.

use super::core::Way;
use super::instant::{Instant, Linear};
use super::patch::{Extent, Patch, along};
use crate::exact::adaptive::{between, cross, dot, vector};
use crate::exact::big_float::BigFloat;
use glam::DVec3;

impl Patch {
    /// [`Patch::beyond_plane`] as a polynomial of the time, its constant first.
    pub(super) fn squared_excess(&self, motion: DVec3, squared_limit: &BigFloat) -> [BigFloat; 3] {
        let still: [BigFloat; 3] = between(self.base[0], self.base[1]);
        let (start, squared) = self.across(&still);
        let (speed, _) = self.across(&vector(motion));
        let mixed = dot(&start, &speed);
        [
            dot(&start, &start).minus(&squared_limit.times(&squared)),
            mixed.plus(&mixed),
            dot(&speed, &speed),
        ]
    }

    /// The times at which the moving point passes the planes through the patch's sides and corners,
    /// square to it.
    pub(super) fn passings(&self, motion: DVec3) -> Vec<Instant<BigFloat>> {
        let still: [BigFloat; 3] = between(self.base[0], self.base[1]);
        let motion: [BigFloat; 3] = vector(motion);
        let zero = BigFloat::from_f64(0.0);
        let mut passings = Vec::new();
        let mut add = |start: &BigFloat, speed: &BigFloat, limit: &BigFloat| {
            passings.extend(Instant::reaching(start, speed, limit));
        };
        match self.extent {
            Extent::Corner => {}
            Extent::Edge(edge) => {
                let edge: [BigFloat; 3] = along(edge);
                let (start, speed) = (dot(&still, &edge), dot(&motion, &edge));
                add(&start, &speed, &zero);
                add(&start, &speed, &dot(&edge, &edge));
            }
            Extent::Parallelogram(u, v) | Extent::Triangle(u, v) => {
                let (u, v): ([BigFloat; 3], [BigFloat; 3]) = (along(u), along(v));
                let normal = cross(&u, &v);
                let whole = dot(&normal, &normal);
                let weights = |vector: &[BigFloat; 3]| {
                    [
                        dot(&cross(vector, &v), &normal),
                        dot(&cross(&u, vector), &normal),
                    ]
                };
                let (start, speed) = (weights(&still), weights(&motion));
                for i in 0..2 {
                    add(&start[i], &speed[i], &zero);
                    add(&start[i], &speed[i], &whole);
                }
                let together = |[a, b]: &[BigFloat; 2]| a.plus(b);
                add(&together(&start), &together(&speed), &whole);
            }
        }
        passings
    }

    /// The product of the offset and a vector as a function of time, while the patch is nearest; a
    /// face's normal points to where the moving point is at `time`.
    pub(super) fn offset_along(
        &self,
        motion: DVec3,
        time: &Instant<BigFloat>,
        way: Way,
    ) -> Option<Linear> {
        let still: [BigFloat; 3] = between(self.base[0], self.base[1]);
        let motion_exact: [BigFloat; 3] = vector(motion);
        let way: [BigFloat; 3] = along(way);
        Some(match self.extent {
            Extent::Corner => Linear {
                start: dot(&still, &way),
                speed: dot(&motion_exact, &way),
            },
            Extent::Edge(edge) => {
                let edge: [BigFloat; 3] = along(edge);
                let across = |v: &[BigFloat; 3]| dot(&cross(&edge, &cross(v, &edge)), &way);
                Linear {
                    start: across(&still),
                    speed: across(&motion_exact),
                }
            }
            Extent::Parallelogram(..) | Extent::Triangle(..) => Linear {
                start: dot(&self.offset(motion, time)??, &way),
                speed: BigFloat::from_f64(0.0),
            },
        })
    }
}
