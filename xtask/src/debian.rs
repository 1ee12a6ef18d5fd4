//! Packages of Debian's that tasks need, installed where they are missing.

use std::process::Command;

/// Installs `package` unless what it brings `is_there`; the reason where it cannot be.
pub(crate) fn install(package: &str, is_there: &dyn Fn() -> bool) -> Result<(), String> {
    if is_there() {
        return Ok(());
    }
    let install = ["install", "--yes", "--no-install-recommends", package];
    println!("{package} is missing: apt-get {}", install.join(" "));
    let mut said = String::new();
    // The lists of packages may be missing or old, which the first attempt tells.
    for arguments in [&install[..], &["update"], &install[..]] {
        let output = Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .output()
            .map_err(|error| {
                format!("{package} is missing, and apt-get does not start: {error}")
            })?;
        if is_there() {
            return Ok(());
        }
        said = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    let reason = said.lines().find(|line| line.starts_with("E:"));
    let reason = reason.unwrap_or("its package has other files");
    Err(format!("{package} was not installed: {reason}"))
}
