//! Scenes in the coordinates of a map.

use crate::{Folder, RAMP, column};
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

#[test]
fn corners_of_the_map_are_on_it_in_map_coordinates() {
    let folder = Folder::with_scene(SCENE);
    let survey = Survey::new(33, 0.7, 3);
    folder.write("map.tif", survey.geo_tiff());
    let [[west, north], [east, south]] = survey.corners();
    let mut table = "northing,easting\n".to_owned();
    for easting in [west, east] {
        for northing in [north, south] {
            writeln!(table, "{northing},{easting}").unwrap();
        }
    }
    let rows = folder
        .run_with(&["height", "scene.toml", "-"], &table)
        .rows();
    assert_eq!(column(&rows, "status"), ["ok"; 4]);
    // The same from the file alone.
    let alone = ["height", "map.tif", "-", "--georeferenced"];
    let run = folder.run_with(&alone, &table);
    assert_eq!(column(&run.rows(), "height"), column(&rows, "height"));
    assert!(
        run.stderr.contains("georeferenced = true"),
        "{}",
        run.stderr
    );
}

/// ```text
/// lon  11   11.5   12
///       0 ── 1 ── 2   lat 58
///       3 ── 4 ── 5       57.5
///       6 ── 7 ── 8       57
/// ```
#[test]
fn longitude_and_latitude_go_to_the_grid_linearly() {
    let folder = Folder::with_scene(
        "[[terrain]]\nheights = \"N57E011.hgt\"\ngeoreferenced = true\n\
         [world]\norigin = [11.25, 100.0, 57.75]\n",
    );
    let samples: Vec<u8> = (0..9_i16).flat_map(i16::to_be_bytes).collect();
    folder.write("N57E011.hgt", samples);
    let table = "lon,lat\n11,58\n12,57\n11.5,57.5\n11.25,57.75\n11.75,57.25\n12.1,57\n";
    let rows = folder
        .run_with(&["height", "scene.toml", "-"], table)
        .rows();
    assert_eq!(
        column(&rows, "status"),
        ["ok", "ok", "ok", "ok", "ok", "outside"]
    );
    let expected = [0.0, 8.0, 4.0, 2.0, 6.0];
    for (row, expected) in rows.iter().zip(expected) {
        let height: f64 = row["height"].parse().unwrap();
        assert!((height - expected).abs() < 1e-5, "{height} {expected}");
    }
}

#[test]
fn rays_are_asked_and_answered_in_map_coordinates() {
    let folder = Folder::with_scene(
        "[world]\norigin = [500000, 100, 6200000]\n\
         [[box]]\nname = \"crate\"\nmin = [10, 0, 20]\nmax = [12, 3, 22]\n",
    );
    let table = "easting,northing,height,dx,dy,dz\n500011.001,6199979,150,0,-1,0\n";
    let rows = folder.run_with(&["ray", "scene.toml", "-"], table).rows();
    let hit = |name: &str| rows[0][name].parse::<f64>().unwrap();
    assert_eq!(rows[0]["object"], "crate");
    assert!((hit("hit_easting") - 500_011.001).abs() < 1e-6);
    assert_eq!(
        [hit("hit_northing"), hit("hit_height")],
        [6_199_979.0, 103.0]
    );
}

#[test]
fn coordinates_of_another_system_are_refused_with_what_to_do() {
    let folder = Folder::with_scene(SCENE);
    folder.write("map.tif", Survey::new(3, 10.0, 1).geo_tiff());
    folder.write("degrees.toml", SCENE.replace("map.tif", "N57E011.hgt"));
    folder.write("N57E011.hgt", [0; 18]);
    folder.write("plain.toml", "[[terrain]]\nheights = 'ramp.asc'\n");
    folder.write("ramp.asc", RAMP);
    for (scene, table, words) in [
        (
            "scene.toml",
            "lon,lat\n11,57\n",
            &["`lon`", "EPSG:31467", "EPSG:4326", "reproject"][..],
        ),
        (
            "degrees.toml",
            "easting,northing\n500000,6200000\n",
            &["`easting`", "EPSG:4326, WGS 84, in degrees", "reproject"],
        ),
        (
            "plain.toml",
            "easting,northing\n500000,6200000\n",
            &["`easting`", "`georeferenced = true`", "`[world]`"],
        ),
    ] {
        let run = folder.run_with(&["height", scene, "-"], table);
        run.assert_refused(words);
    }
}
