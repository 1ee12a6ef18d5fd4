//! A polytope from the rings of its faces: everything in one order, whatever the builders found first.
//!
//! Corners are in the order of x, y, z, or in that of the hull that was placed. Faces are in the order of
//! their sorted corners, but that the face parallel to one comes right after it.

use super::flat::{ends, polygon};
use super::merge::whole_faces;
use super::parallel_faces::face_order;
use super::predicates::{Plane, normal_signs, side};
use super::quickhull::facets;
use super::simplex::{Simplex, simplex};
use super::{CornerLanes, Edge, Face, FaceLanes, NO_CORNER, Polytope, Ring};
use crate::exact::adaptive::{between, cross, rounded};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use crate::exact::extremes::bounds_of;
use crate::sorting::{ordered_bits, sort_by_rank};
use core::cmp::Ordering;
use glam::DVec3;

/// By what faces and corners are numbered.
#[derive(Clone, Copy)]
pub(crate) enum Numbering<'a> {
    /// By their places.
    ByPlace,
    /// As in the hull whose corners were placed, of which there is one point each, and whether that turned it
    /// inside out.
    As(&'a Polytope, bool),
}

impl Polytope {
    /// The convex hull of few points, of which there must be one; their coordinates must be finite.
    pub(crate) fn around(points: &[DVec3], numbering: Numbering<'_>) -> Self {
        match Self::within(points, numbering, usize::from(NO_CORNER)) {
            Ok(polytope) => polytope,
            Err(_) => unreachable!("there are fewer points than can be numbered"),
        }
    }

    /// The convex hull of points, of which there must be one; all its corners where these are more than can be
    /// numbered, or than `most`.
    pub(crate) fn within(
        points: &[DVec3],
        numbering: Numbering<'_>,
        most: usize,
    ) -> Result<Self, Vec<DVec3>> {
        // -0 is 0.
        let points: Vec<DVec3> = points.iter().map(|point| *point + DVec3::ZERO).collect();
        if let Numbering::As(own, _) = numbering
            && let Some(same) = own.with_corners(&points)
        {
            return Ok(same);
        }
        let (mut used, rings) = surface(&points);
        if used.len() > most.min(usize::from(NO_CORNER)) {
            return Err(used.iter().map(|index| points[*index as usize]).collect());
        }
        sort_by_rank(&mut used, |&index| match numbering {
            Numbering::ByPlace => points[index as usize].to_array().map(ordered_bits),
            Numbering::As(..) => [u64::from(index), 0, 0],
        });
        let corners: Vec<DVec3> = used.iter().map(|index| points[*index as usize]).collect();
        let mut places = vec![NO_CORNER; points.len()];
        for (place, index) in (0..).zip(&used) {
            places[*index as usize] = place;
        }
        let rings: Vec<Ring<u16>> = (rings.iter())
            .map(|ring| ring.iter().map(|index| places[*index as usize]).collect())
            .collect();
        let polytope = match numbering {
            Numbering::ByPlace => Self::assembled(corners, rings, &|_| None).in_face_order(),
            Numbering::As(own, is_mirrored) => {
                let own_corner = |corner: u16| used[usize::from(corner)];
                let face_of = |ring: &[u16]| Some(own.face_like(ring, is_mirrored, &own_corner));
                let mut placed = Self::assembled(corners, rings, &face_of);
                for face in &mut placed.faces {
                    face.is_positive = own.faces[usize::from(face.own)].is_positive;
                }
                placed
            }
        };
        Ok(polytope.measured())
    }

    /// What its corners and faces tell.
    fn measured(mut self) -> Self {
        self.bounds = bounds_of(&self.corners);
        self.middle = mean(&self.corners);
        self.corner_lanes = CornerLanes::of(&self.corners);
        self.lanes = FaceLanes::of(&self.faces, &self.corners, self.max_abs());
        self
    }

    /// The polytope with these corners and faces. `own` tells which face of the hull that was placed one is.
    fn assembled(
        corners: Vec<DVec3>,
        mut rings: Vec<Ring<u16>>,
        own: &dyn Fn(&[u16]) -> Option<usize>,
    ) -> Self {
        for ring in &mut rings {
            let first = (0..ring.len()).min_by_key(|place| ring[*place]);
            ring.rotate_left(first.unwrap_or(0));
        }
        sort_by_rank(&mut rings, |ring| {
            let number = own(ring).map_or(0, |number| number as u64);
            let [first, second, third] = lowest(ring);
            // Two faces have at most two corners in common.
            [number << 16 | first, second, third]
        });
        let mut polytope = Self {
            edges: edges(&corners, &rings).into(),
            faces: Box::default(),
            rings: rings.concat().into(),
            corners: corners.into(),
            neighbours: Box::default(),
            neighbour_starts: Box::default(),
            lanes: FaceLanes::default(),
            corner_lanes: CornerLanes::default(),
            middle: DVec3::ZERO,
            bounds: [DVec3::ZERO; 2],
        };
        let mut start = 0;
        let faces = rings.iter().zip(0..).map(|(ring, place): (_, u16)| {
            let number = own(ring).and_then(|number| u16::try_from(number).ok());
            let face = polytope.face(ring, start, number.unwrap_or(place));
            start += u32::from(face.count);
            face
        });
        polytope.faces = faces.collect();
        polytope.link();
        polytope
    }

