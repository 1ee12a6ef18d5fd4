//! The length of the long suites: a fifth, or as `HITSCAN_ROUNDS` says `half` or `whole`.
//!
//! `cargo xtask test` runs a fifth, `cargo xtask test --all` half, `cargo xtask fuzz` all.

use std::sync::LazyLock;

/// Of how many rounds one is run.
static ONE_IN: LazyLock<usize> = LazyLock::new(|| match std::env::var("HITSCAN_ROUNDS") {
    Ok(text) => match &*text {
        "half" => 2,
        "whole" => 1,
        other => panic!("HITSCAN_ROUNDS is `half`, `whole` or not set, and not `{other}`"),
    },
    Err(_) => 5,
});

/// How many rounds to run of `whole`, rounded up: a fifth, unless more are wanted. The counts that a suite must have
/// seen in all its rounds are scaled by the same function, and so are never 0.
///
/// # Panics
/// When `HITSCAN_ROUNDS` is set, and is neither `half` nor `whole`.
#[must_use]
pub fn rounds(whole: usize) -> usize {
    whole.div_ceil(*ONE_IN)
}
