//! Prefetching memory that will be read soon.
//!
//! This file alone holds `unsafe` code: the instruction has no safe form on stable Rust. It is a
//! hint that reads nothing and cannot fault, so no answer and no memory safety depends on it.

/// Prefetches the first cache line of each pair that `value` takes: processors fetch the other along.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a raw pointer")
)]
pub(crate) fn prefetch<T>(value: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = value.cast::<i8>();
        for pair in 0..size_of::<T>().div_ceil(64) {
            // SAFETY: the instruction dereferences nothing and is part of SSE, which x86-64 always
            // has; `wrapping_add` may leave the object, as a hint may.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(64 * pair)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
