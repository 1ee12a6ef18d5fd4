//! The real height maps of the outside data: sizes, samples, extremes, sums and holes as other readers
//! found them, and heights and rays for both diagonals as an oracle in f64 has them.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;
use std::sync::Arc;

use hitscan::height_field::{Diagonal, Grid};
use hitscan::{HeightField, QueryFilter, Ray, Sides, World};
use hitscan_assets::heights::{HeightImage, HeightScale, read_heights};
use hitscan_testkit::outside_data;
use hitscan_testkit::traced_ray::check_trace;
use serde_json::Value;

fn load(folder: &Path, file: &str, size: Option<[usize; 2]>) -> HeightImage {
    let path = folder.join("data").join(file);
    let bytes = std::fs::read(&path).unwrap();
    read_heights(&path, &bytes, size).unwrap_or_else(|error| panic!("{error}"))
}

fn size_of(case: &Value) -> [usize; 2] {
    ["cols", "rows"].map(|key| usize::try_from(case[key].as_u64().unwrap()).unwrap())
}

/// What the expectation says of one file.
fn check(case: &Value, image: &HeightImage) {
    let file = case["file"].as_str().unwrap();
    let [columns, rows] = size_of(case);
    assert_eq!([image.columns(), image.rows()], [columns, rows], "{file}");

    let (holes, extent) = image.extent();
    assert_eq!(
        Some(holes as u64),
        case["void_cells"].as_u64(),
        "{file}: holes"
    );
    let expected = ["min", "max"].map(|key| case[key].as_f64().unwrap());
    assert_eq!(extent, Some(expected), "{file}: lowest and highest");

    let sum: f64 = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .filter_map(|(column, row)| image.value(column, row))
        .sum();
    let expected_sum = case["sum"].as_f64().unwrap();
    // The expectation adds in another order; whole numbers are exact in any.
    let slack = if expected_sum.fract() == 0.0 {
        0.0
    } else {
        1e-9 * expected_sum
    };
    assert!(
        (sum - expected_sum).abs() <= slack,
        "{file}: sum {sum}, not {expected_sum}"
    );

    let samples = case["samples"].as_array().unwrap();
    assert!(!samples.is_empty(), "{file}: nothing to compare");
    for sample in samples {
        let [column, row] =
            ["col", "row"].map(|key| usize::try_from(sample[key].as_u64().unwrap()).unwrap());
        let expected = if sample["void"].as_bool().unwrap() {
            None
        } else {
            sample["h"].as_f64()
        };
        assert_eq!(
            image.value(column, row),
            expected,
            "{file}: row {row}, column {column}"
        );
    }
}

#[test]
fn samples_are_as_expected() {
    let Some(folder) = outside_data() else { return };
    let text = std::fs::read_to_string(folder.join("cases/elevation_expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let cases = expected["files"].as_array().unwrap();
    for case in cases {
        let file = case["file"].as_str().unwrap();
        let size = file.ends_with(".raw").then(|| size_of(case));
        check(case, &load(&folder, file, size));
    }
    println!("{} files", cases.len());
    assert!(cases.len() >= 12, "only {} files", cases.len());
}

#[test]
fn the_same_map_in_four_formats_has_the_same_heights() {
    let Some(folder) = outside_data() else { return };
    let heights = |file: &str, size| {
        let image = load(&folder, &format!("elevation/jacksboro_403x344{file}"), size);
        image.into_heights(HeightScale::MetresPerUnit(1.0)).unwrap()
    };
    let png = heights("_u16.png", None);
    assert_eq!(png, heights("_u16le.raw", Some([403, 344])));
    assert_eq!(png, heights("_f32.tif", None));
    assert_eq!(png, heights(".asc", None));
}

#[test]
fn spacing_is_known_only_where_the_file_states_metres() {
    let Some(folder) = outside_data() else { return };
    for (file, expected) in [
        ("N57E011.hgt", None),
        // Pixels are a fraction of a degree.
        ("gz_dem_squared_129_f32.tif", None),
        ("jacksboro_403x344_u16.png", None),
        ("landlab_hugo_site.asc", Some([10.0, 10.0])),
        ("landlab_4_x_3.asc", Some([10.0, 10.0])),
    ] {
        let image = load(&folder, &format!("elevation/{file}"), None);
        assert_eq!(image.spacing_m(), expected, "{file}");
    }
}

#[test]
fn archives_of_arrays_are_refused_with_advice() {
    let Some(folder) = outside_data() else { return };
    for file in ["jacksboro_fault_dem.npz", "topobathy.npz"] {
        let path = folder.join("data/elevation").join(file);
        let bytes = std::fs::read(&path).unwrap();
        let message = read_heights(&path, &bytes, None).unwrap_err().to_string();
        assert!(message.contains(".npz"), "{message}");
    }
}

/// The terrain of a case, its codes scaled as the case says.
fn terrain(case: &Value, image: HeightImage, diagonal: Diagonal) -> HeightField {
    let [columns, rows] = size_of(case);
    let cell = case["cell"].as_f64().unwrap();
    let factor = case["y_scale"].as_f64().unwrap();
    let scale = match image.samples().highest_code() {
        Some(top) if factor != 1.0 => HeightScale::Range {
            low: 0.0,
            high: factor * top,
        },
        _ => HeightScale::MetresPerUnit(factor),
    };
    let grid = Grid {
        diagonal,
        ..Grid::new(columns, rows, [cell, cell])
    };
    HeightField::new(grid, image.into_heights(scale).unwrap()).unwrap()
}

fn numbers(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|k| value[k].as_f64().unwrap())
}

/// Rounds to f32, which the expectations already are.
fn single(value: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the file holds f32 in decimal"
    )]
    let rounded = value as f32;
    rounded
}

