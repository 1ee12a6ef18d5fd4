//! The closest points of two cores by their corners furthest along a direction, in f64: a guess that
//! certificates check.
//!
//! Source: Gilbert, Johnson, Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space", IEEE Journal of Robotics and Automation 4, 1988.

use super::closest_segments::Closest;
use super::core::Core;
use super::cylinder::CylinderCore;
use super::simplex::{Simplex, Vertex};
use glam::DVec3;

/// How often a corner is added: more than polytopes of thousands of corners need.
const STEPS: usize = 64;

/// When a search ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Precision {
    /// A corner brings less than this part of the squared distance.
    part: f64,
    /// The squared distance is no more than this.
    enough: f64,
}

impl Precision {
    /// As far as f64 goes.
    pub(super) const EXACT: Self = Self {
        part: 2.0 * f64::EPSILON,
        enough: 0.0,
    };
    /// On round shapes the direction between the points is good to some 2^-20.
    pub(super) const ROUGH: Self = Self {
        part: 1.0 / (1_u64 << 40) as f64,
        enough: 0.0,
    };

    /// Any points that are no farther apart are enough.
    pub(super) const fn or_within(self, distance: f64) -> Self {
        Self {
            enough: distance * distance,
            ..self
        }
    }
}

/// The closest points of two cores, the second one shifted; of two that meet, any point of both.
///
/// The search begins where that of the same two cores ended that left the simplex.
pub(super) fn by_supports(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    simplex: &mut Simplex,
    precision: Precision,
) -> Closest {
    simplex.shift(shift);
    by_vertices(simplex, precision, |along, starts| {
        vertex(obstacle, shape, shift, along, starts)
    });
    simplex.closest(shift)
}

/// A convex set by its furthest points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Supports<'a> {
    /// The convex hull of corners.
    Corners(&'a [DVec3]),
    Cylinder(&'a CylinderCore),
}

impl Supports<'_> {
    fn furthest(self, along: DVec3) -> DVec3 {
        match self {
            Self::Corners(corners) => furthest_of(corners.iter().copied(), along),
            Self::Cylinder(cylinder) => cylinder.furthest(along),
        }
    }
}

/// The closest points of two sets, the second one shifted, searched from a first direction; of two that meet, any
/// point of both.
pub(crate) fn closest_by_supports(
    obstacle: Supports<'_>,
    shape: Supports<'_>,
    shift: DVec3,
    first: DVec3,
) -> Closest {
    let vertex = |along: DVec3, starts| {
        let points = [obstacle.furthest(along), shape.furthest(-along)];
        Vertex::new(points, shift, starts)
    };
    let mut simplex = Simplex::toward(first);
    by_vertices(&mut simplex, Precision::EXACT, vertex);
    simplex.closest(shift)
}

/// Searches the corners nearest to the origin, by the corner of the difference that is furthest along a direction.
fn by_vertices(
    simplex: &mut Simplex,
    precision: Precision,
    vertex: impl Fn(DVec3, [u16; 2]) -> Vertex,
) {
    if let Some(first) = simplex.first() {
        simplex.begin(vertex(first, [0; 2]));
    }
    for _ in 0..STEPS {
        let nearest = simplex.nearest();
        let squared = nearest.length_squared();
        if simplex.holds_origin() || squared <= precision.enough {
            break;
        }
        let next = vertex(-nearest, simplex.starts());
        // Nothing lies further against the way to the nearest point: that is the nearest of all.
        let gain = squared - nearest.dot(next.place);
        if gain <= precision.part * squared || simplex.has(&next) {
            break;
        }
        if !simplex.add(next, squared) {
            break;
        }
    }
}

fn vertex(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    along: DVec3,
    starts: [u16; 2],
) -> Vertex {
    let (on_obstacle, first) = furthest(obstacle, along, starts[0]);
    let (on_shape, second) = furthest(shape, -along, starts[1]);
    Vertex::new([on_obstacle, on_shape], shift, [first, second])
}

fn furthest(core: &Core<'_>, along: DVec3, start: u16) -> (DVec3, u16) {
    if let Core::Hull(hull) = core {
        let corner = hull.about_furthest(along, start);
        return (hull.corner(corner), corner);
    }
    if let Core::Cylinder(cylinder) = core {
        return (cylinder.furthest(along), 0);
    }
    (furthest_of(core.corners().iter().copied(), along), 0)
}

fn furthest_of(corners: impl Iterator<Item = DVec3>, along: DVec3) -> DVec3 {
    let further = |best: DVec3, next: DVec3| {
        if along.dot(next) > along.dot(best) {
            next
        } else {
            best
        }
    };
    corners.reduce(further).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConvexHull;
    use crate::narrow_phase::convex::closest::closest;
    use crate::test_rng::Rng;

    #[test]
    fn distances_are_those_of_the_closed_formulas() {
        let mut rng = Rng(5);
        for _ in 0..4000 {
            let mut point = || {
                DVec3::new(
                    rng.signed().into(),
                    rng.signed().into(),
                    rng.signed().into(),
                )
            };
            let triangle = Core::Triangle([point(), point(), point()]);
            let segment = Core::Segment([point() * 2.0, point() * 2.0]);
            let shift = point();
            for (obstacle, shape) in [
                (&triangle, &segment),
                (&segment, &triangle),
                (&segment, &segment),
            ] {
                let first = &mut Simplex::toward(DVec3::X);
                let found = by_supports(obstacle, shape, shift, first, Precision::EXACT);
                let expected = closest(obstacle, shape, shift);
                let [found, expected] = [found, expected].map(|closest| closest.squared().sqrt());
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{found} {expected} {obstacle:?} {shape:?}"
                );
            }
        }
    }

    /// Whatever the last search left, also where the two overlapped.
    #[test]
    fn a_search_goes_on_from_where_another_ended() {
        let mut rng = Rng(6);
        for corners in [4, 12, 60] {
            let mut hull = || {
                let corners = (0..corners).map(|_| [(); 3].map(|()| rng.signed()));
                ConvexHull::new(corners).unwrap()
            };
            let (one, other) = (hull(), hull());
            let [obstacle, shape] = [&one, &other].map(|hull| Core::Hull(hull.polytope()));
            let (mut apart, mut together) = (0, 0);
            let mut simplex = Simplex::toward(DVec3::X);
            for round in 0..500 {
                let size = [1.0, 4.0][round % 2];
                let shift = DVec3::from([(); 3].map(|()| size * f64::from(rng.signed())));
                let search =
                    |simplex| by_supports(&obstacle, &shape, shift, simplex, Precision::EXACT);
                let (on, anew) = (search(&mut simplex), search(&mut Simplex::toward(DVec3::X)));
                let [on, anew] = [on, anew].map(|closest| closest.squared().sqrt());
                assert!((on - anew).abs() < 1e-9, "{on} {anew} {shift}");
                apart += usize::from(anew > 0.0);
                together += usize::from(anew == 0.0);
            }
            assert!(apart > 200 && together > 20, "{apart} {together}");
        }
    }
}
