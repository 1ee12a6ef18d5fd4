//! Real models in many poses: the bounds, area and middle that are known of each, every vertex against
//! the f64 evaluator, and all files that the Khronos validator accepts.

use std::path::Path;

use hitscan::Model;
use hitscan::glam::DVec3;
use hitscan::model::{ModelData, SkinnedModel};
use hitscan_assets::{ModelOptions, read_model};
use hitscan_testkit::pose_oracle::posed_vertices;
use hitscan_testkit::{Rng, outside_data};
use serde_json::Value;

fn cases(folder: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.join("cases").join(name)).expect("a file of cases");
    serde_json::from_str(&text).expect("cases in JSON")
}

fn read(folder: &Path, name: &str) -> ModelData {
    let path = folder.join("data").join(name);
    let file = read_model(&path, &ModelOptions::default());
    file.unwrap_or_else(|error| panic!("{error}")).data
}

/// For each part its vertices in the model's space.
fn vertices(model: &Model, posed: &SkinnedModel) -> Vec<Vec<DVec3>> {
    let parts = posed.parts().iter().zip(model.parts());
    let placed = parts.map(|(posed, part)| {
        let positions = posed.positions(part).iter();
        let placed = positions.map(|at| posed.model_from_part.transform_point3(at.as_dvec3()));
        placed.collect()
    });
    placed.collect()
}

/// What is known of a pose: measured over all triangles.
struct Measures {
    min: DVec3,
    max: DVec3,
    area: f64,
    /// Of all corners of all triangles.
    mean_vertex: DVec3,
    triangles: usize,
}

fn measure(model: &Model, posed: &SkinnedModel) -> Measures {
    let mut measures = Measures {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
        area: 0.0,
        mean_vertex: DVec3::ZERO,
        triangles: 0,
    };
    for (part, vertices) in model.parts().iter().zip(vertices(model, posed)) {
        for triangle in part.mesh().triangles() {
            let [a, b, c] = triangle.map(|corner| vertices[corner as usize]);
            measures.area += (b - a).cross(c - a).length() / 2.0;
            measures.min = measures.min.min(a).min(b).min(c);
            measures.max = measures.max.max(a).max(b).max(c);
            measures.triangles += 1;
            measures.mean_vertex += (a + b + c) / 3.0;
        }
    }
    measures.mean_vertex /= measures.triangles as f64;
    measures
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| value[axis].as_f64().expect("a number")))
}

#[test]
fn poses_have_their_bounds_area_and_middle() {
    let Some(folder) = outside_data() else { return };
    let expected = cases(&folder, "gltf_expected.json");
    let mut poses = 0;
    let mut worst = 0.0f64;
    for case in expected["models"].as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        let model = Model::new(read(&folder, name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let durations = case["durations"].as_array().unwrap();
        assert_eq!(model.clips().len(), durations.len(), "{name}");
        for (clip, duration) in model.clips().iter().zip(durations) {
            assert!(
                (clip.end_secs() - duration.as_f64().unwrap()).abs() < 1e-6,
                "{name}"
            );
        }
        let share = if name.ends_with("SimpleSkin.gltf") {
            1e-3
        } else {
            1e-4
        };
        for pose in case["poses"].as_array().unwrap() {
            let time = pose["time"].as_f64().unwrap();
            let posed = match pose["animation"].as_u64() {
                None => model.skinned(model.rest_pose()),
                Some(clip) => {
                    model.skinned(&model.pose_at(usize::try_from(clip).unwrap(), time).unwrap())
                }
            };
            let found = measure(&model, &posed.unwrap());
            let (min, max) = (vector(&pose["aabb_min"]), vector(&pose["aabb_max"]));
            let diagonal = (max - min).length();
            let area = pose["area"].as_f64().unwrap();
            let what = format!("{name}, {} at {time}", pose["animation"]);
            assert_eq!(
                Some(found.triangles as u64),
                pose["triangles"].as_u64(),
                "{what}"
            );
            for (measure, off) in [
                ("aabb_min", (found.min - min).abs().max_element() / diagonal),
                ("aabb_max", (found.max - max).abs().max_element() / diagonal),
                (
                    "mean_vertex",
                    (found.mean_vertex - vector(&pose["mean_vertex"])).length() / diagonal,
                ),
                (
                    "area",
                    (found.area - area).abs() / area.max(diagonal * diagonal),
                ),
            ] {
                assert!(
                    off <= share,
                    "{what}: {measure} is off by {off} of the diagonal"
                );
                worst = worst.max(off);
            }
            poses += 1;
        }
    }
    println!("{poses} poses, the worst off by {worst:e} of its diagonal");
    assert!(poses > 0);
}

#[test]
fn every_vertex_agrees_with_the_oracle() {
    let Some(folder) = outside_data() else { return };
    let expected = cases(&folder, "gltf_expected.json");
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for case in expected["models"].as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        let data = read(&folder, name);
        let model = Model::new(data.clone()).unwrap();
        let mut clip_times = vec![None];
        for (index, clip) in model.clips().iter().enumerate() {
            let times = (0..6).map(|_| rng.uniform(-0.1, 1.1 * clip.end_secs() + 0.1));
            clip_times.extend(times.map(|time| Some((index, time))));
        }
        for clip_time in clip_times {
            let pose = match clip_time {
                None => model.rest_pose().clone(),
                Some((clip, time)) => model.pose_at(clip, time).unwrap(),
            };
            let found = vertices(&model, &model.skinned(&pose).unwrap());
            let expected = posed_vertices(&data, clip_time);
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                for axis in 0..3 {
                    let off = (found[axis] - expected.position[axis]).abs();
                    let limit = 0.6e-7 * expected.magnitude[axis] + 1e-40;
                    assert!(off <= limit, "{name}, {clip_time:?}: {found} {expected:?}");
                }
                compared += 1;
            }
        }
    }
    println!("{compared} vertices");
    assert!(compared > 0);
}

#[test]
fn what_the_khronos_validator_accepts_can_be_posed() {
    let Some(folder) = outside_data() else { return };
    let index = cases(&folder, "gltf_validator_index.json");
    let mut accepted = 0;
    for case in index.as_array().unwrap() {
        let name = case["file"].as_str().unwrap();
        let path = folder.join("data").join(name);
        let Ok(file) = read_model(&path, &ModelOptions::default()) else {
            continue;
        };
        let posed = Model::new(file.data).and_then(|model| {
            for clip in 0..model.clips().len() {
                model.skinned(&model.pose_at(clip, 0.5)?)?;
            }
            model.skinned(model.rest_pose())
        });
        match posed {
            Ok(_) => accepted += 1,
            Err(error) if case["errors"].as_u64() == Some(0) => panic!("{name}: {error}"),
            Err(error) => println!("{name}: {error}"),
        }
    }
    assert!(accepted > 0);
    println!("{accepted} files posed");
}
