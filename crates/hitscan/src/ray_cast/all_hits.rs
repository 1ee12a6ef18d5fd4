//! All crossings of a ray with one part's triangles, counted so that a closed part's crossings
//! alternate between front and back.
//!
//! At an edge or corner that triangles share, all of them are hit. Here such a crossing counts as
//! if the ray were moved aside by one fixed infinitesimal: only the triangles that the moved ray
//! passes count. Where it passes none of them the ray only touches the part there, and the touch
//! counts as one front and one back hit. Nearest and any hit need none of this.
//!
//! A ray may also run in the plane of triangles, which it misses, from an edge or corner of theirs
//! to another. Then all of that is one contact, and is decided as one. Which edges belong together
//! matters only where two of them are hit, so that is found last.

use super::hit::{RayHit, Side, Sides, TriangleId};
use super::ray::LocalRay;
use super::ray_triangle::{
    Feature, TriangleHit, hits_perturbed, intersect, may_be_in_plane, sides_in_plane,
};
use crate::Ray;
use glam::DVec3;
use std::collections::HashMap;

/// Collects the hits of one ray on one part.
#[derive(Debug)]
pub(crate) struct PartHits {
    ray: LocalRay,
    inside_faces: Vec<(u32, TriangleHit)>,
    at_features: Vec<AtFeature>,
    /// The corners of triangles in whose plane the ray may lie.
    in_plane: Vec<[DVec3; 3]>,
}

impl Default for PartHits {
    fn default() -> Self {
        Self {
            ray: LocalRay::NONE,
            inside_faces: Vec::new(),
            at_features: Vec::new(),
            in_plane: Vec::new(),
        }
    }
}

/// An edge or corner: the bits of the edge's two ends, smaller first, or of the corner twice.
type Place = [[u64; 3]; 2];

/// A crossing at an edge or corner.
#[derive(Debug)]
struct AtFeature {
    place: Place,
    /// Whether the ray moved aside passes through the triangle.
    is_passed: bool,
    triangle: u32,
    crossing: TriangleHit,
}

impl PartHits {
    /// Takes the triangle's hit, if the ray hits it. All triangles are tested with the same ray.
    pub(crate) fn test(&mut self, ray: &LocalRay, triangle: u32, corners: &[DVec3; 3]) {
        self.ray = *ray;
        let Some(crossing) = intersect(ray, corners) else {
            if may_be_in_plane(ray, corners) {
                self.in_plane.push(*corners);
            }
            return;
        };
        let place = match crossing.feature {
            Feature::Face => {
                self.inside_faces.push((triangle, crossing));
                return;
            }
            Feature::Edge(k) => place(corners[(k + 1) % 3], corners[(k + 2) % 3]),
            Feature::Corner(k) => place(corners[k], corners[k]),
        };
        let is_passed = hits_perturbed(ray, corners);
        self.at_features.push(AtFeature {
            place,
            is_passed,
            triangle,
            crossing,
        });
    }

    /// The hits of `ray` from one of `sides`, of a part that is not transformed, in order of t.
    pub(crate) fn into_ray_hits(self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let hits = self.into_sorted(|side| side).into_iter();
        hits.filter(|(_, hit)| sides.admits(hit.side))
            .map(|(triangle, hit)| RayHit::on_triangle(ray, TriangleId { part: 0, triangle }, &hit))
            .collect()
    }

    /// The crossings in order of t; those of equal t so that front and back alternate with their
    /// neighbours where they can, and otherwise the lowest triangle first.
    ///
    /// `as_seen` turns a side of the part into the one that the world sees, and back: it is the
    /// world's sides that begin with front outside.
    pub(crate) fn into_sorted(mut self, as_seen: impl Fn(Side) -> Side) -> Vec<(u32, TriangleHit)> {
        self.join_contacts();
        let mut all = self.inside_faces;
        self.at_features.sort_by(|a, b| {
            let by_place = a.place.cmp(&b.place);
            let by_t = || a.crossing.t.total_cmp(&b.crossing.t);
            by_place.then_with(by_t).then(a.triangle.cmp(&b.triangle))
        });
        for contact in self.at_features.chunk_by(|a, b| a.place == b.place) {
            let counted = counted(contact).into_iter();
            all.extend(counted.map(|at| (at.triangle, at.crossing)));
        }
        all.sort_by(|a, b| a.1.t.total_cmp(&b.1.t).then(a.0.cmp(&b.0)));
        let turn = |all: &mut [(u32, TriangleHit)]| {
            for (_, crossing) in all {
                crossing.side = as_seen(crossing.side);
            }
        };
        turn(&mut all);
        alternate(&mut all);
        turn(&mut all);
        all
    }

    /// Gives the edges and corners that belong to one contact one place.
    fn join_contacts(&mut self) {
        let is_one_place = |pair: &[AtFeature]| pair[0].place == pair[1].place;
        if self.at_features.windows(2).all(is_one_place) {
            return;
        }
        let mut contacts = Contacts::default();
        for corners in &self.in_plane {
            contacts.join_along(&self.ray, corners);
        }
        for at in &mut self.at_features {
            at.place = contacts.root(at.place);
        }
    }
}

