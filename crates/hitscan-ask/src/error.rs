//! Why a table cannot be answered as a whole; a row that cannot is answered `invalid` instead.

/// Why a table could not be answered or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The table of answers could not be written, or the caller cancelled it.
    #[error(transparent)]
    Table(#[from] hitscan_table::Error),
}
