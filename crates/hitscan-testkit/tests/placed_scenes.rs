//! Placement of terrain and models in scenes: by the georeference of files, and on the ground.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::HeightField;
use hitscan::height_field::Grid;
use hitscan::world::ObjectShape;
use hitscan_assets::georeference::metres_per_degree;
use hitscan_assets::{Scene, load_scene};
use hitscan_testkit::tiff_file::geo_tiff;
use std::sync::Arc;
use tempfile::TempDir;

const SCALE: u16 = 33550;
const TIE: u16 = 33922;
const PROJECTED: [u16; 4] = [1024, 0, 1, 1];
const POINT: [u16; 4] = [1025, 0, 1, 2];
const METRE: [u16; 4] = [3076, 0, 1, 9001];

fn folder(scene: &str, files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn load(scene: &str, files: &[(&str, &[u8])]) -> Scene {
    load_scene(&folder(scene, files).path().join("scene.toml")).unwrap()
}

fn refusal(scene: &str, files: &[(&str, &[u8])]) -> String {
    let folder = folder(scene, files);
    let error = load_scene(&folder.path().join("scene.toml")).unwrap_err();
    error.to_string()
}

fn fields(scene: &Scene) -> Vec<Arc<HeightField>> {
    let world = scene.world().now();
    let fields = world
        .objects()
        .filter_map(|object| match world.shape(object) {
            Some(ObjectShape::HeightField(field)) => Some(field),
            _ => None,
        });
    fields.collect()
}

fn grid(scene: &Scene, terrain: usize) -> Grid {
    *fields(scene)[terrain].grid()
}

/// An .asc of `columns` x 2 heights with its south-western height at these coordinates.
fn asc(columns: usize, east: &str, north: &str, cell: &str) -> Vec<u8> {
    let row = "1 ".repeat(columns);
    format!(
        "ncols {columns}\nnrows 2\nxllcenter {east}\nyllcenter {north}\ncellsize {cell}\n{row}\n{row}\n"
    )
    .into_bytes()
}

const ONE: &str = "[[terrain]]\nheights = 'a.asc'\ngeoreferenced = true\n";
const TWO: &str = "[[terrain]]\nname = 'a'\nheights = 'a.asc'\ngeoreferenced = true\n\
                   [[terrain]]\nname = 'b'\nheights = 'b.asc'\ngeoreferenced = true\n";

#[test]
fn the_origin_is_that_of_the_scene_or_of_the_first_terrain() {
    let a = asc(3, "500000.25", "6200000.5", "2");
    let scene = load(ONE, &[("a.asc", &a)]);
    let frame = scene.frame().unwrap();
    // The north-western sample, rounded to whole metres.
    assert_eq!(frame.origin(), [500_000.0, 0.0, 6_200_003.0]);
    assert_eq!(grid(&scene, 0).origin, [0.25, 0.0, 0.5]);
    assert_eq!(grid(&scene, 0).spacing, [2.0, 2.0]);

    let text = format!("[world]\norigin = [499000, 100, 6200000.5]\n{ONE}");
    let scene = load(&text, &[("a.asc", &a)]);
    assert_eq!(grid(&scene, 0).origin, [1000.25, -100.0, -2.0]);
    assert_eq!(grid(&scene, 0).z(1), 0.0);

    // Where the terrain's own origin puts that sample.
    let scene = load(&format!("{ONE}origin = [10, 20, -30]\n"), &[("a.asc", &a)]);
    let frame = scene.frame().unwrap();
    assert_eq!(grid(&scene, 0).origin, [10.0, 20.0, -30.0]);
    assert_eq!(
        frame.map_from_world([10.0, 20.0, -30.0]),
        [500_000.25, 0.0, 6_200_002.5]
    );
    // Tables' x and z are the world's.
    assert_eq!(frame.table_offset(), [0.0; 3]);

    let scene = load("[world]\norigin = [1, 2, 3]\n", &[]);
    assert_eq!(scene.frame().unwrap().origin(), [1.0, 2.0, 3.0]);
    assert_eq!(load("[world]\n", &[]).frame(), None);
}

#[test]
fn tiles_share_their_borders_to_the_bit() {
    // Corners in decimals that no binary number is.
    let files = [
        ("a.asc", asc(1001, "500000.1", "6200000.7", "0.2")),
        ("b.asc", asc(1001, "500200.1", "6200000.7", "0.2")),
        ("c.asc", asc(501, "500400.1000001", "6200000.9", "0.2")),
    ];
    let files = files.each_ref().map(|(name, bytes)| (*name, &bytes[..]));
    let third = "[[terrain]]\nheights = 'c.asc'\ngeoreferenced = true\n";
    let scene = load(&format!("{TWO}{third}"), &files);
    let [a, b, c] = [0, 1, 2].map(|terrain| grid(&scene, terrain));
    assert_eq!(a.x(1000), b.x(0));
    assert_eq!(b.x(1000), c.x(0));
    assert_eq!(a.z(0), b.z(0));
    assert_eq!(a.z(0), c.z(1));
    // The borders are where points on them are read.
    for (grid, last) in [(a, 1000), (b, 1000), (c, 500)] {
        for x in [grid.x(0), grid.x(last)] {
            #[expect(clippy::cast_possible_truncation, reason = "it is an f32")]
            let nearest = f64::from(x as f32);
            assert_eq!(x, nearest);
        }
    }
    assert_eq!(scene.warnings(), &[] as &[String]);
}

#[test]
fn tiles_of_degrees_share_their_borders_and_the_length_of_a_degree() {
    let tile = vec![0; 2 * 121 * 121];
    let names = ["N57E011.hgt", "N57E012.hgt", "N56E011.hgt", "N56E012.hgt"];
    let scene: String = names
        .map(|name| format!("[[terrain]]\nheights = '{name}'\ngeoreferenced = true\n"))
        .concat();
    let scene = load(&scene, &names.map(|name| (name, &tile[..])));
    let [a, b, c, d] = [0, 1, 2, 3].map(|terrain| grid(&scene, terrain));
    assert_eq!([a.x(0), a.z(0)], [0.0, 0.0]);
    assert_eq!([a.x(120), a.x(0)], [b.x(0), c.x(0)]);
    assert_eq!([a.z(120), b.z(120)], [c.z(0), d.z(0)]);
    assert_eq!([c.x(120), d.x(0)], [b.x(0), b.x(0)]);
    let frame = scene.frame().unwrap();
    assert_eq!(frame.metres_per_unit(), metres_per_degree(57.5));
    assert_eq!(frame.origin(), [11.0, 0.0, 58.0]);
    assert_eq!(frame.axis_names(), ["lon", "height", "lat"]);
    // Every sample of a border is on the maps that share it.
    let (fields, x) = (fields(&scene), b.x(0));
    #[expect(clippy::cast_possible_truncation, reason = "it is an f32")]
    let point = [x as f32, 5000.0];
    assert_eq!(
        (fields[0].elevation(point), fields[1].elevation(point)),
        (Some(0.0), Some(0.0))
    );
}

#[test]
fn tiles_a_cell_apart_are_noted() {
    let a = asc(11, "500000", "6200000", "2");
    let b = asc(11, "500022", "6200000", "2");
    let scene = load(TWO, &[("a.asc", &a), ("b.asc", &b)]);
    let [note] = scene.warnings() else {
        panic!("{:?}", scene.warnings())
    };
    assert!(
        note.contains("`a` and `b`") && note.contains("2 m apart"),
        "{note}"
    );
}

#[test]
fn metres_of_a_unit_are_the_files_or_those_of_spacing() {
    let tags: [(u16, &[f64]); 2] = [
        (SCALE, &[10.0, 10.0, 0.0]),
        (TIE, &[0.0, 0.0, 0.0, 1_000_000.0, 200_000.0, 0.0]),
    ];
    let scene = "[[terrain]]\nheights = 'a.tif'\ngeoreferenced = true\n";
    let feet = geo_tiff(
        &tags,
        &[PROJECTED, POINT, [3072, 0, 1, 2263], [3076, 0, 1, 9003]],
        "",
    );
    let loaded = load(scene, &[("a.tif", &feet)]);
    let metres = 1200.0 / 3937.0;
    assert_eq!(loaded.frame().unwrap().metres_per_unit(), [metres; 2]);
    assert!((grid(&loaded, 0).spacing[0] - 10.0 * metres).abs() < 1e-6);
    assert!(
        loaded.notes()[0].contains("US survey feet"),
        "{:?}",
        loaded.notes()
    );

    let unknown = geo_tiff(&tags, &[PROJECTED, POINT, [3072, 0, 1, 2263]], "");
    let message = refusal(scene, &[("a.tif", &unknown)]);
    assert!(
        message.contains("`spacing`") && message.contains("EPSG:2263"),
        "{message}"
    );
    let spaced = load(
        &format!("{scene}spacing = [3, 2.5]\n"),
        &[("a.tif", &unknown)],
    );
    assert_eq!(spaced.frame().unwrap().metres_per_unit(), [0.3, 0.25]);
    assert_eq!(grid(&spaced, 0).spacing, [3.0, 2.5]);
}

#[test]
fn one_world_has_one_system() {
    let tags: [(u16, &[f64]); 2] = [
        (SCALE, &[10.0, 10.0, 0.0]),
        (TIE, &[0.0, 0.0, 0.0, 500_000.0, 6_200_000.0, 0.0]),
    ];
    let utm = |code| geo_tiff(&tags, &[PROJECTED, POINT, [3072, 0, 1, code], METRE], "");
    let scene = TWO.replace("a.asc", "a.tif").replace("b.asc", "b.tif");
    let message = refusal(&scene, &[("a.tif", &utm(25832)), ("b.tif", &utm(25833))]);
    for part in [
        "line 8",
        "EPSG:25832",
        "EPSG:25833",
        "`a`",
        "`b`",
        "reproject",
    ] {
        assert!(message.contains(part), "{message}\nlacks\n{part}");
    }
    // A file that names no system takes that of the others.
    let plain = asc(3, "500020", "6199990", "10");
    let scene = TWO.replace("b.asc", "b.tif");
    let loaded = load(&scene, &[("a.asc", &plain), ("b.tif", &utm(25833))]);
    assert_eq!(loaded.frame().unwrap().crs().unwrap().epsg, Some(25833));
    let degrees = asc(3, "11", "57", "0.01");
    let message = refusal(&scene, &[("a.asc", &degrees), ("b.tif", &utm(25833))]);
    assert!(
        message.contains("degrees") && message.contains("EPSG:25833"),
        "{message}"
    );
}

#[test]
fn what_cannot_be_placed_is_refused() {
    let a = asc(3, "1", "1", "1");
    for (scene, part) in [
        (
            "[[terrain]]\nheights = 'a.asc'\ngeoreferenced = 1\n",
            "true or false",
        ),
        (
            &format!("{ONE}origin = [0, 0, 0]\n[world]\norigin = [0, 0, 0]\n"),
            "one place for the map",
        ),
        (
            &format!("{}origin = [0, 0, 0]\n", TWO.replace("b.asc", "a.asc")),
            "one place for the map",
        ),
        (
            "[[world]]\norigin = [0, 0, 0]\n",
            "one table, under `[world]`",
        ),
        ("[world]\norigin = [0, 0]\n", "[easting, height, northing]"),
        ("[world]\norigins = [0, 0, 0]\n", "did you mean `origin`?"),
        (
            "[[terrain]]\nheights = 'b.npy'\ngeoreferenced = true\n",
            "files of its kind have none",
        ),
        (
            "[[model]]\nfile = 'a.obj'\ny_above = 1\n",
            "`on_ground = true`",
        ),
    ] {
        let mut npy = b"\x93NUMPY\x01\x00\x46\x00{'descr': '<f4', 'fortran_order': False, \
                        'shape': (2, 2), }"
            .to_vec();
        npy.resize(80, b' ');
        npy.resize(96, 0);
        let message = refusal(scene, &[("a.asc", &a), ("b.npy", &npy)]);
        assert!(message.contains(part), "{message}\nlacks\n{part}");
    }
}

#[test]
fn models_stand_on_the_highest_ground() {
    let ramp = b"ncols 2\nnrows 2\ncellsize 10\n0 5\n0 5\n";
    let model = b"v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n";
    let files: [(&str, &[u8]); 2] = [("a.asc", ramp), ("a.obj", model)];
    let scene = "[[terrain]]\nheights = 'a.asc'\norigin = [0, -9, 0]\n\
                 [[terrain]]\nheights = 'a.asc'\norigin = [0, 100, 0]\n\
                 [[model]]\nname = 'mast'\nfile = 'a.obj'\non_ground = true\n";
    let y = |more: &str| {
        let scene = load(&format!("{scene}{more}"), &files);
        let world = scene.world().now();
        let mast = world.objects().nth(2).unwrap();
        world.transform(mast).unwrap().translation.to_array()
    };
    assert_eq!(y("translation = [4, 77, 5]\n"), [4.0, 102.0, 5.0]);
    assert_eq!(
        y("translation = [4, 77, 5]\ny_above = 1.5\n"),
        [4.0, 103.5, 5.0]
    );
    let off = format!("{scene}translation = [14, 0, 5]\n");
    let message = refusal(&off, &files);
    assert!(
        message.contains("`mast`") && message.contains("x = 14, z = 5"),
        "{message}"
    );
}

#[test]
fn positions_too_far_for_f32_are_noted_once() {
    let far = "[[box]]\nmin = [500000, 0, -6200000]\nmax = [500001, 1, -6199999]\n";
    let notes = |scene: &str| load(scene, &[]).warnings().to_vec();
    let [note] = &notes(&far.repeat(3))[..] else {
        panic!()
    };
    assert!(
        note.contains("origin = [500000.0, 0.0, 6200000.0]"),
        "{note}"
    );
    assert_eq!(
        notes(&format!("[world]\norigin = [0, 0, 0]\n{far}")),
        [""; 0]
    );
    assert_eq!(
        notes("[[box]]\nmin = [0, 0, 0]\nmax = [16383, 1, 1]\n"),
        [""; 0]
    );
}
