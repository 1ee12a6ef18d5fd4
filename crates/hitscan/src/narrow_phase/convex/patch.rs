//! Patches, flat pieces of the Minkowski difference of two cores, and the distance of a point from one.
//!
//! The difference of an obstacle and a shape is the set of all `a - b` with `a` of the obstacle and
//! `b` of the shape. Shifted by `offset`, the shape is as far from the obstacle as the point
//! `offset` is from that set. Its surface is made of corners less corners, edges less corners, corners
//! less edges, faces less corners, corners less faces, and edges less edges. All of them lie in the set, so
//! that the distance is the minimum over all, and a patch that is not on the surface does not change it.

use super::core::{Core, Way};
use super::instant::Instant;
use crate::exact::adaptive::{Number, between, cross, dot, vector};
use crate::sorting::sort_few;
use ::core::cmp::Ordering;
use glam::DVec3;

/// A corner, an edge or a face of the difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patch {
    /// The obstacle's corner and the shape's, whose difference is the patch's first corner.
    pub(super) base: Way,
    pub(super) extent: Extent,
}

/// The extent of a patch from its first corner.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    Corner,
    Edge(Way),
    Parallelogram(Way, Way),
    Triangle(Way, Way),
}

/// From a patch's nearest point to a point, times a positive factor.
pub(super) type Offset<N> = [N; 3];

/// All patches of the difference of two cores, faces before edges before corners.
pub(super) fn patches(obstacle: &Core, shape: &Core) -> Vec<Patch> {
    let back = |[from, to]: Way| [to, from];
    let mut patches = Vec::new();
    let mut add = |a: DVec3, b: DVec3, extent: Extent| {
        let base = [a, b];
        patches.push(Patch { base, extent });
    };
    let face = |is_triangle: bool, u: Way, v: Way| {
        if is_triangle {
            Extent::Triangle(u, v)
        } else {
            Extent::Parallelogram(u, v)
        }
    };
    for f in obstacle.faces() {
        let [u, v] = f.next.map(|next| [f.corner, next]);
        for &b in shape.corners() {
            add(f.corner, b, face(f.is_triangle, u, v));
        }
    }
    for f in shape.faces() {
        let [u, v] = f.next.map(|next| [next, f.corner]);
        for &a in obstacle.corners() {
            add(a, f.corner, face(f.is_triangle, u, v));
        }
    }
    for edge in obstacle.edges() {
        for other in shape.edges() {
            add(edge[0], other[0], Extent::Parallelogram(edge, back(other)));
        }
    }
    for edge in obstacle.edges() {
        for &b in shape.corners() {
            add(edge[0], b, Extent::Edge(edge));
        }
    }
    for edge in shape.edges() {
        for &a in obstacle.corners() {
            add(a, edge[0], Extent::Edge(back(edge)));
        }
    }
    for &a in obstacle.corners() {
        for &b in shape.corners() {
            add(a, b, Extent::Corner);
        }
    }
    patches
}

/// The vector along a way.
pub(super) fn along<N: Number>([from, to]: Way) -> [N; 3] {
    between(from, to)
}

impl Patch {
    /// From the patch's first corner to the point that `motion` leads to at `time`, times the time's
    /// denominator.
    pub(super) fn way_from_base<N: Number>(&self, motion: DVec3, time: &Instant<N>) -> [N; 3] {
        let still: [N; 3] = between(self.base[0], self.base[1]);
        let motion: [N; 3] = vector(motion);
        [0, 1, 2].map(|i: usize| {
            motion[i]
                .times(&time.numerator)
                .plus(&still[i].times(&time.denominator))
        })
    }

    /// Has the sign of the distance from the patch's point, line or plane less a length, given its square.
    pub(super) fn beyond_plane<N: Number>(
        &self,
        motion: DVec3,
        time: &Instant<N>,
        squared_limit: &N,
    ) -> N {
        let from_base = self.way_from_base(motion, time);
        let scale = &time.denominator;
        let limit = squared_limit.times(scale).times(scale);
        let (across, squared) = self.across(&from_base);
        dot(&across, &across).minus(&limit.times(&squared))
    }

