//! A skinned character like those of games: about 5,000 triangles, 20 joints, a clip in which every joint
//! turns and is scaled, and half of them move.
//!
//! Limbs are tubes around the bones, closed at both ends; a vertex follows its bone and, near an end,
//! the neighbours there: two or three joints, as files mostly have it (of the four that they reserve).

use crate::random::Random;
use hitscan::glam::{DMat4, DQuat, DVec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};

const SEED: u64 = 0xC4A_4AC7E4;
/// Corners around a tube, and rings along it.
const SIDES: u32 = 12;
const RINGS: u32 = 10;
/// Keys of the clip, and seconds between them.
const KEYS: u16 = 49;
const KEY_SECS: f32 = 1.0 / 24.0;
const INFLUENCES: usize = 4;

/// A bone: its joint's name, the joint above, where it begins in bind space, where it ends, its radius.
struct Bone {
    name: &'static str,
    parent: Option<usize>,
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
}

const fn bone(
    name: &'static str,
    parent: Option<usize>,
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
) -> Bone {
    Bone {
        name,
        parent,
        from,
        to,
        radius,
    }
}

const BONES: [Bone; 20] = [
    bone("hips", None, [0.0, 0.95, 0.0], [0.0, 1.08, 0.0], 0.15),
    bone("spine", Some(0), [0.0, 1.08, 0.0], [0.0, 1.22, 0.0], 0.14),
    bone("chest", Some(1), [0.0, 1.22, 0.0], [0.0, 1.45, 0.0], 0.17),
    bone("neck", Some(2), [0.0, 1.45, 0.0], [0.0, 1.54, 0.0], 0.06),
    bone("head", Some(3), [0.0, 1.54, 0.0], [0.0, 1.8, 0.0], 0.11),
    bone(
        "shoulder.l",
        Some(2),
        [0.05, 1.42, 0.0],
        [0.2, 1.42, 0.0],
        0.07,
    ),
    bone("arm.l", Some(5), [0.2, 1.42, 0.0], [0.46, 1.4, 0.0], 0.055),
    bone(
        "forearm.l",
        Some(6),
        [0.46, 1.4, 0.0],
        [0.7, 1.38, 0.02],
        0.045,
    ),
    bone(
        "hand.l",
        Some(7),
        [0.7, 1.38, 0.02],
        [0.87, 1.37, 0.03],
        0.04,
    ),
    bone(
        "shoulder.r",
        Some(2),
        [-0.05, 1.42, 0.0],
        [-0.2, 1.42, 0.0],
        0.07,
    ),
    bone(
        "arm.r",
        Some(9),
        [-0.2, 1.42, 0.0],
        [-0.46, 1.4, 0.0],
        0.055,
    ),
    bone(
        "forearm.r",
        Some(10),
        [-0.46, 1.4, 0.0],
        [-0.7, 1.38, 0.02],
        0.045,
    ),
    bone(
        "hand.r",
        Some(11),
        [-0.7, 1.38, 0.02],
        [-0.87, 1.37, 0.03],
        0.04,
    ),
    bone(
        "thigh.l",
        Some(0),
        [0.1, 0.93, 0.0],
        [0.12, 0.5, 0.01],
        0.085,
    ),
    bone(
        "shin.l",
        Some(13),
        [0.12, 0.5, 0.01],
        [0.12, 0.09, -0.02],
        0.06,
    ),
    bone(
        "foot.l",
        Some(14),
        [0.12, 0.06, -0.04],
        [0.13, 0.04, 0.18],
        0.045,
    ),
    bone(
        "thigh.r",
        Some(0),
        [-0.1, 0.93, 0.0],
        [-0.12, 0.5, 0.01],
        0.085,
    ),
    bone(
        "shin.r",
        Some(16),
        [-0.12, 0.5, 0.01],
        [-0.12, 0.09, -0.02],
        0.06,
    ),
    bone(
        "foot.r",
        Some(17),
        [-0.12, 0.06, -0.04],
        [-0.13, 0.04, 0.18],
        0.045,
    ),
    bone("belt", Some(0), [0.0, 0.92, 0.0], [0.0, 0.98, 0.0], 0.17),
];

/// The character, standing at the origin, 1.8 m tall, with one clip.
pub fn character() -> ModelData {
    let mut random = Random::new(SEED);
    let nodes = BONES.iter().map(|bone| NodeData {
        name: Some(bone.name.into()),
        parent: bone.parent,
        local: NodeTransform::Trs {
            translation: offset(bone),
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        },
        ..NodeData::default()
    });
    let joints = BONES.iter();
    let inverse_bind = joints.map(|bone| DMat4::from_translation(-DVec3::from_array(bone.from)));
    ModelData {
        nodes: nodes.collect(),
        skins: vec![SkinData {
            joints: (0..BONES.len()).collect(),
            inverse_bind: inverse_bind.collect(),
        }],
        parts: vec![body(&mut random)],
        clips: vec![clip(&mut random)],
    }
}

