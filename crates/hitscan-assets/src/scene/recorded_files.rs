//! The files that a scene was really read from: those that it names, and those that models lead to.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hitscan::baked::Bytes;

use crate::Error;
use crate::read_at::ReadAt;
use crate::scene_files::SceneFiles;

/// Files of a source, with a record of those that are read.
pub(super) struct RecordedFiles<'a> {
    files: &'a dyn SceneFiles,
    read: RefCell<BTreeSet<PathBuf>>,
}

impl<'a> RecordedFiles<'a> {
    pub(super) fn new(files: &'a dyn SceneFiles) -> Self {
        let read = RefCell::default();
        Self { files, read }
    }

    /// Those that were read and are not among `named`, sorted.
    pub(super) fn beside(&self, named: &[PathBuf]) -> Vec<PathBuf> {
        let named: BTreeSet<&PathBuf> = named.iter().collect();
        let read = self.read.borrow();
        let others = read.iter().filter(|path| !named.contains(path));
        others.cloned().collect()
    }

    fn note(&self, path: &Path) {
        self.read.borrow_mut().insert(path.to_owned());
    }
}

impl SceneFiles for RecordedFiles<'_> {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        self.note(path);
        self.files.read(path, limit)
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        self.note(path);
        self.files.read_start(path, most)
    }

    fn open(&self, path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
        self.note(path);
        self.files.open(path, limit)
    }

    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        self.files.locate(folder, path)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        self.files.list(folder)
    }

    fn keep(&self, path: &Path) -> Result<Option<Bytes<'static>>, Error> {
        self.note(path);
        self.files.keep(path)
    }

    fn announce(&self, files: &[PathBuf]) {
        self.files.announce(files);
    }
}
