//! Errors of `Model::new` and of poses, with their locations.

use hitscan::glam::{DMat4, DQuat, DVec3, Vec3};
use hitscan::model::{
    ChannelData, ClipData, Interpolation, ModelData, NodeData, NodeTransform, PartData, PartSkin,
    Property, SkinData,
};
use hitscan::{Error, Model};

/// Two nodes, a skinned and morphed triangle, and a clip that moves both.
fn sound() -> ModelData {
    let part = PartData {
        name: "leaf".into(),
        node: 1,
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        triangles: vec![[0, 1, 2]],
        morph_targets: vec![vec![Vec3::Z; 3]; 2],
        skin: Some(PartSkin {
            skin: 0,
            influences: 2,
            joints: vec![0, 1, 1, 0, 0, 0],
            weights: vec![1.0, 0.0, 0.5, 0.5, 0.0, 0.0],
        }),
        ..PartData::default()
    };
    let channel = |property, values| ChannelData {
        node: 1,
        property,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values,
    };
    let channels = vec![
        channel(
            Property::Rotation,
            vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        ),
        channel(Property::Weights, vec![0.0, 1.0, 1.0, 0.0]),
    ];
    ModelData {
        nodes: vec![
            NodeData::default(),
            NodeData {
                name: Some("branch".into()),
                parent: Some(0),
                morph_weights: vec![0.0, 0.5],
                ..NodeData::default()
            },
        ],
        skins: vec![SkinData {
            joints: vec![0, 1],
            inverse_bind: vec![DMat4::IDENTITY; 2],
        }],
        clips: vec![ClipData {
            name: Some("wave".into()),
            channels,
        }],
        parts: vec![part],
    }
}

fn skin(data: &mut ModelData) -> &mut PartSkin {
    data.parts[0].skin.as_mut().expect("sound data is skinned")
}

fn channel(data: &mut ModelData, index: usize) -> &mut ChannelData {
    &mut data.clips[0].channels[index]
}

/// Spoils sound data and expects exactly this message.
fn check(spoil: fn(&mut ModelData), message: &str) {
    let mut data = sound();
    spoil(&mut data);
    let error = Model::new(data).expect_err(message);
    assert_eq!(error.to_string(), message);
}

#[test]
fn sound_data_is_accepted() {
    assert!(Model::new(sound()).is_ok());
}

#[test]
fn bad_nodes_and_skins_are_named() {
    let ring = "is reached twice: the node hierarchy must be a forest";
    check(|d| d.nodes[0].parent = Some(1), &format!("node 0 {ring}"));
    check(|d| d.nodes[1].parent = Some(1), &format!("node 1 {ring}"));
    check(
        |d| d.nodes[1].parent = Some(2),
        "node 1: parent 2 does not exist: there are only 2",
    );
    check(
        |d| d.nodes[1].morph_weights[1] = f32::NAN,
        "node 1: morph weight[1] must be finite, found NaN",
    );
    check(
        |d| {
            let mut matrix = DMat4::IDENTITY;
            matrix.w_axis.y = f64::INFINITY;
            d.nodes[0].local = NodeTransform::Matrix(matrix);
        },
        "node 0: matrix[13] must be finite, found inf",
    );
    check(
        |d| {
            let mut projection = DMat4::IDENTITY;
            projection.z_axis.w = -1.0;
            d.nodes[0].local = NodeTransform::Matrix(projection);
        },
        "node 0: matrix[11] must be finite and 0, found -1",
    );
    check(
        |d| d.skins[0].joints[1] = 7,
        "skin 0: joint node[1] is 7, but there are only 2",
    );
    check(
        |d| d.skins[0].inverse_bind.truncate(1),
        "skin 0: inverse bind matrices: expected 2 elements, found 1",
    );
    check(
        |d| d.skins[0].inverse_bind[1].x_axis.x = f64::NAN,
        "skin 0: inverse bind matrices[16] must be finite, found NaN",
    );
}

#[test]
fn bad_parts_are_named() {
    check(
        |d| d.parts[0].node = 2,
        "part 0: node 2 does not exist: there are only 2",
    );
    check(
        |d| d.parts[0].positions[1].y = f32::NAN,
        "part 0: mesh position must be finite, found NaN",
    );
    check(
        |d| d.parts[0].positions[1].y = -2e18,
        "part 0: mesh position[1] must lie within ±1e18 metres, found -1999999968613499000",
    );
    check(
        |d| d.parts[0].triangles[0][2] = 3,
        "part 0: triangle corner[2] is 3, but there are only 3",
    );
    check(
        |d| d.parts[0].morph_targets[1].truncate(2),
        "part 0: morph displacements: expected 3 elements, found 2",
    );
    check(
        |d| d.parts[0].morph_targets.push(vec![Vec3::X; 3]),
        "part 0: morph weights: expected 3 elements, found 2",
    );
    check(
        |d| d.parts[0].morph_targets[0][1].z = f32::NEG_INFINITY,
        "part 0: morph displacement component[5] must be finite, found -inf",
    );
}

