//! `cargo xtask bench COST`: what depending on hitscan costs, beside parry3d.
//!
//! `bench/cost/` holds a small program for each of the two; the program `hitscan` is built too. Each is built from nothing in each
//! profile; every rustc runs under GNU time, which says what it took. hitscan's own numbers are
//! those of its crate alone, as if all that it depends on had been built.

mod measure;
mod table;

use super::publish::{Markers, publish};
use measure::Measured;
use std::path::Path;

const MARKERS: Markers = Markers {
    begin: "<!-- cost: begin (written by `cargo xtask bench COST --write`) -->",
    end: "<!-- cost: end -->",
};

/// A library whose cost is measured.
#[derive(Debug, Clone, Copy)]
struct Subject {
    library: &'static str,
    /// The package in `bench/cost/` that uses it.
    user: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        library: "hitscan",
        user: "cost-hitscan",
    },
    Subject {
        library: "parry3d",
        user: "cost-parry",
    },
];

/// A profile of `bench/Cargo.toml`, its folder in the target folder, and what it is for.
#[derive(Debug, Clone, Copy)]
struct Profile {
    name: &'static str,
    folder: &'static str,
    purpose: &'static str,
}

const PROFILES: [Profile; 3] = [
    Profile {
        name: "release",
        folder: "release",
        purpose: "release",
    },
    Profile {
        name: "dev",
        folder: "debug",
        purpose: "dev",
    },
    Profile {
        name: "checked",
        folder: "checked",
        purpose: "dev, opt-level 2",
    },
];

/// Measures in the profiles of these names, in all without names.
pub(super) fn run(
    root: &Path,
    targets: &Path,
    names: &[String],
    writes: bool,
) -> Result<(), String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_known = |name: &&&str| PROFILES.iter().any(|profile| profile.name == **name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let known = PROFILES.map(|profile| profile.name).join(", ");
        return Err(format!("COST has no profile {unknown}; there are {known}"));
    }
    let targets = targets.join("cost");
    measure::check_tools()?;
    let mut all = Vec::new();
    let is_meant = |profile: &Profile| names.is_empty() || names.contains(&profile.name);
    for profile in PROFILES.into_iter().filter(is_meant) {
        for subject in SUBJECTS {
            println!("building {} ({})", subject.user, profile.purpose);
            let measured = measure::build(root, &targets, subject, profile)?;
            let lines = table::lines(profile, subject, &measured);
            print!("{lines}");
            all.push(lines);
        }
    }
    // The program is what the release build ships.
    let program = is_meant(&PROFILES[0]).then(|| measure::program(root, &targets));
    let text = table::describe(&all, program.transpose()?);
    println!("\n{text}");
    if writes {
        publish(&root.join("docs/benchmarks/cost.md"), &MARKERS, &text)?;
    }
    Ok(())
}
