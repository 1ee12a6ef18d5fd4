//! ARCHITECTURE.md names every crate and every top module of the library.

use super::sources::Sources;
use syn::Item;

const TEXT: &str = "ARCHITECTURE.md";
const LIBRARY: &str = "crates/hitscan/src/lib.rs";

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let Some(text) = sources.text(TEXT) else {
        return Vec::new();
    };
    let modules = sources.text(LIBRARY).map_or(Vec::new(), top_modules);
    let crates = sources.crates().into_iter().map(str::to_owned);
    modules
        .into_iter()
        .chain(crates)
        .filter(|name| !names(text, name))
        .map(|name| format!("{TEXT} does not name `{name}`"))
        .collect()
}

/// Whether the text has the name between backticks, alone or as the beginning of a path.
fn names(text: &str, name: &str) -> bool {
    ["`", "/", "::"]
        .iter()
        .any(|end| text.contains(&format!("`{name}{end}")))
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

    #[test]
    fn crates_and_modules_must_be_named_in_full() {
        let library = "pub mod ray;\nmod world;\npub(crate) mod bvh;\nmod inline {}\n";
        let tree = |text: &str| {
            problems(&Sources::of(&[
                (TEXT, text),
                (LIBRARY, library),
                ("crates/hitscan-table/src/lib.rs", ""),
            ]))
        };
        let all = "`hitscan`, `hitscan-table`: `ray`, `world/wave.rs`, `bvh::node`";
        assert_eq!(tree(all), [""; 0]);
        assert_eq!(
            tree("`hitscan-table`: `ray_triangle`, world, `bvh`"),
            [
                "ARCHITECTURE.md does not name `ray`",
                "ARCHITECTURE.md does not name `world`",
                "ARCHITECTURE.md does not name `hitscan`",
            ]
        );
    }
}
