//! The outside cases of shapes, arcs, closest points, sight and footprints: every table of questions in
//! `cases/queries`, against answers in rational arithmetic.

use crate::outside_cases::read;
use crate::{Folder, Row};
use hitscan_testkit::outside_data;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How far a normal may be off, metres: by length of the difference.
const NORMAL: f64 = 3e-7;
/// The same where an arc hits a solid, whose quartic has a bound of its own.
const NORMAL_OF_QUARTIC: f64 = 1e-5;
/// How far a point may be off, of its maximum coordinate.
const POINT: f64 = 2e-6;
/// How far the corners of a turned box may be off, of the scene's maximum coordinate.
const TURNED_CORNER: f64 = 8.0 / (1u64 << 50) as f64;

/// Columns that are the same to the letter.
const WORDS: [&str; 12] = [
    "id",
    "row",
    "eye",
    "target",
    "status",
    "object",
    "part",
    "triangle",
    "start",
    "side",
    "mover_part",
    "mover_triangle",
];
/// Columns that are the same f32, but for the tolerance that a row states.
const EXACT: [&str; 3] = ["t", "distance", "separation"];
/// Unit vectors.
const NORMALS: [[&str; 3]; 2] = [["nx", "ny", "nz"], ["out_x", "out_y", "out_z"]];
/// Ratios, and what a footprint has, where a row has no point.
const NUMBERS: [&str; 5] = ["u", "v", "height", "min", "max"];
/// What is promised where a hundredth of the footprint is covered.
const COVERED: [&str; 6] = ["plane", "slope", "nx", "ny", "nz", "coverage"];

/// What was compared.
#[derive(Default)]
struct Tally {
    /// Rows by the command.
    compared: BTreeMap<&'static str, usize>,
    /// Rows that hang on what the text leaves open, and differ.
    in_doubt: usize,
    wrong: Vec<String>,
}

#[test]
fn every_question_is_answered_as_by_rational_arithmetic() {
    let Some(data) = outside_data() else { return };
    let mut tally = Tally::default();
    let scenes = std::fs::read_dir(data.join("cases/queries")).unwrap();
    for scene in scenes {
        ask_scene(&scene.unwrap().path(), &mut tally);
    }
    tally.check(&[
        ("arc", 1_900),
        ("closest", 1_280),
        ("footprint", 480),
        ("overlap", 7_000),
        ("sight", 1_440),
        ("sweep", 18_000),
    ]);
}

/// The folders of `cases/shapes` whose scenes have hulls and compounds, and in `tiles` one surface of several
/// objects, beside what other cases have.
const OF_SHAPES: [&str; 7] = [
    "arcs",
    "colliders",
    "mesh",
    "rays",
    "solids",
    "terrain",
    "tiles",
];

#[test]
fn every_question_about_hulls_and_compounds_is_answered_as_by_rational_arithmetic() {
    let Some(data) = outside_data() else { return };
    let mut tally = Tally::default();
    for folder in OF_SHAPES {
        ask_scene(&data.join("cases/shapes").join(folder), &mut tally);
    }
    tally.check(&[
        ("arc", 480),
        ("closest", 400),
        ("overlap", 6_000),
        ("ray", 800),
        ("sweep", 11_000),
    ]);
}

#[test]
fn every_question_about_objects_that_move_is_answered_as_by_rational_arithmetic() {
    let Some(data) = outside_data() else { return };
    let mut tally = Tally::default();
    ask_scene(&data.join("cases/shapes/movers"), &mut tally);
    tally.check(&[("sweep", 2_000)]);
}

impl Tally {
    /// All rows are right, and of each command there were so many.
    fn check(self, least: &[(&str, usize)]) {
        let Self {
            compared,
            in_doubt,
            wrong,
        } = self;
        println!("{compared:?} rows compared; {in_doubt} rows in doubt differ");
        assert!(
            wrong.is_empty(),
            "{} wrong, such as\n{}",
            wrong.len(),
            wrong[..wrong.len().min(5)].join("\n")
        );
        for (command, least) in least {
            assert!(compared[command] >= *least, "{command}: {compared:?}");
        }
    }
}

