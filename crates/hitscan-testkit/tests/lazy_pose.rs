//! A stance, which deforms only what a ray reaches, against the model with every vertex moved: the same
//! answers, bit for bit, on generated models in every width, and boxes that hold every vertex.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{
    ModelData, NodeTransform, PosedModel, PosedPart, PosedShape, Stance, StancePart,
};
use hitscan::simd::Width;
use hitscan::{Hit, Model, Ray, Sides, TriMesh, World};
use hitscan_testkit::{Rng, random_model};
use std::sync::Arc;

const SIDES: [Sides; 3] = [Sides::Both, Sides::Front, Sides::Back];

/// The part with all its vertices moved, as a mesh that shares nothing with the model's.
fn whole(model: &Model, part: usize, posed: &PosedPart) -> TriMesh {
    let part = &model.parts()[part];
    let positions = posed.positions(part).to_vec();
    TriMesh::new(positions, part.mesh().triangles().to_vec()).expect("posed in range")
}

/// Every number of a hit, so that two are compared bit by bit.
fn bits(hit: &Hit) -> Vec<u32> {
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
        on.u,
        on.v,
    ];
    let mut bits: Vec<u32> = numbers.iter().map(|x| x.to_bits()).collect();
    bits.extend([on.part, on.triangle, hit.side as u32]);
    bits
}

/// A ray towards somewhere on or near the surface: a corner, an edge, inside a triangle, or past it.
fn aimed_ray(rng: &mut Rng, mesh: &TriMesh) -> Option<Ray> {
    let triangles = mesh.triangles();
    let corners = triangles[rng.below(triangles.len())].map(|v| mesh.positions()[v as usize]);
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let (u, v) = match rng.below(4) {
        0 => (0.0, 0.0),
        1 => (rng.uniform(0.0, 1.0), 0.0),
        2 => (0.5, 0.5),
        _ => (rng.uniform(-0.2, 0.7), rng.uniform(-0.2, 0.7)),
    };
    let target = a + (b - a) * u + (c - a) * v;
    let size = (b - a)
        .length()
        .max((c - a).length())
        .max(target.length() * 1e-6);
    let mut direction = DVec3::from_array([0.0; 3].map(|_: f64| rng.uniform(-1.0, 1.0)));
    if rng.one_in(4) {
        direction[rng.below(3)] = 0.0;
    }
    if rng.one_in(8) {
        direction = DVec3::ZERO;
        direction[rng.below(3)] = if rng.one_in(2) { 1.0 } else { -1.0 };
    }
    let back = size * [0.3, 3.0, 1e3][rng.below(3)];
    let ray = Ray::new((target - direction * back).as_vec3(), direction.as_vec3()).ok()?;
    if rng.one_in(6) {
        let end = (back * rng.uniform(0.5, 1.5)) as f32;
        return ray.with_range(0.0, end.min(f32::MAX)).ok();
    }
    Some(ray)
}

/// Asks both with the same rays, and counts the hits.
fn compare(
    rng: &mut Rng,
    part: &StancePart<'_>,
    whole: &TriMesh,
    rays: usize,
    what: &str,
) -> usize {
    if whole.triangles().is_empty() {
        assert_eq!(part.bounds(), None);
        return 0;
    }
    let mut world = World::new();
    let shared = Arc::new(whole.clone());
    world
        .add_mesh(shared, DAffine3::IDENTITY)
        .expect("in range");
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
        let expected_all = world.cast_ray_all(&ray, sides);
        let expected_all: Vec<_> = expected_all.iter().map(|met| bits(&met.hit)).collect();
        assert_eq!(all, expected_all, "{what}");
        hits += usize::from(expected.is_some());
    }
    hits
}

fn assert_bounds(model: &Model, posed: &PosedModel, stance: &Stance, what: &str) {
    for (index, posed) in posed.parts().iter().enumerate() {
        let part = &model.parts()[index];
        let stands = stance.part(index).unwrap();
        assert_eq!(stands.model_from_part(), posed.model_from_part, "{what}");
        assert_eq!(stands.winding(), posed.winding, "{what}");
        let positions = posed.positions(part);
        for vertex in part.mesh().triangles().as_flattened() {
            let at = positions[*vertex as usize];
            let bounds = stands.bounds().expect("there are triangles");
            assert!(
                bounds.contains(at),
                "{what}, part {index}: {at} is outside {bounds:?}"
            );
        }
        for (lazy, full) in stands.mesh().positions().iter().zip(positions) {
            let bits = |v: &Vec3| v.to_array().map(f32::to_bits);
            assert_eq!(bits(lazy), bits(full), "{what}, part {index}");
        }
    }
}

/// The same model with its vertices in a finer mesh, so that trees have several levels.
fn refined(rng: &mut Rng, mut data: ModelData) -> ModelData {
    for part in &mut data.parts {
        let count = part.positions.len() as u32;
        part.triangles = (0..200)
            .map(|_| [0; 3].map(|_| rng.below(count as usize) as u32))
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
            let posed = model.posed(&pose).expect("in range");
            let (set, sampled) = (
                Stance::new(&model, &pose),
                Stance::at_clip(&model, clip, time),
            );
            let (set, sampled) = (set.expect("in range"), sampled.expect("in range"));
            assert_eq!(sampled.pose(), pose);
            for (index, posed) in posed.parts().iter().enumerate() {
                let whole = whole(&model, index, posed);
                let what = format!("round {round}, clip {clip} at {time}, part {index}");
                deformed += usize::from(matches!(posed.shape, PosedShape::Deformed(_)));
                // A stance of its own for two rays: it has deformed nothing as a whole by then.
                for width in Width::available() {
                    let stance = Stance::at_clip(&model, clip, time).expect("in range");
                    let stance = stance.with_width(width);
                    hits += compare(&mut rng, &stance.part(index).unwrap(), &whole, 2, &what);
                }
                hits += compare(&mut rng, &set.part(index).unwrap(), &whole, 20, &what);
            }
            assert_bounds(&model, &posed, &set, &format!("round {round}"));
            assert_bounds(&model, &posed, &sampled, &format!("round {round}"));
        }
    }
    assert!(hits > 10_000 && deformed > 500, "{hits} {deformed}");
}
