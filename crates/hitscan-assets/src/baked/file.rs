//! Writes and reads the header, the list of sections and the sections.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use hitscan::baked::{Bytes, VERSION};
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::Error;
use crate::mapped::map_file;
use crate::read_file::read_start;

/// The first bytes of a baked file; the first is in no text.
pub(crate) const MAGIC: [u8; 8] = *b"\x89hitscan";

const ENDIANNESS: u32 = 0x0102_0304;
const HEADER: usize = 64;
const ENTRY: usize = 32;
/// Where the header's own check is.
const CHECK: usize = 48;
/// Sections begin at multiples of this: a cache line, which no array's alignment exceeds.
const ALIGNMENT: usize = 64;

/// Whether a file that begins with these bytes is a baked world, of whichever version.
#[must_use]
pub fn is_baked(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// Whether the file at `path` is a baked world, of whichever version.
///
/// # Errors
/// [`Error::Io`] where it cannot be read, [`Error::Malformed`] where it is no regular file.
pub fn is_baked_file(path: &Path) -> Result<bool, Error> {
    Ok(is_baked(&read_start(path, MAGIC.len() as u64)?))
}

/// What the header of a baked file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The version of the format.
    pub version: u32,
    /// The length of the file, bytes.
    pub length: u64,
    /// How many sections there are.
    pub sections: usize,
    /// A hash of all that is in the file: worlds that answer alike, down to their names, have the same.
    pub content_hash: u128,
}

struct Section {
    offset: usize,
    length: usize,
    hash: u128,
}

/// Writes `table` and `arrays` as a file.
pub(crate) fn write(table: &[u8], arrays: &[Cow<'_, [u8]>], to: &mut dyn Write) -> io::Result<()> {
    let contents = || std::iter::once(table).chain(arrays.iter().map(|array| &**array));
    let count = 1 + arrays.len();
    let mut end = HEADER + count * ENTRY;
    let mut list = Vec::with_capacity(count * ENTRY);
    let mut hashes = Vec::with_capacity(count * ENTRY);
    for content in contents() {
        let offset = end.next_multiple_of(ALIGNMENT);
        end = offset + content.len();
        let (length, hash) = (content.len() as u64, XxHash3_128::oneshot(content));
        list.extend((offset as u64).to_le_bytes());
        for bytes in [&mut list, &mut hashes] {
            bytes.extend(length.to_le_bytes());
            bytes.extend(hash.to_le_bytes());
        }
    }
    let mut header = Vec::with_capacity(HEADER + list.len());
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend(ENDIANNESS.to_le_bytes());
    header.extend((end as u64).to_le_bytes());
    header.extend((count as u64).to_le_bytes());
    header.extend(XxHash3_128::oneshot(&hashes).to_le_bytes());
    let check = check_of(&header, &list);
    header.extend(check.to_le_bytes());
    header.extend(0_u64.to_le_bytes());
    header.extend(list);
    to.write_all(&header)?;
    let mut place = header.len();
    for content in contents() {
        let offset = place.next_multiple_of(ALIGNMENT);
        to.write_all(&[0; ALIGNMENT][..offset - place])?;
        to.write_all(content)?;
        place = offset + content.len();
    }
    Ok(())
}

fn check_of(header: &[u8], list: &[u8]) -> u64 {
    XxHash3_64::oneshot(&[header, list].concat())
}

/// The number at `place`, which must be there.
fn number<const N: usize>(bytes: &[u8], place: usize) -> [u8; N] {
    let found = bytes.get(place..).and_then(|rest| rest.first_chunk());
    found.copied().unwrap_or([0; N])
}

fn read_list(path: &Path, bytes: &[u8]) -> Result<(Summary, Vec<Section>), Error> {
    let malformed = |place: usize, expected: &str, found: String| {
        Err(Error::malformed(
            path,
            format!("byte {place}"),
            expected,
            found,
        ))
    };
    if !is_baked(bytes) {
        return malformed(0, "a baked world", "something else".to_owned());
    }
    if bytes.len() < HEADER {
        let expected = format!("at least {HEADER} bytes");
        return malformed(bytes.len(), &expected, "the end of the file".to_owned());
    }
    let version = u32::from_le_bytes(number(bytes, 8));
    if version != VERSION {
        let what = format!(
            "version {version} of baked worlds (this program reads version {VERSION}: bake the scene \
             anew with it)"
        );
        return Err(Error::unsupported(path, "byte 8", what));
    }
    if u32::from_le_bytes(number(bytes, 12)) != ENDIANNESS {
        return malformed(
            12,
            "the mark of little-endian numbers",
            "another".to_owned(),
        );
    }
    let length = u64::from_le_bytes(number(bytes, 16));
    if length != bytes.len() as u64 {
        let expected = format!("a file of {length} bytes");
        return malformed(16, &expected, format!("one of {}", bytes.len()));
    }
    let count = u64::from_le_bytes(number(bytes, 24));
    let most = (bytes.len() - HEADER) / ENTRY;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count == 0 || count > most {
        let expected = format!("from 1 to {most} sections");
        return malformed(24, &expected, count.to_string());
    }
    let list = &bytes[HEADER..HEADER + count * ENTRY];
    let check = u64::from_le_bytes(number(bytes, CHECK));
    if check != check_of(&bytes[..CHECK], list) || bytes[CHECK + 8..HEADER] != [0; 8] {
        return malformed(
            CHECK,
            "the hash of the header",
            "another: the file is damaged".to_owned(),
        );
    }
    let mut sections = Vec::with_capacity(count);
    let mut end = HEADER + list.len();
    for (index, entry) in list.chunks_exact(ENTRY).enumerate() {
        let place = HEADER + index * ENTRY;
        let size =
            |at| usize::try_from(u64::from_le_bytes(number(entry, at))).unwrap_or(usize::MAX);
        let (offset, length) = (size(0), size(8));
        let next = offset
            .checked_add(length)
            .filter(|next| *next <= bytes.len());
        let Some(next) = next.filter(|_| offset == end.next_multiple_of(ALIGNMENT)) else {
            return malformed(
                place,
                "a section behind the last",
                format!("one at {offset}"),
            );
        };
        end = next;
        let hash = u128::from_le_bytes(number(entry, 16));
        sections.push(Section {
            offset,
            length,
            hash,
        });
    }
    if end != bytes.len() {
        return malformed(
            end,
            "the end of the file",
            format!("{} bytes", bytes.len() - end),
        );
    }
    let summary = Summary {
        version,
        length,
        sections: count,
        content_hash: u128::from_le_bytes(number(bytes, 32)),
    };
    Ok((summary, sections))
}

/// The table, whose hash is checked, and the arrays of a file.
pub(crate) fn sections<'a>(
    path: &Path,
    bytes: &Bytes<'a>,
) -> Result<(Bytes<'a>, Vec<Bytes<'a>>), Error> {
    let (_, sections) = read_list(path, bytes.as_slice())?;
    if let Some(table) = sections.first() {
        check_section(path, bytes.as_slice(), 0, table)?;
    }
    let parts = sections
        .iter()
        .map(|one| bytes.part(one.offset..one.offset + one.length));
    let mut parts = parts.map(|part| part.unwrap_or(Bytes::lent(&[])));
    let table = parts.next().unwrap_or(Bytes::lent(&[]));
    Ok((table, parts.collect()))
}

