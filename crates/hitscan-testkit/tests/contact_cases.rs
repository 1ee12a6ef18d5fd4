//! The outside cases of moving and resting shapes at placed meshes, one of them mirrored: every row.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::glam::{DQuat, Vec3};
use hitscan::{
    Aabb, Capsule, Contact, ContactStatus, Each, Obb, Overlaps, Primitive, QueryFilter, ShapeCast,
    ShapeHit, Sides, Sphere, StartState,
};
use hitscan_assets::{Scene, load_scene};
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

const ALL: QueryFilter<'static> = QueryFilter::new();

const KINDS: [&str; 4] = ["sphere", "box", "turned_box", "capsule"];

/// The rows of a table, by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let fields = line.split(',').map(str::to_owned);
        names
            .iter()
            .map(|name| (*name).to_owned())
            .zip(fields)
            .collect()
    };
    lines.map(row).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
fn number(row: &BTreeMap<String, String>, name: &str) -> f32 {
    row[name].parse::<f64>().unwrap() as f32
}

fn vector(row: &BTreeMap<String, String>, names: [&str; 3]) -> Vec3 {
    Vec3::from_array(names.map(|name| number(row, name)))
}

fn shape(kind: &str, row: &BTreeMap<String, String>) -> Primitive {
    let radius = || f64::from(number(row, "radius"));
    let center = || vector(row, ["cx", "cy", "cz"]);
    match kind {
        "sphere" => Sphere::new(center(), radius()).unwrap().into(),
        "box" => Aabb::new(
            vector(row, ["min_x", "min_y", "min_z"]),
            vector(row, ["max_x", "max_y", "max_z"]),
        )
        .unwrap()
        .into(),
        "turned_box" => {
            let turn = ["qx", "qy", "qz", "qw"].map(|name| f64::from(number(row, name)));
            let half = vector(row, ["half_x", "half_y", "half_z"]);
            Obb::new(center(), half, DQuat::from_array(turn).normalize())
                .unwrap()
                .into()
        }
        _ => Capsule::new(
            vector(row, ["ax", "ay", "az"]),
            vector(row, ["bx", "by", "bz"]),
            radius(),
        )
        .unwrap()
        .into(),
    }
}

fn is_along(found: Vec3, row: &BTreeMap<String, String>, names: [&str; 3]) -> bool {
    (found - vector(row, names)).length() < 1e-6
}

fn is_contact(scene: &Scene, found: &Contact, row: &BTreeMap<String, String>) -> bool {
    let status = match found.status {
        ContactStatus::Overlap => "overlap",
        ContactStatus::Touching => "touching",
        ContactStatus::Near => "near",
    };
    status == row["status"]
        && found.separation == number(row, "separation")
        && is_along(found.normal, row, ["nx", "ny", "nz"])
        && scene.object_name(found.object.unwrap()) == Some(&row["object"])
        && found.triangle.unwrap().triangle.to_string() == row["triangle"]
}

fn is_hit(scene: &Scene, found: Option<&ShapeHit>, row: &BTreeMap<String, String>) -> bool {
    let Some(hit) = found else {
        return row["status"] == "miss";
    };
    let status = if hit.is_overlap() { "overlap" } else { "hit" };
    let is_way_out = match hit.start {
        StartState::Overlap {
            separation,
            way_out,
        } if row.contains_key("out_x") => {
            separation == number(row, "separation")
                && is_along(way_out, row, ["out_x", "out_y", "out_z"])
        }
        _ => true,
    };
    status == row["status"]
        && hit.t == number(row, "t")
        && is_along(hit.normal, row, ["nx", "ny", "nz"])
        && scene.object_name(hit.object.unwrap()) == Some(&row["object"])
        && hit.triangle.unwrap().triangle.to_string() == row["triangle"]
        && is_way_out
}

#[test]
fn shapes_at_meshes_are_answered_as_expected() {
    let Some(folder) = hitscan_testkit::outside_data() else {
        return;
    };
    let folder = folder.join("cases/queries/mesh");
    let scene = load_scene(&folder.join("scene.toml")).unwrap();
    let now = scene.world().now();
    let (mut asked, mut wrong) = (0, Vec::new());
    for kind in KINDS {
        let expected = rows(&folder.join(format!("overlap_{kind}_object.csv")));
        let shapes = rows(&folder.join(format!("overlap_{kind}.csv")));
        for (number_of_row, row) in shapes.iter().enumerate() {
            let of_row = |one: &&BTreeMap<String, String>| {
                one["row"] == number_of_row.to_string() && one["status"] != "separate"
            };
            let expected: Vec<_> = expected.iter().filter(of_row).collect();
            if expected.iter().any(|row| row["status"] == "invalid") {
                continue;
            }
            let margin = match row["margin"].as_str() {
                "" => 0.0,
                _ => number(row, "margin"),
            };
            let found = now.contacts(shape(kind, row), margin, Each::Object, ALL);
            let is_right = found.len() == expected.len()
                && (found.iter().zip(&expected)).all(|(one, row)| is_contact(&scene, one, row));
            asked += 1;
            if !is_right {
                wrong.push(format!("overlap {kind} {number_of_row}: {found:?}"));
            }
        }
        let moves = rows(&folder.join(format!("sweep_{kind}.csv")));
        for (what, overlaps) in [("contact", Overlaps::Stop), ("leave", Overlaps::Leave)] {
            let expected = rows(&folder.join(format!("sweep_{kind}_{what}.csv")));
            assert_eq!(moves.len(), expected.len());
            for (row, expected) in moves.iter().zip(&expected) {
                if !expected["doubt"].is_empty() || expected["status"] == "invalid" {
                    continue;
                }
                let cast = ShapeCast::new(shape(kind, row), vector(row, ["dx", "dy", "dz"]));
                let cast = cast.unwrap().with_overlaps(overlaps);
                let found = now.cast_shape(&cast, Sides::Both, ALL);
                asked += 1;
                if !is_hit(&scene, found.as_ref(), expected) {
                    wrong.push(format!("{what} {kind} {}: {found:?}", row["id"]));
                }
            }
        }
    }
    println!("{} of {asked} are wrong", wrong.len());
    assert!(asked > 1_100 && wrong.is_empty(), "{wrong:#?}");
}
