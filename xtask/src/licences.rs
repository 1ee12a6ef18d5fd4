//! `cargo xtask licences`: the licence texts of all that the Python package's wheels link, in one file that
//! goes into each wheel and into the source package.
//!
//! The crates are those of the wheels' targets, and their texts are those of the packages as cargo has them
//! on disk. A text that several crates have is there once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the file is, from the root.
pub(crate) const FILE: &str = "crates/hitscan-python/THIRD-PARTY-LICENSES.txt";

/// The systems that wheels are made for, as in `.github/workflows/wheels.yml`.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

/// Writes the file.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let (file, text) = (root.join(FILE), text(root)?);
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Refuses a file that is not what [`write()`] would write.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let file = root.join(FILE);
    let found = fs::read_to_string(&file).map_err(|error| format!("{FILE}: {error}"))?;
    if found == text(root)? {
        return Ok(());
    }
    Err(format!(
        "{FILE} is not of the crates in Cargo.lock: run `cargo xtask licences`"
    ))
}

/// A crate that is linked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Linked {
    /// Its name and version.
    name: String,
    licence: String,
    repository: String,
}

fn text(root: &Path) -> Result<String, String> {
    let own = root.join(FILE).with_file_name("LICENSE-APACHE");
    let own = fs::read_to_string(&own).map_err(|error| format!("{}: {error}", own.display()))?;
    let manifests = manifests(root)?;
    let mut all = vec![(
        Linked {
            name: "Rust's standard library".to_owned(),
            licence: "MIT OR Apache-2.0".to_owned(),
            repository: "https://github.com/rust-lang/rust".to_owned(),
        },
        vec![own.clone()],
    )];
    for linked in linked(root)? {
        let package = linked.name.replace(' ', "-");
        let folder = manifests.get(&package);
        let folder = folder.ok_or_else(|| format!("cargo has no package {package} on disk"))?;
        let mut texts = texts_in(folder)?;
        if texts.is_empty() && linked.licence.contains("Apache-2.0") {
            texts.push(own.clone());
        }
        if texts.is_empty() {
            return Err(format!("{package}: no licence text in its package"));
        }
        all.push((linked, texts));
    }
    Ok(joined(&all))
}

/// The list of the crates, then each text with those that have it.
fn joined(all: &[(Linked, Vec<String>)]) -> String {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut texts: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut list = String::new();
    for (linked, own) in all {
        let mut numbers = BTreeSet::new();
        for text in own {
            let place = *places.entry(words_of(text)).or_insert(texts.len());
            if place == texts.len() {
                texts.push((text, Vec::new()));
            }
            if numbers.insert(place + 1) {
                texts[place].1.push(&linked.name);
            }
        }
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let (name, licence, repository) = (&linked.name, &linked.licence, &linked.repository);
        let numbers = numbers.join(", ");
        writeln!(list, "{name}: {licence}; {repository}; text {numbers}").expect("in memory");
    }
    let mut out = "What the compiled part of hitscan for Python links beside hitscan, and under which licences.\n\
                   Made by `cargo xtask licences`.\n\n"
        .to_owned();
    out.push_str(&list);
    for (number, (text, of)) in (1..).zip(texts) {
        let rule = "=".repeat(80);
        write!(
            out,
            "\n{rule}\nText {number}, of {}\n{rule}\n\n",
            of.join(", ")
        )
        .expect("in memory");
        for line in text.trim_matches(['\r', '\n']).lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out
}

/// What two copies of one text share, however their lines are broken.
fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts in a package's folder and the folders in it, which hold what others wrote.
fn texts_in(folder: &Path) -> Result<Vec<String>, String> {
    let entries = |folder: &Path| {
        let place = |error| format!("{}: {error}", folder.display());
        let entries = fs::read_dir(folder).map_err(place)?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|one| Some(one.ok()?.path())).collect();
        paths.sort();
        Ok::<_, String>(paths)
    };
    let (mut files, folders): (Vec<_>, Vec<_>) = entries(folder)?
        .into_iter()
        .partition(|path| path.is_file());
    for folder in folders.iter().filter(|path| path.is_dir()) {
        files.extend(entries(folder)?.into_iter().filter(|path| path.is_file()));
    }
    let name = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let is_licence = |path: &Path| name(path).is_some_and(|name| is_licence(&name));
    let mut found: Vec<PathBuf> = files
        .iter()
        .filter(|path| is_licence(path))
        .cloned()
        .collect();
    if found.is_empty() {
        let is_copying =
            |path: &&PathBuf| name(path).is_some_and(|name| name.starts_with("COPYING"));
        found = files.iter().filter(is_copying).cloned().collect();
    }
    let read = |path: &PathBuf| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    found.iter().map(read).collect()
}

