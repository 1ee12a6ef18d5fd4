//! One build from nothing, and what it took.

use super::super::PLAIN_CARGO;
use super::{Profile, Subject};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// Where the wrapper around rustc adds a line for each run.
const LOG: &str = "HITSCAN_COST_LOG";
/// Runs rustc under GNU time: seconds in the program and in the kernel, seconds on the clock, the
/// peak of memory in kB, the command.
const WRAPPER: &str = "#!/bin/sh
exec time --quiet --append --output \"$HITSCAN_COST_LOG\" --format '%U %S %e %M %C' \"$@\"
";
/// The cores for which cargo and rustc are let run.
const CORES: &str = "2";

/// What some runs of rustc took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Taken {
    pub cpu_secs: f64,
    pub wall_secs: f64,
    /// Of the largest run.
    pub peak_bytes: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// The library's own crate.
    pub own: Taken,
    /// The small program with all that it depends on.
    pub all: Taken,
    pub rlib_bytes: u64,
    /// The small program's.
    pub text_bytes: u64,
    /// Where the tool that counts them is installed.
    pub llvm_lines: Option<u64>,
}

/// The program from nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Program {
    pub all: Taken,
    /// As it is installed.
    pub file_bytes: u64,
    pub text_bytes: u64,
    pub crates: usize,
}

/// Whether the tools are there that everything needs.
pub(super) fn check_tools() -> Result<(), String> {
    for (tool, package) in [("time", "time"), ("size", "binutils")] {
        let output = Command::new(tool).arg("--version").output();
        if !output.is_ok_and(|output| output.status.success()) {
            return Err(format!(
                "{tool} is missing: Debian has it in the package {package}"
            ));
        }
    }
    Ok(())
}

pub(super) fn build(
    root: &Path,
    targets: &Path,
    subject: Subject,
    profile: Profile,
) -> Result<Measured, String> {
    let target = targets.join(format!("{}-{}", subject.user, profile.name));
    make_empty(&target)?;
    let (wrapper, log) = (target.join("rustc.sh"), target.join("log"));
    write_program(&wrapper)?;

    let bench = root.join("bench");
    let start = Instant::now();
    run(cargo(&bench, "build", &target)
        .args(["--quiet", "--jobs", CORES, "--profile", profile.name])
        .args(["--package", subject.user])
        .env("RUSTC_WRAPPER", &wrapper)
        .env(LOG, &log))?;
    let wall_secs = start.elapsed().as_secs_f64();

    let log = fs::read_to_string(&log).map_err(|error| place(&log, error))?;
    let runs: Vec<(String, Taken)> = log.lines().filter_map(run_of_rustc).collect();
    let own = runs.iter().find(|(name, _)| name == subject.library);
    let own = own.ok_or(format!("no rustc built {}", subject.library))?.1;
    let peaks = runs.iter().map(|(_, taken)| taken.peak_bytes);
    let all = Taken {
        cpu_secs: runs.iter().map(|(_, taken)| taken.cpu_secs).sum(),
        wall_secs,
        peak_bytes: peaks.fold(0.0, f64::max),
    };
    let built = target.join(profile.folder);
    Ok(Measured {
        own,
        all,
        rlib_bytes: rlib_bytes(&built.join("deps"), subject.library)?,
        text_bytes: text_bytes(&built.join(subject.user))?,
        llvm_lines: llvm_lines(&bench, &target, subject, profile)?,
    })
}

/// The program `hitscan`, built from nothing in release.
pub(super) fn program(root: &Path, targets: &Path) -> Result<Program, String> {
    let target = targets.join("program");
    make_empty(&target)?;
    let log = target.join("log");
    println!("building the program hitscan");
    // What build scripts compile counts too, so that cargo is timed and not each rustc.
    let mut build = Command::new("time");
    build
        .args(["--quiet", "--format", "%U %S %e %M", "--output"])
        .arg(&log)
        .arg(env!("CARGO"))
        .args([
            "build",
            "--locked",
            "--quiet",
            "--jobs",
            CORES,
            "--target-dir",
        ])
        .arg(&target)
        .args(["--release", "--package", "hitscan-cli"])
        .envs(PLAIN_CARGO)
        .current_dir(root);
    run(&mut build)?;
    let times = fs::read_to_string(&log).map_err(|error| place(&log, error))?;
    let numbers: Vec<f64> = (times.split_whitespace())
        .filter_map(|number| number.parse().ok())
        .collect();
    let &[user, kernel, wall_secs, kilobytes] = numbers.as_slice() else {
        return Err(format!("time said {times:?}"));
    };
    let file = target.join("release").join("hitscan");
    Ok(Program {
        all: Taken {
            cpu_secs: user + kernel,
            wall_secs,
            peak_bytes: kilobytes * 1024.0,
        },
        file_bytes: fs::metadata(&file)
            .map_err(|error| place(&file, error))?
            .len(),
        text_bytes: text_bytes(&file)?,
        crates: crates(root)?,
    })
}

