//! Directions across which a cylinder may be least deep in a polytope.
//!
//! The difference of the two is convex, and a ball inside that touches it where it comes nearest does so at no
//! corner or sharp edge of it: at a face of the polytope, an end of the cylinder, a corner of the polytope on the
//! cylinder's side, or where an edge meets the side or a rim. Along a face's, a corner's or an edge's own directions
//! it is known which corner of the polytope lies furthest, so that each costs the same for any number of corners.
//! Of an edge these are an arc, between the normals of the faces beside it.

use super::cylinder::CylinderCore;
use crate::shape::cylinder::across;
use crate::shape::polytope::{Edge, NO_CORNER, Polytope};
use glam::DVec3;

/// How often the halves of an arc are halved, to find where the gap is largest.
const HALVINGS: u32 = 3;
/// How often such a place is then looked for between its neighbours.
const REFINEMENTS: usize = 12;

/// A polytope and a cylinder.
struct Rims<'a> {
    hull: &'a Polytope,
    cylinder: &'a CylinderCore,
    /// Of the cylinder, as the polytope lies.
    middle: DVec3,
    axis: DVec3,
    half: f64,
}

/// Outward unit directions of a polytope, along which it and a cylinder that is moved aside by `shift` may be
/// least deep, each with the gap along it.
pub(super) fn rim_directions(
    hull: &Polytope,
    cylinder: &CylinderCore,
    shift: DVec3,
) -> Vec<(f64, DVec3)> {
    let [a, b] = cylinder.ends;
    let (axis, length) = cylinder.axis();
    let rims = Rims {
        hull,
        cylinder,
        middle: (a + b) * 0.5 + shift,
        axis,
        half: 0.5 * length,
    };
    let mut found = Vec::new();
    for (face, whole) in hull.faces().iter().enumerate() {
        let [corner, ..] = hull.face_span(face);
        if let Some(outward) = wide_unit(whole.normal) {
            found.push((rims.gap(outward, corner), outward));
        }
    }
    for edge in hull.edges() {
        rims.add_arc(edge, &mut found);
    }
    rims.add_corners(&mut found);
    found
}

impl Rims<'_> {
    /// The gap along an outward unit direction in which a corner lies furthest.
    fn gap(&self, outward: DVec3, corner: DVec3) -> f64 {
        outward.dot(self.middle - corner)
            - self.cylinder.reach(outward)
            - self.half * outward.dot(self.axis).abs()
    }

    /// The directions of an edge's arc from which the gap falls off either way.
    fn add_arc(&self, edge: &Edge, found: &mut Vec<(f64, DVec3)>) {
        let [from, to] = self.hull.edge_ends(edge);
        let Some(arc) = self.arc(edge, from, to - from) else {
            return;
        };
        let gaps: Vec<f64> = arc.iter().map(|way| self.gap(*way, from)).collect();
        for place in 1..arc.len() - 1 {
            if gaps[place] < gaps[place - 1] || gaps[place] < gaps[place + 1] {
                continue;
            }
            let mut around = [arc[place - 1], arc[place + 1]];
            let (mut best, mut best_gap) = (arc[place], gaps[place]);
            for _ in 0..REFINEMENTS {
                for side in [0, 1] {
                    let Some(between) = wide_unit(best + around[side]) else {
                        continue;
                    };
                    let gap = self.gap(between, from);
                    if gap > best_gap {
                        around[1 - side] = best;
                        (best, best_gap) = (between, gap);
                    } else {
                        around[side] = between;
                    }
                }
            }
            found.push((best_gap, best));
        }
    }

    /// Unit directions square to an edge, from the normal of one of its faces to that of the other.
    fn arc(&self, edge: &Edge, from: DVec3, along: DVec3) -> Option<Vec<DVec3>> {
        let along = wide_unit(along)?;
        if edge.beside.contains(&NO_CORNER) {
            let mut around = square_to(along);
            around.extend_from_within(..2);
            return Some(around);
        }
        let [first, second] = edge.beside.map(|corner| {
            let way = self.hull.corner(corner) - from;
            wide_unit(way - along * way.dot(along))
        });
        let (first, second) = (first?, second?);
        let normal = along.cross(first);
        let sign = if normal.dot(second) > 0.0 { -1.0 } else { 1.0 };
        let outer = wide_unit(-(first + second))?;
        let last = along.cross(second) * -sign;
        Some(halved(&[normal * sign, outer, last]))
    }

    /// From the axis straight to each corner, and back, where the corner lies furthest that way.
    fn add_corners(&self, found: &mut Vec<(f64, DVec3)>) {
        let corners = self.hull.corners();
        let ways: Vec<Option<DVec3>> = (corners.iter())
            .map(|corner| {
                let from_middle = *corner - self.middle;
                wide_unit(self.axis.cross(from_middle.cross(self.axis)))
            })
            .collect();
        for sign in [1.0, -1.0] {
            let mut is_furthest = vec![true; corners.len()];
            for edge in self.hull.edges() {
                let [from, to] = edge.ends.map(usize::from);
                let along = (corners[to] - corners[from]) * sign;
                let rises = |corner: usize| ways[corner].map(|way| way.dot(along));
                is_furthest[from] &= rises(from).is_some_and(|rise| rise <= 0.0);
                is_furthest[to] &= rises(to).is_some_and(|rise| rise >= 0.0);
            }
            for (corner, way) in ways.iter().enumerate() {
                if let Some(way) = way.filter(|_| is_furthest[corner]) {
                    found.push((self.gap(way * sign, corners[corner]), way * sign));
                }
            }
        }
    }
}

/// Unit vectors all around an axis of unit length.
pub(super) fn square_to(axis: DVec3) -> Vec<DVec3> {
    let first = across(axis);
    let second = axis.cross(first);
    let mut around = halved(&[first, second, -first, -second, first]);
    around.pop();
    around
}

/// A vector at unit length; `None` of zero and of NaN.
pub(super) fn wide_unit(vector: DVec3) -> Option<DVec3> {
    let size = vector.abs().max_element();
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let scaled = vector / size;
    Some(scaled / scaled.length())
}

/// Unit vectors along a path, and between them those that halve their angles again and again.
fn halved(path: &[DVec3]) -> Vec<DVec3> {
    let mut path = path.to_vec();
    for _ in 0..HALVINGS {
        let mut finer = Vec::with_capacity(2 * path.len());
        for pair in path.windows(2) {
            finer.push(pair[0]);
            finer.extend(wide_unit(pair[0] + pair[1]));
        }
        finer.extend(path.last());
        path = finer;
    }
    path
}
