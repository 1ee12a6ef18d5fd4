//! Rays at real models in many poses, compared with an independent evaluator of the glTF 2.0
//! specification in f64: what is hit, where, from which side, and how often.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;
use std::sync::Arc;

use glam::{DAffine3, DVec3, Vec3};
use hitscan::model::{Model, Pose};
use hitscan::{QueryFilter, Ray, Side, Sides, World};
use hitscan_assets::{ModelOptions, read_model};
use hitscan_testkit::outside_data;
use hitscan_testkit::traced_ray::check_trace;
use serde_json::Value;

/// What was compared.
#[derive(Debug, Default)]
struct Counts {
    poses: usize,
    rays: usize,
    hits: usize,
    triangles: usize,
    all_hits: usize,
    placed: usize,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn point(value: &Value) -> DVec3 {
    let [x, y, z] = [0, 1, 2].map(|axis| number(&value[axis]));
    DVec3::new(x, y, z)
}

fn posed(model: &Model, pose: &Value) -> Pose {
    match pose["animation"].as_u64() {
        None => model.rest_pose().clone(),
        Some(clip) => {
            let clip = usize::try_from(clip).unwrap();
            model.pose_at(clip, number(&pose["time"])).unwrap()
        }
    }
}

fn world_of(model: &Arc<Model>, pose: &Pose, placement: DAffine3) -> World {
    let mut world = World::new();
    world.add_model(model, pose, placement).unwrap();
    world.update();
    world
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a table's number is read as the nearest f32"
)]
fn ray_of(case: &Value) -> Ray {
    let ray = Ray::new(
        point(&case["origin"]).as_vec3(),
        point(&case["dir"]).as_vec3(),
    );
    let ray = ray.unwrap();
    match case["max_t"].as_f64() {
        None => ray,
        Some(max_t) => ray.with_range(0.0, max_t as f32).unwrap(),
    }
}

/// The place of a part among those of its node, which is the primitive's index where all
/// primitives are triangles.
fn primitive_of(model: &Model, part: usize) -> usize {
    let node = model.parts()[part].node();
    let before = &model.parts()[..part];
    before.iter().filter(|part| part.node() == node).count()
}

struct Expected<'a> {
    file: &'a str,
    model: &'a Model,
    tolerance: f64,
}

impl Expected<'_> {
    fn check(&self, world: &World, case: &Value, counts: &mut Counts) {
        let Self {
            file,
            model,
            tolerance,
        } = *self;
        let ray = ray_of(case);
        let (found, _) = check_trace(world.now(), &ray, Sides::Both.into(), QueryFilter::new());
        let place = || format!("{file}: {ray:?}\nexpected {case}\nfound {found:?}");
        let is_hit = case["hit"].as_bool().unwrap();
        assert_eq!(found.is_some(), is_hit, "{}", place());
        assert_eq!(world.now().cast_ray_any(&ray, ()), is_hit, "{}", place());
        counts.rays += 1;
        let Some(hit) = found else {
            return;
        };
        counts.hits += 1;
        let off = (f64::from(hit.distance) - number(&case["t"])).abs();
        assert!(off <= tolerance, "off by {off}: {}", place());
        if case["point"].is_null() {
            return;
        }
        let off = hit.point.as_dvec3().distance(point(&case["point"]));
        assert!(off <= tolerance, "off by {off}: {}", place());
        if number(&case["edge_margin"]) < 1e-3 {
            return;
        }
        counts.triangles += 1;
        let on = hit.triangle.unwrap();
        let part = on.part as usize;
        assert_eq!(
            model.parts()[part].node(),
            index(&case["node"]),
            "{}",
            place()
        );
        assert_eq!(
            primitive_of(model, part),
            index(&case["primitive"]),
            "{}",
            place()
        );
        assert_eq!(
            on.triangle as usize,
            index(&case["triangle"]),
            "{}",
            place()
        );
        let is_front = case["front_face"].as_bool().unwrap();
        assert_eq!(hit.side == Side::Front, is_front, "{}", place());
        let normal = point(&case["geometric_normal"]);
        let along = normal.dot(hit.normal.as_dvec3()) / normal.length();
        assert!(along > 1.0 - 1e-4, "{along}: {}", place());

        let all = world.now().cast_ray_all(&ray, ());
        let total = index(&case["hits_total"]);
        assert_eq!(all.len(), total, "{}\n{all:?}", place());
        if let (Some(second), Some(expected)) = (all.get(1), case["second_t"].as_f64()) {
            let off = (f64::from(second.distance) - expected).abs();
            assert!(off <= tolerance, "second hit off by {off}: {}", place());
        }
        counts.all_hits += 1;
    }

    /// The same model rotated, scaled, mirrored and moved, with the ray rotated along.
    fn check_placed(&self, world: &World, placement: DAffine3, case: &Value, counts: &mut Counts) {
        if !case["edge_margin"]
            .as_f64()
            .is_none_or(|margin| margin >= 1e-3)
        {
            return;
        }
        let ray = ray_of(case);
        let origin = placement.transform_point3(ray.origin().as_dvec3());
        let direction = placement.transform_vector3(ray.direction().as_dvec3());
        let placed = Ray::new(origin.as_vec3(), direction.as_vec3())
            .and_then(|placed| placed.with_range(ray.t_min(), ray.t_max()))
            .unwrap();
        let found = world.now().cast_ray(&placed, ());
        let place = || format!("{}: {placed:?}\n{case}\nfound {found:?}", self.file);
        let is_hit = case["hit"].as_bool().unwrap();
        assert_eq!(found.is_some(), is_hit, "{}", place());
        let Some(hit) = found else {
            return;
        };
        let off = (f64::from(hit.t) - number(&case["t"])).abs();
        assert!(off <= 4.0 * self.tolerance, "off by {off}: {}", place());
        if let Some(triangle) = case["triangle"].as_u64() {
            let on = hit.triangle.unwrap();
            assert_eq!(u64::from(on.triangle), triangle, "{}", place());
            let is_front = case["front_face"].as_bool().unwrap();
            assert_eq!(hit.side == Side::Front, is_front, "{}", place());
            assert_eq!(
                hit.normal.dot(placed.direction()) < 0.0,
                is_front,
                "{}",
                place()
            );
        }
        counts.placed += 1;
    }
}

