//! Terrain against the cases with known answers: heights by three methods, and rays.

#![expect(
    clippy::unwrap_used,
    reason = "a case that cannot be read is a failed test"
)]

use hitscan::height_field::{Diagonal, Grid, Ground};
use hitscan::{HeightField, QueryFilter, Ray, Sides, World};
use hitscan_testkit::outside_data;
use hitscan_testkit::traced_ray::check_trace;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Where f32 answers and the cases' f64 answers may honestly differ, metres.
const GRAZE: f64 = 2e-3;

type Row = BTreeMap<String, String>;

fn read_csv(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
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

fn number(row: &Row, name: &str) -> f64 {
    row[name].parse().unwrap()
}

fn single(row: &Row, name: &str) -> f32 {
    row[name].parse().unwrap()
}

/// The numbers between the brackets that follow `key`.
fn bracketed<T: FromStr<Err: Debug>>(text: &str, key: &str, brackets: [char; 2]) -> Vec<T> {
    let rest = &text[text.find(key).unwrap() + key.len()..];
    let from = rest.find(brackets[0]).unwrap() + 1;
    let to = rest.find(brackets[1]).unwrap();
    let numbers = rest[from..to].split(',').map(str::trim);
    let numbers = numbers.filter(|part| !part.is_empty());
    numbers.map(|part| part.parse().unwrap()).collect()
}

fn read_field(folder: &Path) -> HeightField {
    let bytes = std::fs::read(folder.join("grid.npy")).unwrap();
    let header_end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = String::from_utf8_lossy(&bytes[..header_end]);
    assert!(header.contains("'<f4'") && header.contains("'fortran_order': False"));
    let shape: Vec<usize> = bracketed(&header, "'shape':", ['(', ')']);
    let heights: Vec<f32> = bytes[header_end..]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
        .collect();
    let scene = std::fs::read_to_string(folder.join("scene.toml")).unwrap();
    let spacing: Vec<f64> = bracketed(&scene, "spacing =", ['[', ']']);
    let rows = shape[0];
    let grid = Grid {
        diagonal: if scene.contains("\"main\"") {
            Diagonal::Main
        } else {
            Diagonal::Anti
        },
        ..Grid::new(heights.len() / rows, rows, [spacing[0], spacing[1]])
    };
    HeightField::new(grid, heights).unwrap()
}

fn case_folders(data: &Path) -> Vec<std::path::PathBuf> {
    let mut folders: Vec<_> = std::fs::read_dir(data.join("cases/terrain"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "there are no terrain cases");
    folders
}

fn assert_near(found: f32, expected: f64, what: &str) {
    let error = (f64::from(found) - expected).abs();
    assert!(
        error <= 2e-6 * expected.abs().max(1.0),
        "{what}: {found}, expected {expected}"
    );
}

#[test]
fn rays_of_the_cases() {
    let Some(data) = outside_data() else { return };
    for folder in case_folders(&data) {
        let field = Arc::new(read_field(&folder));
        let mut world = World::new();
        world.add(Arc::clone(&field));
        world.update();
        let (mut compared, mut grazing, mut grazing_differs, mut worst) = (0, 0, 0, 0.0f64);
        let rays = read_csv(&folder.join("rays.csv"));
        let answers = read_csv(&folder.join("rays_expected.csv"));
        assert_eq!(rays.len(), answers.len());
        for (ray, expected) in rays.iter().zip(&answers) {
            let v = |names: [&str; 3]| names.map(|name| single(ray, name));
            let cast = Ray::new(v(["ox", "oy", "oz"]), v(["dx", "dy", "dz"]))
                .unwrap()
                .with_range(0.0, single(ray, "t_max"))
                .unwrap();
            let hit = field.cast_ray(&cast, ());
            let (traced, _) =
                check_trace(world.now(), &cast, Sides::Both.into(), QueryFilter::new());
            assert_eq!(traced.map(|hit| hit.t), hit.map(|hit| hit.t));
            assert_eq!(hit.is_some(), field.cast_ray_any(&cast, ()));
            let status = if hit.is_some() { "hit" } else { "miss" };
            let t_differs = hit.is_some_and(|hit| {
                expected["status"] == "hit"
                    && (f64::from(hit.t) / number(expected, "t") - 1.0).abs() > 1e-5
                    && (f64::from(hit.t) - number(expected, "t")).abs() > 1e-5
            });
            if number(expected, "graze") < GRAZE {
                grazing += 1;
                grazing_differs += usize::from(status != expected["status"] || t_differs);
                continue;
            }
            let place = format!("{} ray {}", folder.display(), ray["id"]);
            assert_eq!(status, expected["status"], "{place}");
            let Some(hit) = hit else { continue };
            compared += 1;
            let t = number(expected, "t");
            worst = worst.max((f64::from(hit.t) - t).abs() / t.abs().max(1.0));
            assert!(!t_differs, "{place}: t {} instead of {t}", hit.t);
            assert_eq!(hit.side.name(), expected["side"], "{place}");
            if number(expected, "inside") > 1e-4 {
                let triangle = hit.triangle.unwrap().triangle;
                assert_eq!(triangle.to_string(), expected["triangle"], "{place}");
            }
        }
        println!(
            "{}: {} rays, {compared} hits compared, worst t {worst:.1e}, {grazing} grazing of which {grazing_differs} differ",
            folder.file_name().unwrap().display(),
            rays.len(),
        );
        assert!(compared > 0);
    }
}

#[test]
fn heights_of_the_cases() {
    let Some(data) = outside_data() else { return };
    for folder in case_folders(&data) {
        let field = read_field(&folder);
        let points = read_csv(&folder.join("points.csv"));
        let answers = read_csv(&folder.join("points_expected.csv"));
        assert_eq!(points.len(), answers.len());
        for (point, expected) in points.iter().zip(&answers) {
            let place = format!("{} point {}", folder.display(), point["id"]);
            let (x, z) = (single(point, "x"), single(point, "z"));
            let status = match field.height([x, z]) {
                Ground::Height(ground) => {
                    assert_near(ground.height, number(expected, "exact"), &place);
                    let surface = ground.surface.unwrap();
                    for (axis, name) in ["nx", "ny", "nz"].into_iter().enumerate() {
                        assert_near(surface.normal[axis], number(expected, name), &place);
                    }
                    "ok"
                }
                Ground::Outside => "outside",
                Ground::Hole => "hole",
                Ground::Empty => "empty",
            };
            assert_eq!(status, expected["exact_status"], "{place}");
            let radius = number(expected, "radius");
            for (answer, method) in [
                (field.max_height([x, z], radius), "max"),
                (field.mean_height([x, z], radius), "mean"),
            ] {
                let status = match answer {
                    Ground::Height(ground) => {
                        assert_eq!(ground.surface, None, "{place}");
                        assert_near(ground.height, number(expected, method), &place);
                        "ok"
                    }
                    Ground::Outside => "outside",
                    Ground::Hole => "hole",
                    Ground::Empty => "empty",
                };
                assert_eq!(
                    status,
                    expected[&format!("{method}_status")],
                    "{place} {method}"
                );
            }
        }
        println!(
            "{}: {} points",
            folder.file_name().unwrap().display(),
            points.len()
        );
    }
}
