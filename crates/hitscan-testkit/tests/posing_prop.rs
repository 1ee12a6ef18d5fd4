//! Properties of every posed model, whatever the numbers: the same bits for the same vertex, exact
//! positions where nothing moves, and answers for absurd and degenerate transforms.

use hitscan::glam::{DAffine3, DMat4, DQuat, DVec3, Vec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData, SkinnedModel, SkinnedShape,
};
use hitscan::{Error, Model, ModelPlace};
use hitscan_testkit::{Rng, random_model, shuffle};

fn trs(translation: DVec3, scale: DVec3) -> NodeTransform {
    NodeTransform::Trs {
        translation,
        rotation: DQuat::IDENTITY,
        scale,
    }
}

/// A model with one part, a tetrahedron, on the last of a chain of nodes.
fn tetrahedron_on(chain: &[NodeTransform]) -> ModelData {
    let nodes = chain.iter().enumerate().map(|(index, local)| NodeData {
        local: *local,
        parent: index.checked_sub(1),
        ..NodeData::default()
    });
    let part = PartData {
        name: "tetrahedron".into(),
        node: chain.len() - 1,
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        ..PartData::default()
    };
    ModelData {
        nodes: nodes.collect(),
        parts: vec![part],
        ..ModelData::default()
    }
}

fn posed_at_rest(data: ModelData) -> Result<SkinnedModel, Error> {
    let model = Model::new(data).expect("valid data");
    model.skinned(model.rest_pose())
}

#[test]
fn the_order_of_nodes_changes_no_bit() {
    let mut rng = Rng::new(11);
    for _ in 0..300 {
        let data = random_model(&mut rng);
        let mut new_index: Vec<usize> = (0..data.nodes.len()).collect();
        shuffle(&mut rng, &mut new_index);
        let mut moved = data.clone();
        for (old, node) in data.nodes.iter().enumerate() {
            moved.nodes[new_index[old]] = node.clone();
            moved.nodes[new_index[old]].parent = node.parent.map(|parent| new_index[parent]);
        }
        let joints = moved.skins.iter_mut().flat_map(|skin| &mut skin.joints);
        let parts = moved.parts.iter_mut().map(|part| &mut part.node);
        let channels = moved.clips.iter_mut().flat_map(|clip| &mut clip.channels);
        let animated = channels.map(|channel| &mut channel.node);
        for node in joints.chain(parts).chain(animated) {
            *node = new_index[*node];
        }
        let (first, second) = (Model::new(data).unwrap(), Model::new(moved).unwrap());
        let time = rng.uniform(-1.0, 4.0);
        let posed = |model: &Model| model.skinned(&model.pose_at(0, time).unwrap()).unwrap();
        assert_eq!(posed(&first), posed(&second));
    }
}

#[test]
fn the_order_and_scale_of_influences_change_no_bit() {
    let mut rng = Rng::new(12);
    let mut skinned = 0;
    for _ in 0..300 {
        let data = random_model(&mut rng);
        let mut shuffled = data.clone();
        for skin in shuffled
            .parts
            .iter_mut()
            .filter_map(|part| part.skin.as_mut())
        {
            skinned += 1;
            let vertices = skin.weights.chunks_mut(skin.influences);
            for (weights, joints) in vertices.zip(skin.joints.chunks_mut(skin.influences)) {
                if weights.iter().all(|weight| *weight == 0.0) {
                    continue;
                }
                let quadrupled = weights.iter().map(|weight| weight * 4.0);
                let mut pairs: Vec<(u16, f32)> = joints.iter().copied().zip(quadrupled).collect();
                shuffle(&mut rng, &mut pairs);
                for (place, (joint, weight)) in pairs.into_iter().enumerate() {
                    (joints[place], weights[place]) = (joint, weight);
                }
            }
        }
        assert_eq!(posed_at_rest(data), posed_at_rest(shuffled));
    }
    assert!(skinned > 100);
}

/// Joints so far apart that their shares cancel: what the f64 sums lose is then far above f32's
/// spacing, and another order of addition would show.
#[test]
fn coincident_vertices_stay_together_where_influences_cancel() {
    let far = [1e15, -1e15, 3.0, -7e14, 7e14];
    let mut data = tetrahedron_on(&far.map(|x| trs(DVec3::splat(x), DVec3::ONE)));
    for node in &mut data.nodes {
        node.parent = None;
    }
    data.skins.push(SkinData {
        joints: (0..far.len()).collect(),
        inverse_bind: Vec::new(),
    });
    let mut rng = Rng::new(14);
    let mut pairs: Vec<(u16, f32)> = (0..5).map(|joint| (joint, 0.1)).collect();
    pairs.extend([(2, 0.3), (0, 0.7), (1, 0.7), (0, 0.0)]);
    let part = &mut data.parts[0];
    part.positions = vec![Vec3::new(0.1, 0.2, 0.3); 40];
    let mut skin = PartSkin {
        influences: pairs.len(),
        ..PartSkin::default()
    };
    for _ in &part.positions {
        shuffle(&mut rng, &mut pairs);
        skin.joints.extend(pairs.iter().map(|pair| pair.0));
        skin.weights.extend(pairs.iter().map(|pair| pair.1));
    }
    part.skin = Some(skin);
    let model = Model::new(data).unwrap();
    let posed = model.skinned(model.rest_pose()).unwrap();
    let positions = posed.parts()[0].positions(&model.parts()[0]);
    assert!(
        positions.iter().all(|position| *position == positions[0]),
        "{positions:?}"
    );
}

