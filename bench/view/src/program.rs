//! The program under test, on a port of its own.

use crate::Result;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// `hitscan view` of the demo's scene, until it is dropped.
pub(crate) struct Program {
    folder: PathBuf,
    child: Child,
    host: String,
}

impl Program {
    pub(crate) fn start(path: &str) -> Result<Self> {
        let folder =
            std::env::temp_dir().join(format!("hitscan-bench-view-{}", std::process::id()));
        let demo = Command::new(path)
            .args(["demo", "--out"])
            .arg(&folder)
            .output();
        let demo = demo.map_err(|error| format!("{path}: {error}"))?;
        if !demo.status.success() {
            return Err(format!("{path} demo failed").into());
        }
        let mut child = Command::new(path)
            .arg("view")
            .arg(folder.join("scene.toml"))
            .args(["--port", "0", "--no-open"])
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
        Ok(Self {
            folder,
            child,
            host,
        })
    }

    /// The scene that it shows.
    pub(crate) fn scene(&self) -> PathBuf {
        self.folder.join("scene.toml")
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
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
