//! Cylinders and what they meet: how far a point is from each, in closed form, and the points of each. Nothing here is
//! shared with the library.

use crate::bodies::Turn;
use hitscan::glam::DVec3;
use hitscan_testkit::Rng;

/// A body, round or not.
#[derive(Debug, Clone)]
pub(crate) enum RoundBody {
    /// A cylinder with flat ends.
    Drum { ends: [DVec3; 2], radius: f64 },
    /// All within a radius of a segment, or of a point.
    Rod { ends: [DVec3; 2], radius: f64 },
    /// A box by its middle and half its sides, which are square to each other.
    Block { middle: DVec3, halves: [DVec3; 3] },
    /// A triangle, which has no inside.
    Sheet([DVec3; 3]),
}

/// How often a step in the search for a deepest point is halved.
const HALVINGS: u32 = 16;

impl RoundBody {
    /// The body where a turn takes it.
    pub(crate) fn carried(&self, turn: &Turn, t: f64) -> Self {
        let place = |point: DVec3| turn.carried(point, t);
        match self {
            Self::Drum { ends, radius } => Self::Drum {
                ends: ends.map(place),
                radius: *radius,
            },
            Self::Rod { ends, radius } => Self::Rod {
                ends: ends.map(place),
                radius: *radius,
            },
            Self::Block { middle, halves } => Self::Block {
                middle: place(*middle),
                halves: halves.map(|half| place(*middle + half) - place(*middle)),
            },
            Self::Sheet(corners) => Self::Sheet(corners.map(place)),
        }
    }

    /// How far a point is outside; less than 0 inside.
    pub(crate) fn distance(&self, x: DVec3) -> f64 {
        match self {
            Self::Drum {
                ends: [a, b],
                radius,
            } => {
                let axis = unit(*b - *a);
                let off = x - (*a + *b) * 0.5;
                let along = axis.dot(off).abs() - 0.5 * a.distance(*b);
                outside([along, (off - axis * axis.dot(off)).length() - radius])
            }
            Self::Rod {
                ends: [a, b],
                radius,
            } => {
                let way = *b - *a;
                let square = way.length_squared();
                let share = if square > 0.0 {
                    (x - *a).dot(way) / square
                } else {
                    0.0
                };
                x.distance(*a + way * share.clamp(0.0, 1.0)) - radius
            }
            Self::Block { middle, halves } => outside(halves.map(|half| {
                let length = half.length();
                (half / length).dot(x - *middle).abs() - length
            })),
            Self::Sheet(corners) => distance_from_triangle(x, *corners),
        }
    }

    /// A point of the core by three numbers from -1 to 1; all points are one of them.
    fn point(&self, numbers: DVec3) -> DVec3 {
        let u = numbers.clamp(DVec3::splat(-1.0), DVec3::ONE);
        match self {
            Self::Drum {
                ends: [a, b],
                radius,
            } => {
                let axis = unit(*b - *a);
                let first = axis.any_orthonormal_vector();
                let off = (first * u.y + axis.cross(first) * u.z).clamp_length_max(1.0);
                (*a + *b) * 0.5 + (*b - *a) * (0.5 * u.x) + off * *radius
            }
            Self::Rod { ends: [a, b], .. } => (*a + *b) * 0.5 + (*b - *a) * (0.5 * u.x),
            Self::Block {
                middle,
                halves: [x, y, z],
            } => *middle + *x * u.x + *y * u.y + *z * u.z,
            Self::Sheet([a, b, c]) => {
                let (s, t) = (0.5 + 0.5 * u.x, 0.5 + 0.5 * u.y);
                let sum = (s + t).max(1.0);
                *a + (*b - *a) * (s / sum) + (*c - *a) * (t / sum)
            }
        }
    }

    /// How far it reaches along a unit direction.
    pub(crate) fn highest(&self, n: DVec3) -> f64 {
        let furthest = |points: &[DVec3]| {
            let places = points.iter().map(|point| point.dot(n));
            places.fold(f64::NEG_INFINITY, f64::max)
        };
        match self {
            Self::Drum { ends, radius } => {
                let axis = unit(ends[1] - ends[0]);
                furthest(ends) + radius * n.cross(axis).length()
            }
            Self::Rod { ends, radius } => furthest(ends) + radius,
            Self::Block { middle, halves } => {
                middle.dot(n) + halves.iter().map(|half| half.dot(n).abs()).sum::<f64>()
            }
            Self::Sheet(corners) => furthest(corners),
        }
    }

    /// A point of it at random.
    pub(crate) fn any_point(&self, rng: &mut Rng) -> DVec3 {
        self.point(DVec3::from([0; 3].map(|_| rng.uniform(-1.0, 1.0))))
    }

    /// How deep a point of `other` is in this at most, as a search by steps finds: such a point shows an overlap. The
    /// search begins at and ends with `numbers`. Negative where none is inside.
    pub(crate) fn depth_of(&self, other: &Self, numbers: &mut DVec3) -> f64 {
        let radius = if let Self::Rod { radius, .. } = other {
            *radius
        } else {
            0.0
        };
        let outside = |numbers: DVec3| self.distance(other.point(numbers)) - radius;
        let mut least = outside(*numbers);
        let mut step = 0.5;
        for _ in 0..HALVINGS {
            let mut is_better = true;
            while is_better {
                is_better = false;
                for way in 0..27 {
                    let along = |place: u32| f64::from(way / 3_u32.pow(place) % 3) - 1.0;
                    let next = *numbers + DVec3::new(along(0), along(1), along(2)) * step;
                    let next = next.clamp(DVec3::splat(-1.0), DVec3::ONE);
                    let found = outside(next);
                    if found < least {
                        (*numbers, least, is_better) = (next, found, true);
                    }
                }
            }
            step *= 0.5;
        }
        -least
    }
}

/// The distance from a product of sets, by those from each: outside of several it is that from their common edge.
fn outside<const N: usize>(distances: [f64; N]) -> f64 {
    let off: f64 = distances.iter().map(|d| d.max(0.0).powi(2)).sum();
    let greatest = distances.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if greatest > 0.0 { off.sqrt() } else { greatest }
}

fn distance_from_triangle(x: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let normal = unit((b - a).cross(c - a));
    let is_inside = [[a, b], [b, c], [c, a]]
        .iter()
        .all(|[from, to]| normal.cross(*to - *from).dot(x - *from) >= 0.0);
    if is_inside {
        return normal.dot(x - a).abs();
    }
    let sides =
        [[a, b], [b, c], [c, a]].map(|ends| RoundBody::Rod { ends, radius: 0.0 }.distance(x));
    sides.into_iter().fold(f64::INFINITY, f64::min)
}

fn unit(v: DVec3) -> DVec3 {
    v / v.length()
}
