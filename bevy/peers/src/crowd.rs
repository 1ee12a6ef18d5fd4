//! A crowd of characters that Bevy animates.

use crate::body::{LIMBS, Limb, body};
use crate::numbers::Numbers;
use bevy_animation::animation_curves::{AnimatableCurve, AnimatableKeyframeCurve};
use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle, AnimationNodeIndex};
use bevy_animation::{
    AnimatedBy, AnimationClip, AnimationPlayer, AnimationTargetId, animated_field,
};
use bevy_asset::{Assets, Handle};
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Mat4, Quat, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

/// How far apart the characters stand, in metres.
const SPACING: f32 = 2.0;

/// Which character an entity is part of.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartOf(pub usize);

/// What all characters share.
struct Shared {
    mesh: Handle<Mesh>,
    inverse_bindposes: Handle<SkinnedMeshInverseBindposes>,
    graph: Handle<AnimationGraph>,
    node: AnimationNodeIndex,
}

/// Characters in rows.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// How many stand in a row.
    pub columns: u16,
    /// How many rows there are.
    pub rows: u16,
}

impl Crowd {
    fn place(self, column: f32, row: f32) -> Vec3 {
        let middle = [self.columns, self.rows].map(|count| f32::from(count - 1) / 2.0);
        Vec3::new(column - middle[0], 0.0, row - middle[1]) * SPACING
    }

    /// The column and the row of one of them.
    fn any(self, numbers: &mut Numbers) -> [f32; 2] {
        [self.columns, self.rows].map(|count| f32::from(numbers.below(count)))
    }

    /// Spawns them, each at a time of its own in the same animation. `dress` adds what a library needs to a joint;
    /// `cloak` to the entity of the mesh.
    pub(crate) fn spawn(
        self,
        world: &mut World,
        dress: impl Fn(&mut EntityWorldMut<'_>, &Limb),
        cloak: impl Fn(&mut EntityWorldMut<'_>),
    ) {
        let shared = Shared::new(world);
        let mut numbers = Numbers(7);
        let places = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| [column, row].map(f32::from)));
        for (number, [column, row]) in places.enumerate() {
            let stands = Transform::from_translation(self.place(column, row))
                .with_rotation(Quat::from_rotation_y(numbers.between(-3.0, 3.0)));
            let mut player = AnimationPlayer::default();
            player
                .play(shared.node)
                .seek_to(numbers.between(0.0, PERIOD_SECS))
                .repeat();
            let graph = AnimationGraphHandle(shared.graph.clone());
            let root = world
                .spawn((stands, Visibility::Inherited, player, graph))
                .id();
            let mut joints: Vec<Entity> = Vec::new();
            for limb in &LIMBS {
                let above = limb.parent.map_or(root, |parent| joints[parent]);
                let mut joint = world.spawn((
                    Transform::from_translation(limb.offset()),
                    target(limb),
                    AnimatedBy(root),
                    PartOf(number),
                    ChildOf(above),
                ));
                dress(&mut joint, limb);
                joints.push(joint.id());
            }
            let skin = SkinnedMesh {
                inverse_bindposes: shared.inverse_bindposes.clone(),
                joints,
            };
            let mesh = Mesh3d(shared.mesh.clone());
            let mut mesh = world.spawn((mesh, skin, PartOf(number), ChildOf(root)));
            cloak(&mut mesh);
        }
    }

    /// Rays from between the characters at the body of one that is up to `reach` places away, as in a fight.
    #[must_use]
    pub fn shots(self, count: usize, reach: f32, numbers: &mut Numbers) -> Vec<Ray3d> {
        let mut shot = || {
            let [column, row] = self.any(numbers);
            let from = self.place(column + 0.5, row + 0.5) + Vec3::Y * numbers.between(1.2, 1.7);
            let near =
                |at: f32, by: f32, count: u16| (at + by).round().clamp(0.0, f32::from(count - 1));
            let away = [(); 2].map(|()| numbers.between(-reach, reach));
            let column = near(column, away[0], self.columns);
            let stands = self.place(column, near(row, away[1], self.rows));
            let aim = Vec3::new(0.0, numbers.between(0.1, 1.8), 0.0) + numbers.point(0.35);
            (from, stands + aim)
        };
        let rays = core::iter::repeat_with(|| {
            let (from, to) = shot();
            Some(Ray3d::new(from, Dir3::new(to - from).ok()?))
        });
        rays.flatten().take(count).collect()
    }

    /// Rays from a camera above the edge at one character each, as of a pointer.
    #[must_use]
    pub fn pointers(self, count: usize, numbers: &mut Numbers) -> Vec<Ray3d> {
        let camera = self.place(f32::from(self.columns) / 2.0, -4.0) + Vec3::Y * 9.0;
        let rays = core::iter::repeat_with(|| {
            let [column, row] = self.any(numbers);
            let at = self.place(column, row) + Vec3::Y * 1.1 + numbers.point(0.3);
            Some(Ray3d::new(camera, Dir3::new(at - camera).ok()?))
        });
        rays.flatten().take(count).collect()
    }
}

/// How long the animation takes until it repeats.
const PERIOD_SECS: f32 = 1.2;

/// The key frames of a joint's turn; as many as a recorded walk has.
const KEYS: u8 = 24;

fn target(limb: &Limb) -> AnimationTargetId {
    AnimationTargetId::from_iter([limb.name])
}

/// All joints swing: once to and fro in a period.
fn walk() -> AnimationClip {
    let mut clip = AnimationClip::default();
    for limb in &LIMBS {
        let keys = (0..=KEYS).map(|key| {
            let share = f32::from(key) / f32::from(KEYS);
            let swing = limb.swing * (core::f32::consts::TAU * share).sin();
            (share * PERIOD_SECS, Quat::from_scaled_axis(swing))
        });
        let curve = AnimatableKeyframeCurve::new(keys).expect("the times ascend");
        let turned = AnimatableCurve::new(animated_field!(Transform::rotation), curve);
        clip.add_curve_to_target(target(limb), turned);
    }
    clip
}

impl Shared {
    fn new(world: &mut World) -> Self {
        let matrices = LIMBS
            .iter()
            .map(|limb| Mat4::from_translation(-limb.ends[0]));
        let matrices = SkinnedMeshInverseBindposes::from(matrices.collect::<Vec<_>>());
        let mut mesh = body();
        mesh.generate_skinned_mesh_bounds()
            .expect("the mesh is skinned");
        let clip = world.resource_mut::<Assets<AnimationClip>>().add(walk());
        let (graph, node) = AnimationGraph::from_clip(clip);
        Self {
            mesh: world.resource_mut::<Assets<Mesh>>().add(mesh),
            inverse_bindposes: world
                .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
                .add(matrices),
            graph: world.resource_mut::<Assets<AnimationGraph>>().add(graph),
            node,
        }
    }
}
