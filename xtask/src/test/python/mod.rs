//! The Python package: its wheel, its tests and types, and that it installs everywhere.
//!
//! Everything lies in `target/python/`: the environment of the tests with the pinned packages of
//! `crates/hitscan-python/requirements.txt`, the wheel and the source package.

mod interpreters;
mod environment;
mod output;

use super::counts::{Counts, counted_some};
use super::page;
use super::steps::announced;
use crate::licences;
pub(crate) use environment::{Environment, run as run_command};
pub(crate) use interpreters::{Interpreter, all as interpreters};
pub(super) use output::counts_of;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where the package is, from the root.
const PACKAGE: &str = "crates/hitscan-python";
/// The oldest numpy that has wheels for a version of Python: its minor version and numpy's.
const OLDEST_NUMPY: [(u32, &str); 3] = [(11, "1.26.0"), (12, "1.26.0"), (13, "2.1.0")];

/// `cargo xtask python`: beside the program as users get it.
pub(crate) fn run(root: &Path) -> Result<ExitCode, String> {
    let program = page::release(root)?;
    let counts = checks(root, &program, Extent::All)?;
    Ok(counts.report())
}

/// `cargo xtask wheel`: a wheel for any Linux of the last ten years, in `target/wheels/`. Linked by zig,
/// it needs no newer glibc than `MANYLINUX` names.
pub(crate) fn wheel(root: &Path) -> Result<(), String> {
    const MANYLINUX: &str = "manylinux_2_17";
    let tested = Tested::new(root)?;
    let requirements = tested.package.join("wheel_requirements.txt");
    let folder = tested.folder.join("wheel-environment");
    let interpreter = &tested.interpreters[0];
    let environment = Environment::with_requirements(&folder, interpreter, &requirements)?;
    let wheels = target(root)?.join("wheels");
    let arguments = ["build", "--release", "--strip", "--zig"];
    build(&tested.package, &environment, &arguments, &wheels)?;
    let wheel = newest(&wheels, ".whl")?;
    tested.holds_licences(&environment, &wheel)?;
    if !wheel.to_string_lossy().contains(MANYLINUX) {
        return Err(format!("{}: expected {MANYLINUX}", wheel.display()));
    }
    let empty = Environment::empty(&tested.folder.join("empty"), interpreter)?;
    run_command(empty.pip(&["install"]).arg(&wheel))?;
    tested.first_steps(&empty)?;
    println!("{}", wheel.display());
    Ok(())
}

/// How much is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A wheel that is compiled as the tests are, in half the time.
    Quick,
    /// The wheel as users get it, and what `pip` builds from the source package, which is a build of its own.
    All,
}

/// How a wheel is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wheel {
    /// As the tests are.
    Quick,
    /// As users get it.
    Release,
}

impl Wheel {
    /// The profile in `Cargo.toml`.
    fn profile(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Release => "release",
        }
    }
}

/// The tests of the package; `program` is what its answers are compared with.
pub(super) fn checks(root: &Path, program: &Path, extent: Extent) -> Result<Counts, String> {
    let tested = Tested::new(root)?;
    announced("licences of what the wheel links", || licences::check(root))?;
    let (environment, wheel) = tested.with_wheel(match extent {
        Extent::Quick => Wheel::Quick,
        Extent::All => Wheel::Release,
    })?;
    tested.holds_licences(&environment, &wheel)?;
    let counts = announced("tests of Python", || tested.tests(&environment, program))?;
    announced("types of Python", || tested.types(&environment))?;
    announced("the wheel in every Python", || tested.every_python(&wheel))?;
    if extent == Extent::All {
        announced("the source package", || tested.source_package(&environment))?;
    }
    Ok(counts)
}

/// Runs the tests of a folder elsewhere, in the environment of the package's tests.
pub(super) fn run_tests(root: &Path, folder: &Path) -> Result<Counts, String> {
    let environment = Tested::new(root)?.environment()?;
    let mut pytest = environment.command("python");
    pytest.args(["-m", "pytest", "--quiet"]).arg(folder);
    counted_some(&mut pytest, counts_of)
}

/// Runs an example of the package, by its name, in the environment of the tests.
pub(crate) fn example(root: &Path, name: &str, argument: &Path) -> Result<(), String> {
    let tested = Tested::new(root)?;
    let (environment, _) = tested.with_wheel(Wheel::Release)?;
    let script = tested.package.join("examples").join(name);
    run_command(environment.command("python").arg(script).arg(argument))
}

/// The package and what tests it.
struct Tested {
    package: PathBuf,
    /// Where all that is made for the tests lies.
    folder: PathBuf,
    interpreters: Vec<Interpreter>,
}

impl Tested {
    fn new(root: &Path) -> Result<Self, String> {
        Ok(Self {
            package: root.join(PACKAGE),
            folder: target(root)?.join("python"),
            interpreters: interpreters()?,
        })
    }

    /// The environment of the tests, of the oldest Python that is there: what runs in it runs in newer
    /// ones.
    fn environment(&self) -> Result<Environment, String> {
        let requirements = self.package.join("requirements.txt");
        let folder = self.folder.join("environment");
        Environment::with_requirements(&folder, &self.interpreters[0], &requirements)
    }

