//! Scenes in the coordinates of a map.

use crate::Folder;
use hitscan_testkit::Rng;
use hitscan_testkit::survey::Survey;
use std::fmt::Write as _;

const SCENE: &str = "[[terrain]]\nname = \"map\"\nheights = \"map.tif\"\ngeoreferenced = true\n";

/// Heights in coordinates of some 1e6 metres are within a millimetre of an interpolation in f64.
#[test]
fn millimetres_survive_in_projected_coordinates() {
    let folder = Folder::with_scene(SCENE);
    let survey = Survey::new(257, 5.0, 12);
    folder.write("map.tif", survey.geo_tiff());
    let mut rng = Rng::new(7);
    let points: Vec<_> = (0..20_000).map(|_| survey.point(&mut rng)).collect();
    let mut table = "easting,northing\n".to_owned();
    for point in &points {
        writeln!(table, "{}", point.csv()).unwrap();
    }
    let rows = folder
        .run_with(&["height", "scene.toml", "-"], &table)
        .rows();
    assert_eq!(rows.len(), points.len());
    let mut greatest = 0.0_f64;
    for (row, point) in rows.iter().zip(&points) {
        assert_eq!(row["status"], "ok", "{}", point.csv());
        let height: f64 = row["height"].parse().unwrap();
        greatest = greatest.max((height - point.height).abs());
    }
    assert!(greatest <= 0.001, "{greatest}");
}

#[test]
fn info_says_where_a_map_is_and_how_its_scene_lies() {
    let folder = Folder::with_scene(SCENE);
    folder.write("map.tif", Survey::new(3, 10.0, 1).geo_tiff());
    let run = folder.run(&["info", "map.tif"]);
    for fact in [
        "EPSG:31467",
        "metres",
        "pixel",
        "easting = 3512350.25 + 10 * column, northing = 9876538.5 - 10 * row",
        "easting 3512350.25, northing 9876538.5: column 0, row 0",
        "easting 3512370.25, northing 9876518.5: column 2, row 2",
        "`georeferenced = true`",
    ] {
        assert!(
            run.stdout.contains(fact),
            "{fact:?} is not in: {}",
            run.stdout
        );
    }
    let run = folder.run(&["info", "scene.toml"]);
    for fact in [
        "EPSG:31467, in metres",
        "easting 3512350, height 0, northing 9876539 at x = y = z = 0",
        "easting = 3512350 + x, northing = 9876539 - z, height = 0 + y",
        "columns easting, northing and height",
        "easting 3512370.25, northing 9876518.5",
    ] {
        assert!(
            run.stdout.contains(fact),
            "{fact:?} is not in: {}",
            run.stdout
        );
    }
}

#[test]
fn info_says_how_long_a_degree_is_and_why_a_file_has_no_place() {
    let folder = Folder::new();
    folder.write("N57E011.hgt", [0; 18]);
    folder.write("plain.npy", NPY);
    let run = folder.run(&["info", "N57E011.hgt"]);
    for fact in [
        "EPSG:4326",
        "lon 12, lat 57: column 2, row 2",
        "59954.83",
        "111368.79",
    ] {
        assert!(
            run.stdout.contains(fact),
            "{fact:?} is not in: {}",
            run.stdout
        );
    }
    let run = folder.run(&["info", "plain.npy"]);
    assert!(run.stdout.contains("georeference  none"), "{}", run.stdout);
}

/// A NumPy array of 2 x 2 bytes.
const NPY: &[u8] =
    b"\x93NUMPY\x01\x00\x3a\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}\n\0\0\0\0";
