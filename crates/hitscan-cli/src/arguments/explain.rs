//! Arguments of explanations: the row whose answer is explained.

use clap::Args;

/// Why the answer of one row is the answer, in place of a table.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct ExplainArguments {
    /// In place of a table, what the question of this row met, from 0, and why its answer is the
    /// answer.
    #[arg(long, value_name = "ROW")]
    pub(crate) explain: Option<u64>,
    /// With --explain: one JSON object in place of text.
    #[arg(long, requires = "explain")]
    pub(crate) json: bool,
}
