//! All hits of a ray with one part's triangles, counted so that a closed part's hits
//! alternate between front and back.
//!
//! At an edge or corner that triangles share, all of them are hit. Here such a hit counts as
//! if the ray were perturbed by one fixed infinitesimal: only the triangles that the perturbed ray
//! hits count. Where it hits none of them the ray only touches the part there, and the touch
//! counts as one front and one back hit. Closest and any hit need none of this.
//!
//! A ray may also run in the plane of triangles, which it misses, from an edge or corner of theirs
//! to another. Then all of that is one contact, and is decided as one. Which edges belong together
//! matters only where two of them are hit, so that is found last. Of a ray whose range starts or ends
//! within a contact the rest is a contact by itself: its hits begin with the first that is there,
//! wherever the perturbed ray is.

use super::hit::{RayHit, Side, Sides, TriangleId};
use super::ray::LocalRay;
use super::ray_triangle::{
    Feature, TriangleHit, hits_perturbed, intersect, may_be_in_plane, sides_in_plane,
};
use crate::Ray;
use crate::sorting::{ordered_bits, sort_by_rank};
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
type FeatureKey = [[u64; 3]; 2];

/// A hit at an edge or corner.
#[derive(Debug)]
struct AtFeature {
    key: FeatureKey,
    /// Whether the perturbed ray hits the triangle.
    is_passed: bool,
    triangle: u32,
    hit: TriangleHit,
}

impl PartHits {
    /// Takes the triangle's hit, if the ray hits it. All triangles are tested with the same ray.
    pub(crate) fn test(&mut self, ray: &LocalRay, triangle: u32, corners: &[DVec3; 3]) {
        self.ray = *ray;
        let Some(hit) = intersect(ray, corners) else {
            if may_be_in_plane(ray, corners) {
                self.in_plane.push(*corners);
            }
            return;
        };
        let key = match hit.feature {
            Feature::Face => {
                self.inside_faces.push((triangle, hit));
                return;
            }
            Feature::Edge(k) => key_of(corners[(k + 1) % 3], corners[(k + 2) % 3]),
            Feature::Corner(k) => key_of(corners[k], corners[k]),
        };
        let is_passed = hits_perturbed(ray, corners);
        self.at_features.push(AtFeature {
            key,
            is_passed,
            triangle,
            hit,
        });
    }

    /// The hits of `ray` from one of `sides`, of a part that is not transformed, in order of t.
    pub(crate) fn into_ray_hits(self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let hits = self.into_sorted(|side| side).into_iter();
        hits.filter(|(_, hit)| sides.admits(hit.side))
            .map(|(triangle, hit)| RayHit::on_triangle(ray, TriangleId { part: 0, triangle }, &hit))
            .collect()
    }

    /// The hits in order of t; those of equal t so that front and back alternate with their
    /// neighbours where they can, and otherwise the lowest triangle index first.
    ///
    /// `as_seen` turns a side of the part into the one that the world sees, and back: it is the
    /// world's sides that begin with front outside.
    pub(crate) fn into_sorted(self, as_seen: impl Fn(Side) -> Side) -> Vec<(u32, TriangleHit)> {
        let mut all = self.into_counted();
        let turn = |all: &mut [(u32, TriangleHit)]| {
            for (_, hit) in all {
                hit.side = as_seen(hit.side);
            }
        };
        turn(&mut all);
        alternate(&mut all);
        turn(&mut all);
        all
    }

    /// The hits that count in order of t; those of equal t by their triangles.
    fn into_counted(mut self) -> Vec<(u32, TriangleHit)> {
        self.join_contacts();
        let mut all = self.inside_faces;
        // No triangle comes twice.
        self.at_features.sort_unstable_by(|a, b| {
            let by_key = a.key.cmp(&b.key);
            let by_t = || a.hit.t.total_cmp(&b.hit.t);
            by_key.then_with(by_t).then(a.triangle.cmp(&b.triangle))
        });
        for contact in self.at_features.chunk_by(|a, b| a.key == b.key) {
            let counted = counted(contact).into_iter();
            all.extend(counted.map(|at| (at.triangle, at.hit)));
        }
        sort_by_rank(&mut all, |(triangle, hit)| {
            [ordered_bits(hit.t.into()), u64::from(*triangle), 0]
        });
        all
    }

    /// Gives the edges and corners that belong to one contact one key.
    fn join_contacts(&mut self) {
        let is_one_key = |pair: &[AtFeature]| pair[0].key == pair[1].key;
        if self.at_features.windows(2).all(is_one_key) {
            return;
        }
        let mut contacts = Contacts::default();
        for corners in &self.in_plane {
            contacts.join_along(&self.ray, corners);
        }
        for at in &mut self.at_features {
            at.key = contacts.root(at.key);
        }
    }
}

fn key_of(p: DVec3, q: DVec3) -> FeatureKey {
    // Adding 0 turns -0 into 0.
    let mut key = [p, q].map(|end| (end + DVec3::ZERO).to_array().map(f64::to_bits));
    if key[0] > key[1] {
        key.swap(0, 1);
    }
    key
}

