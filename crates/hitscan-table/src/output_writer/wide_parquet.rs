//! Parquet of many columns, written one column after the other.
//!
//! [`ArrowWriter`] encodes rows as they come, with an encoder and a compressor for each column until the
//! row group ends, some 60 kB each whatever they hold. In a wide table that is more than the rows are, so
//! there the rows wait, and one column's encoder is used at a time. The bytes are the same.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::waiting_rows::WaitingRows;
use super::{ROW_GROUP_BYTES, ROW_GROUP_ROWS};

/// Writes row groups column by column.
pub(super) struct WideParquet<W: Write + Send> {
    file: SerializedFileWriter<W>,
    schema: SchemaRef,
    waiting: WaitingRows,
}

impl<W: Write + Send> WideParquet<W> {
    /// Goes on where a writer has written nothing yet.
    pub(super) fn new(writer: ArrowWriter<W>, schema: SchemaRef) -> Result<Self> {
        let (file, _) = writer.into_serialized_writer()?;
        Ok(Self {
            file,
            schema,
            waiting: WaitingRows::new(ROW_GROUP_ROWS, ROW_GROUP_BYTES),
        })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let (file, schema) = (&mut self.file, &self.schema);
        self.waiting
            .add(batch, |batches| write_row_group(file, schema, batches))
    }

    pub(super) fn add_key_value(&mut self, pair: KeyValue) {
        self.file.append_key_value_metadata(pair);
    }

    pub(super) fn close(mut self) -> Result<()> {
        let (file, schema) = (&mut self.file, &self.schema);
        self.waiting
            .give_all(|batches| write_row_group(file, schema, batches))?;
        self.file.close()?;
        Ok(())
    }
}

fn write_row_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    schema: &Schema,
    batches: &[RecordBatch],
) -> Result<()> {
    let types = file.schema_descr().root_schema_ptr();
    let properties = Arc::clone(file.properties());
    let mut group = file.next_row_group()?;
    let columns = schema.fields().iter().zip(types.get_fields());
    for (place, (field, own_type)) in columns.enumerate() {
        let mut encoders = encoders(field, own_type, &properties)?;
        for batch in batches {
            let leaves = compute_leaves(field, batch.column(place))?;
            for (encoder, leaf) in encoders.iter_mut().zip(&leaves) {
                encoder.write(leaf)?;
            }
        }
        for encoder in encoders {
            encoder.close()?.append_to_row_group(&mut group)?;
        }
    }
    group.close()?;
    Ok(())
}

/// The encoders of a column, as many as it is stored in: they are made for a file that has no other.
fn encoders(
    field: &FieldRef,
    own_type: &TypePtr,
    properties: &WriterPropertiesPtr,
) -> Result<Vec<ArrowColumnWriter>> {
    let alone = Type::group_type_builder("alone").with_fields(vec![Arc::clone(own_type)]);
    let alone = Arc::new(alone.build()?);
    let file = SerializedFileWriter::new(io::sink(), alone, Arc::clone(properties))?;
    let schema = Arc::new(Schema::new(vec![Arc::clone(field)]));
    ArrowRowGroupWriterFactory::new(&file, schema).create_column_writers(0)
}

#[cfg(test)]
mod tests {
    use arrow_array::types::{Int32Type, UInt8Type};
    use arrow_array::{
        ArrayRef, DictionaryArray, Float32Array, Float64Array, ListArray, StringArray, StructArray,
        UInt32Array,
    };
    use arrow_schema::{DataType, Field};

    use super::*;
    use crate::output_writer::parquet_properties;

    fn batch(first: u32, count: u32) -> RecordBatch {
        let rows = first..first + count;
        let number = |row: u32| f64::from(row.wrapping_mul(2_654_435_761));
        let some = |row: &u32| !row.is_multiple_of(7);
        let text = |row: u32| format!("name {}", row % 1000);
        let kinds: DictionaryArray<UInt8Type> = rows
            .clone()
            .map(|row| ["a", "b", "c"][row as usize % 3])
            .collect();
        let lists = rows.clone().map(|row| {
            let items = (0..row % 4).map(|item| (item != 1).then_some(item.cast_signed()));
            some(&row).then(|| items.collect::<Vec<_>>())
        });
        let floats: Float32Array = (rows.clone())
            .map(|row| some(&row).then(|| row.wrapping_mul(2_654_435_761) as f32))
            .collect();
        let numbers: UInt32Array = rows.clone().map(Some).collect();
        let fields = [("float", DataType::Float32), ("number", DataType::UInt32)];
        let fields = fields.map(|(name, own)| Field::new(name, own, true));
        let pair: Vec<ArrayRef> = vec![Arc::new(floats.clone()), Arc::new(numbers.clone())];
        let pair = StructArray::new(fields.to_vec().into(), pair, None);
        let columns: [(&str, ArrayRef); 7] = [
            ("float", Arc::new(floats)),
            (
                "double",
                Arc::new(rows.clone().map(number).collect::<Float64Array>()),
            ),
            ("number", Arc::new(numbers)),
            (
                "text",
                Arc::new(rows.map(text).map(Some).collect::<StringArray>()),
            ),
            ("kind", Arc::new(kinds)),
            (
                "list",
                Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists)),
            ),
            ("pair", Arc::new(pair)),
        ];
        let columns = columns.map(|(name, column)| (name, column, true));
        RecordBatch::try_from_iter_with_nullable(columns).unwrap()
    }

    #[test]
    fn the_bytes_are_those_of_encoding_all_columns_at_once() {
        let batches = [
            batch(0, 3),
            batch(3, 8192),
            batch(8195, 100_000),
            batch(108_195, 70_000),
        ];
        for batches in [&batches[..], &batches[..1], &[]] {
            let schema = batch(0, 0).schema();
            let properties = || Some(parquet_properties(&schema));
            let pair = || KeyValue::new("job".to_owned(), "7".to_owned());
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            let mut at_once =
                ArrowWriter::try_new(&mut expected, schema.clone(), properties()).unwrap();
            let writer = ArrowWriter::try_new(&mut found, schema.clone(), properties()).unwrap();
            let mut by_column = WideParquet::new(writer, schema.clone()).unwrap();
            for batch in batches {
                at_once.write(batch).unwrap();
                by_column.write(batch).unwrap();
            }
            at_once.append_key_value_metadata(pair());
            by_column.add_key_value(pair());
            let groups = at_once.close().unwrap().num_row_groups();
            by_column.close().unwrap();
            assert_eq!(groups, batches.len().div_ceil(2));
            assert!(found == expected, "{groups} row groups");
        }
    }
}
