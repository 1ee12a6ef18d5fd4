//! A crate only uses crates that are listed before it; its tests may use any.

use super::sources::Sources;
use toml::{Table, Value};

/// The crates in reading order. One that does not exist has its place all the same.
pub(super) const CRATE_ORDER: [&str; 10] = [
    "hitscan",
    "hitscan-assets",
    "hitscan-table",
    "hitscan-ask",
    "hitscan-picture",
    "hitscan-demo",
    "hitscan-view",
    "hitscan-cli",
    "hitscan-python",
    "hitscan-testkit",
];
/// The tables of a manifest that name what a crate is built from.
const DEPENDENCIES: [&str; 2] = ["dependencies", "build-dependencies"];

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = Vec::new();
    for name in sources.crates() {
        let manifest = format!("crates/{name}/Cargo.toml");
        let Some(place) = place_of(name) else {
            problems.push(format!("crate {name} has no place in the order of crates"));
            continue;
        };
        let Some(text) = sources.text(&manifest) else {
            problems.push(format!("{manifest} is missing"));
            continue;
        };
        let table = match text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                problems.push(format!("{manifest} is no TOML: {error}"));
                continue;
            }
        };
        for used in dependencies(&table) {
            if place_of(used).is_some_and(|other| other >= place) {
                problems.push(format!(
                    "crate {name} uses {used}, which the order of crates lists after it"
                ));
            }
        }
    }
    problems
}

fn place_of(name: &str) -> Option<usize> {
    CRATE_ORDER.iter().position(|known| *known == name)
}

/// The packages that a manifest names outside its dev-dependencies, for every target.
fn dependencies(manifest: &Table) -> Vec<&str> {
    let targets = manifest
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table);
    let mut found = Vec::new();
    for table in [manifest].into_iter().chain(targets) {
        for section in DEPENDENCIES {
            let Some(entries) = table.get(section).and_then(Value::as_table) else {
                continue;
            };
            found.extend(entries.iter().map(|(name, entry)| {
                let package = entry.get("package").and_then(Value::as_str);
                package.unwrap_or(name.as_str())
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_crates_and_later_ones_in_tests_are_legal() {
        let sources = Sources::of(&[
            (
                "crates/hitscan/Cargo.toml",
                "[dependencies]\nglam = \"1\"\n",
            ),
            (
                "crates/hitscan-table/Cargo.toml",
                "[dependencies]\nhitscan.workspace = true\n[dependencies.hitscan-assets]\n\
                 path = \"../hitscan-assets\"\n[dev-dependencies]\nhitscan-cli.workspace = true\n",
            ),
        ]);
        assert_eq!(problems(&sources), [""; 0]);
    }

    #[test]
    fn a_later_crate_is_found_wherever_the_manifest_names_it() {
        for dependency in [
            "[dependencies]\nhitscan-cli.workspace = true\n",
            "[dependencies]\nhitscan-cli = { path = \"../hitscan-cli\" }\n",
            "[dependencies.hitscan-cli]\nworkspace = true\n",
            "[dev-dependencies]\nglam = \"1\"\n[dependencies]\nhitscan-cli = \"1\"\n",
            "[build-dependencies]\nhitscan-cli = \"1\"\n",
            "[target.'cfg(unix)'.dependencies]\nhitscan-cli = \"1\"\n",
            "[dependencies]\ncli = { package = \"hitscan-cli\", version = \"1\" }\n",
        ] {
            let sources = Sources::of(&[("crates/hitscan-assets/Cargo.toml", dependency)]);
            assert_eq!(
                problems(&sources),
                [
                    "crate hitscan-assets uses hitscan-cli, which the order of crates lists after \
                     it"
                ],
                "{dependency}"
            );
        }
    }

    #[test]
    fn an_unlisted_crate_and_a_lost_or_broken_manifest_are_found() {
        let sources = Sources::of(&[
            ("crates/extra/Cargo.toml", ""),
            ("crates/hitscan/src/lib.rs", ""),
            ("crates/hitscan-table/Cargo.toml", "[dependencies"),
        ]);
        let found = problems(&sources);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "crate extra has no place in the order of crates");
        assert_eq!(found[1], "crates/hitscan/Cargo.toml is missing");
        assert!(found[2].starts_with("crates/hitscan-table/Cargo.toml is no TOML"));
    }
}
