//! A module only uses modules that the module around both lists before it; its tests may use any.
//!
//! This holds in every file that lists modules, of every crate: a reader who follows the lists
//! reads each thing before it is used.

use super::module_tree::{ModulePath, ModuleTree};
use super::sources::Sources;
use std::collections::BTreeSet;

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = Vec::new();
    let mut reached = BTreeSet::new();
    for root in roots(sources) {
        let tree = ModuleTree::read(sources, root, &mut problems);
        check(&tree, &mut problems);
        reached.extend(tree.modules().map(|(_, module)| module.file.clone()));
    }
    let lost = sources
        .rust_files()
        .filter(|(name, _)| in_source_folder(name).is_some() && !reached.contains(*name));
    problems.extend(lost.map(|(name, _)| format!("{name} is in no list of modules")));
    problems
}

/// The files from which crates are built, but for their tests, examples and build scripts.
fn roots(sources: &Sources) -> impl Iterator<Item = &str> {
    let is_root = |name: &str| {
        let source = in_source_folder(name)?;
        let program = source.strip_prefix("bin/");
        let is_program = program.is_some_and(|name| {
            !name.contains('/') || name.ends_with("/main.rs") && name.matches('/').count() == 1
        });
        (is_program || source == "lib.rs" || source == "main.rs").then_some(())
    };
    sources
        .rust_files()
        .map(|(name, _)| name)
        .filter(move |name| is_root(name).is_some())
}

/// What follows `src/` in the name of a file that a crate, or this program, is built from.
fn in_source_folder(name: &str) -> Option<&str> {
    let (package, source) = name.split_once("/src/")?;
    let crate_name = ["crates/", "bevy/"]
        .into_iter()
        .find_map(|folder| package.strip_prefix(folder));
    let is_package = package == "xtask" || crate_name.is_some_and(|name| !name.contains('/'));
    is_package.then_some(source)
}

/// Reports once each pair of modules whose earlier one uses the later.
fn check(tree: &ModuleTree, problems: &mut Vec<String>) {
    for (from, module) in tree.modules().filter(|(_, module)| !module.is_test) {
        let mut reported = BTreeSet::new();
        for reference in &module.references {
            for used in tree.modules_used(from, &reference.path) {
                let Some(pair) = later(tree, from, &used) else {
                    continue;
                };
                if reported.insert(pair.used.clone()) {
                    problems.push(format!(
                        "{}:{}: `{}` uses `{}`, which {} lists after it",
                        module.file, reference.line, pair.user, pair.used, pair.list
                    ));
                }
            }
        }
    }
}

/// Two modules of one list, the earlier of which uses the later.
struct Pair {
    user: String,
    used: String,
    list: String,
}

/// Where the ways to two modules part, the module on the way to `used` if it is listed later.
fn later(tree: &ModuleTree, from: &ModulePath, used: &ModulePath) -> Option<Pair> {
    let common = from.iter().zip(used).take_while(|(a, b)| a == b).count();
    let (user, used) = (from.get(common)?, used.get(common)?);
    let list = tree.module(&from[..common])?;
    let place = |name| list.children.iter().position(|child| child == name);
    (place(used)? > place(user)?).then(|| Pair {
        user: user.clone(),
        used: used.clone(),
        list: list.file.clone(),
    })
}

#[cfg(test)]
mod tests;