/// Heights at points: the oracle has them on the plane of one triangle.
fn check_heights(case: &Value, field: &HeightField, key: &str) -> usize {
    let cell = case["cell"].as_f64().unwrap();
    let heights = case["heights"].as_array().unwrap();
    for point in heights {
        let [x, z] = ["grid_x", "grid_z"].map(|axis| single(point[axis].as_f64().unwrap() * cell));
        let found = field.elevation([x, z]).map(f64::from);
        let expected = point[key].as_f64();
        let Some((found, expected)) = found.zip(expected) else {
            assert_eq!(found, expected, "{}: {point}", case["file"]);
            continue;
        };
        // The point is rounded to f32, and the ground may rise by some metres a metre.
        let slack = 1e-6 * (expected.abs() + 10.0 * f64::from(x.abs().max(z.abs()))) + 1e-5;
        assert!(
            (found - expected).abs() <= slack,
            "{}: {point}: {found}",
            case["file"]
        );
    }
    heights.len()
}

/// Nearest hits: distance and cell.
fn check_rays(case: &Value, field: &HeightField, key: &str) -> usize {
    let columns = size_of(case)[0];
    let rays = case["rays"].as_array().unwrap();
    let mut world = World::new();
    world.add(Arc::new(field.clone()));
    world.update();
    for expected in rays {
        let [origin, direction] =
            ["origin", "dir_unnormalised"].map(|of| numbers(&expected[of]).map(single));
        let ray = Ray::new(origin, direction).unwrap();
        let hit = field.cast_ray(&ray, ());
        let (traced, _) = check_trace(world.now(), &ray, Sides::Both.into(), QueryFilter::new());
        assert_eq!(traced.map(|hit| hit.t), hit.map(|hit| hit.t));
        let expected = &expected[key];
        assert_eq!(
            hit.is_some(),
            !expected.is_null(),
            "{}: {expected}",
            case["file"]
        );
        let Some(hit) = hit else { continue };
        let distance = expected["t"].as_f64().unwrap();
        let error = (f64::from(hit.distance) - distance).abs();
        assert!(
            error <= 1e-5 * distance.max(1.0),
            "{}: {expected}: {hit:?}",
            case["file"]
        );
        if expected["edge_margin"].as_f64().unwrap() > 1e-4 {
            let cell = hit.triangle.unwrap().triangle as usize / 2;
            let found = [cell / (columns - 1), cell % (columns - 1)].map(|k| Some(k as u64));
            assert_eq!(found, [expected["row"].as_u64(), expected["col"].as_u64()]);
        }
    }
    rays.len()
}

#[test]
fn heights_and_rays_are_as_expected_for_both_diagonals() {
    let Some(folder) = outside_data() else { return };
    let text = std::fs::read_to_string(folder.join("cases/elevation_expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let mut checked = [0, 0];
    for case in expected["files"].as_array().unwrap() {
        let file = case["file"].as_str().unwrap();
        let size = file.ends_with(".raw").then(|| size_of(case));
        for (diagonal, letter) in [(Diagonal::Main, "A"), (Diagonal::Anti, "B")] {
            let field = terrain(case, load(&folder, file, size), diagonal);
            checked[0] += check_heights(case, &field, &format!("diag_{letter}"));
            checked[1] += check_rays(case, &field, letter);
        }
    }
    println!("{} heights, {} rays", checked[0], checked[1]);
    assert!(checked[0] >= 500 && checked[1] >= 800, "{checked:?}");
}
