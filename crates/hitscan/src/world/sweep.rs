//! The moving box against the whole world.

use super::placement::PlacedPart;
use super::{Leaf, LeafShape, ObjectId, World};
use crate::HeightField;
use crate::bvh::Probe;
use crate::hit::TriangleId;
use crate::sweep::{BoxMotion, Contact, Start, box_box, box_sphere, box_triangle};
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
    object: u32,
    is_apart: bool,
    part: u32,
    triangle: u32,
}

impl World {
    /// The first contact of a moving box.
    ///
    /// Of contacts with the same t the lowest object answers, with its own status: overlap at the
    /// start takes part as t = 0. Against a sphere, terrain or triangles the contact is with the
    /// real shape, not its box.
    #[must_use]
    pub fn sweep_box(&self, moving: &BoxMotion) -> Option<WorldContact> {
        let mut first = First::default();
        let _ = self.tree.cast(&probe(moving), 1.0, |leaf| {
            let leaf = self.leaves[leaf as usize];
            match self.leaf_shape(leaf) {
                Some(LeafShape::HeightField(field)) => first.meet_height_field(leaf, field, moving),
                Some(LeafShape::Part(part)) => first.meet_part(leaf, part, moving),
                Some(LeafShape::Sphere(sphere)) => {
                    first.offer(
                        leaf,
                        0,
                        box_sphere(moving, sphere.center(), sphere.radius()),
                    );
                }
                Some(LeafShape::Aabb(aabb)) => first.offer(leaf, 0, box_box(moving, aabb)),
                None => {}
            }
            ControlFlow::Continue(first.limit())
        });
        let (rank, contact) = first.best?;
        let leaf = Leaf {
            object: rank.object,
            part: rank.part,
        };
        let has_triangles = matches!(
            self.leaf_shape(leaf),
            Some(LeafShape::HeightField(_) | LeafShape::Part(_))
        );
        let triangle = has_triangles.then_some(TriangleId {
            part: rank.part,
            triangle: rank.triangle,
        });
        Some(WorldContact {
            object: ObjectId(rank.object),
            contact,
            triangle,
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

    fn offer(&mut self, leaf: Leaf, triangle: u32, contact: Option<Contact>) {
        let Some(contact) = contact else { return };
        let rank = Rank {
            t: contact.t,
            object: leaf.object,
            is_apart: contact.start == Start::Apart,
            part: leaf.part,
            triangle,
        };
        if self.best.as_ref().is_none_or(|(other, _)| rank < *other) {
            self.best = Some((rank, contact));
        }
    }

    fn meet_part(&mut self, leaf: Leaf, part: &PlacedPart, moving: &BoxMotion) {
        // In the part's own space the box would be turned: a box around it moves there instead,
        // and the triangles that it reaches come out into the world.
        let start = moving.start();
        let corners = (start.min().as_dvec3(), start.max().as_dvec3());
        let (corners, motion) = part.local_box(corners, moving.motion().as_dvec3());
        let probe = Probe::moving_box(corners, motion, (0.0, 1.0));
        let _ = part.mesh.bvh().cast(&probe, self.limit(), |triangle| {
            self.offer(
                leaf,
                triangle,
                box_triangle(moving, part.world_corners(triangle)),
            );
            ControlFlow::Continue(self.limit())
        });
    }

    fn meet_height_field(&mut self, leaf: Leaf, field: &HeightField, moving: &BoxMotion) {
        let start = moving.start();
        let (min, max) = (start.min().as_dvec3(), start.max().as_dvec3());
        let motion = moving.motion().as_dvec3();
        // A contact that ties in f32 may be met a little later in f64.
        let wide_limit = |first: &Self| f64::from(first.limit().next_up());
        let limit = wide_limit(self);
        let _ = field.for_each_triangle_swept(min, max, motion, limit, &mut |triangle, corners| {
            self.offer(leaf, triangle, box_triangle(moving, *corners));
            ControlFlow::Continue(wide_limit(self))
        });
    }
}

fn probe(moving: &BoxMotion) -> Probe {
    let start = moving.start();
    let corners = (start.min().as_dvec3(), start.max().as_dvec3());
    Probe::moving_box(corners, moving.motion().as_dvec3(), (0.0, 1.0))
}
