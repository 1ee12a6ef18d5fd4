//! `cargo xtask bench PY`: hitscan from Python beside Python's libraries.
//!
//! The race is in `bench/python/`. Here its environment is made under the bench's target folder, with the
//! pinned peers and the package's wheel as users build it, and its inputs' program is built.

use super::PLAIN_CARGO;
use super::publish::{Markers, publish};
use crate::debian;
use crate::test::python::{Environment, Interpreter, interpreters, newest, run_command};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MARKERS: Markers = Markers {
    begin: "<!-- python: begin (written by `cargo xtask bench PY --write`) -->",
    end: "<!-- python: end -->",
};
/// A Debian package that Open3D's wheel needs and does not bring, and its library.
const USB: [&str; 2] = ["libusb-1.0-0", "libusb-1.0.so.0"];
/// The packages of peers that have another name than the peer, or need two.
const PACKAGES: [(&str, &[&str]); 2] = [
    ("open3d", &["open3d-cpu"]),
    ("pyvista", &["pyvista", "vtk"]),
];
/// The row that poses the demo's robot.
const POSES: &str = "PY-K";

/// Builds and installs what is needed, and runs the race.
pub(super) fn run(
    root: &Path,
    targets: &Path,
    arguments: &[String],
    writes: bool,
) -> Result<(), String> {
    let folder = targets.join("python");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let without = without(arguments);
    if !without.contains(&"open3d")
        && let Err(reason) = debian::install(USB[0], &has_usb)
    {
        println!("Open3D: {reason}");
    }
    let environment = environment(root, &folder, &without)?;
    if !without.contains(&"hitscan") {
        install_wheel(root, &folder, &environment)?;
    }
    build(&root.join("bench"), targets, "hitscan-bench-python")?;
    let table = folder.join("table.md");
    let mut python = environment.command("python");
    python.arg(root.join("bench/python")).args(arguments);
    python
        .arg("--program")
        .arg(targets.join("release/hitscan-bench-python"));
    python.arg("--table").arg(&table);
    if asks_for(POSES, arguments) && !without.contains(&"hitscan") {
        python.arg("--demo").arg(demo(root, targets, &folder)?);
    }
    if table.exists() {
        fs::remove_file(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    }
    let outcome = run_command(&mut python);
    if writes && let Ok(text) = fs::read_to_string(&table) {
        publish(
            &root.join("docs/benchmarks/python.md"),
            &MARKERS,
            text.trim_end(),
        )?;
    }
    outcome
}

/// The peers that are skipped.
fn without(arguments: &[String]) -> Vec<&str> {
    let pairs = arguments.windows(2);
    let named = pairs.filter(|pair| pair[0] == "--without");
    named.map(|pair| pair[1].as_str()).collect()
}

/// Whether the arguments mean this row: it or a beginning of it is named, or no row is.
fn asks_for(row: &str, arguments: &[String]) -> bool {
    let mut rows = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--without" => {
                arguments.next();
            }
            flag if flag.starts_with('-') => {}
            name => rows.push(name),
        }
    }
    rows.is_empty() || rows.iter().any(|name| row.starts_with(name))
}

/// The environment with the peers. Where they cannot all be installed, each is by itself, and the race
/// names those that are missing.
fn environment(root: &Path, folder: &Path, without: &[&str]) -> Result<Environment, String> {
    let all = root.join("bench/python/requirements.txt");
    let text = fs::read_to_string(&all).map_err(|error| format!("{}: {error}", all.display()))?;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| is_wanted(line, without))
        .collect();
    let wanted = folder.join("requirements.txt");
    fs::write(&wanted, lines.join("\n") + "\n")
        .map_err(|error| format!("{}: {error}", wanted.display()))?;
    let interpreters: Vec<Interpreter> = interpreters()?;
    // Those with and without a peer lie side by side, so that no run makes the other's anew.
    let place = folder.join([&["environment"], without].concat().join("-without-"));
    let together = Environment::with_requirements(&place, &interpreters[0], &wanted);
    together.or_else(|reason| {
        println!("{reason}: the packages are installed one by one");
        let environment = Environment::empty(&place, &interpreters[0])?;
        for package in lines.iter().filter(|line| line.contains("==")) {
            if let Err(reason) = run_command(&mut environment.pip(&["install", package])) {
                println!("{package}: {reason}");
            }
        }
        Ok(environment)
    })
}

/// Whether a line of the requirements is not that of a peer that is skipped.
fn is_wanted(line: &str, without: &[&str]) -> bool {
    let package = line.split("==").next().unwrap_or(line);
    let is_package_of = |peer: &&str| {
        let packages = PACKAGES.iter().find(|(name, _)| name == peer);
        packages.map_or(*peer == package, |(_, packages)| {
            packages.contains(&package)
        })
    };
    !without.iter().any(is_package_of)
}

/// Builds the package as users do, and installs it.
fn install_wheel(root: &Path, folder: &Path, environment: &Environment) -> Result<(), String> {
    println!("building the wheel");
    let wheels = folder.join("wheels");
    clear(&wheels)?;
    let mut maturin = environment.command("maturin");
    maturin
        .args(["build", "--release", "--locked", "--quiet", "--out"])
        .arg(&wheels)
        .envs(PLAIN_CARGO)
        .current_dir(root.join("crates/hitscan-python"));
    run_command(&mut maturin)?;
    environment.install_wheel(&newest(&wheels, ".whl")?)
}

/// The folder with the demo's files, which the program writes.
fn demo(root: &Path, targets: &Path, folder: &Path) -> Result<PathBuf, String> {
    build(root, targets, "hitscan-cli")?;
    let demo = folder.join("demo");
    clear(&demo)?;
    let mut program = Command::new(targets.join("release/hitscan"));
    run_command(program.args(["demo", "--out"]).arg(&demo))?;
    Ok(demo)
}

/// Removes what an earlier run has left.
fn clear(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if folder.exists() => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

fn build(folder: &Path, targets: &Path, package: &str) -> Result<(), String> {
    println!("building {package}");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--locked", "--quiet", "--release", "-p", package])
        .arg("--target-dir")
        .arg(targets)
        .envs(PLAIN_CARGO)
        .current_dir(folder);
    run_command(&mut cargo).map_err(|error| format!("{package} was not built: {error}"))
}

/// Whether the loader finds it.
fn has_usb() -> bool {
    let output = Command::new("/sbin/ldconfig").arg("-p").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(USB[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_peer_that_is_left_out_is_not_installed() {
        let arguments = words("PY-L --without open3d --quick --without scipy");
        let without = without(&arguments);
        assert_eq!(without, ["open3d", "scipy"]);
        let lines = ["open3d-cpu==0.20.0", "scipy==1.17.1", "numpy==2.4.6"];
        assert_eq!(
            lines.map(|line| is_wanted(line, &without)),
            [false, false, true]
        );
        assert!(!is_wanted("vtk==9.7.2", &["pyvista"]));
    }

    #[test]
    fn the_robot_is_wanted_where_its_row_is() {
        let asks = |text: &str| asks_for(POSES, &words(text));
        assert!(asks("") && asks("--quick") && asks("PY-L PY-K") && asks("PY"));
        assert!(asks("--without open3d") && !asks("PY-L --quick --without open3d"));
    }
}
