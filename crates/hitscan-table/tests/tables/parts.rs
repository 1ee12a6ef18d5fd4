//! Runs of row groups, chosen columns, footers, and batches in memory.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, UInt64Type};
use arrow_array::{Float32Array, RecordBatch, UInt64Array};
use arrow_select::concat::concat_batches;
use hitscan_table::{
    Answer, BatchAnswerer, Error, Format, Input, Output, RowGroups, RunOptions, Summary,
    read_parquet_footer, run,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use crate::files::{read, rows};
use crate::{Countdown, Folder, Sum, small_batches};

/// Rows 0 to 24 in row groups of ten: x counts 0 1 2 3 0 1 2 3 and so on.
fn grouped(folder: &Folder) -> (std::path::PathBuf, RecordBatch) {
    let x: Float32Array = (0_u8..25).map(|i| Some(f32::from(i % 4))).collect();
    let id: UInt64Array = (0_u64..25).map(Some).collect();
    let columns = [("id", Arc::new(id) as _), ("x", Arc::new(x) as _)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let path = folder.path("in.parquet");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(10))
        .build();
    let file = fs::File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    (path, batch)
}

fn run_groups(input: &Path, output: &Path, first: usize, count: usize) -> Result<Summary, Error> {
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        row_groups: Some(RowGroups { first, count }),
        footer: &|summary| vec![("rows".to_owned(), summary.rows.to_string())],
        ..small_batches(&cancel)
    };
    let (input, output) = (input.to_owned(), output.to_owned());
    run(
        Input::File(input),
        Output::File(output),
        &Countdown,
        &options,
    )
}

#[test]
fn row_groups_are_runs_of_the_whole() {
    let folder = Folder::new();
    let (input, _) = grouped(&folder);
    assert_eq!(read_parquet_footer(&input).unwrap().row_groups, [10, 10, 5]);
    let cancel = AtomicBool::new(false);
    let whole = folder.path("whole.csv");
    let (from, to) = (Input::File(input.clone()), Output::File(whole.clone()));
    run(from, to, &Countdown, &small_batches(&cancel)).unwrap();
    let whole = rows(&whole);
    for (first, count) in [(0, 3), (0, 1), (1, 1), (1, 2), (2, 1), (3, 0)] {
        let answers = folder.path("part.parquet");
        let summary = run_groups(&input, &answers, first, count).unwrap();
        let rows_before = [0, 10, 20, 25];
        assert_eq!(summary.first_row, rows_before[first]);
        assert_eq!(
            summary.rows,
            rows_before[first + count] - rows_before[first]
        );
        let part = rows(&answers);
        assert_eq!(part.len() as u64, summary.answers + 1);
        assert_eq!(part[0], whole[0]);
        let ids = |row: &&String| {
            let id: u64 = row.split(',').next().unwrap().parse().unwrap();
            (rows_before[first]..rows_before[first + count]).contains(&id)
        };
        let expected: Vec<&String> = whole[1..].iter().filter(ids).collect();
        assert_eq!(part[1..].iter().collect::<Vec<_>>(), expected);
        let footer = read_parquet_footer(&answers).unwrap();
        assert_eq!(footer.value("rows"), Some(&*summary.rows.to_string()));
        assert_eq!(footer.rows(), summary.answers);
        let counts = [summary.status_count("hit"), summary.status_count("miss")];
        assert_eq!(counts.iter().sum::<u64>(), summary.answers);
    }
}

#[test]
fn row_groups_that_are_not_there_are_refused() {
    let folder = Folder::new();
    let (input, _) = grouped(&folder);
    let output = folder.path("out.parquet");
    for (first, count) in [(0, 4), (3, 1), (usize::MAX, 1), (1, usize::MAX)] {
        let error = run_groups(&input, &output, first, count).unwrap_err();
        assert!(
            matches!(error, Error::NoSuchRowGroups { found: 3, .. }),
            "{error}"
        );
    }
    let text = folder.write("in.csv", "id,x\n1,2\n");
    let error = run_groups(&text, &output, 0, 1).unwrap_err();
    assert!(matches!(error, Error::NoRowGroups { .. }), "{error}");
    assert_eq!(folder.names(), ["in.csv", "in.parquet"]);
    assert!(
        read_parquet_footer(&text)
            .unwrap_err()
            .to_string()
            .contains("in.csv")
    );
}

