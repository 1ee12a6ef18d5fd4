//! Rows that wait until there are as many as are written together.

use arrow_array::RecordBatch;

/// Rows that wait, in the batches in which they came.
pub(super) struct WaitingRows {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    most_rows: usize,
    most_bytes: usize,
}

impl WaitingRows {
    /// So many rows are written together, or those that take so many bytes, if these are fewer.
    pub(super) fn new(most_rows: usize, most_bytes: usize) -> Self {
        Self {
            batches: Vec::new(),
            rows: 0,
            bytes: 0,
            most_rows,
            most_bytes,
        }
    }

    /// Adds the rows of a batch; whenever enough wait, they are given to `write`.
    pub(super) fn add<E>(
        &mut self,
        batch: &RecordBatch,
        mut write: impl FnMut(&[RecordBatch]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut start = 0;
        while start < batch.num_rows() {
            let rows = (batch.num_rows() - start).min(self.most_rows - self.rows);
            let part = batch.slice(start, rows);
            start += rows;
            self.rows += rows;
            self.bytes += byte_len(&part);
            self.batches.push(part);
            if self.rows == self.most_rows || self.bytes >= self.most_bytes {
                self.give_all(&mut write)?;
            }
        }
        Ok(())
    }

    /// Gives the rows that wait to `write`, if there are any.
    pub(super) fn give_all<E>(
        &mut self,
        write: impl FnOnce(&[RecordBatch]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.rows > 0 {
            write(&self.batches)?;
            self.batches.clear();
            (self.rows, self.bytes) = (0, 0);
        }
        Ok(())
    }
}

/// How many bytes the rows of a batch take, without those of the arrays that they are a part of.
fn byte_len(batch: &RecordBatch) -> usize {
    let columns = batch.columns().iter();
    let bytes = columns.map(|column| {
        let data = column.to_data();
        data.get_slice_memory_size()
            .unwrap_or_else(|_| column.get_array_memory_size())
    });
    bytes.sum()
}
