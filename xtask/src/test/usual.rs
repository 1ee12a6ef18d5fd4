//! The checks that need nothing but Rust: the form and structure of the sources, all suites of the library
//! and the program, and the examples.

use super::counts::Counts;
use super::steps::{announced, cargo, has_component};
use super::{examples, suites};
use crate::tidy;
use std::path::Path;

pub(super) fn checks(root: &Path) -> Result<Counts, String> {
    let step = |name: &str, arguments: &[&str]| cargo(root, name, arguments, &[]);
    let mut counts = Counts::default();
    if has_component(root, "rustfmt", "fmt") {
        step("format", &["fmt", "--all", "--check"])?;
        // The bench is a workspace of its own, and only its form is checked here.
        let bench = ["fmt", "--manifest-path", "bench/Cargo.toml", "--check"];
        step("format of the bench", &bench)?;
    } else {
        counts += Counts::skip("rustfmt");
    }
    announced("structure", || tidy::run(root))?;
    counts += suites::all(root)?;
    if counts.failed == 0 {
        announced("examples", || examples::run(root))?;
    } else {
        println!("\ntests failed");
    }
    Ok(counts)
}
