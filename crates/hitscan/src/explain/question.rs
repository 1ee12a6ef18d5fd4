//! Questions that can be explained.

use crate::{
    BallisticArc, ContactsPer, Interior, Primitive, Ray, RayCastSettings, ShapeCast, Sides,
};
use glam::Vec3;

/// A question about a world, as [`Snapshot::explain`](crate::Snapshot::explain) takes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// What a ray hits: [`Snapshot::cast_ray`](crate::Snapshot::cast_ray), or
    /// [`Snapshot::cast_ray_all`](crate::Snapshot::cast_ray_all).
    Ray {
        /// The ray.
        ray: Ray,
        /// What counts as a hit.
        settings: RayCastSettings,
        /// Which hits answer.
        hits: Hits,
    },
    /// What a ballistic arc hits: [`Snapshot::cast_arc`](crate::Snapshot::cast_arc).
    Arc {
        /// The arc.
        arc: BallisticArc,
        /// What counts as a hit.
        settings: RayCastSettings,
    },
    /// What a moving shape hits: [`Snapshot::cast_shape`](crate::Snapshot::cast_shape), or
    /// [`Snapshot::cast_shape_all`](crate::Snapshot::cast_shape_all).
    ShapeCast {
        /// The shape and its motion.
        cast: ShapeCast,
        /// Which sides of triangles are hit.
        sides: Sides,
        /// Which hits answer.
        hits: Hits,
    },
    /// What a resting shape overlaps, touches or is near to:
    /// [`Snapshot::contacts`](crate::Snapshot::contacts).
    Contacts {
        /// The shape.
        shape: Primitive,
        /// How far apart from it things count, metres.
        margin: f32,
        /// Whether each object or each triangle answers.
        each: ContactsPer,
    },
    /// What is nearest to a point: [`Snapshot::closest_point`](crate::Snapshot::closest_point), or
    /// [`Snapshot::closest_point_signed`](crate::Snapshot::closest_point_signed). Each object has one
    /// candidate.
    ClosestPoint {
        /// The point.
        point: Vec3,
        /// How far away things count, metres.
        max_distance: f32,
        /// What has an inside.
        interior: Interior,
    },
}

/// Which hits answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Hits {
    /// The nearest.
    #[default]
    Nearest,
    /// All of a ray; of a moving shape the first with each object.
    All,
}
