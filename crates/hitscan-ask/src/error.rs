//! The error of a table that cannot be answered as a whole; a row that cannot is answered `invalid` instead.

/// Why a table could not be answered or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The table of answers could not be written, or the caller cancelled it.
    #[error(transparent)]
    Table(#[from] hitscan_table::Error),

    /// More targets than are kept in memory.
    #[error(
        "{file}: more than {limit} targets, which are kept in memory: exchange both tables, or split it"
    )]
    TooManyTargets {
        /// The table.
        file: String,
        /// The most rows that it may have.
        limit: usize,
    },
}
