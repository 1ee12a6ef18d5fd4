//! How the program is called on this machine, so that commands which it prints work as typed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The words by which this program is started from the current folder.
///
/// `cargo run --release --` where cargo has built and started it in its checkout, `hitscan` where
/// the search path leads to it, otherwise its path.
pub(super) fn program() -> String {
    let Ok(this) = env::current_exe() else {
        return "hitscan".to_owned();
    };
    if let Some(command) = cargo_run(&this) {
        return command.to_owned();
    }
    if on_search_path().is_some_and(|found| is_same(&found, &this)) {
        return "hitscan".to_owned();
    }
    let typed = env::args_os().next().map(PathBuf::from);
    let typed = typed.filter(|path| path.components().count() > 1 && is_same(path, &this));
    word(&typed.unwrap_or(this).display().to_string())
}

/// One word of a command line, in quotes where the shell would take it apart.
pub(super) fn word(text: &str) -> String {
    let is_plain = |character: char| {
        character.is_alphanumeric() || "-_./:,+=@%".contains(character) || is_separator(character)
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if cfg!(windows) {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A backslash is a plain character only where it is a part of paths.
fn is_separator(character: char) -> bool {
    cfg!(windows) && character == '\\'
}

/// The command of cargo that has started `this`, if it works from the current folder.
fn cargo_run(this: &Path) -> Option<&'static str> {
    env::var_os("CARGO")?;
    let profile = this.parent()?;
    let is_built = profile.parent()?.join("CACHEDIR.TAG").is_file();
    // The package lies in `crates/` of the checkout, whose root runs this program by default.
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let checkout = package.parent()?.parent()?;
    if !is_built || !is_same(checkout, &env::current_dir().ok()?) {
        return None;
    }
    match profile.file_name()?.to_str()? {
        "release" => Some("cargo run --release --"),
        "debug" => Some("cargo run --"),
        _ => None,
    }
}

/// The first program of this name in the folders of the search path.
fn on_search_path() -> Option<PathBuf> {
    let name = format!("hitscan{}", env::consts::EXE_SUFFIX);
    let folders = env::var_os("PATH")?;
    let places = env::split_paths(OsStr::new(&folders)).map(|folder| folder.join(&name));
    places.into_iter().find(|place| place.is_file())
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[cfg(unix)]
    #[test]
    fn words_are_quoted_where_a_shell_takes_them_apart() {
        assert_eq!(word("out/scene.toml"), "out/scene.toml");
        assert_eq!(word("-1.5,2,0"), "-1.5,2,0");
        assert_eq!(word("my demo/it's"), r"'my demo/it'\''s'");
        assert_eq!(word("a\\b$c"), "'a\\b$c'");
    }
}
