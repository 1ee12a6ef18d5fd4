//! The moving box against the whole world.

use crate::bvh::TraversalQuery;
use crate::query::filter::QueryFilter;
use crate::ray_cast::hit::TriangleId;
use crate::shape_cast::{BoxMotion, Contact, StartState, box_triangle};
use crate::world::Snapshot;
use crate::world::instance_transform::InstancedPart;
use crate::world::object::{Object, Shape};
use crate::{HeightField, ObjectId};
use core::ops::ControlFlow;

/// A contact of a moving box, and the object that it met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldContact {
    /// The object that was met.
    pub object: ObjectId,
    /// When and how it was met.
    pub contact: Contact,
    /// The triangle that was met; `None` for spheres and boxes.
    pub triangle: Option<TriangleId>,
}

/// What decides between two contacts: t, then the object; in one object an overlap at the start
/// comes before a hit at t = 0, then part and triangle decide.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Rank {
    t: f32,
    object: ObjectId,
    is_apart: bool,
    triangle: Option<TriangleId>,
}

impl Snapshot {
    /// The first contact of a moving box with what `filter` sees.
    ///
    /// Of contacts with the same t the lowest object answers, with its own status: overlap at the
    /// start takes part as t = 0. Against a sphere, terrain or triangles the contact is with the
    /// real shape, not its box.
    #[must_use]
    pub fn sweep_box(&self, moving: &BoxMotion, filter: QueryFilter<'_>) -> Option<WorldContact> {
        let probe = probe(moving);
        let mut first = First::default();
        let _ = self.tree().cast(&probe, 1.0, |slot| {
            self.ask_object(slot, &filter, |object| first.meet(object, moving, &probe));
            ControlFlow::Continue(first.limit())
        });
        let (rank, contact) = first.best?;
        Some(WorldContact {
            object: rank.object,
            contact,
            triangle: rank.triangle,
        })
    }
}

/// The first contact found so far.
#[derive(Default)]
struct First {
    best: Option<(Rank, Contact)>,
}

impl First {
    /// The greatest t that still matters.
    fn limit(&self) -> f32 {
        self.best.as_ref().map_or(1.0, |(rank, _)| rank.t)
    }

    fn offer(&mut self, object: ObjectId, triangle: Option<TriangleId>, contact: Option<Contact>) {
        let Some(contact) = contact else { return };
        let rank = Rank {
            t: contact.t,
            object,
            is_apart: contact.start == StartState::Separate,
            triangle,
        };
        if self.best.as_ref().is_none_or(|(other, _)| rank < *other) {
            self.best = Some((rank, contact));
        }
    }

    fn meet(&mut self, object: &Object, moving: &BoxMotion, probe: &TraversalQuery) {
        match &object.shape {
            Shape::HeightField(field) => self.meet_height_field(object.id, field, moving),
            Shape::Instance(instance) => {
                let _ = instance.cast(probe, self.limit(), |index, part| {
                    self.meet_part((object.id, index), part, moving);
                    ControlFlow::Continue(self.limit())
                });
            }
            Shape::Primitive(solid) => self.offer(object.id, None, solid.get().sweep(moving)),
        }
    }

    fn meet_part(
        &mut self,
        (object, index): (ObjectId, u32),
        part: &InstancedPart,
        moving: &BoxMotion,
    ) {
        // In the part's own space the box would be turned: a box around it moves there instead,
        // and the triangles that it reaches come out into the world.
        let start = moving.start();
        let corners = (start.min().as_dvec3(), start.max().as_dvec3());
        let (corners, motion) = part.local_box(corners, moving.motion().as_dvec3());
        let probe = TraversalQuery::moving_box(corners, motion, (0.0, 1.0));
        let mesh = part.mesh();
        let _ = mesh.bvh().cast(&probe, self.limit(), |triangle| {
            let id = TriangleId {
                part: index,
                triangle,
            };
            let contact = box_triangle(moving, part.world_corners(mesh, triangle));
            self.offer(object, Some(id), contact);
            ControlFlow::Continue(self.limit())
        });
    }

    fn meet_height_field(&mut self, object: ObjectId, field: &HeightField, moving: &BoxMotion) {
        let start = moving.start();
        let (min, max) = (start.min().as_dvec3(), start.max().as_dvec3());
        let motion = moving.motion().as_dvec3();
        // A contact that ties in f32 may be met a little later in f64.
        let wide_limit = |first: &Self| f64::from(first.limit().next_up());
        let limit = wide_limit(self);
        let _ = field.for_each_triangle_swept(min, max, motion, limit, &mut |triangle, corners| {
            let id = TriangleId { part: 0, triangle };
            self.offer(object, Some(id), box_triangle(moving, *corners));
            ControlFlow::Continue(wide_limit(self))
        });
    }
}

fn probe(moving: &BoxMotion) -> TraversalQuery {
    let start = moving.start();
    let corners = (start.min().as_dvec3(), start.max().as_dvec3());
    TraversalQuery::moving_box(corners, moving.motion().as_dvec3(), (0.0, 1.0))
}
