//! The text of every file that tidy looks at, by its path from the repository's root, and the paths of
//! all others.
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
/// Where source files and documents are looked for.
const FOLDERS: [&str; 5] = ["crates", "xtask", "bench", "bevy", "docs"];
/// What cargo builds of the root's workspace.
pub(super) const LOCK: &str = "Cargo.lock";
/// Folders of what is built or installed.
const FOREIGN: [&str; 2] = ["target", "node_modules"];

/// Files by their path from the root, with `/` between folders.
pub(super) struct Sources {
    texts: BTreeMap<String, String>,
    /// All files, those whose text is not read too.
    files: BTreeSet<String>,
}

impl Sources {
    /// Reads the needed files, all sources of Rust and Python, documents, and manifests.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut sources = Self {
            texts: BTreeMap::new(),
            files: BTreeSet::new(),
        };
        let place = |error| format!("the root cannot be listed: {error}");
        for entry in fs::read_dir(root).map_err(place)? {
            let path = entry.map_err(place)?.path();
            if let Some(own) = path.file_name().and_then(|name| name.to_str())
                && path.is_file()
            {
                let is_wanted = NEEDED.contains(&own) || own == LOCK;
                sources.add(root, own.to_owned(), is_wanted)?;
            }
        }
        for folder in FOLDERS {
            sources.add_folder(root, folder)?;
        }
        Ok(sources)
    }

    /// A tree of these files.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let texts: BTreeMap<_, _> = files
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        let files = texts.keys().cloned().collect();
        Self { texts, files }
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

    /// Names and texts of all documents.
    pub(super) fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts
            .iter()
            .filter(|(name, _)| name.ends_with(".md"))
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Whether there is such a file, or a folder with files.
    pub(super) fn has(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        let is_in = |name: &String| name.starts_with(&folder);
        self.files.contains(path) || self.files.iter().any(is_in)
    }

    /// The names of the folders under `crates/`.
    pub(super) fn crates(&self) -> BTreeSet<&str> {
        self.texts
            .keys()
            .filter_map(|name| Some(name.strip_prefix("crates/")?.split_once('/')?.0))
            .collect()
    }

    fn add_folder(&mut self, root: &Path, folder: &str) -> Result<(), String> {
        let place = |error| format!("{folder}/ cannot be listed: {error}");
        for entry in fs::read_dir(root.join(folder)).map_err(place)? {
            let path = entry.map_err(place)?.path();
            let Some(own) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let name = format!("{folder}/{own}");
            if !path.is_dir() {
                self.add(root, name, matches!(own, "Cargo.toml" | "parity.toml"))?;
            } else if !FOREIGN.contains(&own) && !own.starts_with('.') {
                self.add_folder(root, &name)?;
            }
        }
        Ok(())
    }

    /// Adds a file; reads its text where it is a source or a document, or is wanted.
    fn add(&mut self, root: &Path, name: String, is_wanted: bool) -> Result<(), String> {
        if is_wanted || [".rs", ".py", ".md"].iter().any(|end| name.ends_with(end)) {
            let text = fs::read_to_string(root.join(&name))
                .map_err(|error| format!("{name} cannot be read: {error}"))?;
            self.texts.insert(name.clone(), text);
        }
        self.files.insert(name);
        Ok(())
    }
}
