//! The bits of poses and posed vertices: those of the plain formulas in their plain order, one number
//! after another, however the library prepares, shares and vectorises the work.

use hitscan::Model;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::model::{
    ChannelData, Interpolation, ModelData, NodeTransform, PartData, Property, SkinnedShape,
};
use hitscan_testkit::{Rng, random_model};

/// The value of a channel at a time, by glTF's formulas.
fn sampled(channel: &ChannelData, time: f64) -> Vec<f64> {
    let times = &channel.times;
    let slots = match channel.interpolation {
        Interpolation::CubicSpline => 3,
        _ => 1,
    };
    let width = channel.values.len() / (times.len() * slots);
    let later = times.iter().filter(|key| f64::from(**key) <= time).count();
    let before = later.saturating_sub(1);
    let after = if later == 0 {
        0
    } else {
        later.min(times.len() - 1)
    };
    let span = f64::from(times[after]) - f64::from(times[before]);
    let u = if after == before {
        0.0
    } else {
        (time - f64::from(times[before])) / span
    };
    let stored = |key: usize, slot: usize, c: usize| {
        f64::from(channel.values[(key * slots + slot) * width + c])
    };
    let value = |key, c| stored(key, slots / 2, c);
    let rotation = |key| DQuat::from_array([0, 1, 2, 3].map(|c| value(key, c)));
    if channel.property == Property::Rotation && channel.interpolation == Interpolation::Linear {
        return slerp(rotation(before), rotation(after), u)
            .to_array()
            .to_vec();
    }
    let component = |c: usize| {
        let (from, to) = (value(before, c), value(after, c));
        match channel.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear => from + (to - from) * u,
            Interpolation::CubicSpline => {
                let (out, into) = (span * stored(before, 2, c), span * stored(after, 0, c));
                let (u2, u3) = (u * u, u * u * u);
                (2.0 * u3 - 3.0 * u2 + 1.0) * from
                    + (u3 - 2.0 * u2 + u) * out
                    + (3.0 * u2 - 2.0 * u3) * to
                    + (u3 - u2) * into
            }
        }
    };
    let values: Vec<f64> = (0..width).map(component).collect();
    if channel.property == Property::Rotation && channel.interpolation == Interpolation::CubicSpline
    {
        let q = DQuat::from_slice(&values);
        let squared = dot(q, q);
        let unit = if squared > 0.0 {
            q / squared.sqrt()
        } else {
            DQuat::IDENTITY
        };
        return unit.to_array().to_vec();
    }
    values
}

fn dot(a: DQuat, b: DQuat) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

fn slerp(from: DQuat, to: DQuat, u: f64) -> DQuat {
    let cosine = dot(from, to);
    let to = if cosine < 0.0 { -to } else { to };
    let angle = libm::acos(cosine.abs().min(1.0));
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { libm::sin(x) / x };
    let weight = |share: f64| share * (sinc(share * angle) / sinc(angle));
    from * weight(1.0 - u) + to * weight(u)
}

/// The nodes and morph weights of a model at a time of a clip.
fn locals_and_weights(
    data: &ModelData,
    clip: usize,
    time: f64,
) -> (Vec<NodeTransform>, Vec<Vec<f64>>) {
    let mut locals: Vec<_> = data.nodes.iter().map(|node| node.local).collect();
    let weights = data.nodes.iter().map(|node| &node.morph_weights);
    let mut weights: Vec<Vec<f64>> = weights
        .map(|weights| weights.iter().map(|x| f64::from(*x)).collect())
        .collect();
    for channel in &data.clips[clip].channels {
        let value = sampled(channel, time);
        if channel.property == Property::Weights {
            weights[channel.node].copy_from_slice(&value);
            continue;
        }
        let NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } = &mut locals[channel.node]
        else {
            panic!("a matrix is not animated");
        };
        match channel.property {
            Property::Translation => *translation = DVec3::from_slice(&value),
            Property::Rotation => *rotation = DQuat::from_slice(&value),
            Property::Scale => *scale = DVec3::from_slice(&value),
            Property::Weights => {}
        }
    }
    (locals, weights)
}

fn local_affine(local: &NodeTransform) -> DAffine3 {
    match local {
        NodeTransform::Matrix(matrix) => DAffine3::from_mat4(*matrix),
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => {
            let DQuat { x, y, z, w } = *rotation;
            let columns = [
                [
                    1.0 - 2.0 * (y * y + z * z),
                    2.0 * (x * y + z * w),
                    2.0 * (x * z - y * w),
                ],
                [
                    2.0 * (x * y - z * w),
                    1.0 - 2.0 * (x * x + z * z),
                    2.0 * (y * z + x * w),
                ],
                [
                    2.0 * (x * z + y * w),
                    2.0 * (y * z - x * w),
                    1.0 - 2.0 * (x * x + y * y),
                ],
            ];
            let [x, y, z] = columns.map(DVec3::from_array);
            DAffine3 {
                matrix3: DMat3::from_cols(x * scale.x, y * scale.y, z * scale.z),
                translation: *translation,
            }
        }
    }
}

fn model_from_node(data: &ModelData, locals: &[NodeTransform], node: usize) -> DAffine3 {
    let local = local_affine(&locals[node]);
    match data.nodes[node].parent {
        Some(parent) => model_from_node(data, locals, parent) * local,
        None => local,
    }
}

