//! Files of a scene with a progress report of reading them.

use hitscan::baked::Bytes;
use hitscan_assets::{Error, ReadAt, SceneFiles};
use hitscan_view::Telling;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are read from `inner`, with each reported to `tell`.
pub(super) struct ReportedFiles<'a> {
    inner: &'a dyn SceneFiles,
    tell: Telling<'a>,
    /// Bytes of all files that the scene names, and of those that are read.
    all: Cell<u64>,
    read: Cell<u64>,
    /// The file that was reported last: one whose start is read before the whole is reported once.
    last: RefCell<PathBuf>,
}

impl<'a> ReportedFiles<'a> {
    pub(super) fn new(inner: &'a dyn SceneFiles, tell: Telling<'a>) -> Self {
        Self {
            inner,
            tell,
            all: Cell::new(0),
            read: Cell::new(0),
            last: RefCell::default(),
        }
    }

    fn reported<T>(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<T, Error>,
        length: impl FnOnce(&T) -> u64,
    ) -> Result<T, Error> {
        let all = self.all.get().max(1) as f64;
        // A model leads to files that the scene does not name.
        if self.last.replace(path.to_owned()) != path {
            (self.tell)(Some(path), (self.read.get() as f64 / all).min(1.0));
        }
        let bytes = read()?;
        if self.all.get() > 0 {
            self.read.set(self.read.get() + length(&bytes));
        }
        Ok(bytes)
    }
}

impl SceneFiles for ReportedFiles<'_> {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        self.reported(path, || self.inner.read(path, limit), Vec::length)
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        self.reported(path, || self.inner.read_start(path, most), Vec::length)
    }

    fn open(&self, path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
        self.reported(path, || self.inner.open(path, limit), |file| file.length())
    }

    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        self.inner.locate(folder, path)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        self.inner.list(folder)
    }

    fn keep(&self, path: &Path) -> Result<Option<Bytes<'static>>, Error> {
        self.inner.keep(path)
    }

    fn announce(&self, files: &[PathBuf]) {
        let files: BTreeSet<&PathBuf> = files.iter().collect();
        // A missing file is reported when it is read.
        let lengths = files.iter().filter_map(|file| fs::metadata(file).ok());
        self.all.set(lengths.map(|file| file.len()).sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_assets::{DiskFiles, load_scene_from};

    #[test]
    fn reported_bytes_grow_with_reading() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let model = "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n";
        fs::write(path("a.obj"), model).unwrap();
        fs::write(path("b.obj"), model.repeat(3)).unwrap();
        let entry = |file| format!("[[model]]\nfile = '{file}'\n");
        let text = [entry("a.obj"), entry("b.obj"), entry("a.obj")].concat();
        fs::write(path("scene.toml"), text).unwrap();
        let reported = RefCell::new(Vec::new());
        let tell = |file: Option<&Path>, done: f64| {
            let name = file.and_then(Path::file_name).map(|name| name.to_owned());
            reported
                .borrow_mut()
                .push((name.unwrap().into_string().unwrap(), done));
        };
        load_scene_from(&ReportedFiles::new(&DiskFiles, &tell), &path("scene.toml")).unwrap();
        let reported: Vec<(String, f64)> = reported.into_inner();
        let reported: Vec<(&str, f64)> = reported
            .iter()
            .map(|(name, done)| (name.as_str(), *done))
            .collect();
        assert_eq!(
            reported,
            [("scene.toml", 0.0), ("a.obj", 0.0), ("b.obj", 0.25)]
        );
    }
}
