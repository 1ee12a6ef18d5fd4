//! Height maps of every format and layout, written here and read back.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "bits are taken apart and values rounded on purpose"
)]

use hitscan_assets::Error;
use hitscan_assets::heights::{HeightImage, HeightScale, read_heights};
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

#[test]
fn png_of_every_colour_type_and_depth() {
    let mut checked = 0;
    for (colour_type, depths) in [
        (0, &[1, 2, 4, 8, 16][..]),
        (2, &[8, 16]),
        (3, &[1, 2, 4, 8]),
        (4, &[8, 16]),
        (6, &[8, 16]),
    ] {
        for &bits in depths {
            for is_interlaced in [false, true] {
                for [columns, rows] in [[2, 2], [9, 5], [37, 16]] {
                    let reds: Vec<u8> = (0..=255).rev().take(1 << bits.min(8)).collect();
                    let file = PngFile {
                        colour_type,
                        bits,
                        is_interlaced,
                        reds: reds.clone(),
                    };
                    let code = |i, j, c| u16::try_from(noise(i, j, c, bits)).unwrap();
                    let image = read("a.PNG", &file.encode(columns, rows, code)).unwrap();
                    assert_eq!([image.columns(), image.rows()], [columns, rows]);
                    for row in 0..rows {
                        for column in 0..columns {
                            let stored = code(column, row, 0);
                            let expected = if colour_type == 3 {
                                reds[usize::from(stored)].into()
                            } else {
                                f64::from(stored)
                            };
                            let found = image.value(column, row);
                            assert_eq!(found, Some(expected), "{file:?} {row} {column}");
                        }
                    }
                    let top = if colour_type == 3 {
                        255
                    } else {
                        (1 << bits) - 1
                    };
                    assert_eq!(image.samples().highest_code(), Some(f64::from(top)));
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 90);
}

/// All layouts for one type of samples.
fn tiff_layouts(bits: usize, format: u16) -> Vec<TiffFile> {
    let mut all = Vec::new();
    let predictors: &[u16] = match (bits, format) {
        (..8, _) => &[1],
        (_, 3) => &[1, 2, 3],
        _ => &[1, 2],
    };
    for compression in [1, 5, 8, 32773, 50000] {
        for &predictor in predictors {
            if predictor != 1 && !matches!(compression, 5 | 8 | 50000) {
                continue;
            }
            for tile in [None, Some([16, 16]), Some([32, 16])] {
                for (is_big_endian, is_big_tiff) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    for (channels, is_planar) in [(1, false), (3, false), (2, true)] {
                        all.push(TiffFile {
                            is_big_endian,
                            is_big_tiff,
                            tile,
                            compression,
                            predictor,
                            bits,
                            format,
                            channels,
                            is_planar,
                            ..TiffFile::default()
                        });
                    }
                }
            }
        }
    }
    all
}

/// Bits of a sample that is finite whatever its type.
fn sample_bits(column: usize, row: usize, channel: usize, bits: usize, format: u16) -> u64 {
    let small = noise(column, row, channel, 20) as f64 / 64.0 - 5000.0;
    match (format, bits) {
        (3, 32) => u64::from((small as f32).to_bits()),
        (3, 64) => small.to_bits(),
        _ => noise(column, row, channel, bits),
    }
}

fn value_of_bits(stored: u64, bits: usize, format: u16) -> f64 {
    let low = u32::try_from(stored & 0xffff_ffff).unwrap();
    match (format, bits) {
        (3, 32) => f32::from_bits(low).into(),
        (3, 64) => f64::from_bits(stored),
        (2, 16) => f64::from(low as u16 as i16),
        (2, 32) => f64::from(low as i32),
        _ => f64::from(low),
    }
}

#[test]
fn tiff_of_every_type_and_layout() {
    let mut checked = 0;
    for (bits, format) in [
        (1, 1),
        (4, 1),
        (8, 1),
        (16, 1),
        (16, 2),
        (32, 1),
        (32, 2),
        (32, 3),
        (64, 3),
    ] {
        for file in tiff_layouts(bits, format) {
            let [columns, rows] = [37, 20];
            let sample = |i, j, c| sample_bits(i, j, c, bits, format);
            let bytes = file.encode(columns, rows, sample);
            let image = read("a.tif", &bytes).unwrap_or_else(|error| panic!("{file:?}: {error:?}"));
            for row in 0..rows {
                for column in 0..columns {
                    let expected = value_of_bits(sample(column, row, 0), bits, format);
                    let found = image.value(column, row);
                    assert_eq!(found, Some(expected), "{file:?} {row} {column}");
                }
            }
            checked += 1;
        }
    }
    println!("{checked} files");
    assert_eq!(checked, 36 * (2 * 5 + 5 * 8 + 2 * 11));
}

#[test]
fn tiff_tiles_of_which_one_column_lies_in_the_image() {
    for compression in [1, 5, 8, 32773, 50000] {
        let file = TiffFile {
            compression,
            tile: Some([16, 16]),
            ..TiffFile::default()
        };
        let image = read("a.tif", &file.encode(33, 17, |i, j, c| noise(i, j, c, 16))).unwrap();
        for k in 0..33 * 17 {
            let expected = noise(k % 33, k / 33, 0, 16) as f64;
            assert_eq!(image.value(k % 33, k / 33), Some(expected));
        }
    }
}

#[test]
fn tiff_chunks_without_bytes_are_holes_where_nodata_is_stated() {
    for (tags, expected) in [
        (vec![(42113, Values::Ascii("65535".into()))], None),
        (vec![], Some(0.0)),
    ] {
        let file = TiffFile {
            tile: Some([16, 16]),
            tags,
            ..TiffFile::default()
        };
        let mut bytes = file.encode(16, 32, |_, _, _| 7);
        // Two tiles: their lengths follow one another, and the first one's becomes zero.
        let lengths = bytes
            .windows(8)
            .rposition(|pair| pair == [0, 2, 0, 0, 0, 2, 0, 0])
            .unwrap();
        bytes[lengths..lengths + 4].fill(0);
        let image = read("a.tif", &bytes).unwrap();
        assert_eq!(image.value(3, 3), expected);
        assert_eq!(image.value(3, 20), Some(7.0));
    }
}

#[test]
fn tiff_codes_count_as_stored_where_white_is_zero() {
    for bits in [1, 4, 8, 16, 32] {
        let file = TiffFile {
            photometric: 0,
            bits,
            ..TiffFile::default()
        };
        let image = read("a.tiff", &file.encode(9, 4, |i, j, c| noise(i, j, c, bits))).unwrap();
        for k in 0..36 {
            let expected = noise(k % 9, k / 9, 0, bits) as f64;
            assert_eq!(
                image.value(k % 9, k / 9),
                Some(expected),
                "{bits} bits, sample {k}"
            );
        }
    }
}

#[test]
fn tiff_holes_are_nan_and_the_value_of_gdal_nodata() {
    let lowest = f64::from(f32::MIN);
    for (text, hole) in [
        ("-9999", -9999.0),
        ("-3.4028234663852886e+38", lowest),
        ("nan", f64::NAN),
        ("-inf", f64::NEG_INFINITY),
    ] {
        let file = TiffFile {
            bits: 32,
            format: 3,
            tags: vec![(42113, Values::Ascii(text.to_owned()))],
            ..TiffFile::default()
        };
        let values = [1.0, f64::NAN, hole, 4.0];
        let bytes = file.encode(2, 2, |i, j, _| {
            u64::from((values[2 * j + i] as f32).to_bits())
        });
        let image = read("a.tif", &bytes).unwrap();
        let found: Vec<_> = (0..4).map(|k| image.value(k % 2, k / 2)).collect();
        assert_eq!(found, [Some(1.0), None, None, Some(4.0)], "{text}");
        let heights = image.into_heights(HeightScale::MetresPerUnit(2.0)).unwrap();
        assert!(heights[1].is_nan() && heights[2].is_nan());
        assert_eq!([heights[0], heights[3]], [2.0, 8.0]);
    }
    let file = TiffFile {
        bits: 8,
        tags: vec![(42113, Values::Ascii("255".into()))],
        ..TiffFile::default()
    };
    let image = read(
        "a.tif",
        &file.encode(2, 2, |i, j, _| if i == j { 255 } else { 7 }),
    )
    .unwrap();
    assert_eq!(image.extent(), (2, Some([7.0, 7.0])));
}

#[test]
fn tiff_spacing_is_read_where_the_system_is_projected() {
    let geo = |model: u16, unit: u16| {
        vec![
            (33550, Values::Double(vec![30.0, 25.0, 0.0])),
            (
                34735,
                Values::Short(vec![1, 1, 0, 2, 1024, 0, 1, model, 3076, 0, 1, unit]),
            ),
        ]
    };
    let matrix = vec![
        (
            34264,
            Values::Double(vec![
                2.0, 0.0, 0.0, 5.0, 0.0, -3.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]),
        ),
        (
            34735,
            Values::Short(vec![1, 1, 0, 2, 1024, 0, 1, 1, 3076, 0, 1, 9001]),
        ),
    ];
    for (tags, expected) in [
        (geo(1, 9001), Some([30.0, 25.0])),
        (geo(1, 9002), Some([30.0 * 0.3048, 25.0 * 0.3048])),
        (geo(2, 9001), None),
        (geo(1, 1234), None),
        (matrix, Some([2.0, 3.0])),
        (vec![(33550, Values::Double(vec![30.0, 30.0, 0.0]))], None),
    ] {
        let file = TiffFile {
            tags: tags.clone(),
            ..TiffFile::default()
        };
        let image = read("a.tif", &file.encode(2, 2, |_, _, _| 1)).unwrap();
        assert_eq!(image.spacing_m(), expected, "{tags:?}");
    }
}

#[test]
fn what_is_lacking_is_named() {
    for (file, part) in [
        (
            TiffFile {
                compression: 7,
                ..TiffFile::default()
            },
            "JPEG",
        ),
        (
            TiffFile {
                compression: 34925,
                ..TiffFile::default()
            },
            "LZMA",
        ),
        (
            TiffFile {
                photometric: 3,
                ..TiffFile::default()
            },
            "colour model 3",
        ),
        (
            TiffFile {
                bits: 64,
                ..TiffFile::default()
            },
            "64-bit unsigned",
        ),
        (
            TiffFile {
                format: 5,
                ..TiffFile::default()
            },
            "sample format 5",
        ),
    ] {
        let message = read("a.tif", &file.encode(3, 3, |_, _, _| 0))
            .unwrap_err()
            .to_string();
        assert!(
            message.contains(part) && message.contains("not supported"),
            "{message}"
        );
    }
    for name in ["a.jpg", "a", "a.npz", "a.exr"] {
        let message = read(name, b"").unwrap_err().to_string();
        assert!(message.contains("not supported"), "{message}");
    }
}

#[test]
fn a_file_with_the_wrong_ending_is_recognised() {
    let png = PngFile {
        bits: 8,
        ..PngFile::default()
    }
    .encode(2, 2, |_, _, _| 0);
    let tiff = TiffFile::default().encode(2, 2, |_, _, _| 0);
    for (name, bytes, part) in [
        ("a.tif", &png, "found a PNG image"),
        ("a.npy", &png, "found a PNG image"),
        ("a.png", &tiff, "found a TIFF image"),
        ("a.png", &Vec::new(), "found an empty file"),
    ] {
        let message = read(name, bytes).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn ranges_are_exact_at_both_ends_of_the_files_depth() {
    for bits in [1, 2, 4, 8, 16] {
        let top = u16::try_from((1_u32 << bits) - 1).unwrap();
        let file = PngFile {
            bits,
            ..PngFile::default()
        };
        let image = read(
            "a.png",
            &file.encode(2, 2, |i, _, _| if i == 0 { 0 } else { top }),
        )
        .unwrap();
        let [low, high] = [120.1, -980.3];
        let heights = image
            .into_heights(HeightScale::Range { low, high })
            .unwrap();
        assert_eq!(
            heights,
            [low as f32, high as f32, low as f32, high as f32],
            "{bits} bits"
        );
    }
    let asc = b"ncols 2 nrows 2 cellsize 1 1 2 3 4";
    let message = read("a.asc", asc)
        .unwrap()
        .into_heights(HeightScale::Range {
            low: 0.0,
            high: 1.0,
        })
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`range`") && message.contains("64-bit float"),
        "{message}"
    );
}

#[test]
fn infinite_and_too_large_heights_are_errors_with_row_and_column() {
    let file = TiffFile {
        bits: 64,
        format: 3,
        ..TiffFile::default()
    };
    let with = |odd: f64| {
        file.encode(
            3,
            3,
            move |i, j, _| if (i, j) == (2, 1) { odd.to_bits() } else { 0 },
        )
    };
    for odd in [f64::INFINITY, f64::NEG_INFINITY] {
        let message = read("a.tif", &with(odd)).unwrap_err().to_string();
        assert!(message.contains("row 1, column 2"), "{message}");
    }
    let image = read("a.tif", &with(1e300)).unwrap();
    let message = image
        .into_heights(HeightScale::MetresPerUnit(1.0))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("row 1, column 2") && message.contains("f32"),
        "{message}"
    );
}

#[test]
fn a_stated_size_must_agree_with_the_files_own() {
    let png = PngFile {
        bits: 8,
        ..PngFile::default()
    }
    .encode(3, 2, |_, _, _| 0);
    assert!(read_heights("a.png".as_ref(), &png, Some([3, 2])).is_ok());
    assert!(read_heights("a.png".as_ref(), &png, Some([2, 3])).is_err());
}
