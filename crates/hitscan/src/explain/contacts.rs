//! Candidates for contacts: what a resting shape is near to, and the nearest beyond its margin.

use super::candidates::{
    Answered, BySurfaceObject, CandidateQuery, RawCandidate, Scope, candidates, collect_parts,
    collect_surface_parts,
};
use super::explanation::{Candidate, Verdict};
use super::nearest_beyond::nearest_beyond;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::query::surface_pieces::SurfacePieces;
use crate::{Aabb, Contact, ContactsPer, Primitive, TriangleId};
use core::ops::ControlFlow;
use std::collections::BTreeSet;

pub(super) fn candidates_of(
    snapshot: &Snapshot,
    shape: &Primitive,
    margin: f32,
    contacts: &[Contact],
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let answers: Vec<Answered> = contacts.iter().map(answered).collect();
    let query = ContactCandidates {
        within: ContactQuery::new(shape, margin),
        anywhere: ContactQuery::new(shape, f32::MAX),
        margin,
    };
    candidates(snapshot, &query, (&answers, Scope::Object), filter)
}

fn answered(contact: &Contact) -> Answered {
    Answered {
        object: contact.object,
        triangle: contact.triangle,
        t: contact.separation,
    }
}

/// A resting shape with its margin, and with none.
struct ContactCandidates<'a> {
    within: ContactQuery<'a>,
    anywhere: ContactQuery<'a>,
    margin: f32,
}

impl ContactCandidates<'_> {
    fn collect_triangles(&self, source: &dyn TriangleSource, found: &mut Vec<RawCandidate>) {
        self.collect_within(source, found);
        self.collect_beyond(source, found);
    }

    fn collect_within(&self, source: &dyn TriangleSource, found: &mut Vec<RawCandidate>) {
        let counted = self.within.with_triangles(source, ContactsPer::Triangle);
        let counted: BTreeSet<Option<TriangleId>> =
            counted.iter().map(|contact| contact.triangle).collect();
        let (min, max) = self.within.reach();
        let _ = source.for_each_in(min, max, &mut |triangle| {
            if let Some(contact) = self.within.with_triangle(&triangle) {
                let id = Some(triangle.id);
                found.push(RawCandidate {
                    triangle: id,
                    t: contact.separation(),
                    refusal: (!counted.contains(&id)).then(left_out),
                });
            }
            ControlFlow::Continue(())
        });
    }

    /// The nearest of those beyond the margin.
    fn collect_beyond(&self, source: &dyn TriangleSource, found: &mut Vec<RawCandidate>) {
        let beyond = nearest_beyond(source, &self.within, &self.anywhere);
        found.extend(beyond.into_iter().map(|(t, id)| RawCandidate {
            triangle: Some(id),
            t,
            refusal: Some(self.out_of_range()),
        }));
    }

    fn of_solid(&self, solid: &Primitive) -> Option<RawCandidate> {
        let contact = self.anywhere.with_primitive(solid)?;
        let is_within = self.within.with_primitive(solid).is_some();
        Some(RawCandidate {
            triangle: None,
            t: contact.separation,
            refusal: (!is_within).then(|| self.out_of_range()),
        })
    }

    fn out_of_range(&self) -> (Verdict, String) {
        let why = format!("beyond the margin of {} m", self.margin);
        (Verdict::OutOfRange, why)
    }
}

impl CandidateQuery for ContactCandidates<'_> {
    fn name(&self) -> &'static str {
        "the shape"
    }

    fn number(&self) -> &'static str {
        "separation"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        let mut collect = |source: &dyn TriangleSource| self.collect_triangles(source, found);
        if let Some(instance) = object.shape.meshes() {
            filter.with_source(&instance.parts(), &mut collect);
        }
        match &object.shape {
            Shape::HeightField(field) => filter.with_source(&**field, collect),
            Shape::Instance(_) => {}
            Shape::Primitive(solid) => found.extend(self.of_solid(&solid.get())),
            Shape::Compound(compound) => {
                let parts = compound.seen(object.id, filter);
                collect_parts(parts, |solid| self.of_solid(solid), found);
            }
        }
    }

    fn collect_surface(
        &self,
        pieces: &SurfacePieces<'_>,
        filter: &QueryFilter<'_>,
    ) -> Option<BySurfaceObject> {
        let mut within = Vec::new();
        filter.with_source(pieces, |source| self.collect_within(source, &mut within));
        let mut found = BySurfaceObject::new();
        for one in within {
            let Some(id) = one.triangle else { continue };
            let (object, triangle) = pieces.own(id);
            found.entry(object.id).or_default().push(RawCandidate {
                triangle: Some(triangle),
                ..one
            });
        }
        // Each object has its own nearest ones.
        pieces.for_each_source(|object, source| {
            let of_object = found.entry(object.id).or_default();
            filter.with_source(source, |source| self.collect_beyond(source, of_object));
        });
        collect_surface_parts((pieces, filter), |solid| self.of_solid(solid), &mut found);
        Some(found)
    }

    fn touches_box(&self, bounds: &Aabb) -> bool {
        self.of_solid(&Primitive::from(*bounds)).is_some()
    }
}

fn left_out() -> (Verdict, String) {
    let why = "the edge or corner is internal, flat or concave: a neighbouring triangle continues beyond it";
    (Verdict::InternalEdge, why.to_owned())
}
