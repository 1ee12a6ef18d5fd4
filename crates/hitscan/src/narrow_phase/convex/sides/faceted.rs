//! Cores as what a difference has sides of: faces spanned by three corners, edges, and what lies
//! beside these.

use crate::exact::adaptive::{Number, between, cross, rounded, vector};
use crate::narrow_phase::convex::Core;
use crate::shape::box_hull::BoxHull;
use crate::shape::polytope::{Edge, Face, NO_CORNER, Polytope};
use glam::DVec3;
use smallvec::SmallVec;

/// A core as corners, faces and edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Faceted<'a> {
    pub(super) corners: &'a [DVec3],
    faces: Faces<'a>,
    pub(super) edges: &'a [Edge],
    /// The box that it is: that has three normals and directions though it be flat.
    boxed: Option<&'a BoxHull>,
}

#[derive(Debug, Clone, Copy)]
enum Faces<'a> {
    /// By three corners each, counter-clockwise seen from outside.
    Table(&'a [[u16; 3]]),
    /// The same of a triangle whose front is that from which its corners go clockwise, or not.
    Triangle {
        is_mirrored: bool,
    },
    Hull(&'a Polytope),
}

const fn edge(from: u16, to: u16, beside: [u16; 2]) -> Edge {
    Edge {
        ends: [from, to],
        beside,
    }
}

/// A triangle has a front and a back.
const OF_TRIANGLE: [[u16; 3]; 2] = [[0, 1, 2], [0, 2, 1]];
const TRIANGLE_EDGES: [Edge; 3] = [edge(0, 1, [2, 2]), edge(1, 2, [0, 0]), edge(2, 0, [1, 1])];
const SEGMENT_EDGES: [Edge; 1] = [edge(0, 1, [NO_CORNER; 2])];

/// The lower face of each axis, then its upper one.
const OF_BOX: [[u16; 3]; 6] = [
    [0, 4, 2],
    [1, 3, 5],
    [0, 1, 4],
    [2, 6, 3],
    [0, 2, 1],
    [4, 5, 6],
];
const BOX_EDGES: [Edge; 12] = {
    let mut edges = [edge(0, 0, [0, 0]); 12];
    let mut count: u16 = 0;
    while count < 12 {
        let axis = count / 4;
        let [one, other]: [u16; 2] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        // The four corners at the axis's lower end.
        let from = (count & 1) * one + (count >> 1 & 1) * other;
        edges[count as usize] = edge(from, from | 1 << axis, [from ^ one, from ^ other]);
        count += 1;
    }
    edges
};

/// Of boxes that are flat along x, y or z: the upper face, then the lower one.
const OF_FLAT_BOX: [[[u16; 3]; 2]; 3] = [
    [[0, 2, 4], [0, 4, 2]],
    [[0, 4, 1], [0, 1, 4]],
    [[0, 1, 2], [0, 2, 1]],
];
const FLAT_BOX_EDGES: [[Edge; 4]; 3] = [flat_edges(0), flat_edges(1), flat_edges(2)];

const fn flat_edges(axis: usize) -> [Edge; 4] {
    let [one, other]: [u16; 2] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
    [
        edge(0, one, [other; 2]),
        edge(other, one | other, [0; 2]),
        edge(0, other, [one; 2]),
        edge(one, one | other, [0; 2]),
    ]
}

/// Of boxes that are segments along x, y or z.
const LINE_BOX_EDGES: [[Edge; 1]; 3] = [
    [edge(0, 1, [NO_CORNER; 2])],
    [edge(0, 2, [NO_CORNER; 2])],
    [edge(0, 4, [NO_CORNER; 2])],
];

impl<'a> Faceted<'a> {
    pub(super) fn new(core: &'a Core<'_>, is_mirrored: bool) -> Self {
        let of_table = |faces: &'static [[u16; 3]], edges: &'static [Edge]| Faceted {
            corners: core.corners(),
            faces: Faces::Table(faces),
            edges,
            boxed: None,
        };
        match core {
            Core::Point(_) | Core::Cylinder(_) => of_table(&[], &[]),
            Core::Segment(_) => of_table(&[], &SEGMENT_EDGES),
            Core::Triangle(corners) => Faceted {
                corners,
                faces: Faces::Triangle { is_mirrored },
                edges: &TRIANGLE_EDGES,
                boxed: None,
            },
            Core::Box(hull) => {
                let (faces, edges) = of_box(hull);
                Faceted {
                    boxed: Some(hull),
                    ..of_table(faces, edges)
                }
            }
            Core::Hull(hull) => Faceted {
                corners: hull.corners(),
                faces: Faces::Hull(hull),
                edges: hull.edges(),
                boxed: None,
            },
        }
    }

    pub(super) fn face_count(&self) -> usize {
        match self.faces {
            Faces::Table(faces) => faces.len(),
            Faces::Triangle { .. } => OF_TRIANGLE.len(),
            Faces::Hull(hull) => hull.faces().len(),
        }
    }

    /// Whether it has no volume.
    pub(super) fn is_flat(&self) -> bool {
        self.face_count() < 4
    }

    pub(super) fn corner(&self, corner: u16) -> DVec3 {
        self.corners[usize::from(corner)]
    }

    /// Three corners that span a face, counter-clockwise seen from outside.
    pub(super) fn span(&self, face: u16) -> [DVec3; 3] {
        let place = usize::from(face);
        let span = match self.faces {
            Faces::Table(faces) => faces[place],
            Faces::Triangle { .. } => OF_TRIANGLE[place],
            Faces::Hull(hull) => hull.faces()[place].span,
        };
        span.map(|corner| self.corner(corner))
    }

    /// A face's outward normal, of any length.
    pub(super) fn normal<N: Number>(&self, face: u16) -> [N; 3] {
        let [a, b, c] = self.span(face);
        cross(&between(a, b), &between(a, c))
    }

    /// The same in f64, and a bound on the error of each component.
    pub(super) fn rounded_normal(&self, face: u16) -> (DVec3, f64) {
        if let Faces::Hull(hull) = self.faces {
            let face = &hull.faces()[usize::from(face)];
            return (face.normal, face.error);
        }
        rounded(&self.normal(face))
    }

    /// Whether it is a box, whose corners may be those of no exact parallelepiped.
    pub(super) fn is_box(&self) -> bool {
        self.boxed.is_some()
    }

    /// The sides of a face, a point of each and its way, counter-clockwise seen from outside. It is none of a box.
    pub(super) fn sides_of(&self, face: u16) -> Vec<[DVec3; 2]> {
        if let Faces::Hull(hull) = self.faces {
            let sides = hull.ring_sides(usize::from(face));
            return sides.map(|[from, to]| [from, to - from]).collect();
        }
        let [a, b, c] = self.span(face);
        vec![[a, b - a], [b, c - b], [c, a - c]]
    }

    /// The face whose outward normal is nearest to a direction, if the square of the cosine between is at least
    /// `limit`, all rounded.
    pub(super) fn face_across(&self, direction: DVec3, limit: f64) -> Option<u16> {
        let candidates = match self.faces {
            Faces::Hull(hull) => hull.face_lanes().across(direction, limit),
            _ => (0..).take(self.face_count()).collect(),
        };
        let squared = direction.length_squared();
        let mut best = (limit, None);
        for face in candidates {
            let normal = self.rounded_normal(face).0;
            let along = normal.dot(direction);
            let part = along * along / (squared * normal.length_squared());
            if along > 0.0 && part >= best.0 {
                best = (part, Some(face));
            }
        }
        best.1
    }

    /// An edge whose ends are both within `room` of the highest corner along a direction, if one is.
    pub(super) fn highest_edge(&self, direction: DVec3, room: f64) -> Option<u16> {
        let heights: SmallVec<[f64; 32]> = (self.corners.iter())
            .map(|corner| corner.dot(direction))
            .collect();
        let floor = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) - room;
        let is_high = |edge: &Edge| {
            edge.ends
                .iter()
                .all(|end| heights[usize::from(*end)] >= floor)
        };
        let place = self.edges.iter().position(is_high)?;
        u16::try_from(place).ok()
    }

    /// The normals in the order in which they count, each with its place and whether it is the positive one of
    /// its two directions.
    pub(super) fn ranked_normals<N: Number>(&self) -> Vec<([N; 3], usize, bool)> {
        if let Some(hull) = self.boxed {
            return (0..3).map(|axis| (hull.normal(axis), axis, true)).collect();
        }
        let ranked = |face: u16| {
            let normal = self.normal(face);
            match self.faces {
                Faces::Table(_) => (normal, usize::from(face), true),
                Faces::Triangle { is_mirrored } => (normal, 0, (face == 0) != is_mirrored),
                Faces::Hull(hull) => {
                    let Face {
                        own, is_positive, ..
                    } = hull.faces()[usize::from(face)];
                    (normal, usize::from(own), is_positive)
                }
            }
        };
        (0..).take(self.face_count()).map(ranked).collect()
    }

    /// The directions of edges in the order in which they count.
    pub(super) fn ranked_directions<N: Number>(&self) -> Vec<[N; 3]> {
        if let Some(hull) = self.boxed {
            return hull
                .directions
                .iter()
                .map(|direction| vector(*direction))
                .collect();
        }
        let along = |edge: u16| {
            let [from, to] = self.edge_ends(edge);
            between(from, to)
        };
        (0..).take(self.edges.len()).map(along).collect()
    }

    /// The ends of an edge.
    pub(super) fn edge_ends(&self, edge: u16) -> [DVec3; 2] {
        self.edges[usize::from(edge)]
            .ends
            .map(|corner| self.corner(corner))
    }

    /// The corners beside an edge, each once.
    pub(super) fn beside(&self, edge: u16) -> impl Iterator<Item = DVec3> + '_ {
        let [first, second] = self.edges[usize::from(edge)].beside;
        let second = (second != first).then_some(second);
        let both = [Some(first), second].into_iter().flatten();
        both.filter(|corner| *corner != NO_CORNER)
            .map(|corner| self.corner(corner))
    }
}

