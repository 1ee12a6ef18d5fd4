//! The outermost layer: a `.glb` file's chunks, or a `.gltf` file's text; and the JSON in it.
//!
//! Which of the two a file is depends on its first four bytes, not on its name. The JSON is not
//! looked at here; see `document.rs` and `validation.rs`.

use std::path::Path;

use super::document::Document;
use super::whole_numbers;
use crate::Error;
use crate::model_file::Notes;

const MAGIC: &[u8] = b"glTF";
const HEADER_LENGTH: usize = 12;
const CHUNK_HEADER_LENGTH: usize = 8;
const CHUNK_JSON: u32 = u32::from_le_bytes(*b"JSON");
const CHUNK_BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The content of a file: its JSON and its binary chunk.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// The binary chunk of a `.glb` file.
    pub(super) bin: Option<&'a [u8]>,
    pub(super) is_binary: bool,
}

/// Finds the JSON and the binary chunk in a file's bytes.
pub(super) fn open<'a>(
    path: &Path,
    bytes: &'a [u8],
    notes: &mut Notes,
) -> Result<Container<'a>, Error> {
    if bytes.starts_with(MAGIC) {
        return open_binary(path, bytes, notes);
    }
    Ok(Container {
        json: bytes,
        bin: None,
        is_binary: false,
    })
}

fn open_binary<'a>(
    path: &Path,
    bytes: &'a [u8],
    notes: &mut Notes,
) -> Result<Container<'a>, Error> {
    let [version, length] = [4, 8].map(|at| u32_at(bytes, at));
    let (Some(version), Some(length)) = (version, length) else {
        let found = format!("{} bytes", bytes.len());
        return Err(Error::malformed(
            path,
            "byte 4",
            "a header of 12 bytes",
            found,
        ));
    };
    if version != 2 {
        let what = format!("GLB version {version} (only 2 is)");
        return Err(Error::unsupported(path, "byte 4", what));
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let Some(bytes) = bytes.get(..length).filter(|_| length >= HEADER_LENGTH) else {
        let expected = format!("a length of 12 to {} bytes, as the file has", bytes.len());
        return Err(Error::malformed(
            path,
            "byte 8",
            expected,
            length.to_string(),
        ));
    };

    let mut json = None;
    let mut bin = None;
    let mut at = HEADER_LENGTH;
    while at < bytes.len() {
        let (kind, chunk) = chunk_at(path, bytes, at)?;
        match (kind, at) {
            (CHUNK_JSON, HEADER_LENGTH) => json = Some(chunk),
            (_, HEADER_LENGTH) => {
                let found = format!("a chunk of type {kind:#010x}");
                return Err(Error::malformed(
                    path,
                    "byte 16",
                    "a JSON chunk first",
                    found,
                ));
            }
            (CHUNK_BIN, _) if bin.is_none() => bin = Some(chunk),
            _ => notes.add("is an unknown chunk and left out", || format!("byte {at}")),
        }
        at += CHUNK_HEADER_LENGTH + chunk.len();
        if !chunk.len().is_multiple_of(4) {
            notes.add("follows a chunk whose length is no multiple of 4", || {
                format!("byte {at}")
            });
            at = after_padding(bytes, at);
        }
    }
    let json = json.ok_or_else(|| Error::missing(path, "byte 12", "the JSON chunk"))?;
    Ok(Container {
        json,
        bin,
        is_binary: true,
    })
}

/// Where the chunk after an unaligned one starts, which ends at byte `at`: some writers count the
/// padding in its length, some leave it out of the length, and some write none.
fn after_padding(bytes: &[u8], at: usize) -> usize {
    let aligned = at.next_multiple_of(4).min(bytes.len());
    let is_padding = bytes[at..aligned]
        .iter()
        .all(|byte| matches!(byte, 0 | b' '));
    let is_start = aligned == bytes.len()
        || matches!(u32_at(bytes, aligned + 4), Some(CHUNK_JSON | CHUNK_BIN));
    if is_padding && is_start { aligned } else { at }
}

/// The type and content of the chunk whose header is at byte `at`.
fn chunk_at<'a>(path: &Path, bytes: &'a [u8], at: usize) -> Result<(u32, &'a [u8]), Error> {
    let location = || format!("byte {at}");
    let rest = bytes.len() - at;
    let (Some(length), Some(kind)) = (u32_at(bytes, at), u32_at(bytes, at + 4)) else {
        let found = format!("{rest} bytes");
        return Err(Error::malformed(
            path,
            location(),
            "a chunk header of 8 bytes",
            found,
        ));
    };
    let room = rest - CHUNK_HEADER_LENGTH;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length > room {
        let expected = format!("a chunk length of at most {room}");
        return Err(Error::malformed(
            path,
            location(),
            expected,
            length.to_string(),
        ));
    }
    let start = at + CHUNK_HEADER_LENGTH;
    Ok((kind, &bytes[start..start + length]))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*field))
}

/// The JSON without the mark that some programs write before it.
pub(super) fn unmarked(json: &[u8]) -> &[u8] {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json)
}

/// Parses the JSON; an error names the property at which it went wrong.
///
/// Whole numbers may be written as `1.0`, which JSON does not tell from `1`.
pub(super) fn parse(path: &Path, json: &[u8], notes: &mut Notes) -> Result<Document, Error> {
    let json = unmarked(json);
    let document = match document_of(json) {
        Ok(document) => document,
        Err((location, source)) => {
            let refused = || Error::undecodable(path, &location, "glTF 2.0 as JSON", source);
            let Some(plain) = whole_numbers::without_fractions(json) else {
                return Err(refused());
            };
            match document_of(&plain) {
                Ok(document) => {
                    notes.add("is a whole number that is written with a fraction", || {
                        location
                    });
                    document
                }
                Err((location, source)) => {
                    return Err(Error::undecodable(
                        path,
                        location,
                        "glTF 2.0 as JSON",
                        source,
                    ));
                }
            }
        }
    };

    let needed = document.asset.min_version.as_ref();
    let (name, version) = needed.map_or(("version", &document.asset.version), |minimum| {
        ("minVersion", minimum)
    });
    let is_readable = match name {
        "minVersion" => version == "2.0",
        _ => version.starts_with("2."),
    };
    if !is_readable {
        let what = format!("glTF version {version} (2.0 is)");
        return Err(Error::unsupported(path, format!("asset.{name}"), what));
    }
    Ok(document)
}

/// The document in `json`, or the property at which it is wrong.
fn document_of(json: &[u8]) -> Result<Document, (String, serde_json::Error)> {
    let mut parser = serde_json::Deserializer::from_slice(json);
    let document = serde_path_to_error::deserialize(&mut parser).map_err(|error| {
        let location = match error.path().to_string() {
            root if root == "." => "JSON".to_owned(),
            property => property,
        };
        (location, error.into_inner())
    })?;
    let end = parser.end();
    end.map_err(|source| ("the end of the JSON".to_owned(), source))?;
    Ok(document)
}
