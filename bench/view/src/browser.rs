//! A browser, driven by a script (`browser/drive.mjs`): a line of JSON there, a line back.

use crate::Result;
use crate::program::Program;
use crate::turned::{Frame, Turned};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

pub(crate) struct Browser {
    child: Child,
    asks: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
}

/// What the peer drew of the views that it was given.
pub(crate) struct Replayed {
    pub(crate) frames_a_second: f64,
    pub(crate) rays_a_second: f64,
}

impl Browser {
    pub(crate) fn start() -> Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("browser/drive.mjs");
        let mut child = Command::new("node")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("node: {error}"))?;
        let asks = child.stdin.take();
        let replies = child.stdout.take().ok_or("node has no output")?;
        Ok(Self {
            child,
            asks,
            replies: BufReader::new(replies),
        })
    }

    /// Turns the camera on a page of the program.
    pub(crate) fn turn(
        &mut self,
        program: &Program,
        size: [u32; 2],
        time: Duration,
    ) -> Result<Turned> {
        let what = json!({"ask": "turn", "host": program.host(), "size": size, "ms": millis(time)});
        let reply = self.ask(&what)?;
        let frames = reply["frames"].as_array().ok_or("a turn without frames")?;
        let frames = frames.iter().map(Frame::from_json).collect::<Option<_>>();
        Ok(Turned {
            frames: frames.ok_or("a frame that cannot be read")?,
            seconds: seconds(&reply)?,
        })
    }

    /// Opens the peer on a mesh; how many triangles it has found.
    pub(crate) fn open_peer(&mut self, mesh: &Path) -> Result<usize> {
        let reply = self.ask(&json!({"ask": "peer", "mesh": mesh}))?;
        let triangles = reply["triangles"].as_u64();
        Ok(usize::try_from(
            triangles.ok_or("a peer without triangles")?,
        )?)
    }

    /// Has the peer cast and draw the views of a turn, over and over.
    pub(crate) fn replay(&mut self, turned: &Turned, time: Duration) -> Result<Replayed> {
        let frames: Vec<Value> = turned.frames.iter().map(|frame| frame.to_json()).collect();
        let what = json!({"ask": "replay", "frames": frames, "ms": millis(time)});
        let reply = self.ask(&what)?;
        let seconds = seconds(&reply)?;
        let rate = |name: &str| reply[name].as_f64().map(|count| count / seconds);
        Ok(Replayed {
            frames_a_second: rate("frames").ok_or("a peer without frames")?,
            rays_a_second: rate("rays").ok_or("a peer without rays")?,
        })
    }

    /// How far the peer's rays of a frame go, row by row.
    pub(crate) fn distances(&mut self, frame: &Frame) -> Result<Vec<Option<f64>>> {
        let reply = self.ask(&json!({"ask": "distances", "frame": frame.to_json()}))?;
        let distances = reply["distances"].as_array();
        let distances = distances.ok_or("a peer without distances")?;
        Ok(distances.iter().map(Value::as_f64).collect())
    }

    fn ask(&mut self, what: &Value) -> Result<Value> {
        let asks = self.asks.as_mut().ok_or("the browser is closed")?;
        writeln!(asks, "{what}")?;
        asks.flush()?;
        let mut line = String::new();
        if self.replies.read_line(&mut line)? == 0 {
            return Err("the browser's script has ended".into());
        }
        let reply: Value = serde_json::from_str(&line)?;
        match reply["error"].as_str() {
            Some(error) => Err(format!("in the browser: {error}").into()),
            None => Ok(reply),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The end of its input ends the script, which closes the browser.
        self.asks = None;
        let _ = self.child.wait();
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn seconds(reply: &Value) -> Result<f64> {
    Ok(reply["seconds"].as_f64().ok_or("a reply without a time")?)
}
