//! What can be explained.

use crate::{Ray, RayCastSettings};

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
