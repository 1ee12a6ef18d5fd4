//! Rays and arcs.

use super::entity_hit::{EntityHit, named};
use super::view::{Group, View};
use crate::HitscanFilter;
use bevy_shape::Ray3d;
use hitscan::{BallisticArc, Ray, RayHit, Sides};

impl View<'_, '_, '_> {
    pub(super) fn cast_ray(
        &self,
        ray: Ray3d,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<RayHit>> {
        let limited = prepared(ray, filter);
        let casts = self.casts(filter.sides).iter();
        let hits = casts.filter_map(|(group, sides)| {
            self.ask(filter, *group, |objects| {
                self.snapshot.cast_ray(&limited, (*sides, objects))
            })
        });
        let hit = hits.reduce(|one, other| self.nearer(one, other));
        let hit = hit.and_then(named);
        #[cfg(feature = "gizmos")]
        self.trace_rays(&[ray], filter, &[hit]);
        hit
    }

    pub(super) fn cast_ray_any(&self, ray: Ray3d, filter: &HitscanFilter<'_>) -> bool {
        let ray = prepared(ray, filter);
        self.casts(filter.sides).iter().any(|(group, sides)| {
            self.ask(filter, *group, |objects| {
                self.snapshot.cast_ray_any(&ray, (*sides, objects))
            })
        })
    }

    pub(super) fn cast_ray_all(
        &self,
        ray: Ray3d,
        filter: &HitscanFilter<'_>,
    ) -> Vec<EntityHit<RayHit>> {
        let ray = prepared(ray, filter);
        let sides = filter.sides.unwrap_or(Sides::Both);
        let hits = self.ask(filter, Group::All, |objects| {
            self.snapshot.cast_ray_all(&ray, (sides, objects))
        });
        let hits = hits.into_iter().filter_map(named);
        let is_hit = |hit: &EntityHit<RayHit>| {
            filter.sides.is_some()
                || !self.is_one_sided(hit.entity)
                || Sides::Front.admits(hit.side)
        };
        hits.filter(is_hit).collect()
    }

    pub(super) fn cast_rays(
        &self,
        rays: &[Ray3d],
        filter: &HitscanFilter<'_>,
    ) -> Vec<Option<EntityHit<RayHit>>> {
        let limited: Vec<Ray> = rays.iter().map(|ray| prepared(*ray, filter)).collect();
        let mut nearest: Vec<Option<RayHit>> = vec![None; limited.len()];
        for (group, sides) in self.casts(filter.sides) {
            let hits = self.ask(filter, *group, |objects| {
                self.snapshot.cast_rays(&limited, (*sides, objects))
            });
            for (nearest, hit) in nearest.iter_mut().zip(hits) {
                *nearest = match (nearest.take(), hit) {
                    (Some(one), Some(other)) => Some(self.nearer(one, other)),
                    (one, other) => one.or(other),
                };
            }
        }
        let hits: Vec<_> = nearest.into_iter().map(|hit| hit.and_then(named)).collect();
        #[cfg(feature = "gizmos")]
        self.trace_rays(rays, filter, &hits);
        hits
    }

    pub(super) fn cast_rays_any(&self, rays: &[Ray3d], filter: &HitscanFilter<'_>) -> Vec<bool> {
        let rays: Vec<Ray> = rays.iter().map(|ray| prepared(*ray, filter)).collect();
        let mut are_hits = vec![false; rays.len()];
        for (group, sides) in self.casts(filter.sides) {
            let some = self.ask(filter, *group, |objects| {
                self.snapshot.cast_rays_any(&rays, (*sides, objects))
            });
            for (is_hit, also) in are_hits.iter_mut().zip(some) {
                *is_hit |= also;
            }
        }
        are_hits
    }

    pub(super) fn cast_arc(
        &self,
        arc: &BallisticArc,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<RayHit>> {
        let casts = self.casts(filter.sides).iter();
        let hits = casts.filter_map(|(group, sides)| {
            self.ask(filter, *group, |objects| {
                self.snapshot.cast_arc(arc, (*sides, objects))
            })
        });
        hits.reduce(|one, other| self.nearer(one, other))
            .and_then(named)
    }

    /// That of two hits which a cast at both their objects returns.
    fn nearer(&self, one: RayHit, other: RayHit) -> RayHit {
        let rank = |hit: &RayHit| hit.object;
        let is_other = other.t < one.t || (other.t == one.t && rank(&other) < rank(&one));
        if is_other { other } else { one }
    }
}

/// A ray of Bevy's as far as the filter lets it go; one with numbers that are not finite hits nothing.
fn prepared(ray: Ray3d, filter: &HitscanFilter<'_>) -> Ray {
    let whole = Ray::new_or_empty(ray.origin, *ray.direction);
    if filter.max_distance == f32::INFINITY {
        whole
    } else {
        whole.limited_to(filter.max_distance)
    }
}
