//! Quickhull: the triangles around points that are not in one plane.
//!
//! Which points are outside of a facet is decided exactly, and a point that lies in a facet's plane is not.
//! So facets may lie in one plane, and corners on edges and faces of the whole: `merge.rs` makes whole faces
//! of them. The facets that a point is strictly outside of are those that it would see if it were a little
//! nearer to the inside: one piece without holes, whatever lies in one plane.
//!
//! Source: Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", ACM Transactions on
//! Mathematical Software 22, 1996. What differs: there is no tolerance, and so no facet is merged before the
//! end.

use super::predicates::{Plane, side};
use core::cmp::Ordering;
use glam::DVec3;
use std::collections::VecDeque;

/// A triangle of the surface.
#[derive(Debug)]
pub(super) struct Facet {
    /// Counter-clockwise seen from outside.
    pub(super) corners: [u32; 3],
    /// Beyond the edge from each corner to the next.
    pub(super) neighbours: [u32; 3],
    pub(super) plane: Plane,
    outside: Outside,
    is_gone: bool,
    /// The last point that was looked at from here.
    seen_by: u32,
}

/// No point, or no facet.
const NONE: u32 = u32::MAX;

/// The points that are outside of a facet, and of no facet before it: linked by [`Quickhull::next`].
#[derive(Debug)]
struct Outside {
    first: u32,
    last: u32,
    /// The one that is about the furthest, and how far it is, times the length of the facet's normal.
    furthest: u32,
    height: f64,
}

impl Outside {
    const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
        furthest: NONE,
        height: 0.0,
    };
}

/// An edge between a facet that a point sees, and one that it does not.
struct Ridge {
    from: u32,
    to: u32,
    beyond: u32,
}

/// Of more points most lie within: no hull has so many corners. Going around the hull then drops them sooner than
/// going on where a corner was added, which has better use of caches.
const MANY: usize = 4096;

/// The facets around `points`, of which four that are not in one plane are given.
pub(super) fn facets(points: &[DVec3], first: [u32; 4]) -> Vec<Facet> {
    let mut hull = Quickhull::around(points, first);
    hull.distribute_all();
    let mut pending: VecDeque<u32> = (0..4).collect();
    let next = match points.len() > MANY {
        true => VecDeque::pop_front,
        false => VecDeque::pop_back,
    };
    while let Some(facet) = next(&mut pending) {
        let Facet {
            outside, is_gone, ..
        } = &hull.facets[facet as usize];
        let point = outside.furthest;
        if *is_gone || point == NONE {
            continue;
        }
        let start = hull.facets.len();
        hull.add(point, facet);
        pending.extend((start..hull.facets.len()).map(as_index));
    }
    hull.into_facets()
}

/// Places fit: there are fewer points than 2^31, and so fewer facets than 2^32.
fn as_index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

struct Quickhull<'a> {
    points: &'a [DVec3],
    facets: Vec<Facet>,
    /// By point, the new facet whose first corner it is.
    starting_at: Vec<u32>,
    /// By point, the next one outside of the same facet.
    next: Vec<u32>,
}

impl<'a> Quickhull<'a> {
    fn around(points: &'a [DVec3], [a, b, c, d]: [u32; 4]) -> Self {
        let corner = |index: u32| points[index as usize];
        let plane = Plane::new([a, b, c].map(corner));
        // The first facet looks away from the fourth point.
        let [a, b] = match side(&plane, [a, b, c].map(corner), corner(d)) {
            Ordering::Greater => [b, a],
            _ => [a, b],
        };
        let mut hull = Self {
            points,
            facets: Vec::new(),
            starting_at: vec![0; points.len()],
            next: vec![NONE; points.len()],
        };
        // Beyond the first facet's edges are the others in turn.
        hull.push([a, b, c], [1, 2, 3]);
        hull.push([b, a, d], [0, 3, 2]);
        hull.push([c, b, d], [0, 1, 3]);
        hull.push([a, c, d], [0, 2, 1]);
        hull
    }

    fn push(&mut self, corners: [u32; 3], neighbours: [u32; 3]) {
        self.facets.push(Facet {
            corners,
            neighbours,
            plane: Plane::new(corners.map(|corner| self.points[corner as usize])),
            outside: Outside::EMPTY,
            is_gone: false,
            seen_by: NONE,
        });
    }

