//! ARCHITECTURE.md has a row for every crate and for every top module of the library, in reading order.

use super::crate_order::CRATE_ORDER;
use super::sources::Sources;
use syn::Item;

const TEXT: &str = "ARCHITECTURE.md";
const LIBRARY: &str = "crates/hitscan/src/lib.rs";

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let Some(text) = sources.text(TEXT) else {
        return Vec::new();
    };
    let rows: Vec<&str> = text.lines().filter_map(row).collect();
    let crates = sources.crates();
    let (known, unknown): (Vec<&str>, Vec<&str>) =
        crates.iter().partition(|name| CRATE_ORDER.contains(*name));
    // Crates without a place in the order come last here; another check says that they have none.
    let crates = CRATE_ORDER.into_iter().filter(|name| known.contains(name));
    let crates: Vec<&str> = crates.chain(unknown).collect();
    let modules = sources.text(LIBRARY).map_or(Vec::new(), top_modules);
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    [missing(&rows, &crates), missing(&rows, &modules)].concat()
}

/// The name that a row of a table is about: its first cell, where that is one name in backticks.
fn row(line: &str) -> Option<&str> {
    let (cell, _) = line.strip_prefix('|')?.split_once('|')?;
    let name = cell.trim().strip_prefix('`')?.strip_suffix('`')?;
    (!name.contains('`')).then_some(name)
}

/// Names without a row, and rows that come before that of an earlier name.
fn missing(rows: &[&str], names: &[&str]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut last: Option<(usize, &str)> = None;
    for name in names {
        let Some(place) = rows.iter().position(|row| row == name) else {
            problems.push(format!("{TEXT} has no row for `{name}` in a table"));
            continue;
        };
        if let Some((before, other)) = last
            && place < before
        {
            problems.push(format!(
                "{TEXT} has the row of `{name}` before that of `{other}`"
            ));
        }
        last = Some((place, name));
    }
    problems
}

/// The modules that the library lists; what is wrong with its text is found elsewhere.
fn top_modules(library: &str) -> Vec<String> {
    let items = syn::parse_file(library).map_or(Vec::new(), |file| file.items);
    items
        .iter()
        .filter_map(|item| match item {
            Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(text: &str) -> Vec<String> {
        let library = "pub mod ray;\nmod world;\npub(crate) mod bvh;\nmod inline {}\n";
        problems(&Sources::of(&[
            (TEXT, text),
            (LIBRARY, library),
            ("crates/hitscan-table/src/lib.rs", ""),
        ]))
    }

    #[test]
    fn rows_of_all_crates_and_modules_pass() {
        let all = "| crate | what |\n|---|---|\n| `hitscan` | a |\n| `hitscan-table` | b |\n\n\
                   |`ray`|c|\n|  `world` | d |\n| `bvh` | `e` |\n";
        assert_eq!(problems_of(all), [""; 0]);
    }

    #[test]
    fn a_mention_is_no_row() {
        let text = "| `hitscan-table` | `hitscan` |\n| `ray`, `world` | `hitscan` |\n`world` | a |\n| `bvh` | a |\n";
        assert_eq!(
            problems_of(text),
            [
                "ARCHITECTURE.md has no row for `hitscan` in a table",
                "ARCHITECTURE.md has no row for `ray` in a table",
                "ARCHITECTURE.md has no row for `world` in a table",
            ]
        );
    }

    #[test]
    fn rows_are_in_reading_order() {
        let text = "| `hitscan-table` | b |\n| `hitscan` | a |\n| `ray` | c |\n| `bvh` | e |\n| `world` | d |\n";
        assert_eq!(
            problems_of(text),
            [
                "ARCHITECTURE.md has the row of `hitscan-table` before that of `hitscan`",
                "ARCHITECTURE.md has the row of `bvh` before that of `world`",
            ]
        );
    }
}
