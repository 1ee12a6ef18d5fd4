//! Some rows of a table, several files as one table, and answers in parts: each against the whole.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{Float32Array, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use hitscan_table::{
    Error, Input, Output, Part, RowRange, RunOptions, Summary, answer_row, count_rows, run,
    run_parts,
};
use parquet::basic::Compression;

use crate::files::{write_arrow, write_parquet, write_stream};
use crate::{Countdown, Folder, Page, Sum, small_batches, text_input};

const ROWS: u8 = 23;

/// x counts 0 1 2 3 0 1 2 3 and so on; z is the row.
fn batch(rows: std::ops::Range<u8>) -> RecordBatch {
    let x: Float32Array = rows.clone().map(|i| Some(f32::from(i % 4))).collect();
    let z: UInt64Array = rows.map(|i| Some(u64::from(i))).collect();
    let columns = [("x", Arc::new(x) as _), ("z", Arc::new(z) as _)];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn csv(rows: std::ops::Range<u8>) -> String {
    let rows: String = rows.map(|i| format!("{},{i}\n", i % 4)).collect();
    format!("x,z\n{rows}")
}

/// The same table in every format.
fn tables(folder: &Folder) -> Vec<PathBuf> {
    let all = batch(0..ROWS);
    let blank = csv(0..ROWS).replace("\n2,", "\n\n2,");
    vec![
        folder.write("a.csv", csv(0..ROWS)),
        folder.write("blank.csv", blank),
        folder.write("a.tsv", csv(0..ROWS).replace(',', "\t")),
        write_parquet(folder, "a.parquet", &all, Compression::SNAPPY),
        write_arrow(folder, "a.arrow", &all, None),
        write_stream(folder, "stream.arrow", &all),
    ]
}

fn answered(input: Input, rows: Option<RowRange>) -> Result<(String, Summary), Error> {
    let (cancel, page) = (AtomicBool::new(false), Page::default());
    let options = RunOptions {
        rows,
        ..small_batches(&cancel)
    };
    let summary = run(input, page.output(), &Countdown, &options)?;
    Ok((String::from_utf8(page.bytes()).unwrap(), summary))
}

/// The lines whose column `row` is in the range, of a table `x,z,row,...`.
fn lines_of(whole: &str, start: u64, end: u64) -> String {
    let row = |line: &str| line.split(',').nth(2).unwrap().parse::<u64>();
    let is_in = |line: &&str| row(line).is_ok_and(|row| (start..end).contains(&row));
    let header = whole.lines().next().unwrap();
    let lines = whole.lines().filter(is_in).map(|line| format!("{line}\n"));
    format!("{header}\n{}", lines.collect::<String>())
}

#[test]
fn ranges_are_runs_of_the_whole_in_every_format() {
    let folder = Folder::new();
    for path in tables(&folder) {
        let (whole, _) = answered(Input::File(path.clone()), None).unwrap();
        for (start, end) in [
            (0, 1),
            (0, 3),
            (2, 4),
            (3, 9),
            (5, 23),
            (22, 99),
            (7, u64::MAX),
        ] {
            let range = Some(RowRange { start, end });
            let (text, summary) = answered(Input::File(path.clone()), range).unwrap();
            assert_eq!(
                text,
                lines_of(&whole, start, end),
                "{path:?} {start}..{end}"
            );
            let rows = end.min(u64::from(ROWS)) - start;
            assert_eq!((summary.first_row, summary.rows), (start, rows), "{path:?}");
        }
        let behind = Some(RowRange { start: 23, end: 25 });
        let error = answered(Input::File(path), behind).unwrap_err();
        assert!(
            matches!(
                error,
                Error::NoSuchRow {
                    row: 23,
                    rows: 23,
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn row_groups_and_ranges_are_both_kept() {
    let folder = Folder::new();
    let path = folder.path("grouped.parquet");
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_max_row_group_row_count(Some(10))
        .build();
    let file = fs::File::create(&path).unwrap();
    let all = batch(0..ROWS);
    let writer = parquet::arrow::ArrowWriter::try_new(file, all.schema(), Some(properties));
    let mut writer = writer.unwrap();
    writer.write(&all).unwrap();
    writer.close().unwrap();
    let (whole, _) = answered(Input::File(path.clone()), None).unwrap();
    let (cancel, page) = (AtomicBool::new(false), Page::default());
    let options = RunOptions {
        rows: Some(RowRange { start: 8, end: 14 }),
        row_groups: Some(hitscan_table::RowGroups { first: 1, count: 1 }),
        ..small_batches(&cancel)
    };
    run(Input::File(path), page.output(), &Countdown, &options).unwrap();
    let text = String::from_utf8(page.bytes()).unwrap();
    assert_eq!(text, lines_of(&whole, 10, 14));
}

/// A stream that goes on for ever is read no further than its range.
#[test]
fn nothing_is_read_behind_a_range() {
    struct Endless(u64);
    impl std::io::Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            let line = if self.0 == 1 { "x,z\n" } else { "1,2\n" };
            out[..4].copy_from_slice(line.as_bytes());
            Ok(4)
        }
    }
    let input = Input::Stream {
        name: "endless".to_owned(),
        reader: Box::new(Endless(0)),
    };
    let (_, summary) = answered(input, Some(RowRange { start: 5, end: 9 })).unwrap();
    assert_eq!((summary.first_row, summary.rows), (5, 4));
}

#[test]
fn messages_number_rows_in_the_whole_table() {
    let text = "x,z\n1,1\n1,1\n1,bad\n1,1\n";
    let rows = Some(RowRange { start: 1, end: 3 });
    let (_, summary) = {
        let cancel = AtomicBool::new(false);
        let options = RunOptions {
            rows,
            ..small_batches(&cancel)
        };
        let page = Page::default();
        let summary = run(text_input(text), page.output(), &Sum, &options).unwrap();
        (page, summary)
    };
    let invalid = summary.first_invalid.unwrap().to_string();
    assert!(invalid.starts_with("text, line 4 (row 2): "), "{invalid}");
}

#[test]
fn several_files_are_one_table() {
    let folder = Folder::new();
    let (whole, _) = answered(Input::File(folder.write("all.csv", csv(0..ROWS))), None).unwrap();
    let bom = format!("\u{feff}{}", csv(9..10)).replace('\n', "\r\n");
    let texts = vec![
        folder.write("1.csv", csv(0..9)),
        // Another byte order mark, other line endings, no row, and no line ending at the end.
        folder.write("2.csv", bom),
        folder.write("3.tsv", "x\tz\n"),
        folder.write("4.csv", csv(10..ROWS).trim_end()),
    ];
    let typed = vec![
        write_parquet(&folder, "1.parquet", &batch(0..9), Compression::SNAPPY),
        write_arrow(&folder, "2.arrow", &batch(9..10), None),
        write_parquet(&folder, "3.parquet", &batch(10..10), Compression::SNAPPY),
        write_parquet(&folder, "4.parquet", &batch(10..ROWS), Compression::SNAPPY),
    ];
    for paths in [texts, typed] {
        let input = || Input::Files(paths.clone());
        let (text, summary) = answered(input(), None).unwrap();
        assert_eq!(text.replace('\r', ""), whole);
        assert_eq!((summary.rows, summary.invalid), (u64::from(ROWS), 0));
        for (start, end) in [(0, 9), (8, 11), (9, 10), (10, 12), (20, 99)] {
            let range = Some(RowRange { start, end });
            let (text, _) = answered(input(), range).unwrap();
            assert_eq!(
                text.replace('\r', ""),
                lines_of(&whole, start, end),
                "{start}..{end}"
            );
        }
        let cancel = AtomicBool::new(false);
        let options = small_batches(&cancel);
        assert_eq!(count_rows(input(), &options).unwrap(), u64::from(ROWS));
        let row = answer_row(input(), 10, &Countdown, &options).unwrap();
        assert_eq!((row.location.row, row.location.file_row), (10, Some(0)));
        assert!(row.location.file.contains("4."), "{}", row.location);
    }
}

#[test]
fn rows_of_several_files_are_named_by_file_and_by_number() {
    let folder = Folder::new();
    let paths = ["a.csv", "b.csv"].map(|name| folder.write(name, "x,z\n1,1\n1,bad\n"));
    let cancel = AtomicBool::new(false);
    let bad = std::cell::RefCell::new(Vec::new());
    let report = |row: &hitscan_table::InvalidRow| bad.borrow_mut().push(row.location.to_string());
    let options = RunOptions {
        bad_row: Some(&report),
        ..small_batches(&cancel)
    };
    run(
        Input::Files(paths.to_vec()),
        Page::default().output(),
        &Sum,
        &options,
    )
    .unwrap();
    let bad = bad.into_inner();
    let name = |i: usize| paths[i].display().to_string();
    assert_eq!(
        bad,
        [
            format!("{}, line 3 (row 1 of all files)", name(0)),
            format!("{}, line 3 (row 3 of all files)", name(1)),
        ]
    );
    let open = folder.write("c.csv", "x,z\n1,1\n1,\"2\n");
    let input = Input::Files(vec![paths[0].clone(), open.clone()]);
    let error = answered(input, None).unwrap_err().to_string();
    let place = format!("{}, line 3 (row 3 of all files)", open.display());
    assert!(error.starts_with(&place), "{error}");
}

#[test]
fn files_with_other_columns_are_refused_by_name() {
    let folder = Folder::new();
    let first = folder.write("a.csv", "x,z\n1,1\n");
    let typed = write_parquet(&folder, "a.parquet", &batch(0..2), Compression::SNAPPY);
    let schema = Schema::new(vec![
        Field::new("x", DataType::Float32, true),
        Field::new("z", DataType::Float32, true),
    ]);
    let z: Float32Array = [Some(1.0)].into_iter().collect();
    let columns = vec![Arc::new(z.clone()) as _, Arc::new(z) as _];
    let floats = RecordBatch::try_new(Arc::new(schema), columns).unwrap();
    let floats = write_parquet(&folder, "floats.parquet", &floats, Compression::SNAPPY);
    for (first, other, words) in [
        (
            &first,
            folder.write("b.csv", "x,y\n1,1\n"),
            "column 2 is `y` and there `z`",
        ),
        (
            &first,
            folder.write("c.csv", "x,z,y\n1,1,1\n"),
            "it has 3 columns and there are 2",
        ),
        (
            &first,
            folder.write("d.csv", "z,x\n1,1\n"),
            "column 1 is `z` and there `x`",
        ),
        (
            &first,
            typed.clone(),
            "it has typed columns, and there they are text",
        ),
        (&typed, first.clone(), "its columns are text"),
        (
            &typed,
            floats,
            "the column `z` has the type Float32 and there UInt64",
        ),
    ] {
        let input = Input::Files(vec![first.clone(), first.clone(), other.clone()]);
        let error = answered(input, None).unwrap_err().to_string();
        assert!(error.starts_with(&other.display().to_string()), "{error}");
        assert!(error.contains(&first.display().to_string()), "{error}");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn parts_are_the_whole_in_pieces() {
    let folder = Folder::new();
    for path in tables(&folder) {
        let (whole, _) = answered(Input::File(path.clone()), None).unwrap();
        for count in [1, 2, 7, 23, 40] {
            let cancel = AtomicBool::new(false);
            let options = small_batches(&cancel);
            let rows = RowRange {
                start: 0,
                end: u64::from(ROWS),
            };
            let parts = Part::divide(rows, count, |i| folder.path(&format!("part-{i}.csv")));
            let mut written = Vec::new();
            let mut answer = |parts: &[Part]| {
                let input = Input::File(path.clone());
                run_parts(input, parts, &Countdown, &options, &mut |i, summary| {
                    written.push((parts[i].clone(), summary.rows));
                })
                .unwrap()
            };
            // Some of them, and then the others.
            let (even, odd): (Vec<_>, Vec<_>) = parts
                .iter()
                .cloned()
                .enumerate()
                .partition(|(i, _)| i % 2 == 0);
            let mut rows = 0;
            for some in [even, odd] {
                let some: Vec<Part> = some.into_iter().map(|(_, part)| part).collect();
                rows += answer(&some).rows;
            }
            assert_eq!(rows, u64::from(ROWS));
            assert_eq!(written.len(), parts.len());
            assert!(
                written
                    .iter()
                    .all(|(part, rows)| *rows == part.rows.end - part.rows.start)
            );
            let header = whole.lines().next().unwrap();
            let mut joined = format!("{header}\n");
            for part in &parts {
                let text = fs::read_to_string(&part.output).unwrap();
                joined.push_str(text.strip_prefix(&format!("{header}\n")).unwrap());
            }
            assert_eq!(joined, whole, "{path:?} in {count}");
        }
    }
}

#[test]
fn a_part_of_an_input_that_got_shorter_is_an_error() {
    let folder = Folder::new();
    let path = folder.write("a.csv", csv(0..9));
    let cancel = AtomicBool::new(false);
    let rows = RowRange { start: 0, end: 12 };
    let parts = Part::divide(rows, 2, |i| folder.path(&format!("part-{i}.csv")));
    let options = small_batches(&cancel);
    let error = run_parts(Input::File(path), &parts, &Sum, &options, &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, Error::NoSuchRow { row: 9, .. }), "{error}");
    assert_eq!(folder.names(), ["a.csv", "part-0.csv"]);
}

#[test]
fn objects_are_counted_where_they_are_wanted() {
    let cancel = AtomicBool::new(false);
    let run = |counts_objects| {
        let options = RunOptions {
            counts_objects,
            columns: Some(&[]),
            ..small_batches(&cancel)
        };
        let text = "x,z\n1,1\n-1,1\n2,2\n0,0\n3,3\n";
        let output: Output = Page::default().output();
        hitscan_table::run(text_input(text), output, &Sum, &options).unwrap()
    };
    assert!(run(false).objects.is_empty());
    let objects: Vec<_> = run(true).objects.into_iter().collect();
    assert_eq!(objects, [("crate, large".to_owned(), 3)]);
}
