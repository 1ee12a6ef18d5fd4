//! The files of a table of questions, as the command line names them.

use crate::failure::Failure;
use hitscan_assets::heights::HeightFormat;
use std::path::{Path, PathBuf};

/// What is said where the names of several height maps are given, as where a shell has expanded one.
pub(crate) const SEVERAL_MAPS: &str = "several height maps are one terrain by one name, in quotes \
                                       where the shell would expand it: 'tiles/*.hgt'";

/// The files that `paths` name, in their order. Patterns, which a shell may have left as they are, become
/// the files that they match, sorted by name.
pub(crate) fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if let [_, _, ..] = paths
        && paths.iter().any(|path| path == Path::new("-"))
    {
        return Err(Failure::usage(
            "standard input is a table by itself: `-` cannot stand beside other files",
        ));
    }
    let is_map = |path: &&PathBuf| HeightFormat::from_path(path).is_some();
    let map = paths.iter().find(is_map);
    if let Some(map) = map
        && !paths.iter().all(|path| is_map(&path))
    {
        let shown = map.display();
        return Err(Failure::usage(format!(
            "{shown}: a height map among the tables; {SEVERAL_MAPS}"
        )));
    }
    let mut files = Vec::new();
    for path in paths {
        match pattern(path) {
            Some(pattern) => files.extend(matches(pattern)?),
            None => files.push(path.clone()),
        }
    }
    Ok(files)
}

/// The path as a pattern, if it is one: a file that has such a name comes first.
fn pattern(path: &Path) -> Option<&str> {
    let is_pattern = |text: &&str| text.contains(['*', '?', '[']);
    path.to_str().filter(is_pattern).filter(|_| !path.exists())
}

fn matches(pattern: &str) -> Result<Vec<PathBuf>, Failure> {
    let options = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..glob::MatchOptions::default()
    };
    let found = glob::glob_with(pattern, options)
        .map_err(|error| Failure::usage(format!("{pattern}: no pattern of files: {error}")))?;
    let mut files = Vec::new();
    for file in found {
        let file = file.map_err(|error| Failure::usage(error.to_string()))?;
        if !file.is_dir() {
            files.push(file);
        }
    }
    files.sort_by(|one, other| {
        let [one, other] = [one, other].map(|path| path.as_os_str().as_encoded_bytes());
        one.cmp(other)
    });
    match files.is_empty() {
        true => Err(Failure::usage(format!(
            "{pattern}: no file has such a name"
        ))),
        false => Ok(files),
    }
}
