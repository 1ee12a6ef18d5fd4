//! Parquet and Arrow IPC files as record batches.
//!
//! Their bytes are not trusted: lengths are checked against the file before memory is allocated, and
//! a decoder's panic becomes an error (the crate's `catch_panic.rs`). `numbers.rs`, `positions.rs`,
//! `masks.rs` and `names.rs` read the values of a question from a column; `unpacked.rs` and
//! `one_type.rs` convert what they read.

mod unpacked;
mod one_type;
mod numbers;
mod positions;
mod masks;
mod names;
mod checked_file;
mod ipc;
mod page_sizes;
mod decoded_bytes;
mod parquet;

pub(crate) use ipc::{IpcKind, IpcReader};
pub(crate) use masks::MaskColumn;
pub(crate) use names::{NameColumn, holds_names};
pub(crate) use numbers::{NumberColumn, holds_numbers};
pub use parquet::{ParquetFooter, read_parquet_footer};
pub(crate) use parquet::{ParquetReader, RowSelection};
pub use positions::f64_values;
pub(crate) use positions::{DoubleColumn, PositionColumn};
pub(crate) use unpacked::unpack;
