//! The use of a command until it ends: seconds of CPU and the most memory, as GNU `time` prints them.
//!
//! The system counts the memory of the process that starts a command as the command's too, and this one
//! holds maps: `time` is small.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Of Debian's package `time`.
const TIME: &str = "/usr/bin/time";

/// What a command has used.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// Seconds of all its threads, those of the system included.
    pub cpu_secs: f64,
    /// The most memory that it had at once, bytes.
    pub peak_bytes: f64,
}

/// Runs a command to its end, with a file in this folder for the figures. What it prints is dropped.
pub fn of(command: &Command, folder: &Path) -> Result<Usage, String> {
    let figures = folder.join("usage.txt");
    let mut timed = Command::new(TIME);
    timed.args(["-f", "%U %S %M", "-o"]).arg(&figures);
    timed.arg(command.get_program()).args(command.get_args());
    timed
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let status = timed
        .status()
        .map_err(|error| format!("{TIME}: {error} (in Debian: apt-get install time)"))?;
    if !status.success() {
        return Err(format!("{command:?}: {status}"));
    }
    let text = fs::read_to_string(&figures).map_err(|error| error.to_string())?;
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    match numbers.as_slice() {
        [user, system, kibibytes] => Ok(Usage {
            cpu_secs: user + system,
            peak_bytes: kibibytes * 1024.0,
        }),
        _ => Err(format!("{TIME} printed {text:?}")),
    }
}
