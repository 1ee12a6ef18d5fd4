//! An output table of any format, written chunk by chunk.
//!
//! A file appears under its name when it is complete and not before.

use std::error::Error as StdError;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use crate::pass_through::OutputChunk;
use crate::schema::OutputSchema;
use crate::staged_file::StagedFile;
use crate::{Error, Format, Output};

/// A Parquet writer holds a row group until it is full: by rows or, where they are long, by bytes.
const ROW_GROUP_ROWS: usize = 128 * 1024;
const ROW_GROUP_BYTES: usize = 64 * 1024 * 1024;

/// Writes an output chunk by chunk. One that is dropped unfinished leaves no file.
pub(crate) struct OutputWriter {
    file: String,
    writer: FormatWriter,
    staged: Option<StagedFile>,
}

enum FormatWriter {
    Csv(Box<dyn Write>),
    Parquet(Box<ArrowWriter<File>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
}

impl Output {
    /// The format in which the output is written.
    pub(crate) fn format(&self) -> Result<Format, Error> {
        match self {
            Self::File(path) => Format::of_path(path),
            Self::Stream { .. } => Ok(Format::Csv),
        }
    }
}

impl OutputWriter {
    /// Creates the output and writes its schema.
    pub(crate) fn create(output: Output, schema: &OutputSchema) -> Result<Self, Error> {
        let (name, format) = (output.name(), output.format()?);
        let create = || -> Result<Self, Box<dyn StdError + Send + Sync>> {
            let (handle, staged): (Handle, _) = match output {
                Output::Stream { writer, .. } => (Handle::Stream(writer), None),
                Output::File(path) => {
                    let (file, staged) = StagedFile::create(&path)?;
                    (Handle::File(file), staged)
                }
            };
            let writer = match (schema, handle) {
                (OutputSchema::Csv(line), handle) => {
                    let mut writer: Box<dyn Write> = match handle {
                        Handle::File(file) => Box::new(file),
                        Handle::Stream(stream) => stream,
                    };
                    writer.write_all(line)?;
                    writer.flush()?;
                    FormatWriter::Csv(writer)
                }
                (OutputSchema::Columnar(schema), Handle::File(file)) => match format {
                    Format::Parquet => {
                        let properties = parquet_properties(schema);
                        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))?;
                        FormatWriter::Parquet(Box::new(writer))
                    }
                    _ => FormatWriter::Arrow(Box::new(FileWriter::try_new_buffered(file, schema)?)),
                },
                (OutputSchema::Columnar(_), Handle::Stream(_)) => {
                    unreachable!("a stream's format is CSV, and so is its schema")
                }
            };
            Ok(Self {
                file: name.clone(),
                writer,
                staged,
            })
        };
        create().map_err(|source| write_error(&name, source))
    }

    /// Writes some rows.
    pub(crate) fn write(&mut self, chunk: &OutputChunk) -> Result<(), Error> {
        let written: Result<(), Box<dyn StdError + Send + Sync>> = match (&mut self.writer, chunk) {
            (FormatWriter::Csv(writer), OutputChunk::Csv(bytes)) => writer
                .write_all(bytes)
                .and_then(|()| writer.flush())
                .map_err(Into::into),
            (FormatWriter::Parquet(writer), OutputChunk::Columnar(batch)) => {
                writer.write(batch).map_err(Into::into)
            }
            (FormatWriter::Arrow(writer), OutputChunk::Columnar(batch)) => {
                writer.write(batch).map_err(Into::into)
            }
            _ => unreachable!("chunks have the format of the schema"),
        };
        written.map_err(|source| write_error(&self.file, source))
    }

    /// Completes the output and gives it its final name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self {
            file,
            writer,
            staged,
        } = self;
        let finished: Result<(), Box<dyn StdError + Send + Sync>> = match writer {
            FormatWriter::Csv(mut writer) => writer.flush().map_err(Into::into),
            FormatWriter::Parquet(writer) => writer.close().map(drop).map_err(Into::into),
            FormatWriter::Arrow(mut writer) => writer.finish().map_err(Into::into),
        };
        finished
            .and_then(|()| staged.map_or(Ok(()), |staged| staged.commit().map_err(Into::into)))
            .map_err(|source| write_error(&file, source))
    }
}

/// An opened output.
enum Handle {
    File(File),
    Stream(Box<dyn Write>),
}

/// Snappy, as most writers do; no dictionaries for the answer's numbers, which hardly repeat.
fn parquet_properties(schema: &SchemaRef) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES));
    for field in schema.fields() {
        if matches!(field.data_type(), DataType::Float32 | DataType::Float64) {
            let path = ColumnPath::from(vec![field.name().clone()]);
            properties = properties.set_column_dictionary_enabled(path, false);
        }
    }
    properties.build()
}

fn write_error(file: &str, source: Box<dyn StdError + Send + Sync>) -> Error {
    let closed = source
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if closed {
        return Error::OutputClosed;
    }
    Error::Write {
        file: file.to_owned(),
        source,
    }
}
