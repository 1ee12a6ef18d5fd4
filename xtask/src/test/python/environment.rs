//! Virtual environments under the target folder, made once for each list of packages.

use super::interpreters::Interpreter;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A virtual environment.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment `folder` with the packages of a file of pinned requirements. It is made anew
    /// where its interpreter or the file has changed.
    pub(crate) fn with_requirements(
        folder: &Path,
        interpreter: &Interpreter,
        requirements: &Path,
    ) -> Result<Self, String> {
        let text = fs::read_to_string(requirements)
            .map_err(|error| format!("{}: {error}", requirements.display()))?;
        let wanted = format!("{interpreter} at {}\n{text}", interpreter.path.display());
        let stamp = folder.join("installed.txt");
        let environment = Self {
            folder: folder.to_owned(),
        };
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(environment);
        }
        println!(
            "the packages of {} are missing: pip install",
            requirements.display()
        );
        let environment = Self::empty(folder, interpreter)?;
        let mut pip = environment.pip(&["install", "--requirement"]);
        run(pip.arg(requirements))?;
        fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
        Ok(environment)
    }

    /// An environment with nothing but pip.
    pub(crate) fn empty(folder: &Path, interpreter: &Interpreter) -> Result<Self, String> {
        let mut make = Command::new(&interpreter.path);
        run(make.args(["-m", "venv", "--clear"]).arg(folder))?;
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// A program of the environment, with the environment's own programs before those of the system.
    pub(crate) fn command(&self, program: &str) -> Command {
        let programs = self.folder.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(programs.clone()).chain(std::env::split_paths(&path));
        let mut command = Command::new(programs.join(program));
        if let Ok(path) = std::env::join_paths(all) {
            command.env("PATH", path);
        }
        command.env("VIRTUAL_ENV", &self.folder);
        command
    }

    /// Installs a wheel in place of what was installed of its package, and nothing beside it.
    pub(crate) fn install_wheel(&self, wheel: &Path) -> Result<(), String> {
        let mut pip = self.pip(&["install", "--force-reinstall", "--no-deps"]);
        run(pip.arg(wheel))
    }

    /// A pip command, quiet and without its version check.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("python");
        command
            .args(["-m", "pip", "--quiet", "--disable-pip-version-check"])
            .args(arguments);
        command
    }
}

/// Runs a command to its end; an error that names it where it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed: {status}")),
        Err(error) => Err(format!("{name} did not start: {error}")),
    }
}
