//! Small trees with a violation of each kind, and legal ones.

use super::*;

/// The problems of a crate whose library lists `a` and then `b`, with this text in `a`.
fn problems_of_first(text: &str) -> Vec<String> {
    problems(&Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "mod a;\nmod b;\npub use b::{B, deep::Deep as Renamed};\n",
        ),
        ("crates/x/src/a.rs", text),
        (
            "crates/x/src/b.rs",
            "pub mod deep;\npub struct B;\npub fn f() {}\n",
        ),
        ("crates/x/src/b/deep.rs", "pub struct Deep;\n"),
    ]))
}

#[test]
fn a_later_module_is_found_however_it_is_written() {
    for text in [
        "use crate::b::B;",
        "use crate::b;",
        "pub use crate::b::B;",
        "use crate::b as other;",
        "use crate::b::*;",
        "use crate::{b::B};",
        "use crate::{b::{self, deep::{Deep}}};",
        "use super::b::B;",
        "use super::{b};",
        "use self::super::b::B;",
        // Re-exports of the root lead to where they come from.
        "use crate::B;",
        "use crate::Renamed;",
        "use super::B as C;",
        "use crate::{B, Renamed as R};",
        "use super::*; fn f() -> B { B }",
        "use crate::*; fn f() { b::f() }",
        // Paths in types, expressions and patterns.
        "fn f() { crate::b::f() }",
        "fn f() { use crate::b::f; f() }",
        "fn f() { super::b::f(); }",
        "fn f(b: &crate::b::B) {}",
        "fn f() -> Vec<super::b::B> { Vec::new() }",
        "struct A { b: Option<crate::b::B> }",
        "impl From<crate::b::B> for A {}",
        "impl A { fn f(b: super::B) {} }",
        "trait A: crate::b::B {}",
        "fn f<T>() where T: crate::b::B {}",
        "fn f(x: u8) { match x { crate::b::X => {} _ => {} } }",
        "fn f() { <A as crate::b::B>::g() }",
        "mod inner { fn f() { super::super::b::f() } }",
        "mod inner { use crate::b::B; }",
        // Macros and attributes.
        "fn f() { assert_eq!(1, crate::b::f()); }",
        "fn f() { outer!(inner!({ super::b::f() })) }",
        "macro_rules! m { () => { $crate::b::f() } }",
        "macro_rules! m { () => { use $crate::{b::{B}}; } }",
        "fn f() { crate::b::make!() }",
        "#[derive(crate::b::Derive)] struct A;",
        "struct A { #[serde(with = \"crate::b::f\")] x: u8 }",
        // Code that is built without tests too.
        "#[cfg(not(test))] use crate::b::B;",
        "#[cfg(any(test, feature = \"x\"))] use crate::b::B;",
    ] {
        let found = problems_of_first(text);
        assert_eq!(
            found,
            ["crates/x/src/a.rs:1: `a` uses `b`, which crates/x/src/lib.rs lists after it"],
            "{text}"
        );
    }
}

#[test]
fn what_is_not_used_or_only_by_tests_is_legal() {
    for text in [
        "//! See [`crate::b`].\n/// And [`crate::b::B`].\nfn f() {}",
        "// use crate::b::B;",
        "fn f() -> &'static str { \"crate::b::B\" }",
        "use std::b::B; use ::b::C; fn f() { ::b::f() }",
        "use b::B;",
        "fn f(b: u8) { b.c(); let crate_b = b; }",
        "pub(in crate::b) fn f() {}",
        "mod b { pub fn f() {} } fn f() { b::f(); self::b::f() }",
        "#[cfg(test)] use crate::b::B;",
        "#![cfg(test)]\nuse crate::b::B;\nmod inner { use crate::b; }",
        "mod inner { #![cfg(test)] use crate::b; }",
        "#[cfg(test)] mod tests { use crate::b::B; fn f() { super::super::b::f() } }",
        "#[cfg(all(test, feature = \"x\"))] fn f() { crate::b::f() }",
        "#[test] fn f() { crate::b::f() }",
        "struct A; impl A { #[cfg(test)] fn f() { crate::b::f() } }",
        "fn f() { #[cfg(test)] crate::b::f(); #[cfg(test)] { crate::b::f() } }",
        "fn f() { #[cfg(test)] let x = crate::b::f(); #[cfg(test)] assert!(crate::b::f()); }",
        "struct A { #[cfg(test)] x: crate::b::B }",
        "fn f(x: u8) { match x { #[cfg(test)] crate::b::X => {} _ => {} } }",
    ] {
        assert_eq!(problems_of_first(text), [""; 0], "{text}");
    }
}

