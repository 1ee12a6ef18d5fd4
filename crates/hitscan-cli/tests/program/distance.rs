//! `hitscan distance`, and `hitscan overlap --apart`.

use crate::outside_cases::read;
use crate::{Folder, Row, column};
use hitscan_testkit::outside_data;
use std::path::Path;

const SCENE: &str = "[[box]]\nname = \"crate\"\nmin = [0, 0, 0]\nmax = [4, 2, 4]\n\
     [[box]]\nname = \"shelf\"\nmin = [4, 0, 0]\nmax = [5, 2, 4]\n\
     [[sphere]]\nname = \"ball\"\ncenter = [10, 1, 1]\nradius = 2\nlayers = 0b1000\n\
     [[compound]]\nname = \"guard\"\nlayers = 0\n\
     [[compound.part]]\nname = \"head\"\nshape = \"sphere\"\ncenter = [1, 5, 1]\nradius = 1\n\
     [[compound.part]]\nname = \"foot\"\nshape = \"sphere\"\ncenter = [1, 2, 1]\nradius = 1\n";

#[test]
fn pairs_apart_touching_overlapping_and_too_far() {
    let folder = Folder::with_scene(SCENE);
    let pairs = [
        "crate,ball,,,",
        "ball,crate,4,,",
        "crate,ball,3.99,,",
        "crate,shelf,0,,",
        "guard,crate,,,", // in no layer, and named
        "guard,crate,,,guard/foot",
        "crate,ball,,1,",    // the mask does not see the ball
        "crate,ball,,,ball", // it is passed by
        "crate,crate,,,",
        "crate,chair,,,",
        "crate,ball,-1,,",
        "crate,ball,nan,,",
        ",ball,,,",
    ];
    let table = format!(
        "object_a,object_b,max_distance,mask,ignore\n{}\n",
        pairs.join("\n")
    );
    let run = folder.run_with(&["distance", "scene.toml", "-"], &table);
    let header = "object_a,object_b,max_distance,mask,ignore,status,distance,nx,ny,nz,x0,y0,z0,x1,y1,z1,\
                  part_a,triangle_a,part_b,triangle_b";
    assert_eq!(run.stdout.lines().next(), Some(header));
    let rows = run.rows();
    let status = [
        "apart", "apart", "none", "touching", "overlap", "apart", "none", "none", "invalid",
        "invalid", "invalid", "invalid", "invalid",
    ];
    assert_eq!(column(&rows, "status"), status);
    assert_eq!(
        column(&rows, "distance")[..7],
        ["4", "4", "", "0", "0", "2", ""]
    );
    assert_eq!(column(&rows, "nx")[..5], ["1", "-1", "", "", ""]);
    assert_eq!(
        (&*rows[0]["x0"], &*rows[0]["x1"], &*rows[0]["y0"]),
        ("4", "8", "1")
    );
    assert_eq!((&*rows[4]["part_a"], &*rows[5]["part_a"]), ("foot", "head"));
    assert!(
        run.stderr.contains("5 of 13 rows are invalid"),
        "{}",
        run.stderr
    );
    let message = "`object_b` names no object but `chair`";
    assert!(
        run.stderr.contains("the same") || run.stderr.contains(message),
        "{}",
        run.stderr
    );
}