    /// A vector, linear in the way to a point, whose length is the distance of that point from the patch's
    /// point, line or plane, times the root of the number beside it.
    pub(super) fn across<N: Number>(&self, from_base: &[N; 3]) -> ([N; 3], N) {
        match self.extent {
            Extent::Corner => (from_base.clone(), N::from_f64(1.0)),
            Extent::Edge(edge) => {
                let edge: [N; 3] = along(edge);
                // Lagrange's identity spares the cancellation of squares.
                (cross(from_base, &edge), dot(&edge, &edge))
            }
            Extent::Parallelogram(u, v) | Extent::Triangle(u, v) => {
                let (u, v): ([N; 3], [N; 3]) = (along(u), along(v));
                let normal = cross(&u, &v);
                let zero = N::from_f64(0.0);
                let height = dot(&normal, from_base);
                ([height, zero.clone(), zero], dot(&normal, &normal))
            }
        }
    }

    /// The distance in f64 at a time, and infinity beside the patch, where it is another's.
    pub(super) fn rough_distance(&self, motion: DVec3, time: &Instant<f64>) -> f64 {
        let point = DVec3::from_array(self.way_from_base(motion, time)) / time.denominator;
        let vector = |[from, to]: Way| to - from;
        let apart = match self.extent {
            Extent::Corner => point,
            Extent::Edge(edge) => {
                let edge = vector(edge);
                let fraction = point.dot(edge) / edge.length_squared();
                point - edge * fraction.clamp(0.0, 1.0)
            }
            Extent::Parallelogram(u, v) | Extent::Triangle(u, v) => {
                let (u, v) = (vector(u), vector(v));
                let normal = u.cross(v);
                let squared = normal.length_squared();
                let of_u = point.cross(v).dot(normal) / squared;
                let of_v = u.cross(point).dot(normal) / squared;
                let is_triangle = matches!(self.extent, Extent::Triangle(..));
                let max = if is_triangle {
                    of_u + of_v
                } else {
                    of_u.max(of_v)
                };
                if !(of_u >= 0.0 && of_v >= 0.0 && max <= 1.0) {
                    return f64::INFINITY;
                }
                normal * (point.dot(normal) / squared)
            }
        };
        apart.length()
    }

    /// From the patch's nearest point to the point at `time`, times a positive factor, where the
    /// point's projection lies on the closed patch; `None` inside where it does not, or where the
    /// point lies on the patch's line or plane.
    pub(super) fn offset<N: Number>(
        &self,
        motion: DVec3,
        time: &Instant<N>,
    ) -> Option<Option<Offset<N>>> {
        let from_base = self.way_from_base(motion, time);
        let offset = match self.extent {
            Extent::Corner => from_base,
            Extent::Edge(edge) => {
                let edge: [N; 3] = along(edge);
                let squared = dot(&edge, &edge);
                let weight = dot(&from_base, &edge);
                let rest = squared.times(&time.denominator).minus(&weight);
                if squared.known_sign()?.is_eq()
                    || weight.known_sign()?.is_lt()
                    || rest.known_sign()?.is_lt()
                {
                    return Some(None);
                }
                // Lagrange's identity spares the cancellation of squared * from_base - weight * edge.
                cross(&edge, &cross(&from_base, &edge))
            }
            Extent::Parallelogram(u, v) | Extent::Triangle(u, v) => {
                let (u, v): ([N; 3], [N; 3]) = (along(u), along(v));
                let normal = cross(&u, &v);
                let squared = dot(&normal, &normal);
                if squared.known_sign()?.is_eq() {
                    return Some(None);
                }
                let of_u = dot(&cross(&from_base, &v), &normal);
                let of_v = dot(&cross(&u, &from_base), &normal);
                let whole = squared.times(&time.denominator);
                let rests = if matches!(self.extent, Extent::Triangle(..)) {
                    let rest = whole.minus(&of_u).minus(&of_v);
                    [rest.clone(), rest]
                } else {
                    [whole.minus(&of_u), whole.minus(&of_v)]
                };
                for weight in [of_u, of_v].iter().chain(&rests) {
                    if weight.known_sign()?.is_lt() {
                        return Some(None);
                    }
                }
                match dot(&normal, &from_base).known_sign()? {
                    Ordering::Greater => normal,
                    Ordering::Less => normal.map(|x| N::from_f64(0.0).minus(&x)),
                    Ordering::Equal => return Some(None),
                }
            }
        };
        let is_apart = dot(&offset, &offset).known_sign()?.is_gt();
        Some(is_apart.then_some(offset))
    }