fn check_section(path: &Path, bytes: &[u8], index: usize, section: &Section) -> Result<(), Error> {
    let content = &bytes[section.offset..section.offset + section.length];
    if XxHash3_128::oneshot(content) == section.hash {
        return Ok(());
    }
    let location = format!("section {index}, byte {}", section.offset);
    let found = "another: the file is damaged";
    Err(Error::malformed(
        path,
        location,
        "the hash that the header has",
        found,
    ))
}

/// What the header of the baked file at `path` says.
///
/// # Errors
/// [`Error::Malformed`] for a file that is damaged or no baked world, [`Error::Unsupported`] for
/// another version, [`Error::Io`] where it cannot be read.
pub fn summary(path: &Path) -> Result<Summary, Error> {
    let bytes = map_file(path)?;
    Ok(read_list(path, bytes.as_slice())?.0)
}

/// Reads the whole of the baked file at `path` and compares it with its hashes.
///
/// # Errors
/// As [`summary`].
///
/// ```
/// # let path = std::env::temp_dir().join(format!("hitscan-verify-{}.baked", std::process::id()));
/// let text = "[[sphere]]\nname = 'moon'\ncenter = [0, 0, 0]\nradius = 2\n";
/// let scene = hitscan_assets::load_scene_text("sky.toml".as_ref(), text)?;
/// hitscan_assets::bake(&scene, &path)?;
/// let summary = hitscan_assets::baked::verify(&path)?;
/// assert_eq!((summary.version, summary.sections), (hitscan::baked::VERSION, 7));
/// let mut bytes = std::fs::read(&path)?;
/// let last = bytes.len() - 1;
/// bytes[last] ^= 1;
/// std::fs::write(&path, bytes)?;
/// assert!(hitscan_assets::baked::verify(&path).is_err());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(path: &Path) -> Result<Summary, Error> {
    let bytes = map_file(path)?;
    let (summary, sections) = read_list(path, bytes.as_slice())?;
    let mut end = HEADER + sections.len() * ENTRY;
    let mut hashes = Vec::with_capacity(sections.len() * ENTRY);
    for (index, section) in sections.iter().enumerate() {
        check_section(path, bytes.as_slice(), index, section)?;
        if bytes.as_slice()[end..section.offset]
            .iter()
            .any(|byte| *byte != 0)
        {
            let location = format!("byte {end}");
            return Err(Error::malformed(
                path,
                location,
                "zeros between sections",
                "others: the file is damaged",
            ));
        }
        end = section.offset + section.length;
        hashes.extend((section.length as u64).to_le_bytes());
        hashes.extend(section.hash.to_le_bytes());
    }
    if XxHash3_128::oneshot(&hashes) != summary.content_hash {
        let found = "another: the file is damaged";
        return Err(Error::malformed(
            path,
            "byte 32",
            "the hash of all sections",
            found,
        ));
    }
    Ok(summary)
}
