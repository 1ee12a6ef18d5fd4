//! Columns that are read whole, and answers that are written column by column, against the same row by row.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int64Array,
    RecordBatch, RunArray, StringArray,
};
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, BatchAnswerer, Bound, ColumnKind, Frame,
    QuestionColumn, Questions, RunOptions,
};

/// Answers what was read.
struct Echo {
    frame: Frame,
}

impl Answer for Echo {
    fn questions(&self) -> &[QuestionColumn] {
        const {
            &[
                QuestionColumn::required("x").position(Axis::X, Bound::Point),
                QuestionColumn::required("d"),
                QuestionColumn::optional("t_max", 9.0).accepting_infinity(),
                QuestionColumn::optional_mask("mask", 5),
                QuestionColumn::optional_name("ignore"),
                QuestionColumn::required("last"),
            ]
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("own_x", ColumnKind::F32),
                AnswerColumn::new("own_d", ColumnKind::F32),
                AnswerColumn::new("own_t_max", ColumnKind::F32),
                AnswerColumn::new("own_mask", ColumnKind::U32),
                AnswerColumn::new("own_ignore", ColumnKind::Text),
            ]
        }
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for i in 0..questions.len() {
            let mut row = out.row(i);
            for column in 0..3 {
                row.f32(questions.column(column)[i]);
            }
            row.u32(questions.masks(3)[i]);
            row.text(questions.names(4).get(i).unwrap_or("-"));
        }
    }
}

/// The answers to rows with these columns, and with a column `last` that makes the last row valid or not.
fn echo(columns: &[(&str, ArrayRef)], is_last_valid: bool) -> RecordBatch {
    let rows = columns[0].1.len();
    let last = (0..rows).map(|row| (is_last_valid || row + 1 < rows).then_some(1.0));
    let last: ArrayRef = Arc::new(Float32Array::from_iter(last));
    let columns = columns.iter().cloned().chain([("last", last)]);
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.map(|(name, column)| (name, column, true)),
    );
    let (batch, cancel) = (batch.unwrap(), AtomicBool::new(false));
    let job = Echo {
        frame: Frame::at([1000.0, 0.0, 0.0]),
    };
    let options = RunOptions::new(&cancel);
    let answerer = BatchAnswerer::new("b", batch.schema(), &job, &options).unwrap();
    let answers = answerer.answer(&batch, 0).unwrap();
    let own = batch.num_columns();
    answers
        .project(&(own..own + 5).collect::<Vec<_>>())
        .unwrap()
}

#[test]
fn a_batch_without_faults_is_read_as_its_rows_are() {
    let numbers: [ArrayRef; 7] = [
        Arc::new(Float32Array::from(vec![1000.5, -0.0, 1e-40, 7.0])),
        Arc::new(Float64Array::from(vec![1000.1, -0.0, 3.3e38, 7.0])),
        Arc::new(Int64Array::from(vec![
            -16_777_217,
            3,
            (1 << 60) + (1 << 36) + 1,
            7,
        ])),
        Arc::new(StringArray::from(vec![" 1e3 ", "0.1", "-7", "7"])),
        Arc::new(
            Decimal128Array::from(vec![12_345, -1, 0, 7])
                .with_precision_and_scale(10, 3)
                .unwrap(),
        ),
        Arc::new(
            vec![Some("2"), Some("0.1"), Some("2"), Some("7")]
                .into_iter()
                .collect::<DictionaryArray<Int8Type>>(),
        ),
        Arc::new(
            RunArray::<Int32Type>::try_new(&vec![3, 4].into(), &Float64Array::from(vec![0.1, 7.0]))
                .unwrap(),
        ),
    ];
    let ranges: [ArrayRef; 3] = [
        Arc::new(Float32Array::from(vec![
            Some(f32::INFINITY),
            None,
            Some(2.5),
            None,
        ])),
        Arc::new(Float64Array::from(vec![f64::INFINITY, 0.1, 2.5, 7.0])),
        Arc::new(StringArray::from(vec![Some("inf"), None, Some(""), None])),
    ];
    let masks: [ArrayRef; 3] = [
        Arc::new(Int64Array::from(vec![
            Some(0xffff_ffff),
            None,
            Some(0),
            None,
        ])),
        Arc::new(Float64Array::from(vec![Some(6.0), None, Some(0.0), None])),
        Arc::new(StringArray::from(vec![Some("0x10"), None, Some(""), None])),
    ];
    let names: ArrayRef = Arc::new(StringArray::from(vec![
        Some("fox"),
        None,
        Some(""),
        Some("é"),
    ]));
    for (i, number) in numbers.iter().enumerate() {
        let mut columns = vec![("x", number.clone()), ("d", number.clone())];
        if i > 0 {
            columns.push(("t_max", ranges[i % 3].clone()));
            columns.push(("mask", masks[i % 3].clone()));
            columns.push(("ignore", names.clone()));
        }
        let (whole, by_rows) = (echo(&columns, true), echo(&columns, false));
        assert_eq!(
            whole.slice(0, 3),
            by_rows.slice(0, 3),
            "{:?}",
            number.data_type()
        );
        assert_eq!(whole.columns()[1].null_count(), 0);
        assert_eq!(by_rows.columns()[1].null_count(), 1);
    }
}

