//! Sources of a scene's files: the disk, or memory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use hitscan::baked::Bytes;

use crate::Error;
use crate::mapped::map_file;
use crate::read_at::{ReadAt, open_file};
use crate::read_file::{read_file, read_start};

/// What a scene's files are read from.
///
/// [`DiskFiles`] is what [`load_scene`](crate::load_scene) uses, [`MemoryFiles`] a scene that is on no
/// disk. One that passes on to another can see how far reading is.
pub trait SceneFiles {
    /// Reads a whole file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`Error::Io`] where it cannot be read, [`Error::Malformed`] where it is longer or no file.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error>;

    /// Reads a file, but not more than its first `most` bytes.
    ///
    /// # Errors
    /// As [`SceneFiles::read`].
    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error>;

    /// Opens a file of at most `limit` bytes that is read in parts, such as a TIFF: no more than one of them
    /// is in memory where the files need not be read whole.
    ///
    /// # Errors
    /// As [`SceneFiles::read`].
    fn open(&self, path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
        Ok(Box::new(self.read(path, limit)?))
    }

    /// Where a file below `folder` really is, links followed; `None` where that is outside the folder.
    ///
    /// # Errors
    /// [`Error::Io`] where there is no such file.
    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error>;

    /// The files of a folder, in any order: for names with `*` and `?`.
    ///
    /// # Errors
    /// [`Error::Io`] where there is no such folder, [`Error::Unsupported`] where these files cannot be
    /// listed.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let what = "a list of its files, which names with `*` and `?` need,";
        Err(Error::unsupported(folder, "the folder", what))
    }

    /// The bytes of a baked world, kept while they are used; `None` where they have to be read.
    ///
    /// # Errors
    /// As [`SceneFiles::read`].
    fn keep(&self, path: &Path) -> Result<Option<Bytes<'static>>, Error> {
        let _ = path;
        Ok(None)
    }

    /// Is given the files that the scene names, before any of them is read. Each is read once or, where
    /// it is named again, not at all; a model may lead to more.
    fn announce(&self, files: &[PathBuf]) {
        let _ = files;
    }
}

/// The files on the disk. Devices, pipes and folders are refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskFiles;

impl SceneFiles for DiskFiles {
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        read_file(path, limit)
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        read_start(path, most)
    }

    fn open(&self, path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
        open_file(path, limit)
    }

    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        let real = |path: &Path| path.canonicalize().map_err(|error| Error::io(path, error));
        let (real_folder, real_path) = (real(folder)?, real(path)?);
        Ok(real_path.starts_with(real_folder).then_some(real_path))
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let failed = |source| Error::io(folder, source);
        let is_here = folder.as_os_str().is_empty();
        let opened = if is_here { Path::new(".") } else { folder };
        std::fs::read_dir(opened)
            .map_err(failed)?
            .map(|entry| Ok(folder.join(entry.map_err(failed)?.file_name())))
            .collect()
    }

    fn keep(&self, path: &Path) -> Result<Option<Bytes<'static>>, Error> {
        map_file(path).map(Some)
    }
}

/// Files in memory, by their paths as the scene names them.
///
/// ```
/// use hitscan_assets::{MemoryFiles, load_scene_from};
/// let scene = "[[model]]\nname = 'sheet'\nfile = 'sheet.obj'\n";
/// let mut files = MemoryFiles::default();
/// files.add("scene.toml", scene);
/// files.add("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n");
/// let scene = load_scene_from(&files, "scene.toml".as_ref())?;
/// assert_eq!(scene.object_names().next(), Some("sheet"));
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles(BTreeMap<PathBuf, Vec<u8>>);

impl MemoryFiles {
    /// Adds a file, in place of one with the same path.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(plain(&path.into()), bytes.into());
    }

    fn get(&self, path: &Path) -> Result<&[u8], Error> {
        let found = self.0.get(&plain(path)).map(Vec::as_slice);
        found.ok_or_else(|| Error::io(path, io::ErrorKind::NotFound.into()))
    }
}

/// A path without the `.` of its own folder, which a reader may put in front.
fn plain(path: &Path) -> PathBuf {
    let parts = path.components();
    parts.filter(|part| *part != Component::CurDir).collect()
}

impl SceneFiles for MemoryFiles {
    /// Files in memory have no limit: they are there already.
    fn read(&self, path: &Path, _: u64) -> Result<Vec<u8>, Error> {
        self.get(path).map(<[u8]>::to_vec)
    }

    fn read_start(&self, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
        let bytes = self.get(path)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(bytes[..bytes.len().min(most)].to_vec())
    }

    /// No file in memory is a link.
    fn locate(&self, folder: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
        self.get(path)?;
        Ok(plain(path)
            .starts_with(plain(folder))
            .then(|| path.to_owned()))
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let own = plain(folder);
        let names = self.0.keys().filter(|path| path.parent() == Some(&own));
        Ok(names
            .filter_map(|path| Some(folder.join(path.file_name()?)))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_scene_from;

    #[test]
    fn a_file_that_is_not_there_is_named_with_its_place() {
        let mut files = MemoryFiles::default();
        files.add(
            "scene.toml",
            "\n[[terrain]]\nheights = 'hill.png'\nspacing = 1.0\n",
        );
        let error = load_scene_from(&files, "scene.toml".as_ref()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("scene.toml: line 3") && text.contains("hill.png"),
            "{text}"
        );
    }

    #[test]
    fn buffers_of_a_model_are_read_from_memory_too() {
        let mut files = MemoryFiles::default();
        files.add("scene.toml", "[[model]]\nfile = 'one.gltf'\n");
        let positions = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let bytes: Vec<u8> = positions
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        files.add(
            "one.bin",
            [bytes.as_slice(), b"more than is needed"].concat(),
        );
        let gltf = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
            "buffers":[{"uri":"one.bin","byteLength":36}],
            "bufferViews":[{"buffer":0,"byteLength":36}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
                "min":[0,0,0],"max":[1,1,0]}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}"#;
        files.add("one.gltf", gltf);
        let scene = load_scene_from(&files, "scene.toml".as_ref()).unwrap();
        assert_eq!(
            scene.models()[0].model.parts()[0].mesh().triangles().len(),
            1
        );
    }
}
