//! Subjects of measuring: the plugin and its peers, each in an app of its own.

use crate::body::Limb;
use crate::brute_force::Answer;
use crate::crowd::{Crowd, PartOf};
use crate::parallel::cast_all;
use crate::skinned_cast;
use crate::stage::{Frame, Part, app, ready};
use avian3d::prelude as avian;
use bevy_app::{App, PostUpdate};
use bevy_camera::visibility::DynamicSkinnedMeshBounds;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy_rapier3d::prelude as rapier;
use bevy_shape::Ray3d;
use core::time::Duration;
use std::time::Instant;

/// A library that answers rays in Bevy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// None: what Bevy spends anyway.
    Bevy,
    /// The plugin.
    Hitscan,
    /// Bevy's own ray cast, which sees skins in their bind pose.
    MeshRayCast,
    /// The same with meshes that are skinned on the CPU.
    SkinnedMeshRayCast,
    /// avian3d's colliders.
    Avian,
    /// bevy_rapier3d's colliders.
    Rapier,
}

impl Subject {
    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bevy => "Bevy",
            Self::Hitscan => "bevy_hitscan",
            Self::MeshRayCast => "MeshRayCast",
            Self::SkinnedMeshRayCast => "MeshRayCast, skinned",
            Self::Avian => "avian3d",
            Self::Rapier => "bevy_rapier3d",
        }
    }

    /// An app with it.
    #[must_use]
    pub fn app(self) -> App {
        let mut app = app();
        match self {
            Self::Bevy | Self::MeshRayCast | Self::SkinnedMeshRayCast => {}
            Self::Hitscan => {
                app.add_plugins(HitscanPlugin::default().bake_blocking());
            }
            Self::Avian => {
                use avian::PhysicsSystems;
                app.add_plugins(avian::PhysicsPlugins::new(PostUpdate));
                app.configure_sets(
                    PostUpdate,
                    (
                        PhysicsSystems::First,
                        PhysicsSystems::Prepare,
                        PhysicsSystems::StepSimulation,
                        PhysicsSystems::Writeback,
                        PhysicsSystems::Last,
                    )
                        .in_set(Part::Physics),
                );
            }
            Self::Rapier => {
                use rapier::PhysicsSet;
                // What queries need, and no dynamics.
                let context = rapier::RapierContextInitialization::InitializeDefaultRapierContext {
                    integration_parameters: rapier::IntegrationParameters::default(),
                    rapier_configuration: rapier::RapierConfiguration {
                        simulation_mode: rapier::SimulationMode::CollisionOnly,
                        ..rapier::RapierConfiguration::new(1.0)
                    },
                    broad_phase_optimization_strategy:
                        rapier::BroadPhaseOptimizationStrategy::default(),
                };
                let plugin = rapier::RapierPhysicsPlugin::<rapier::NoUserData>::default();
                app.add_plugins(plugin.with_custom_initialization(context));
                app.configure_sets(
                    PostUpdate,
                    (
                        PhysicsSet::SyncBackend,
                        PhysicsSet::StepSimulation,
                        PhysicsSet::Writeback,
                    )
                        .in_set(Part::Physics),
                );
            }
        }
        app
    }

    /// Lets a crowd walk in an app with it.
    #[must_use]
    pub fn with_crowd(self, mut app: App, crowd: Crowd) -> App {
        // Resources are there once an app has started.
        app.finish();
        app.cleanup();
        let world = app.world_mut();
        match self {
            Self::Bevy | Self::Hitscan | Self::MeshRayCast => crowd.spawn(world, |_, _| {}, |_| {}),
            Self::SkinnedMeshRayCast => crowd.spawn(
                world,
                |_, _| {},
                |mesh| {
                    mesh.insert(DynamicSkinnedMeshBounds);
                },
            ),
            Self::Avian => crowd.spawn(
                world,
                |joint, limb| {
                    joint.insert(avian_capsule(limb));
                },
                |_| {},
            ),
            Self::Rapier => crowd.spawn(
                world,
                |joint, limb| {
                    joint.insert(rapier_capsule(limb));
                },
                |_| {},
            ),
        }
        ready(&mut app);
        app
    }

    /// What it costs to keep it up to date, of a frame of its own beside one of [`Subject::Bevy`].
    #[must_use]
    pub fn upkeep(self, own: &Frame, bevy: &Frame) -> Duration {
        match self {
            Self::Bevy | Self::MeshRayCast => Duration::ZERO,
            Self::Hitscan => own.hitscan,
            Self::SkinnedMeshRayCast => own.bounds.saturating_sub(bevy.bounds),
            // They propagate transforms first, and Bevy has less to do after that.
            Self::Avian | Self::Rapier => {
                (own.physics + own.propagate).saturating_sub(bevy.physics + bevy.propagate)
            }
        }
    }

    /// The nearest hit of each ray, and how long that took within a system.
    ///
    /// # Panics
    /// Where the app was not made by this subject.
    #[must_use]
    pub fn cast_rays(self, app: &mut App, rays: &[Ray3d]) -> (Vec<Answer>, Duration) {
        let (hits, took): (Vec<Option<(Entity, f32)>>, Duration) = match self {
            Self::Bevy => (vec![None; rays.len()], Duration::ZERO),
            Self::SkinnedMeshRayCast => return timed(|| skinned_cast::cast_rays(app, rays)),
            Self::Hitscan => {
                let mut state = SystemState::<Hitscan>::new(app.world_mut());
                let hitscan = state.get(app.world()).expect("the plugin is there");
                let filter = HitscanFilter::new();
                let (hits, took) = match rays {
                    [ray] => timed(|| vec![hitscan.cast_ray(*ray, &filter)]),
                    _ => timed(|| hitscan.cast_rays(rays, &filter)),
                };
                let hits = hits.into_iter();
                let hits = hits.map(|hit| hit.map(|hit| (hit.entity, hit.distance)));
                (hits.collect(), took)
            }
            Self::MeshRayCast => {
                let mut state = SystemState::<MeshRayCast>::new(app.world_mut());
                let mut caster = state.get_mut(app.world_mut()).expect("meshes are there");
                let settings =
                    MeshRayCastSettings::default().with_visibility(RayCastVisibility::Visible);
                let cast = |ray: &Ray3d| {
                    let hit = caster.cast_ray(*ray, &settings).first();
                    hit.map(|(entity, hit)| (*entity, hit.distance))
                };
                timed(|| rays.iter().map(cast).collect())
            }
            Self::Avian => {
                let mut state = SystemState::<avian::SpatialQuery>::new(app.world_mut());
                let query = state.get(app.world()).expect("avian is there");
                let filter = avian::SpatialQueryFilter::default();
                let cast = |_, ray: Ray3d| {
                    let (origin, direction) = (ray.origin, ray.direction);
                    let hit = query.cast_ray(origin, direction, f32::MAX, true, &filter)?;
                    Some((hit.entity, hit.distance))
                };
                timed(|| cast_all(rays, cast))
            }
            Self::Rapier => {
                let mut state = SystemState::<rapier::ReadRapierContext>::new(app.world_mut());
                let context = state.get(app.world()).expect("rapier is there");
                let context = context.single().expect("there is one context");
                let cast = |_, ray: Ray3d| {
                    let (origin, direction) = (ray.origin, *ray.direction);
                    let filter = rapier::QueryFilter::default();
                    context.cast_ray(origin, direction, f32::MAX, true, filter)
                };
                timed(|| cast_all(rays, cast))
            }
        };
        (numbered(app.world(), hits), took)
    }
}

/// What `work` returns, and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Hits by the characters or objects that the entities are part of.
pub(crate) fn numbered(world: &World, hits: Vec<Option<(Entity, f32)>>) -> Vec<Answer> {
    let number = |(entity, distance): (Entity, f32)| {
        let part = world
            .get::<PartOf>(entity)
            .expect("it is part of something");
        (part.0, distance)
    };
    hits.into_iter().map(|hit| hit.map(number)).collect()
}

/// A capsule that is hit by rays and collides with nothing, as hit boxes are.
fn avian_capsule(limb: &Limb) -> impl Bundle {
    let (radius, [from, to]) = limb.capsule();
    let layers = avian::CollisionLayers::new(avian::LayerMask(1), avian::LayerMask::NONE);
    (avian::Collider::capsule_endpoints(radius, from, to), layers)
}

/// The same.
fn rapier_capsule(limb: &Limb) -> impl Bundle {
    let (radius, [from, to]) = limb.capsule();
    let groups = rapier::CollisionGroups::new(rapier::Group::GROUP_1, rapier::Group::NONE);
    (rapier::Collider::capsule(from, to, radius), groups)
}