    /// That environment with the wheel of this checkout, which is the second.
    fn with_wheel(&self, wheel: Wheel) -> Result<(Environment, PathBuf), String> {
        let environment = announced("packages of Python", || self.environment())?;
        let wheel = announced("the wheel", || {
            let out = self.folder.join("wheels");
            built_wheel(&self.package, &environment, wheel, &out)
        })?;
        announced("the wheel in the tests' environment", || {
            environment.install_wheel(&wheel)
        })?;
        Ok((environment, wheel))
    }

    fn tests(&self, environment: &Environment, program: &Path) -> Result<Counts, String> {
        let mut pytest = environment.command("python");
        pytest
            .args(["-m", "pytest", "--quiet", "tests"])
            .args(["--doctest-modules", "--pyargs", "hitscan"])
            .env("HITSCAN_PROGRAM", program)
            .current_dir(&self.package);
        counted_some(&mut pytest, counts_of)
    }

    /// The package's own types, those of its examples, and that the stub tells what the module has.
    fn types(&self, environment: &Environment) -> Result<(), String> {
        let python = |arguments: &[&str]| {
            let mut command = environment.command("python");
            run_command(command.args(arguments).current_dir(&self.package))
        };
        python(&["-m", "mypy", "--strict", "python/hitscan", "examples"])?;
        python(&[
            "-m",
            "mypy.stubtest",
            "hitscan._hitscan",
            "--allowlist",
            "tests/stubtest_allowlist.txt",
        ])?;
        python(&[
            "-m",
            "numpydoc.hooks.validate_docstrings",
            "--config",
            ".",
            "python/hitscan",
        ])
    }

    /// The wheel in an empty environment of each Python, with the oldest numpy and the newest.
    fn every_python(&self, wheel: &Path) -> Result<(), String> {
        for interpreter in &self.interpreters {
            let [_, minor, _] = interpreter.version;
            let oldest = OLDEST_NUMPY.iter().find(|(of, _)| *of == minor);
            let oldest = oldest.map(|(_, version)| format!("numpy=={version}"));
            for numpy in oldest.into_iter().chain(["numpy".to_owned()]) {
                println!("{interpreter}, {numpy}");
                let empty = Environment::empty(&self.folder.join("empty"), interpreter)?;
                run_command(
                    empty
                        .pip(&["install", "--only-binary=:all:", &numpy])
                        .arg(wheel),
                )?;
                self.first_steps(&empty)?;
            }
        }
        Ok(())
    }

    /// The package as it is built by `pip` from its source package, without a checkout. Unoptimised: that
    /// it builds and answers is what is tested.
    fn source_package(&self, environment: &Environment) -> Result<(), String> {
        let folder = self.folder.join("source");
        build(&self.package, environment, &["sdist"], &folder)?;
        let source = newest(&folder, ".tar.gz")?;
        let newest_python = &self.interpreters[self.interpreters.len() - 1];
        println!("{newest_python}, {}", source.display());
        self.holds_licences(environment, &source)?;
        let empty = Environment::empty(&self.folder.join("empty"), newest_python)?;
        let mut pip = empty.pip(&["install"]);
        pip.arg(&source)
            .env("MATURIN_PEP517_ARGS", "--profile dev")
            .env("CARGO_TARGET_DIR", self.folder.join("source-target"));
        run_command(&mut pip)?;
        self.first_steps(&empty)
    }

    /// That a wheel or a source package has the licence texts of what is linked.
    fn holds_licences(&self, environment: &Environment, package: &Path) -> Result<(), String> {
        let mut python = environment.command("python");
        python.arg(self.package.join("tests/packed_licences.py"));
        run_command(python.arg(package))
    }

    /// A script that needs nothing but the package, run outside of the checkout.
    fn first_steps(&self, environment: &Environment) -> Result<(), String> {
        let mut python = environment.command("python");
        python.arg(self.package.join("tests/first_steps.py"));
        run_command(python.current_dir(&self.folder))
    }
}

/// The wheel for this machine, built into the folder `out` by the maturin of an environment.
pub(super) fn built_wheel(
    package: &Path,
    environment: &Environment,
    wheel: Wheel,
    out: &Path,
) -> Result<PathBuf, String> {
    let arguments = ["build", "--profile", wheel.profile()];
    build(package, environment, &arguments, out)?;
    newest(out, ".whl")
}

/// Calls maturin in the package; what it makes goes to `out`.
fn build(
    package: &Path,
    environment: &Environment,
    arguments: &[&str],
    out: &Path,
) -> Result<(), String> {
    // What an earlier build has left would be taken for this one's.
    if out.exists() {
        fs::remove_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    let mut maturin = environment.command("maturin");
    maturin.args(arguments).arg("--out").arg(out);
    run_command(maturin.current_dir(package))
}

/// Cargo's target folder, in which this program lies.
pub(super) fn target(root: &Path) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    let target = own.ancestors().nth(2);
    Ok(target.map_or_else(|| root.join("target"), Path::to_owned))
}

/// The one file of a folder whose name ends so.
pub(crate) fn newest(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    let none = || format!("no file *{ending} in {}", folder.display());
    files.pop().ok_or_else(none)
}