/// The faces and edges of a box with an extent along all axes, or along fewer.
fn of_box(hull: &BoxHull) -> (&'static [[u16; 3]], &'static [Edge]) {
    let is_wide = [0, 1, 2].map(|axis: usize| hull.corners[1 << axis] != hull.corners[0]);
    match is_wide {
        [true, true, true] => (&OF_BOX, &BOX_EDGES),
        [false, true, true] => (&OF_FLAT_BOX[0], &FLAT_BOX_EDGES[0]),
        [true, false, true] => (&OF_FLAT_BOX[1], &FLAT_BOX_EDGES[1]),
        [true, true, false] => (&OF_FLAT_BOX[2], &FLAT_BOX_EDGES[2]),
        [true, false, false] => (&[], &LINE_BOX_EDGES[0]),
        [false, true, false] => (&[], &LINE_BOX_EDGES[1]),
        [false, false, true] => (&[], &LINE_BOX_EDGES[2]),
        [false, false, false] => (&[], &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::shape::polytope::Numbering;

    /// The tables say of boxes what building their hulls finds.
    #[test]
    fn boxes_have_the_faces_and_edges_of_their_hulls() {
        for size in 0..8_u8 {
            let max = [0, 1, 2].map(|axis| f32::from(size >> axis & 1) * 2.0);
            let aabb = Aabb::new([0.0; 3], max).unwrap();
            let core = Core::Box(BoxHull::from(&aabb));
            let faceted = Faceted::new(&core, false);
            let hull = Polytope::around(core.corners(), Numbering::ByPlace);
            assert_eq!(faceted.face_count(), hull.faces().len(), "{size}");
            assert_eq!(faceted.edges.len(), hull.edges().len());
            for face in 0..u16::try_from(faceted.face_count()).unwrap() {
                let normal = faceted.rounded_normal(face).0.normalize_or_zero();
                let is_face = |other: &&Face| other.normal.normalize_or_zero() == normal;
                assert!(
                    hull.faces().iter().any(|other| is_face(&other)),
                    "{size} {face}"
                );
            }
            for (place, edge) in (0..).zip(faceted.edges) {
                let ends = faceted.edge_ends(place);
                assert!(
                    hull.edges()
                        .iter()
                        .any(|other| hull.edge_ends(other) == ends)
                );
                for corner in faceted.beside(place) {
                    assert!((ends[1] - ends[0]).dot(corner - ends[0]) == 0.0, "{edge:?}");
                    assert!(corner != ends[0]);
                }
            }
        }
    }
}
