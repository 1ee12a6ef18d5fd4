//! The program under test, on a port of its own.

use crate::Result;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// `hitscan view` of a scene, until it is dropped.
pub(crate) struct Program {
    child: Child,
    host: String,
}

impl Program {
    pub(crate) fn start(path: &str, scene: &Path) -> Result<Self> {
        let mut child = Command::new(path)
            .arg("view")
            .arg(scene)
            .args(["--port", "0", "--no-open", "--no-key"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{path}: {error}"))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.as_mut() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let host = line.trim().strip_prefix("http://");
        let host = host
            .and_then(|rest| rest.split('/').next())
            .unwrap_or_default()
            .to_owned();
        Ok(Self { child, host })
    }

    /// Host and port.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
