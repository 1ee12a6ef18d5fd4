//! The bytes behind buffers and buffer views.
//!
//! Buffers are loaded once and together; a compressed view is decoded when it is first used.
//! Elements and their types belong to `accessors.rs`.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Source;
use super::container::Container;
use super::memory::Memory;
use super::{meshopt, uri};
use crate::Error;
use crate::model_file::Notes;
use crate::scene_files::SceneFiles;

/// The content of all buffers of a document.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    source: Source<'a>,
    /// `None` where the document gives a length, but no bytes.
    contents: Vec<Option<Content<'a>>>,
    decoded_views: Vec<OnceCell<Vec<u8>>>,
    memory: Memory,
}

/// The bytes of one buffer. Buffers that name the same file share them.
#[derive(Debug)]
enum Content<'a> {
    Chunk(&'a [u8]),
    Loaded(Rc<Vec<u8>>),
}

impl Deref for Content<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes) => bytes,
            Self::Loaded(bytes) => bytes,
        }
    }
}

impl<'a> Buffers<'a> {
    /// Loads what the buffers of a document refer to, whose own file has `file_length` bytes; each
    /// must have the bytes it states.
    ///
    /// A buffer that is only a placeholder for compressed views is not loaded. One without `uri` in a `.gltf`
    /// file has no bytes, which the specification leaves to other means: its views read as zeros.
    pub(super) fn load(
        files: &dyn SceneFiles,
        source: Source<'a>,
        container: &Container<'a>,
        file_length: usize,
        notes: &mut Notes,
    ) -> Result<Self, Error> {
        let document = source.document;
        let longest = document
            .buffers
            .iter()
            .map(|buffer| buffer.byte_length)
            .max();
        let mut files = Files {
            from: files,
            most: longest
                .and_then(|most| u64::try_from(most).ok())
                .unwrap_or(0),
            read: BTreeMap::new(),
        };
        let mut contents = Vec::with_capacity(document.buffers.len());
        for (index, buffer) in document.buffers.iter().enumerate() {
            let location = format!("buffers[{index}]");
            let content = match &buffer.uri {
                _ if buffer.is_fallback() => None,
                Some(text) => {
                    let location = format!("{location}.uri");
                    Some(Content::Loaded(load(
                        source.path,
                        &location,
                        text,
                        &mut files,
                    )?))
                }
                None if index == 0 && container.is_binary => {
                    let missing = || Error::missing(source.path, &location, "the binary chunk");
                    Some(Content::Chunk(container.bin.ok_or_else(missing)?))
                }
                None => {
                    notes.add("has no bytes and is read as zeros", || location.clone());
                    None
                }
            };
            if let Some(bytes) = &content
                && bytes.len() < buffer.byte_length
            {
                let expected = format!("the {} bytes of its byteLength", buffer.byte_length);
                return Err(source.malformed(location, expected, bytes.len().to_string()));
            }
            contents.push(content);
        }
        let lengths = files.read.values().map(|bytes| bytes.len());
        Ok(Self {
            source,
            contents,
            decoded_views: vec![OnceCell::new(); document.buffer_views.len()],
            memory: Memory::new(lengths.fold(file_length, usize::saturating_add)),
        })
    }

    /// The memory that may still be allocated.
    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The bytes of view `index`, or `None` where its buffer has none.
    pub(super) fn view(&self, index: usize) -> Result<Option<&[u8]>, Error> {
        let view = &self.source.document.buffer_views[index];
        let Some(compression) = view.compression() else {
            let range = view.byte_offset..view.byte_offset + view.byte_length;
            return Ok(self.contents[view.buffer]
                .as_ref()
                .map(|bytes| &bytes[range]));
        };
        if let Some(decoded) = self.decoded_views[index].get() {
            return Ok(Some(decoded));
        }
        let location = || format!("bufferViews[{index}]");
        let Some(bytes) = &self.contents[compression.buffer] else {
            let what = "the content of the buffer that it is compressed in";
            return Err(Error::missing(self.source.path, location(), what));
        };
        self.memory
            .charge(self.source, view.byte_length, location)?;
        let start = compression.byte_offset;
        let compressed = &bytes[start..start + compression.byte_length];
        let decoded = meshopt::decode(self.source, index, compression, compressed)?;
        Ok(Some(self.decoded_views[index].get_or_init(|| decoded)))
    }
}

/// The files that buffers refer to, each read once.
struct Files<'a> {
    from: &'a dyn SceneFiles,
    /// How many bytes of a file are read: no buffer needs more.
    most: u64,
    read: BTreeMap<PathBuf, Rc<Vec<u8>>>,
}

/// The bytes that the URI `text`, which is at `location`, refers to.
fn load(
    path: &Path,
    location: &str,
    text: &str,
    files: &mut Files<'_>,
) -> Result<Rc<Vec<u8>>, Error> {
    if let Some(bytes) = uri::data(path, location, text)? {
        return Ok(Rc::new(bytes));
    }
    let target = uri::file(files.from, path, location, text)?;
    if let Some(bytes) = files.read.get(&target) {
        return Ok(Rc::clone(bytes));
    }
    let bytes = files.from.read_start(&target, files.most);
    let bytes = bytes.map_err(|error| error.referred(path, location, &target))?;
    let bytes = Rc::new(bytes);
    files.read.insert(target, Rc::clone(&bytes));
    Ok(bytes)
}
