//! The thread that reads the scene: at the start, when a page asks for it, and when its files change.

use super::hub::Hub;
use crate::viewer::{Event, LoadedScene};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at that are watched.
const WATCH: Duration = Duration::from_millis(500);

/// The interval of progress reports to pages.
const TELL: Duration = Duration::from_millis(50);

/// Reads the scene and says how far it is: the file that is read, and the fraction that is done. What
/// goes wrong is a message for people.
pub type Loader = Box<dyn FnMut(Telling<'_>) -> Result<Loaded, String> + Send>;

/// The receiver of progress reports.
pub type Telling<'a> = &'a dyn Fn(Option<&Path>, f64);

/// A scene that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The scene, and what it is called.
    pub scene: LoadedScene,
    /// The files that it was read from.
    pub files: Vec<PathBuf>,
}

/// Reads the scene, and again for each word on `again`, or when its files change; until nobody can send
/// there.
///
/// # Errors
/// The message, where the scene cannot be read the first time.
pub(super) fn run(
    mut load: Loader,
    hub: &Weak<Hub>,
    again: &Receiver<()>,
    watches: bool,
) -> Result<(), String> {
    let mut files = read(&mut load, hub)?;
    let mut seen = stamps(&files);
    loop {
        let word = if watches {
            again.recv_timeout(WATCH)
        } else {
            again.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        // Of before reading: a file that changes meanwhile is read again.
        let now = stamps(&files);
        match word {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if now == seen => continue,
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
        }
        seen = now;
        // Where it cannot be read, the scene before stays.
        if let Ok(read) = read(&mut load, hub)
            && read != files
        {
            files = read;
            seen = stamps(&files);
        }
    }
}

/// Reads the scene once, shows what came of it, and returns its files.
fn read(load: &mut Loader, hub: &Weak<Hub>) -> Result<Vec<PathBuf>, String> {
    let tell_pages = |event| {
        if let Some(hub) = hub.upgrade() {
            hub.handle(event);
        }
    };
    let reported = Cell::new(None);
    let tell = |file: Option<&Path>, done: f64| {
        let now = Instant::now();
        if reported.get().is_none_or(|last| now >= last + TELL) {
            reported.set(Some(now));
            let file = file.map(|file| file.display().to_string());
            tell_pages(Event::Loading { file, done });
        }
    };
    tell(None, 0.0);
    match load(&tell) {
        Ok(loaded) => {
            tell_pages(Event::Loaded(loaded.scene));
            Ok(loaded.files)
        }
        Err(message) => {
            tell_pages(Event::Failed(message.clone()));
            Err(message)
        }
    }
}

/// When each file was changed, and how long it is; nothing of one that is not there.
fn stamps(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &PathBuf| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    };
    files.iter().map(stamp).collect()
}
