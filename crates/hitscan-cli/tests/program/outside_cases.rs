//! The cases with known answers, answered by the program.

use crate::{Folder, Row, rows};
use hitscan_testkit::outside_data;
use std::path::Path;

fn ask(command: &str, scene: &Path, table: &Path, more: &[&str]) -> Vec<Row> {
    let (scene, table) = (scene.to_str().unwrap(), table.to_str().unwrap());
    let arguments = [&[command, scene, table], more].concat();
    Folder::new().run(&arguments).rows()
}

pub(crate) fn read(path: &Path) -> Vec<Row> {
    rows(&std::fs::read_to_string(path).unwrap())
}

fn number(row: &Row, name: &str) -> f64 {
    row[name].parse().unwrap()
}

/// Whether a reported number is the expected one, up to rounding to f32.
fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 2e-7 * expected.abs().max(1.0)
}

#[test]
fn terrain() {
    let Some(data) = outside_data() else { return };
    let mut folders: Vec<_> = std::fs::read_dir(data.join("cases/terrain"))
        .unwrap()
        .collect();
    assert!(!folders.is_empty());
    let (mut compared, mut grazing) = (0, 0);
    for folder in folders.drain(..) {
        let folder = folder.unwrap().path();
        let scene = folder.join("scene.toml");
        let expected = read(&folder.join("rays_expected.csv"));
        let found = ask("ray", &scene, &folder.join("rays.csv"), &[]);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            if number(expected, "graze") < 2e-3 {
                grazing += 1;
                continue;
            }
            compared += 1;
            assert_eq!(found["status"], expected["status"], "{found:?}");
            if expected["status"] == "hit" {
                assert!(
                    is_near(number(found, "t"), number(expected, "t")),
                    "{found:?}"
                );
                assert_eq!(found["side"], expected["side"], "{found:?}");
                if number(expected, "inside") > 1e-4 {
                    assert_eq!(found["triangle"], expected["triangle"], "{found:?}");
                }
            }
        }
        let expected = read(&folder.join("points_expected.csv"));
        let radius = expected[0]["radius"].clone();
        for method in ["exact", "max", "mean"] {
            let options = ["--method", method, "--radius", radius.as_str()];
            let options = if method == "exact" {
                &options[..2]
            } else {
                &options[..]
            };
            let found = ask("height", &scene, &folder.join("points.csv"), options);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                compared += 1;
                assert_eq!(
                    found["status"],
                    expected[&format!("{method}_status")],
                    "{found:?}"
                );
                if found["status"] == "ok" {
                    assert!(
                        is_near(number(found, "height"), number(expected, method)),
                        "{found:?}"
                    );
                }
            }
        }
    }
    println!("{compared} answers compared, {grazing} left out as grazing");
    assert!(compared > 10_000);
}

#[test]
fn sweep() {
    let Some(data) = outside_data() else { return };
    let folder = data.join("cases/sweep");
    let expected = read(&folder.join("expected.csv"));
    let found = ask(
        "sweep",
        &folder.join("scene.toml"),
        &folder.join("moves.csv"),
        &[],
    );
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        for column in ["status", "object"] {
            assert_eq!(found[column], expected[column], "{found:?}");
        }
        for column in ["t", "nx", "ny", "nz"] {
            assert_eq!(
                found[column].is_empty(),
                expected[column].is_empty(),
                "{found:?}"
            );
            if !found[column].is_empty() {
                assert!(
                    is_near(number(found, column), number(expected, column)),
                    "{found:?}"
                );
            }
        }
    }
    println!("{} answers compared", found.len());
    assert!(found.len() > 1_000);
}

/// Every file of the outside data is described, or refused in one message that names it.
#[test]
fn info_of_every_file() {
    let Some(data) = outside_data() else { return };
    let (mut described, mut refused) = (0, 0);
    let mut folders = vec![data.join("data")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let run = Folder::new().run(&["info", path.to_str().unwrap()]);
            if run.code == 0 {
                assert!(run.stdout.lines().count() > 3, "{}", run.stdout);
                described += 1;
            } else {
                let name = path.file_name().unwrap().to_str().unwrap();
                run.assert_refused(&[name]);
                refused += 1;
            }
        }
    }
    println!("{described} files described, {refused} refused");
    assert!(described > 40);
}