fn check_bounds(world: &World, pose: &Value, tolerance: f64, place: &str) {
    let bounds = world.now().bounds().unwrap();
    for (corner, key) in [(bounds.min(), "aabb_min"), (bounds.max(), "aabb_max")] {
        let off = (corner.as_dvec3() - point(&pose[key])).abs().max_element();
        assert!(off <= tolerance, "{place}: {key} off by {off}: {corner}");
    }
}

fn check_file(folder: &Path, expected: &Value, counts: &mut Counts) {
    let file = expected["file"].as_str().unwrap();
    let path = folder.join("data").join(file);
    let model = read_model(&path, &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let model = Arc::new(Model::new(model.data).unwrap_or_else(|e| panic!("{file}: {e}")));
    let mirrored = DAffine3::from_scale_rotation_translation(
        DVec3::new(-1.5, 0.75, 1.25),
        glam::DQuat::from_xyzw(0.5, -0.5, 0.1, 0.7),
        DVec3::new(4.0, -2.0, 1.0),
    );
    for case in expected["poses"].as_array().unwrap() {
        let pose = posed(&model, case);
        let world = world_of(&model, &pose, DAffine3::IDENTITY);
        let diagonal = point(&case["aabb_min"]).distance(point(&case["aabb_max"]));
        let share = if file.contains("SimpleSkin") {
            1e-3
        } else {
            1e-4
        };
        let tolerance = share * diagonal;
        let place = format!("{file}, {}, {}", case["animation"], case["time"]);
        check_bounds(&world, case, tolerance, &place);
        let placed = world_of(&model, &pose, mirrored);
        let expected = Expected {
            file: &place,
            model: &model,
            tolerance,
        };
        counts.poses += 1;
        for ray in case["rays"].as_array().unwrap() {
            expected.check(&world, ray, counts);
            expected.check_placed(&placed, mirrored, ray, counts);
        }
    }
}

#[test]
fn posed_models_are_hit_where_the_specification_has_them() {
    let Some(folder) = outside_data() else { return };
    let text = std::fs::read_to_string(folder.join("cases/gltf_expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let models = expected["models"].as_array().unwrap();
    let mut counts = Counts::default();
    for model in models {
        check_file(&folder, model, &mut counts);
    }
    println!("{} models, {counts:?}", models.len());
    assert!(models.len() >= 20 && counts.poses >= 60 && counts.hits >= 500);
    assert!(counts.triangles >= 400 && counts.placed >= 400);
}

/// A model as a whole against its parts as single meshes.
#[test]
fn a_model_answers_as_its_parts_do() {
    let Some(folder) = outside_data() else { return };
    let path = folder.join("data/gltf/BoxAnimated.glb");
    let file = read_model(&path, &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let model = Arc::new(Model::new(file.data).unwrap());
    let pose = model.pose_at(0, 1.7).unwrap();
    let world = world_of(&model, &pose, DAffine3::IDENTITY);
    let mut parts = World::new();
    for (part, placed) in model
        .parts()
        .iter()
        .zip(model.skinned(&pose).unwrap().into_parts())
    {
        let mesh = Arc::clone(part.mesh());
        parts.add_at(mesh, placed.model_from_part).unwrap();
    }
    parts.update();
    let mut rng = hitscan_testkit::Rng::new(0x0DE1);
    let mut hits = 0;
    for _ in 0..2_000 {
        let mut near = |span: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
        let (origin, target) = (near(8.0), near(2.0));
        let ray = Ray::new(origin, target - origin).unwrap();
        let whole = world.now().cast_ray(&ray, ());
        let single = parts.now().cast_ray(&ray, ());
        let whole = whole.map(|hit| (hit.t, hit.normal, hit.triangle.unwrap()));
        let single = single.map(|hit| {
            let mut on = hit.triangle.unwrap();
            on.part = u32::try_from(hit.object.unwrap().index()).unwrap();
            (hit.t, hit.normal, on)
        });
        assert_eq!(whole, single, "{ray:?}");
        hits += usize::from(whole.is_some());
    }
    println!("{hits} hits");
    assert!(hits > 300);
}
