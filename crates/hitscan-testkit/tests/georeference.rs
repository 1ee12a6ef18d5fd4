//! GeoTIFF georeferences: the positions of height maps on the earth.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan_assets::georeference::{Georeference, NoGeoreference, PixelKind};
use hitscan_assets::heights::read_heights;
use hitscan_testkit::tiff_file::geo_tiff;

const SCALE: u16 = 33550;
const TIE: u16 = 33922;
const MATRIX: u16 = 34264;
const PROJECTED: [u16; 4] = [1024, 0, 1, 1];
const GEOGRAPHIC: [u16; 4] = [1024, 0, 1, 2];
const AREA: [u16; 4] = [1025, 0, 1, 1];
const POINT: [u16; 4] = [1025, 0, 1, 2];
const UTM_32: [u16; 4] = [3072, 0, 1, 25832];
const METRE: [u16; 4] = [3076, 0, 1, 9001];

fn georeference(bytes: &[u8]) -> Result<Georeference, NoGeoreference> {
    let image = read_heights("a.tif".as_ref(), bytes, None).unwrap();
    image.georeference().cloned().map_err(Clone::clone)
}

/// ```text
/// tie point (0, 0) -> E, N     area:  E ┌───┬───┐      point: E ●───┬───
///                                      │ ● │ ● │              │   │
///                                      └───┴───┘ N - cell     ├───●
/// ```
#[test]
fn pixels_that_are_areas_and_points_are_half_a_cell_apart() {
    let tags: [(u16, &[f64]); 2] = [
        (SCALE, &[10.0, 4.0, 0.0]),
        (TIE, &[0.0, 0.0, 0.0, 500_000.0, 6_200_000.0, 0.0]),
    ];
    let area = georeference(&geo_tiff(&tags, &[PROJECTED, AREA, UTM_32, METRE], "")).unwrap();
    assert_eq!(area.first, [500_005.0, 6_199_998.0]);
    assert_eq!(area.south_east(), [500_025.0, 6_199_994.0]);
    assert_eq!((area.cell, area.pixel), ([10.0, 4.0], PixelKind::Area));
    assert_eq!(area.crs.epsg, Some(25832));
    let point = georeference(&geo_tiff(&tags, &[PROJECTED, POINT, UTM_32, METRE], "")).unwrap();
    assert_eq!(point.first, [500_000.0, 6_200_000.0]);
    assert_eq!(point.pixel, PixelKind::Point);
    // Where the type is not stated pixels are areas, as other readers take them.
    let silent = georeference(&geo_tiff(&tags, &[PROJECTED, UTM_32, METRE], "")).unwrap();
    assert_eq!(silent, area);
    // A tie point need not be that of the first pixel.
    let tags: [(u16, &[f64]); 2] = [
        (SCALE, &[10.0, 4.0, 0.0]),
        (TIE, &[2.0, 1.0, 0.0, 500_020.0, 6_199_996.0, 0.0]),
    ];
    let moved = georeference(&geo_tiff(&tags, &[PROJECTED, AREA, UTM_32, METRE], "")).unwrap();
    assert_eq!(moved, area);
}

#[test]
fn a_transformation_counts_unless_it_turns() {
    let matrix = |x: f64, a: f64, b: f64, y: f64| {
        [
            x,
            a,
            0.0,
            500_000.0,
            b,
            y,
            0.0,
            6_200_000.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
        ]
    };
    let keys = [PROJECTED, AREA, UTM_32, METRE];
    let of = |matrix: [f64; 16]| georeference(&geo_tiff(&[(MATRIX, &matrix)], &keys, ""));
    let straight = of(matrix(10.0, 0.0, 0.0, -4.0)).unwrap();
    assert_eq!(straight.first, [500_005.0, 6_199_998.0]);
    for turned in [
        matrix(10.0, 1.0, 0.0, -4.0),
        matrix(10.0, 0.0, 1.0, -4.0),
        matrix(10.0, 0.0, 0.0, 4.0),
        matrix(-10.0, 0.0, 0.0, -4.0),
        matrix(f64::NAN, 0.0, 0.0, -4.0),
    ] {
        let error = of(turned).unwrap_err();
        assert!(matches!(error, NoGeoreference::Turned(_)), "{error}");
    }
}

#[test]
fn systems_units_and_names_are_read() {
    let tags: [(u16, &[f64]); 2] = [
        (SCALE, &[1.0, 1.0, 0.0]),
        (TIE, &[0.0, 0.0, 0.0, 5.0, 6.0, 0.0]),
    ];
    let text = "NAD83 / New York Long Island (ftUS)|NAVD88|";
    let keys = [
        PROJECTED,
        [1026, 34737, 36, 0],
        [3072, 0, 1, 2263],
        [3076, 0, 1, 9003],
        [4096, 0, 1, 5703],
        [4097, 34737, 7, 36],
        [4099, 0, 1, 9002],
    ];
    let place = georeference(&geo_tiff(&tags, &keys, text)).unwrap();
    assert_eq!(
        place.crs.to_string(),
        "EPSG:2263, NAD83 / New York Long Island (ftUS)"
    );
    assert_eq!(place.crs.unit.metres(), Some(1200.0 / 3937.0));
    assert_eq!(place.vertical.unit_metres, Some(0.3048));
    assert_eq!(place.vertical.datum.as_deref(), Some("EPSG:5703, NAVD88"));

    let degrees = [GEOGRAPHIC, [2048, 0, 1, 4269], [2054, 0, 1, 9102]];
    assert!(
        georeference(&geo_tiff(&tags, &degrees, ""))
            .unwrap()
            .crs
            .is_geographic()
    );
    for (keys, tags, part) in [
        (vec![GEOGRAPHIC, [2054, 0, 1, 9101]], &tags[..], "EPSG:9101"),
        (vec![[1024, 0, 1, 3]], &tags[..], "GTModelType is 3"),
        (
            vec![PROJECTED],
            &tags[..1],
            "neither the tags ModelTiepoint",
        ),
        (vec![PROJECTED], &tags[1..], "without ModelPixelScale"),
    ] {
        let message = georeference(&geo_tiff(tags, &keys, ""))
            .unwrap_err()
            .to_string();
        assert!(message.contains(part), "{message}\nlacks\n{part}");
    }
}