#[test]
fn zero_morph_weights_leave_every_bit() {
    let mut rng = Rng::new(13);
    for _ in 0..300 {
        let mut data = random_model(&mut rng);
        for node in &mut data.nodes {
            node.morph_weights.fill(0.0);
        }
        let mut plain = data.clone();
        for part in &mut plain.parts {
            part.morph_targets.clear();
        }
        assert_eq!(posed_at_rest(data), posed_at_rest(plain));
    }
}

#[test]
fn a_part_under_the_identity_keeps_its_positions() {
    let posed = posed_at_rest(tetrahedron_on(&[NodeTransform::default()])).unwrap();
    assert_eq!(posed.parts()[0].shape, SkinnedShape::AtRest);
    assert_eq!(posed.parts()[0].model_from_part, DAffine3::IDENTITY);
}

#[test]
fn a_part_scaled_to_nothing_is_one_point() {
    let at = DVec3::new(3.0, 4.0, 5.0);
    let flat_matrix = DMat4::from_scale_rotation_translation(DVec3::ZERO, DQuat::IDENTITY, at);
    let tiny = DVec3::splat(1e-200);
    for chain in [
        vec![trs(at, DVec3::ZERO)],
        vec![trs(at, DVec3::ZERO), trs(DVec3::ONE, DVec3::splat(9.0))],
        vec![trs(at, DVec3::splat(-0.0)), NodeTransform::default()],
        vec![NodeTransform::Matrix(flat_matrix)],
        // Each factor is above zero; their product is not.
        vec![trs(at, tiny), trs(DVec3::ZERO, tiny)],
    ] {
        let model = Model::new(tetrahedron_on(&chain)).unwrap();
        let posed = model.skinned(model.rest_pose()).unwrap();
        let part = &posed.parts()[0];
        let in_model = part.positions(&model.parts()[0]).iter();
        let in_model = in_model.map(|own| part.model_from_part.transform_point3(own.as_dvec3()));
        assert_eq!(in_model.collect::<Vec<_>>(), [at; 4]);
    }
}

#[test]
fn a_flattened_part_is_flat_in_the_models_space() {
    let flat = DVec3::new(2.0, 0.0, -1.0);
    let chain = [trs(DVec3::Y, DVec3::ONE), trs(DVec3::ZERO, flat)];
    let model = Model::new(tetrahedron_on(&chain)).unwrap();
    let posed = model.skinned(model.rest_pose()).unwrap();
    let part = &posed.parts()[0];
    let expected = [
        [0.0, 1.0, 0.0],
        [2.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 1.0, -1.0],
    ];
    assert_eq!(part.shape, SkinnedShape::AtRest);
    let in_model = part.positions(&model.parts()[0]).iter();
    let in_model = in_model.map(|own| part.model_from_part.transform_point3(own.as_dvec3()));
    assert_eq!(
        in_model.collect::<Vec<_>>(),
        expected.map(DVec3::from_array)
    );
}

#[test]
fn absurd_scales_are_refused_when_posed() {
    let (large, huge) = (DVec3::splat(1e30), DVec3::splat(1e200));
    for chain in [
        vec![trs(DVec3::ZERO, large)],
        vec![trs(large, DVec3::ONE)],
        vec![trs(DVec3::ZERO, huge); 3],
        vec![trs(huge, DVec3::ZERO), trs(DVec3::ZERO, huge)],
        // Nothing times an overflow is not a number.
        vec![
            trs(DVec3::ZERO, DVec3::ZERO),
            trs(huge, huge),
            trs(huge * 1e100, huge),
        ],
        vec![
            trs(DVec3::ZERO, huge),
            trs(huge, DVec3::ONE),
            trs(-huge, DVec3::ZERO),
        ],
    ] {
        let Err(Error::InModel { place, cause }) = posed_at_rest(tetrahedron_on(&chain)) else {
            // Nothing times anything finite is nothing, which is a place.
            assert_eq!(chain[0], trs(DVec3::ZERO, DVec3::ZERO));
            continue;
        };
        assert_eq!(place, ModelPlace::Part(0));
        assert!(matches!(*cause, Error::OutOfRange { .. }), "{cause}");
    }
}

#[test]
fn keys_are_met_exactly_and_times_outside_are_clamped() {
    let times = vec![0.5, 0.75, 0.75f32.next_up(), 3.0];
    for interpolation in [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CubicSpline,
    ] {
        let mut values = Vec::new();
        let mut expected = Vec::new();
        for key in 0u8..4 {
            let value = [0.1, 0.2, 0.7].map(|x| x * (f32::from(key) + 1.3));
            expected.push(Vec3::from_array(value).as_dvec3());
            match interpolation {
                Interpolation::CubicSpline => {
                    values.extend([[9.0; 3], value, [-7.0; 3]].as_flattened());
                }
                _ => values.extend(value),
            }
        }
        let mut data = tetrahedron_on(&[NodeTransform::default()]);
        data.clips.push(ClipData {
            name: None,
            channels: vec![ChannelData {
                node: 0,
                property: Property::Translation,
                interpolation,
                times: times.clone(),
                values,
            }],
        });
        let model = Model::new(data).unwrap();
        let at = |time| match model.pose_at(0, time).unwrap().local(0) {
            Some(NodeTransform::Trs { translation, .. }) => *translation,
            other => panic!("{other:?}"),
        };
        for (time, expected) in times.iter().zip(&expected) {
            assert_eq!(at(f64::from(*time)), *expected, "{interpolation:?} {time}");
        }
        assert_eq!(at(-5.0), expected[0]);
        assert_eq!(at(0.5f64.next_down()), expected[0]);
        assert_eq!(at(3.0f64.next_up()), expected[3]);
        assert_eq!(at(f64::MAX), expected[3]);
    }
}
