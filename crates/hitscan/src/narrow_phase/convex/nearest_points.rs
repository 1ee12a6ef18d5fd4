//! A nearest pair of points of two shapes that are apart, from the exact weights of the nearest patch.

use super::difference::QueryTime;
use super::instant::Instant;
use super::patch::{Extent, Patch};
use super::resting::{RestingContact, SeparationSource};
use crate::exact::adaptive::{between, cross, dot};
use crate::exact::big_float::BigFloat;
use crate::shape::unit_vector::wide_unit;
use glam::DVec3;

/// A nearest pair of points, and the unit direction between them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearestPoints {
    pub(crate) on_obstacle: DVec3,
    pub(crate) on_shape: DVec3,
    /// From the obstacle's to the shape's.
    pub(crate) direction: DVec3,
}

impl RestingContact {
    /// A nearest pair of points of two shapes whose cores are apart, each rounded a few times; `None` where
    /// the cores meet.
    pub(crate) fn nearest_points(&self) -> Option<NearestPoints> {
        if let SeparationSource::Certified(certified) = self.source {
            let [on_obstacle, on_shape] = certified.nearest;
            return Some(NearestPoints {
                on_obstacle,
                on_shape,
                direction: certified.direction.0,
            });
        }
        let difference = self.difference();
        let start = Instant::at(0.0);
        let (patch, _) = difference.nearest(&QueryTime::new(&start))?;
        let [on_obstacle, on_shape] = patch.nearest_points();
        let (direction, _) = difference.offset_at(&start)?;
        let direction = wide_unit(direction);
        let [obstacle, shape] = self.radii;
        Some(NearestPoints {
            on_obstacle: on_obstacle + direction * obstacle,
            on_shape: on_shape - direction * shape,
            direction,
        })
    }
}

impl Patch {
    /// The obstacle's point and the shape's whose difference is the patch's nearest to the origin, onto which
    /// the origin's projection must fall.
    fn nearest_points(&self) -> [DVec3; 2] {
        let from_base: [BigFloat; 3] = between(self.base[0], self.base[1]);
        // How much of each way, as quotients by one number.
        let (ways, whole) = match self.extent {
            Extent::Corner => return self.base,
            Extent::Edge([from, to]) => {
                let edge = between(from, to);
                let whole = dot(&edge, &edge);
                (
                    vec![([from, to], edge.clone(), dot(&from_base, &edge))],
                    whole,
                )
            }
            Extent::Parallelogram(first, second) | Extent::Triangle(first, second) => {
                let [u, v]: [[BigFloat; 3]; 2] =
                    [first, second].map(|[from, to]| between(from, to));
                let normal = cross(&u, &v);
                let of_u = dot(&cross(&from_base, &v), &normal);
                let of_v = dot(&cross(&u, &from_base), &normal);
                let whole = dot(&normal, &normal);
                (vec![(first, u, of_u), (second, v, of_v)], whole)
            }
        };
        let mut moved = [0, 1].map(|_| [0, 1, 2].map(|_| BigFloat::from_f64(0.0)));
        for ([from, _], way, weight) in &ways {
            // A way of the shape leads back to its corner; cores that are apart share no corner.
            let core = usize::from(*from != self.base[0]);
            for axis in 0..3 {
                let step = way[axis].times(weight);
                moved[core][axis] = match core {
                    0 => moved[core][axis].plus(&step),
                    _ => moved[core][axis].minus(&step),
                };
            }
        }
        [0, 1].map(|core: usize| {
            let way = moved[core]
                .each_ref()
                .map(|sum| sum.scaled_quotient(&whole, 0));
            self.base[core] + DVec3::from_array(way)
        })
    }
}