    fn face(&self, ring: &[u16], start: u32, own: u16) -> Face {
        let span = [0, ring.len() / 3, 2 * ring.len() / 3].map(|place| ring[place]);
        let corners = span.map(|corner| self.corner(corner));
        let (normal, error) = rounded_normal(corners);
        Face {
            start,
            count: u16::try_from(ring.len()).unwrap_or(u16::MAX),
            span,
            own,
            is_positive: is_positive(corners, (normal, error)),
            normal,
            error,
        }
    }

    /// Finds the neighbours of each corner.
    fn link(&mut self) {
        // How many each corner has, then where those of each begin, then where the next of each goes.
        let mut starts = vec![0_u32; self.corners.len() + 1];
        for end in self.edges.iter().flat_map(|edge| edge.ends) {
            starts[usize::from(end) + 1] += 1;
        }
        for corner in 1..starts.len() {
            starts[corner] += starts[corner - 1];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; 2 * self.edges.len()];
        for [low, high] in self.edges.iter().map(|edge| edge.ends) {
            for (corner, other) in [(low, high), (high, low)] {
                let place = &mut next[usize::from(corner)];
                neighbours[*place as usize] = other;
                *place += 1;
            }
        }
        self.neighbours = neighbours.into();
        self.neighbour_starts = starts.into();
    }

    /// The same with its faces in the order that they are numbered in.
    fn in_face_order(mut self) -> Self {
        let order = face_order(&self);
        let rings: Vec<u16> = order
            .iter()
            .flat_map(|face| self.ring(*face).iter().copied())
            .collect();
        let mut start = 0;
        let faces = order.iter().zip(0..).map(|(face, own)| {
            let face = Face {
                start,
                own,
                ..self.faces[*face]
            };
            start += u32::from(face.count);
            face
        });
        self.faces = faces.collect();
        self.rings = rings.into();
        self
    }

    /// The same corners, edges and faces at other places, if these are the hull there.
    ///
    /// They are where each face is flat and each edge convex. A transform that mirrors turns rings around.
    fn with_corners(&self, points: &[DVec3]) -> Option<Self> {
        let mut moved = self.clone();
        moved.corners = points.into();
        if self.faces.len() < 4 {
            // Without a volume there is little to build.
            return None;
        }
        let is_mirrored = self.faces.first().is_some_and(|_| {
            let [a, b, c] = moved.face_span(0);
            let inner = mean(points);
            side(&Plane::new([a, b, c]), [a, b, c], inner).is_gt()
        });
        if is_mirrored {
            moved.turn_over();
        }
        let lies_flat = |face: usize| {
            let corners = moved.face_span(face);
            let plane = Plane::new(corners);
            let span = moved.faces[face].span;
            let mut others = moved
                .ring(face)
                .iter()
                .filter(|corner| !span.contains(corner));
            others.all(|corner| side(&plane, corners, moved.corner(*corner)).is_eq())
        };
        if !(0..moved.faces.len()).all(lies_flat)
            || !moved.edges.iter().all(|edge| moved.is_convex(edge))
        {
            return None;
        }
        for face in 0..moved.faces.len() {
            let (normal, error) = rounded_normal(moved.face_span(face));
            (moved.faces[face].normal, moved.faces[face].error) = (normal, error);
        }
        Some(moved.measured())
    }

    /// Whether the faces beside an edge bend strictly inwards there.
    fn is_convex(&self, edge: &Edge) -> bool {
        let [from, to] = self.edge_ends(edge);
        let [left, right] = edge.beside.map(|corner| self.corner(corner));
        // Beside what is on one line nothing is.
        let corners = [from, to, left];
        side(&Plane::new(corners), corners, right).is_lt()
    }

    /// Turns all rings around.
    fn turn_over(&mut self) {
        for face in 0..self.faces.len() {
            let Face {
                start,
                count,
                span: [a, b, c],
                ..
            } = self.faces[face];
            self.faces[face].span = [a, c, b];
            self.rings[start as usize..][..usize::from(count)].reverse();
        }
        for edge in &mut self.edges {
            edge.beside.reverse();
        }
    }

