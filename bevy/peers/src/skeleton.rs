//! A body of 20 joints, a tube of triangles around each, and an animation of all of them.

use bevy_animation::prelude::{AnimatableCurve, AnimatableKeyframeCurve};
use bevy_animation::{AnimationClip, AnimationTargetId, animated_field};
use bevy_asset::RenderAssetUsages;
use bevy_ecs::error::BevyError;
use bevy_ecs::name::Name;
use bevy_math::{Mat4, Quat, Vec3};
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_transform::components::Transform;

/// A joint, and the limb that hangs on it.
pub(crate) struct Joint {
    pub(crate) parent: Option<usize>,
    /// From the joint above it.
    pub(crate) offset: Vec3,
    /// From the joint to the end of its limb.
    pub(crate) bone: Vec3,
    pub(crate) radius: f32,
}

const fn joint(parent: usize, offset: [f32; 3], bone: [f32; 3], radius: f32) -> Joint {
    Joint {
        parent: Some(parent),
        offset: Vec3::from_array(offset),
        bone: Vec3::from_array(bone),
        radius,
    }
}

/// The joints, in metres; bodies stand on the ground and look along +z.
pub(crate) const JOINTS: [Joint; 20] = [
    Joint {
        parent: None,
        offset: Vec3::new(0.0, 0.95, 0.0),
        bone: Vec3::new(0.0, 0.15, 0.0),
        radius: 0.15,
    },
    joint(0, [0.0, 0.15, 0.0], [0.0, 0.15, 0.0], 0.14),
    joint(1, [0.0, 0.15, 0.0], [0.0, 0.15, 0.0], 0.15),
    joint(2, [0.0, 0.15, 0.0], [0.0, 0.12, 0.0], 0.15),
    joint(3, [0.0, 0.12, 0.0], [0.0, 0.08, 0.0], 0.06),
    joint(4, [0.0, 0.08, 0.0], [0.0, 0.2, 0.0], 0.1),
    joint(3, [0.05, 0.08, 0.0], [0.12, 0.0, 0.0], 0.06),
    joint(6, [0.12, 0.0, 0.0], [0.0, -0.28, 0.0], 0.05),
    joint(7, [0.0, -0.28, 0.0], [0.0, -0.25, 0.0], 0.04),
    joint(8, [0.0, -0.25, 0.0], [0.0, -0.15, 0.0], 0.035),
    joint(3, [-0.05, 0.08, 0.0], [-0.12, 0.0, 0.0], 0.06),
    joint(10, [-0.12, 0.0, 0.0], [0.0, -0.28, 0.0], 0.05),
    joint(11, [0.0, -0.28, 0.0], [0.0, -0.25, 0.0], 0.04),
    joint(12, [0.0, -0.25, 0.0], [0.0, -0.15, 0.0], 0.035),
    joint(0, [0.1, 0.0, 0.0], [0.0, -0.45, 0.0], 0.08),
    joint(14, [0.0, -0.45, 0.0], [0.0, -0.42, 0.0], 0.055),
    joint(15, [0.0, -0.42, 0.0], [0.0, -0.03, 0.2], 0.04),
    joint(0, [-0.1, 0.0, 0.0], [0.0, -0.45, 0.0], 0.08),
    joint(17, [0.0, -0.45, 0.0], [0.0, -0.42, 0.0], 0.055),
    joint(18, [0.0, -0.42, 0.0], [0.0, -0.03, 0.2], 0.04),
];

const SIDES: u16 = 8;
const RINGS: u16 = 6;

/// Where a joint is in bind space.
pub(crate) fn place(number: usize) -> Vec3 {
    let Joint { parent, offset, .. } = &JOINTS[number];
    parent.map_or(Vec3::ZERO, place) + *offset
}

/// The names on the way down to a joint, which its animation is found by.
pub(crate) fn target(number: usize) -> AnimationTargetId {
    let mut path = Vec::new();
    let mut next = Some(number);
    while let Some(above) = next {
        path.push(Name::new(format!("joint {above}")));
        next = JOINTS[above].parent;
    }
    path.reverse();
    AnimationTargetId::from_names(path.iter())
}

