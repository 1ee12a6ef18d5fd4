//! The queries since they were last drawn.

use bevy_shape::Ray3d;
use hitscan::{RayHit, ShapeCast, ShapeHit};
use std::sync::{Mutex, PoisonError};

/// A query and its answer.
#[derive(Clone, Debug)]
pub(crate) enum Traced {
    Ray {
        ray: Ray3d,
        /// How far it goes at most.
        reach: f32,
        hit: Option<RayHit>,
    },
    Sweep {
        cast: ShapeCast,
        hit: Option<ShapeHit>,
    },
}

/// The queries of all systems, which may ask side by side.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<Vec<Traced>>);

impl Trace {
    pub(crate) fn extend(&self, queries: impl Iterator<Item = Traced>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(queries);
    }

    /// All queries since the last time.
    pub(crate) fn take(&self) -> Vec<Traced> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        core::mem::take(&mut *all)
    }
}
