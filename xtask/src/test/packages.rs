//! Checks of the packages to publish: each holds its code, README, licences and the pages of `docs/`,
//! and nothing else, and its manifest has the fields that a registry shows.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use toml::{Table, Value};

/// Files that every package has.
const NEEDED: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Files that cargo adds.
const ADDED: [&str; 3] = ["Cargo.lock", "Cargo.toml.orig", ".cargo_vcs_info.json"];
/// Folders whose Rust files belong to a package.
const CODE: [&str; 3] = ["src/", "examples/", "benches/"];
/// The endings of what the viewer serves, and of the manifest that makes its scripts modules.
const PAGE: [&str; 7] = [".js", ".css", ".html", ".svg", ".json", ".md", ".d.ts"];
/// What the manifest of a published package must say, itself or by way of the workspace.
const SAID: [&str; 8] = [
    "description",
    "version",
    "edition",
    "rust-version",
    "license",
    "readme",
    "keywords",
    "categories",
];

/// Checks every package that is not kept from being published.
pub(super) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join("crates");
    let place = |error| format!("crates/ cannot be listed: {error}");
    let mut problems = Vec::new();
    let mut published = Vec::new();
    for entry in fs::read_dir(&folder).map_err(place)? {
        let path = entry.map_err(place)?.path().join("Cargo.toml");
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let manifest = text
            .parse::<Table>()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        if let Some(name) = published_name(&manifest) {
            let missing = missing_keys(&manifest);
            problems.extend(missing.map(|key| format!("{name}: the manifest says no `{key}`")));
            published.push(name.to_owned());
        }
    }
    published.sort();
    for name in &published {
        let files = files_of(root, name)?;
        println!("{name}: {} files", files.lines().count());
        let documents = documents(&folder.join(name))?;
        problems.extend(
            file_problems(&files, &documents)
                .into_iter()
                .map(|problem| format!("{name}: {problem}")),
        );
    }
    if published.is_empty() {
        problems.push("no package would be published".to_owned());
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// The package's name, unless its manifest says `publish = false`.
fn published_name(manifest: &Table) -> Option<&str> {
    let package = manifest.get("package")?;
    let is_kept = package.get("publish").and_then(Value::as_bool) == Some(false);
    let name = package.get("name")?.as_str()?;
    (!is_kept).then_some(name)
}

fn missing_keys(manifest: &Table) -> impl Iterator<Item = &'static str> {
    let package = manifest.get("package").and_then(Value::as_table);
    SAID.into_iter()
        .filter(move |key| !package.is_some_and(|package| package.contains_key(*key)))
}

/// The files that cargo would pack, one a line.
fn files_of(root: &Path, package: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--quiet",
            "-p",
            package,
        ])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo cannot list the package {package}"));
    }
    let files = String::from_utf8_lossy(&output.stdout);
    // Cargo writes paths as the platform does.
    Ok(files.replace('\\', "/"))
}

/// The files of a package's folder `docs`, which its program prints.
fn documents(package: &Path) -> Result<Vec<String>, String> {
    let folder = package.join("docs");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |error| format!("{} cannot be listed: {error}", folder.display());
    let mut documents = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        documents.push(format!("docs/{}", name.to_string_lossy()));
    }
    documents.sort();
    Ok(documents)
}

/// What is missing from a list of files, and what does not belong there; `documents` are needed too.
fn file_problems(files: &str, documents: &[String]) -> Vec<String> {
    let needed = NEEDED
        .into_iter()
        .chain(documents.iter().map(String::as_str));
    let missing = needed
        .filter(|needed| !files.lines().any(|file| file == *needed))
        .map(|needed| format!("{needed} is not packed"));
    let foreign = files
        .lines()
        .filter(|file| !belongs(file))
        .map(|file| format!("{file} would be packed"));
    missing.chain(foreign).collect()
}

fn belongs(file: &str) -> bool {
    let is_page = file.starts_with("page/") && PAGE.iter().any(|ending| file.ends_with(ending));
    let is_code = file.ends_with(".rs") && CODE.iter().any(|folder| file.starts_with(folder));
    let is_document = file.ends_with(".md") && file.starts_with("docs/");
    let is_protocol = file == "PROTOCOL.md";
    is_code
        || is_page
        || is_document
        || is_protocol
        || NEEDED.contains(&file)
        || ADDED.contains(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_code_readme_and_licences_is_clean() {
        let files = "\
.cargo_vcs_info.json
Cargo.lock
Cargo.toml
Cargo.toml.orig
LICENSE-APACHE
LICENSE-MIT
README.md
examples/ground_plane.rs
src/lib.rs
src/scene/mod.rs
";
        assert_eq!(file_problems(files, &[]), [""; 0]);
        let documents = ["docs/scene.md".to_owned()];
        let packed = format!("{files}docs/scene.md\n");
        assert_eq!(file_problems(&packed, &documents), [""; 0]);
        let missing = file_problems(files, &documents);
        assert_eq!(missing, ["docs/scene.md is not packed"]);
    }

    #[test]
    fn what_is_missing_or_foreign_is_found() {
        let files = "\
Cargo.toml
LICENSE-MIT
README.md
src/lib.rs
src/valley.png
tests/cases.rs
build.rs
";
        assert_eq!(
            file_problems(files, &[]),
            [
                "LICENSE-APACHE is not packed",
                "src/valley.png would be packed",
                "tests/cases.rs would be packed",
                "build.rs would be packed",
            ]
        );
    }

    #[test]
    fn manifests_of_published_packages_must_say_all() {
        let manifest = |text: &str| text.parse::<Table>().unwrap();
        let kept = manifest("[package]\nname = \"a\"\npublish = false\n");
        assert_eq!(published_name(&kept), None);
        let bare = manifest("[package]\nname = \"a\"\nversion.workspace = true\nreadme = \"R\"\n");
        assert_eq!(published_name(&bare), Some("a"));
        let missing: Vec<_> = missing_keys(&bare).collect();
        assert_eq!(
            missing,
            [
                "description",
                "edition",
                "rust-version",
                "license",
                "keywords",
                "categories"
            ]
        );
    }
}
