//! The contacts of a resting shape with the triangles of one object.

use super::internal_edges::{ContactFeature, EdgeState};
use super::query::ContactQuery;
use super::triangle_source::{BestFirst, MovingBox, SourceTriangle, TriangleSource};
use super::{Contact, ContactsPer};
use crate::exact::extremes::box_around;
use crate::narrow_phase::convex::{CertainOverlap, Filtered, Outline, RestingContact};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

impl ContactQuery<'_> {
    /// The contacts with an object's triangles, in order.
    pub(crate) fn with_triangles(
        &self,
        source: &dyn TriangleSource,
        each: ContactsPer,
    ) -> Vec<Contact> {
        match each {
            ContactsPer::Object => self.least(source).into_iter().collect(),
            ContactsPer::Triangle => self.with_each_triangle(source),
        }
    }

    /// Whether the shape overlaps a triangle.
    pub(crate) fn overlaps(&self, source: &dyn TriangleSource) -> bool {
        let found = source.for_each_near(self.outline(), self.reach(), &mut |triangle| {
            let overlaps = self
                .with_triangle(&triangle)
                .is_some_and(|contact| contact.status().is_lt());
            if overlaps {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }

    /// The contact of the least separation, exactly; of equal ones one that is not suppressed, then that
    /// of the lowest part and triangle index.
    pub(crate) fn least(&self, source: &dyn TriangleSource) -> Option<Contact> {
        let (contact, triangle) = self.least_resting(source)?;
        Some(Contact::of_pair(&contact, Some(triangle)))
    }

    /// The same, not rounded, with its triangle.
    pub(crate) fn least_resting(
        &self,
        source: &dyn TriangleSource,
    ) -> Option<(RestingContact, TriangleId)> {
        let (min, max) = self.reach();
        let swept = MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        };
        let mut search = Least {
            query: self,
            source,
            best: None,
        };
        source.best_first(&swept, &mut search);
        let best = search.best?;
        Some((best.contact, best.triangle.id))
    }

    /// Whether a neighbour within the margin makes a contact's feature inactive.
    fn is_suppressed(
        &self,
        source: &dyn TriangleSource,
        triangle: &SourceTriangle,
        contact: &RestingContact,
    ) -> bool {
        let compare = |a, b| contact.compare_along_normal(a, b);
        let feature = ContactFeature::new(&triangle.corners, &compare);
        feature.is_suppressed(source, &compare, &|other| {
            self.with_triangle(other).is_some()
        })
    }
}

/// A search for the contact of the least separation.
struct Least<'a> {
    query: &'a ContactQuery<'a>,
    source: &'a dyn TriangleSource,
    best: Option<Best>,
}

struct Best {
    triangle: SourceTriangle,
    contact: RestingContact,
    /// Where the filter was certain of it.
    certain: Option<CertainOverlap>,
    edge: EdgeState,
    /// The separation is greater than the first and no greater than the second.
    within: [f64; 2],
}

impl Best {
    fn new(
        triangle: SourceTriangle,
        contact: RestingContact,
        certain: Option<CertainOverlap>,
    ) -> Self {
        let [low, high] = contact.enclosure();
        Self {
            within: [low.next_down(), high],
            triangle,
            contact,
            certain,
            edge: EdgeState::default(),
        }
    }

    /// Whether the exact separation is no greater than a bound.
    fn is_at_most(&mut self, bound: f64) -> bool {
        let [above, at_most] = self.within;
        if bound >= at_most {
            return true;
        }
        if bound <= above {
            return false;
        }
        // Triangles that tie have the same bound, so this is computed for few.
        let is_at_most = self.contact.compare_separation(bound).is_le();
        self.within[usize::from(is_at_most)] = bound;
        is_at_most
    }

    fn is_suppressed(&mut self, query: &ContactQuery, source: &dyn TriangleSource) -> bool {
        let (triangle, contact) = (&self.triangle, &self.contact);
        // Of shapes whose cores are apart a triangle that makes a feature inactive is nearer: it has the nearest
        // point and a corner beyond the plane through that, on the shape's side. So the least is not
        // inactive.
        !contact.is_by_distance()
            && self
                .edge
                .is_suppressed(|| query.is_suppressed(source, triangle, contact))
    }
}

impl Least<'_> {
    /// How the separation from a triangle of a certain overlap compares with the least one, if that is
    /// certain too.
    fn compare_certain(&self, new: &CertainOverlap) -> Option<Ordering> {
        let best = self.best.as_ref()?;
        let ([low, high], [best_low, best_high]) = (new.separation(), best.contact.enclosure());
        if low > best_high {
            return Some(Ordering::Greater);
        }
        if high < best_low {
            return Some(Ordering::Less);
        }
        new.compare_level(best.certain.as_ref()?)
    }
}

impl BestFirst for Least<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.query.least_separation(min, max)
    }

    fn resting(&self) -> Option<&Outline> {
        Some(self.query.outline())
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        let Some(best) = &mut self.best else {
            return true;
        };
        // What is not nearer than the least can only tie, and does not count if it is not lower.
        !best.is_at_most(bound)
            || bound <= best.contact.enclosure()[1]
                && (id < best.triangle.id || best.is_suppressed(self.query, self.source))
    }

    fn time_limit(&self) -> f32 {
        1.0
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        let limit = (self.best.as_ref()).map_or(f64::INFINITY, |best| best.contact.enclosure()[1]);
        let [min, max] = box_around(&triangle.corners);
        let bound = self.query.least_separation(min, max);
        if !bound.is_some_and(|bound| self.admits(bound, triangle.id))
            || self.query.quick_separation(&triangle.corners) > limit
        {
            return;
        }
        let obstacle = triangle.convex();
        let (certain, contact) = match self.query.filter(&obstacle) {
            Filtered::Overlap(overlap) => {
                let order = self.compare_certain(&overlap);
                let is_later = |best: &Best| best.triangle.id < triangle.id;
                let is_worse = match order {
                    Some(Ordering::Greater) => true,
                    // The best is suppressed only where it is known to be.
                    Some(Ordering::Equal) => self
                        .best
                        .as_ref()
                        .is_some_and(|best| is_later(best) && best.edge == EdgeState::Active),
                    _ => false,
                };
                if is_worse {
                    return;
                }
                let contact = self.query.certain(&obstacle, &overlap);
                (Some(overlap), contact)
            }
            Filtered::Apart if limit <= 0.0 || self.query.margin() == 0.0 => return,
            _ => match self.query.contact_within(&obstacle, limit) {
                Some(contact) => (None, contact),
                None => return,
            },
        };
        let mut new = Best::new(triangle, contact, certain);
        let is_better = match &mut self.best {
            None => true,
            Some(best) => {
                let order = match (&new.certain, &best.certain) {
                    (Some(one), Some(other)) => one.compare_level(other),
                    _ => None,
                };
                match order.unwrap_or_else(|| new.contact.compare(&best.contact)) {
                    Ordering::Less => true,
                    Ordering::Greater => false,
                    Ordering::Equal => {
                        let is_lower = new.triangle.id < best.triangle.id;
                        let (query, source) = (self.query, self.source);
                        if best.is_suppressed(query, source) {
                            is_lower || !new.is_suppressed(query, source)
                        } else {
                            is_lower && !new.is_suppressed(query, source)
                        }
                    }
                }
            }
        };
        if is_better {
            self.best = Some(new);
        }
    }
}
