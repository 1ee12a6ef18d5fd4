//! Rays against the whole world: nearest, any and all hits.

use super::{Leaf, LeafShape, ObjectId, World};
use crate::all_hits::PartCrossings;
use crate::bvh::Probe;
use crate::hit::unit;
use crate::ray::LocalRay;
use crate::ray_triangle::Crossing;
use crate::solid::{Passage, SolidHit};
use crate::{Hit, Ray, Sides};
use core::ops::ControlFlow;

/// A hit, and the object that was met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldHit {
    /// The object that was met.
    pub object: ObjectId,
    /// Where it was met.
    pub hit: Hit,
}

/// What decides between two hits: t, then object, part and triangle.
type Rank = (f32, u32, u32, u32);

/// A hit that may still be beaten; it becomes a [`Hit`] only at the end.
#[derive(Clone, Copy)]
enum Candidate {
    Crossing(Crossing),
    Solid(SolidHit),
}

impl World {
    /// The nearest hit of `ray` from one of `sides`.
    ///
    /// Of hits with the same t the lowest object answers, then the lowest part, then the lowest
    /// triangle.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, sides: Sides) -> Option<WorldHit> {
        let wide = LocalRay::from(ray);
        let mut best: Option<(Rank, Candidate)> = None;
        let _ = self.tree.cast(&self.probe(&wide), f32::INFINITY, |leaf| {
            let leaf = self.leaves[leaf as usize];
            let limit = best.as_ref().map_or(f32::INFINITY, |(rank, _)| rank.0);
            if let Some((t, triangle, candidate)) = self.nearest_in(leaf, ray, &wide, sides, limit)
            {
                let rank = (t, leaf.object, leaf.part, triangle);
                if best.as_ref().is_none_or(|(other, _)| rank < *other) {
                    best = Some((rank, candidate));
                }
            }
            ControlFlow::Continue(best.as_ref().map_or(f32::INFINITY, |(rank, _)| rank.0))
        });
        let ((_, object, part, triangle), candidate) = best?;
        Some(self.world_hit(ray, Leaf { object, part }, triangle, candidate))
    }

    /// Whether `ray` hits anything from one of `sides`.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, sides: Sides) -> bool {
        let wide = LocalRay::from(ray);
        let visit = |leaf: u32| {
            let is_hit = match self.leaf_shape(self.leaves[leaf as usize]) {
                Some(LeafShape::HeightField(height_field)) => height_field.hits_any(&wide, sides),
                Some(LeafShape::Part(part)) => part
                    .mesh
                    .is_hit(&part.local_ray(&wide), part.mesh_sides(sides)),
                Some(LeafShape::Sphere(sphere)) => sphere.cast_ray(ray, sides).is_some(),
                Some(LeafShape::Aabb(aabb)) => aabb.cast_ray(ray, sides).is_some(),
                None => false,
            };
            if is_hit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(f32::INFINITY)
            }
        };
        self.tree
            .cast(&self.probe(&wide), f32::INFINITY, visit)
            .is_break()
    }

    /// All hits of `ray` from one of `sides`, nearest first.
    ///
    /// A crossing at an edge or corner that triangles share counts as if the ray were moved aside
    /// by one fixed infinitesimal, so that the crossings of a closed part alternate between front
    /// and back; a touch that this would lose is one front and one back hit. Solids give entry and
    /// exit. Hits with the same t are in the order of objects and parts.
    #[must_use]
    pub fn cast_ray_all(&self, ray: &Ray, sides: Sides) -> Vec<WorldHit> {
        let wide = LocalRay::from(ray);
        let mut hits = Vec::new();
        let _ = self.tree.cast(&self.probe(&wide), f32::INFINITY, |leaf| {
            let leaf = self.leaves[leaf as usize];
            let mut crossings = PartCrossings::default();
            let mut push = |triangle, candidate| {
                let hit = self.world_hit(ray, leaf, triangle, candidate);
                hits.push(((hit.hit.t, leaf.object, leaf.part), hit));
            };
            match self.leaf_shape(leaf) {
                Some(LeafShape::HeightField(height_field)) => {
                    // Nothing breaks off, so the way it ends says nothing.
                    let _ = height_field.for_each_candidate(&wide, &mut |triangle, corners| {
                        crossings.test(&wide, triangle, corners);
                        ControlFlow::Continue(())
                    });
                }
                Some(LeafShape::Part(part)) => {
                    let local = part.local_ray(&wide);
                    part.mesh.for_each_candidate(&local, |triangle, corners| {
                        crossings.test(&local, triangle, corners);
                    });
                }
                Some(LeafShape::Sphere(sphere)) => {
                    let all = sphere.passage(ray).into_iter().flat_map(Passage::all);
                    all.for_each(|hit| push(0, Candidate::Solid(hit)));
                }
                Some(LeafShape::Aabb(aabb)) => {
                    let all = aabb.passage(ray).into_iter().flat_map(Passage::all);
                    all.for_each(|hit| push(0, Candidate::Solid(hit)));
                }
                None => {}
            }
            let as_seen = |side| match self.leaf_shape(leaf) {
                Some(LeafShape::Part(part)) => part.turned(side),
                _ => side,
            };
            for (triangle, crossing) in crossings.into_sorted(as_seen) {
                push(triangle, Candidate::Crossing(crossing));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
        // The sort is stable: the order within a part stays as it was found.
        hits.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        hits.into_iter()
            .map(|(_, hit)| hit)
            .filter(|hit| sides.admits(hit.hit.side))
            .collect()
    }

    /// The ray as the tree sees it, widened by what transforms into parts may carry it off.
    fn probe(&self, ray: &LocalRay) -> Probe {
        let margin = self.origin_margin * ray.origin.abs().max_element();
        let corners = (ray.origin - margin, ray.origin + margin);
        Probe::moving_box(corners, ray.direction, (ray.t_min, ray.t_max))
    }

    fn nearest_in(
        &self,
        leaf: Leaf,
        ray: &Ray,
        wide: &LocalRay,
        sides: Sides,
        limit: f32,
    ) -> Option<(f32, u32, Candidate)> {
        let on_surface = |(triangle, crossing): (u32, Crossing)| {
            (crossing.t, triangle, Candidate::Crossing(crossing))
        };
        let in_solid = |hit: SolidHit| (hit.t.0, 0, Candidate::Solid(hit));
        match self.leaf_shape(leaf)? {
            LeafShape::HeightField(height_field) => {
                height_field.nearest(wide, sides, limit).map(on_surface)
            }
            LeafShape::Part(part) => {
                let sides = part.mesh_sides(sides);
                part.mesh
                    .nearest(&part.local_ray(wide), sides, limit)
                    .map(on_surface)
            }
            LeafShape::Sphere(sphere) => sphere.passage(ray)?.nearest(sides).map(in_solid),
            LeafShape::Aabb(aabb) => aabb.passage(ray)?.nearest(sides).map(in_solid),
        }
    }

    fn world_hit(&self, ray: &Ray, leaf: Leaf, triangle: u32, candidate: Candidate) -> WorldHit {
        let hit = match candidate {
            Candidate::Solid(hit) => hit.into_hit(ray),
            Candidate::Crossing(crossing) => {
                let (normal, side) = match self.leaf_shape(leaf) {
                    Some(LeafShape::Part(part)) => (
                        part.world_normal(crossing.normal),
                        part.turned(crossing.side),
                    ),
                    _ => (crossing.normal, crossing.side),
                };
                let t = (crossing.t, crossing.t_wide);
                let surface = (unit(normal), side);
                Hit::new(ray, t, surface, Some(crossing.on(leaf.part, triangle)))
            }
        };
        WorldHit {
            object: ObjectId(leaf.object),
            hit,
        }
    }
}
