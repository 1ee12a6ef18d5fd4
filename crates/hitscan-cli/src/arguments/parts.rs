//! Arguments of answers in parts, and of the summary of a run.

use clap::Args;

/// Answers in parts, of which those that are finished outlast a run that is killed.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct PartsArguments {
    /// Write a folder OUT of N files, part-000000.parquet and so on, in place of one file: one after the
    /// other they are the answers. Their format is --format, or else that of the questions.
    #[arg(
        long,
        value_name = "N",
        requires = "output",
        value_parser = clap::value_parser!(u32).range(1..=10_000)
    )]
    pub(crate) parts: Option<u32>,
    /// With --parts: keep the parts that an earlier run of the same command has finished, and answer the
    /// rest. Other inputs, scenes or options are refused.
    #[arg(long, requires = "parts")]
    pub(crate) resume: bool,
}

/// Whether a run ends with a summary.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct SummaryArguments {
    /// Print on standard error at the end how many rows were answered, with which status and which
    /// objects, and how long it took.
    #[arg(long)]
    pub(crate) summary: bool,
}
