//! The contacts of a resting shape with each triangle of an object.

use super::Contact;
use super::by_corner::ByCorner;
use super::internal_edges::ContactFeature;
use super::query::ContactQuery;
use super::triangle_source::{SourceTriangle, TriangleSource};
use crate::narrow_phase::convex::{CertainOverlap, Filtered, RestingContact};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::cell::OnceCell;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;
use std::borrow::Cow;

impl ContactQuery<'_> {
    /// The contacts that are not suppressed, in order of part and triangle.
    pub(super) fn with_each_triangle(&self, source: &dyn TriangleSource) -> Vec<Contact> {
        let mut all = WithinMargin {
            query: self,
            found: Vec::new(),
            decided: Vec::new(),
        };
        let outline = self.outline_within_margin();
        let _ = source.for_each_near(&outline, self.reach(), &mut |triangle| {
            all.add(triangle);
            ControlFlow::Continue(())
        });
        all.in_order()
    }
}

/// The triangles within the margin.
struct WithinMargin<'a> {
    query: &'a ContactQuery<'a>,
    found: Vec<Found>,
    decided: Vec<RestingContact>,
}

/// A triangle within the margin.
struct Found {
    triangle: SourceTriangle,
    lie: Lie,
}

/// How the shape lies to a triangle.
enum Lie {
    /// The contact is made of it where it is needed.
    Certain(CertainOverlap),
    /// The place of the contact among those that are decided.
    Decided(usize),
}

impl WithinMargin<'_> {
    /// Adds a triangle, if it is within the margin.
    fn add(&mut self, triangle: SourceTriangle) {
        let query = self.query;
        if !query.is_box_near(&triangle) {
            return;
        }
        let lie = match query.filter(&triangle.convex()) {
            Filtered::Apart if query.margin() == 0.0 => return,
            Filtered::Overlap(overlap) => Lie::Certain(overlap),
            _ => {
                let Some(contact) = query.decide(&triangle) else {
                    return;
                };
                self.decided.push(contact);
                Lie::Decided(self.decided.len() - 1)
            }
        };
        self.found.push(Found { triangle, lie });
    }

    /// The contacts that are not suppressed, in order of part and triangle.
    fn in_order(self) -> Vec<Contact> {
        // What is found is large, so its places are sorted.
        let mut places: Vec<(TriangleId, usize)> = (self.found.iter().enumerate())
            .map(|(place, found)| (found.triangle.id, place))
            .collect();
        places.sort_unstable();
        let mut by_corner = None;
        let mut is_suppressed = |own: &Found| {
            if own.is_of_the_face() {
                return false;
            }
            let compare = self.along_normal(own);
            let feature = ContactFeature::new(&own.triangle.corners, &*compare);
            let by_corner = by_corner.get_or_insert_with(|| {
                ByCorner::new(self.found.len(), &|place| {
                    self.found[place].triangle.corners
                })
            });
            !feature.is_face()
                && by_corner.at(feature.corner()).any(|place| {
                    let other = &self.found[place].triangle;
                    feature.is_inactive_beside(&other.corners, &*compare)
                })
        };
        let all = || places.iter().map(|(_, place)| &self.found[*place]);
        let counts: Vec<bool> = all().map(|own| !is_suppressed(own)).collect();
        let none_does = !counts.contains(&true);
        all()
            .zip(counts)
            .filter(|(_, counts)| none_does || *counts)
            .map(|(own, _)| Contact::of_pair(&self.contact(own), Some(own.triangle.id)))
            .collect()
    }

    /// Compares points along the exact way out.
    fn along_normal<'b>(&'b self, found: &'b Found) -> Box<dyn Fn(DVec3, DVec3) -> Ordering + 'b> {
        match &found.lie {
            Lie::Certain(overlap) => {
                let contact = OnceCell::new();
                Box::new(move |a, b| {
                    overlap.compare_along(a, b).unwrap_or_else(|| {
                        let new = || self.query.certain(&found.triangle.convex(), overlap);
                        contact.get_or_init(new).compare_along_normal(a, b)
                    })
                })
            }
            Lie::Decided(place) => Box::new(|a, b| self.decided[*place].compare_along_normal(a, b)),
        }
    }

    fn contact(&self, found: &Found) -> Cow<'_, RestingContact> {
        match &found.lie {
            Lie::Certain(overlap) => {
                Cow::Owned(self.query.certain(&found.triangle.convex(), overlap))
            }
            Lie::Decided(place) => Cow::Borrowed(&self.decided[*place]),
        }
    }
}

impl Found {
    fn is_of_the_face(&self) -> bool {
        matches!(&self.lie, Lie::Certain(overlap) if overlap.is_of_the_face())
    }
}
