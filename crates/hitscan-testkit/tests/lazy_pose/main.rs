//! A posed model, which deforms only what a ray reaches, against the model with every vertex moved: the same
//! answers, bit for bit, on generated models in every width, and boxes that hold every vertex.

mod counts;
mod memory;

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::model::{
    ModelData, NodeData, NodeTransform, PartData, PartSkin, PosedModel, PosedPart, SkinData,
    SkinnedModel, SkinnedPart, SkinnedShape,
};
use hitscan::simd::Width;
use hitscan::{Model, Ray, RayHit, Sides, TriMesh, World};
use hitscan_assets::{ModelOptions, read_model};
use hitscan_testkit::{Rng, aimed_ray, outside_data, random_model};
use std::sync::Arc;

const SIDES: [Sides; 3] = [Sides::Both, Sides::Front, Sides::Back];

/// The part with all its vertices moved, as a mesh that shares nothing with the model's.
fn whole(model: &Model, part: usize, posed: &SkinnedPart) -> TriMesh {
    let part = &model.parts()[part];
    let positions = posed.positions(part).to_vec();
    TriMesh::new(positions, part.mesh().triangles().to_vec()).expect("posed in range")
}

/// Every number of a hit, so that two are compared bit by bit.
fn bits(hit: &RayHit) -> Vec<u32> {
    let on = hit.triangle.expect("on a triangle");
    let numbers = [
        hit.t,
        hit.distance,
        hit.point.x,
        hit.point.y,
        hit.point.z,
        hit.normal.x,
        hit.normal.y,
        hit.normal.z,
        hit.u(),
        hit.v(),
    ];
    let mut bits: Vec<u32> = numbers.iter().map(|x| x.to_bits()).collect();
    bits.extend([on.part, on.triangle, hit.side as u32]);
    bits
}

/// Casts the same rays at both, and counts the hits.
fn compare(rng: &mut Rng, part: &PosedPart<'_>, whole: &TriMesh, rays: usize, what: &str) -> usize {
    if whole.triangles().is_empty() {
        assert_eq!(part.bounds(), None);
        return 0;
    }
    let mut world = World::new();
    let shared = Arc::new(whole.clone());
    world.add_at(shared, DAffine3::IDENTITY).expect("in range");
    world.update();
    let mut hits = 0;
    for _ in 0..rays {
        let Some(ray) = aimed_ray(rng, whole) else {
            continue;
        };
        let sides = SIDES[rng.below(3)];
        let expected = whole.cast_ray(&ray, sides);
        let found = part.cast_ray(&ray, sides);
        let what = format!("{what}: {ray:?}, {sides:?}: {found:?}, expected {expected:?}");
        assert_eq!(
            found.map(|hit| bits(&hit)),
            expected.map(|hit| bits(&hit)),
            "{what}"
        );
        assert_eq!(part.cast_ray_any(&ray, sides), expected.is_some(), "{what}");
        let all: Vec<_> = part.cast_ray_all(&ray, sides).iter().map(bits).collect();
        let expected_all = world.now().cast_ray_all(&ray, sides);
        let expected_all: Vec<_> = expected_all.iter().map(bits).collect();
        assert_eq!(all, expected_all, "{what}");
        hits += usize::from(expected.is_some());
    }
    hits
}

fn assert_bounds(model: &Model, posed: &SkinnedModel, posed_model: &PosedModel, what: &str) {
    for (index, posed) in posed.parts().iter().enumerate() {
        let part = &model.parts()[index];
        let found = posed_model.part(index).expect("as many parts");
        assert_eq!(found.model_from_part(), posed.model_from_part, "{what}");
        assert_eq!(found.winding(), posed.winding, "{what}");
        let positions = posed.positions(part);
        for vertex in part.mesh().triangles().as_flattened() {
            let at = positions[*vertex as usize];
            let bounds = found.bounds().expect("there are triangles");
            assert!(
                bounds.contains(at),
                "{what}, part {index}: {at} is outside {bounds:?}"
            );
        }
        for (lazy, full) in found.mesh().positions().iter().zip(positions) {
            let bits = |v: &Vec3| v.to_array().map(f32::to_bits);
            assert_eq!(bits(lazy), bits(full), "{what}, part {index}");
        }
    }
}

fn vertex(index: usize) -> u32 {
    u32::try_from(index).expect("there are few vertices")
}

/// The same model with its vertices in a finer mesh, so that trees have several levels.
fn refined(rng: &mut Rng, mut data: ModelData) -> ModelData {
    for part in &mut data.parts {
        let count = part.positions.len();
        part.triangles = (0..200)
            .map(|_| [0; 3].map(|_| vertex(rng.below(count))))
            .collect();
    }
    data
}

fn scaled(data: &mut ModelData, factor: f64) {
    for node in &mut data.nodes {
        if node.parent.is_none()
            && let NodeTransform::Trs {
                translation, scale, ..
            } = &mut node.local
        {
            *scale *= factor;
            *translation *= factor;
        }
    }
}

