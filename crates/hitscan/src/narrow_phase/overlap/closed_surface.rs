//! Closed surfaces: which triangles make one, and what lies in it.
//!
//! Points are located by `winding.rs`. Which triangles of two surfaces overlap is decided elsewhere.

use super::orientation::flattening;
use super::winding::{ExactPoint, Location, WindingNumber};
use crate::sorting::{ordered_bits, sort_by_rank};
use core::cmp::Ordering;
use glam::DVec3;

/// Triangles that together bound a solid: every directed edge is balanced by its reverse.
///
/// Corners are one where their coordinates are equal; triangles need not share indices. An edge may
/// belong to four triangles or more, surfaces may consist of several pieces and pass through one
/// another; [`WindingNumber`] decides what is inside.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::overlap::{ClosedSurface, Location};
/// let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let triangles = [[o, y, x], [o, z, y], [o, x, z], [x, y, z]];
/// let solid = ClosedSurface::new(&triangles).unwrap();
/// assert_eq!(solid.locate(DVec3::splat(0.25)), Location::Inside);
/// assert_eq!(solid.locate(DVec3::splat(0.5)), Location::Outside);
/// assert_eq!(solid.locate(x), Location::OnSurface);
/// assert!(ClosedSurface::new(&triangles[1..]).is_none());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ClosedSurface<'a> {
    triangles: &'a [[DVec3; 3]],
}

impl<'a> ClosedSurface<'a> {
    /// The surface that `triangles` make, corners in metres, finite; `None` if it is not closed,
    /// not wound consistently, or has no triangle with an area.
    #[must_use]
    pub fn new(triangles: &'a [[DVec3; 3]]) -> Option<Self> {
        let has_area = triangles.iter().any(|t| flattening(t).is_some());
        let is_closed = has_area && is_balanced(&numbered(triangles));
        is_closed.then_some(Self { triangles })
    }

    /// Where `point` is, metres. The time it takes grows with the number of triangles; with a tree
    /// at hand use [`WindingNumber`].
    ///
    /// A ball or box that no triangle of the surface crosses, and that contains none, lies in the
    /// solid exactly if its centre does.
    #[must_use]
    pub fn locate(&self, point: DVec3) -> Location {
        self.count(WindingNumber::new(point))
    }

    /// Whether the surface `inner` lies in this solid, boundary included.
    ///
    /// `touching` are the indices of those of its triangles that touch this surface or share an
    /// area with it. None may cross it: where triangles cross, neither surface holds the other.
    ///
    /// Every connected piece of triangles that do not touch is located by one of its corners, and a
    /// triangle that touches for its corners, the middles of its edges and a point inside it, all
    /// exactly. Triangles without area are ignored; a surface of nothing else is not contained.
    ///
    /// It is the surface that lies in the solid: a shell in the wall of a hollow ball, around the
    /// hollow, is contained. What is not noticed is a triangle that touches and leaves the solid
    /// between its seven points, through a ring of this surface's edges that lie in it.
    #[must_use]
    pub fn contains(&self, inner: &[[DVec3; 3]], touching: &[usize]) -> bool {
        let mut touches = vec![false; inner.len()];
        for &index in touching {
            if let Some(touch) = touches.get_mut(index) {
                *touch = true;
            }
        }
        let with_area = |wanted: bool| {
            let of_kind = inner
                .iter()
                .zip(&touches)
                .filter(move |(_, t)| **t == wanted);
            of_kind.filter_map(|(triangle, _)| flattening(triangle).map(|_| *triangle))
        };
        let apart: Vec<[DVec3; 3]> = with_area(false).collect();
        let on_pieces = one_of_each_piece(&numbered(&apart))
            .into_iter()
            .map(|triangle| WindingNumber::new(apart[triangle][0]));
        let on_touching = with_area(true).flat_map(|points| {
            SAMPLES.map(|weights| WindingNumber::around(ExactPoint { points, weights }))
        });
        let mut samples = on_pieces.chain(on_touching).peekable();
        samples.peek().is_some() && samples.all(|sample| self.count(sample) != Location::Outside)
    }

    fn count(&self, mut winding: WindingNumber) -> Location {
        for triangle in self.triangles {
            winding.add(triangle);
        }
        winding.location()
    }
}

/// Barycentric weights of the points of a triangle that are located, exact in f64.
const SAMPLES: [[f64; 3]; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.5, 0.5, 0.0],
    [0.0, 0.5, 0.5],
    [0.5, 0.0, 0.5],
    [0.5, 0.25, 0.25],
];

/// The triangles' corners numbered by position, equal coordinates (0 and -0 too) being one corner.
fn numbered(triangles: &[[DVec3; 3]]) -> Vec<[usize; 3]> {
    let mut corners: Vec<DVec3> = triangles.iter().flatten().copied().collect();
    sort_by_rank(&mut corners, |corner| {
        (*corner + DVec3::ZERO).to_array().map(ordered_bits)
    });
    corners.dedup_by(|a, b| by_position(a, b).is_eq());
    let number = |corner: DVec3| {
        let found = corners.binary_search_by(|other| by_position(other, &corner));
        found.unwrap_or_else(|place| place)
    };
    triangles
        .iter()
        .map(|triangle| triangle.map(number))
        .collect()
}

