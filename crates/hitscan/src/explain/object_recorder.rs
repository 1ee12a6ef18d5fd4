//! The recorder of a walk through a world: for each object the recorder of its own walk, and solids.

use super::boxes::solid_corners;
use super::field_recorder::FieldRecorder;
use super::recorder::{Recorder, TreeOf};
use super::space::{Space, finite};
use super::tree_recorder::TreeRecorder;
use super::visit_log::Subject;
use super::visits::{Visit, VisitVerdict, Visited};
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::watch::Outcome;
use crate::world::instance::Instance;
use crate::world::object::Shape;
use crate::world::query::watch::SolidId;
use crate::{ObjectId, Primitive, Ray, RayCastSettings, Sides};
use std::sync::Arc;

impl<'a> Recorder<'a> {
    pub(super) fn objects(&'a self) -> TreeRecorder<'a> {
        TreeRecorder {
            recorder: self,
            of: TreeOf::Objects,
        }
    }

    pub(super) fn parts(&'a self, id: ObjectId, instance: &Arc<Instance>) -> TreeRecorder<'a> {
        self.instance.replace(Some(Arc::clone(instance)));
        let of = TreeOf::Parts;
        self.walk(of).borrow_mut().subject.object = Some(id);
        TreeRecorder { recorder: self, of }
    }

    pub(super) fn part(
        &'a self,
        id: ObjectId,
        part: PlacedPart<'_>,
        local: &LocalRay,
    ) -> TreeRecorder<'a> {
        self.log.borrow_mut().note_begin();
        let of = TreeOf::Triangles;
        self.walk(of).borrow_mut().subject = Subject {
            object: Some(id),
            part: Some(part.index),
            space: Space {
                world_from_local: part.outer_from_rays(),
                ray: *local,
            },
            winding: part.winding(),
        };
        TreeRecorder { recorder: self, of }
    }

    pub(super) fn field(&'a self, id: ObjectId) -> FieldRecorder<'a> {
        let field = self
            .snapshot
            .object(id)
            .and_then(|object| match &object.shape {
                Shape::HeightField(field) => Some(Arc::clone(field)),
                _ => None,
            });
        let subject = self.of_object(id);
        self.log.borrow_mut().note_begin();
        self.field.replace(field.map(|field| (subject, field)));
        FieldRecorder(self)
    }

    pub(super) fn tested_solid(&self, (id, part): SolidId, solid: &Primitive, outcome: Outcome) {
        let subject = self.of_object(id);
        if part.is_some() {
            self.log.borrow_mut().note_begin();
        }
        let mut log = self.log.borrow_mut();
        log.add(|best| {
            let (verdict, t) = classify(solid, self.ray, outcome, best);
            let bounds = solid.bounds();
            let ends = [bounds.min().as_dvec3(), bounds.max().as_dvec3()];
            Visit {
                what: Visited::Solid,
                depth: self.depth_of(id),
                object: Some(id),
                part,
                corners: solid_corners(solid),
                t: t.unwrap_or_else(|| subject.space.times(ends).map(finite)),
                best,
                verdict,
                miss: None,
                is_decided_exactly: false,
            }
        });
        if let Outcome::Kept(t) = outcome {
            log.note_hit(t);
        }
    }

    pub(super) fn tied(&self) {
        self.log.borrow_mut().note_tie();
    }
}

/// The verdict on a solid, and when the ray's line enters and leaves it, if it does.
fn classify(
    solid: &Primitive,
    ray: &Ray,
    outcome: Outcome,
    best: Option<f32>,
) -> (VisitVerdict, Option<[f32; 2]>) {
    // The largest numbers of f32 are a range like any other; an empty ray has no line.
    let line = ray.with_range(f32::MIN, f32::MAX).unwrap_or(*ray);
    let all: Vec<f32> = (solid.solid_hits(&line).into_iter())
        .flat_map(|hits| hits.all().map(|hit| hit.t.0))
        .collect();
    let t = match all[..] {
        [enter, .., leave] => Some([enter, leave]),
        [once] => Some([once; 2]),
        [] => None,
    };
    let any_side = RayCastSettings::from(Sides::Both);
    let in_range = solid
        .solid_hits(ray)
        .and_then(|hits| hits.nearest(any_side));
    let verdict = match (outcome, in_range, t) {
        (Outcome::Kept(_), ..) => VisitVerdict::Hit,
        (Outcome::Left(t), ..) if best == Some(t) => VisitVerdict::Tie,
        (Outcome::Left(_), ..) => VisitVerdict::Farther,
        (Outcome::Refused, Some(hit), _) => VisitVerdict::WrongSide(hit.side),
        (Outcome::Refused, None, None) => VisitVerdict::Missed,
        (Outcome::Refused, None, Some([_, leave])) if leave <= ray.t_min() => VisitVerdict::Behind,
        (Outcome::Refused, None, Some(_)) => VisitVerdict::Beyond,
    };
    (verdict, t)
}
