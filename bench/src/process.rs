//! Running a group of workloads in a process of its own, in this program or another build of it.

use crate::report::Line;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// This program.
pub fn own() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("the bench's program: {error}"))
}

/// What the program writes about these workloads.
pub fn run_group(
    program: &Path,
    names: &[&str],
    is_quick: bool,
    is_ours_alone: bool,
) -> Result<Vec<Line>, String> {
    let failed = |what: String| format!("{}: {}: {what}", program.display(), names.join(" "));
    let mut command = Command::new(program);
    command.arg("--group").arg(names.join(","));
    if is_quick {
        command.arg("--quick");
    }
    if is_ours_alone {
        command.arg("--ours");
    }
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(Line::read).collect())
}
