//! Points: heights of the ground, the closest points of surfaces, lines of sight; distances of entities.

use super::entity_hit::{EntityHit, named};
use super::view::{Group, View};
use crate::HitscanFilter;
use bevy_ecs::entity::Entity;
use bevy_math::{Vec2, Vec3};
use hitscan::height_field::GroundHeight;
use hitscan::world::ObjectDistance;
use hitscan::{Blocker, ClosestPoint};

impl View<'_, '_, '_> {
    pub(super) fn height(
        &self,
        xz: Vec2,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<GroundHeight>> {
        let ground = self.ask(filter, Group::All, |objects| {
            self.snapshot.height(xz, objects)
        });
        ground.ok().and_then(named)
    }

    pub(super) fn heights(
        &self,
        xz: &[Vec2],
        filter: &HitscanFilter<'_>,
    ) -> Vec<Option<EntityHit<GroundHeight>>> {
        let grounds = self.ask(filter, Group::All, |objects| {
            self.snapshot.heights(xz, objects)
        });
        let grounds = grounds.into_iter();
        grounds.map(|ground| ground.ok().and_then(named)).collect()
    }

    pub(super) fn closest_point(
        &self,
        point: Vec3,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<ClosestPoint>> {
        let closest = self.ask(filter, Group::All, |objects| {
            self.snapshot
                .closest_point(point, filter.max_distance, objects)
        });
        closest.and_then(named)
    }

    pub(super) fn closest_points(
        &self,
        points: &[Vec3],
        filter: &HitscanFilter<'_>,
    ) -> Vec<Option<EntityHit<ClosestPoint>>> {
        let closest = self.ask(filter, Group::All, |objects| {
            self.snapshot
                .closest_points(points, filter.max_distance, objects)
        });
        closest
            .into_iter()
            .map(|found| found.and_then(named))
            .collect()
    }

    pub(super) fn is_sight_clear(&self, from: Vec3, to: Vec3, filter: &HitscanFilter<'_>) -> bool {
        self.ask(filter, Group::All, |objects| {
            self.snapshot.is_visible(from, to, objects)
        })
    }

    pub(super) fn first_blocker(
        &self,
        from: Vec3,
        to: Vec3,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<Blocker>> {
        let blocker = self.ask(filter, Group::All, |objects| {
            self.snapshot.first_blocker(from, to, objects)
        });
        blocker.and_then(named)
    }

    pub(super) fn distance(
        &self,
        [a, b]: [Entity; 2],
        filter: &HitscanFilter<'_>,
    ) -> Option<ObjectDistance> {
        let object = |entity: Entity| {
            let mut objects = self.snapshot.objects();
            let now = self.world.object(entity).filter(|_| !self.is_past);
            let is_it = |object: &_| self.snapshot.user_data(*object) == Some(entity.to_bits());
            now.or_else(|| objects.find(is_it))
        };
        let (a, b) = (object(a)?, object(b)?);
        self.ask(filter, Group::All, |objects| {
            self.snapshot.distance(a, b, filter.max_distance, objects)
        })
    }
}
