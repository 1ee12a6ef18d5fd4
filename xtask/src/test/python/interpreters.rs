//! The CPythons of this machine that the package supports.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The least version that the package supports.
const OLDEST: [u32; 2] = [3, 11];

/// A CPython that makes virtual environments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interpreter {
    pub(crate) path: PathBuf,
    pub(crate) version: [u32; 3],
}

impl fmt::Display for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, micro] = self.version;
        write!(f, "CPython {major}.{minor}.{micro}")
    }
}

/// One of each minor version, the oldest first; an error that says what to install where there is none.
pub(crate) fn all() -> Result<Vec<Interpreter>, String> {
    let mut found = BTreeMap::new();
    for path in candidates() {
        if let Some(interpreter) = probe(&path) {
            let [major, minor, _] = interpreter.version;
            found.entry([major, minor]).or_insert(interpreter);
        }
    }
    if found.is_empty() {
        let [major, minor] = OLDEST;
        return Err(format!(
            "no CPython {major}.{minor} or newer with venv was found: install one, on Debian the packages \
             python3 and python3-venv"
        ));
    }
    Ok(found.into_values().collect())
}

/// What may be an interpreter: the names on the search path, then pyenv's versions.
fn candidates() -> Vec<PathBuf> {
    let names = ["python3"].map(str::to_owned).into_iter();
    let names = names.chain((OLDEST[1]..OLDEST[1] + 10).map(|minor| format!("python3.{minor}")));
    let names: Vec<String> = names.collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    if let Some(versions) = pyenv.and_then(|root| std::fs::read_dir(root.join("versions")).ok()) {
        let versions = versions.filter_map(Result::ok);
        let mut versions: Vec<PathBuf> = versions.map(|one| one.path().join("bin")).collect();
        versions.sort();
        folders.extend(versions);
    }
    let files = folders
        .iter()
        .flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.filter(|file| file.is_file()).collect()
}

/// Runs a file to find which interpreter it is; `None` where it does not fit.
fn probe(path: &Path) -> Option<Interpreter> {
    let question = "import sys, venv, ensurepip; \
                    print(sys.implementation.name, *sys.version_info[:3], sys.executable)";
    let output = Command::new(path).args(["-c", question]).output().ok()?;
    read(&String::from_utf8_lossy(&output.stdout))
}

/// Reads what an interpreter says of itself: its kind, the three numbers of its version, its path.
fn read(said: &str) -> Option<Interpreter> {
    let mut words = said.trim_end().splitn(5, ' ');
    let kind = words.next()?;
    let mut number = || words.next()?.parse().ok();
    let version: [u32; 3] = [number()?, number()?, number()?];
    let path = PathBuf::from(words.next()?);
    let is_fit = kind == "cpython" && version[..2] >= OLDEST[..];
    is_fit.then_some(Interpreter { path, version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_other_interpreters_are_left_out() {
        let read = |said| read(said).map(|found| found.version);
        assert_eq!(read("cpython 3 11 7 /a b/python3.11\n"), Some([3, 11, 7]));
        assert_eq!(read("cpython 3 10 13 /usr/bin/python3.10\n"), None);
        assert_eq!(read("pypy 3 11 13 /usr/bin/pypy3\n"), None);
        assert_eq!(read(""), None);
    }
}