/// A vertex of a skinned part, or of one that morph targets move.
fn placed(
    data: &ModelData,
    part: &PartData,
    (locals, weights): &(Vec<NodeTransform>, Vec<Vec<f64>>),
    vertex: usize,
) -> Vec3 {
    let mut at = part.positions[vertex].as_dvec3();
    for (target, weight) in part.morph_targets.iter().zip(&weights[part.node]) {
        if *weight != 0.0 {
            at += target[vertex].as_dvec3() * *weight;
        }
    }
    let Some(skin) = &part.skin else {
        return at.as_vec3();
    };
    let range = vertex * skin.influences..(vertex + 1) * skin.influences;
    let joints = skin.joints[range.clone()].iter().copied();
    let mut influences: Vec<(u16, f32)> = joints
        .zip(skin.weights[range.clone()].iter().copied())
        .collect();
    influences.retain(|(_, weight)| *weight > 0.0);
    influences.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut shares: Vec<(u16, f64)> = Vec::new();
    for (joint, weight) in influences {
        match shares.last_mut() {
            Some((last, sum)) if *last == joint => *sum += f64::from(weight),
            _ => shares.push((joint, f64::from(weight))),
        }
    }
    if shares.is_empty() {
        shares.push((skin.joints[range.start], 1.0));
    }
    let sum: f64 = shares.iter().map(|(_, weight)| weight).sum();
    let skin = &data.skins[skin.skin];
    let mut place = DVec3::ZERO;
    for (joint, weight) in shares {
        let node = skin.joints[usize::from(joint)];
        let bind = skin.inverse_bind.get(usize::from(joint));
        let bind = bind.map_or(DAffine3::IDENTITY, |matrix| DAffine3::from_mat4(*matrix));
        let joint = model_from_node(data, locals, node) * bind;
        place += joint.transform_point3(at) * (weight / sum);
    }
    place.as_vec3()
}

fn bits(v: impl IntoIterator<Item = f64>) -> Vec<u64> {
    v.into_iter().map(f64::to_bits).collect()
}

fn local_bits(local: &NodeTransform) -> Vec<u64> {
    match local {
        NodeTransform::Matrix(matrix) => bits(matrix.to_cols_array()),
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => {
            let parts = translation
                .to_array()
                .into_iter()
                .chain(rotation.to_array());
            bits(parts.chain(scale.to_array()))
        }
    }
}

/// Times at, between, beside and outside the keys.
fn times(rng: &mut Rng, data: &ModelData, clip: usize) -> Vec<f64> {
    let channels = data.clips[clip].channels.iter();
    let keys: Vec<f32> = channels.flat_map(|channel| channel.times.clone()).collect();
    let mut times = vec![-9.0, 9e9];
    for _ in 0..4 {
        times.push(rng.uniform(-1.0, 4.0));
        if !keys.is_empty() {
            let key = f64::from(keys[rng.below(keys.len())]);
            times.extend([key, key.next_up()]);
        }
    }
    times
}

#[test]
fn poses_and_vertices_have_the_bits_of_the_plain_formulas() {
    let mut rng = Rng::new(51);
    let (mut animated, mut deformed) = (0, 0);
    for round in 0..300 {
        let mut data = random_model(&mut rng);
        for clip in &mut data.clips {
            for channel in &mut clip.channels {
                // Values that never change, some of them -0, and key times in common.
                if rng.one_in(3) {
                    let key = channel.values.len() / channel.times.len();
                    let first = if rng.one_in(2) {
                        vec![-0.0; key]
                    } else {
                        channel.values[..key].to_vec()
                    };
                    channel.values = first.repeat(channel.times.len());
                }
            }
        }
        let model = Model::new(data.clone()).expect("the generator makes valid models");
        for clip in 0..data.clips.len() {
            for time in times(&mut rng, &data, clip) {
                let what = format!("round {round}, clip {clip} at {time}");
                let expected = locals_and_weights(&data, clip, time);
                let pose = model.pose_at(clip, time).unwrap();
                let nodes = model.model_from_nodes(&pose).unwrap();
                for (node, found_node) in nodes.iter().enumerate() {
                    let found = pose.local(node).unwrap();
                    assert_eq!(local_bits(found), local_bits(&expected.0[node]), "{what}");
                    let weights = pose.morph_weights(node).unwrap().iter().copied();
                    assert_eq!(bits(weights), bits(expected.1[node].clone()), "{what}");
                    let chained = model_from_node(&data, &expected.0, node);
                    assert_eq!(
                        bits(found_node.to_cols_array()),
                        bits(chained.to_cols_array()),
                        "{what}"
                    );
                    animated += 1;
                }
                let posed = model.skinned(&pose).expect("in range");
                for (part, posed) in data.parts.iter().zip(posed.parts()) {
                    let SkinnedShape::Deformed(positions) = &posed.shape else {
                        continue;
                    };
                    if part.skin.is_none() && posed.model_from_part == DAffine3::IDENTITY {
                        continue;
                    }
                    for (vertex, found) in positions.iter().enumerate() {
                        let expected = placed(&data, part, &expected, vertex);
                        let bits = |v: Vec3| v.to_array().map(f32::to_bits);
                        assert_eq!(bits(*found), bits(expected), "{what}, vertex {vertex}");
                        deformed += 1;
                    }
                }
            }
        }
    }
    assert!(
        animated > 10_000 && deformed > 10_000,
        "{animated} {deformed}"
    );
}
