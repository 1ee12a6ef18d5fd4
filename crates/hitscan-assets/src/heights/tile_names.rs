//! The files that one name denotes: itself, or with `*` and `?` all tiles that it matches.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::scene_files::SceneFiles;

/// The files that `name` denotes, at least one. `*` is any number of characters and `?` is one, in the
/// name of the file alone; a file of that very name goes before. Files are in the order of their names,
/// and those that begin with a dot are matched only by a dot.
pub(crate) fn tile_names(files: &dyn SceneFiles, name: &Path) -> Result<Vec<PathBuf>, Error> {
    let pattern = name.file_name().unwrap_or_default().to_string_lossy();
    let folder = name.parent().unwrap_or(Path::new(""));
    if has_wildcard(&folder.to_string_lossy())
        && files.list(folder).map_or(true, |it| it.is_empty())
    {
        let what =
            "`*` or `?` in the name of a folder: only the name of a file may have them, and this";
        return Err(Error::unsupported(name, "file name", what));
    }
    if !has_wildcard(&pattern) {
        return Ok(vec![name.to_owned()]);
    }
    let mut tiles = files.list(folder)?;
    if tiles.iter().any(|tile| tile == name) {
        return Ok(vec![name.to_owned()]);
    }
    tiles.retain(|tile| {
        let tile = tile.file_name().unwrap_or_default().to_string_lossy();
        let is_hidden = tile.starts_with('.') && !pattern.starts_with('.');
        !is_hidden && matches(&pattern, &tile)
    });
    tiles.sort();
    if tiles.is_empty() {
        let expected = "at least one file that matches the name";
        return Err(Error::malformed(name, "file name", expected, "none"));
    }
    Ok(tiles)
}

fn has_wildcard(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether all of `name` matches the pattern.
fn matches(pattern: &str, name: &str) -> bool {
    let [pattern, name] = [pattern, name].map(|text| text.chars().collect::<Vec<char>>());
    let (mut at, mut done) = (0, 0);
    // The last star and the characters up to which it reaches.
    let mut star: Option<[usize; 2]> = None;
    while done < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some([at, done]);
                at += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[done] => {
                at += 1;
                done += 1;
            }
            _ => {
                let Some([star_at, reached]) = &mut star else {
                    return false;
                };
                *reached += 1;
                (at, done) = (*star_at + 1, *reached);
            }
        }
    }
    pattern[at..].iter().all(|wanted| *wanted == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_files::MemoryFiles;

    #[test]
    fn stars_and_question_marks_match() {
        for (pattern, name, expected) in [
            ("*.hgt", "N57E011.hgt", true),
            ("*.hgt", "N57E011.hgt.aux", false),
            ("N5?E*", "N57E011.hgt", true),
            ("N5?E*", "N5E011.hgt", false),
            ("*a*b", "xaxbxab", true),
            ("*a*b", "xaxbxa", false),
            ("?", "\u{e9}", true),
            ("**", "", true),
            ("?", "", false),
            ("[ab].hgt", "a.hgt", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn names_are_in_order_and_a_file_of_that_name_goes_before() {
        let mut files = MemoryFiles::default();
        for name in [
            "t/b.asc", "t/a.asc", "t/.c.asc", "t/a.txt", "a.asc", "u/*.asc", "u/a.asc",
        ] {
            files.add(name, "");
        }
        let names = |name: &str| tile_names(&files, name.as_ref());
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(names("t/*.asc").unwrap(), paths(&["t/a.asc", "t/b.asc"]));
        assert_eq!(names("*.asc").unwrap(), paths(&["a.asc"]));
        assert_eq!(names("t/.*.asc").unwrap(), paths(&["t/.c.asc"]));
        assert_eq!(names("u/*.asc").unwrap(), paths(&["u/*.asc"]));
        assert_eq!(names("none.asc").unwrap(), paths(&["none.asc"]));
        for (name, word) in [("t/*.tif", "found none"), ("*/a.asc", "name of a folder")] {
            let message = names(name).unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
    }
}
