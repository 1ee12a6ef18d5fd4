//! Batches of files from elsewhere are bounded, whatever they unpack to.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray, types::Int32Type,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, GzipLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

use super::*;

/// Bytes of the values of a batch, and of what goes with them.
const MOST: usize = (32 << 20) + (4 << 20);
const ROWS: usize = 8192;

fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::SNAPPY)
}

fn file(columns: &[(&str, ArrayRef)], properties: WriterPropertiesBuilder) -> Bytes {
    let columns = columns
        .iter()
        .map(|(name, array)| (*name, Arc::clone(array)));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    // Without what Arrow adds texts are read as texts, and not as a dictionary.
    let options = ArrowWriterOptions::new()
        .with_properties(properties.build())
        .with_skip_arrow_metadata(true);
    let writer = ArrowWriter::try_new_with_options(&mut bytes, batch.schema(), options);
    let mut writer = writer.unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes.into()
}

/// One text for so many rows, which a dictionary has once.
fn repeated(text: &str, rows: usize) -> ArrayRef {
    let keys = Int32Array::from(vec![0; rows]);
    let values = Arc::new(StringArray::from(vec![text]));
    Arc::new(DictionaryArray::<Int32Type>::new(keys, values))
}

fn open(bytes: &Bytes) -> Result<ParquetReader, Error> {
    let name = "table.parquet".to_owned();
    let selection = RowSelection::default();
    let opened = ParquetReader::in_memory(name, bytes.clone(), ROWS, &selection);
    opened.map(|(reader, _)| reader)
}

/// The rows of each batch; none takes more memory than `MOST`.
fn batches(bytes: &Bytes) -> Vec<usize> {
    let mut reader = open(bytes).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = reader.next_batch().unwrap() {
        let size = batch.get_array_memory_size();
        assert!(size <= MOST, "{} rows take {size} bytes", batch.num_rows());
        rows.push(batch.num_rows());
    }
    rows
}

#[test]
fn a_text_that_is_there_once_and_meant_often_comes_a_few_rows_at_a_time() {
    let text = "a hundred kilobytes ".repeat(5_000);
    let bytes = file(&[("note", repeated(&text, 20_000))], properties());
    assert!(bytes.len() < 300_000, "{}", bytes.len());
    let rows = batches(&bytes);
    assert_eq!(rows.iter().sum::<usize>(), 20_000);
    assert!(rows[0] <= 335, "{rows:?}");
    // The user's own file is read as ever.
    let path =
        std::env::temp_dir().join(format!("hitscan-repeated-{}.parquet", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    let (mut reader, _) = ParquetReader::open(&path, 500, &RowSelection::default()).unwrap();
    assert_eq!(reader.next_batch().unwrap().unwrap().num_rows(), 500);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn texts_that_share_their_beginning_come_a_few_rows_at_a_time() {
    let beginning = "x".repeat(1 << 20);
    let texts = (0..80).map(|row| format!("{beginning}{row}"));
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    let properties = properties()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BYTE_ARRAY);
    let rows = batches(&file(&[("note", texts)], properties));
    assert_eq!(rows.iter().sum::<usize>(), 80);
    assert!(rows[0] <= 32, "{rows:?}");
}

#[test]
fn ordinary_tables_come_in_whole_batches() {
    let numbers: ArrayRef = Arc::new(Float64Array::from_iter_values((0..20_000).map(f64::from)));
    for codec in [
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::UNCOMPRESSED,
    ] {
        let columns = [
            ("x", Arc::clone(&numbers)),
            ("name", repeated("crate", 20_000)),
        ];
        let bytes = file(&columns, properties().set_compression(codec));
        assert_eq!(batches(&bytes), [8192, 8192, 3616], "{codec}");
    }
}

#[test]
fn a_row_that_is_too_much_is_refused_by_its_column() {
    let text = "a kilobyte, nearly. ".repeat(50);
    let mut tags = ListBuilder::new(StringBuilder::new());
    for _ in 0..40_000 {
        tags.values().append_value(&text);
    }
    tags.append(true);
    let columns: [(&str, ArrayRef); 2] = [
        ("x", Arc::new(Float64Array::from(vec![1.0]))),
        ("tags", Arc::new(tags.finish())),
    ];
    let bytes = file(&columns, properties());
    assert!(bytes.len() < 10_000, "{}", bytes.len());
    let error = open(&bytes).err().unwrap().to_string();
    assert!(
        error.contains("table.parquet: a row of the column `tags."),
        "{error}"
    );
    assert!(
        error.contains("41 MB") && error.contains("at most 33 MB"),
        "{error}"
    );
    // Pages are too.
    let wide = StringArray::from(vec![" ".repeat(99 << 20)]);
    let bytes = file(
        &[("note", Arc::new(wide))],
        properties().set_dictionary_enabled(false),
    );
    let error = open(&bytes).err().unwrap().to_string();
    assert!(
        error.contains("the pages of the column `note` may take 103 MB"),
        "{error}"
    );
}
