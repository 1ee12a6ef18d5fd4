//! Rows of results: how they travel between processes and how they are shown.

mod row;
mod ratio;
mod csv;
mod table;
mod publish;

pub use csv::csv;
pub use publish::publish;
pub use ratio::{Rated, rate};
pub use row::{Line, Row};
pub use table::{memory_table, table};
