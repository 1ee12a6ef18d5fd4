//! Positions far from the world's origin: read, passed through and answered as f64.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch};
use arrow_schema::DataType;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, AxisAlias, AxisMap, Bound, ColumnKind, Frame,
    Output, QuestionColumn, Questions, TableOptions, TableWriter, run,
};

use crate::files::{read, rows, write_parquet};
use crate::{Folder, answer_files, answer_text, small_batches, text_input};
use parquet::basic::Compression;

/// Answers each point with the one 0.25 m beside, above and in front of it.
struct Beside(Option<Frame>);

impl Answer for Beside {
    fn questions(&self) -> &[QuestionColumn] {
        const {
            &[
                QuestionColumn::required("ox").position(Axis::X, Bound::Point),
                QuestionColumn::required("oy")
                    .position(Axis::Y, Bound::Point)
                    .or_above("oy_above"),
                QuestionColumn::required("oz").position(Axis::Z, Bound::Point),
            ]
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("x", ColumnKind::F32)
                    .on_axis(Axis::X)
                    .named_by_alias("hit_"),
                AnswerColumn::new("height", ColumnKind::F32).on_axis(Axis::Y),
                AnswerColumn::new("z", ColumnKind::F32)
                    .on_axis(Axis::Z)
                    .named_by_alias("hit_"),
            ]
        }
    }

    fn frame(&self) -> Option<&Frame> {
        self.0.as_ref()
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for i in 0..questions.len() {
            let [x, y, z] = [0, 1, 2].map(|column| questions.column(column)[i] + 0.25);
            let status = if questions.is_above(1) { "above" } else { "ok" };
            out.row(i).text(status).f32(x).f32(y).f32(z);
        }
    }
}

fn frame() -> Frame {
    let alias = |name: &str, zero, metres_per_unit| {
        let (name, map) = (
            name.to_owned(),
            AxisMap {
                zero,
                metres_per_unit,
            },
        );
        Some(AxisAlias { name, map })
    };
    Frame {
        origin: [500_000.0, 1000.0, -6_250_000.0],
        aliases: [
            alias("easting", 500_000.0, 1.0),
            None,
            alias("northing", 6_250_000.0, -1.0),
        ],
        foreign: Vec::new(),
    }
}

const TABLE: &str = "ox,oy,oz,note\n500010.125,1002.5,-6250000.0625,a\n";

#[test]
fn without_a_frame_nothing_changes() {
    let (text, _) = answer_text(TABLE, &Beside(None)).unwrap();
    let expected = "ox,oy,oz,note,status,x,height,z\n\
        500010.125,1002.5,-6250000.0625,a,ok,500010.38,1002.75,-6250000\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn with_an_origin_millimetres_survive() {
    let (text, _) = answer_text(TABLE, &Beside(Some(frame()))).unwrap();
    let expected = "ox,oy,oz,note,status,x,height,z\n\
        500010.125,1002.5,-6250000.0625,a,ok,500010.375,1002.75,-6249999.8125\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn aliases_have_their_own_map_and_name_the_answer() {
    let table = "northing,easting,oy_above\n6250000.5,500010,1.5\n,500010,1.5\n6250000.5,1e39,1\n";
    let cancel = AtomicBool::new(false);
    let page = crate::Page::default();
    let job = Beside(Some(frame()));
    let summary = run(
        text_input(table),
        page.output(),
        &job,
        &small_batches(&cancel),
    )
    .unwrap();
    let expected = "northing,easting,oy_above,status,hit_easting,height,hit_northing\n\
        6250000.5,500010,1.5,above,500010.25,1001.75,6250000.25\n\
        ,500010,1.5,invalid,,,\n\
        6250000.5,1e39,1,invalid,,,\n";
    assert_eq!(String::from_utf8(page.bytes()).unwrap(), expected);
    let reason = summary.first_invalid.unwrap().reason;
    assert_eq!(reason, "the column `northing` is empty");
}

#[test]
fn typed_columns_of_positions_are_f64() {
    let folder = Folder::new();
    let input = folder.write("in.csv", TABLE);
    let job = Beside(Some(frame()));
    let expected = [
        "ox,oy,oz,note,status,x,height,z",
        "500010.125,1002.5,-6250000.0625,a,ok,500010.375,1002.75,-6249999.8125",
    ];
    for name in ["out.parquet", "out.arrow"] {
        let output = folder.path(name);
        answer_files(&input, &output, &job).unwrap();
        assert_eq!(rows(&output), expected);
        let batch = read(&output);
        let doubles = ["ox", "oy", "oz", "x", "height", "z"];
        for field in batch.schema().fields() {
            let is_double = *field.data_type() == DataType::Float64;
            assert_eq!(
                is_double,
                doubles.contains(&field.name().as_str()),
                "{field}"
            );
        }
        // As questions, with the columns of the answer taken out.
        let questions = batch.project(&[0, 1, 2, 3]).unwrap();
        let again = write_parquet(&folder, "again.parquet", &questions, Compression::SNAPPY);
        answer_files(&again, &folder.path("again.csv"), &job).unwrap();
        assert_eq!(rows(&folder.path("again.csv")), expected);
    }
}

#[test]
fn eastings_in_f32_are_noticed() {
    let folder = Folder::new();
    let columns = |double: bool| -> RecordBatch {
        let numbers = [500_010.0_f32, 2.5, -6_250_000.0];
        let column = |(name, number): (&'static str, f32)| -> (&str, ArrayRef) {
            match double {
                true => (name, Arc::new(Float64Array::from(vec![f64::from(number)]))),
                false => (name, Arc::new(Float32Array::from(vec![number]))),
            }
        };
        RecordBatch::try_from_iter(["ox", "oy", "oz"].into_iter().zip(numbers).map(column)).unwrap()
    };
    let job = Beside(Some(frame()));
    for (double, coarse) in [(true, &[][..]), (false, &["ox", "oz"])] {
        let input = write_parquet(&folder, "a.parquet", &columns(double), Compression::SNAPPY);
        let summary = answer_files(&input, &folder.path("out.csv"), &job).unwrap();
        assert_eq!(summary.coarse_columns, coarse);
    }
    let input = write_parquet(&folder, "a.parquet", &columns(false), Compression::SNAPPY);
    let summary = answer_files(&input, &folder.path("out.csv"), &Beside(None)).unwrap();
    assert!(summary.coarse_columns.is_empty());
}

#[test]
fn a_table_without_an_input_has_a_frame_too() {
    let folder = Folder::new();
    let columns = [AnswerColumn::new("min_x", ColumnKind::F32).on_axis(Axis::X)];
    let output = folder.path("out.csv");
    let options = TableOptions {
        frame: Some(&frame()),
        ..TableOptions::default()
    };
    let mut table =
        TableWriter::create_with(Output::File(output.clone()), &columns, options).unwrap();
    table.row().unwrap().f32(0.125);
    table.finish().unwrap();
    assert_eq!(rows(&output), ["min_x", "500000.125"]);
}
