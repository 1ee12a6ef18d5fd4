//! The system parameter.

use super::detail::HitscanHit;
use super::entity_hit::EntityHit;
use super::view::{Lookups, View};
use crate::{HitscanFilter, HitscanWorld};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Vec2, Vec3};
use bevy_shape::Ray3d;
use hitscan::height_field::GroundHeight;
use hitscan::world::ObjectDistance;
use hitscan::{
    BallisticArc, Blocker, ClosestPoint, Contact, Primitive, RayHit, ShapeCast, ShapeHit, Snapshot,
};

/// A system parameter for ray casts, shape casts and other queries of the world as of the last sync.
///
/// It only reads, so systems that query run in parallel. Answers name entities; their fields are those of the
/// library's. Queries never fail, never panic, and never answer NaN.
///
/// It reads `Assets<Mesh>`: a system that also writes them takes both in a `ParamSet`.
///
/// ```
/// use bevy_hitscan::prelude::*;
/// use bevy_math::{Dir3, Vec3};
/// use bevy_shape::Ray3d;
/// fn look_down(hitscan: Hitscan) {
///     let ray = Ray3d::new(Vec3::new(0.0, 50.0, 0.0), Dir3::NEG_Y);
///     if let Some(hit) = hitscan.cast_ray(ray, &HitscanFilter::new()) {
///         println!("{} is {} m below", hit.entity, hit.distance);
///     }
/// }
/// # bevy_ecs::system::assert_is_system(look_down);
/// ```
#[derive(SystemParam)]
pub struct Hitscan<'w, 's> {
    world: Res<'w, HitscanWorld>,
    lookups: Lookups<'w, 's>,
}

impl<'w, 's> Hitscan<'w, 's> {
    fn view(&self) -> View<'_, 'w, 's> {
        View {
            snapshot: self.world.now(),
            world: &self.world,
            lookups: &self.lookups,
            is_past: false,
        }
    }

    /// The library's snapshot, for the queries that have no method here.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.world.now()
    }

    /// The world as it was at a time in ticks of [`HitscanTick`](crate::HitscanTick): at a tick as it was recorded,
    /// between two interpolated. `None` before the first tick that is kept, and after the last.
    #[must_use]
    pub fn at(&self, ticks: f64) -> Option<HitscanPast<'_, 'w, 's>> {
        let snapshot = self.world.world.at(ticks)?;
        Some(HitscanPast {
            snapshot,
            hitscan: self,
        })
    }

    /// The world that is queried.
    #[must_use]
    pub fn world(&self) -> &HitscanWorld {
        &self.world
    }
}

/// What rays and shapes would have hit at an earlier time; from [`Hitscan::at`].
///
/// Entities that are despawned by now are named as they were. Which entities were visible is not kept: all that the
/// filter accepts otherwise are considered. The hierarchy is that of the present.
pub struct HitscanPast<'a, 'w, 's> {
    snapshot: Snapshot,
    hitscan: &'a Hitscan<'w, 's>,
}

impl<'w, 's> HitscanPast<'_, 'w, 's> {
    fn view(&self) -> View<'_, 'w, 's> {
        View {
            snapshot: &self.snapshot,
            world: &self.hitscan.world,
            lookups: &self.hitscan.lookups,
            is_past: true,
        }
    }

    /// The library's snapshot, for the queries that have no method here.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }
}

