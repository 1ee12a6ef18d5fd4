//! Posed vertices of random models against an evaluator in f64 that shares no code with the library.

use hitscan::Model;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::model::{ModelData, SkinnedModel, SkinnedShape, Winding};
use hitscan_testkit::pose_oracle::{OracleVertex, model_from_node, posed_vertices};
use hitscan_testkit::{Rng, random_model};

/// What a posed vertex may be off by, in units of the magnitudes added up on its way: half of f32's
/// spacing for the one rounding to f32, and room for the roundings in f64 of a chain of ten nodes.
const LIMIT: f64 = 0.5 / 8_388_608.0 + 1e-12;

fn assert_near(model: &Model, posed: &SkinnedModel, expected: &[Vec<OracleVertex>], what: &str) {
    assert_eq!(posed.parts().len(), expected.len());
    for (index, part) in posed.parts().iter().enumerate() {
        let positions = part.positions(&model.parts()[index]);
        assert_eq!(positions.len(), expected[index].len());
        for (vertex, (position, expected)) in positions.iter().zip(&expected[index]).enumerate() {
            let found = part.model_from_part.transform_point3(position.as_dvec3());
            for axis in 0..3 {
                let off = (found[axis] - expected.position[axis]).abs();
                assert!(
                    off <= LIMIT * expected.magnitude[axis] + 1e-40,
                    "{what}, part {index}, vertex {vertex}: {found}, expected {expected:?}"
                );
            }
        }
    }
}

/// Times at, between, just beside and outside the keys of a clip.
fn times(data: &ModelData, clip: usize, rng: &mut Rng) -> Vec<f64> {
    let channels = data.clips[clip].channels.iter();
    let keys: Vec<f32> = channels.flat_map(|channel| channel.times.clone()).collect();
    let mut times = vec![-9.0, 9e9];
    for _ in 0..12 {
        times.push(rng.uniform(-1.0, 4.0));
        if !keys.is_empty() {
            let key = keys[rng.below(keys.len())];
            times.extend([key, key.next_down()].map(f64::from));
            times.push(f64::from(key).next_up());
        }
    }
    times
}

#[test]
fn posed_vertices_agree_with_the_oracle() {
    let mut rng = Rng::new(2);
    let mut shapes = [0usize; 4];
    for round in 0..400 {
        let data = random_model(&mut rng);
        let model = Model::new(data.clone()).expect("the generator makes valid models");
        let rest = model.skinned(model.rest_pose()).expect("in range");
        let what = format!("round {round} at rest");
        assert_near(&model, &rest, &posed_vertices(&data, None), &what);
        for clip in 0..data.clips.len() {
            for time in times(&data, clip, &mut rng) {
                let posed = model.skinned(&model.pose_at(clip, time).unwrap());
                let expected = posed_vertices(&data, Some((clip, time)));
                let what = format!("round {round}, clip {clip} at {time}");
                assert_near(&model, &posed.expect("in range"), &expected, &what);
            }
        }
        for (part, data) in rest.parts().iter().zip(&data.parts) {
            shapes[match (&part.shape, data.skin.is_some()) {
                (SkinnedShape::AtRest, _) => 0,
                (SkinnedShape::Deformed(_), true) => 1,
                (SkinnedShape::Deformed(_), false)
                    if part.model_from_part != DAffine3::IDENTITY =>
                {
                    2
                }
                (SkinnedShape::Deformed(_), false) => 3,
            }] += 1;
        }
    }
    // Rigid, skinned, morphed alone and flattened parts must all have occurred.
    assert!(shapes.iter().all(|count| *count > 30), "{shapes:?}");
}

#[test]
fn winding_follows_the_determinant_of_the_chain() {
    let mut rng = Rng::new(3);
    let mut met = [0usize; 2];
    for _ in 0..3000 {
        let data = random_model(&mut rng);
        let model = Model::new(data.clone()).unwrap();
        let posed = model.skinned(model.rest_pose()).unwrap();
        for (part, data_part) in posed.parts().iter().zip(&data.parts) {
            if data_part.skin.is_some() {
                assert_eq!(part.winding, Winding::Kept);
                continue;
            }
            let rows = model_from_node(&data, data_part.node);
            let [x, y, z] = [0, 1, 2].map(|c| DVec3::new(rows[0][c], rows[1][c], rows[2][c]));
            let determinant = DMat3::from_cols(x, y, z).determinant();
            // Nearer to zero the determinant's own rounding could choose its sign.
            if determinant.abs() > 1e-9 * x.length() * y.length() * z.length() {
                let is_mirrored = part.winding == Winding::Mirrored;
                assert_eq!(is_mirrored, determinant < 0.0);
                met[usize::from(is_mirrored)] += 1;
            }
        }
    }
    assert!(met.iter().all(|count| *count > 500), "{met:?}");
}
