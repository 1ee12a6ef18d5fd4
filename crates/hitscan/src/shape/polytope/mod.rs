//! Convex polytopes in f64: corners, edges and whole faces, and how they meet; exactly the convex hull of
//! the points that they are built from.
//!
//! A polytope may be flat, a segment or a point. Builders are in `quickhull.rs` and `flat.rs`, what they
//! find is brought into one order in `assembly.rs`.

mod predicates;
mod simplex;
mod quickhull;
mod merge;
mod flat;
mod parallel_faces;
mod face_lanes;
mod corner_lanes;
mod assembly;
mod support;
mod containment;
mod nearest;

use crate::exact::adaptive::{Number, between, cross};
use glam::DVec3;
use smallvec::SmallVec;

pub(crate) use self::assembly::Numbering;
use self::corner_lanes::CornerLanes;
pub(crate) use self::face_lanes::{FaceLanes, FaceLine, FewFaces};
pub(crate) use self::nearest::{Placement, nearest_on_edge};
pub(crate) use self::predicates::{height_along, height_error};

/// A corner that is none.
pub(crate) const NO_CORNER: u16 = u16::MAX;

/// The corners of a face in turn: most have few.
type Ring<T> = SmallVec<[T; 4]>;

/// The convex hull of some points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Polytope {
    corners: Box<[DVec3]>,
    /// In the order of their lower corners, then of their higher ones descending.
    edges: Box<[Edge]>,
    faces: Box<[Face]>,
    /// The corners of all faces, face by face.
    rings: Box<[u16]>,
    /// The corners at the other ends of each corner's edges, corner by corner, and where each one's begin.
    neighbours: Box<[u16]>,
    neighbour_starts: Box<[u32]>,
    lanes: FaceLanes,
    corner_lanes: CornerLanes,
    /// About its middle.
    middle: DVec3,
    /// The ends of the box around it.
    bounds: [DVec3; 2],
}

/// An edge between two faces, or one that is all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The lower corner, then the higher one.
    pub(crate) ends: [u16; 2],
    /// A further corner of each of its two faces; [`NO_CORNER`] where there are no faces.
    pub(crate) beside: [u16; 2],
}

/// A whole face, seen from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Face {
    /// Where its corners begin, and how many there are: counter-clockwise seen from outside.
    start: u32,
    count: u16,
    /// Three of them that are not on one line, in that order.
    pub(crate) span: [u16; 3],
    /// Its number in the hull that was placed; its own where none was.
    pub(crate) own: u16,
    /// Whether its outward normal is the positive one: of x, y, z of the hull's own space the first that is
    /// not 0 is greater.
    pub(crate) is_positive: bool,
    /// The outward normal, of any length, and how far each component may be from the exact one.
    pub(crate) normal: DVec3,
    pub(crate) error: f64,
}

impl Polytope {
    /// The corners.
    #[inline]
    pub(crate) fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// The edges, in order.
    #[inline]
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The faces, in order.
    #[inline]
    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The planes of the faces in lanes.
    #[inline]
    pub(crate) fn face_lanes(&self) -> &FaceLanes {
        &self.lanes
    }

    /// The corners of a face, counter-clockwise seen from outside.
    pub(crate) fn ring(&self, face: usize) -> &[u16] {
        let Face { start, count, .. } = self.faces[face];
        &self.rings[start as usize..][..usize::from(count)]
    }

    /// The places of those corners.
    pub(crate) fn ring_corners(&self, face: usize) -> impl Iterator<Item = DVec3> + '_ {
        self.ring(face).iter().map(|corner| self.corner(*corner))
    }

    /// The sides of a face by their ends, counter-clockwise seen from outside.
    pub(crate) fn ring_sides(&self, face: usize) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        let next = self
            .ring_corners(face)
            .skip(1)
            .chain(self.ring_corners(face).take(1));
        self.ring_corners(face)
            .zip(next)
            .map(|(from, to)| [from, to])
    }

    /// The triangles of a face that share its first corner, as the face lies.
    pub(crate) fn fan(&self, face: usize) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let ring = self.ring(face);
        let first = self.corner(ring[0]);
        ring[1..]
            .windows(2)
            .map(move |pair| [first, self.corner(pair[0]), self.corner(pair[1])])
    }

    #[inline]
    pub(crate) fn corner(&self, corner: u16) -> DVec3 {
        self.corners[usize::from(corner)]
    }

    /// The places of an edge's ends.
    pub(crate) fn edge_ends(&self, edge: &Edge) -> [DVec3; 2] {
        edge.ends.map(|corner| self.corner(corner))
    }

    /// Three corners that span a face, counter-clockwise seen from outside.
    pub(crate) fn face_span(&self, face: usize) -> [DVec3; 3] {
        self.faces[face].span.map(|corner| self.corner(corner))
    }

    /// The first of them.
    #[inline]
    pub(crate) fn face_base(&self, face: usize) -> DVec3 {
        self.corner(self.faces[face].span[0])
    }

    /// A face's outward normal, of any length.
    pub(crate) fn normal<N: Number>(&self, face: usize) -> [N; 3] {
        let [a, b, c] = self.face_span(face);
        cross(&between(a, b), &between(a, c))
    }

    /// Whether it has no volume.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.faces.len() < 4
    }

    /// The ends of the box around it.
    #[inline]
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    /// The greatest magnitude of a coordinate.
    #[inline]
    pub(crate) fn max_abs(&self) -> f64 {
        let [min, max] = self.bounds;
        min.abs().max(max.abs()).max_element()
    }

    /// How many bytes its arrays take.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.corners)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.faces)
            + size_of_val(&*self.rings)
            + size_of_val(&*self.neighbours)
            + size_of_val(&*self.neighbour_starts)
            + self.lanes.memory_bytes()
            + self.corner_lanes.memory_bytes()
    }

    /// About its middle.
    #[inline]
    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }
}

#[cfg(test)]
mod tests;
