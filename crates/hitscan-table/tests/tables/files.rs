//! Files of every typed format, written and read by the formats' own crates.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::array_value_to_string;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::Folder;

/// Writes a Parquet file.
pub(crate) fn write_parquet(
    folder: &Folder,
    name: &str,
    batch: &RecordBatch,
    compression: Compression,
) -> PathBuf {
    let path = folder.path(name);
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .build();
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    path
}

/// Writes an Arrow IPC file of two batches.
pub(crate) fn write_arrow(
    folder: &Folder,
    name: &str,
    batch: &RecordBatch,
    compression: Option<CompressionType>,
) -> PathBuf {
    let path = folder.path(name);
    let options = IpcWriteOptions::default()
        .try_with_compression(compression)
        .unwrap();
    let file = File::create(&path).unwrap();
    let mut writer = FileWriter::try_new_with_options(file, &batch.schema(), options).unwrap();
    let half = batch.num_rows() / 2;
    writer.write(&batch.slice(0, half)).unwrap();
    writer
        .write(&batch.slice(half, batch.num_rows() - half))
        .unwrap();
    writer.finish().unwrap();
    path
}

/// Writes an Arrow IPC stream.
pub(crate) fn write_stream(folder: &Folder, name: &str, batch: &RecordBatch) -> PathBuf {
    let path = folder.path(name);
    let file = File::create(&path).unwrap();
    let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    path
}

/// Reads a Parquet or Arrow file whole.
pub(crate) fn read(path: &Path) -> RecordBatch {
    let file = File::open(path).unwrap();
    let (schema, batches): (_, Vec<RecordBatch>) =
        if path.extension().is_some_and(|ending| ending == "parquet") {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            let schema = builder.schema().clone();
            (
                schema,
                builder.build().unwrap().map(Result::unwrap).collect(),
            )
        } else {
            let reader = FileReader::try_new(file, None).unwrap();
            (reader.schema(), reader.map(Result::unwrap).collect())
        };
    concat_batches(&schema, &batches).unwrap()
}

/// A file's rows as CSV would write them; for a CSV file, its text.
pub(crate) fn rows(path: &Path) -> Vec<String> {
    if path.extension().is_some_and(|ending| ending == "csv") {
        return fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect();
    }
    let batch = read(path);
    let names: Vec<String> = batch
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    let cell = |column: &ArrayRef, row| match column.is_null(row) {
        true => String::new(),
        false => match array_value_to_string(column, row).unwrap() {
            text if text.is_empty() || text.contains(',') => format!("\"{text}\""),
            text => text.strip_suffix(".0").unwrap_or(&text).to_owned(),
        },
    };
    let row = |row| {
        let cells: Vec<String> = batch
            .columns()
            .iter()
            .map(|column| cell(column, row))
            .collect();
        cells.join(",")
    };
    [
        vec![names.join(",")],
        (0..batch.num_rows()).map(row).collect(),
    ]
    .concat()
}
