//! Random animated models: forests out of order, mirrored, flat and sheared nodes, skins with several
//! joint sets, morph targets, clips of every interpolation with keys that nearly coincide.
//!
//! Their poses are worked out independently in `pose_oracle.rs`.

use crate::Rng;
use hitscan::glam::{DMat3, DMat4, DQuat, DVec3, Vec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};

/// A model that [`hitscan::Model::new`] accepts, with at least one part and one clip.
#[must_use]
pub fn random_model(rng: &mut Rng) -> ModelData {
    let node_count = 1 + rng.below(10);
    // A node's parent comes before it in a shuffled order, so in the file it may come after.
    let mut order: Vec<usize> = (0..node_count).collect();
    shuffle(rng, &mut order);
    let mut nodes: Vec<NodeData> = (0..node_count).map(|_| random_node(rng)).collect();
    for place in 1..node_count {
        if !rng.one_in(4) {
            nodes[order[place]].parent = Some(order[rng.below(place)]);
        }
    }
    let skins: Vec<SkinData> = (0..rng.below(3))
        .map(|_| random_skin(rng, node_count))
        .collect();
    let parts = (0..1 + rng.below(4))
        .map(|_| random_part(rng, &nodes, &skins))
        .collect();
    let clips = (0..1 + rng.below(2))
        .map(|_| random_clip(rng, &nodes))
        .collect();
    ModelData {
        nodes,
        skins,
        clips,
        parts,
    }
}

/// Puts `items` into a random order.
pub fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

fn random_node(rng: &mut Rng) -> NodeData {
    let local = match rng.below(5) {
        0 => NodeTransform::Matrix(random_matrix(rng)),
        1 => NodeTransform::default(),
        _ => NodeTransform::Trs {
            translation: random_point(rng).as_dvec3(),
            rotation: random_rotation(rng),
            scale: random_scale(rng),
        },
    };
    let weight_count = rng.below(4);
    let is_still = rng.one_in(3);
    let mut weight = || {
        if is_still {
            0.0
        } else {
            rng.uniform_f32(-1.0, 2.0)
        }
    };
    NodeData {
        local,
        morph_weights: (0..weight_count).map(|_| weight()).collect(),
        ..NodeData::default()
    }
}

/// An affine matrix, often with shear, sometimes mirrored or flat.
fn random_matrix(rng: &mut Rng) -> DMat4 {
    let mut random_axis = || random_point(rng).as_dvec3() / 4.0;
    let (x, y, z, at) = (random_axis(), random_axis(), random_axis(), random_axis());
    let z = if rng.one_in(8) { x + y } else { z };
    let mut matrix = DMat4::from_mat3(DMat3::from_cols(x, y, z));
    matrix.w_axis = at.extend(1.0);
    matrix
}

/// A quaternion of any length, sometimes zero, sometimes about one axis.
fn random_rotation(rng: &mut Rng) -> DQuat {
    let mut turn = [0.0; 4].map(|_: f64| rng.uniform(-1.0, 1.0));
    match rng.below(12) {
        0 => turn = [0.0; 4],
        1 => turn = [0.0, 0.0, 0.0, -1.0],
        2 => turn[rng.below(4)] = 0.0,
        3 => turn = turn.map(|x| x * 1e-170),
        4..9 => return DQuat::from_array(turn).normalize(),
        _ => {}
    }
    DQuat::from_array(turn)
}

fn random_scale(rng: &mut Rng) -> DVec3 {
    let kind = rng.below(11);
    let mut factor = |low| rng.uniform(low, 2.0);
    match kind {
        0..3 => DVec3::ONE,
        3 => DVec3::splat(factor(0.1)),
        4 => DVec3::new(factor(0.1), factor(0.1), factor(0.1)),
        5 => DVec3::new(-factor(0.1), factor(-2.0), factor(0.1)),
        6 => DVec3::new(factor(0.1), factor(0.1) * 1e-9, factor(0.1)),
        7 => DVec3::new(1.0, 0.0, factor(-2.0)),
        // A slab, and a rail that is mirrored.
        8 => DVec3::new(factor(0.5), factor(0.1) * 1e-4, factor(0.5)),
        9 => DVec3::new(factor(0.1) * 1e-4, -factor(0.5), factor(0.1) * 1e-4),
        _ if rng.one_in(3) => DVec3::ZERO,
        _ => DVec3::NEG_ONE,
    }
}

fn random_point(rng: &mut Rng) -> Vec3 {
    Vec3::from_array([0.0; 3].map(|_: f32| rng.uniform_f32(-4.0, 4.0)))
}

