//! Queries and their answers, kept to be drawn where [`HitscanGizmosPlugin`](crate::HitscanGizmosPlugin) is.

use super::entity_hit::EntityHit;
use super::view::View;
use crate::HitscanFilter;
use crate::trace::Traced;
use bevy_shape::Ray3d;
use hitscan::{RayHit, ShapeCast, ShapeHit};

impl View<'_, '_, '_> {
    pub(super) fn trace_rays(
        &self,
        rays: &[Ray3d],
        filter: &HitscanFilter<'_>,
        hits: &[Option<EntityHit<RayHit>>],
    ) {
        if let Some(trace) = &self.world.trace {
            trace.extend(rays.iter().zip(hits).map(|(ray, hit)| Traced::Ray {
                ray: *ray,
                reach: filter.max_distance,
                hit: hit.map(|hit| hit.hit),
            }));
        }
    }

    pub(super) fn trace_sweeps(&self, casts: &[ShapeCast], hits: &[Option<EntityHit<ShapeHit>>]) {
        if let Some(trace) = &self.world.trace {
            trace.extend(casts.iter().zip(hits).map(|(cast, hit)| Traced::Sweep {
                cast: cast.clone(),
                hit: hit.map(|hit| hit.hit),
            }));
        }
    }
}
