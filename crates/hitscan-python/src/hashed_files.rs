//! The files of a scene, hashed while they are read: what distinguishes one world from another.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use hitscan_assets::{DiskFiles, Error, SceneFiles};
use sha2::{Digest, Sha256};

/// The files on the disk, with the SHA-256 of all that was read, in the order of reading.
///
/// Neither paths nor times count: a copy of the scene elsewhere has the same digest.
#[derive(Default)]
pub(crate) struct HashedFiles {
    hash: RefCell<Sha256>,
}

impl HashedFiles {
    /// The digest in hexadecimal digits.
    pub(crate) fn digest(self) -> String {
        let digest = self.hash.into_inner().finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn hashed(&self, bytes: Vec<u8>) -> Vec<u8> {
        let mut hash = self.hash.borrow_mut();
        // The length keeps bytes from moving between files unseen.
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
        bytes
    }
}

impl SceneFiles for HashedFiles {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        Ok(self.hashed(DiskFiles.read(path, limit)?))
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        Ok(self.hashed(DiskFiles.read_start(path, most)?))
    }

    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        DiskFiles.locate(folder, path)
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        DiskFiles.list(folder)
    }

    fn announce(&self, files: &[PathBuf]) {
        // Which tiles a pattern found, and where those are that only their names place, is in no bytes.
        for name in files.iter().filter_map(|file| file.file_name()) {
            self.hashed(name.as_encoded_bytes().to_vec());
        }
    }
}
