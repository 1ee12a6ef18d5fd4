//! The text of every file that tidy looks at, by its path from the repository's root.
//!
//! All checks read from here, so that their tests run on small trees of strings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Files that the repository cannot do without.
pub(super) const NEEDED: [&str; 6] = [
    "ARCHITECTURE.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
/// Where source files are looked for.
const FOLDERS: [&str; 3] = ["crates", "xtask", "bench"];

/// Files by their path from the root, with `/` between folders.
pub(super) struct Sources {
    texts: BTreeMap<String, String>,
}

impl Sources {
    /// Reads the needed files, all sources of Rust and Python, and manifests.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut texts = BTreeMap::new();
        for name in NEEDED {
            if root.join(name).exists() {
                read_file(root, name, &mut texts)?;
            }
        }
        for folder in FOLDERS {
            read_folder(root, folder, &mut texts)?;
        }
        Ok(Self { texts })
    }

    /// A tree of these files.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let texts = files
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        Self { texts }
    }

    /// The text of the file, if there is one.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Names and texts of all Rust files.
    pub(super) fn rust_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .filter(|(name, _)| name.ends_with(".rs"))
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Names and texts of all Python files.
    pub(super) fn python_files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .filter(|(name, _)| name.ends_with(".py"))
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The names of the folders under `crates/`.
    pub(super) fn crates(&self) -> BTreeSet<&str> {
        self.texts
            .keys()
            .filter_map(|name| Some(name.strip_prefix("crates/")?.split_once('/')?.0))
            .collect()
    }
}

fn read_folder(
    root: &Path,
    folder: &str,
    texts: &mut BTreeMap<String, String>,
) -> Result<(), String> {
    let place = |error| format!("{folder}/ cannot be listed: {error}");
    for entry in fs::read_dir(root.join(folder)).map_err(place)? {
        let path = entry.map_err(place)?.path();
        let Some(own) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let name = format!("{folder}/{own}");
        if path.is_dir() {
            if own != "target" {
                read_folder(root, &name, texts)?;
            }
        } else if own.ends_with(".rs")
            || own.ends_with(".py")
            || matches!(own, "Cargo.toml" | "parity.toml")
        {
            read_file(root, &name, texts)?;
        }
    }
    Ok(())
}

fn read_file(root: &Path, name: &str, texts: &mut BTreeMap<String, String>) -> Result<(), String> {
    let text = fs::read_to_string(root.join(name))
        .map_err(|error| format!("{name} cannot be read: {error}"))?;
    texts.insert(name.to_owned(), text);
    Ok(())
}