/// All questions of a scene.
fn ask_scene(folder: &Path, tally: &mut Tally) {
    let mut ask = |command, arguments: &[&str], expected: &str| {
        let expected = folder.join(expected);
        if !expected.exists() {
            return;
        }
        let scene = folder.join("scene.toml");
        let tables = arguments.iter().map(|argument| {
            let path = folder.join(argument);
            let is_table = argument.ends_with(".csv");
            if is_table {
                path.to_str().unwrap().to_owned()
            } else {
                (*argument).to_owned()
            }
        });
        let tables: Vec<String> = tables.collect();
        let program = if command == "footprint" {
            "height"
        } else {
            command
        };
        let mut all = vec![program, scene.to_str().unwrap()];
        all.extend(tables.iter().map(String::as_str));
        let found = Folder::new().run(&all).rows();
        let wanted = read(&expected);
        compare(command, &expected, (&found, &wanted), tally);
    };
    ask("sweep", &["moves.csv", "--object"], "moves_nearest.csv");
    let all = ["moves.csv", "--object", "--hits", "all"];
    ask("sweep", &all, "moves_all.csv");
    for kind in ["box", "turned_box", "sphere", "capsule", "hull"] {
        let questions = format!("sweep_{kind}.csv");
        let options: [(&str, &[&str]); 7] = [
            ("nearest", &[]),
            ("any", &["--hits", "any"]),
            ("all", &["--hits", "all"]),
            ("front", &["--sides", "front"]),
            ("back", &["--sides", "back"]),
            ("contact", &["--contact"]),
            ("leave", &["--initial-overlap", "escape"]),
        ];
        for (name, options) in options {
            let arguments = [&[questions.as_str(), "--shape", kind], options].concat();
            ask("sweep", &arguments, &format!("sweep_{kind}_{name}.csv"));
        }
        let questions = format!("overlap_{kind}.csv");
        for each in ["object", "triangle"] {
            let arguments = [questions.as_str(), "--shape", kind, "--each", each];
            ask("overlap", &arguments, &format!("overlap_{kind}_{each}.csv"));
        }
    }
    ask("ray", &["rays.csv"], "rays_expected.csv");
    ask("closest", &["closest.csv"], "closest_plain.csv");
    ask("closest", &["closest.csv"], "closest_expected.csv");
    ask(
        "closest",
        &["closest.csv", "--signed"],
        "closest_signed.csv",
    );
    ask("arc", &["arc.csv"], "arc_nearest.csv");
    ask("arc", &["arcs.csv"], "arcs_expected.csv");
    ask("arc", &["arc.csv", "--hits", "any"], "arc_any.csv");
    for side in ["front", "back"] {
        let arguments = ["arc.csv", "--sides", side];
        ask("arc", &arguments, &format!("arc_{side}.csv"));
    }
    ask(
        "sight",
        &["eyes.csv", "targets.csv", "--blocker"],
        "sight.csv",
    );
    for shape in ["disc", "rect"] {
        let questions = format!("footprint_{shape}.csv");
        let arguments = [questions.as_str(), "--method", "footprint"];
        ask(
            "footprint",
            &arguments,
            &format!("footprint_{shape}_expected.csv"),
        );
    }
}

fn compare(
    command: &'static str,
    place: &Path,
    (found, expected): (&[Row], &[Row]),
    tally: &mut Tally,
) {
    let (mut found, mut expected) = (Vec::from_iter(found), Vec::from_iter(expected));
    if found.len() != expected.len() {
        // A question in doubt may have more answers than the expected ones.
        let in_doubt: BTreeSet<String> = expected
            .iter()
            .filter(|row| is_in_doubt(row))
            .map(|row| row["id"].clone())
            .collect();
        for rows in [&mut found, &mut expected] {
            rows.retain(|row| !in_doubt.contains(&row["id"]));
        }
        tally.in_doubt += in_doubt.len();
    }
    assert_eq!(found.len(), expected.len(), "{}", place.display());
    *tally.compared.entry(command).or_default() += found.len();
    for (found, expected) in found.iter().zip(expected) {
        let differing = if command == "footprint" {
            differing_ground(found, expected)
        } else {
            differing(found, expected)
        };
        if differing.is_empty() {
            continue;
        }
        if !is_in_doubt(expected) {
            let place = place.display();
            let one = format!("{place}: {differing:?}\n  {found:?}\n  not {expected:?}");
            tally.wrong.push(one);
        } else {
            tally.in_doubt += 1;
        }
    }
}

