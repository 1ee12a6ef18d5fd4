//! `cargo xtask fuzz [MINUTES]`: the library's oracles and properties with other random numbers in each
//! round.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What compares the library with oracles and with itself.
const SUITES: [&str; 2] = ["*_oracle", "*_prop"];

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let minutes = match arguments {
        [] => 10.0,
        [text] => match text.parse::<f64>() {
            Ok(minutes) if minutes > 0.0 && minutes.is_finite() => minutes,
            _ => return Err(format!("fuzz: {text} is no number of minutes")),
        },
        _ => return Err("fuzz: expected a number of minutes and nothing else".to_owned()),
    };
    let whole = Duration::from_secs_f64(60.0 * minutes);
    build(root)?;
    let begin = Instant::now();
    // Rounds are counted on from a time, so that each run tries numbers of its own.
    let first = std::time::UNIX_EPOCH
        .elapsed()
        .map_err(|error| format!("fuzz: the clock is before 1970: {error}"))?
        .as_secs();
    let mut round = 0;
    while begin.elapsed() < whole {
        let seed = first + round;
        let output = tests(root)
            .arg("--no-fail-fast")
            .env("HITSCAN_SEED", seed.to_string())
            .output()
            .map_err(|error| format!("cargo cannot be started: {error}"))?;
        if !output.status.success() {
            println!("{}", String::from_utf8_lossy(&output.stdout));
            let again = "cargo test -p hitscan-testkit --test NAME";
            return Err(format!(
                "fuzz: round {round} failed; again: HITSCAN_SEED={seed} {again}"
            ));
        }
        round += 1;
        println!(
            "{:4.0} s: seed {seed} passed",
            begin.elapsed().as_secs_f64()
        );
    }
    println!("{round} rounds passed");
    Ok(())
}

fn tests(root: &Path) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(root)
        .args(["test", "-p", "hitscan-testkit"]);
    for suite in SUITES {
        command.args(["--test", suite]);
    }
    command
}

/// Builds the suites, so that rounds measure no builds.
fn build(root: &Path) -> Result<(), String> {
    let status = tests(root)
        .arg("--no-run")
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("fuzz: the suites do not build: {status}"))
}
