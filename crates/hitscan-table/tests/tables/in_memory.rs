//! Tables in memory, in every format: answered as from a file, and run again.

use crate::{Double, Folder, answer_files};
use hitscan_table::{Error, Input, RunOptions, Value, answer_rows, column_names};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const QUESTIONS: &str = "note,x\na,1.5\n\"b, c\",none\nd,0.1\n";

fn input(name: &str, bytes: &[u8]) -> Input {
    Input::Bytes {
        name: name.to_owned(),
        bytes: Arc::from(bytes),
    }
}

#[test]
fn bytes_are_read_as_the_file_is() {
    let folder = Folder::new();
    let questions = folder.write("questions.csv", QUESTIONS);
    let cancel = AtomicBool::new(false);
    let options = RunOptions::new(&cancel);
    for name in ["a.csv", "a.csv.gz", "a.csv.zst", "a.parquet", "a.arrow"] {
        let answers = folder.path(name);
        answer_files(&questions, &answers, &Double).unwrap();
        let bytes = std::fs::read(&answers).unwrap();
        let names = column_names(input(name, &bytes), &options).unwrap();
        assert_eq!(names[..2], ["note", "x"], "{name}");
        // Run again, each row is what the file says.
        let mut rows = 0;
        answer_rows(
            input(name, &bytes),
            &Double,
            &options,
            &mut |row, file, others| {
                let others = others.first(usize::MAX);
                assert_eq!(others.len(), 1, "{name}");
                assert_eq!(others[0].0, "note", "{name}");
                for ((column, value), (named, text)) in row.answers[0].iter().zip(file) {
                    assert_eq!(column, named, "{name}");
                    let value = value.as_ref().map(|value| match value {
                        Value::Text(text) => text.clone(),
                        Value::Number(number) => number.to_string(),
                        Value::Integer(integer) => integer.to_string(),
                    });
                    assert_eq!(&value, text, "{name} row {rows}");
                }
                rows += 1;
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(rows, 3, "{name}");
        // Cut off anywhere it is an error or fewer rows, and no panic.
        for length in (0..bytes.len()).step_by(7) {
            let _ = answer_rows(
                input(name, &bytes[..length]),
                &Double,
                &options,
                &mut |_, _, _| Ok(()),
            );
        }
    }
}

#[test]
fn a_name_says_the_format() {
    let cancel = AtomicBool::new(false);
    let options = RunOptions::new(&cancel);
    let error = column_names(input("a.txt", b"x\n1\n"), &options).unwrap_err();
    assert!(matches!(error, Error::UnknownFormat { .. }));
    let error = column_names(input("a.parquet", b"x\n1\n"), &options).unwrap_err();
    assert!(error.to_string().contains("a.parquet"), "{error}");
}

#[test]
fn what_unpacks_to_more_than_a_table_is_refused() {
    // 300 MiB in some kilobytes.
    let row = [&b"1.5,"[..], &vec![b'a'; 1 << 20], b"\n"].concat();
    let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
    packed.write_all(b"x,note\n").unwrap();
    for _ in 0..300 {
        packed.write_all(&row).unwrap();
    }
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 1 << 18, "{} bytes", packed.len());
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        batch_rows: NonZeroUsize::MIN,
        ..RunOptions::new(&cancel)
    };
    let mut rows = 0;
    let answered = answer_rows(
        input("a.csv.zst", &packed),
        &Double,
        &options,
        &mut |_, _, _| {
            rows += 1;
            Ok(())
        },
    );
    let error = answered.unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "it unpacks to more than 256 MiB");
    assert!((200..256).contains(&rows), "{rows} rows");
}
