//! A posed model of many parts, to which a tree leads, against each of its parts as a model of its own.

use hitscan::model::{ModelData, PosedModel};
use hitscan::{Model, Ray, RayHit, Sides};
use hitscan_testkit::traced_ray::bits;
use hitscan_testkit::{Rng, aimed_ray, random_model};
use std::sync::Arc;

/// The model with up to 24 parts: copies of its parts, some where they were, so that all they have is hit
/// at equal t, and others at other nodes.
fn with_many_parts(rng: &mut Rng, mut data: ModelData) -> ModelData {
    for part in &mut data.parts {
        part.mesh_of = None;
    }
    let count = 5 + rng.below(20);
    while data.parts.len() < count {
        let mut part = data.parts[rng.below(data.parts.len())].clone();
        if part.skin.is_none() && part.morph_targets.is_empty() && !rng.one_in(4) {
            part.node = rng.below(data.nodes.len());
        }
        part.name = format!("part {}", data.parts.len());
        data.parts.push(part);
    }
    data
}

/// One of a model's parts as a model in the same pose.
fn alone(data: &ModelData, part: usize, time_secs: f64) -> PosedModel {
    let data = ModelData {
        parts: vec![data.parts[part].clone()],
        ..data.clone()
    };
    let model = Arc::new(Model::new(data).expect("valid"));
    PosedModel::at_clip(&model, 0, time_secs).expect("in range")
}

fn as_part(mut hit: RayHit, part: usize) -> RayHit {
    if let Some(triangle) = &mut hit.triangle {
        triangle.part = u32::try_from(part).expect("few parts");
    }
    hit
}

/// All hits of the parts, each cast at alone: in order of t, of equal t in the order of parts.
fn hits_one_by_one(parts: &[PosedModel], ray: &Ray, sides: Sides) -> Vec<RayHit> {
    let of_part = |(index, part): (usize, &PosedModel)| {
        let hits = part.cast_ray_all(ray, sides).into_iter();
        hits.map(move |hit| as_part(hit, index)).collect::<Vec<_>>()
    };
    let mut hits: Vec<RayHit> = parts.iter().enumerate().flat_map(of_part).collect();
    hits.sort_by(|one, other| one.t.total_cmp(&other.t));
    hits
}

fn nearest_one_by_one(parts: &[PosedModel], ray: &Ray, sides: Sides) -> Option<RayHit> {
    let of_part = |(index, part): (usize, &PosedModel)| {
        part.cast_ray(ray, sides).map(|hit| as_part(hit, index))
    };
    let hits = parts.iter().enumerate().filter_map(of_part);
    // Of equal t the first is kept.
    hits.min_by(|one, other| one.t.total_cmp(&other.t))
}

#[test]
fn many_parts_answer_as_each_alone() {
    let mut rng = Rng::new(44);
    let (mut hits, mut ties) = (0, 0);
    for round in 0..80 {
        let data = random_model(&mut rng);
        let data = with_many_parts(&mut rng, data);
        let time = rng.uniform(-1.0, 2.0);
        let parts: Vec<PosedModel> = (0..data.parts.len())
            .map(|part| alone(&data, part, time))
            .collect();
        let model = Arc::new(Model::new(data).expect("valid"));
        let posed = PosedModel::at_clip(&model, 0, time).expect("in range");
        let rays: Vec<Ray> = (0..40)
            .filter_map(|_| {
                let part = posed.part(rng.below(parts.len()))?;
                let to_model = part.model_from_part();
                let mesh = part.mesh();
                let has_triangles = !mesh.triangles().is_empty();
                let local = has_triangles.then(|| aimed_ray(&mut rng, mesh)).flatten()?;
                let origin = to_model.transform_point3(local.origin().as_dvec3());
                let direction = to_model.transform_vector3(local.direction().as_dvec3());
                Ray::new(origin.as_vec3(), direction.as_vec3()).ok()
            })
            .collect();
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let together = posed.cast_rays(&rays, sides);
            for (ray, batched) in rays.iter().zip(together) {
                let what = format!("round {round}: {ray:?}, {sides:?}");
                let expected = nearest_one_by_one(&parts, ray, sides).map(bits);
                assert_eq!(posed.cast_ray(ray, sides).map(bits), expected, "{what}");
                assert_eq!(batched.map(bits), expected, "{what}");
                assert_eq!(posed.cast_ray_any(ray, sides), expected.is_some(), "{what}");
                let all = hits_one_by_one(&parts, ray, sides);
                ties += all.windows(2).filter(|pair| pair[0].t == pair[1].t).count();
                let all: Vec<_> = all.into_iter().map(bits).collect();
                let found = posed.cast_ray_all(ray, sides).into_iter().map(bits);
                assert_eq!(found.collect::<Vec<_>>(), all, "{what}");
                hits += usize::from(expected.is_some());
            }
        }
    }
    assert!(hits > 3_000 && ties > 300, "{hits} {ties}");
}
