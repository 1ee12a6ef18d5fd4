//! Poses between poses: cross-fades, blends of many, nodes placed in the model's space, and how far a
//! model may reach in between.

use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3};
use hitscan::model::{ModelData, NodeTransform, Pose, PosedModel, SkinnedModel};
use hitscan::{Error, Model, TriangleId};
use hitscan_testkit::{Rng, random_model};
use std::sync::Arc;

fn random_pose(rng: &mut Rng, model: &Model) -> Pose {
    let clip = rng.below(model.clips().len());
    model.pose_at(clip, rng.uniform(-1.0, 4.0)).expect("a clip")
}

/// The maximum difference between the entries of two sets of transforms.
fn apart(one: &[DAffine3], other: &[DAffine3]) -> f64 {
    let entries = |all: &[DAffine3]| {
        all.iter()
            .flat_map(DAffine3::to_cols_array)
            .collect::<Vec<_>>()
    };
    let pairs = entries(one).into_iter().zip(entries(other));
    pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

#[test]
fn a_blend_has_its_ends_and_what_is_equal_bit_for_bit() {
    let mut rng = Rng::new(61);
    for _ in 0..300 {
        let model = Model::new(random_model(&mut rng)).unwrap();
        let (one, other) = (random_pose(&mut rng, &model), random_pose(&mut rng, &model));
        assert_eq!(one.blended(&other, 0.0).unwrap(), one);
        assert_eq!(one.blended(&other, 1.0).unwrap(), other);
        let share = rng.uniform(0.0, 1.0);
        assert_eq!(one.blended(&one, share).unwrap(), one);
        let half = one.blended(&other, share).unwrap();
        for node in 0..model.nodes().len() {
            if one.local(node) == other.local(node) {
                assert_eq!(half.local(node), one.local(node));
            }
            let (from, to) = (
                one.morph_weights(node).unwrap(),
                other.morph_weights(node).unwrap(),
            );
            for (k, weight) in half.morph_weights(node).unwrap().iter().enumerate() {
                let expected = from[k] * (1.0 - share) + to[k] * share;
                assert!((weight - expected).abs() < 1e-14, "{weight} {expected}");
            }
        }
        let weighted = Pose::blend_of(&[
            (&one, 3.0),
            (&model.rest_pose().clone(), 0.0),
            (&other, 1.0),
        ]);
        assert_eq!(weighted.unwrap(), one.blended(&other, 0.25).unwrap());
        assert_eq!(Pose::blend_of(&[(&one, 0.25)]).unwrap(), one);
    }
}

/// A matrix node blends as the same node given by translation, rotation and scale.
#[test]
fn a_matrix_blends_as_what_it_was_made_of() {
    let mut rng = Rng::new(62);
    for _ in 0..500 {
        let mut data = ModelData::default();
        data.nodes.push(hitscan::model::NodeData::default());
        let model = Model::new(data).unwrap();
        let mut trs = || {
            let mut number = || rng.uniform(-2.0, 2.0);
            let rotation = DQuat::from_xyzw(number(), number(), number(), number()).normalize();
            let translation = DVec3::new(number(), number(), number());
            let scale = DVec3::new(number(), number(), number()).abs() + 0.1;
            (translation, rotation, scale)
        };
        let pose_of = |local: NodeTransform| {
            let mut pose = model.rest_pose().clone();
            pose.set_local(0, local).unwrap();
            pose
        };
        let ends = [trs(), trs()];
        let as_trs = ends.map(|(translation, rotation, scale)| {
            pose_of(NodeTransform::Trs {
                translation,
                rotation,
                scale,
            })
        });
        let nodes = |pose: &Pose| model.model_from_nodes(pose).unwrap();
        let as_matrix = [0, 1].map(|k| {
            let matrix = hitscan::glam::DMat4::from(nodes(&as_trs[k])[0]);
            pose_of(NodeTransform::Matrix(matrix))
        });
        let share = rng.uniform(0.0, 1.0);
        let expected = nodes(&as_trs[0].blended(&as_trs[1], share).unwrap());
        for (from, to) in [
            (&as_matrix[0], &as_matrix[1]),
            (&as_matrix[0], &as_trs[1]),
            (&as_trs[0], &as_matrix[1]),
        ] {
            let found = nodes(&from.blended(to, share).unwrap());
            assert!(
                apart(&found, &expected) < 1e-13,
                "{found:?}, expected {expected:?}"
            );
        }
        // A quarter of the way along a turn, as the axis and the angle have it.
        let (from, to) = (ends[0].1, ends[1].1);
        let turned = DMat3::from_quat(from.slerp(to, share));
        let rotation = expected[0].matrix3.x_axis / expected[0].matrix3.x_axis.length();
        assert!((rotation - turned.x_axis).length() < 1e-12);
    }
}

#[test]
fn bad_blends_are_refused() {
    let mut rng = Rng::new(63);
    let model = Model::new(random_model(&mut rng)).unwrap();
    let rest = model.rest_pose();
    for share in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            rest.blended(rest, share),
            Err(Error::BadValue { .. })
        ));
    }
    assert!(matches!(Pose::blend_of(&[]), Err(Error::BadValue { .. })));
    assert!(matches!(
        Pose::blend_of(&[(rest, 0.0)]),
        Err(Error::BadValue { .. })
    ));
    assert!(matches!(
        Pose::blend_of(&[(rest, -1.0), (rest, 2.0)]),
        Err(Error::BadElement { .. })
    ));
    assert!(matches!(
        Pose::blend_of(&[(rest, f64::NAN)]),
        Err(Error::BadElement { .. })
    ));
    let huge = [(rest, f64::MAX), (rest, f64::MAX)];
    assert!(matches!(Pose::blend_of(&huge), Err(Error::BadValue { .. })));
    let mut data = random_model(&mut rng);
    while data.nodes.len() == model.nodes().len() {
        data = random_model(&mut rng);
    }
    let stranger = Model::new(data).unwrap();
    assert!(matches!(
        rest.blended(stranger.rest_pose(), 0.5),
        Err(Error::WrongLength { .. })
    ));
    assert!(matches!(
        model.max_displacement(rest, stranger.rest_pose()),
        Err(Error::WrongLength { .. })
    ));
}

