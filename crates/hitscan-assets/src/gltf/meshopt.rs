//! Buffer views compressed by meshoptimizer: `EXT_meshopt_compression`, `KHR_meshopt_compression`.
//!
//! The extension's numbers are checked here, so that the decoder only allocates as many bytes
//! as the compressed ones can yield. The decoding itself is the `draco-io` crate's.
//!
//! Source: Khronos Group, "EXT_meshopt_compression", 2021, and "KHR_meshopt_compression", 2025.

use draco_io::meshopt::{MeshoptFilter, MeshoptMode, decode_buffer_view};

use super::Source;
use super::document::{BufferView, Compression};
use crate::Error;

/// The most bytes that one compressed byte can decode to.
///
/// The densest stream is that of vertices, version 1: a block has up to 256 elements and one
/// control byte for each 4 bytes of an element, which alone can encode that all of them repeat.
const MAX_EXPANSION: usize = 4 * 256;

fn location(view_index: usize, compression: &str) -> String {
    format!("bufferViews[{view_index}].extensions.{compression}")
}

/// Checks the extension's numbers for the view at `view_index`.
pub(super) fn check(
    source: Source<'_>,
    view_index: usize,
    view: &BufferView,
    compression: &Compression,
) -> Result<(), Error> {
    let Compression {
        byte_stride, count, ..
    } = *compression;
    let mode = mode(source, view_index, compression)?;
    filter(source, view_index, compression)?;
    let is_stride_sound = match mode {
        MeshoptMode::Attributes => {
            byte_stride.is_multiple_of(4) && (4..=256).contains(&byte_stride)
        }
        MeshoptMode::Triangles | MeshoptMode::Indices => byte_stride == 2 || byte_stride == 4,
    };
    if !is_stride_sound {
        let expected = match mode {
            MeshoptMode::Attributes => "a multiple of 4 from 4 to 256",
            MeshoptMode::Triangles | MeshoptMode::Indices => "2 or 4",
        };
        let location = location(view_index, "byteStride");
        return Err(source.malformed(location, expected, byte_stride.to_string()));
    }
    if count.checked_mul(byte_stride) != Some(view.byte_length) {
        let expected = format!(
            "the view's {} bytes in elements of {byte_stride}",
            view.byte_length
        );
        return Err(source.malformed(location(view_index, "count"), expected, count.to_string()));
    }
    let most = compression.byte_length.saturating_mul(MAX_EXPANSION);
    if view.byte_length > most {
        let expected = format!("at most the {most} bytes that the compressed ones can hold");
        let found = view.byte_length.to_string();
        return Err(source.malformed(location(view_index, "count"), expected, found));
    }
    Ok(())
}

/// Decodes `compressed` to the bytes of the view at `view_index`, which [`check`] found sound.
pub(super) fn decode(
    source: Source<'_>,
    view_index: usize,
    compression: &Compression,
    compressed: &[u8],
) -> Result<Vec<u8>, Error> {
    let Compression {
        byte_stride, count, ..
    } = *compression;
    let mode = mode(source, view_index, compression)?;
    let filter = filter(source, view_index, compression)?;
    let mut decoded = vec![0; count * byte_stride];
    decode_buffer_view(&mut decoded, compressed, mode, filter, count, byte_stride).map_err(
        |e| {
            let location = format!("bufferViews[{view_index}]");
            Error::undecodable(
                source.path,
                location,
                "bytes compressed by meshoptimizer",
                e,
            )
        },
    )?;
    Ok(decoded)
}

fn mode(
    source: Source<'_>,
    view_index: usize,
    compression: &Compression,
) -> Result<MeshoptMode, Error> {
    MeshoptMode::from_name(&compression.mode).map_err(|_| {
        let found = format!("`{}`", compression.mode);
        source.malformed(
            location(view_index, "mode"),
            "ATTRIBUTES, TRIANGLES or INDICES",
            found,
        )
    })
}

fn filter(
    source: Source<'_>,
    view_index: usize,
    compression: &Compression,
) -> Result<MeshoptFilter, Error> {
    let name = compression.filter.as_deref().unwrap_or("NONE");
    MeshoptFilter::from_name(name).map_err(|_| {
        source.malformed(
            location(view_index, "filter"),
            "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR",
            format!("`{name}`"),
        )
    })
}
