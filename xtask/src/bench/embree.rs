//! Embree's shared library, from the Python package that holds it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the library's folder to the bench's program.
pub(super) const VARIABLE: &str = "HITSCAN_EMBREE_FOLDER";

const PACKAGE: &str = "embreex";
/// Its version, which is that of its Embree.
const VERSION: &str = "4.4.0";

/// The folder with the library, fetched where it is not there yet.
pub(super) fn folder(targets: &Path) -> Result<PathBuf, String> {
    let target = targets.join(format!("{PACKAGE}-{VERSION}"));
    let folder = target.join(format!("{PACKAGE}.libs"));
    if has_library(&folder) {
        return Ok(folder);
    }
    println!("Embree {VERSION} is missing: pip install {PACKAGE}=={VERSION}");
    let output = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .args(["--only-binary", ":all:", "--upgrade", "--target"])
        .arg(&target)
        .arg(format!("{PACKAGE}=={VERSION}"))
        .output()
        .map_err(|error| format!("Embree was not fetched: python3 cannot be run: {error}"))?;
    if has_library(&folder) {
        return Ok(folder);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().rfind(|line| line.contains("ERROR"));
    let reason = reason.unwrap_or("its package has no shared library");
    Err(format!("Embree was not fetched: {reason}"))
}

fn has_library(folder: &Path) -> bool {
    let is_embree = |entry: fs::DirEntry| {
        let name = entry.file_name();
        name.to_str()
            .is_some_and(|name| name.starts_with("libembree4"))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(is_embree)
}