/// The matrices that lead from bind space to the joints.
pub(crate) fn inverse_bindposes() -> SkinnedMeshInverseBindposes {
    let matrices = (0..JOINTS.len()).map(|number| Mat4::from_translation(-place(number)));
    SkinnedMeshInverseBindposes::from(matrices.collect::<Vec<_>>())
}

/// A tube around each limb, closed at its ends, whose first ring hangs on the joint above as well.
pub(crate) fn mesh() -> Result<Mesh, BevyError> {
    let mut positions: Vec<[f32; 3]> = Vec::new();
    let mut joints: Vec<[u16; 4]> = Vec::new();
    let mut weights: Vec<[f32; 4]> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    for (number, joint) in (0_u16..).zip(&JOINTS) {
        let first = u32::try_from(positions.len())?;
        let start = place(usize::from(number));
        let across = joint.bone.any_orthonormal_vector();
        let along = joint.bone.normalize();
        let parent = u16::try_from(joint.parent.unwrap_or(0))?;
        let mut add = |at: Vec3, is_shared: bool| {
            positions.push(at.to_array());
            joints.push([number, parent, 0, 0]);
            weights.push(if is_shared {
                [0.5, 0.5, 0.0, 0.0]
            } else {
                [1.0, 0.0, 0.0, 0.0]
            });
        };
        for ring in 0..RINGS {
            let share = f32::from(ring) / f32::from(RINGS - 1);
            let radius = joint.radius * (0.75 + 0.25 * (share * core::f32::consts::PI).sin());
            for side in 0..SIDES {
                let angle = f32::from(side) / f32::from(SIDES) * core::f32::consts::TAU;
                let out = Quat::from_axis_angle(along, angle) * across;
                add(start + joint.bone * share + out * radius, ring == 0);
            }
        }
        add(start, true);
        add(start + joint.bone, false);
        let [rings, sides] = [RINGS, SIDES].map(u32::from);
        let vertex = |ring: u32, side: u32| first + ring * sides + side % sides;
        let [bottom, top] = [first + rings * sides, first + rings * sides + 1];
        for side in 0..sides {
            indices.extend([bottom, vertex(0, side + 1), vertex(0, side)]);
            indices.extend([top, vertex(rings - 1, side), vertex(rings - 1, side + 1)]);
            for ring in 0..rings - 1 {
                let [a, b] = [vertex(ring, side), vertex(ring, side + 1)];
                let [c, d] = [vertex(ring + 1, side), vertex(ring + 1, side + 1)];
                indices.extend([a, b, d, a, d, c]);
            }
        }
    }
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(
        Mesh::ATTRIBUTE_JOINT_INDEX,
        VertexAttributeValues::Uint16x4(joints),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights)
    .with_inserted_indices(Indices::U32(indices));
    Ok(mesh.with_generated_skinned_mesh_bounds()?)
}

/// Two seconds in which every joint swings, each in a time and by an angle of its own.
pub(crate) fn animation() -> Result<AnimationClip, BevyError> {
    let mut clip = AnimationClip::default();
    for (number, joint) in (0_u8..).zip(&JOINTS) {
        let phase = f32::from(number);
        let swing = if joint.bone.y < 0.0 { 0.8 } else { 0.15 };
        let keys = (0..17_u8).map(|key| {
            let time = f32::from(key) / 8.0;
            let angle = swing * (time * core::f32::consts::PI + phase).sin();
            let axis = Vec3::new(1.0, 0.2 * phase.sin(), 0.2 * phase.cos()).normalize();
            (time, Quat::from_axis_angle(axis, angle))
        });
        clip.add_curve_to_target(
            target(usize::from(number)),
            AnimatableCurve::new(
                animated_field!(Transform::rotation),
                AnimatableKeyframeCurve::new(keys)?,
            ),
        );
    }
    Ok(clip)
}
