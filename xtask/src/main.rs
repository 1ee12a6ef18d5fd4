//! Development tasks of hitscan: `cargo xtask test`, `page`, `python`, `cluster`, `pictures`, `tidy`, `bench` and others.
//!
//! `test` is what needs nothing but Rust, and `test --all` the rest of what CI runs; read `test/usual.rs` and
//! `test/rest.rs` for the lists, and `tidy/mod.rs` for the checks of structure that clippy cannot make. `bench.rs` runs the library beside its peers, `soak.rs` a
//! changing world under queries, `fuzz.rs` the oracles with other numbers.

mod tidy;
mod debian;
mod licences;
mod test;
mod bench;
mod soak;
mod fuzz;
mod pictures;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

tasks:
  test    format, structure, all suites of the library and the program, examples: it needs nothing but
          Rust
  test --all
          the rest of what CI runs, after `test`: packages, lints, docs, other features, the oldest
          toolchain, half of the long suites, page, Python, cluster; installs what is missing
  bevy    the plugin for Bevy: format, lints, docs, tests and examples of its workspace
  bevy --bench [ROW..]
          the plugin beside what else answers rays in Bevy; see docs/benchmarks/bevy.md
  bevy --window [PICTURE.png]
          the window of bevy/window, with Bevy's renderer, on a virtual screen: a script moves its
          pointer, compares the hits with brute force and takes a screenshot; installs what is missing
  page [--update]
          the page of `hitscan view`: its types, modules and all of it in a browser; --update makes
          the reference screenshots anew
  python  the Python package: its wheel, its tests and types, and that it installs in every Python here
  cluster [--quick | --measure]
          a job on a Ray cluster of two nodes, and all that can go wrong there; --quick: one node
          killed; --measure: the figures of docs/cluster.md
  wheel   the package's wheel for other machines, linked for Linux of the last ten years
  licences
          the licence texts of all that the wheel links, made anew from cargo's packages
  pictures
          every picture of the documents, made anew by the program and its page
  tidy    only the checks of structure
  bench [WORKLOAD..] [--quick] [--ours] [--csv FILE] [--write]
          the library and its peers side by side; see BENCHMARKS.md
  bench [WORKLOAD..] [--quick] [--tuned] --against DIR
          the library here and in another checkout, in turns
  bench COST [PROFILE..] [--write]
          what depending on the library costs, beside a peer
  bench view [--quick] [--write]
          what a page of `hitscan view` gets and a browser draws, beside the same rays alone
  bench lines [ROUNDS] [--write]
          what a user of the page of `hitscan view` waits for over lines of 1, 10 and 100 Mbit/s
  bench PY [ROW..] [--quick] [--write] [--without PEER]
          the Python package beside Python's libraries
  soak [MINUTES]
          a changing world under queries from two threads, ten minutes unless told
  fuzz [MINUTES]
          the oracles and properties with new random numbers each round, ten minutes unless told";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["test", rest @ ..] => test::run(&root(), rest),
        ["tidy"] => done(tidy::run(&root())),
        ["bench", rest @ ..] => done(bench::run(&root(), rest)),
        ["soak", rest @ ..] => done(soak::run(&root(), rest)),
        ["page", rest @ ..] => test::page::run(&root(), rest),
        ["bevy", rest @ ..] => test::bevy::run(&root(), rest),
        ["python"] => test::python::run(&root()),
        ["cluster", rest @ ..] => test::cluster::run(&root(), rest),
        ["wheel"] => done(test::python::wheel(&root())),
        ["licences"] => done(licences::write(&root())),
        ["pictures"] => done(pictures::run(&root())),
        ["fuzz", rest @ ..] => done(fuzz::run(&root(), rest)),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(USAGE.to_owned()),
    };
    outcome.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::FAILURE
    })
}

/// The exit code of a task that is done when it comes back.
fn done(outcome: Result<(), String>) -> Result<ExitCode, String> {
    outcome.map(|()| ExitCode::SUCCESS)
}

/// The root of the repository.
fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}