#[test]
fn columns_are_chosen_in_every_format() {
    let folder = Folder::new();
    let input = folder.write("in.csv", "x,z,n\n1,2,a\n0,0,b\n-1,2,c\n");
    let cancel = AtomicBool::new(false);
    let columns = ["object", "t"].map(str::to_owned);
    let options = RunOptions {
        columns: Some(&columns),
        prefix: "p_",
        ..small_batches(&cancel)
    };
    for format in Format::ALL {
        let output = folder.path(&format!("out.{}", format.name()));
        let (from, to) = (Input::File(input.clone()), Output::File(output.clone()));
        let summary = run(from, to, &Sum, &options).unwrap();
        let counts = ["hit", "miss", "invalid"].map(|word| summary.status_count(word));
        assert_eq!(counts, [1, 1, 1]);
        if matches!(format, Format::CsvGzip | Format::CsvZstd | Format::Tsv) {
            continue;
        }
        let expected = [
            "x,z,n,p_t,p_object",
            "1,2,a,3,\"crate, large\"",
            "0,0,b,,",
            "-1,2,c,,",
        ];
        assert_eq!(rows(&output), expected, "{format:?}");
    }
    // A column that is not written may be in the input.
    let input = folder.write("again.csv", "x,z,status\n1,2,a\n");
    let (from, to) = (Input::File(input.clone()), folder.path("again-out.csv"));
    let unprefixed = RunOptions {
        prefix: "",
        ..options
    };
    run(from, Output::File(to.clone()), &Sum, &unprefixed).unwrap();
    assert_eq!(rows(&to)[0], "x,z,status,t,object");
    let columns = ["t", "where"].map(str::to_owned);
    let options = RunOptions {
        columns: Some(&columns),
        ..options
    };
    let error = run(Input::File(input), Output::File(to), &Sum, &options).unwrap_err();
    assert!(matches!(error, Error::NoSuchAnswer { .. }), "{error}");
}

#[test]
fn batches_in_memory_are_answered_as_files_are() {
    let folder = Folder::new();
    let (input, batch) = grouped(&folder);
    let output = folder.path("out.arrow");
    let cancel = AtomicBool::new(false);
    let options = small_batches(&cancel);
    run(
        Input::File(input),
        Output::File(output.clone()),
        &Countdown,
        &options,
    )
    .unwrap();
    let expected = read(&output);
    let answerer = BatchAnswerer::new("b", batch.schema(), &Countdown, &options).unwrap();
    for rows in [1, 7, 25] {
        let answers: Vec<RecordBatch> = (0..25)
            .step_by(rows)
            .map(|first| batch.slice(first, rows.min(25 - first)))
            .zip((0..25).step_by(rows))
            .map(|(part, first)| answerer.answer(&part, first).unwrap())
            .collect();
        let answers = concat_batches(answerer.schema(), &answers).unwrap();
        assert_eq!(answers, expected);
    }
    // Where each question has one answer nothing is copied.
    let one = BatchAnswerer::new("b", batch.schema(), &crate::Double, &options).unwrap();
    let answers = one.answer(&batch, 0).unwrap();
    let (theirs, ours) = (&batch["id"], &answers["id"]);
    let pointer =
        |column: &arrow_array::ArrayRef| column.as_primitive::<UInt64Type>().values().as_ptr();
    assert_eq!(pointer(theirs), pointer(ours));
    assert_eq!(
        answers["double"].as_primitive::<Float32Type>().value(3),
        6.0
    );
    let error = BatchAnswerer::new("b", batch.schema(), &Sum, &options).unwrap_err();
    assert!(
        matches!(error, Error::MissingColumn { column: "z", .. }),
        "{error}"
    );
    assert_eq!(Countdown.answers().len(), 3);
}

#[test]
fn parquet_is_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    let mut text = "x,z,note\n".to_owned();
    for i in 0..300_000_u32 {
        text += &format!("{},0.5,n{}\n", i % 977, i % 7);
    }
    let input = folder.write("in.csv", text);
    let cancel = AtomicBool::new(false);
    let files: Vec<Vec<u8>> = [1, 2, 5]
        .map(|threads| {
            let options = RunOptions {
                threads: NonZeroUsize::new(threads).unwrap(),
                ..RunOptions::new(&cancel)
            };
            let output = folder.path("out.parquet");
            let (from, to) = (Input::File(input.clone()), Output::File(output.clone()));
            run(from, to, &Sum, &options).unwrap();
            assert_eq!(
                read_parquet_footer(&output).unwrap().row_groups,
                [131_072, 131_072, 37_856]
            );
            fs::read(output).unwrap()
        })
        .into();
    assert!(files[0] == files[1] && files[0] == files[2]);
}
