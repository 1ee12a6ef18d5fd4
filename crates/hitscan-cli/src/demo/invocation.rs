//! The program's invocation on this machine, so that commands which it prints work as typed.

use std::env;
use std::path::{Path, PathBuf};

/// The words by which this program is started from the current folder.
///
/// `cargo run --release --` where cargo has built and started it in its checkout, `hitscan` where
/// the search path leads to it, otherwise its path.
pub(super) fn program() -> String {
    Surroundings::of_process().map_or_else(|| "hitscan".to_owned(), |here| here.program())
}

/// What decides how the program is called.
struct Surroundings {
    /// The program's file.
    this: PathBuf,
    /// The word by which it was called.
    typed: Option<PathBuf>,
    current_folder: PathBuf,
    /// The folders in which the shell looks for programs.
    search_path: Vec<PathBuf>,
    /// The folder of the package that cargo runs, where cargo has started the program.
    cargo_package: Option<PathBuf>,
}

impl Surroundings {
    fn of_process() -> Option<Self> {
        let search_path = env::var_os("PATH").unwrap_or_default();
        let is_started_by_cargo = env::var_os("CARGO").is_some();
        let package = env::var_os("CARGO_MANIFEST_DIR").filter(|_| is_started_by_cargo);
        Some(Self {
            this: env::current_exe().ok()?,
            typed: env::args_os().next().map(PathBuf::from),
            current_folder: env::current_dir().ok()?,
            search_path: env::split_paths(&search_path).collect(),
            cargo_package: package.map(PathBuf::from),
        })
    }

    fn program(&self) -> String {
        if let Some(command) = self.cargo_run() {
            return command.to_owned();
        }
        let name = format!("hitscan{}", env::consts::EXE_SUFFIX);
        let mut places = self.search_path.iter().map(|folder| folder.join(&name));
        let found = places.find(|place| place.is_file());
        if found.is_some_and(|found| is_same(&found, &self.this)) {
            return "hitscan".to_owned();
        }
        let typed = self.typed.as_ref().filter(|path| {
            path.components().count() > 1 && is_same(&self.current_folder.join(path), &self.this)
        });
        word(&typed.unwrap_or(&self.this).display().to_string())
    }

    /// The command of cargo that works from the current folder and starts this program.
    fn cargo_run(&self) -> Option<&'static str> {
        let profile = self.this.parent()?;
        let is_built = profile.parent()?.join("CACHEDIR.TAG").is_file();
        // The package lies in `crates/` of the checkout, whose root runs this program by default.
        let checkout = self.cargo_package.as_ref()?.parent()?.parent()?;
        if !is_built || !is_same(checkout, &self.current_folder) {
            return None;
        }
        match profile.file_name()?.to_str()? {
            "release" => Some("cargo run --release --"),
            "debug" => Some("cargo run --"),
            _ => None,
        }
    }
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

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_program_is_called_as_it_is_found() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |path: &str| folder.path().join(path);
        let file = format!("hitscan{}", env::consts::EXE_SUFFIX);
        for place in ["checkout/crates/hitscan-cli", "target/release", "other"] {
            fs::create_dir_all(at(place)).unwrap();
        }
        let this = at("target/release").join(&file);
        fs::write(&this, "this").unwrap();
        fs::write(at("other").join(&file), "another").unwrap();
        fs::write(at("target/CACHEDIR.TAG"), "").unwrap();
        let typed = Path::new("target").join("release").join(&file);
        let mut here = Surroundings {
            this: this.clone(),
            typed: Some(PathBuf::from(&file)),
            current_folder: at("checkout"),
            search_path: vec![at("absent"), at("target/release"), at("other")],
            cargo_package: Some(at("checkout/crates/hitscan-cli")),
        };
        assert_eq!(here.program(), "cargo run --release --");
        // Elsewhere cargo would not find the checkout.
        here.current_folder = folder.path().to_owned();
        assert_eq!(here.program(), "hitscan");
        here.current_folder = at("checkout");
        here.cargo_package = None;
        assert_eq!(here.program(), "hitscan");
        // Another program of the name comes first.
        here.search_path.swap(1, 2);
        assert_eq!(here.program(), word(&this.display().to_string()));
        here.current_folder = folder.path().to_owned();
        here.typed = Some(typed.clone());
        assert_eq!(here.program(), word(&typed.display().to_string()));
    }

    #[cfg(unix)]
    #[test]
    fn words_are_quoted_where_a_shell_takes_them_apart() {
        assert_eq!(word("out/scene.toml"), "out/scene.toml");
        assert_eq!(word("-1.5,2,0"), "-1.5,2,0");
        assert_eq!(word("my demo/it's"), r"'my demo/it'\''s'");
        assert_eq!(word("a\\b$c"), "'a\\b$c'");
    }
}
