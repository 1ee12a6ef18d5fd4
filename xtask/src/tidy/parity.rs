//! Every query of the library has its call in Python, or a reason why it has none.
//!
//! `crates/hitscan-python/parity.toml` says which: a table with a line for each public method of
//! `Snapshot` that is a query, either the Python call (`cast_ray = "World.cast_rays"`) or a reason
//! (`cast_ray_counted = { reason = "..." }`).

use super::sources::Sources;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use toml::{Table, Value};

const PARITY: &str = "crates/hitscan-python/parity.toml";
/// Where the queries are.
const QUERIES: [&str; 2] = [
    "crates/hitscan/src/world/query/",
    "crates/hitscan/src/explain/",
];
/// Where Python's classes are.
const PYTHON: &str = "crates/hitscan-python/python/hitscan/";

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let queries = queries(sources);
    let Some(text) = sources.text(PARITY) else {
        return match queries.is_empty() {
            true => Vec::new(),
            false => vec![format!("{PARITY} is missing")],
        };
    };
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => return vec![format!("{PARITY}: {}", error.message())],
    };
    let missing = queries.iter().filter(|query| !table.contains_key(*query));
    let mut problems: Vec<String> = missing
        .map(|query| format!("{PARITY}: Snapshot::{query} has neither a call nor a reason"))
        .collect();
    for (query, call) in &table {
        if !queries.contains(query.as_str()) {
            problems.push(format!("{PARITY}: there is no query Snapshot::{query}"));
        }
        let is_told = match call {
            Value::String(call) => is_defined(sources, call),
            Value::Table(told) => told.get("reason").is_some_and(Value::is_str),
            _ => false,
        };
        if !is_told {
            problems.push(format!(
                "{PARITY}: what stands for {query} is neither a call of the package nor a reason"
            ));
        }
    }
    problems
}

/// The names of `Snapshot`'s public methods in the files of queries.
fn queries(sources: &Sources) -> BTreeSet<String> {
    let mut queries = BTreeSet::new();
    for (name, text) in sources.rust_files() {
        if QUERIES.iter().any(|folder| name.starts_with(folder)) {
            // What is no Rust is reported by another check.
            let tokens: TokenStream = text.parse().unwrap_or_default();
            collect(tokens, &mut queries);
        }
    }
    queries
}

/// Adds the public methods of each `impl Snapshot`.
fn collect(tokens: TokenStream, queries: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for three in tokens.windows(3) {
        if let [
            TokenTree::Ident(word),
            TokenTree::Ident(of),
            TokenTree::Group(body),
        ] = three
            && word == "impl"
            && of == "Snapshot"
        {
            let body: Vec<TokenTree> = body.stream().into_iter().collect();
            queries.extend(body.windows(3).filter_map(public_method));
        }
    }
}

fn public_method(three: &[TokenTree]) -> Option<String> {
    match three {
        [
            TokenTree::Ident(a),
            TokenTree::Ident(b),
            TokenTree::Ident(name),
        ] if a == "pub" && b == "fn" => Some(name.to_string()),
        _ => None,
    }
}

/// Whether the package defines a method such as `World.cast_rays`: some class has a method of that name.
fn is_defined(sources: &Sources, call: &str) -> bool {
    let Some((_, method)) = call.split_once('.') else {
        return false;
    };
    let definition = format!("    def {method}(");
    sources
        .python_files()
        .any(|(name, text)| name.starts_with(PYTHON) && text.contains(&definition))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUST: &str = "impl Snapshot {\n    pub fn cast_ray(&self) {}\n    fn inner(&self) {}\n\
                        pub fn trace(&self) {}\n}\nimpl Other { pub fn no(&self) {} }\n";

    fn problems_of(parity: &str) -> Vec<String> {
        problems(&Sources::of(&[
            ("crates/hitscan/src/world/query/ray.rs", RUST),
            (PARITY, parity),
            (
                "crates/hitscan-python/python/hitscan/world.py",
                "class World:\n    def cast_rays(self) -> None:\n",
            ),
        ]))
    }

    #[test]
    fn a_call_or_a_reason_is_enough() {
        let parity = "cast_ray = \"World.cast_rays\"\ntrace = { reason = \"for tools\" }\n";
        assert_eq!(problems_of(parity), [""; 0]);
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let parity = "cast_ray = \"World.cast_all\"\nold = { reason = \"gone\" }\n";
        assert_eq!(
            problems_of(parity),
            [
                "crates/hitscan-python/parity.toml: Snapshot::trace has neither a call nor a reason",
                "crates/hitscan-python/parity.toml: what stands for cast_ray is neither a call of the package nor a \
                 reason",
                "crates/hitscan-python/parity.toml: there is no query Snapshot::old",
            ]
        );
    }
}
