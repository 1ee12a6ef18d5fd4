//! The library and the program must build with the oldest toolchain that the manifest promises.

use super::counts::Counts;
use super::steps::announced;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `rust-version` of the workspace, which this package inherits.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Checks the workspace with the oldest toolchain, which is installed where it is missing; skipped where
/// it cannot be.
pub(super) fn run(root: &Path) -> Result<Counts, String> {
    let name = format!("toolchain {OLDEST}");
    announced(&name, || {
        if installed(&toolchains(root), OLDEST).is_none() {
            install(root);
        }
        let Some(toolchain) = installed(&toolchains(root), OLDEST) else {
            println!("not run: {name}");
            return Ok(Counts::skip(&name));
        };
        let folder = build_folder(root);
        let status = Command::new("rustup")
            .args(["run", &toolchain, "cargo", "check", "--workspace"])
            .arg("--target-dir")
            .arg(&folder)
            .current_dir(root)
            .status()
            .map_err(|error| format!("rustup did not start: {error}"))?;
        // Nothing else is built by this toolchain.
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .map_err(|error| format!("{} cannot be removed: {error}", folder.display()))?;
        }
        if status.success() {
            Ok(Counts::default())
        } else {
            Err(format!("{toolchain} cannot build the workspace"))
        }
    })
}

/// What `rustup` lists; nothing where it does not manage the toolchains.
fn toolchains(root: &Path) -> String {
    Command::new("rustup")
        .args(["toolchain", "list"])
        .current_dir(root)
        .output()
        .map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).into_owned()
        })
}

/// Installs the toolchain with `rustup`; whether that succeeded shows in its list.
fn install(root: &Path) {
    println!("installing the missing toolchain {OLDEST}");
    let _ = Command::new("rustup")
        .args(["toolchain", "install", OLDEST])
        .args(["--profile", "minimal", "--no-self-update"])
        .current_dir(root)
        .status();
}

/// The name of a toolchain of this version, of any patch level.
fn installed(list: &str, version: &str) -> Option<String> {
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(|name| {
            let rest = name.strip_prefix(version);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
        })
        .map(str::to_owned)
}

fn build_folder(root: &Path) -> PathBuf {
    let targets = env::var_os("CARGO_TARGET_DIR");
    let targets = targets.map_or_else(|| root.join("target"), PathBuf::from);
    targets.join("oldest-toolchain")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_is_found_by_its_version() {
        let list = "stable-x86_64-unknown-linux-gnu (active, default)\n\
                    1.8.0-x86_64-unknown-linux-gnu\n1.89.1-x86_64-unknown-linux-gnu\n";
        let found = |version| installed(list, version);
        assert_eq!(
            found("1.89").as_deref(),
            Some("1.89.1-x86_64-unknown-linux-gnu")
        );
        assert_eq!(
            found("1.8").as_deref(),
            Some("1.8.0-x86_64-unknown-linux-gnu")
        );
        assert_eq!(found("1.9"), None);
        assert_eq!(
            installed("1.89-aarch64-apple-darwin", "1.89").as_deref(),
            Some("1.89-aarch64-apple-darwin")
        );
        assert_eq!(installed("", "1.89"), None);
    }
}
