//! Columns of masks and names: every format, defaults, what is refused, and what passes through.

use std::fs;
use std::sync::Arc;

use arrow_array::types::Int16Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float32Array, Float64Array, Int64Array,
    LargeStringArray, RecordBatch, StringArray, StringViewArray, UInt32Array,
};
use arrow_schema::DataType;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Error, QuestionColumn, Questions,
};
use parquet::basic::Compression;

use crate::files::{read, rows, write_arrow, write_parquet, write_stream};
use crate::{Folder, answer_files, answer_text};

/// Answers what was read: the mask, and the name between brackets.
struct Echo;

impl Answer for Echo {
    fn questions(&self) -> &[QuestionColumn] {
        const {
            &[
                QuestionColumn::required("x"),
                QuestionColumn::optional_mask("mask", u32::MAX),
                QuestionColumn::optional_name("ignore"),
            ]
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("bits", ColumnKind::U32),
                AnswerColumn::new("who", ColumnKind::Text),
            ]
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for (i, &mask) in questions.masks(1).iter().enumerate() {
            let mut row = out.row(i);
            row.text("ok").u32(mask);
            if let Some(name) = questions.names(2).get(i) {
                row.text(&format!("[{name}]"));
            }
        }
    }
}

/// The answers' part of each row of a CSV text whose columns have no commas in them.
fn echo(text: &str) -> Vec<String> {
    let (answers, _) = answer_text(text, &Echo).unwrap();
    let answers = String::from_utf8(answers).unwrap();
    let lines = text.lines().zip(answers.lines()).skip(1);
    let added = lines.map(|(line, answer)| answer.strip_prefix(line).unwrap()[1..].to_owned());
    added.collect()
}

#[test]
fn every_format_holds_masks_and_names() {
    let folder = Folder::new();
    let x: ArrayRef = Arc::new(Float32Array::from(vec![1.0; 5]));
    // The first has more bits than an f32 holds.
    let masks = [Some(0xfffe_ffff), None, Some(0), Some(-1), Some(1 << 32)];
    let names = [Some("fox"), Some("a;b"), None, None, Some("")];
    let typed_masks: [ArrayRef; 3] = [
        Arc::new(Int64Array::from(masks.to_vec())),
        Arc::new(Float64Array::from_iter(
            masks.map(|mask| mask.map(|mask: i64| mask as f64)),
        )),
        Arc::new(StringArray::from_iter(
            masks.map(|mask| mask.map(|mask| mask.to_string())),
        )),
    ];
    let typed_names: [ArrayRef; 4] = [
        Arc::new(StringArray::from(names.to_vec())),
        Arc::new(LargeStringArray::from(names.to_vec())),
        Arc::new(StringViewArray::from(names.to_vec())),
        Arc::new(names.into_iter().collect::<DictionaryArray<Int16Type>>()),
    ];
    let expected = [
        "ok,4294901759,[fox]",
        "ok,4294967295,[a;b]",
        "ok,0,",
        "invalid,,",
        "invalid,,",
    ];
    let csv = folder.write(
        "in.csv",
        "ignore,x,mask\nfox,1,4294901759\na;b,1,\n,1,0\n,1,-1\n\"\",1,4294967296\n",
    );
    let mut inputs = vec![csv];
    for mask in &typed_masks {
        for name in &typed_names {
            let columns = [("mask", mask), ("x", &x), ("ignore", name)]
                .map(|(column, array)| (column, array.clone(), true));
            let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
            let number = inputs.len();
            let parquet = format!("{number}.parquet");
            inputs.push(write_parquet(
                &folder,
                &parquet,
                &batch,
                Compression::SNAPPY,
            ));
            inputs.push(write_arrow(
                &folder,
                &format!("{number}.arrow"),
                &batch,
                None,
            ));
            inputs.push(write_stream(&folder, &format!("s{number}.arrow"), &batch));
        }
    }
    assert_eq!(inputs.len(), 1 + 3 * 12);
    for input in &inputs {
        for name in ["out.csv", "out.parquet", "out.arrow"] {
            let output = folder.path(name);
            let summary = answer_files(input, &output, &Echo).unwrap();
            assert_eq!((summary.rows, summary.invalid), (5, 2));
            let rows = rows(&output);
            for (row, expected) in rows[1..].iter().zip(expected) {
                assert!(
                    row.ends_with(expected),
                    "{row} from {} in {name}",
                    input.display()
                );
            }
            fs::remove_file(output).unwrap();
        }
    }
}

