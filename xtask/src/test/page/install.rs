//! Installation of the page tests' tools: Node, the packages of the lock file, and a browser with a
//! font.
//!
//! Packages come from the registries that `npm` and `apt-get` are set up for; nothing else is
//! downloaded.

use crate::debian;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The browser: Chromium without a window, as Debian packages it.
pub(super) const BROWSER: &str = "/usr/bin/chromium-headless-shell";
/// The font that `fonts.conf` names.
const FONT: &str = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
/// The least version of Node that runs the tests.
const NODE: u32 = 20;

/// A call of Node in the folder of the tests.
pub(super) fn node(folder: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(folder);
    command
}

/// A call of npm there, which never fetches a browser of its own.
pub(super) fn npm(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command
        .current_dir(folder)
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    command
}

pub(super) fn all(folder: &Path) -> Result<(), String> {
    check_node(folder)?;
    install_packages(folder)?;
    let packages = [
        ("chromium-headless-shell", BROWSER),
        ("fonts-dejavu-core", FONT),
    ];
    for (package, file) in packages {
        debian::install(package, &|| Path::new(file).exists())
            .map_err(|reason| format!("{file}: {reason}"))?;
    }
    Ok(())
}

fn check_node(folder: &Path) -> Result<(), String> {
    let advice = format!(
        "the page's tests need Node {NODE} or newer with npm; Debian 12 has 18: install one from \
         nodejs.org or NodeSource"
    );
    let output = node(folder).arg("--version").output();
    let output = output.map_err(|error| format!("{advice} (node does not start: {error})"))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major = version.trim_start_matches('v').split('.').next();
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major >= NODE => Ok(()),
        _ => Err(format!("{advice} (found {version})")),
    }
}

/// Installs the packages of the lock file where the folder does not hold just those.
pub(crate) fn install_packages(folder: &Path) -> Result<(), String> {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let lock = read(&folder.join("package-lock.json"));
    let stamp = folder.join("node_modules/.installed-lock.json");
    if !lock.is_empty() && read(&stamp) == lock {
        return Ok(());
    }
    println!("the packages of {} are missing: npm ci", folder.display());
    let status = npm(folder)
        .args(["ci", "--no-audit", "--no-fund"])
        .status()
        .map_err(|error| format!("npm does not start: {error}"))?;
    if !status.success() {
        return Err(format!("npm ci failed: {status}"));
    }
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}
