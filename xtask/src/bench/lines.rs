//! `cargo xtask bench lines`: what a user of the page waits for over slow lines.
//!
//! The program is built as users build it; a script beside the page's tests (`line_bench.mjs`) puts a line
//! between it and a browser, and measures there.

use super::publish::{Markers, publish};
use crate::test::page;
use std::path::Path;
use std::process::Stdio;

const MARKERS: Markers = Markers {
    begin: "<!-- lines: begin (written by `cargo xtask bench lines --write`) -->",
    end: "<!-- lines: end -->",
};

/// Builds the program, and prints what the script finds.
pub(super) fn run(root: &Path, arguments: &[String], writes: bool) -> Result<(), String> {
    page::install(root)?;
    let program = page::release(root)?;
    let output = page::script(root, "line_bench.mjs")
        .arg(program)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("node does not start: {error}"))?;
    let table = String::from_utf8_lossy(&output.stdout);
    print!("{table}");
    if !output.status.success() {
        return Err("the bench failed".to_owned());
    }
    if writes {
        publish(
            &root.join("docs/benchmarks/view.md"),
            &MARKERS,
            table.trim_end(),
        )?;
    }
    Ok(())
}