#[test]
fn an_absent_column_means_the_default() {
    assert_eq!(echo("x\n1\n2\n"), ["ok,4294967295,"; 2]);
    assert_eq!(
        echo("x,ignore\n1,fox\n2,\n"),
        ["ok,4294967295,[fox]", "ok,4294967295,"]
    );
}

#[test]
fn fields_are_read_without_the_quotes_and_spaces_around_them() {
    let text = "x,mask,ignore\n1, 0x10 , fox \n1,\"0b11\",\" fox \"\n1,\"\",\"a \"\"b\"\"\"\n\
                1,3.0,\"\"\n1,\t,\t\n";
    let expected = [
        "ok,16,[fox]",
        "ok,3,[ fox ]",
        "ok,4294967295,\"[a \"\"b\"\"]\"",
        "ok,3,",
        "ok,4294967295,",
    ];
    assert_eq!(echo(text), expected);
}

#[test]
fn what_is_no_mask_and_no_text_is_invalid_and_said() {
    let reason = |row: &[u8]| {
        let (_, summary) = answer_text([b"x,mask,ignore\n", row].concat(), &Echo).unwrap();
        assert_eq!((summary.rows, summary.invalid), (1, 1));
        summary.first_invalid.unwrap().to_string()
    };
    for mask in ["1.5", "-1", "all", "4294967296", "0x", "inf", "1e10"] {
        assert_eq!(
            reason(format!("1,{mask},fox\n").as_bytes()),
            format!(
                "text, line 2 (row 0): the column `mask` holds no whole number from 0 to \
                 4294967295 but `{mask}`"
            )
        );
    }
    let message = reason(b"1,1,fo\xff\n");
    assert!(
        message.ends_with("`fo\u{fffd}` in the column `ignore` is not UTF-8"),
        "{message}"
    );
}

#[test]
fn a_typed_column_must_hold_the_expected_type() {
    let folder = Folder::new();
    let x: ArrayRef = Arc::new(Float32Array::from(vec![1.0]));
    let truths: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![7]));
    for (column, array, expected) in [
        (
            "mask",
            truths,
            "the column `mask` has the type Boolean; expected whole numbers",
        ),
        (
            "ignore",
            ids,
            "the column `ignore` has the type Int64; expected text",
        ),
    ] {
        let batch = RecordBatch::try_from_iter([("x", x.clone()), (column, array)]).unwrap();
        let input = write_parquet(&folder, "in.parquet", &batch, Compression::SNAPPY);
        let error = answer_files(&input, &folder.path("out.csv"), &Echo).unwrap_err();
        assert!(matches!(error, Error::ColumnType { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn they_pass_through_unchanged() {
    let folder = Folder::new();
    let text = "ignore,x,mask\n\"fox\" ,1, 0x10\n,2,\n\"\",3,7.0\n";
    let input = folder.write("in.csv", text);
    let output = folder.path("out.csv");
    answer_files(&input, &output, &Echo).unwrap();
    let answers = fs::read_to_string(output).unwrap();
    for (line, answer) in text.lines().zip(answers.lines()) {
        assert!(answer.starts_with(&format!("{line},")), "{answer}");
    }
    for name in ["out.parquet", "out.arrow"] {
        let output = folder.path(name);
        answer_files(&input, &output, &Echo).unwrap();
        let batch = read(&output);
        let schema = batch.schema();
        let types = [0, 1, 2].map(|column| schema.field(column).data_type().clone());
        assert_eq!(types, [DataType::Utf8, DataType::Float32, DataType::UInt32]);
        let masks: ArrayRef = Arc::new(UInt32Array::from(vec![Some(16), None, Some(7)]));
        assert_eq!(batch.column(2), &masks);
        assert_eq!(rows(&output)[2], ",2,,ok,4294967295,");
    }
}
