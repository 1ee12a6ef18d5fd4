//! Eight numbers in order, without branches.
//!
//! Source: Batcher, "Sorting Networks and their Applications", AFIPS 1968: the bitonic network, whose
//! first comparison of each merge is turned round so that all go one way.

use super::permute_numbers;
use fearless_simd::{Select, Simd, prelude::*, u32x8};

/// In each step lane k is compared with lane `k ^ step`.
const STEPS: [u32; 6] = [1, 3, 1, 7, 2, 1];

/// The largest first.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn sort_descending<S: Simd>(simd: S, numbers: u32x8<S>) -> u32x8<S> {
    let lanes = u32x8::load_array(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
    let mut numbers = numbers;
    for step in STEPS {
        let others = permute_numbers(simd, numbers, lanes ^ step);
        let is_first = lanes.simd_lt(lanes ^ step);
        numbers = is_first.select(numbers.max(others), numbers.min(others));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::super::Width;
    use super::*;
    use crate::simd::dispatch;

    #[test]
    fn a_network_that_sorts_zeros_and_ones_sorts_all() {
        // Knuth, "The Art of Computer Programming", volume 3, 5.3.4: the zero-one principle.
        for width in Width::available() {
            for bits in 0..256_u32 {
                let numbers = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| bits >> lane & 1);
                let sorted = dispatch!(width, simd => {
                    sort_descending(simd, u32x8::load_array(simd, numbers)).to_array()
                });
                let mut expected = numbers;
                expected.sort_unstable_by(|a, b| b.cmp(a));
                assert_eq!(sorted, expected, "{width:?}");
            }
        }
    }
}
