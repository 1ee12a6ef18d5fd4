//! Parquet and Arrow IPC files as record batches.
//!
//! Their bytes are not trusted: lengths are checked against the file before memory is asked for, and
//! a decoder's panic becomes an error (`contain.rs`). Read `parquet.rs` and `ipc.rs` next;
//! `numbers.rs` reads a question's numbers from a column.

mod contain;
mod ipc;
mod numbers;
mod parquet;

pub(crate) use ipc::{IpcKind, IpcReader};
pub(crate) use numbers::{NumberColumn, holds_numbers};
pub(crate) use parquet::ParquetReader;
