//! `cargo xtask fuzz [MINUTES]`: the library's oracles and properties, and messages to the viewer, with
//! other random numbers in each round.

use crate::test::WHOLE;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What compares the library with oracles and with itself, and what feeds the viewer arbitrary messages:
/// the package, its test targets, and the names of the tests where not all are meant.
const SUITES: [(&str, &[&str], &[&str]); 2] = [
    (
        "hitscan-testkit",
        &["*_oracle", "*_prop", "baked_worlds"],
        &[],
    ),
    ("hitscan-view", &["viewer"], &["random_messages"]),
];

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
        for suite in SUITES {
            let output = tests(root, suite)
                .arg("--no-fail-fast")
                .arg("--")
                .args(suite.2)
                .env("HITSCAN_SEED", seed.to_string())
                .env(WHOLE.0, WHOLE.1)
                .output()
                .map_err(|error| format!("cargo cannot be started: {error}"))?;
            if !output.status.success() {
                println!("{}", String::from_utf8_lossy(&output.stdout));
                let again = format!(
                    "{}={} cargo test -p {} --test NAME",
                    WHOLE.0, WHOLE.1, suite.0
                );
                return Err(format!(
                    "fuzz: round {round} failed; again: HITSCAN_SEED={seed} {again}"
                ));
            }
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

fn tests(root: &Path, (package, targets, _): (&str, &[&str], &[&str])) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root).args(["test", "-p", package]);
    for target in targets {
        command.args(["--test", target]);
    }
    command
}

/// Builds the suites, so that rounds measure no builds.
fn build(root: &Path) -> Result<(), String> {
    for suite in SUITES {
        let status = tests(root, suite)
            .arg("--no-run")
            .status()
            .map_err(|error| format!("cargo cannot be started: {error}"))?;
        if !status.success() {
            return Err(format!("fuzz: the suites do not build: {status}"));
        }
    }
    Ok(())
}