#[test]
fn without_a_table_the_closest_pair_is_answered() {
    let folder = Folder::with_scene(SCENE);
    let run = folder.run(&["distance", "scene.toml"]);
    let rows = run.rows();
    // What is in no layer is not there.
    assert_eq!(rows.len(), 1);
    let of = |name: &str| rows[0][name].as_str();
    assert_eq!(
        (of("object_a"), of("object_b"), of("status")),
        ("crate", "shelf", "touching")
    );
    let lonely = Folder::with_scene("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n");
    let rows = lonely.run(&["distance", "scene.toml"]).rows();
    assert_eq!((rows.len(), rows[0]["status"].as_str()), (1, "none"));
    let run = folder.run(&["distance", "scene.toml", "-o", "pair.parquet"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(folder.path("pair.parquet").exists());
    let refused = folder.run(&["distance", "scene.toml", "--prefix", "a_"]);
    refused.assert_usage(&["--prefix", "table of pairs"]);
    folder
        .run(&["distance", "scene.toml", "-", "--explain", "0"])
        .assert_usage(&["--explain"]);
}

#[test]
fn pairs_within_a_distance_are_listed() {
    let folder = Folder::with_scene(SCENE);
    let listed = |metres: &str, more: &[&str]| -> Vec<String> {
        let arguments = [&["overlap", "scene.toml", "--apart", metres], more].concat();
        let rows = folder.run(&arguments).rows();
        let name = |row: &Row| {
            format!(
                "{} {} {}",
                row["object_a"], row["object_b"], row["distance"]
            )
        };
        rows.iter().map(name).collect()
    };
    assert_eq!(listed("0", &[]), ["crate shelf 0"]);
    assert_eq!(listed("3", &[]), ["ball shelf 3", "crate shelf 0"]);
    assert_eq!(listed("2.9999999999", &[]), ["crate shelf 0"]);
    let all = ["ball crate 4", "ball shelf 3", "crate shelf 0"];
    assert_eq!(listed("inf", &[]), all);
    assert_eq!(listed("9", &["--threads", "1"]), all);
    assert_eq!(listed("9", &["--limit", "1"]), all[..1]);
    for arguments in [
        &["--exact"][..],
        &["boxes.csv"],
        &["--parts", "2"],
        &["--summary"],
    ] {
        let all = [&["overlap", "scene.toml", "--apart", "1"], arguments].concat();
        folder.run(&all).assert_usage(&[]);
    }
    for metres in ["-1", "nan", "near"] {
        let refused = folder.run(&["overlap", "scene.toml", "--apart", metres]);
        refused.assert_usage(&["no distance"]);
    }
}

#[test]
fn limits_are_kept_as_f64() {
    let folder = Folder::with_scene(SCENE);
    // As f32 the first is 4, the distance itself.
    let table = "object_a,object_b,max_distance\ncrate,ball,3.99999999\ncrate,ball,4\n";
    let of_text = ["distance", "scene.toml", "-", "-o", "found.parquet"];
    assert_eq!(folder.run_with(&of_text, table).code, 0);
    let typed = folder.run(&["distance", "scene.toml", "found.parquet", "--prefix", "re_"]);
    assert_eq!(column(&typed.rows(), "re_status"), ["none", "apart"]);
    let constant = [
        "distance",
        "scene.toml",
        "-",
        "--columns",
        "max_distance=3.99999999",
    ];
    let constant = folder.run_with(&constant, "object_a,object_b\ncrate,ball\n");
    assert_eq!(column(&constant.rows(), "status"), ["none"]);
}

#[test]
fn every_pair_is_as_far_apart_as_in_rational_arithmetic() {
    let Some(data) = outside_data() else { return };
    let cases = data.join("cases/shapes/movers");
    let scene = cases.join("scene.toml");
    let scene = scene.to_str().unwrap();
    let pairs = cases.join("pairs.csv");
    let pairs = ["distance", scene, pairs.to_str().unwrap()];
    let mut compared = compare(&pairs, &cases.join("pairs_expected.csv"));
    compared += compare(&["distance", scene], &cases.join("closest_pair.csv"));
    for metres in ["0", "0.5", "2"] {
        let list = ["overlap", scene, "--apart", metres];
        compared += compare(&list, &cases.join(format!("apart_{metres}.csv")));
    }
    assert!(compared > 300, "{compared}");
}

/// Compares every row with the expected one, and returns how many there are.
fn compare(arguments: &[&str], expected: &Path) -> usize {
    let found = Folder::new().run(arguments).rows();
    let expected = read(expected);
    assert_eq!(found.len(), expected.len(), "{arguments:?}");
    for (found, expected) in found.iter().zip(&expected) {
        check(found, expected);
    }
    found.len()
}

fn check(found: &Row, expected: &Row) {
    let context = || format!("{found:?}\nnot {expected:?}");
    let number = |row: &Row, column: &str| row[column].parse::<f64>().ok();
    for (column, text) in expected {
        match column.as_str() {
            "nx" | "ny" | "nz" => {
                let [found, expected] = [found, expected].map(|row| number(row, column));
                let is_near = match (found, expected) {
                    (Some(found), Some(expected)) => (found - expected).abs() < 3e-7,
                    (found, expected) => found == expected,
                };
                assert!(is_near, "{}", context());
            }
            "distance" => {
                let [found, expected] =
                    [found, expected].map(|row| row[column].parse::<f32>().ok());
                assert_eq!(found, expected, "{}", context());
            }
            _ => assert_eq!(found[column], *text, "{}", context()),
        }
    }
    // Points are as far apart as the distance says.
    if let Some(distance) = number(found, "distance") {
        let point =
            |end: &str| ["x", "y", "z"].map(|axis| number(found, &format!("{axis}{end}")).unwrap());
        let (a, b) = (point("0"), point("1"));
        let squared: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
        assert!((squared.sqrt() - distance).abs() < 3e-6, "{}", context());
    }
}
