//! The thread that reads the scene: at the start, when a page requests it, and when its files change.

use super::hub::Hub;
use crate::viewer::{Event, LoadedScene};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at that are watched.
const WATCH: Duration = Duration::from_millis(500);

/// The interval of progress reports to pages.
const TELL: Duration = Duration::from_millis(50);

/// What the clock that stamps files may be behind [`SystemTime::now`]: a tick of a kernel at 100 Hz, twice.
const TICK: Duration = Duration::from_millis(20);

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
    let mut seen = read(&mut load, hub, &Stamps::new())?;
    loop {
        let word = if watches {
            again.recv_timeout(WATCH)
        } else {
            again.recv().map_err(|_| RecvTimeoutError::Disconnected)
        };
        // Of before reading: a file that changes meanwhile is read again.
        let now = stamps(seen.keys());
        match word {
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) if now == seen => continue,
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
        }
        // Where it cannot be read, the scene before stays.
        seen = read(&mut load, hub, &now).unwrap_or(now);
    }
}

/// Reads the scene once, shows what came of it, and returns the stamps of its files from before they were
/// read. Those in `before` were taken just now.
fn read(load: &mut Loader, hub: &Weak<Hub>, before: &Stamps) -> Result<Stamps, String> {
    let began = SystemTime::now();
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
            let mut read = stamps(&loaded.files);
            for (file, stamp) in &mut read {
                *stamp = match before.get(file) {
                    Some(before) => *before,
                    // It may be newer than what was read of it.
                    None => stamp.filter(|(modified, _)| *modified + TICK < began),
                };
            }
            // Pages hear of the scene last: whoever edits a file on their word finds it watched.
            tell_pages(Event::Loaded(loaded.scene));
            Ok(read)
        }
        Err(message) => {
            tell_pages(Event::Failed(message.clone()));
            Err(message)
        }
    }
}

/// When each file was changed, and how long it is; nothing of one that is not there.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

fn stamps<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Stamps {
    let stamp = |file: &PathBuf| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    };
    let stamped = |file: &PathBuf| (file.clone(), stamp(file));
    files.into_iter().map(stamped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::SceneSource;
    use hitscan_assets::{DiskFiles, load_scene_from};
    use std::fs;
    use std::sync::mpsc;

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("scene.toml");
        let ball =
            |name| format!("[[sphere]]\nname = \"{name}\"\ncenter = [0, 0, 0]\nradius = 1\n");
        fs::write(&file, ball("ball")).unwrap();
        let (texts, read) = mpsc::channel();
        let (word, again) = mpsc::channel();
        let load: Loader = Box::new(move |_| {
            let text = fs::read_to_string(&file).unwrap();
            let scene = load_scene_from(&DiskFiles, &file).unwrap();
            if text == ball("ball") {
                fs::write(&file, ball("globe")).unwrap();
            }
            texts.send(text).unwrap();
            Ok(Loaded {
                scene: LoadedScene {
                    scene,
                    name: String::new(),
                    title: String::new(),
                    notes: Vec::new(),
                    source: SceneSource::default(),
                },
                files: vec![file.clone()],
            })
        });
        let reader = std::thread::spawn(move || run(load, &Weak::new(), &again, true));
        let patience = Duration::from_secs(60);
        for name in ["ball", "globe"] {
            assert!(read.recv_timeout(patience).unwrap().contains(name));
        }
        drop(word);
        reader.join().unwrap().unwrap();
    }
}
