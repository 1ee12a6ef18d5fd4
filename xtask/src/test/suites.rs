//! The test suites of some packages: run, shown and counted.

use super::cells::Cells;
use super::counts::{Counts, OutputReader};
use super::steps::{announced, cargo};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

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
/// Makes them half as long.
const HALF: (&str, &str) = ("HITSCAN_ROUNDS", "half");

/// The suites that run a fifth of their rounds unless all are requested: those that call the testkit's
/// `rounds`.
const LONG: [&str; 36] = [
    "arc_oracle",
    "arc_round_oracle",
    "baked_objects",
    "closest_point_triangles_oracle",
    "closest_point_world_oracle",
    "collider_surfaces",
    "compounds_oracle",
    "cylinders_oracle",
    "distance_oracle",
    "enclosures_oracle",
    "every_cell_oracle",
    "expected_hit_oracle",
    "expected_miss_oracle",
    "far_slabs_oracle",
    "initial_overlap_prop",
    "joint_matrices_oracle",
    "object_cast_oracle",
    "order_keys",
    "posed_shapes",
    "ray_oracle",
    "ray_solids_oracle",
    "round_contact_oracle",
    "shape_cast_obb_oracle",
    "shape_cast_solids_oracle",
    "shape_cast_sphere_oracle",
    "shape_cast_triangle_oracle",
    "shared_surface_heights",
    "shared_surface_oracle",
    "shared_surface_slides",
    "sight_oracle",
    "soak",
    "terrain_oracle",
    "tied_surfaces_oracle",
    "turning_oracle",
    "visited_hits",
    "world_extremes",
];

/// Suites that compare vector widths, with scalar code as one of them. The library is not optimised for
/// these: that takes longer for scalar code in place of vectors than all other builds together, and so
/// those are here that end soon.
const SCALAR: [&str; 3] = ["camera_tiles_prop", "pose_widths", "terrain_widths"];

/// All tests of [`PACKAGES`].
pub(super) fn all(root: &Path) -> Result<Counts, String> {
    let names = suites_of_packages(root)?;
    let of_sources = ["--doc", "--lib", "--bins"].map(|kind| vec![kind.to_owned()]);
    // Cargo takes half a second to begin, which is as long as many a suite.
    let shares = of_sources.into_iter().chain(names.chunks(4).map(named));
    run(root, "tests", &PACKAGES, shares.collect(), &[])
}

/// The long suites in half of their rounds.
pub(super) fn half(root: &Path) -> Result<Counts, String> {
    let shares = LONG.iter().map(|&suite| named(&[suite])).collect();
    run(
        root,
        "long suites in half of their rounds",
        &PACKAGES,
        shares,
        &[HALF],
    )
}

/// The suites with scalar code as one more width.
pub(super) fn scalar(root: &Path) -> Result<Counts, String> {
    let scalar = [
        "--config",
        "profile.test.package.hitscan.opt-level=0",
        "--features",
        "hitscan-testkit/scalar",
    ];
    let packages = [&scalar[..], &PACKAGES].concat();
    let shares = SCALAR.iter().map(|&suite| named(&[suite])).collect();
    run(root, "tests in scalar code", &packages, shares, &[])
}

/// Builds what the shares of some packages' tests need, runs as many shares at a time as there are
/// cores, shows the output of each, and adds up the counts. Failed tests are counted; it is an error
/// where tests cannot be built, crash or are none.
pub(super) fn run(
    root: &Path,
    name: &str,
    packages: &[&str],
    shares: Vec<Vec<String>>,
    variables: &[(&str, &str)],
) -> Result<Counts, String> {
    announced(name, || {
        build(root, packages, &shares)?;
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        let (shares, total) = (Mutex::new(shares.into_iter()), Mutex::new(Total::default()));
        let next = || shares.lock().ok()?.next();
        let run_shares = || -> Result<(), String> {
            while let Some(share) = next() {
                let mut cargo = cargo_test(root, packages);
                cargo.args(&share).args(["--no-fail-fast", "--"]);
                cargo.arg("--show-output").envs(variables.iter().copied());
                let output = cargo
                    .output()
                    .map_err(|error| format!("no cargo: {error}"))?;
                let mut total = total.lock().map_err(|_| "a share ended early".to_owned())?;
                total.add(&share, &output)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(run_shares)).collect();
            let ended_early = |_| Err("a share ended early".to_owned());
            let mut ends = workers.into_iter().map(|worker| worker.join());
            ends.try_for_each(|end| end.unwrap_or_else(ended_early))
        })?;
        let total = total
            .into_inner()
            .map_err(|_| "a share ended early".to_owned())?;
        print!("{}", total.cells);
        println!("{} suites: {}", total.suites, total.counts);
        match total.counts.passed + total.counts.failed {
            0 => Err("no test ran".to_owned()),
            _ => Ok(total.counts),
        }
    })
}

/// Builds the tests of all shares in one go.
fn build(root: &Path, packages: &[&str], shares: &[Vec<String>]) -> Result<(), String> {
    let mut cargo = cargo_test(root, packages);
    // The tests in documentation are built as they run.
    cargo.args(shares.iter().flatten().filter(|share| *share != "--doc"));
    let status = cargo.arg("--no-run").status();
    match status
        .map_err(|error| format!("no cargo: {error}"))?
        .success()
    {
        true => Ok(()),
        false => Err("the tests could not be built".to_owned()),
    }
}

fn cargo_test(root: &Path, packages: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.arg("test").args(packages).current_dir(root);
    cargo
}

/// What the shares that ended have counted.
#[derive(Default)]
struct Total {
    counts: Counts,
    suites: u64,
    cells: Cells,
}

impl Total {
    /// Shows and adds the output of one share.
    fn add(&mut self, share: &[String], output: &Output) -> Result<(), String> {
        let mut reader = OutputReader::default();
        let mut counts = Counts::default();
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            println!("{line}");
            self.cells.read(line);
            counts += reader.read(line);
        }
        if !output.status.success() && counts.failed == 0 {
            return Err(format!("{}: {}", share.join(" "), output.status));
        }
        self.counts += counts;
        self.suites += reader.suites();
        Ok(())
    }
}

/// Builds the program that the suites run, where it is not built.
pub(super) fn build_program(root: &Path) -> Result<(), String> {
    let build = ["test", "--no-run", "--test", "program"];
    let build = [&build[..], &PACKAGES].concat();
    cargo(root, "the program of the tests", &build, &[])
}

/// The arguments that select some suites.
fn named(suites: &[impl AsRef<str>]) -> Vec<String> {
    let names = suites.iter().map(|suite| suite.as_ref().to_owned());
    names
        .flat_map(|suite| ["--test".to_owned(), suite])
        .collect()
}

/// The names of all suites of the packages, in order.
fn suites_of_packages(root: &Path) -> Result<Vec<String>, String> {
    let entries = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let read =
            fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(read.filter_map(|entry| Some(entry.ok()?.path())).collect())
    };
    let mut names = Vec::new();
    for package in entries(&root.join("crates"))? {
        let folder = package.join("tests");
        if !folder.is_dir() || package.ends_with("hitscan-python") {
            continue;
        }
        for suite in entries(&folder)? {
            let is_source = suite.extension().is_some_and(|ending| ending == "rs");
            if (is_source || suite.join("main.rs").is_file())
                && let Some(name) = suite.file_stem()
            {
                names.push(name.to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
