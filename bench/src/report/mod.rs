//! Rows of results: how they travel between processes and how they are shown.
//!
//! `table.rs` is every row, for the terminal; `summary.rs` and `libraries.rs` are what BENCHMARKS.md
//! shows of them; `markdown.rs` lays tables out.

mod row;
mod ratio;
mod markdown;
mod csv;
mod table;
mod summary;
mod libraries;
mod publish;

pub use csv::csv;
pub use markdown::{Column, aligned, thousands};
pub use publish::publish;
pub use ratio::{Build, Rated, rate};
pub use row::{Line, Row};
pub use table::{memory_table, table};

/// What the workloads of memory begin with.
pub const MEMORY: &str = "B1-bytes-";

/// What BENCHMARKS.md shows of a run's rows.
pub fn readable(rows: &[Rated]) -> String {
    let sections = [
        summary::summary(rows),
        libraries::nanoseconds(rows),
        libraries::lost_rays(rows),
        libraries::wrong_normals(rows),
        summary::memory(rows),
    ];
    sections
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
}
