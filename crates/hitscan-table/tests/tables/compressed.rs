//! CSV in gzip and zstd: in, out, in several members, cut off and damaged.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use hitscan_table::{Error, Format, Input, Output, RunOptions, Summary, run};

use crate::{Folder, Page, Sum, answer_files, answer_text, small_batches};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 0).unwrap()
}

fn unpacked(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).unwrap();
    match Format::of_path(file).unwrap() {
        Format::CsvGzip => {
            let mut text = Vec::new();
            MultiGzDecoder::new(&bytes[..])
                .read_to_end(&mut text)
                .unwrap();
            text
        }
        _ => zstd::decode_all(&bytes[..]).unwrap(),
    }
}

/// Rows that hardly compress, more than fit into one block of any reader.
fn table() -> Vec<u8> {
    let mut text = b"x,z,\"note\"\r\n".to_vec();
    for row in 0..30_000_u32 {
        let noise = row.wrapping_mul(2_654_435_761);
        text.extend(format!("{}.5,{noise},\"a, {noise}\"\r\n", row % 7).into_bytes());
    }
    text
}

#[test]
fn compressed_tables_have_the_answers_of_plain_ones() {
    let folder = Folder::new();
    let text = table();
    let (expected, summary) = answer_text(text.clone(), &Sum).unwrap();
    let (head, tail) = text.split_at(text.len() / 3);
    let several = [gzip(head), gzip(b""), gzip(tail)].concat();
    let frames = [zstd(head), zstd(tail)].concat();
    for (name, bytes) in [
        ("one.csv.gz", gzip(&text)),
        ("several.csv.gz", several),
        ("ONE.CSV.ZST", zstd(&text)),
        ("several.csv.zst", frames),
    ] {
        let input = folder.write(name, bytes);
        for output in ["answers.csv.gz", "answers.csv.zst"] {
            let output = folder.path(output);
            let found = answer_files(&input, &output, &Sum).unwrap();
            let times = summary.times;
            assert_eq!(Summary { times, ..found }, summary);
            assert!(unpacked(&output) == expected, "{name}");
            let packed = fs::metadata(&output).unwrap().len();
            assert!(packed < expected.len() as u64 / 2);
        }
    }
}

#[test]
fn streams_are_compressed_where_the_options_say_so() {
    let (expected, _) = answer_text("x,z\n1,2\n", &Sum).unwrap();
    let cancel = AtomicBool::new(false);
    let page = Page::default();
    let input = Input::Stream {
        name: "text".to_owned(),
        reader: Box::new(std::io::Cursor::new(zstd(b"x,z\n1,2\n"))),
    };
    let options = RunOptions {
        input_format: Some(Format::CsvZstd),
        output_format: Some(Format::CsvGzip),
        ..small_batches(&cancel)
    };
    run(input, page.output(), &Sum, &options).unwrap();
    let mut text = Vec::new();
    MultiGzDecoder::new(&page.bytes()[..])
        .read_to_end(&mut text)
        .unwrap();
    assert_eq!(text, expected);
}

#[test]
fn cut_and_damaged_files_are_errors_with_a_place() {
    let folder = Folder::new();
    let text = table();
    let output = folder.write("out.csv", "kept\n");
    for (name, bytes) in [("a.csv.gz", gzip(&text)), ("a.csv.zst", zstd(&text))] {
        let mut cuts = vec![1, 2, 3, 5, 10, 17, bytes.len() - 9, bytes.len() - 1];
        cuts.extend((20..bytes.len()).step_by(bytes.len() / 20));
        for length in cuts {
            let input = folder.write(name, &bytes[..length]);
            let error = answer_files(&input, &output, &Sum).unwrap_err();
            let Error::Damaged { file, at, .. } = &error else {
                panic!("{length} bytes: {error}");
            };
            assert!(file.ends_with(name) && at.starts_with(&format!("after byte {length}, ")));
        }
        for changed in (12..bytes.len()).step_by(bytes.len() / 40) {
            let mut bytes = bytes.clone();
            bytes[changed] ^= 0x40;
            let input = folder.write(name, bytes);
            // zstd has no checksum here, so that damage may only change the text.
            let outcome = answer_files(&input, &folder.path("other.csv"), &Sum);
            assert!(outcome.is_err() || name.ends_with("zst"), "byte {changed}");
        }
    }
    assert_eq!(fs::read(output).unwrap(), b"kept\n");
    let error = answer_files(
        &folder.write("b.csv.gz", gzip(&gzip(&text))),
        &folder.path("b.csv"),
        &Sum,
    );
    let message = error.unwrap_err().to_string();
    assert!(message.contains("looks like gzip; unpack it"), "{message}");
}

/// A terabyte of blank lines in 30 kB would take hours; a long row ends at once.
#[test]
fn what_unpacks_to_too_much_is_refused_in_little_memory() {
    let folder = Folder::new();
    let mut text = b"x,z\n1,".to_vec();
    text.resize(40 << 20, b'0');
    for (name, bytes) in [("a.csv.gz", gzip(&text)), ("a.csv.zst", zstd(&text))] {
        assert!(bytes.len() < 100_000);
        let error = answer_files(&folder.write(name, bytes), &folder.path("out.csv"), &Sum);
        assert!(matches!(error, Err(Error::RowTooLong { .. })));
    }
}

#[test]
fn an_ending_and_a_format_must_agree_where_both_name_the_output() {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    let input = folder.write("a.csv", "x,z\n1,2\n");
    let wanted = |name: &str, format| {
        let options = RunOptions {
            output_format: Some(format),
            ..small_batches(&cancel)
        };
        let (input, output) = (Input::File(input.clone()), Output::File(folder.path(name)));
        run(input, output, &Sum, &options)
    };
    assert!(wanted("out.table", Format::Csv).is_ok());
    assert!(wanted("out.csv", Format::Csv).is_ok());
    let error = wanted("out.csv", Format::Parquet).unwrap_err();
    assert!(matches!(error, Error::FormatsDisagree { .. }), "{error}");
    assert!(wanted("page.arrow", Format::CsvGzip).is_err());
    assert_eq!(folder.names(), ["a.csv", "out.csv", "out.table"]);
    // The caller's format of an input takes precedence: its name may be wrong.
    let misnamed = folder.write("b.parquet", gzip(b"x,z\n1,2\n"));
    let options = RunOptions {
        input_format: Some(Format::CsvGzip),
        ..small_batches(&cancel)
    };
    let output = Output::File(folder.path("out.csv"));
    assert!(run(Input::File(misnamed), output, &Sum, &options).is_ok());
}