fn place(p: DVec3, q: DVec3) -> Place {
    // Adding 0 makes one of the two zeros.
    let mut place = [p, q].map(|end| (end + DVec3::ZERO).to_array().map(f64::to_bits));
    place.sort_unstable();
    place
}

/// Which edges and corners belong to one contact, because the ray runs from one to the other in the
/// plane of a triangle: a disjoint-set forest, with a root for each contact.
#[derive(Debug, Default)]
struct Contacts {
    parents: HashMap<Place, Place>,
}

impl Contacts {
    /// Joins the edges and corners of the triangle that the ray meets, if it lies in its plane.
    ///
    /// A triangle without area that the ray meets does the same between the edges that fill it.
    fn join_along(&mut self, ray: &LocalRay, corners: &[DVec3; 3]) {
        let Some(sides) = sides_in_plane(ray, corners) else {
            return;
        };
        let met_corners = (0..3).filter(|k| sides[*k].is_eq()).map(|k| (k, k));
        let met_edges = [(0, 1), (1, 2), (2, 0)]
            .into_iter()
            .filter(|(p, q)| sides[*p].is_ne() && sides[*p] == sides[*q].reverse());
        let mut met = met_corners
            .chain(met_edges)
            .map(|(p, q)| place(corners[p], corners[q]));
        let Some(first) = met.next() else { return };
        met.for_each(|other| self.join(first, other));
    }

    fn join(&mut self, one: Place, other: Place) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parents.insert(one.max(other), one.min(other));
        }
    }

    /// The root above a place; paths are halved on the way (Tarjan, van Leeuwen, "Worst-case Analysis
    /// of Set Union Algorithms", Journal of the ACM 31, 1984).
    fn root(&mut self, mut place: Place) -> Place {
        while let Some(&parent) = self.parents.get(&place) {
            let Some(&above) = self.parents.get(&parent) else {
                return parent;
            };
            self.parents.insert(place, above);
            place = above;
        }
        place
    }
}

/// Those crossings that count of one contact, which are in order of t.
fn counted(contact: &[AtFeature]) -> Vec<&AtFeature> {
    let mut counted: Vec<&AtFeature> = contact.iter().filter(|at| at.is_passed).collect();
    let Some(begin) = contact.first().map(|at| at.crossing.t) else {
        return counted;
    };
    if counted.first().is_some_and(|at| at.crossing.t == begin) {
        return counted;
    }
    let at_begin = |side| {
        contact
            .iter()
            .take_while(|at| at.crossing.t == begin)
            .find(|at| at.crossing.side == side)
    };
    match (at_begin(Side::Front), at_begin(Side::Back)) {
        // The surface is touched where the contact begins, whatever happens later.
        (Some(front), Some(back)) => counted.extend([front, back]),
        (Some(one), None) | (None, Some(one)) => {
            let side = one.crossing.side;
            if let Some(passed) = counted.iter_mut().find(|at| at.crossing.side == side) {
                // The surface is met where the contact begins, wherever the moved ray passes it.
                *passed = one;
            } else {
                counted.push(one);
                // A touch that begins here and ends elsewhere; a border, or an end of the ray's
                // range, leaves it without an end.
                if counted.len() == 1 {
                    counted.extend(lowest_last(contact, opposite(side)));
                }
            }
        }
        (None, None) => {}
    }
    counted
}

/// Of the last crossings from `side` that with the lowest triangle.
fn lowest_last(contact: &[AtFeature], side: Side) -> Option<&AtFeature> {
    let from_side = || contact.iter().filter(|at| at.crossing.side == side);
    let last = from_side().next_back()?.crossing.t;
    from_side().find(|at| at.crossing.t == last)
}

/// Reorders runs of equal t so that sides alternate along the whole list as far as they can.
fn alternate(all: &mut [(u32, TriangleHit)]) {
    let mut side = first_side(all);
    let mut first = 0;
    for end in run_ends(all) {
        for place in first..end {
            let found = (place..end)
                .find(|other| all[*other].1.side == side)
                .unwrap_or(place);
            all[place..=found].rotate_right(1);
            side = opposite(all[place].1.side);
        }
        first = end;
    }
}

/// Where each run of equal t ends.
fn run_ends(all: &[(u32, TriangleHit)]) -> Vec<usize> {
    let lengths = all.chunk_by(|a, b| a.1.t == b.1.t).map(<[_]>::len);
    lengths
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect()
}

/// The side with which the list should begin. A run with as many fronts as backs leaves the ray on
/// the side of the surface where it was, so the first other run tells; without one it is front, as
/// for a ray from outside.
fn first_side(all: &[(u32, TriangleHit)]) -> Side {
    all.chunk_by(|a, b| a.1.t == b.1.t)
        .map(|run| {
            let fronts = run.iter().filter(|hit| hit.1.side == Side::Front).count();
            fronts.cmp(&(run.len() - fronts))
        })
        .find(|order| order.is_ne())
        .map_or(Side::Front, |order| {
            if order.is_gt() {
                Side::Front
            } else {
                Side::Back
            }
        })
}

fn opposite(side: Side) -> Side {
    if side == Side::Front {
        Side::Back
    } else {
        Side::Front
    }
}

#[cfg(test)]
mod tests;