/// The queries, for each type that has a view.
macro_rules! queries {
    () => {
        /// The nearest hit of a ray.
        #[must_use]
        pub fn cast_ray(
            &self,
            ray: Ray3d,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<RayHit>> {
            self.view().cast_ray(ray, filter)
        }

        /// Whether a ray hits anything.
        #[must_use]
        pub fn cast_ray_any(&self, ray: Ray3d, filter: &HitscanFilter<'_>) -> bool {
            self.view().cast_ray_any(ray, filter)
        }

        /// All hits of a ray, nearest first: each crossing of a surface, solids by entry and exit.
        #[must_use]
        pub fn cast_ray_all(
            &self,
            ray: Ray3d,
            filter: &HitscanFilter<'_>,
        ) -> Vec<EntityHit<RayHit>> {
            self.view().cast_ray_all(ray, filter)
        }

        /// The nearest hit of each ray, in their order: quicker than one after the other, and the same bits.
        #[must_use]
        pub fn cast_rays(
            &self,
            rays: &[Ray3d],
            filter: &HitscanFilter<'_>,
        ) -> Vec<Option<EntityHit<RayHit>>> {
            self.view().cast_rays(rays, filter)
        }

        /// Whether each ray hits anything, in their order.
        #[must_use]
        pub fn cast_rays_any(&self, rays: &[Ray3d], filter: &HitscanFilter<'_>) -> Vec<bool> {
            self.view().cast_rays_any(rays, filter)
        }

        /// The first hit of what flies under gravity.
        #[must_use]
        pub fn cast_arc(
            &self,
            arc: &BallisticArc,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<RayHit>> {
            self.view().cast_arc(arc, filter)
        }

        /// The first hit of a shape that moves.
        #[must_use]
        pub fn cast_shape(
            &self,
            cast: &ShapeCast,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<ShapeHit>> {
            self.view().cast_shape(cast, filter)
        }

        /// The first hit of a shape that moves with each entity, by time.
        #[must_use]
        pub fn cast_shape_all(
            &self,
            cast: &ShapeCast,
            filter: &HitscanFilter<'_>,
        ) -> Vec<EntityHit<ShapeHit>> {
            self.view().cast_shape_all(cast, filter)
        }

        /// The first hit of each shape that moves, in their order.
        #[must_use]
        pub fn cast_shapes(
            &self,
            casts: &[ShapeCast],
            filter: &HitscanFilter<'_>,
        ) -> Vec<Option<EntityHit<ShapeHit>>> {
            self.view().cast_shapes(casts, filter)
        }

        /// What a shape at rest overlaps, touches, or is no farther from than `margin` metres: one contact for
        /// each entity.
        #[must_use]
        pub fn contacts(
            &self,
            shape: impl Into<Primitive>,
            margin: f32,
            filter: &HitscanFilter<'_>,
        ) -> Vec<EntityHit<Contact>> {
            self.view().contacts(&shape.into(), margin, filter)
        }

        /// Whether a shape at rest overlaps anything.
        #[must_use]
        pub fn overlaps_shape(
            &self,
            shape: impl Into<Primitive>,
            filter: &HitscanFilter<'_>,
        ) -> bool {
            self.view().overlaps_shape(&shape.into(), filter)
        }

        /// The height of the highest terrain at x and z; `None` beyond all terrain and at holes.
        #[must_use]
        pub fn height(
            &self,
            xz: Vec2,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<GroundHeight>> {
            self.view().height(xz, filter)
        }

        /// The height at each x and z, in their order.
        #[must_use]
        pub fn heights(
            &self,
            xz: &[Vec2],
            filter: &HitscanFilter<'_>,
        ) -> Vec<Option<EntityHit<GroundHeight>>> {
            self.view().heights(xz, filter)
        }

        /// The closest point of all surfaces within the filter's distance; inside a solid the distance is negative.
        #[must_use]
        pub fn closest_point(
            &self,
            point: Vec3,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<ClosestPoint>> {
            self.view().closest_point(point, filter)
        }

        /// The closest point to each point, in their order.
        #[must_use]
        pub fn closest_points(
            &self,
            points: &[Vec3],
            filter: &HitscanFilter<'_>,
        ) -> Vec<Option<EntityHit<ClosestPoint>>> {
            self.view().closest_points(points, filter)
        }

        /// Whether two points see each other.
        #[must_use]
        pub fn is_sight_clear(&self, from: Vec3, to: Vec3, filter: &HitscanFilter<'_>) -> bool {
            self.view().is_sight_clear(from, to, filter)
        }

        /// The first thing that hides two points from one another.
        #[must_use]
        pub fn first_blocker(
            &self,
            from: Vec3,
            to: Vec3,
            filter: &HitscanFilter<'_>,
        ) -> Option<EntityHit<Blocker>> {
            self.view().first_blocker(from, to, filter)
        }

        /// How far two entities are apart, and where; `None` beyond the filter's distance, and where one of them
        /// is not in the world or not considered.
        #[must_use]
        pub fn distance(
            &self,
            entities: [Entity; 2],
            filter: &HitscanFilter<'_>,
        ) -> Option<ObjectDistance> {
            self.view().distance(entities, filter)
        }

        /// What else there is to say of a hit of this snapshot.
        #[must_use]
        pub fn detail(&self, hit: &EntityHit<RayHit>) -> HitscanHit {
            self.view().detail(hit)
        }
    };
}

impl Hitscan<'_, '_> {
    queries!();
}

impl HitscanPast<'_, '_, '_> {
    queries!();
}
