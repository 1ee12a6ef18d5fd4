//! Why a table cannot be answered as a whole; a row that cannot is answered `invalid` instead.

/// Why a table could not be answered or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The steps of a march have no usable length.
    #[error("the step of a march must be a positive length in metres, found {found}")]
    MarchStep {
        /// The length found, metres.
        found: f64,
    },
    /// The table of answers could not be written, or the caller cancelled it.
    #[error(transparent)]
    Table(#[from] hitscan_table::Error),
}
