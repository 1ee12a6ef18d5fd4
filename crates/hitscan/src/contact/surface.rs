//! The contacts of a resting shape with the triangles of one object.

use super::left_out::Furthest;
use super::query::ContactQuery;
use super::triangle_source::{BestFirst, MovingBox, SourceTriangle, TriangleSource};
use super::{Contact, Each};
use crate::convex::{Outline, RestingContact};
use crate::exact::extremes::box_around;
use crate::ray_cast::hit::TriangleId;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

impl ContactQuery {
    /// The contacts with an object's triangles, in order.
    pub(crate) fn with_triangles(&self, source: &dyn TriangleSource, each: Each) -> Vec<Contact> {
        match each {
            Each::Object => self.least(source).into_iter().collect(),
            Each::Triangle => self.all(source),
        }
    }

    /// Whether the shape overlaps a triangle.
    pub(crate) fn overlaps(&self, source: &dyn TriangleSource) -> bool {
        let (min, max) = self.reach();
        let found = source.for_each_in(min, max, &mut |triangle| {
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

    /// The contact with a triangle, if that has an area and is within the margin.
    pub(crate) fn with_triangle(&self, triangle: &SourceTriangle) -> Option<RestingContact> {
        let [min, max] = box_around(&triangle.corners);
        self.least_separation(min, max)?;
        if self.quick_separation(&triangle.corners) > self.margin() {
            return None;
        }
        self.contact(&triangle.convex())
    }

    /// The contacts that are not left out, in order of part and triangle.
    fn all(&self, source: &dyn TriangleSource) -> Vec<Contact> {
        let mut found: Vec<(SourceTriangle, RestingContact)> = Vec::new();
        let (min, max) = self.reach();
        let _ = source.for_each_in(min, max, &mut |triangle| {
            if let Some(contact) = self.with_triangle(&triangle) {
                found.push((triangle, contact));
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|(triangle, _)| (triangle.id.part, triangle.id.triangle));
        let by_corner = ByCorner::new(&found);
        let is_left_out: Vec<bool> = found
            .iter()
            .map(|(triangle, contact)| {
                let compare = |a, b| contact.compare_along_normal(a, b);
                let furthest = Furthest::new(&triangle.corners, &compare);
                !furthest.is_face()
                    && by_corner.at(furthest.corner()).any(|place| {
                        let (other, _) = &found[place];
                        furthest.is_contradicted_by(&other.corners, &compare)
                    })
            })
            .collect();
        let none_is = is_left_out.iter().all(|is_left_out| *is_left_out);
        found
            .iter()
            .zip(is_left_out)
            .filter(|(_, is_left_out)| none_is || !is_left_out)
            .map(|((triangle, contact), _)| Contact::of_pair(contact, Some(triangle.id)))
            .collect()
    }

    /// The contact of the least separation, exactly; of equal ones one that is not left out, then that
    /// of the lowest part and triangle.
    pub(crate) fn least(&self, source: &dyn TriangleSource) -> Option<Contact> {
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
        Some(Contact::of_pair(&best.contact, Some(best.triangle.id)))
    }

    /// Whether a neighbour within the margin contradicts a contact.
    fn is_left_out(
        &self,
        source: &dyn TriangleSource,
        triangle: &SourceTriangle,
        contact: &RestingContact,
    ) -> bool {
        let compare = |a, b| contact.compare_along_normal(a, b);
        let furthest = Furthest::new(&triangle.corners, &compare);
        if furthest.is_face() {
            return false;
        }
        let at = furthest.corner();
        let found = source.for_each_in(at, at, &mut |other| {
            let contradicts = furthest.is_contradicted_by(&other.corners, &compare)
                && self.with_triangle(&other).is_some();
            if contradicts {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        found.is_break()
    }
}

/// Triangles by their corners.
struct ByCorner(Vec<([u64; 3], usize)>);

impl ByCorner {
    fn new(triangles: &[(SourceTriangle, RestingContact)]) -> Self {
        let corners = triangles
            .iter()
            .enumerate()
            .flat_map(|(place, (triangle, _))| triangle.corners.map(|corner| (key(corner), place)));
        let mut corners: Vec<_> = corners.collect();
        corners.sort_unstable();
        Self(corners)
    }

    /// The places of the triangles with a corner at `point`.
    fn at(&self, point: DVec3) -> impl Iterator<Item = usize> {
        let key = key(point);
        let first = self.0.partition_point(|(other, _)| *other < key);
        let same = self.0[first..]
            .iter()
            .take_while(move |(other, _)| *other == key);
        same.map(|(_, place)| *place)
    }
}

/// Equal for equal coordinates; adding zero turns -0 into +0.
fn key(point: DVec3) -> [u64; 3] {
    (point + DVec3::ZERO).to_array().map(f64::to_bits)
}

/// A search for the contact of the least separation.
struct Least<'a> {
    query: &'a ContactQuery,
    source: &'a dyn TriangleSource,
    best: Option<Best>,
}

struct Best {
    triangle: SourceTriangle,
    contact: RestingContact,
    /// Once it was asked for.
    is_left_out: Option<bool>,
}

impl Best {
    fn is_left_out(&mut self, query: &ContactQuery, source: &dyn TriangleSource) -> bool {
        let (triangle, contact) = (&self.triangle, &self.contact);
        // Of shapes whose cores are apart a triangle that contradicts is nearer: it has the nearest
        // point and a corner beyond the plane through that, on the shape's side. So the least is not
        // contradicted.
        !contact.is_by_distance()
            && *self
                .is_left_out
                .get_or_insert_with(|| query.is_left_out(source, triangle, contact))
    }
}

impl BestFirst for Least<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.query.least_separation(min, max)
    }

    fn resting(&self) -> Option<&Outline> {
        Some(self.query.outline())
    }

    fn admits(&mut self, bound: f64, _: TriangleId) -> bool {
        let best = self.best.as_ref();
        best.is_none_or(|best| bound <= best.contact.enclosure()[1])
    }

    fn time_limit(&self) -> f32 {
        1.0
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        let best = self.best.as_ref();
        let limit = best.map_or(f64::INFINITY, |best| best.contact.enclosure()[1]);
        let [min, max] = box_around(&triangle.corners);
        let bound = self.query.least_separation(min, max);
        if bound.is_none_or(|bound| bound > limit)
            || self.query.quick_separation(&triangle.corners) > limit
        {
            return;
        }
        let obstacle = triangle.convex();
        let Some(contact) = self.query.contact_within(&obstacle, limit) else {
            return;
        };
        let mut new = Best {
            triangle,
            contact,
            is_left_out: None,
        };
        let is_better = match &mut self.best {
            None => true,
            Some(best) => match new.contact.compare(&best.contact) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => {
                    let is_lower = new.triangle.id < best.triangle.id;
                    let (query, source) = (self.query, self.source);
                    if best.is_left_out(query, source) {
                        is_lower || !new.is_left_out(query, source)
                    } else {
                        is_lower && !new.is_left_out(query, source)
                    }
                }
            },
        };
        if is_better {
            self.best = Some(new);
        }
    }
}
