//! The test suites of some packages: run, shown and counted.

use super::cells::Cells;
use super::counts::{Counts, OutputReader, counted_some};
use super::steps::{announced, cargo};
use std::path::Path;
use std::process::Command;

/// The packages whose suites need nothing but Rust. All builds name these, so
/// that each has what an earlier one built.
pub(super) const PACKAGES: [&str; 5] = [
    "--workspace",
    "--exclude",
    "hitscan-python",
    "--features",
    FEATURES,
];

/// What users may turn on.
const FEATURES: &str = "hitscan/serde,hitscan/mint";

/// Makes the suites below as long as they can be.
pub(crate) const WHOLE: (&str, &str) = ("HITSCAN_ROUNDS", "whole");

/// The suites that run a fifth of their rounds unless all are asked for: those that call the testkit's
/// `rounds`.
const LONG: [&str; 24] = [
    "arc_oracle",
    "arc_round_oracle",
    "baked_objects",
    "closest_point_triangles_oracle",
    "closest_point_world_oracle",
    "enclosures_oracle",
    "every_cell_oracle",
    "expected_hit_oracle",
    "expected_miss_oracle",
    "far_slabs_oracle",
    "initial_overlap_prop",
    "posed_shapes",
    "ray_oracle",
    "ray_solids_oracle",
    "round_contact_oracle",
    "shape_cast_obb_oracle",
    "shape_cast_solids_oracle",
    "shape_cast_sphere_oracle",
    "shape_cast_triangle_oracle",
    "sight_oracle",
    "soak",
    "terrain_oracle",
    "tied_surfaces_oracle",
    "world_extremes",
];

/// Suites that compare vector widths, with scalar code as one of them. The library is not optimised for
/// these: that takes longer for scalar code in place of vectors than all other builds together, and so
/// those are here that end soon.
const SCALAR: [&str; 3] = ["camera_tiles_prop", "pose_widths", "terrain_widths"];

/// Runs all tests of the packages that the arguments name, shows their output, and adds up their
/// counts. Failed tests are counted; it is an error where tests cannot be built, crash or are none.
pub(super) fn run(
    root: &Path,
    name: &str,
    packages: &[&str],
    variables: &[(&str, &str)],
) -> Result<Counts, String> {
    announced(name, || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .arg("test")
            .args(packages)
            .args(["--no-fail-fast", "--", "--show-output"])
            .envs(variables.iter().copied())
            .current_dir(root);
        let mut reader = OutputReader::default();
        let mut cells = Cells::default();
        let counts = counted_some(&mut cargo, |line| {
            cells.read(line);
            reader.read(line)
        })?;
        print!("{cells}");
        println!("{} suites: {counts}", reader.suites());
        Ok(counts)
    })
}

/// The long suites in all their rounds.
pub(super) fn whole(root: &Path) -> Result<Counts, String> {
    let suites = [&PACKAGES[..], &named(&LONG)].concat();
    run(root, "long suites in all rounds", &suites, &[WHOLE])
}

/// The suites with scalar code as one more width.
pub(super) fn scalar(root: &Path) -> Result<Counts, String> {
    let scalar = [
        "--config",
        "profile.test.package.hitscan.opt-level=0",
        "--features",
        "hitscan-testkit/scalar",
    ];
    let suites = [&scalar[..], &PACKAGES, &named(&SCALAR)].concat();
    run(root, "tests in scalar code", &suites, &[])
}

/// Builds the program that the suites run, where it is not built.
pub(super) fn build_program(root: &Path) -> Result<(), String> {
    let build = [&["test", "--no-run"], &PACKAGES[..], &named(&["program"])].concat();
    cargo(root, "the program of the tests", &build, &[])
}

fn named<'a>(suites: &[&'a str]) -> Vec<&'a str> {
    suites.iter().flat_map(|suite| ["--test", *suite]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;

    /// Whether a source, or one of those in a folder, calls the testkit's `rounds`.
    fn is_long(path: &Path) -> bool {
        if path.is_dir() {
            let mut entries = fs::read_dir(path).unwrap();
            return entries.any(|entry| is_long(&entry.unwrap().path()));
        }
        let is_rust = path.extension().is_some_and(|ending| ending == "rs");
        is_rust && calls_rounds(&fs::read_to_string(path).unwrap())
    }

    fn calls_rounds(source: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut calls = source.match_indices("rounds(");
        calls.any(|(at, _)| !source[..at].ends_with(is_word))
    }

    #[test]
    fn the_list_of_long_suites_is_that_of_the_suites_with_rounds() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        let mut found = BTreeSet::new();
        for package in fs::read_dir(crates).unwrap() {
            let suites = package.unwrap().path().join("tests");
            for suite in fs::read_dir(suites).into_iter().flatten() {
                let path = suite.unwrap().path();
                if is_long(&path) {
                    found.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        assert!(calls_rounds("0..rounds(9)") && !calls_rounds("all_rounds(9)"));
        assert!(LONG.is_sorted(), "{LONG:?}");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), LONG);
    }
}
