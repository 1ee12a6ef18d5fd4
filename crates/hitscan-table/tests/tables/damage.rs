//! Broken files are errors, whatever is broken: no panic, no endless loop, no ended program.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Float32Array, ListArray, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use hitscan_table::{Error, Input};
use hitscan_testkit::Rng;
use parquet::basic::{Compression, ZstdLevel};

use crate::files::{write_arrow, write_parquet, write_stream};
use crate::{Double, Folder, Page, answer};

fn questions() -> RecordBatch {
    const ROWS: usize = 40;
    let texts: Vec<String> = (0..ROWS).map(|i| format!("object {}", i % 5)).collect();
    let kinds: DictionaryArray<Int32Type> = texts.iter().map(String::as_str).collect();
    let lists = (0..ROWS).map(|i| (i % 3 > 0).then(|| vec![Some(7); i % 4]));
    let columns: [(&str, ArrayRef); 4] = [
        (
            "x",
            Arc::new(Float32Array::from_iter_values(
                (0..ROWS).map(|i| (i % 3) as f32),
            )),
        ),
        ("text", Arc::new(StringArray::from_iter_values(&texts))),
        ("kind", Arc::new(kinds)),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
        ),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// One file of every format and codec.
fn whole_files(folder: &Folder) -> Vec<PathBuf> {
    let batch = questions();
    let zstd = Compression::ZSTD(ZstdLevel::default());
    vec![
        write_parquet(folder, "plain.parquet", &batch, Compression::UNCOMPRESSED),
        write_parquet(folder, "snappy.parquet", &batch, Compression::SNAPPY),
        write_parquet(folder, "zstd.parquet", &batch, zstd),
        write_parquet(folder, "lz4.parquet", &batch, Compression::LZ4_RAW),
        write_parquet(
            folder,
            "gzip.parquet",
            &batch,
            Compression::GZIP(Default::default()),
        ),
        write_arrow(folder, "plain.arrow", &batch, None),
        write_arrow(
            folder,
            "lz4.arrow",
            &batch,
            Some(CompressionType::LZ4_FRAME),
        ),
        write_arrow(folder, "zstd.arrow", &batch, Some(CompressionType::ZSTD)),
        write_stream(folder, "stream.arrow", &batch),
    ]
}

fn outcome(path: PathBuf) -> Result<u64, Error> {
    answer(Input::File(path), Page::default().output(), &Double).map(|summary| summary.rows)
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let folder = Folder::new();
    for path in whole_files(&folder) {
        assert_eq!(outcome(path.clone()).unwrap(), 40);
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        for length in (0..bytes.len()).step_by(7) {
            let cut = folder.write(&format!("cut-{name}"), &bytes[..length]);
            match outcome(cut) {
                Err(Error::Damaged { file, .. }) => assert!(file.ends_with(name)),
                Err(error) => panic!("{name} cut to {length}: {error}"),
                // A stream may end after any whole message.
                Ok(rows) => assert!(name == "stream.arrow", "{name} cut to {length}: {rows}"),
            }
        }
    }
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let folder = Folder::new();
    let files = whole_files(&folder);
    let (parquet, arrow) = (fs::read(&files[0]).unwrap(), fs::read(&files[5]).unwrap());
    for (name, bytes) in [
        ("a.arrow", &parquet[..]),
        ("a.parquet", &arrow[..]),
        ("b.parquet", b"x,z\n1,2\n"),
        ("b.arrow", b"x,z\n1,2\n"),
        ("d.arrow", b"FEA1\0\0\0\0 the format before"),
        ("a.csv", &parquet[..]),
        ("b.csv", &arrow[..]),
        ("e.csv", b"\x1f\x8b\x08\0"),
        ("e.csv.gz", b"x,z\n1,2\n"),
        ("e.csv.zst", b"\x1f\x8b\x08\0"),
    ] {
        let error = outcome(folder.write(name, bytes)).unwrap_err();
        assert!(
            matches!(&error, Error::WrongFormat { file, .. } if file.ends_with(name)),
            "{error}"
        );
    }
    for name in ["c.parquet", "c.arrow"] {
        let error = outcome(folder.write(name, b"")).unwrap_err();
        assert!(
            matches!(&error, Error::Damaged { file, .. } if file.ends_with(name)),
            "{error}"
        );
    }
}

#[test]
fn a_parquet_file_with_a_codec_that_is_not_built_in_is_refused_by_its_name() {
    // The codec's number is in the column's metadata in the footer, thrift field 4: 0x15, then
    // the zigzag number. Brotli is 4.
    let folder = Folder::new();
    let path = write_parquet(&folder, "a.parquet", &questions(), Compression::SNAPPY);
    let mut bytes = fs::read(path).unwrap();
    let footer = bytes.len()
        - 8
        - u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
    // The name in the path, the end of the list, then the codec.
    let codec = footer
        + bytes[footer..]
            .windows(4)
            .position(|window| window == b"\x01x\x15\x02")
            .unwrap()
        + 3;
    bytes[codec] = 8;
    let error = outcome(folder.write("a.parquet", bytes)).unwrap_err();
    assert!(
        error.to_string().to_lowercase().contains("brotli"),
        "{error}"
    );
}

#[test]
fn changed_bytes_never_end_the_program() {
    const ROUNDS: usize = 500;
    const SEED: u64 = 20;
    let folder = Folder::new();
    let mut rng = Rng::new(SEED);
    for path in whole_files(&folder) {
        let bytes = fs::read(&path).unwrap();
        let name = format!("changed-{}", path.file_name().unwrap().to_str().unwrap());
        let mut refused = 0;
        for _ in 0..ROUNDS {
            let mut changed = bytes.clone();
            for _ in 0..=rng.below(3) {
                change(&mut changed, &mut rng);
            }
            match outcome(folder.write(&name, &changed)) {
                Ok(_) => {}
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains(&name), "seed {SEED}: {error}");
                }
            }
        }
        assert!(
            refused > ROUNDS / 20,
            "{name}: only {refused} of {ROUNDS} were refused"
        );
    }
}

/// Changes a bit, a byte, or a whole number to one that no count or length should be.
fn change(bytes: &mut [u8], rng: &mut Rng) {
    // Half of the changes in the footer, where lengths and counts are.
    let start = if rng.one_in(2) {
        bytes.len() * 2 / 3
    } else {
        0
    };
    let at = start + rng.below(bytes.len() - start);
    match rng.below(4) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5)],
        2 => {
            let number = [i32::MAX, i32::MIN, -1, 1 << 20][rng.below(4)].to_le_bytes();
            let end = (at + 4).min(bytes.len());
            bytes[at..end].copy_from_slice(&number[..end - at]);
        }
        _ => {
            let number = [i64::MAX, i64::MIN, -1, 1 << 44, 1 << 30][rng.below(5)].to_le_bytes();
            let at = at / 8 * 8;
            let end = (at + 8).min(bytes.len());
            bytes[at..end].copy_from_slice(&number[..end - at]);
        }
    }
}