#[test]
fn code_after_tests_is_looked_at() {
    let found = problems_of_first("#[cfg(test)]\nmod tests {}\n\nuse crate::b::B;\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("crates/x/src/a.rs:4: "), "{found:?}");
}

#[test]
fn a_pair_of_modules_is_reported_once_a_file() {
    let found = problems_of_first("use crate::b::B;\nuse crate::b::f;\nuse crate::B;\n");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn earlier_modules_and_parents_may_be_used_and_parents_may_use_all() {
    let sources = Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "use b::B;\nmod a;\nmod b;\npub use a::A;\nfn f() { b::f(); crate::a::g() }\nstruct Own;\n",
        ),
        ("crates/x/src/a.rs", "use crate::Own;\npub struct A;\n"),
        (
            "crates/x/src/b/mod.rs",
            "mod c;\nmod d;\npub use d::D;\nuse crate::{A, a};\nuse super::Own;\npub struct B;\n",
        ),
        (
            "crates/x/src/b/c.rs",
            "use super::B;\nuse crate::a::A;\nuse crate::b::B as C;\n",
        ),
        (
            "crates/x/src/b/d.rs",
            "use super::c;\nuse crate::b::c::C;\n",
        ),
    ]);
    assert_eq!(problems(&sources), [""; 0]);
}

#[test]
fn every_list_of_every_crate_is_checked() {
    let sources = Sources::of(&[
        ("crates/x/src/main.rs", "mod outer;\n"),
        (
            "crates/x/src/outer/mod.rs",
            "mod a;\nmod b;\npub use b::B;\n",
        ),
        ("crates/x/src/outer/a.rs", "use super::B;\n"),
        ("crates/x/src/outer/b.rs", "pub struct B;\n"),
        ("crates/y/src/lib.rs", "pub mod outer;\n"),
        (
            "crates/y/src/outer.rs",
            "mod a;\nmod inner {\n    mod c;\n    mod d;\n}\n",
        ),
        (
            "crates/y/src/outer/a.rs",
            "use crate::outer::inner::d::D;\n",
        ),
        ("crates/y/src/outer/inner/c.rs", "use super::d::D;\n"),
        ("crates/y/src/outer/inner/d.rs", "pub struct D;\n"),
        (
            "crates/y/src/bin/tool.rs",
            "mod a { fn f() { crate::b::f() } }\nmod b {}\n",
        ),
        ("xtask/src/main.rs", "mod a;\nmod b;\n"),
        ("xtask/src/a.rs", "fn f() {\n    crate::b::f();\n}\n"),
        ("xtask/src/b.rs", ""),
        (
            "crates/y/tests/t/main.rs",
            "mod a { use crate::b; }\nmod b {}\n",
        ),
    ]);
    assert_eq!(
        problems(&sources),
        [
            "crates/x/src/outer/a.rs:1: `a` uses `b`, which crates/x/src/outer/mod.rs lists after \
             it",
            "crates/y/src/bin/tool.rs:1: `a` uses `b`, which crates/y/src/bin/tool.rs lists after \
             it",
            "crates/y/src/outer/a.rs:1: `a` uses `inner`, which crates/y/src/outer.rs lists after \
             it",
            "crates/y/src/outer/inner/c.rs:1: `c` uses `d`, which crates/y/src/outer.rs lists \
             after it",
            "xtask/src/a.rs:2: `a` uses `b`, which xtask/src/main.rs lists after it",
        ]
    );
}