    /// Whether no point of the difference lies further along `offset` than the patch: then the
    /// patch is where it is nearest.
    pub(super) fn supports<N: Number>(
        &self,
        offset: &Offset<N>,
        obstacle: &Core,
        shape: &Core,
    ) -> Option<bool> {
        for &a in obstacle.corners() {
            if self.has_corner(a) {
                continue;
            }
            let further: [N; 3] = between(self.base[0], a);
            if dot(offset, &further).known_sign()?.is_gt() {
                return Some(false);
            }
        }
        for &b in shape.corners() {
            if self.has_corner_of_shape(b) {
                continue;
            }
            let further: [N; 3] = between(b, self.base[1]);
            if dot(offset, &further).known_sign()?.is_gt() {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The ways that the patch extends along.
    fn ways(&self) -> impl Iterator<Item = Way> {
        let ways = match self.extent {
            Extent::Corner => [None, None],
            Extent::Edge(edge) => [Some(edge), None],
            Extent::Parallelogram(u, v) | Extent::Triangle(u, v) => [Some(u), Some(v)],
        };
        ways.into_iter().flatten()
    }

    /// Whether the patch is made of this corner of the obstacle. All such corners are level along its
    /// offset, which is square to the ways that it extends along.
    pub(super) fn has_corner(&self, a: DVec3) -> bool {
        a == self.base[0]
            || self
                .ways()
                .any(|[from, to]| from == self.base[0] && a == to)
    }

    /// The same for a corner of the shape.
    fn has_corner_of_shape(&self, b: DVec3) -> bool {
        b == self.base[1]
            || self
                .ways()
                .any(|[from, to]| to == self.base[1] && b == from)
    }

    /// The corners that the patch is made of, each once, in one order for all patches of the same.
    pub(super) fn corners(&self) -> Vec<[u64; 3]> {
        let ends = self.base.into_iter().chain(self.ways().flatten());
        // Adding zero turns -0 into +0.
        let mut corners: Vec<_> = ends
            .map(|corner| (corner + DVec3::ZERO).to_array().map(f64::to_bits))
            .collect();
        sort_few(&mut corners, |one, next| one > next);
        corners.dedup();
        corners
    }

    /// Whether the motion's line passes the patch, a corner or an edge seen along the motion, closer
    /// than a length, given its square. Faces are left to their edges.
    pub(super) fn is_passed_within<N: Number>(
        &self,
        motion: DVec3,
        squared_limit: &N,
    ) -> Option<bool> {
        let still: [N; 3] = between(self.base[0], self.base[1]);
        let motion: [N; 3] = vector(motion);
        let moment = cross(&still, &motion);
        match self.extent {
            Extent::Corner => {
                let limit = squared_limit.times(&dot(&motion, &motion));
                let excess = dot(&moment, &moment).minus(&limit);
                Some(excess.known_sign()?.is_lt())
            }
            Extent::Edge(edge) => {
                let edge: [N; 3] = along(edge);
                // The patch's points lie at the first corner plus a fraction of the edge.
                let across = cross(&edge, &motion);
                let squared = dot(&across, &across);
                let weight = dot(&moment, &across);
                let is_beside =
                    weight.known_sign()?.is_gt() && squared.minus(&weight).known_sign()?.is_gt();
                if !is_beside {
                    return Some(false);
                }
                let apart = dot(&still, &across);
                let excess = apart.times(&apart).minus(&squared_limit.times(&squared));
                Some(excess.known_sign()?.is_lt())
            }
            Extent::Parallelogram(..) | Extent::Triangle(..) => Some(false),
        }
    }
}
