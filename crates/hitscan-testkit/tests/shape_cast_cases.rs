//! The outside cases of moving boxes: every row, against every box of the scene.

use hitscan::shape_cast::AabbCast;
use hitscan::{Aabb, ShapeHit};
use hitscan_testkit::cast_box;
use std::fs::read_to_string;

/// The boxes of a scene file in file order.
fn boxes(scene: &str) -> Vec<Aabb> {
    let corner = |line: &str| -> [f32; 3] {
        let list = line
            .split_once('[')
            .expect("a list")
            .1
            .trim_end_matches(']');
        let numbers: Vec<f32> = list
            .split(',')
            .map(|x| x.trim().parse().expect("a number"))
            .collect();
        numbers.try_into().expect("three numbers")
    };
    let lines = |key| {
        scene
            .lines()
            .filter(move |line: &&str| line.starts_with(key))
    };
    lines("min =")
        .zip(lines("max ="))
        .map(|(min, max)| Aabb::new(corner(min), corner(max)).expect("a box"))
        .collect()
}

/// The row's answer, written as the table of expected answers has it.
fn answer(row: &str, boxes: &[Aabb]) -> String {
    let fields: Option<Vec<f32>> = row.split(',').skip(1).map(|x| x.parse().ok()).collect();
    let moving = fields.and_then(|f| {
        let aabb = Aabb::new([f[0], f[1], f[2]], [f[3], f[4], f[5]]).ok()?;
        AabbCast::new(aabb, [f[6], f[7], f[8]]).ok()
    });
    let Some(moving) = moving else {
        return "invalid,,,,,".to_owned();
    };
    let contacts = boxes
        .iter()
        .enumerate()
        .filter_map(|(i, obstacle)| Some((cast_box(&moving, *obstacle)?, i)));
    let first = contacts.reduce(
        |best: (ShapeHit, usize), next| {
            if next.0.t < best.0.t { next } else { best }
        },
    );
    let Some((contact, object)) = first else {
        return "miss,,,,,".to_owned();
    };
    let status = if contact.is_overlap() {
        "overlap"
    } else {
        "hit"
    };
    let n = contact.normal;
    format!("{status},{:?},{},{},{},b{object}", contact.t, n.x, n.y, n.z)
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
fn to_f32(t: f64) -> f32 {
    t as f32
}

#[test]
fn every_move_is_answered_as_expected() {
    let Some(folder) = hitscan_testkit::outside_data() else {
        return;
    };
    let folder = folder.join("cases/sweep");
    let boxes = boxes(&read_to_string(folder.join("scene.toml")).unwrap());
    let moves = read_to_string(folder.join("moves.csv")).unwrap();
    let expected = read_to_string(folder.join("expected.csv")).unwrap();
    let mut count = 0;
    for (row, expected) in moves.lines().zip(expected.lines()).skip(1) {
        let (_, expected) = expected.split_once(',').unwrap();
        // The expected t has the digits of an f64, and some lie half way between two f32, so they
        // are not read as f32 directly.
        let fields: Vec<&str> = expected.split(',').collect();
        let t = fields[1]
            .parse::<f64>()
            .map_or(String::new(), |t| format!("{:?}", to_f32(t)));
        let expected = format!("{},{t},{}", fields[0], fields[2..].join(","));
        assert_eq!(answer(row, &boxes), expected, "{row}");
        count += 1;
    }
    assert_eq!((boxes.len(), count), (80, 6000));
}