#[test]
fn a_node_is_placed_where_the_model_wants_it() {
    let mut rng = Rng::new(64);
    let mut placed = 0;
    for _ in 0..300 {
        let model = Model::new(random_model(&mut rng)).unwrap();
        let mut pose = random_pose(&mut rng, &model);
        let node = rng.below(model.nodes().len());
        let mut number = || rng.uniform(-2.0, 2.0);
        let wanted = DAffine3 {
            matrix3: DMat3::from_cols_array(&[0.0; 9].map(|_: f64| number())),
            translation: DVec3::new(number(), number(), number()),
        };
        let before = model.model_from_nodes(&pose).unwrap();
        let parent = model.nodes()[node].parent();
        let condition = parent.map_or(1.0, |parent| {
            let matrix = before[parent].matrix3;
            let norm = |m: DMat3| m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
            norm(matrix) * norm(matrix.inverse())
        });
        match model.place_node(&mut pose, node, wanted) {
            Ok(()) if condition < 1e4 => {
                let found = model.model_from_nodes(&pose).unwrap();
                assert!(
                    apart(&[found[node]], &[wanted])
                        < 1e-9 * (1.0 + before[node].translation.length())
                );
                placed += 1;
            }
            Ok(()) => {}
            Err(error) => {
                assert!(
                    matches!(error, Error::BadElement { .. })
                        && (condition.is_nan() || condition >= 1e12),
                    "{error}"
                );
                assert_eq!(model.model_from_nodes(&pose).unwrap(), before);
            }
        }
        assert!(matches!(
            model.place_node(&mut pose, 99, wanted),
            Err(Error::NoSuch { .. })
        ));
    }
    assert!(placed > 150, "{placed}");
}

/// The maximum distance of a triangle's corner from the model's origin.
fn farthest(model: &Model, posed: &SkinnedModel) -> f64 {
    let mut farthest = 0.0f64;
    for (part, posed) in model.parts().iter().zip(posed.parts()) {
        for corner in part.mesh().triangles().as_flattened() {
            let at = posed.positions(part)[*corner as usize].as_dvec3();
            farthest = farthest.max(posed.model_from_part.transform_point3(at).length());
        }
    }
    farthest
}