fn random_skin(rng: &mut Rng, node_count: usize) -> SkinData {
    let joints: Vec<usize> = (0..1 + rng.below(6))
        .map(|_| rng.below(node_count))
        .collect();
    let inverse_bind = if rng.one_in(4) {
        Vec::new()
    } else {
        joints.iter().map(|_| random_matrix(rng)).collect()
    };
    SkinData {
        joints,
        inverse_bind,
    }
}

fn random_part(rng: &mut Rng, nodes: &[NodeData], skins: &[SkinData]) -> PartData {
    let node = rng.below(nodes.len());
    let vertex_count = 3 + rng.below(12);
    let mut positions = vec![random_point(rng)];
    while positions.len() < vertex_count {
        let last = positions[positions.len() - 1];
        positions.push(match rng.below(4) {
            0 => last,
            1 => Vec3::new(last.x.next_up(), last.y.next_down(), last.z),
            _ => random_point(rng),
        });
    }
    let mut corner = || {
        #[expect(clippy::cast_possible_truncation, reason = "there are few vertices")]
        let corner = rng.below(vertex_count) as u32;
        corner
    };
    let triangles = (0..8).map(|_| [corner(), corner(), corner()]).collect();
    let target_count = nodes[node].morph_weights.len();
    let target_count = if rng.one_in(4) {
        target_count / 2
    } else {
        target_count
    };
    let morph_targets = (0..target_count)
        .map(|_| (0..vertex_count).map(|_| random_point(rng)).collect())
        .collect();
    let is_skinned = !skins.is_empty() && rng.one_in(2);
    PartData {
        name: "part".into(),
        node,
        positions,
        triangles,
        morph_targets,
        skin: is_skinned.then(|| random_part_skin(rng, vertex_count, skins)),
        mesh_of: None,
    }
}

fn random_part_skin(rng: &mut Rng, vertex_count: usize, skins: &[SkinData]) -> PartSkin {
    let skin = rng.below(skins.len());
    let influences = [1, 3, 4, 8, 12][rng.below(5)];
    let joint_count = skins[skin].joints.len();
    let mut joints = Vec::new();
    let mut weights = Vec::new();
    for _ in 0..vertex_count {
        let is_lost = rng.one_in(8);
        for _ in 0..influences {
            #[expect(clippy::cast_possible_truncation, reason = "there are few joints")]
            joints.push(rng.below(joint_count) as u16);
            weights.push(match rng.below(4) {
                _ if is_lost => 0.0,
                0 => 0.0,
                1 => rng.uniform_f32(0.0, 1e-6),
                2 => rng.uniform_f32(0.0, 300.0),
                _ => rng.uniform_f32(0.0, 1.0),
            });
        }
    }
    PartSkin {
        skin,
        influences,
        joints,
        weights,
    }
}

fn random_clip(rng: &mut Rng, nodes: &[NodeData]) -> ClipData {
    let mut channels = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let is_matrix = matches!(node.local, NodeTransform::Matrix(_));
        let properties = [
            (Property::Translation, 3, !is_matrix),
            (Property::Rotation, 4, !is_matrix),
            (Property::Scale, 3, !is_matrix),
            (Property::Weights, node.morph_weights.len(), true),
        ];
        for (property, width, is_allowed) in properties {
            if is_allowed && width > 0 && rng.one_in(2) {
                channels.push(random_channel(rng, index, property, width));
            }
        }
    }
    shuffle(rng, &mut channels);
    ClipData {
        name: None,
        channels,
    }
}

fn random_channel(rng: &mut Rng, node: usize, property: Property, width: usize) -> ChannelData {
    let interpolation = [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CubicSpline,
    ][rng.below(3)];
    let mut times = vec![rng.uniform_f32(-0.5, 0.5)];
    for _ in 0..rng.below(5) {
        let last = times[times.len() - 1];
        times.push(match rng.below(4) {
            0 => last.next_up(),
            _ => last + rng.uniform_f32(0.01, 1.0),
        });
    }
    let slots = if interpolation == Interpolation::CubicSpline {
        3
    } else {
        1
    };
    let mut values: Vec<f32> = Vec::new();
    for _ in 0..times.len() * slots {
        let is_repeated = values.len() >= width && rng.one_in(4);
        let sign = if rng.one_in(2) { 1.0 } else { -1.0 };
        for _ in 0..width {
            values.push(if is_repeated {
                // The same rotation again, or nearly, or its other quaternion.
                sign * values[values.len() - width]
            } else {
                rng.uniform_f32(-0.6, 0.6)
            });
        }
    }
    ChannelData {
        node,
        property,
        interpolation,
        times,
        values,
    }
}
