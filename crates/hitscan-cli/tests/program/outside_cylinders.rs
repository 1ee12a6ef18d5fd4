//! The outside cases of cylinders: rays, points and moving spheres, against exact rays and an oracle in floats.

use crate::outside_cases::read;
use crate::{Folder, Row};
use hitscan_testkit::outside_data;
use std::path::Path;

/// How far a number that is rounded once may be off: half an ulp of f32, and the bound of the gap.
const ROUNDED: f64 = 1.0 / (1_u64 << 23) as f64;
/// How far a normal may be off, metres: by length of the difference.
const NORMAL: f64 = 3e-7;

#[test]
fn rays_points_and_spheres_at_cylinders_are_answered_as_by_the_oracle() {
    let Some(data) = outside_data() else { return };
    let folder = data.join("cases/shapes/cylinders");
    let mut wrong = Vec::new();
    let rays = ask(
        &folder,
        &["ray", "rays.csv"],
        "rays_expected.csv",
        &mut wrong,
    );
    let points = ask(
        &folder,
        &["closest", "points.csv"],
        "points_expected.csv",
        &mut wrong,
    );
    let moves = ["sweep", "spheres.csv", "--shape", "sphere"];
    let spheres = ask(&folder, &moves, "spheres_expected.csv", &mut wrong);
    println!("{rays} rays, {points} points, {spheres} spheres compared");
    assert!(
        wrong.is_empty(),
        "{} wrong, such as\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert!(rays >= 480 && points >= 320 && spheres >= 320);
}

/// The number of rows of a table whose answers are compared with expected ones.
fn ask(folder: &Path, command: &[&str], expected: &str, wrong: &mut Vec<String>) -> usize {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let mut all = vec![command[0].to_owned(), path("scene.toml"), path(command[1])];
    all.extend(command[2..].iter().map(|option| (*option).to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let found = Folder::new().run(&all).rows();
    let wanted = read(&folder.join(expected));
    assert_eq!(found.len(), wanted.len(), "{expected}");
    for (found, wanted) in found.iter().zip(&wanted) {
        let columns = differing(found, wanted);
        if !columns.is_empty() && wanted["doubt"].is_empty() {
            wrong.push(format!(
                "{expected}: {columns:?}\n  {found:?}\n  not {wanted:?}"
            ));
        }
    }
    found.len()
}

/// The columns in which an answer differs.
fn differing<'a>(found: &Row, wanted: &'a Row) -> Vec<&'a str> {
    let words = ["id", "status", "object", "side"];
    let mut columns: Vec<&str> = (wanted.iter())
        .filter(|(column, value)| match column.as_str() {
            "t" | "distance" => !is_near(&found[*column], value),
            column => words.contains(&column) && found[column] != **value,
        })
        .map(|(column, _)| column.as_str())
        .collect();
    let normal = |row: &Row| -> Option<[f64; 3]> {
        let number = |column: &str| row.get(column)?.parse().ok();
        Some([number("nx")?, number("ny")?, number("nz")?])
    };
    if let Some(wanted) = normal(wanted) {
        let off = normal(found).map_or(f64::INFINITY, |found| {
            let squares = (0..3).map(|axis| (found[axis] - wanted[axis]).powi(2));
            squares.sum::<f64>().sqrt()
        });
        if off > NORMAL {
            columns.push("nx");
        }
    }
    columns
}

fn is_near(given: &str, wanted: &str) -> bool {
    match (given.parse::<f64>(), wanted.parse::<f64>()) {
        (Ok(given), Ok(wanted)) => (given - wanted).abs() <= ROUNDED * wanted.abs() + 1e-11,
        _ => given == wanted,
    }
}