#[test]
fn nothing_between_two_stances_is_beyond_their_reach() {
    let mut rng = Rng::new(65);
    let mut tightness = f64::INFINITY;
    for round in 0..300 {
        let model = Arc::new(Model::new(random_model(&mut rng)).unwrap());
        let poses = [random_pose(&mut rng, &model), random_pose(&mut rng, &model)];
        let [one, other] = poses
            .each_ref()
            .map(|pose| PosedModel::new(&model, pose).expect("in range"));
        let reach = one.max_displacement(&other).unwrap();
        assert!(reach.is_finite());
        for share in [0.0, 0.1, 0.5, 0.77, 1.0] {
            let between = one.blended(&other, share).expect("in range");
            let far = farthest(&model, &model.skinned(&between.pose()).unwrap());
            assert!(
                far <= reach,
                "round {round}, {share}: {far} is beyond {reach}"
            );
            if far > 0.0 {
                tightness = tightness.min(reach / far);
            }
        }
    }
    assert!(
        tightness < 2.0,
        "a bound that is never near says little: {tightness}"
    );
}

#[test]
fn a_hit_is_given_in_bind_space_with_its_strongest_joint() {
    let mut rng = Rng::new(66);
    let mut skinned = 0;
    for _ in 0..500 {
        let data = random_model(&mut rng);
        let model = Model::new(data.clone()).unwrap();
        let part = rng.below(data.parts.len());
        let triangle = rng.below(data.parts[part].triangles.len());
        let (mut u, mut v) = (rng.uniform_f32(0.0, 1.0), rng.uniform_f32(0.0, 1.0));
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let on = TriangleId {
            part: u32::try_from(part).unwrap(),
            triangle: u32::try_from(triangle).unwrap(),
        };
        let found = model.bind_hit(on, [u, v]).expect("a triangle of the model");
        let part = &data.parts[part];
        let corners = part.triangles[triangle].map(|corner| corner as usize);
        let shares = [
            1.0 - f64::from(u) - f64::from(v),
            f64::from(u),
            f64::from(v),
        ];
        let mut point = DVec3::ZERO;
        let mut weights = vec![0.0f64; 64];
        for (corner, share) in corners.into_iter().zip(shares) {
            point += part.positions[corner].as_dvec3() * share;
            if let Some(skin) = &part.skin {
                let range = corner * skin.influences..(corner + 1) * skin.influences;
                let sum: f64 = skin.weights[range.clone()]
                    .iter()
                    .map(|x| f64::from(*x))
                    .sum();
                for k in range.clone() {
                    let own = match (sum == 0.0, k == range.start) {
                        (true, first) => f64::from(u8::from(first)),
                        (false, _) => f64::from(skin.weights[k]) / sum,
                    };
                    weights[usize::from(skin.joints[k])] += own * share;
                }
            }
        }
        assert!((found.point - point).length() < 1e-13);
        match &part.skin {
            None => assert_eq!((found.node, found.weight), (part.node, 1.0)),
            Some(skin) => {
                let most = weights.iter().fold(0.0f64, |a, b| a.max(*b));
                assert!(
                    (found.weight - most).abs() < 1e-6,
                    "{} {most}",
                    found.weight
                );
                let joints = &data.skins[skin.skin].joints;
                let strong = (0..joints.len()).filter(|joint| weights[*joint] > most - 1e-6);
                assert!(
                    strong
                        .map(|joint| joints[joint])
                        .any(|node| node == found.node)
                );
                skinned += 1;
            }
        }
    }
    assert!(skinned > 100);
    let model = Model::new(random_model(&mut rng)).unwrap();
    let nowhere = TriangleId {
        part: 99,
        triangle: 0,
    };
    assert_eq!(model.bind_hit(nowhere, [0.0; 2]), None);
    let first = TriangleId {
        part: 0,
        triangle: 0,
    };
    for barycentrics in [[f32::NAN, 0.0], [0.0, f32::NAN], [f32::INFINITY, 0.0]] {
        let found = model.bind_hit(first, barycentrics);
        assert_eq!(found, None, "{barycentrics:?}");
    }
}
