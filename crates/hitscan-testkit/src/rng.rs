//! A small random generator with a fixed algorithm, so that a printed seed repeats a failure.
//!
//! `HITSCAN_SEED`, a whole number, gives every generator other numbers; `cargo xtask fuzz` sets it.

use std::sync::LazyLock;

/// What is mixed into every seed; 0 leaves them as they are.
static ROUND: LazyLock<u64> = LazyLock::new(|| match std::env::var("HITSCAN_SEED") {
    Ok(text) => text.parse().expect("HITSCAN_SEED is a whole number"),
    Err(_) => 0,
});

/// Whether generators have their usual numbers. Only with these a test may say how often it sees what
/// is rare.
#[must_use]
pub fn has_usual_numbers() -> bool {
    *ROUND == 0
}

/// PCG-XSH-RR 64/32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
/// Algorithms for Random Number Generation", 2014).
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// A generator that yields the same numbers for the same seed.
    ///
    /// # Panics
    /// When `HITSCAN_SEED` is set, and is no whole number.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // The golden ratio of 2^64 spreads small numbers over all bits.
        let seed = seed ^ ROUND.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Self {
            state: seed.wrapping_add(1_442_695_040_888_963_407),
        };
        rng.next_u32();
        rng
    }

    /// Uniform over all of u32.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the generator takes the low bits"
    )]
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// Uniform below `n`.
    ///
    /// # Panics
    /// When `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is no number below zero");
        let wide = u64::from(self.next_u32()) << 32 | u64::from(self.next_u32());
        usize::try_from(wide % n as u64).unwrap_or(0)
    }

    /// Uniform in `low..high`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let wide = u64::from(self.next_u32()) << 32 | u64::from(self.next_u32());
        low + (high - low) * ((wide >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Uniform in `low..high`, rounded to f32.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to f32 is intended"
    )]
    pub fn uniform_f32(&mut self, low: f32, high: f32) -> f32 {
        self.uniform(f64::from(low), f64::from(high)) as f32
    }

    /// True once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