/// Answers a question x with as many rows as its digit says, none being a row of its own without values; 9 is
/// invalid. Written in one way or the other.
struct Repeat {
    is_whole: bool,
    /// How many values of the column `name` were worked out.
    named: AtomicUsize,
}

type Found = Option<(f32, u32)>;

impl Repeat {
    fn write(&self, answers: &[(usize, Found)], out: &mut AnswerBuilder) {
        let name = |index: u32| {
            self.named.fetch_add(1, Ordering::Relaxed);
            ["a", "bb", "ccc"][index as usize % 3]
        };
        if self.is_whole {
            out.rows(answers, |rows| {
                rows.text(|found| Some(if found.is_some() { "hit" } else { "miss" }))
                    .f32(|found| Some((*found)?.0))
                    .u32(|found| Some((*found)?.1))
                    .text(|found| Some(name((*found)?.1)));
            });
            return;
        }
        for (question, found) in answers {
            let mut row = out.row(*question);
            match found {
                Some((t, index)) => row.text("hit").f32(*t).u32(*index).text(name(*index)),
                None => row.text("miss"),
            };
        }
    }
}

impl Answer for Repeat {
    fn questions(&self) -> &[QuestionColumn] {
        const { &[QuestionColumn::required("x")] }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("row", ColumnKind::RowNumber),
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("t", ColumnKind::F32),
                AnswerColumn::new("index", ColumnKind::U32),
                AnswerColumn::new("name", ColumnKind::Text),
                AnswerColumn::new("unfilled", ColumnKind::U64),
            ]
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let mut answers: Vec<(usize, Found)> = Vec::new();
        for (question, x) in questions.column(0).iter().enumerate() {
            // How many rows a number means.
            match (0..4_u32).find(|&rows| rows as f32 == *x) {
                None => {
                    self.write(&answers, out);
                    answers.clear();
                    out.invalid(question, "9");
                }
                Some(0) => answers.push((question, None)),
                Some(rows) => {
                    answers.extend((0..rows).map(|i| (question, Some((-0.0 * x + i as f32, i)))))
                }
            }
        }
        self.write(&answers, out);
    }
}

/// The answers to questions, some of them unreadable, with these columns; and how many names were worked out.
fn repeat(is_whole: bool, columns: Option<&[String]>) -> (RecordBatch, usize) {
    let digits = b"10231n09n9n1030nn2191n1";
    let x = digits.iter().map(|digit| match digit {
        b'n' => None,
        digit => Some(f32::from(digit - b'0')),
    });
    let x: ArrayRef = Arc::new(Float32Array::from_iter(x));
    let batch = RecordBatch::try_from_iter_with_nullable([("x", x, true)]).unwrap();
    let (job, cancel) = (
        Repeat {
            is_whole,
            named: AtomicUsize::new(0),
        },
        AtomicBool::new(false),
    );
    let mut options = RunOptions::new(&cancel);
    options.columns = columns;
    let answerer = BatchAnswerer::new("b", batch.schema(), &job, &options).unwrap();
    let answers = answerer.answer(&batch, 100).unwrap();
    (answers, job.named.into_inner())
}

#[test]
fn rows_are_written_whole_as_one_by_one() {
    let all = ["row", "status", "t", "index", "name", "unfilled"];
    let (expected, named) = repeat(false, None);
    assert_eq!(
        named,
        expected["name"].len() - expected["name"].null_count()
    );
    // Each choice of columns, in either way.
    for chosen in 1..1_u32 << all.len() {
        let is_chosen = |&(i, _): &(usize, &&str)| chosen >> i & 1 == 1;
        let columns = all.iter().enumerate().filter(is_chosen);
        let columns: Vec<String> = columns.map(|(_, name)| (*name).to_owned()).collect();
        for is_whole in [false, true] {
            let (answers, named) = repeat(is_whole, Some(&columns));
            for column in &columns {
                assert_eq!(
                    &answers[column.as_str()],
                    &expected[column.as_str()],
                    "{columns:?}"
                );
            }
            assert_eq!(answers.num_columns(), 1 + columns.len());
            if is_whole && !columns.contains(&"name".to_owned()) {
                assert_eq!(named, 0, "{columns:?}");
            }
        }
    }
    assert_eq!(repeat(true, None).0, expected);
}
