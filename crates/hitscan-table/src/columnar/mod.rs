//! Parquet and Arrow IPC files as record batches.
//!
//! Their bytes are not trusted: lengths are checked against the file before memory is asked for, and
//! a decoder's panic becomes an error (`contain.rs`). Read `parquet.rs` and `ipc.rs` next;
//! `numbers.rs`, `masks.rs` and `names.rs` read a question's parts from a column.

mod contain;
mod numbers;
mod masks;
mod names;
mod ipc;
mod parquet;

pub(crate) use ipc::{IpcKind, IpcReader};
pub(crate) use masks::MaskColumn;
pub(crate) use names::{NameColumn, holds_names};
pub(crate) use numbers::{NumberColumn, holds_numbers};
pub(crate) use parquet::ParquetReader;
