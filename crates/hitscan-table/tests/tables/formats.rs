//! Every format in, every format out; types, metadata and nulls on the way.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int64Array, ListArray,
    RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray,
};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::CompressionType;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use hitscan_table::{AnswerColumn, ColumnKind, Output, TableWriter};
use parquet::basic::{Compression, GzipLevel, ZstdLevel};

use crate::files::{read, rows, write_arrow, write_parquet, write_stream};
use crate::{Countdown, Folder, Sum, answer_files};

fn questions() -> RecordBatch {
    let columns: [(&str, ArrayRef); 4] = [
        (
            "id",
            Arc::new(Int64Array::from(vec![
                Some(1 << 60),
                None,
                Some(-3),
                Some(4),
                Some(5),
            ])),
        ),
        (
            "x",
            Arc::new(Float32Array::from(vec![
                Some(0.1),
                Some(-1.0),
                None,
                Some(2.5),
                Some(0.0),
            ])),
        ),
        (
            "note",
            Arc::new(StringArray::from(vec![
                Some("a, b"),
                None,
                Some(""),
                Some("d"),
                Some("é"),
            ])),
        ),
        (
            "z",
            Arc::new(Float64Array::from(vec![0.25, 1e-7, 3.0, 4.0, 0.0])),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .unwrap()
}

#[test]
fn every_format_becomes_every_other() {
    let folder = Folder::new();
    let batch = questions();
    let csv = "id,x,note,z\n\
        1152921504606846976,0.1,\"a, b\",0.25\n,-1,,1e-7\n-3,,\"\",3\n4,2.5,d,4\n5,0,é,0\n";
    let (gzip, zstd) = (GzipLevel::default(), ZstdLevel::default());
    let parquet = |name, compression| write_parquet(&folder, name, &batch, compression);
    let inputs = [
        folder.write("plain.csv", csv),
        parquet("plain.parquet", Compression::UNCOMPRESSED),
        parquet("snappy.parquet", Compression::SNAPPY),
        parquet("gzip.parquet", Compression::GZIP(gzip)),
        parquet("zstd.parquet", Compression::ZSTD(zstd)),
        parquet("lz4.parquet", Compression::LZ4_RAW),
        write_arrow(&folder, "plain.arrow", &batch, None),
        write_arrow(
            &folder,
            "lz4.arrow",
            &batch,
            Some(CompressionType::LZ4_FRAME),
        ),
        write_arrow(&folder, "zstd.arrow", &batch, Some(CompressionType::ZSTD)),
        write_stream(&folder, "stream.arrow", &batch),
    ];
    let expected = [
        "id,x,note,z,status,t,object,triangle",
        "1152921504606846976,0.1,\"a, b\",0.25,hit,0.35,\"crate, large\",7",
        ",-1,,1e-7,miss,,,",
        "-3,,\"\",3,invalid,,,",
        "4,2.5,d,4,hit,6.5,\"crate, large\",7",
        "5,0,é,0,invalid,,,",
    ];
    for input in &inputs {
        for name in ["answers.csv", "answers.parquet", "answers.arrow"] {
            let output = folder.path(name);
            let summary = answer_files(input, &output, &Sum).unwrap();
            assert_eq!((summary.rows, summary.answers, summary.invalid), (5, 5, 2));
            assert_eq!(rows(&output), expected, "{} to {name}", input.display());
            fs::remove_file(output).unwrap();
        }
    }
}

#[test]
fn typed_columns_keep_type_and_metadata() {
    let folder = Folder::new();
    let kinds: DictionaryArray<Int32Type> = vec!["a", "b", "a", "b"].into_iter().collect();
    let lists = [
        Some(vec![Some(1)]),
        None,
        Some(vec![]),
        Some(vec![Some(2), None]),
    ];
    let stamps = vec![0, 1, 2, 1_700_000_000_000_000];
    let columns: Vec<ArrayRef> = vec![
        Arc::new(kinds),
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
        Arc::new(TimestampMicrosecondArray::from(stamps).with_timezone("UTC")),
        Arc::new(
            Decimal128Array::from(vec![0, 1, 2, 3])
                .with_precision_and_scale(9, 1)
                .unwrap(),
        ),
        Arc::new(StringViewArray::from(vec![
            "a",
            "a name that is not inlined",
            "c",
            "d",
        ])),
    ];
    let names = ["kind", "list", "when", "x", "view"];
    let unit = HashMap::from([("unit".to_owned(), "m".to_owned())]);
    let field = |(column, name): (&ArrayRef, _)| {
        Field::new(name, column.data_type().clone(), true).with_metadata(unit.clone())
    };
    let fields: Vec<Field> = columns.iter().zip(names).map(field).collect();
    let made = HashMap::from([("made".to_owned(), "by hand".to_owned())]);
    let schema = Arc::new(Schema::new_with_metadata(fields, made));
    let batch = RecordBatch::try_new(schema.clone(), columns).unwrap();
    let inputs = [
        write_parquet(&folder, "in.parquet", &batch, Compression::SNAPPY),
        write_arrow(&folder, "in.arrow", &batch, None),
        write_stream(&folder, "stream.arrow", &batch),
    ];
    for input in &inputs {
        for name in ["out.parquet", "out.arrow"] {
            let output = folder.path(name);
            answer_files(input, &output, &Countdown).unwrap();
            let answered = read(&output);
            assert_eq!(answered.schema().metadata().get("made").unwrap(), "by hand");
            for (i, field) in schema.fields().iter().enumerate() {
                let schema = answered.schema();
                let found = schema.field(i);
                let plain =
                    field.name() == "kind" && name == "out.arrow" && !input.ends_with("in.arrow");
                let data_type = if plain {
                    &DataType::Utf8
                } else {
                    field.data_type()
                };
                assert_eq!(
                    found.data_type(),
                    data_type,
                    "{} to {name}",
                    input.display()
                );
                assert_eq!(found.metadata().get("unit").unwrap(), "m");
                assert_eq!(found.name(), field.name());
            }
            let texts: Vec<String> = (0..4)
                .map(|row| array_value_to_string(answered.column(0), row).unwrap())
                .collect();
            assert_eq!(texts, ["a", "b", "a", "b"]);
        }
    }
}

#[test]
fn typed_values_have_text_in_csv() {
    let folder = Folder::new();
    let lists = [Some(vec![Some(1), None]), None];
    let columns: [(&str, ArrayRef); 5] = [
        ("x", Arc::new(Float64Array::from(vec![1.0, 0.0]))),
        (
            "kind",
            Arc::new(
                vec!["a, b", "c"]
                    .into_iter()
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
        ),
        (
            "list",
            Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
        ),
        (
            "when",
            Arc::new(TimestampMicrosecondArray::from(vec![Some(1_500_000), None])),
        ),
        (
            "a \"name\"",
            Arc::new(StringViewArray::from(vec!["", "a\nb"])),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let input = write_arrow(&folder, "in.arrow", &batch, None);
    let output = folder.path("out.csv");
    answer_files(&input, &output, &Countdown).unwrap();
    let expected = "x,kind,list,when,\"a \"\"name\"\"\",row,status,t\n\
        1,\"a, b\",\"[1, ]\",1970-01-01T00:00:01.500,\"\",0,hit,1\n\
        0,c,,,\"a\nb\",1,miss,\n";
    assert_eq!(fs::read_to_string(output).unwrap(), expected);
}

#[test]
fn csv_becomes_numbers_for_the_question_and_text_for_the_rest() {
    let folder = Folder::new();
    let input = folder.write(
        "in.csv",
        "id,x,\"no,te\",z\n007, 0.1 ,\"a\"\"b\",1\n8,?,,\n,2,\"\",1e39\n",
    );
    for name in ["out.parquet", "out.arrow"] {
        let output = folder.path(name);
        answer_files(&input, &output, &Sum).unwrap();
        let batch = read(&output);
        let types: Vec<(String, DataType)> = batch
            .schema()
            .fields()
            .iter()
            .map(|field| (field.name().clone(), field.data_type().clone()))
            .collect();
        let expected = [
            ("id", DataType::Utf8),
            ("x", DataType::Float32),
            ("no,te", DataType::Utf8),
            ("z", DataType::Float32),
            ("status", DataType::Utf8),
            ("t", DataType::Float32),
            ("object", DataType::Utf8),
            ("triangle", DataType::UInt32),
        ];
        assert_eq!(
            types,
            expected.map(|(name, data_type)| (name.to_owned(), data_type))
        );
        let expected = [
            "007,0.1,a\"b,1,hit,1.1,\"crate, large\",7",
            "8,,,,invalid,,,",
            ",2,\"\",,invalid,,,",
        ];
        assert_eq!(rows(&output)[1..], expected);
    }
}

#[test]
fn a_row_with_several_answers_passes_through_with_each() {
    let folder = Folder::new();
    let columns: [(&str, ArrayRef); 2] = [
        ("x", Arc::new(Int64Array::from(vec![2, 0, 1, 3]))),
        (
            "name",
            Arc::new(StringArray::from(vec!["a", "b", "c", "d"])),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let input = write_arrow(&folder, "in.arrow", &batch, None);
    let csv = folder.write("in.csv", "x,name\n2,a\n0,b\n1,c\n3,d\n");
    let expected = [
        "x,name,row,status,t",
        "2,a,0,hit,2",
        "2,a,0,hit,1",
        "0,b,1,miss,",
        "1,c,2,hit,1",
        "3,d,3,hit,3",
        "3,d,3,hit,2",
        "3,d,3,hit,1",
    ];
    for input in [&input, &csv] {
        for name in ["out.csv", "out.parquet", "out.arrow"] {
            let output = folder.path(name);
            answer_files(input, &output, &Countdown).unwrap();
            assert_eq!(rows(&output), expected, "{} to {name}", input.display());
        }
    }
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let folder = Folder::new();
    let empty = questions().slice(0, 0);
    let inputs = [
        folder.write("in.csv", "id,x,note,z\n"),
        write_parquet(&folder, "in.parquet", &empty, Compression::SNAPPY),
        write_arrow(&folder, "in.arrow", &empty, None),
        write_stream(&folder, "stream.arrow", &empty),
    ];
    for input in &inputs {
        for name in ["out.csv", "out.parquet", "out.arrow"] {
            let output = folder.path(name);
            let summary = answer_files(input, &output, &Sum).unwrap();
            assert_eq!(summary.rows, 0);
            assert_eq!(rows(&output), ["id,x,note,z,status,t,object,triangle"]);
        }
    }
}

#[test]
fn a_wide_table_passes_through() {
    let folder = Folder::new();
    let questions = questions();
    let schema = questions.schema();
    let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
    let mut columns = questions.columns().to_vec();
    for number in 0..600 {
        let place = number % 4;
        let field = schema.field(place).clone();
        fields.push(Arc::new(field.with_name(format!("wide{number}"))));
        columns.push(questions.column(place).clone());
    }
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    let input = write_parquet(&folder, "in.parquet", &batch, Compression::SNAPPY);
    let output = folder.path("out.parquet");
    assert_eq!(answer_files(&input, &output, &Sum).unwrap().rows, 5);
    let answered = read(&output);
    assert_eq!(answered.num_columns(), 4 + 600 + 4);
    assert_eq!(
        answered.project(&(0..604).collect::<Vec<_>>()).unwrap(),
        batch
    );
    let narrow = write_parquet(&folder, "narrow.parquet", &questions, Compression::SNAPPY);
    answer_files(&narrow, &folder.path("narrow_out.parquet"), &Sum).unwrap();
    let narrow = read(&folder.path("narrow_out.parquet"));
    assert_eq!(answered.columns()[604..], narrow.columns()[4..]);
}

#[test]
fn a_table_that_answers_none_has_every_format() {
    let folder = Folder::new();
    let columns = [
        AnswerColumn::new("object_a", ColumnKind::Text),
        AnswerColumn::new("min_x", ColumnKind::F32),
        AnswerColumn::new("row", ColumnKind::RowNumber),
        AnswerColumn::new("triangle_a", ColumnKind::U32),
    ];
    // More rows than are collected before a write.
    const ROWS: u32 = 20_000;
    for name in ["out.csv", "out.parquet", "out.arrow"] {
        let output = folder.path(name);
        let mut table = TableWriter::create(Output::File(output.clone()), &columns).unwrap();
        for i in 0..ROWS {
            let mut row = table.row().unwrap();
            row.text("crate, large").f32(-0.0);
            if i % 2 == 0 {
                row.u32(i);
            }
        }
        assert!(!output.exists());
        assert_eq!(table.finish().unwrap(), u64::from(ROWS));
        let rows = rows(&output);
        assert_eq!(rows[0], "object_a,min_x,row,triangle_a");
        for i in 0..ROWS {
            let triangle = if i % 2 == 0 {
                i.to_string()
            } else {
                String::new()
            };
            let expected = format!("\"crate, large\",0,{i},{triangle}");
            assert_eq!(rows[i as usize + 1], expected);
        }
    }
}

#[test]
fn time_units_survive_parquet() {
    let folder = Folder::new();
    let stamps: ArrayRef =
        Arc::new(TimestampMicrosecondArray::from(vec![1]).with_timezone("+02:00"));
    let x: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let batch = RecordBatch::try_from_iter([("when", stamps), ("x", x)]).unwrap();
    let input = write_parquet(&folder, "in.parquet", &batch, Compression::SNAPPY);
    let output = folder.path("out.arrow");
    answer_files(&input, &output, &Countdown).unwrap();
    let expected = DataType::Timestamp(TimeUnit::Microsecond, Some("+02:00".into()));
    assert_eq!(read(&output).column(0).data_type(), &expected);
}