/// Whether a file of this name holds a licence. `COPYING` beside one only says where that is, or what else
/// may be chosen.
fn is_licence(name: &str) -> bool {
    let stem = name.split(['.', '-']).next().unwrap_or(name);
    let is_text = [".rs", ".py", ".toml", ".json"]
        .iter()
        .all(|ending| !name.ends_with(ending));
    let stems = ["LICENSE", "LICENCE", "UNLICENSE", "NOTICE", "COPYRIGHT"];
    is_text && stems.contains(&stem.to_ascii_uppercase().as_str())
}

/// The crates of others in the wheels.
fn linked(root: &Path) -> Result<BTreeSet<Linked>, String> {
    let mut tree = cargo(root);
    tree.args(["tree", "--locked", "--package", "hitscan-python"])
        .args(["--edges", "normal,no-proc-macro", "--prefix", "none"])
        .args(["--format", "{p}|{l}|{r}"]);
    for target in TARGETS {
        tree.args(["--target", target]);
    }
    let lines = output(&mut tree)?;
    Ok(lines.lines().filter_map(linked_crate).collect())
}

/// A crate from its line; none of a crate of this repository, which has a path.
fn linked_crate(line: &str) -> Option<Linked> {
    let line = line.strip_suffix(" (*)").unwrap_or(line);
    let mut parts = line.splitn(3, '|').map(str::trim);
    let name = parts.next().filter(|name| !name.contains(" ("))?;
    Some(Linked {
        name: name.replacen(" v", " ", 1),
        licence: parts.next()?.replace('/', " OR "),
        repository: parts.next()?.to_owned(),
    })
}

/// The folders of all packages, by their name and version as `name-version`.
fn manifests(root: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let said = output(cargo(root).args(["metadata", "--locked", "--format-version", "1"]))?;
    let paths = said.split("\"manifest_path\":\"").skip(1);
    let paths = paths.filter_map(|rest| rest.split('"').next());
    let folder = |path: &str| {
        let folder = Path::new(&path.replace("\\\\", "\\")).parent()?.to_owned();
        Some((folder.file_name()?.to_string_lossy().into_owned(), folder))
    };
    Ok(paths.filter_map(folder).collect())
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| format!("cargo: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Linked {
        Linked {
            name: name.to_owned(),
            licence: "MIT".to_owned(),
            repository: "https://example.org".to_owned(),
        }
    }

    #[test]
    fn a_text_of_several_crates_is_there_once() {
        let all = [
            (named("a 1.0.0"), vec!["Copyright A\nall may".to_owned()]),
            (
                named("b 2.0.0"),
                vec!["Copyright A\r\n  all may\n".to_owned(), "other".to_owned()],
            ),
        ];
        let text = joined(&all);
        assert_eq!(text.matches("Copyright A").count(), 1, "{text}");
        assert!(
            text.contains("\na 1.0.0: MIT; https://example.org; text 1\n"),
            "{text}"
        );
        assert!(
            text.contains("\nb 2.0.0: MIT; https://example.org; text 1, 2\n"),
            "{text}"
        );
        assert!(text.contains("Text 1, of a 1.0.0, b 2.0.0\n"), "{text}");
    }

    #[test]
    fn crates_of_this_repository_are_not_listed() {
        assert_eq!(linked_crate("hitscan v0.1.0 (/some/where)|MIT|"), None);
        let found = linked_crate("memchr v2.8.3|Unlicense/MIT|https://x (*)").unwrap();
        assert_eq!(
            (found.name.as_str(), found.licence.as_str()),
            ("memchr 2.8.3", "Unlicense OR MIT")
        );
        assert_eq!(found.repository, "https://x");
    }

    #[test]
    fn licences_are_told_by_their_names() {
        for name in [
            "LICENSE",
            "LICENSE-MIT.md",
            "license.txt",
            "UNLICENSE",
            "NOTICE.txt",
        ] {
            assert!(is_licence(name), "{name}");
        }
        for name in ["COPYING", "license.rs", "README.md"] {
            assert!(!is_licence(name), "{name}");
        }
    }
}