#[test]
fn re_exports_are_followed_through_modules_globs_and_circles() {
    let sources = Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "mod a;\nmod b;\nmod c;\npub use b::*;\npub use loops::loops;\nuse rayon::prelude::*;\n",
        ),
        (
            "crates/x/src/a.rs",
            "use crate::C;\nuse crate::loops;\nuse crate::exported;\n",
        ),
        ("crates/x/src/b.rs", "use crate::a;\n"),
        (
            "crates/x/src/c.rs",
            "#[macro_export]\nmacro_rules! exported { () => {} }\n",
        ),
    ]);
    assert_eq!(
        problems(&sources),
        ["crates/x/src/a.rs:3: `a` uses `c`, which crates/x/src/lib.rs lists after it"]
    );
    let sources = Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "mod a;\nmod b;\nmod c;\npub use b::*;\n",
        ),
        ("crates/x/src/a.rs", "use crate::C;\n"),
        ("crates/x/src/b.rs", ""),
        ("crates/x/src/c.rs", "pub struct C;\n"),
    ]);
    assert_eq!(
        problems(&sources),
        [""; 0],
        "`b` exports nothing of that name"
    );
    let sources = Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "mod a;\nmod b;\nmod c;\npub use b::*;\n",
        ),
        ("crates/x/src/a.rs", "use crate::C;\n"),
        ("crates/x/src/b.rs", "pub use crate::c::*;\n"),
        ("crates/x/src/c.rs", "pub struct C;\n"),
    ]);
    assert_eq!(
        problems(&sources).len(),
        3,
        "`a` uses `b` and `c`, `b` uses `c`"
    );
}

#[test]
fn a_name_that_is_imported_twice_leads_to_both() {
    let sources = Sources::of(&[
        (
            "crates/x/src/lib.rs",
            "mod a;\nmod b;\nmod c;\n#[cfg(x)]\npub use c::f;\n#[cfg(not(x))]\npub use a::f;\n",
        ),
        ("crates/x/src/a.rs", "pub fn f() {}\n"),
        ("crates/x/src/b.rs", "use crate::f;\n"),
        ("crates/x/src/c.rs", "pub fn f() {}\n"),
    ]);
    assert_eq!(
        problems(&sources),
        ["crates/x/src/b.rs:1: `b` uses `c`, which crates/x/src/lib.rs lists after it"]
    );
}

#[test]
fn a_module_in_another_folder_is_read_where_its_path_leads() {
    let problems = |path: &str| {
        problems(&Sources::of(&[
            (
                "bevy/x/src/main.rs",
                &format!("#[path = \"{path}\"]\nmod a;\nmod b;\n"),
            ),
            ("bevy/x/src/b.rs", ""),
            ("bevy/examples/a/mod.rs", "use crate::b::B;\n"),
        ]))
    };
    assert_eq!(
        problems("../../examples/a/mod.rs"),
        ["bevy/examples/a/mod.rs:1: `a` uses `b`, which bevy/x/src/main.rs lists after it"]
    );
    assert_eq!(
        problems("../a/mod.rs"),
        ["bevy/x/src/main.rs lists a module `a` that has no file"]
    );
}

#[test]
fn lost_files_and_lost_modules_are_found() {
    let sources = Sources::of(&[
        ("crates/x/src/lib.rs", "mod a;\n#[cfg(test)]\nmod tests;\n"),
        ("crates/x/src/forgotten.rs", ""),
        ("crates/x/src/tests.rs", "use crate::a;\n"),
    ]);
    assert_eq!(
        problems(&sources),
        [
            "crates/x/src/lib.rs lists a module `a` that has no file",
            "crates/x/src/forgotten.rs is in no list of modules",
        ]
    );
}
