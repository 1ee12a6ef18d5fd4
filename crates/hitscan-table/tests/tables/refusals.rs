//! Tables that cannot be used: the message names the file and the location, and nothing is left.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch};
use parquet::basic::Compression;

use hitscan_table::{AnswerColumn, ColumnKind, Error, Input, Output, TableWriter};

use crate::files::write_parquet;
use crate::{Folder, Page, Sum, answer, answer_files, answer_text};

#[test]
fn messages_name_file_place_and_what_was_expected() {
    for (text, expected) in [
        (&b""[..], "text: expected a header line"),
        (
            b"\xff\xfex\0,\0z\0\n\0",
            "text: the text is UTF-16; expected UTF-8",
        ),
        (
            b"x,y\n1,2\n",
            "text: the column `z` is missing; there is `x`, `y`",
        ),
        (b"x,Z\n1,2\n", "did you mean `Z`?"),
        (b"x;z\n1;2\n", "the header has no comma but ';'"),
        (
            b"x,z,x\n",
            "text: the column `x` appears twice (columns 1 and 3)",
        ),
        (
            b"x,z,\"status\"\n",
            "text: the column `status` has the name of a column of the answer",
        ),
        (
            b"x,z\n1,2\n1,2,3\n",
            "text, line 3 (row 1): expected 2 fields as in the header, found 3",
        ),
        (
            b"x,z\n1,2\n\n\n1\n",
            "text, line 5 (row 1): expected 2 fields as in the header, found 1",
        ),
        (
            b"x,z\n1,\"2\n\n",
            "text, line 2 (row 0): a quoted field begins in this row",
        ),
    ] {
        let error = answer_text(text, &Sum).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(expected), "{message}\n{expected}");
    }
}

#[test]
fn the_first_wrong_row_is_named_whatever_the_threads_do() {
    let mut text = b"x,z\n".to_vec();
    for row in 0..500 {
        let wrong = row > 200 && row % 3 == 0;
        text.extend_from_slice(if wrong { b"1\n" } else { b"1,1\n" });
    }
    for _ in 0..20 {
        let message = answer_text(text.clone(), &Sum).unwrap_err().to_string();
        assert!(
            message.starts_with("text, line 203 (row 201): "),
            "{message}"
        );
    }
}

#[test]
fn nothing_is_left_of_an_output_that_failed() {
    let folder = Folder::new();
    let input = folder.write("rays.csv", format!("x,z\n{}1\n", "1,1\n".repeat(1000)));
    for name in ["hits.csv", "hits.parquet", "hits.arrow"] {
        answer_files(&input, &folder.path(name), &Sum).unwrap_err();
        assert_eq!(folder.names(), ["rays.csv"], "{name}");
    }
    let old = folder.write("hits.csv", "old answers");
    answer_files(&input, &old, &Sum).unwrap_err();
    assert_eq!(fs::read_to_string(&old).unwrap(), "old answers");
    let columns = [AnswerColumn::new("object", ColumnKind::Text)];
    let mut table =
        TableWriter::create(Output::File(folder.path("pairs.arrow")), &columns).unwrap();
    table.row().unwrap().text("crate");
    drop(table);
    assert_eq!(folder.names(), ["hits.csv", "rays.csv"]);
}

#[test]
fn endings_and_folders_are_judged_first() {
    let folder = Folder::new();
    let input = folder.write("rays.csv", "x,z\n1,1\n");
    let error = answer_files(&input, &folder.path("hits.xlsx"), &Sum).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("hits.xlsx: a table's ending names its format"),
        "{error}"
    );
    let error = answer_files(&folder.path("rays"), &folder.path("hits.csv"), &Sum).unwrap_err();
    assert!(matches!(error, Error::UnknownFormat { .. }));
    for name in ["none.csv", "none.parquet", "none.arrow"] {
        let error = answer_files(&folder.path(name), &folder.path("hits.csv"), &Sum).unwrap_err();
        assert!(
            matches!(&error, Error::Read { file, .. } if file.ends_with(name)),
            "{error}"
        );
    }
    let error = answer_files(&input, &folder.path("none/hits.csv"), &Sum).unwrap_err();
    assert!(
        matches!(&error, Error::Write { file, .. } if file.ends_with("hits.csv")),
        "{error}"
    );
    fs::create_dir(folder.path("folder.csv")).unwrap();
    let error = answer_files(&input, &folder.path("folder.csv"), &Sum).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
}

#[test]
fn typed_columns_must_hold_numbers() {
    let folder = Folder::new();
    let truths: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let batch = RecordBatch::try_from_iter([("x", truths.clone()), ("z", truths)]).unwrap();
    let path = write_parquet(&folder, "rays.parquet", &batch, Compression::SNAPPY);
    let error = answer(Input::File(path), Page::default().output(), &Sum).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("the column `x` has the type Boolean; expected numbers"),
        "{message}"
    );
}

#[test]
fn text_for_typed_columns_must_be_utf_8() {
    let folder = Folder::new();
    let input = folder.write("rays.csv", b"x,z,n\xc3\xa9\n1,1,ok\n1,1,\xff\n");
    let error = answer_files(&input, &folder.path("hits.parquet"), &Sum).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("line 3 (row 1): the column `né` is not UTF-8"),
        "{error}"
    );
    let input = folder.write("rays.csv", b"x,z,\xff\n");
    let error = answer_files(&input, &folder.path("hits.arrow"), &Sum).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the name of column 3 is not UTF-8"),
        "{error}"
    );
    assert_eq!(folder.names(), ["rays.csv"]);
}