    /// Of the faces the one of which a piece between these corners is: it has all of them, or is the
    /// nearest to having them, and goes round the same way, unless that was turned.
    fn face_like(&self, ring: &[u16], is_mirrored: bool, own_corner: &dyn Fn(u16) -> u32) -> usize {
        let shared = |face: usize| {
            let own = self.ring(face);
            let place = |corner: &u16| {
                let number = own_corner(*corner);
                own.iter().position(|other| u32::from(*other) == number)
            };
            let places: Vec<usize> = ring.iter().filter_map(place).collect();
            // Round a ring that goes the same way the places fall once.
            let next = places.iter().cycle().skip(1);
            let falls = places
                .iter()
                .zip(next)
                .filter(|(here, next)| next < here)
                .count();
            (places.len(), (falls == 1) != is_mirrored)
        };
        let faces = (0..self.faces.len()).map(|face| (face, shared(face)));
        let best = faces.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(0, |(face, _)| face)
    }
}

/// Which points are corners, and the rings of the faces between them, counter-clockwise seen from outside.
fn surface(points: &[DVec3]) -> (Vec<u32>, Vec<Ring<u32>>) {
    let rings = match simplex(points) {
        Simplex::Point => return (vec![0], Vec::new()),
        Simplex::Segment => return (ends(points).to_vec(), Vec::new()),
        Simplex::Triangle(plane) => {
            let front = Ring::from(polygon(points, plane.map(|index| points[index as usize])));
            let back = front.iter().rev().copied().collect();
            vec![front, back]
        }
        Simplex::Tetrahedron(first) => whole_faces(points, &facets(points, first)),
    };
    let mut is_corner = vec![false; points.len()];
    for corner in rings.iter().flatten() {
        is_corner[*corner as usize] = true;
    }
    let corners = (0..).zip(&is_corner).filter(|(_, is_corner)| **is_corner);
    (corners.map(|(index, _)| index).collect(), rings)
}

/// About the middle of corners.
fn mean(corners: &[DVec3]) -> DVec3 {
    let sum: DVec3 = corners.iter().sum();
    sum / corners.len() as f64
}

/// The lowest three corners of a face.
fn lowest(ring: &[u16]) -> [u64; 3] {
    let mut lowest = [u64::MAX; 3];
    for &corner in ring {
        let mut corner = u64::from(corner);
        for slot in &mut lowest {
            if corner < *slot {
                core::mem::swap(slot, &mut corner);
            }
        }
    }
    lowest
}

/// The edges in order, given the faces' rings. Without faces two corners have one.
fn edges(corners: &[DVec3], rings: &[Ring<u16>]) -> Vec<Edge> {
    if rings.is_empty() {
        let edge = Edge {
            ends: [0, 1],
            beside: [NO_CORNER; 2],
        };
        return if corners.len() == 2 {
            vec![edge]
        } else {
            Vec::new()
        };
    }
    let mut halves = Vec::new();
    for ring in rings {
        let count = ring.len();
        for place in 0..count {
            let [from, to, beside] = [0, 1, 2].map(|next| ring[(place + next) % count]);
            halves.push((from, to, beside));
        }
    }
    sort_by_rank(&mut halves, |&(from, to, _)| {
        let [low, high] = if from < to { [from, to] } else { [to, from] };
        [
            u64::from(low),
            u64::from(u16::MAX - high),
            u64::from(from > to),
        ]
    });
    let pairs = halves.chunks_exact(2).map(|pair| Edge {
        ends: [pair[0].0, pair[0].1],
        beside: [pair[0].2, pair[1].2],
    });
    pairs.collect()
}

/// The normal of three corners, of any length, and a bound on the error of each component: 2^-45 of the
/// largest, or less.
fn rounded_normal([a, b, c]: [DVec3; 3]) -> (DVec3, f64) {
    let (normal, error) = rounded(&cross(&between(a, b), &between(a, c)));
    if error * (1_u64 << 45) as f64 <= normal.abs().max_element() {
        return (normal, error);
    }
    let exact: [Expansion; 3] = cross(&between(a, b), &between(a, c));
    let normal = DVec3::from_array(exact.map(|x| x.to_f64()));
    (normal, 4.0 * UNIT_ROUNDOFF * normal.abs().max_element())
}

/// Whether the first component of a normal that is not 0 is greater; each component of it in f64 may be off by the
/// bound.
fn is_positive(corners: [DVec3; 3], (normal, error): (DVec3, f64)) -> bool {
    if normal.x.abs() > error {
        return normal.x > 0.0;
    }
    let signs = normal_signs(corners);
    signs.into_iter().find(|sign| sign.is_ne()) == Some(Ordering::Greater)
}