    /// How far a point is outside of a facet, times the length of the normal, rounded; `None` where it is not.
    #[inline]
    fn height_outside(&self, point: u32, facet: u32) -> Option<f64> {
        let facet = &self.facets[facet as usize];
        let corners = facet.corners.map(|corner| self.points[corner as usize]);
        let point = self.points[point as usize];
        let is_outside = side(&facet.plane, corners, point).is_gt();
        is_outside.then_some(facet.plane.height(point).0)
    }

    fn sees(&self, point: u32, facet: u32) -> bool {
        self.height_outside(point, facet).is_some()
    }

    fn distribute_all(&mut self) {
        for point in 0..as_index(self.points.len()) {
            self.give(point, 0);
        }
    }

    /// Gives a point to the first facet from `start` on that it is outside of; others are within.
    fn give(&mut self, point: u32, start: u32) {
        let end = as_index(self.facets.len());
        let found =
            (start..end).find_map(|facet| Some((facet, self.height_outside(point, facet)?)));
        let Some((facet, height)) = found else {
            return;
        };
        let outside = &mut self.facets[facet as usize].outside;
        if outside.last == NONE || height > outside.height {
            (outside.furthest, outside.height) = (point, height);
        }
        match outside.last {
            NONE => outside.first = point,
            last => self.next[last as usize] = point,
        }
        outside.last = point;
        self.next[point as usize] = NONE;
    }

    /// Makes a point a corner that sees the facet `start`.
    fn add(&mut self, point: u32, start: u32) {
        let (seen, ridges) = self.horizon(point, start);
        let first = as_index(self.facets.len());
        for (facet, ridge) in (first..).zip(&ridges) {
            self.starting_at[ridge.from as usize] = facet;
        }
        for Ridge { from, to, beyond } in &ridges {
            let next = self.starting_at[*to as usize];
            self.push([*from, *to, point], [*beyond, next, NONE]);
        }
        for (facet, Ridge { from, to, beyond }) in (first..).zip(&ridges) {
            let next = self.starting_at[*to as usize];
            self.facets[next as usize].neighbours[2] = facet;
            let other = &mut self.facets[*beyond as usize];
            let edge = (0..3).find(|edge| {
                other.corners[*edge] == *to && other.corners[(*edge + 1) % 3] == *from
            });
            if let Some(edge) = edge {
                other.neighbours[edge] = facet;
            }
        }
        for facet in seen {
            let facet = &mut self.facets[facet as usize];
            facet.is_gone = true;
            let mut other = facet.outside.first;
            while other != NONE {
                let after = self.next[other as usize];
                if other != point {
                    self.give(other, first);
                }
                other = after;
            }
        }
    }

    /// The facets that a point sees, and the edges around them.
    fn horizon(&mut self, point: u32, start: u32) -> (Vec<u32>, Vec<Ridge>) {
        let (mut seen, mut ridges) = (vec![start], Vec::new());
        self.facets[start as usize].seen_by = point;
        let mut place = 0;
        while let Some(&facet) = seen.get(place) {
            place += 1;
            let Facet {
                corners,
                neighbours,
                ..
            } = self.facets[facet as usize];
            for edge in 0..3 {
                let beyond = neighbours[edge];
                if self.facets[beyond as usize].seen_by == point {
                    continue;
                }
                if self.sees(point, beyond) {
                    self.facets[beyond as usize].seen_by = point;
                    seen.push(beyond);
                } else {
                    let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                    ridges.push(Ridge { from, to, beyond });
                }
            }
        }
        (seen, ridges)
    }

    /// The facets that are left, their neighbours by their new places.
    fn into_facets(self) -> Vec<Facet> {
        let mut places = vec![NONE; self.facets.len()];
        let mut count = 0;
        for (facet, place) in self.facets.iter().zip(&mut places) {
            if !facet.is_gone {
                *place = count;
                count += 1;
            }
        }
        let mut left: Vec<Facet> = (self.facets.into_iter())
            .filter(|facet| !facet.is_gone)
            .collect();
        for facet in &mut left {
            facet.neighbours = facet.neighbours.map(|beyond| places[beyond as usize]);
        }
        left
    }
}
