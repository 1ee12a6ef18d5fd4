//! Height maps of untrusted bytes: cut anywhere, changed anywhere, with headers that lie. Whatever
//! the bytes are, they are read or refused with the file's name; nothing panics.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan_assets::Error;
use hitscan_assets::heights::{HeightImage, HeightScale, read_heights};
use hitscan_testkit::Rng;
use hitscan_testkit::png_file::PngFile;
use hitscan_testkit::tiff_file::{TiffFile, Values};

fn read(name: &str, bytes: &[u8]) -> Result<HeightImage, Error> {
    read_heights(name.as_ref(), bytes, None)
}

/// A number that depends on its place, below `2^bits`.
fn noise(column: usize, row: usize, channel: usize, bits: usize) -> u64 {
    let mixed = (column as u64 * 7919 + row as u64 * 104_729 + channel as u64 * 31 + 17)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> (64 - bits)
}

/// One small file of each format and of layouts that are decoded differently.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![
        ("a.asc", b"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9\n1 2 3\n4 -9 6\n".to_vec()),
        ("a.hgt", vec![7; 18]),
        ("a.raw", vec![7; 18]),
    ];
    let mut npy =
        b"\x93NUMPY\x01\0\x37\0{'descr': '<f4', 'fortran_order': True, 'shape': (2,3)}".to_vec();
    npy.extend([0; 24]);
    assert!(read("a.npy", &npy).is_ok());
    all.push(("a.npy", npy));
    for (colour_type, bits, is_interlaced) in
        [(0, 1, false), (0, 16, true), (3, 2, false), (6, 8, true)]
    {
        let file = PngFile {
            colour_type,
            bits,
            is_interlaced,
            reds: vec![1, 2, 3, 4],
        };
        all.push((
            "a.png",
            file.encode(5, 9, |i, j, c| u16::try_from(noise(i, j, c, bits)).unwrap()),
        ));
    }
    for (compression, predictor, tile, is_big_tiff, format, channels) in [
        (1, 1, None, false, 3, 1),
        (5, 2, Some([16, 16]), false, 1, 3),
        (8, 3, Some([16, 32]), true, 3, 1),
        (32773, 1, None, true, 2, 2),
        (50000, 3, Some([16, 16]), false, 3, 1),
    ] {
        let file = TiffFile {
            compression,
            predictor,
            tile,
            is_big_tiff,
            format,
            channels,
            bits: 32,
            tags: vec![(42113, Values::Ascii("-9999".into()))],
            ..TiffFile::default()
        };
        all.push(("a.tif", file.encode(5, 9, |i, j, c| noise(i, j, c, 30))));
    }
    all
}

/// Reads, and turns to heights, bytes that may be anything; only a panic can fail.
fn survive(name: &str, bytes: &[u8]) -> bool {
    match read(name, bytes) {
        Ok(image) => {
            assert_eq!(image.samples().len(), image.columns() * image.rows());
            let _ = image.into_heights(HeightScale::MetresPerUnit(1.0));
            true
        }
        Err(error) => {
            assert!(error.to_string().starts_with(name), "{error}");
            false
        }
    }
}

#[test]
fn files_cut_anywhere_are_errors_not_panics() {
    for (name, bytes) in seeds() {
        assert!(survive(name, &bytes), "{name}");
        for length in 0..bytes.len() {
            survive(name, &bytes[..length]);
        }
    }
}

#[test]
fn files_with_any_byte_changed_are_read_or_refused() {
    let mut rng = Rng::new(20);
    for (name, bytes) in seeds() {
        for at in 0..bytes.len() {
            for value in [
                0,
                1,
                0x7f,
                0x80,
                0xff,
                bytes[at] ^ 1,
                bytes[at].wrapping_add(1),
            ] {
                let mut changed = bytes.clone();
                changed[at] = value;
                survive(name, &changed);
            }
        }
        for _ in 0..3000 {
            let mut changed = bytes.clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(changed.len());
                let run = rng.below(8).min(changed.len() - at);
                let fill = if rng.one_in(2) {
                    0xff
                } else {
                    rng.next_u32().to_le_bytes()[0]
                };
                changed[at..at + run].fill(fill);
            }
            survive(name, &changed);
        }
    }
}

#[test]
fn headers_that_promise_more_than_the_bytes_hold_are_refused() {
    let png = PngFile {
        bits: 16,
        ..PngFile::default()
    }
    .file(40_000, 40_000, &[0; 100]);
    let message = read("a.png", &png).unwrap_err().to_string();
    assert!(message.contains("can hold"), "{message}");
    for (tag, value) in [
        (256, 40_000),
        (257, 40_000),
        (322, u32::MAX),
        (323, u32::MAX),
        (277, 60_000),
    ] {
        for tile in [None, Some([16, 16])] {
            let mut file = TiffFile {
                tile,
                ..TiffFile::default()
            }
            .encode(20, 20, |_, _, _| 0);
            set_tag(&mut file, tag, value);
            assert!(
                tile.is_none() && tag >= 322 || read("a.tif", &file).is_err(),
                "{tag}"
            );
        }
    }
}

/// Overwrites the value of a tag in a little-endian TIFF by one 32-bit number.
fn set_tag(file: &mut [u8], tag: u16, value: u32) {
    let directory = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([file[directory], file[directory + 1]]));
    for entry in file[directory + 2..].chunks_exact_mut(12).take(count) {
        if entry[..2] == tag.to_le_bytes() {
            entry[2..4].copy_from_slice(&4_u16.to_le_bytes());
            entry[4..8].copy_from_slice(&1_u32.to_le_bytes());
            entry[8..12].copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// A tile that claims more than its stream can hold is refused before memory is taken for it.
#[test]
fn a_small_lzw_tile_cannot_ask_for_gigabytes() {
    let file = TiffFile {
        compression: 5,
        tile: Some([16, 16]),
        ..TiffFile::default()
    };
    let mut bytes = file.encode(16, 16, |_, _, _| 7);
    // Tiles of 4096 columns, and 1024 samples a pixel: 8 MiB a row.
    for (tag, value) in [(322_u16, 4096_u16), (323, 4096), (277, 1024)] {
        let at = (0..bytes.len() - 12)
            .find(|&at| {
                bytes[at..at + 2] == tag.to_le_bytes() && bytes[at + 4..at + 8] == [1, 0, 0, 0]
            })
            .unwrap();
        bytes[at + 2..at + 4].copy_from_slice(&3_u16.to_le_bytes());
        bytes[at + 8..at + 12].copy_from_slice(&u32::from(value).to_le_bytes());
    }
    let message = read("a.tif", &bytes).unwrap_err().to_string();
    let part = "tile 0: expected 134217728 bytes of sound LZW data, found ";
    assert!(
        message.contains(part) && message.ends_with(", which cannot hold as many"),
        "{message}"
    );
}
