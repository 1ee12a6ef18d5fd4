//! The outermost layer: a `.glb` file's chunks, or a `.gltf` file's text; and the JSON in it.
//!
//! Which of the two a file is depends on its first four bytes, not on its name. The JSON is not
//! looked at here; see `document.rs` and `check.rs`.

use std::path::Path;

use super::document::Document;
use crate::Error;
use crate::model_file::Notes;

const MAGIC: &[u8] = b"glTF";
const HEADER_LENGTH: usize = 12;
const CHUNK_HEADER_LENGTH: usize = 8;
const CHUNK_JSON: u32 = u32::from_le_bytes(*b"JSON");
const CHUNK_BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The two things that a file can carry.
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
    }
    let json = json.ok_or_else(|| Error::missing(path, "byte 12", "the JSON chunk"))?;
    Ok(Container {
        json,
        bin,
        is_binary: true,
    })
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
    if length > room || !length.is_multiple_of(4) {
        let expected = format!("a chunk length of at most {room} that is a multiple of 4");
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

/// Parses the JSON; an error names the property at which it went wrong.
pub(super) fn parse(path: &Path, json: &[u8]) -> Result<Document, Error> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    let mut parser = serde_json::Deserializer::from_slice(json);
    let refused = |location: String, source: serde_json::Error| {
        let location = if location == "." {
            "JSON".to_owned()
        } else {
            location
        };
        Error::undecodable(path, location, "glTF 2.0 as JSON", source)
    };
    let document: Document = serde_path_to_error::deserialize(&mut parser)
        .map_err(|e| refused(e.path().to_string(), e.into_inner()))?;
    parser
        .end()
        .map_err(|source| refused("the end of the JSON".to_owned(), source))?;

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