/// Whether the answer hangs on what the text leaves open.
fn is_in_doubt(expected: &Row) -> bool {
    expected.get("doubt").is_some_and(|doubt| !doubt.is_empty())
}

/// The columns in which an answer differs from the expected one.
fn differing(found: &Row, expected: &Row) -> Vec<&'static str> {
    let mut differing = differing_words(found, expected);
    let tolerance = expected
        .get("t_tol")
        .and_then(|stated| stated.parse().ok())
        .unwrap_or(0.0);
    for column in EXACT {
        let bound = match column {
            "t" => tolerance,
            "distance" => TURNED_CORNER,
            _ => 0.0,
        };
        if !is_near_or_equal(found, expected, column, bound) {
            differing.push(column);
        }
    }
    let bound = if tolerance > 0.0 {
        NORMAL_OF_QUARTIC
    } else {
        NORMAL
    };
    for columns in NORMALS {
        if let Some(off) = vector_off(found, expected, columns)
            && off > bound
        {
            differing.push(columns[0]);
        }
    }
    let point = ["x", "y", "z"];
    if let Some(off) = vector_off(found, expected, point) {
        let size = point.map(|column| number(expected, column).map_or(0.0, f64::abs));
        if off > POINT * size.iter().fold(1.0, |a: f64, b| a.max(*b)) {
            differing.push("x");
        }
    }
    for column in NUMBERS {
        if !is_near_or_equal(found, expected, column, 1e-6) {
            differing.push(column);
        }
    }
    differing
}

/// [`differing`] of a footprint's ground.
fn differing_ground(found: &Row, expected: &Row) -> Vec<&'static str> {
    let mut differing = differing_words(found, expected);
    let is_covered = number(expected, "coverage").is_some_and(|coverage| coverage >= 0.01);
    let columns = if is_covered {
        &COVERED[..]
    } else {
        &COVERED[5..]
    };
    for column in NUMBERS.iter().chain(columns) {
        if !is_near_or_equal(found, expected, column, 1e-6) {
            differing.push(column);
        }
    }
    differing
}

fn differing_words(found: &Row, expected: &Row) -> Vec<&'static str> {
    let is_other = |column: &&str| {
        let expected = expected.get(*column).map(String::as_str);
        // A question mark: the text leaves it open.
        expected.is_some_and(|expected| expected != "?" && found[*column] != expected)
    };
    WORDS.into_iter().filter(is_other).collect()
}

/// Whether a number is as expected: both are absent, the same f32, or within a bound of each other.
fn is_near_or_equal(found: &Row, expected: &Row, column: &str, bound: f64) -> bool {
    let Some(text) = expected.get(column) else {
        return true;
    };
    if text == "any" {
        return true;
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
    match (number(found, column), number(expected, column)) {
        (None, None) => true,
        (Some(found), Some(expected)) => {
            found as f32 == expected as f32 || (found - expected).abs() <= bound
        }
        _ => false,
    }
}

/// How far a vector is off, if one is expected; infinite where there is none.
fn vector_off(found: &Row, expected: &Row, columns: [&str; 3]) -> Option<f64> {
    let mut square = 0.0;
    for column in columns {
        let expected = number(expected, column)?;
        square += number(found, column).map_or(f64::INFINITY, |found| (found - expected).powi(2));
    }
    Some(square.sqrt())
}

/// The number in a column; `None` where it is absent, empty, or any will do.
fn number(row: &Row, column: &str) -> Option<f64> {
    row.get(column)
        .filter(|text| !text.is_empty() && *text != "any")
        .map(|text| text.parse().unwrap())
}
