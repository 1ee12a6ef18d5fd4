//! Models in their poses against what the specification of glTF says of them, worked out in f64 by others.

use crate::cases::{REFUSED, cases, files};
use crate::posed_mesh::PosedMesh;
use crate::stage::{AtTime, app_with, ask, load, meshes, spawn_posed};
use bevy_app::App;
use bevy_hitscan::hitscan::{Side, Sides};
use bevy_hitscan::prelude::*;
use bevy_math::{DVec3, Dir3};
use bevy_mesh::Mesh3d;
use bevy_shape::Ray3d;
use serde_json::Value;

/// How far answers may be off, as a fraction of the pose's diagonal: Bevy animates in f32.
const TOLERANCE: f64 = 1e-3;

/// Rays closer to an edge than this fraction of the triangle may hit or miss.
const EDGE: f64 = 1e-2;

#[derive(Debug, Default)]
struct Counts {
    models: usize,
    poses: usize,
    rays: usize,
    hits: usize,
    triangles: usize,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn point(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| number(&value[axis])))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "Bevy's times are read as the nearest f32"
)]
fn at_time(pose: &Value) -> AtTime {
    let animation = usize::try_from(pose["animation"].as_u64()?).unwrap();
    Some((animation, number(&pose["time"]) as f32))
}

/// The box around all triangles.
fn bounds(app: &mut App) -> [DVec3; 2] {
    let entities = meshes(app);
    let posed = entities.iter().map(|entity| PosedMesh::of(app, *entity));
    let corners = posed.flat_map(|mesh| mesh.triangles.into_iter().flatten());
    corners.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[min, max], at| {
        [min.min(at), max.max(at)]
    })
}

fn check_ray(app: &mut App, case: &Value, tolerance: f64, place: &str, counts: &mut Counts) {
    let ray = Ray3d::new(
        point(&case["origin"]).as_vec3(),
        Dir3::new(point(&case["dir"]).as_vec3()).unwrap(),
    );
    let filter = HitscanFilter::new().sides(Sides::Both);
    let filter = match case["max_t"].as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "distances are f32")]
        Some(max_t) => filter.max_distance(max_t as f32),
        None => filter,
    };
    counts.rays += 1;
    let is_near_edge = case["edge_margin"]
        .as_f64()
        .is_some_and(|margin| margin < EDGE);
    let (answer, triangle) = ask(app, |hitscan| {
        let answer = hitscan.cast_ray(ray, &filter);
        let triangle = answer.and_then(|answer| hitscan.detail(&answer).triangle);
        (answer, triangle)
    });
    let is_hit = case["hit"].as_bool().unwrap();
    if is_near_edge && answer.is_some() != is_hit {
        return;
    }
    assert_eq!(answer.is_some(), is_hit, "{place}: {case}\n{answer:?}");
    let Some(answer) = answer else {
        return;
    };
    counts.hits += 1;
    if is_near_edge {
        return;
    }
    let off = (f64::from(answer.distance) - number(&case["t"])).abs();
    assert!(
        off <= tolerance,
        "{place}: off by {off}: {case}\n{answer:?}"
    );
    let Some(expected) = case["triangle"].as_u64() else {
        return;
    };
    counts.triangles += 1;
    assert_eq!(triangle.map(u64::from), Some(expected), "{place}: {case}");
    let is_front = case["front_face"].as_bool().unwrap();
    assert_eq!(answer.side == Side::Front, is_front, "{place}: {case}");
    let mesh = app.world().get::<Mesh3d>(answer.entity).unwrap();
    let label = mesh.0.path().and_then(|path| path.label()).unwrap();
    let expected = format!("Mesh{}/Primitive{}", case["mesh"], case["primitive"]);
    assert_eq!(label, expected, "{place}: {case}");
}

fn check_model(app: &mut App, model: &Value, counts: &mut Counts) {
    let file = model["file"].as_str().unwrap();
    let Ok(handle) = load(app, file) else {
        return;
    };
    counts.models += 1;
    for pose in model["poses"].as_array().unwrap() {
        let root = spawn_posed(app, &handle, at_time(pose));
        let place = format!("{file}, {} at {}", pose["animation"], pose["time"]);
        let known = [point(&pose["aabb_min"]), point(&pose["aabb_max"])];
        let tolerance = TOLERANCE * known[0].distance(known[1]);
        let drawn = bounds(app);
        for (known, drawn) in known.iter().zip(drawn) {
            let off = known.distance(drawn);
            assert!(off <= tolerance, "{place}: Bevy is off by {off}");
        }
        for case in pose["rays"].as_array().unwrap() {
            check_ray(app, case, tolerance, &place, counts);
        }
        counts.poses += 1;
        app.world_mut().entity_mut(root).despawn();
        app.update();
        assert_eq!(meshes(app), [], "{place}: despawned");
    }
}

#[test]
fn posed_models_are_hit_where_the_specification_has_them() {
    let Some((folder, cases)) = cases() else {
        return;
    };
    let mut counts = Counts::default();
    let models = cases["models"].as_array().unwrap();
    for model in models {
        let mut app = app_with(HitscanPlugin::default().bake_blocking(), &folder);
        check_model(&mut app, model, &mut counts);
    }
    println!("{counts:?}");
    let refused = |file: &&Value| REFUSED.iter().any(|(name, _)| file["file"] == *name);
    let refused = models.iter().filter(refused).count();
    assert_eq!(counts.models, models.len() - refused);
    assert!(counts.hits >= 400 && counts.triangles >= 300, "{counts:?}");
}

#[test]
fn what_bevy_refuses_is_listed_with_its_reason() {
    let Some((folder, cases)) = cases() else {
        return;
    };
    let mut app = app_with(HitscanPlugin::default(), &folder);
    let mut refused = Vec::new();
    for file in files(&cases) {
        if let Err(reason) = load(&mut app, file) {
            // The error goes on with where it was raised.
            println!("{file}: {}", reason.lines().next().unwrap_or(""));
            refused.push((file, reason));
        }
    }
    assert_eq!(refused.len(), REFUSED.len());
    for ((file, reason), (expected, part)) in refused.iter().zip(REFUSED) {
        assert_eq!(*file, expected);
        assert!(reason.contains(part), "{file}: {reason}");
    }
}
