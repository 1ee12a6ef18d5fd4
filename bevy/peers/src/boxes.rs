//! Rigid boxes in space: at rest, in motion, coming and going.

use crate::crowd::PartOf;
use crate::numbers::Numbers;
use crate::stage::ready;
use crate::subject::Subject;
use avian3d::prelude as avian;
use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Quat, Vec3};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_rapier3d::prelude as rapier;
use bevy_shape::{Cuboid, Ray3d};
use bevy_transform::components::Transform;

/// The size of each box, in metres.
const SIZE: Vec3 = Vec3::new(0.8, 1.2, 1.0);

/// Boxes in an app.
pub struct Boxes {
    subject: Subject,
    mesh: Handle<Mesh>,
    numbers: Numbers,
    /// Half the size of the space that they are in.
    half_size: f32,
    entities: Vec<(Entity, Transform)>,
    /// How many have ever been spawned.
    spawned: usize,
}

impl Boxes {
    /// Spawns `count` boxes in a cube of this half size in an app with this subject, and waits until it has
    /// them.
    #[must_use]
    pub fn spawn(subject: Subject, app: &mut App, count: usize, half_size: f32) -> Self {
        app.finish();
        app.cleanup();
        let mesh = Mesh::from(Cuboid::from_size(SIZE));
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
        let mut boxes = Self {
            subject,
            mesh,
            numbers: Numbers(11),
            half_size,
            entities: Vec::new(),
            spawned: 0,
        };
        for _ in 0..count {
            boxes.add(app.world_mut());
        }
        ready(app);
        boxes
    }

    fn add(&mut self, world: &mut World) {
        let turn = self.numbers.point(1.5);
        let at = Transform::from_translation(self.numbers.point(self.half_size))
            .with_rotation(Quat::from_scaled_axis(turn));
        let mut entity = world.spawn((Mesh3d(self.mesh.clone()), at, PartOf(self.spawned)));
        match self.subject {
            Subject::Avian => {
                let [x, y, z] = SIZE.to_array();
                let layers =
                    avian::CollisionLayers::new(avian::LayerMask(1), avian::LayerMask::NONE);
                entity.insert((avian::Collider::cuboid(x, y, z), layers));
            }
            Subject::Rapier => {
                let [x, y, z] = (SIZE / 2.0).to_array();
                let groups =
                    rapier::CollisionGroups::new(rapier::Group::GROUP_1, rapier::Group::NONE);
                entity.insert((rapier::Collider::cuboid(x, y, z), groups));
            }
            _ => {}
        }
        self.entities.push((entity.id(), at));
        self.spawned += 1;
    }

    /// Moves and turns all of them a little, as of this frame.
    pub fn move_all(&self, world: &mut World, frame: u16) {
        for (number, (entity, at)) in (0_u16..10_000).cycle().zip(&self.entities) {
            let phase = f32::from(frame) * 0.3 + f32::from(number % 97);
            let mut transform = world.get_mut::<Transform>(*entity).expect("it has a place");
            transform.translation = at.translation + 0.4 * Vec3::new(phase.sin(), phase.cos(), 0.0);
            transform.rotation = at.rotation * Quat::from_rotation_y(0.2 * phase.sin());
        }
    }

    /// Despawns `count` of them and spawns as many others.
    pub fn replace(&mut self, world: &mut World, count: u16) {
        for _ in 0..count {
            let whole = u16::try_from(self.entities.len()).unwrap_or(u16::MAX);
            let place = usize::from(self.numbers.below(whole));
            let (entity, _) = self.entities.swap_remove(place);
            world.despawn(entity);
        }
        for _ in 0..count {
            self.add(world);
        }
    }

    /// Rays through the space that they are in.
    #[must_use]
    pub fn rays(&self, count: usize) -> Vec<Ray3d> {
        let mut numbers = Numbers(23);
        let rays = core::iter::repeat_with(|| {
            let [from, to] = [(); 2].map(|()| numbers.point(self.half_size));
            let away = (from - to).normalize_or_zero();
            Some(Ray3d::new(
                from + away * 2.0 * self.half_size,
                Dir3::new(-away).ok()?,
            ))
        });
        rays.flatten().take(count).collect()
    }
}