/// From the joint above to the joint.
fn offset(bone: &Bone) -> DVec3 {
    let above = bone
        .parent
        .map_or(DVec3::ZERO, |parent| DVec3::from_array(BONES[parent].from));
    DVec3::from_array(bone.from) - above
}

fn body(random: &mut Random) -> PartData {
    let mut part = PartData {
        name: "body".into(),
        ..PartData::default()
    };
    let mut skin = PartSkin {
        influences: INFLUENCES,
        ..PartSkin::default()
    };
    for (joint, bone) in BONES.iter().enumerate() {
        let (from, to) = (DVec3::from_array(bone.from), DVec3::from_array(bone.to));
        let along = (to - from) / (to - from).length();
        let across = along.any_orthonormal_vector();
        let aside = along.cross(across);
        let first = part.positions.len() as u32;
        for ring in 0..=RINGS {
            let share = f64::from(ring) / f64::from(RINGS);
            // Thinner towards the ends, and never quite round.
            let swell = 0.75 + 0.25 * libm::sin(std::f64::consts::PI * share);
            for side in 0..SIDES {
                let (sin, cos) =
                    libm::sincos(std::f64::consts::TAU * f64::from(side) / f64::from(SIDES));
                let radius = bone.radius * swell * random.between(0.93, 1.07);
                let at = from + (to - from) * share + (across * cos + aside * sin) * radius;
                part.positions.push(at.as_vec3());
                influence(&mut skin, joint, share);
            }
        }
        for end in [from, to] {
            part.positions.push(end.as_vec3());
            influence(&mut skin, joint, if end == from { 0.0 } else { 1.0 });
        }
        tube(&mut part.triangles, first);
    }
    part.skin = Some(skin);
    part
}

/// The triangles of a tube and its two ends.
fn tube(triangles: &mut Vec<[u32; 3]>, first: u32) {
    let corner = |ring: u32, side: u32| first + ring * SIDES + side % SIDES;
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let [a, b] = [corner(ring, side), corner(ring, side + 1)];
            let [c, d] = [corner(ring + 1, side), corner(ring + 1, side + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    let ends = first + (RINGS + 1) * SIDES;
    for side in 0..SIDES {
        triangles.push([ends, corner(0, side + 1), corner(0, side)]);
        triangles.push([ends + 1, corner(RINGS, side), corner(RINGS, side + 1)]);
    }
}

/// The influences of a vertex at the fraction `share` along a bone: the bone, and half as much a neighbour at
/// its ends.
fn influence(skin: &mut PartSkin, joint: usize, share: f64) {
    let mut weights = vec![(joint, 1.0)];
    if let Some(parent) = BONES[joint].parent {
        weights.push((parent, (0.5 - 1.5 * share).max(0.0)));
    }
    if let Some(child) = BONES.iter().position(|bone| bone.parent == Some(joint)) {
        weights.push((child, (1.5 * share - 1.0).max(0.0)));
    }
    weights.resize(INFLUENCES, (0, 0.0));
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    for (joint, weight) in weights {
        skin.joints.push(joint as u16);
        skin.weights.push((weight / sum) as f32);
    }
}

fn clip(random: &mut Random) -> ClipData {
    let times: Vec<f32> = (0..KEYS).map(|key| f32::from(key) * KEY_SECS).collect();
    let mut channels = Vec::new();
    for (node, bone) in BONES.iter().enumerate() {
        let axis = DVec3::from_array(random.direction());
        let (swing, lag) = (random.between(0.2, 0.7), random.between(0.0, 6.0));
        let phase = |key: u16| std::f64::consts::TAU * f64::from(key) / f64::from(KEYS - 1) + lag;
        let mut channel = |property, value: &dyn Fn(u16) -> Vec<f64>| {
            channels.push(ChannelData {
                node,
                property,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values: (0..KEYS).flat_map(value).map(|x| x as f32).collect(),
            });
        };
        channel(Property::Rotation, &|key| {
            let (sin, cos) = libm::sincos(swing * libm::sin(phase(key)) / 2.0);
            vec![axis.x * sin, axis.y * sin, axis.z * sin, cos]
        });
        let is_moved = node % 2 == 0;
        channel(Property::Translation, &|key| {
            let bob = if is_moved {
                0.01 * libm::sin(phase(key))
            } else {
                0.0
            };
            (offset(bone) + DVec3::Y * bob).to_array().to_vec()
        });
        // Scales that are 1 but for what an exporter's rounding leaves.
        channel(Property::Scale, &|key| {
            let noise = 1e-6 * libm::sin(9.0 * phase(key));
            vec![1.0 + noise, 1.0 - noise, 1.0]
        });
    }
    ClipData {
        name: Some("walk".into()),
        channels,
    }
}