#[test]
fn lazily_posed_answers_are_those_of_the_whole_model() {
    let mut rng = Rng::new(41);
    let (mut hits, mut deformed) = (0, 0);
    for round in 0..300 {
        let mut data = random_model(&mut rng);
        if round % 2 == 0 {
            data = refined(&mut rng, data);
        }
        scaled(&mut data, [1.0, 1.0, 1e-6, 1e6][round % 4]);
        let clips = data.clips.len();
        let model = Arc::new(Model::new(data).expect("the generator makes valid models"));
        for time in [-1.0, 0.4, 1.3] {
            let clip = rng.below(clips);
            let pose = model.pose_at(clip, time).unwrap();
            let posed = model.skinned(&pose).expect("in range");
            let (set, sampled) = (
                PosedModel::new(&model, &pose),
                PosedModel::at_clip(&model, clip, time),
            );
            let (set, sampled) = (set.expect("in range"), sampled.expect("in range"));
            assert_eq!(sampled.pose(), pose);
            for (index, posed) in posed.parts().iter().enumerate() {
                let whole = whole(&model, index, posed);
                let what = format!("round {round}, clip {clip} at {time}, part {index}");
                deformed += usize::from(matches!(posed.shape, SkinnedShape::Deformed(_)));
                // A posed model of its own for two rays: it has deformed nothing as a whole by then.
                for width in Width::available() {
                    let posed_model = PosedModel::at_clip(&model, clip, time).expect("in range");
                    let posed_model = posed_model.with_width(width);
                    hits += compare(
                        &mut rng,
                        &posed_model.part(index).unwrap(),
                        &whole,
                        2,
                        &what,
                    );
                }
                hits += compare(&mut rng, &set.part(index).unwrap(), &whole, 20, &what);
            }
            assert_bounds(&model, &posed, &set, &format!("round {round}"));
            assert_bounds(&model, &posed, &sampled, &format!("round {round}"));
        }
    }
    assert!(hits > 10_000 && deformed > 500, "{hits} {deformed}");
}

/// A whole model in its own space answers as a world does in which nothing moves it.
#[test]
fn a_posed_model_answers_as_in_a_world() {
    let mut rng = Rng::new(43);
    let (mut hits, mut several) = (0, 0);
    for round in 0..150 {
        let model = Arc::new(Model::new(random_model(&mut rng)).expect("valid"));
        let time = rng.uniform(-1.0, 2.0);
        let clip = rng.below(model.clips().len());
        let posed = PosedModel::at_clip(&model, clip, time).expect("in range");
        let pose = model.pose_at(clip, time).expect("there is such a clip");
        let mut world = World::new();
        world
            .add_model(&model, &pose, DAffine3::IDENTITY)
            .expect("in range");
        world.update();
        let meshes: Vec<TriMesh> = posed
            .parts()
            .map(|part| {
                let at = |vertex: &Vec3| part.model_from_part().transform_point3(vertex.as_dvec3());
                let positions = part
                    .mesh()
                    .positions()
                    .iter()
                    .map(|vertex| at(vertex).as_vec3());
                let triangles = part.mesh().triangles().to_vec();
                TriMesh::new(positions.collect(), triangles).expect("in range")
            })
            .filter(|mesh| !mesh.triangles().is_empty())
            .collect();
        let rays = (0..40).filter_map(|_| {
            let mesh = meshes.get(rng.below(meshes.len().max(1)))?;
            aimed_ray(&mut rng, mesh)
        });
        let rays: Vec<Ray> = rays.collect();
        let snapshot = world.now();
        for sides in SIDES {
            let nearest = posed.cast_rays(&rays, sides);
            let any = posed.cast_rays_any(&rays, sides);
            let all = posed.cast_rays_all(&rays, sides);
            for (index, ray) in rays.iter().enumerate() {
                let what = format!("round {round}: {ray:?}, {sides:?}");
                let expected = snapshot.cast_ray(ray, sides);
                let expected = expected.map(|hit| bits(&hit));
                let found = posed.cast_ray(ray, sides).map(|hit| bits(&hit));
                assert_eq!(found, expected, "{what}");
                assert_eq!(nearest[index].map(|hit| bits(&hit)), expected, "{what}");
                assert_eq!(posed.cast_ray_any(ray, sides), expected.is_some(), "{what}");
                assert_eq!(any[index], expected.is_some(), "{what}");
                let expected_all = snapshot.cast_ray_all(ray, sides);
                let expected_all: Vec<_> = expected_all.iter().map(bits).collect();
                let found_all: Vec<_> = posed.cast_ray_all(ray, sides).iter().map(bits).collect();
                assert_eq!(found_all, expected_all, "{what}");
                assert_eq!(
                    all[index].iter().map(bits).collect::<Vec<_>>(),
                    expected_all
                );
                hits += usize::from(expected.is_some());
                several += usize::from(expected_all.len() > 1);
            }
        }
    }
    assert!(hits > 2_000 && several > 500, "{hits} {several}");
}

