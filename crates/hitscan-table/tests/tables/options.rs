//! Bad rows, prefixes, and the batches of what is written.

use std::fs;
use std::sync::atomic::AtomicBool;

use arrow_ipc::reader::FileReader;
use hitscan_table::{BadRows, Error, Format, Input, Output, RunOptions, Summary, run};
use parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::files::rows;
use crate::{Countdown, Folder, Page, Sum, answer_text, small_batches, text_input};

fn run_text(text: &str, options: &RunOptions<'_>) -> Result<(String, Summary), Error> {
    let page = Page::default();
    let summary = run(text_input(text), page.output(), &Sum, options)?;
    Ok((String::from_utf8(page.bytes()).unwrap(), summary))
}

const RAGGED: &str = "id,x,z\na,1,2\nb,1\nc,0,0\nd,1,2,3\n\ne\nf,3,4\n";

#[test]
fn ragged_rows_are_an_error_or_left_out() {
    let cancel = AtomicBool::new(false);
    let error = run_text(RAGGED, &small_batches(&cancel)).unwrap_err();
    let expected = "text, line 3 (row 1): expected 3 fields as in the header, found 2";
    assert!(error.to_string().starts_with(expected), "{error}");

    let options = RunOptions {
        bad_rows: BadRows::Skip,
        ..small_batches(&cancel)
    };
    let (text, summary) = run_text(RAGGED, &options).unwrap();
    let expected = "id,x,z,status,t,object,triangle\n\
        a,1,2,hit,3,\"crate, large\",7\n\
        c,0,0,invalid,,,\n\
        f,3,4,hit,7,\"crate, large\",7\n";
    assert_eq!(text, expected);
    assert_eq!((summary.rows, summary.answers, summary.skipped), (6, 3, 3));
    let first = summary.first_skipped.unwrap();
    assert_eq!((first.line, first.row), (Some(3), 1));
    assert_eq!(summary.first_invalid.unwrap().location.row, 2);
    // A quote that never ends is no ragged row.
    let error = run_text("x,z\n1,2\n\"1,2\n", &options).unwrap_err();
    assert!(matches!(error, Error::UnclosedQuote { .. }), "{error}");
}

#[test]
fn rows_left_out_are_in_no_format_and_leave_row_numbers_alone() {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        bad_rows: BadRows::Skip,
        ..small_batches(&cancel)
    };
    let expected = [
        "x,note,row,status,t",
        "2,a,0,hit,2",
        "2,a,0,hit,1",
        "1,,3,hit,1",
        "0,c,4,miss,",
    ];
    for name in ["out.csv", "out.parquet", "out.arrow"] {
        let output = folder.path(name);
        let table = text_input("x,note\n2,a\n7\n7,7,7\n1,\n0,c\n");
        run(table, Output::File(output.clone()), &Countdown, &options).unwrap();
        assert_eq!(rows(&output), expected, "{name}");
    }
}

#[test]
fn a_prefix_makes_answers_questions_again() {
    let cancel = AtomicBool::new(false);
    let options = RunOptions {
        prefix: "first_",
        ..small_batches(&cancel)
    };
    let (text, _) = run_text("x,z\n1,2\n", &options).unwrap();
    let expected = "x,z,first_status,first_t,first_object,first_triangle\n\
        1,2,hit,3,\"crate, large\",7\n";
    assert_eq!(text, expected);
    let (again, _) = answer_text(text.clone(), &Sum).unwrap();
    let again = String::from_utf8(again).unwrap();
    assert!(again.ends_with(",7,hit,3,\"crate, large\",7\n"), "{again}");
    // `row` has it too, and a column that is there already is an error still.
    let page = Page::default();
    run(text_input("x\n1\n"), page.output(), &Countdown, &options).unwrap();
    assert_eq!(
        page.bytes(),
        b"x,first_row,first_status,first_t\n1,0,hit,1\n"
    );
    let error = run_text(&text, &options).unwrap_err();
    assert!(
        matches!(&error, Error::AnswerNameTaken { column, .. } if column == "first_status"),
        "{error}"
    );
}

#[test]
fn batches_and_row_groups_do_not_depend_on_the_input() {
    let folder = Folder::new();
    let mut text = "x,z,note\n".to_owned();
    for row in 0..150_000 {
        text.push_str(&format!("{row},1,n{row}\n"));
    }
    folder.write("in.csv", text);
    let cancel = AtomicBool::new(false);
    let answer = |input: &str, prefix: &str, output: &str| {
        let options = RunOptions {
            prefix,
            ..RunOptions::new(&cancel)
        };
        let (input, output) = (folder.path(input), folder.path(output));
        run(Input::File(input), Output::File(output), &Sum, &options).unwrap();
    };
    let batches = |name: &str| {
        let reader = FileReader::try_new(fs::File::open(folder.path(name)).unwrap(), None);
        let batches: Vec<usize> = reader
            .unwrap()
            .map(|batch| batch.unwrap().num_rows())
            .collect();
        batches
    };
    answer("in.csv", "a_", "a.arrow");
    assert_eq!(batches("a.arrow"), [65_536, 65_536, 18_928]);
    answer("in.csv", "a_", "a.parquet");
    let parquet = SerializedFileReader::new(fs::File::open(folder.path("a.parquet")).unwrap());
    let groups = parquet.unwrap().metadata().row_groups().to_vec();
    let groups: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [131_072, 18_928]);
    answer("a.parquet", "b_", "b.arrow");
    assert_eq!(batches("b.arrow"), [65_536, 65_536, 18_928]);
}

#[test]
fn every_format_goes_to_a_stream() {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    for (format, name) in [(Format::Parquet, "a.parquet"), (Format::Arrow, "a.arrow")] {
        let page = Page::default();
        let options = RunOptions {
            output_format: Some(format),
            ..small_batches(&cancel)
        };
        run(text_input("x,z\n1,2\n"), page.output(), &Sum, &options).unwrap();
        let file = folder.write(name, page.bytes());
        let expected = [
            "x,z,status,t,object,triangle",
            "1,2,hit,3,\"crate, large\",7",
        ];
        assert_eq!(rows(&file), expected);
        let options = RunOptions {
            input_format: Some(format),
            ..small_batches(&cancel)
        };
        let error = run(text_input("PAR1"), page.output(), &Sum, &options).unwrap_err();
        assert!(matches!(error, Error::NeedsFile { .. }), "{error}");
    }
}
