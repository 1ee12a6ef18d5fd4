//! Physics engines, asked directly: capsules that hang on joints, and boxes.

use crate::crowd::{Body, OfBody};
use crate::measure::timed;
use crate::skeleton::JOINTS;
use crate::threads::cast_all;
use crate::truth::Answer;
use avian3d::prelude::{PhysicsPlugins, PhysicsTransformConfig, SpatialQuery, SpatialQueryFilter};
use bevy_app::App;
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::SystemState;
use bevy_math::{Quat, Vec3};
use bevy_rapier3d::prelude::{NoUserData, QueryFilter, RapierPhysicsPlugin, ReadRapierContext};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

/// The schedule of the engine, which nothing runs by itself, so that its time is known.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Step;

/// Rays end here.
const REACH: f32 = 1_000.0;

/// A physics engine.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Engine {
    Avian,
    Rapier,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Avian => "avian3d 0.8.0",
            Self::Rapier => "bevy_rapier3d 0.37.0",
        }
    }

    /// Adds the engine, which steps only where it is told to.
    pub(crate) fn add(self, app: &mut App) {
        app.init_schedule(Step);
        match self {
            Self::Avian => {
                // Nothing is simulated: no transform is to be written back, and Bevy has propagated them.
                app.insert_resource(PhysicsTransformConfig {
                    propagate_before_physics: false,
                    position_to_transform: false,
                    ..PhysicsTransformConfig::default()
                });
                app.add_plugins(PhysicsPlugins::new(Step))
            }
            Self::Rapier => {
                app.add_plugins(RapierPhysicsPlugin::<NoUserData>::default().in_schedule(Step))
            }
        };
        app.finish();
        app.cleanup();
    }

    /// Milliseconds of a step.
    pub(crate) fn step(self, app: &mut App) -> f64 {
        timed(|| app.world_mut().run_schedule(Step)).1
    }

    /// Hangs a capsule on each joint of a body.
    pub(crate) fn hang_capsules(self, app: &mut App, number: u32, body: &Body) {
        for (joint, entity) in JOINTS.iter().zip(&body.joints) {
            let turn = Quat::from_rotation_arc(Vec3::Y, joint.bone.normalize());
            let place = Transform::from_translation(joint.bone / 2.0).with_rotation(turn);
            let (radius, length) = (joint.radius, joint.bone.length());
            let mut capsule = app
                .world_mut()
                .spawn((place, OfBody(number), ChildOf(*entity)));
            match self {
                Self::Avian => capsule.insert(avian3d::prelude::Collider::capsule(radius, length)),
                Self::Rapier => {
                    let capsule_y = bevy_rapier3d::prelude::Collider::capsule_y;
                    capsule.insert(capsule_y(length / 2.0, radius))
                }
            };
        }
    }

    /// Gives an entity a box of this half size.
    pub(crate) fn insert_box(self, app: &mut App, entity: Entity, half: Vec3) {
        let mut entity = app.world_mut().entity_mut(entity);
        let Vec3 { x, y, z } = half;
        match self {
            Self::Avian => {
                let cuboid = avian3d::prelude::Collider::cuboid;
                entity.insert(cuboid(2.0 * x, 2.0 * y, 2.0 * z))
            }
            Self::Rapier => entity.insert(bevy_rapier3d::prelude::Collider::cuboid(x, y, z)),
        };
    }

    /// The nearest hits, and the milliseconds that they took.
    pub(crate) fn cast(
        self,
        app: &mut App,
        rays: &[Ray3d],
    ) -> Result<(Vec<Answer>, f64), BevyError> {
        match self {
            Self::Avian => {
                let mut state = SystemState::<(SpatialQuery, Query<&OfBody>)>::new(app.world_mut());
                let (query, bodies) = state.get(app.world())?;
                let filter = SpatialQueryFilter::default();
                Ok(timed(|| {
                    cast_all(rays, |ray| {
                        let hit =
                            query.cast_ray(ray.origin, ray.direction, REACH, true, &filter)?;
                        Some((bodies.get(hit.entity).ok()?.0, hit.distance))
                    })
                }))
            }
            Self::Rapier => {
                let mut state =
                    SystemState::<(ReadRapierContext, Query<&OfBody>)>::new(app.world_mut());
                let (context, bodies) = state.get(app.world())?;
                let context = context.single()?;
                Ok(timed(|| {
                    cast_all(rays, |ray| {
                        let (origin, direction) = (ray.origin, *ray.direction);
                        let filter = QueryFilter::default();
                        let (entity, distance) =
                            context.cast_ray(origin, direction, REACH, true, filter)?;
                        Some((bodies.get(entity).ok()?.0, distance))
                    })
                }))
            }
        }
    }
}