/// How many crates the program is made of, those of procedural macros and build scripts too.
fn crates(root: &Path) -> Result<usize, String> {
    let mut tree = Command::new(env!("CARGO"));
    let output = run(tree
        .args([
            "tree",
            "--locked",
            "--package",
            "hitscan-cli",
            "--prefix",
            "none",
        ])
        .args(["--edges", "normal,build", "--no-dedupe", "--format", "{p}"])
        .current_dir(root))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let names: std::collections::BTreeSet<&str> = (said.lines())
        .map(|line| line.trim_end_matches(" (proc-macro)"))
        .filter(|line| !line.is_empty())
        .collect();
    Ok(names.len())
}

fn make_empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| place(folder, error))?;
    }
    fs::create_dir_all(folder).map_err(|error| place(folder, error))
}

fn cargo(workspace: &Path, task: &str, target: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .args([task, "--locked", "--target-dir"])
        .arg(target)
        .envs(PLAIN_CARGO)
        .current_dir(workspace);
    command
}

/// Runs to the end; what it says on standard error is shown.
fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("{command:?}: {}", output.status))
    }
}

fn write_program(file: &Path) -> Result<(), String> {
    fs::write(file, WRAPPER).map_err(|error| place(file, error))?;
    let mode = Command::new("chmod").arg("+x").arg(file).status();
    let is_done = mode.map_err(|error| place(file, error))?.success();
    is_done
        .then_some(())
        .ok_or(format!("{} cannot be made a program", file.display()))
}

/// The crate and what building it took, of a line that the wrapper wrote; `None` where rustc was
/// only queried for its version or the like.
fn run_of_rustc(line: &str) -> Option<(String, Taken)> {
    let mut words = line.split_whitespace();
    let mut number = || words.next()?.parse::<f64>().ok();
    let (user, kernel, wall_secs, kilobytes) = (number()?, number()?, number()?, number()?);
    let mut words = words.skip_while(|word| *word != "--crate-name").skip(1);
    let name = words.next().filter(|name| *name != "___")?;
    let taken = Taken {
        cpu_secs: user + kernel,
        wall_secs,
        peak_bytes: kilobytes * 1024.0,
    };
    Some((name.to_owned(), taken))
}

/// The size of a library's only archive among what was built.
fn rlib_bytes(folder: &Path, library: &str) -> Result<u64, String> {
    let prefix = format!("lib{library}-");
    let entries = fs::read_dir(folder).map_err(|error| place(folder, error))?;
    let is_it = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&prefix) && name.ends_with(".rlib"))
    };
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let file = files.find(is_it);
    let file = file.ok_or(format!("{} has no {prefix}*.rlib", folder.display()))?;
    let metadata = fs::metadata(&file).map_err(|error| place(&file, error))?;
    Ok(metadata.len())
}

/// The bytes of machine code in a program.
fn text_bytes(program: &Path) -> Result<u64, String> {
    let output = run(Command::new("size").args(["--format=sysv"]).arg(program))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let section = |line: &str| {
        let mut words = line.split_whitespace();
        let is_text = words.next() == Some(".text");
        is_text.then(|| words.next()?.parse().ok()).flatten()
    };
    let found = said.lines().find_map(section);
    found.ok_or(format!("{} has no text", program.display()))
}

/// The lines of LLVM's language that a library becomes, where `cargo llvm-lines` is installed.
fn llvm_lines(
    bench: &Path,
    target: &Path,
    subject: Subject,
    profile: Profile,
) -> Result<Option<u64>, String> {
    let mut version = Command::new(env!("CARGO"));
    let version = version.args(["llvm-lines", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        return Ok(None);
    }
    let output = run(cargo(bench, "llvm-lines", &target.join("llvm-lines"))
        .args(["--quiet", "--lib", "--profile", profile.name])
        .args(["--package", subject.library]))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find(|line| line.contains("(TOTAL)"));
    let count = total.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let count = count.ok_or(format!("cargo llvm-lines says no total:\n{said}"));
    count.map(Some)
}

fn place(file: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_names_its_crate() {
        let line = "1.50 0.25 1.10 2048 rustc --crate-name glam --edition=2021 src/lib.rs";
        let taken = Taken {
            cpu_secs: 1.75,
            wall_secs: 1.1,
            peak_bytes: 2_097_152.0,
        };
        assert_eq!(run_of_rustc(line), Some(("glam".to_owned(), taken)));
        assert_eq!(run_of_rustc("0.01 0.00 0.02 900 rustc -vV"), None);
        let probe = "0.01 0.00 0.02 900 rustc - --crate-name ___ --print=file-names";
        assert_eq!(run_of_rustc(probe), None);
    }
}
