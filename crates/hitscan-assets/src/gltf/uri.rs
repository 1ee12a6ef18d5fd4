//! Buffer URIs: bytes within the URI itself, or a file beside the model.
//!
//! A file must lie inside the model's own folder. The URI is percent-decoded first; then an absolute
//! path, `..`, a scheme or drive letter (any colon), a backslash and a NUL are refused on every
//! platform alike; last, symbolic links are followed, and where they lead out of the folder the file
//! is refused too.

use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::Error;
use crate::scene_files::SceneFiles;

/// Takes base64 with and without padding, as files in the wild have both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes in a `data:` URI, or `None` if `uri` is no such URI.
pub(super) fn data(path: &Path, location: &str, uri: &str) -> Result<Option<Vec<u8>>, Error> {
    const SCHEME: &str = "data:";
    let is_data = uri
        .get(..SCHEME.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(SCHEME));
    if !is_data {
        return Ok(None);
    }
    let Some((media_type, content)) = uri[SCHEME.len()..].split_once(',') else {
        let found = "a data URI without a comma";
        return Err(Error::malformed(
            path,
            location,
            "`data:<type>;base64,<bytes>`",
            found,
        ));
    };
    let content: Vec<u8> = percent_decode_str(content).collect();
    let is_base64 = media_type
        .rsplit(';')
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Ok(Some(content));
    }
    let bytes = BASE64
        .decode(content)
        .map_err(|source| Error::undecodable(path, location, "base64", source))?;
    Ok(Some(bytes))
}

/// The file that `uri`, found in the model at `path`, refers to, links resolved.
pub(super) fn file(
    files: &dyn SceneFiles,
    path: &Path,
    location: &str,
    uri: &str,
) -> Result<PathBuf, Error> {
    let outside = || Error::OutsideFolder {
        path: path.to_owned(),
        location: location.to_owned(),
        target: uri.to_owned(),
    };
    let name = percent_decode_str(uri)
        .decode_utf8()
        .map_err(|source| Error::undecodable(path, location, "a file name in UTF-8", source))?;
    if name.is_empty() || name.contains(['\\', ':', '\0']) {
        return Err(outside());
    }
    let relative = Path::new(name.as_ref());
    let is_inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside {
        return Err(outside());
    }

    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let target = folder.join(relative);
    let real = files.locate(folder, &target);
    let real = real.map_err(|error| error.referred(path, location, &target))?;
    real.ok_or_else(outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_files::DiskFiles;

    fn data_of(uri: &str) -> Option<Vec<u8>> {
        data(Path::new("m.gltf"), "buffers[0].uri", uri).unwrap()
    }

    #[test]
    fn data_uris_are_decoded() {
        let cases: [(&str, &[u8]); 7] = [
            ("data:application/octet-stream;base64,AAEC", &[0, 1, 2]),
            ("data:;base64,AAE=", &[0, 1]),
            ("data:;base64,AAE", &[0, 1]),
            ("data:;base64,AAE%3D", &[0, 1]),
            ("DATA:application/gltf-buffer;BASE64,/+8=", &[255, 239]),
            ("data:text/plain,a%20b", b"a b"),
            ("data:;base64,", b""),
        ];
        for (uri, bytes) in cases {
            assert_eq!(data_of(uri).as_deref(), Some(bytes), "{uri}");
        }
        assert_eq!(data_of("box.bin"), None);
        assert_eq!(data_of("dät"), None);
    }

    #[test]
    fn broken_data_uris_are_refused() {
        for uri in ["data:base64", "data:;base64,A", "data:;base64,A?A="] {
            assert!(
                data(Path::new("m.gltf"), "buffers[0].uri", uri).is_err(),
                "{uri}"
            );
        }
    }

    #[test]
    fn files_outside_the_folder_are_refused() {
        let cases = [
            "../a.bin",
            "%2e%2E/a.bin",
            "b/../../a.bin",
            "b/../a.bin",
            "/etc/passwd",
            "%2Fetc/passwd",
            "//host/a.bin",
            "C:a.bin",
            "C:\\a.bin",
            "\\\\host\\a.bin",
            "..\\a.bin",
            "..%5Ca.bin",
            "http://host/a.bin",
            "file:///a.bin",
            "a.bin%00.png",
            "",
        ];
        for uri in cases {
            let refusal = file(
                &DiskFiles,
                Path::new("folder/m.gltf"),
                "buffers[0].uri",
                uri,
            );
            assert!(matches!(refusal, Err(Error::OutsideFolder { .. })), "{uri}");
        }
    }
}