fn by_position(a: &DVec3, b: &DVec3) -> Ordering {
    // Adding zero turns -0 into 0.
    let coordinates = |p: &DVec3| (*p + DVec3::ZERO).to_array();
    let (a, b) = (coordinates(a), coordinates(b));
    a[0].total_cmp(&b[0])
        .then(a[1].total_cmp(&b[1]))
        .then(a[2].total_cmp(&b[2]))
}

/// Whether each edge is run through as often in one direction as in the other.
fn is_balanced(triangles: &[[usize; 3]]) -> bool {
    let mut edges: Vec<(usize, usize, i64)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (from.min(to), from.max(to), if from < to { 1 } else { -1 }))
        .collect();
    sort_by_rank(&mut edges, |(from, to, _)| [*from as u64, *to as u64, 0]);
    edges
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .all(|same| same.iter().map(|edge| edge.2).sum::<i64>() == 0)
}

/// The first triangle of each piece that hangs together by corners.
fn one_of_each_piece(triangles: &[[usize; 3]]) -> Vec<usize> {
    let corners = triangles.iter().flatten().max().map_or(0, |last| last + 1);
    let mut parents: Vec<usize> = (0..corners).collect();
    for &[a, b, c] in triangles {
        for (one, other) in [(a, b), (b, c)] {
            let (one, other) = (root(&mut parents, one), root(&mut parents, other));
            parents[one.max(other)] = one.min(other);
        }
    }
    let mut is_new = vec![true; corners];
    (0..triangles.len())
        .filter(|&triangle| {
            let piece = root(&mut parents, triangles[triangle][0]);
            core::mem::replace(&mut is_new[piece], false)
        })
        .collect()
}

/// The corner that represents the piece of `corner`; paths are halved on the way.
fn root(parents: &mut [usize], mut corner: usize) -> usize {
    while parents[corner] != corner {
        parents[corner] = parents[parents[corner]];
        corner = parents[corner];
    }
    corner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(scale: f64, shift: DVec3) -> Vec<[DVec3; 3]> {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        [[o, y, x], [o, z, y], [o, x, z], [x, y, z]]
            .map(|triangle| triangle.map(|corner| corner * scale + shift))
            .to_vec()
    }

    #[test]
    fn a_surface_is_closed_only_if_every_edge_is_balanced() {
        let mut triangles = tetrahedron(1.0, DVec3::ZERO);
        assert!(ClosedSurface::new(&triangles).is_some());
        // Negative zeros are the same place.
        triangles[0][0] = -triangles[0][0];
        assert!(ClosedSurface::new(&triangles).is_some());
        // One face reversed.
        triangles[0].swap(0, 1);
        assert!(ClosedSurface::new(&triangles).is_none());
        assert!(ClosedSurface::new(&[]).is_none());
        let speck = [[DVec3::ONE; 3]];
        assert!(ClosedSurface::new(&speck).is_none());
    }

    #[test]
    fn every_connected_piece_must_be_inside() {
        let outer = tetrahedron(8.0, DVec3::ZERO);
        let outer = ClosedSurface::new(&outer).unwrap();
        let mut inner = tetrahedron(1.0, DVec3::ONE);
        assert!(outer.contains(&inner, &[]));
        inner.extend(tetrahedron(1.0, DVec3::splat(9.0)));
        assert!(!outer.contains(&inner, &[]));
        assert!(!outer.contains(&[], &[]));
    }

    #[test]
    fn touching_from_inside_is_contained_and_from_outside_is_not() {
        let outer = tetrahedron(8.0, DVec3::ZERO);
        let outer = ClosedSurface::new(&outer).unwrap();
        let inside = tetrahedron(1.0, DVec3::ZERO);
        assert!(outer.contains(&inside, &[0, 1, 2, 3]));
        let below = tetrahedron(-1.0, DVec3::ZERO);
        assert!(!outer.contains(&below, &[0, 1, 2, 3]));
        assert!(outer.contains(outer.triangles, &[0, 1, 2, 3]));
    }

    #[test]
    fn a_hollow_is_outside() {
        let mut triangles = tetrahedron(8.0, DVec3::ZERO);
        let hollow = tetrahedron(1.0, DVec3::ONE);
        triangles.extend(hollow.iter().map(|&[a, b, c]| [a, c, b]));
        let solid = ClosedSurface::new(&triangles).unwrap();
        assert_eq!(solid.locate(DVec3::splat(1.125)), Location::Outside);
        assert_eq!(solid.locate(DVec3::splat(0.5)), Location::Inside);
    }
}
