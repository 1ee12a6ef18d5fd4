//! The length of the long suites: a fifth, or whole where `HITSCAN_ROUNDS` is `whole`.
//!
//! `cargo xtask test` runs a fifth; `cargo xtask test --all` and `cargo xtask fuzz` run all.

use std::sync::LazyLock;

static IS_WHOLE: LazyLock<bool> = LazyLock::new(|| match std::env::var("HITSCAN_ROUNDS") {
    Ok(text) => {
        assert_eq!(text, "whole", "HITSCAN_ROUNDS is `whole` or not set");
        true
    }
    Err(_) => false,
});

/// How many rounds to run of `whole`: a fifth, rounded up, unless all are wanted. The counts that a suite
/// must have seen in all its rounds are scaled by the same function, and so are never 0.
///
/// # Panics
/// When `HITSCAN_ROUNDS` is set, and is not `whole`.
#[must_use]
pub fn rounds(whole: usize) -> usize {
    if *IS_WHOLE { whole } else { whole.div_ceil(5) }
}