#[test]
fn bad_influences_are_named() {
    check(
        |d| skin(d).skin = 1,
        "part 0: skin 1 does not exist: there are only 1",
    );
    check(
        |d| skin(d).influences = 0,
        "part 0: influences of a vertex must be at least one, found 0",
    );
    check(
        |d| skin(d).joints[3] = 2,
        "part 0: vertex joint[3] is 2, but there are only 2",
    );
    check(
        |d| skin(d).weights.truncate(5),
        "part 0: skin weights: expected 6 elements, found 5",
    );
    for weight in [-0.5, f32::NAN, f32::INFINITY] {
        let mut data = sound();
        skin(&mut data).weights[2] = weight;
        let expected = "skin weight[2] must be finite and not negative";
        let message = format!("part 0: {expected}, found {weight}");
        assert_eq!(Model::new(data).expect_err(&message).to_string(), message);
    }
}

#[test]
fn bad_channels_are_named() {
    check(
        |d| channel(d, 1).node = 2,
        "clip 0, channel 1: node 2 does not exist: there are only 2",
    );
    check(
        |d| channel(d, 1).times[1] = 0.0,
        "clip 0, channel 1: key time[1] must be later than the key before it, found 0",
    );
    check(
        |d| channel(d, 0).times[0] = f32::NAN,
        "clip 0, channel 0: key time[0] must be finite, found NaN",
    );
    check(
        |d| channel(d, 0).values.truncate(7),
        "clip 0, channel 0: key values: expected 8 elements, found 7",
    );
    check(
        |d| channel(d, 0).values[7] = f32::INFINITY,
        "clip 0, channel 0: key value[7] must be finite, found inf",
    );
    check(
        |d| d.nodes[1].local = NodeTransform::Matrix(DMat4::IDENTITY),
        "clip 0, channel 0: node 1 has a matrix, which cannot be animated",
    );
    check(
        |d| {
            let again = channel(d, 1).clone();
            d.clips[0].channels.insert(0, again);
        },
        "clip 0, channel 2: node 1: an earlier channel animates its weights already",
    );
}

#[test]
fn long_cycles_and_deep_chains_neither_hang_nor_overflow() {
    let count = 200_000;
    let node = |parent| NodeData {
        parent,
        ..NodeData::default()
    };
    // Each node hangs on the next one; the last is a root, or closes the ring.
    let mut nodes: Vec<NodeData> = (1..=count).map(|next| node(Some(next))).collect();
    nodes.push(node(None));
    let chain = ModelData {
        nodes: nodes.clone(),
        ..ModelData::default()
    };
    let model = Model::new(chain).unwrap();
    assert!(model.skinned(model.rest_pose()).is_ok());
    nodes[count].parent = Some(0);
    let ring = ModelData {
        nodes,
        ..ModelData::default()
    };
    assert_eq!(Model::new(ring).err(), Some(Error::NotAForest { node: 0 }));
}

#[test]
fn poses_are_checked_when_set_and_used() {
    let model = Model::new(sound()).unwrap();
    let mut pose = model.rest_pose().clone();
    let turned = |rotation| NodeTransform::Trs {
        translation: DVec3::ZERO,
        rotation,
        scale: DVec3::ONE,
    };
    let rest = pose.clone();
    assert!(pose.set_local(2, turned(DQuat::IDENTITY)).is_err());
    assert!(pose.set_local(1, turned(DQuat::NAN)).is_err());
    assert!(pose.set_morph_weights(1, &[1.0]).is_err());
    assert!(pose.set_morph_weights(1, &[1.0, f64::NAN]).is_err());
    assert!(pose.set_morph_weights(2, &[]).is_err());
    assert_eq!(pose, rest);
    // A quaternion without a vector part is no rotation, whatever its length.
    let posed = model.skinned(&rest).unwrap();
    for rotation in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::IDENTITY * 7.0] {
        pose.set_local(1, turned(rotation)).unwrap();
        assert_eq!(model.skinned(&pose).unwrap(), posed);
    }
    pose.set_morph_weights(1, &[1e300, 1e300]).unwrap();
    assert!(model.skinned(&pose).is_err());

    assert!(model.pose_at(1, 0.0).is_err());
    assert!(model.pose_at(0, f64::NAN).is_err());
    assert!(model.pose_at(0, f64::INFINITY).is_err());
    let other = Model::new(ModelData::default()).unwrap();
    assert!(matches!(
        model.skinned(other.rest_pose()),
        Err(Error::WrongLength { .. })
    ));
}

#[test]
fn pieces_are_found_by_name_and_counted() {
    let mut data = sound();
    data.clips.push(ClipData {
        name: Some("0".into()),
        channels: Vec::new(),
    });
    let model = Model::new(data).unwrap();
    assert_eq!(model.find_clip("wave"), Some(0));
    assert_eq!(model.find_clip("0"), Some(1), "a name goes before a number");
    assert_eq!(model.find_clip("1"), Some(1));
    assert_eq!(model.find_clip("2"), None);
    assert_eq!(model.find_clip("+1"), None, "an index is digits alone");
    assert_eq!(model.find_clip(""), None);
    assert_eq!(model.find_clip("Wave"), None);
    assert_eq!(model.find_node("branch"), Some(1));
    assert_eq!((model.joint_count(), model.triangle_count()), (2, 1));
    assert_eq!(model.clips()[0].end_secs(), 1.0);
    assert_eq!(model.clips()[1].end_secs(), 0.0);
    assert!(model.memory_bytes() > 300);
}
