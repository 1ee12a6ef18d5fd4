//! Scenes in the coordinates of a map.

use crate::{Folder, RAMP, column};
use hitscan_assets::heights::read_heights_file;
use hitscan_testkit::Rng;
use hitscan_testkit::survey::Survey;
use hitscan_testkit::tiff_file::{TiffFile, Values};
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

/// x and z of the same file still begin at its first sample.
#[test]
fn a_map_that_states_metres_needs_no_option() {
    let folder = Folder::with_scene(SCENE);
    let survey = Survey::new(33, 0.5, 3);
    folder.write("map.tif", survey.geo_tiff());
    let [[west, north], _] = survey.corners();
    let ask = |table: &str| folder.run_with(&["height", "map.tif", "-"], table);
    let run = ask(&format!(
        "easting,northing\n{},{}\n{west},{north}\n",
        west + 3.75,
        north - 5.25
    ));
    assert!(
        run.stderr
            .contains("origin = [0.0, 0.0, 0.0]\ngeoreferenced = true")
    );
    let on_map = run.rows();
    let in_world = ask("x,z\n3.75,5.25\n0,0\n").rows();
    assert_eq!(column(&on_map, "status"), ["ok"; 2]);
    assert_eq!(column(&on_map, "height"), column(&in_world, "height"));
}

/// 3 x 2 stored values 0, 1, 2 / 10, 11, 12.
#[test]
fn scale_and_offset_of_a_geo_tiff_make_its_heights() {
    let folder = Folder::with_scene(SCENE);
    let metadata = "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item>\
                    <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>";
    let file = TiffFile {
        tags: vec![(42112, Values::Ascii(metadata.to_owned()))],
        ..TiffFile::default()
    };
    let bytes = file.encode(3, 2, |column, row, _| (row * 10 + column) as u64);
    folder.write("map.tif", bytes);
    let table = "x,z\n0,0\n2,0\n1,1\n";
    let run = folder.run_with(&["height", "map.tif", "-"], table);
    let said = "heights are 0.5 times the stored value plus 100, as the file states";
    assert_eq!(run.stderr.matches(said).count(), 1, "{}", run.stderr);
    assert_eq!(column(&run.rows(), "height"), ["100", "101", "105.5"]);
    folder.write(
        "feet.toml",
        "[[terrain]]\nheights = 'map.tif'\nspacing = 1\nheight_scale = 2\n",
    );
    let feet = folder.run_with(&["height", "feet.toml", "-"], table).rows();
    assert_eq!(column(&feet, "height"), ["200", "202", "211"]);
    let info = folder.run(&["info", "map.tif"]);
    assert!(
        info.stdout.contains("0.5 * stored + 100"),
        "{}",
        info.stdout
    );
}

/// 3 x 3 samples of a slope to the south, one degree a side: the middle sees all that is below it.
#[test]
fn an_eye_may_be_where_it_is_on_the_map() {
    let folder = Folder::with_scene("");
    let samples: Vec<u8> = [0, 0, 0, 50, 90, 50, 0, 0, 0_i16]
        .into_iter()
        .flat_map(i16::to_be_bytes)
        .collect();
    folder.write("N57E011.hgt", samples);
    let seen = |eye: &str, output: &str| {
        let run = folder.run(&["viewshed", "N57E011.hgt", "--eye", eye, "-o", output]);
        assert_eq!(run.code, 0, "{eye}: {}", run.stderr);
        run.stderr
    };
    let said = seen("11.5,57.5", "map.png");
    assert!(
        said.contains("(lon 11.5000000, lat 57.5000000, height 90.000)"),
        "{said}"
    );
    let at = |name: &str| {
        let rest = said.split(&format!("{name} ")).nth(1).unwrap();
        rest.split([',', ' ']).next().unwrap().to_owned()
    };
    let world = format!("x={},z={}", at("the eye is at x"), at("z"));
    for (eye, output) in [
        (world.as_str(), "world.png"),
        ("lat=57.5,lon=11.5", "named.png"),
        ("lon=11.5,lat=57.5,height=90", "high.png"),
    ] {
        seen(eye, output);
        let [one, other] =
            [output, "map.png"].map(|name| std::fs::read(folder.path(name)).unwrap());
        assert!(one == other, "{eye}");
    }
    for (eye, words) in [
        (
            "30000,90,50000",
            &["lon=..,lat=..,height=..", "x=..,y=..,z=.."][..],
        ),
        ("easting=500000,northing=6200000", &["lon=..,lat=.."]),
        ("11.5,5.75", &["no ground"]),
    ] {
        let run = folder.run(&["viewshed", "N57E011.hgt", "--eye", eye, "-o", "no.png"]);
        run.assert_refused(words);
    }
    folder.write(
        "plain.toml",
        "[[terrain]]\nheights = 'N57E011.hgt'\nspacing = 30\n",
    );
    for (eye, output, word) in [
        ("lon=11.5,lat=57.5", "no.png", "has no map"),
        ("30,30", "no.tif", "has no map"),
    ] {
        let run = folder.run(&["viewshed", "plain.toml", "--eye", eye, "-o", output]);
        run.assert_refused(&[word]);
    }
}

#[test]
fn a_viewshed_is_written_where_it_lies_on_the_map() {
    let folder = Folder::with_scene(SCENE);
    let survey = Survey::new(65, 2.0, 5);
    folder.write("map.tif", survey.geo_tiff());
    let [[west, north], [east, south]] = survey.corners();
    let eye = format!("{},{}", west + 40.0, north - 30.0);
    for output in ["seen.png", "seen.tif"] {
        let run = folder.run(&[
            "viewshed", "map.tif", "--eye", &eye, "--above", "9", "-o", output,
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let image = read_heights_file(&folder.path("seen.tif"), None).unwrap();
    let place = image.georeference().unwrap();
    assert_eq!(place.crs.epsg, Some(31467));
    assert_eq!(
        [place.north_west(), place.south_east()],
        [[west, north], [east, south]]
    );
    let picture = read_heights_file(&folder.path("seen.png"), None).unwrap();
    let mut seen = 0;
    for (column, row) in (0..65).flat_map(|row| (0..65).map(move |column| (column, row))) {
        assert_eq!(image.value(column, row), picture.value(column, row));
        seen += usize::from(image.value(column, row) == Some(255.0));
    }
    assert!(seen > 100 && seen < 65 * 65);
    let both = [
        "viewshed",
        "map.tif",
        "--eye",
        &eye,
        "--picture",
        "-o",
        "a.tif",
    ];
    folder.run(&both).assert_refused(&["--picture", "PNG"]);
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
