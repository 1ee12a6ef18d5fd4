//! `cargo xtask soak [MINUTES]`: a changing world under queries from two threads; answers must stay
//! right and memory flat.

use std::path::Path;
use std::process::Command;

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let program = ["run", "--release", "-p", "hitscan-testkit", "--bin", "soak"];
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(program)
        .arg("--")
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("the soak failed: {status}"))
}
