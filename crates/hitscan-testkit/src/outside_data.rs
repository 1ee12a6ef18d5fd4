//! Outside data: real height maps, models, and cases with known answers, if they are here.

use std::path::PathBuf;

/// The folder that `HITSCAN_DATA` names, which holds `data/` and `cases/`.
///
/// Where the variable is not set this prints `not run: outside data` and returns `None`; the test
/// should then return.
///
/// # Panics
/// When the variable is set, but the folder is missing or has no `data` and `cases` in it: a test
/// run that requests outside data must not pass without it.
#[must_use]
pub fn outside_data() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("HITSCAN_DATA") else {
        println!("not run: outside data");
        return None;
    };
    let folder = PathBuf::from(folder);
    for part in ["data", "cases"] {
        let is_filled =
            std::fs::read_dir(folder.join(part)).is_ok_and(|mut all| all.next().is_some());
        assert!(
            is_filled,
            "HITSCAN_DATA is set, but {} has no {part}/ with files",
            folder.display()
        );
    }
    Some(folder)
}