/// Whether posing succeeds, and why not, is the same, however absurd the scale.
#[test]
fn what_cannot_be_posed_is_refused_alike() {
    let mut rng = Rng::new(42);
    let (mut refused, mut posed) = (0, 0);
    for round in 0..400 {
        let mut data = random_model(&mut rng);
        let factor = [1e12, 1e16, 1e17, 1e18, 1e30, 1e200, 1e-200, -1e-30];
        scaled(&mut data, factor[round % 8]);
        if round % 5 == 0 {
            // Displaced beyond all range, and brought back by the node.
            scaled(&mut data, 1e-13);
            let targets = data
                .parts
                .iter_mut()
                .flat_map(|part| &mut part.morph_targets);
            targets
                .flatten()
                .for_each(|displacement| *displacement *= 1e19);
        }
        let model = Arc::new(Model::new(data).expect("the generator makes valid models"));
        let whole = model.skinned(model.rest_pose());
        match (whole, PosedModel::new(&model, model.rest_pose())) {
            (Ok(whole), Ok(posed_model)) => {
                assert_bounds(&model, &whole, &posed_model, &format!("round {round}"));
                posed += 1;
            }
            (Err(expected), Err(found)) => {
                assert_eq!(found, expected, "round {round}");
                refused += 1;
            }
            (whole, posed_model) => panic!("round {round}: {whole:?}, {posed_model:?}"),
        }
    }
    assert!(refused > 50 && posed > 50, "{refused} {posed}");
}

/// Vertices that coincide at rest and are torn apart by joints: a block of triangles that share
/// them at rest has more corners then than it has places.
#[test]
fn seams_that_open_stay_in_their_blocks() {
    let mut data = ModelData::default();
    for x in [0.0, 5.0] {
        data.nodes.push(NodeData {
            local: NodeTransform::Trs {
                translation: DVec3::X * x,
                rotation: DQuat::IDENTITY,
                scale: DVec3::ONE,
            },
            ..NodeData::default()
        });
    }
    data.skins.push(SkinData {
        joints: vec![0, 1],
        inverse_bind: Vec::new(),
    });
    // A fan of eight triangles, each with vertices of its own.
    let (mut positions, mut triangles, mut joints) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..8u16 {
        let rim = |k: u16| {
            let at = f32::from(k % 8);
            Vec3::new(at, (at - 3.5) * (at - 3.5), 1.0)
        };
        let first = u32::from(k) * 3;
        positions.extend([Vec3::new(3.5, 20.0, 0.0), rim(k), rim(k + 1)]);
        triangles.push([first, first + 1, first + 2]);
        joints.extend([k % 2; 3]);
    }
    data.parts.push(PartData {
        name: "fan".into(),
        skin: Some(PartSkin {
            skin: 0,
            influences: 1,
            weights: vec![1.0; joints.len()],
            joints,
        }),
        positions,
        triangles,
        ..PartData::default()
    });
    let model = Arc::new(Model::new(data).unwrap());
    let posed = model.skinned(model.rest_pose()).unwrap();
    let whole = whole(&model, 0, &posed.parts()[0]);
    let mut rng = Rng::new(43);
    let mut hits = 0;
    for _ in 0..200 {
        let posed_model = PosedModel::new(&model, model.rest_pose()).unwrap();
        hits += compare(&mut rng, &posed_model.part(0).unwrap(), &whole, 2, "fan");
        assert_eq!(posed_model.part(0).unwrap().mesh().triangles().len(), 8);
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn real_models_answer_alike_in_many_poses() {
    let Some(folder) = outside_data() else { return };
    let mut files = Vec::new();
    let mut folders = vec![folder.join("data/gltf")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "glb" || end == "gltf")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut rng = Rng::new(45);
    let (mut models, mut hits) = (0, 0);
    for path in files {
        // Some are there to be refused.
        let Ok(file) = read_model(&path, &ModelOptions::default()) else {
            continue;
        };
        let Ok(model) = Model::new(file.data) else {
            continue;
        };
        let model = Arc::new(model);
        models += 1;
        for _ in 0..6 {
            let (mut pose, mut what) = (model.rest_pose().clone(), path.display().to_string());
            if !model.clips().is_empty() {
                let clip = rng.below(model.clips().len());
                let (start, end) = (
                    model.clips()[clip].start_secs(),
                    model.clips()[clip].end_secs(),
                );
                let time = rng.uniform(start - 0.1, end + 0.1);
                pose = model.pose_at(clip, time).unwrap();
                what = format!("{what}, clip {clip} at {time}");
            }
            let posed = model.skinned(&pose).unwrap();
            for (index, posed) in posed.parts().iter().enumerate() {
                let whole = whole(&model, index, posed);
                for width in Width::available() {
                    let posed_model = PosedModel::new(&model, &pose).unwrap().with_width(width);
                    hits += compare(
                        &mut rng,
                        &posed_model.part(index).unwrap(),
                        &whole,
                        20,
                        &what,
                    );
                }
            }
            let posed_model = PosedModel::new(&model, &pose).unwrap();
            assert_bounds(&model, &posed, &posed_model, &what);
        }
    }
    println!("{models} models, {hits} hits");
    assert!(models > 10 && hits > 1000, "{models} {hits}");
}
