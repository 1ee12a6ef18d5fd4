//! Copies from the page, run elsewhere: the tests in Rust and in Python that the browser's tests have copied,
//! each with the bits that the page showed.

use super::counts::{Counts, OutputReader, counted_some};
use super::steps::announced;
use super::{page, python};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs what the browser's tests have copied; the Python package is that of its own tests.
pub(super) fn checks(root: &Path) -> Result<Counts, String> {
    let folder = page::copies_folder()?;
    let mut counts = announced("Rust tests copied from the page", || rust(root, &folder))?;
    counts += announced("Python tests copied from the page", || {
        python::run_tests(root, &folder.join("python"))
    })?;
    Ok(counts)
}

/// The copied tests as one suite of a package outside of the workspace.
fn rust(root: &Path, folder: &Path) -> Result<Counts, String> {
    let package = folder.join("rust");
    let write = |name: &str, text: String| {
        let path = package.join(name);
        fs::write(&path, text).map_err(|error| error_at(&path, &error))
    };
    let dependencies = ["hitscan", "hitscan-assets", "hitscan-demo"];
    let paths = dependencies.map(|name| {
        let path = root.join("crates").join(name);
        format!("{name} = {{ path = {path:?} }}\n")
    });
    // What is below them is built quickly: it runs for a moment.
    let profiles =
        dependencies.map(|name| format!("[profile.test.package.{name}]\nopt-level = 1\n"));
    let manifest = format!(
        "[package]\nname = \"copies\"\nedition = \"2024\"\n\n[lib]\npath = \"copies.rs\"\n\n\
         [dependencies]\n{}\n{}\n[workspace]\n",
        paths.concat(),
        profiles.concat()
    );
    let mut names = names(&package)?;
    names.sort();
    let modules = names
        .iter()
        .map(|name| format!("#[cfg(test)]\nmod {name};\n"));
    write("copies.rs", modules.collect())?;
    write("Cargo.toml", manifest)?;
    let lock = root.join("Cargo.lock");
    fs::copy(&lock, package.join("Cargo.lock")).map_err(|error| error_at(&lock, &error))?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["test", "--offline", "--lib", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", folder.join("target"));
    let mut reader = OutputReader::default();
    let counts = counted_some(&mut cargo, |line| reader.read(line))?;
    match counts.passed == names.len() as u64 {
        true => Ok(counts),
        false => Err(format!(
            "{} of {} copied tests passed",
            counts.passed,
            names.len()
        )),
    }
}

/// The modules that were copied.
fn names(package: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(package).map_err(|error| error_at(package, &error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let rust = paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let stems = rust.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    Ok(stems.filter(|name| name != "copies").collect())
}

fn error_at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