/// Which edges and corners belong to one contact, because the ray runs from one to the other in the
/// plane of a triangle: a disjoint-set forest, with a root for each contact.
#[derive(Debug, Default)]
struct Contacts {
    parents: HashMap<FeatureKey, FeatureKey>,
}

impl Contacts {
    /// Joins the edges and corners of the triangle that the ray hits, if it lies in its plane.
    ///
    /// A triangle without area that the ray hits does the same between the edges that fill it.
    fn join_along(&mut self, ray: &LocalRay, corners: &[DVec3; 3]) {
        let Some(sides) = sides_in_plane(ray, corners) else {
            return;
        };
        let hit_corners = (0..3).filter(|k| sides[*k].is_eq()).map(|k| (k, k));
        let hit_edges = [(0, 1), (1, 2), (2, 0)]
            .into_iter()
            .filter(|(p, q)| sides[*p].is_ne() && sides[*p] == sides[*q].reverse());
        let mut keys = hit_corners
            .chain(hit_edges)
            .map(|(p, q)| key_of(corners[p], corners[q]));
        let Some(first) = keys.next() else { return };
        keys.for_each(|other| self.join(first, other));
    }

    fn join(&mut self, one: FeatureKey, other: FeatureKey) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parents.insert(one.max(other), one.min(other));
        }
    }

    /// The root above a key; paths are halved on the way (Tarjan, van Leeuwen, "Worst-case Analysis
    /// of Set Union Algorithms", Journal of the ACM 31, 1984).
    fn root(&mut self, mut key: FeatureKey) -> FeatureKey {
        while let Some(&parent) = self.parents.get(&key) {
            let Some(&above) = self.parents.get(&parent) else {
                return parent;
            };
            self.parents.insert(key, above);
            key = above;
        }
        key
    }
}

/// Those hits that count of one contact, which are in order of t.
fn counted(contact: &[AtFeature]) -> Vec<&AtFeature> {
    let mut counted: Vec<&AtFeature> = contact.iter().filter(|at| at.is_passed).collect();
    let Some(begin) = contact.first().map(|at| at.hit.t) else {
        return counted;
    };
    if counted.first().is_some_and(|at| at.hit.t == begin) {
        return counted;
    }
    let at_begin = |side| {
        contact
            .iter()
            .take_while(|at| at.hit.t == begin)
            .find(|at| at.hit.side == side)
    };
    match (at_begin(Side::Front), at_begin(Side::Back)) {
        // The surface is touched where the contact begins, whatever happens later.
        (Some(front), Some(back)) => counted.extend([front, back]),
        (Some(one), None) | (None, Some(one)) => {
            let side = one.hit.side;
            let begins_so = first_side(&counted, |at| &at.hit).is_none_or(|first| first == side);
            let passed = counted.iter_mut().find(|at| at.hit.side == side);
            if let Some(passed) = passed.filter(|_| begins_so) {
                // The surface is hit where the contact begins, wherever the perturbed ray hits it.
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

/// Of the last hits from `side` that with the lowest triangle index.
fn lowest_last(contact: &[AtFeature], side: Side) -> Option<&AtFeature> {
    let from_side = || contact.iter().filter(|at| at.hit.side == side);
    let last = from_side().next_back()?.hit.t;
    from_side().find(|at| at.hit.t == last)
}

/// Reorders runs of equal t so that sides alternate along the whole list as far as they can: next is
/// always the first of a run's hits that are left from the side that is due, or else from the other.
///
/// That merges two queues, the run's hits from either side, so each hit is looked at twice at most.
fn alternate(all: &mut [(u32, TriangleHit)]) {
    let mut due = first_side(all, |(_, hit)| hit).unwrap_or(Side::Front);
    let mut queued = Vec::new();
    for run in all.chunk_by_mut(|a, b| a.1.t == b.1.t) {
        if let [(_, alone)] = run {
            due = opposite(alone.side);
            continue;
        }
        queued.clear();
        queued.extend_from_slice(run);
        // Where each side's queue goes on: that of what is due, and the other's.
        let mut queues = [0, 0];
        for place in run {
            let next_from = |side, start: usize| {
                let left = &queued[start..];
                left.iter()
                    .position(|(_, hit)| hit.side == side)
                    .map(|ahead| start + ahead)
            };
            let found = next_from(due, queues[0]);
            queues[0] = found.map_or(queued.len(), |found| found + 1);
            if let Some(found) = found {
                *place = queued[found];
                queues.swap(0, 1);
            } else if let Some(found) = next_from(opposite(due), queues[1]) {
                *place = queued[found];
                queues[1] = found + 1;
                // The same side stays due.
                continue;
            }
            due = opposite(due);
        }
    }
}

/// The side with which hits in order of t should begin. A run with as many fronts as backs leaves the
/// ray on the side of the surface where it was, so the first other run decides.
fn first_side<T>(all: &[T], hit_of: impl Fn(&T) -> &TriangleHit) -> Option<Side> {
    all.chunk_by(|a, b| hit_of(a).t == hit_of(b).t)
        .map(|run| {
            let is_front = |at: &&T| hit_of(at).side == Side::Front;
            let fronts = run.iter().filter(is_front).count();
            fronts.cmp(&(run.len() - fronts))
        })
        .find(|order| order.is_ne())
        .map(|order| {
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
