//! Rays through a world at the real height maps of the outside data, for both diagonals: nearest,
//! any and all hits. Heights, and rays at the terrain itself, are in `elevation_cases.rs`.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::{HeightField, Ray, World};
use hitscan_assets::heights::{HeightScale, read_heights};
use hitscan_testkit::outside_data;
use serde_json::Value;

#[derive(Debug, Default)]
struct Counts {
    rays: usize,
    hits: usize,
    cells: usize,
    all_hits: usize,
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

fn field(folder: &Path, case: &Value, diagonal: Diagonal) -> HeightField {
    let file = case["file"].as_str().unwrap();
    let path = folder.join("data").join(file);
    let bytes = std::fs::read(&path).unwrap();
    let [columns, rows] = [index(&case["cols"]), index(&case["rows"])];
    let size = file.ends_with(".raw").then_some([columns, rows]);
    let image = read_heights(&path, &bytes, size).unwrap_or_else(|e| panic!("{e}"));
    let scale = HeightScale::MetresPerUnit(number(&case["y_scale"]));
    let heights = image.into_heights(scale).unwrap_or_else(|e| panic!("{e}"));
    let cell = number(&case["cell"]);
    let mut grid = Grid::new(columns, rows, [cell, cell]);
    grid.diagonal = diagonal;
    HeightField::new(grid, heights).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn check_rays(field: &Arc<HeightField>, case: &Value, key: &str, counts: &mut Counts) {
    let mut world = World::new();
    world.add(Arc::clone(field));
    world.update();
    let columns = index(&case["cols"]);
    let cell = number(&case["cell"]);
    for ray_case in case["rays"].as_array().unwrap() {
        let origin = point(&ray_case["origin"]).as_vec3();
        let direction: Vec3 = point(&ray_case["dir_unnormalised"]).as_vec3();
        let ray = Ray::new(origin, direction).unwrap();
        let found = world.now().cast_ray(&ray, ());
        let expected = &ray_case[key];
        let place = || format!("{}, {key}: {ray_case}\nfound {found:?}", case["file"]);
        counts.rays += 1;
        let is_hit = !expected.is_null() && !expected["t"].is_null();
        assert_eq!(found.is_some(), is_hit, "{}", place());
        assert_eq!(world.now().cast_ray_any(&ray, ()), is_hit, "{}", place());
        let Some(hit) = found else { continue };
        counts.hits += 1;
        let off = (f64::from(hit.distance) - number(&expected["t"])).abs();
        // f32 rounding of the distance and of heights, seen along a grazing ray.
        let unit = f64::from(direction.length());
        let slope = (f64::from(hit.normal.dot(direction)) / unit).abs();
        let slack = 1e-6 * (number(&expected["t"]) + cell) / slope.max(1e-4);
        assert!(off <= slack, "off by {off}, not {slack}: {}", place());
        if number(&expected["edge_margin"]) < 1e-4 {
            continue;
        }
        counts.cells += 1;
        let cell = hit.triangle.unwrap().triangle as usize / 2;
        let found_cell = [cell / (columns - 1), cell % (columns - 1)];
        let expected_cell = [index(&expected["row"]), index(&expected["col"])];
        assert_eq!(found_cell, expected_cell, "{}", place());
        if let Some(total) = expected["all_hits"].as_u64() {
            let all = world.now().cast_ray_all(&ray, ());
            assert_eq!(all.len() as u64, total, "{}\n{all:?}", place());
            counts.all_hits += 1;
        }
    }
}

#[test]
fn worlds_of_real_height_maps_answer_as_expected() {
    let Some(folder) = outside_data() else { return };
    let text = std::fs::read_to_string(folder.join("cases/elevation_expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let files = expected["files"].as_array().unwrap();
    let mut counts = Counts::default();
    for case in files {
        for (diagonal, key) in [(Diagonal::Main, "A"), (Diagonal::Anti, "B")] {
            let field = Arc::new(field(&folder, case, diagonal));
            check_rays(&field, case, key, &mut counts);
        }
    }
    println!("{} files, {counts:?}", files.len());
    assert!(files.len() >= 12 && counts.all_hits >= 300);
    assert!(counts.rays >= 800 && counts.hits >= 400 && counts.cells >= 300);
}
