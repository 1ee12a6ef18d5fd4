//! Vector code compiled for what machines have, and the choice made at run time.
//!
//! On x86 there are three paths: what every processor has, AVX2 and AVX-512. `fearless_simd`'s own macro
//! compiles one more, for processors with SSE4.2 alone, which are old.

/// Runs an expression with the widest vectors of the machine, their token bound to a name.
///
/// What the expression calls must be `#[inline(always)]`, or it is compiled without their instructions.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! vectorize {
    ($simd:pat => $op:expr) => {{
        let level = fearless_simd::Level::new();
        if let Some(avx512) = level.as_avx512() {
            $crate::vectorize::run_with!(avx512, $simd => $op)
        } else if let Some(avx2) = level.as_avx2() {
            $crate::vectorize::run_with!(avx2, $simd => $op)
        } else {
            let sse2 = level.as_sse2().expect("every processor of the target has SSE2");
            $crate::vectorize::run_with!(sse2, $simd => $op)
        }
    }};
}

/// Runs an expression with the widest vectors of the machine, their token bound to a name.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
macro_rules! vectorize {
    ($simd:pat => $op:expr) => {
        fearless_simd::dispatch!(fearless_simd::Level::new(), $simd => $op)
    };
}

/// Runs an expression with a token, compiled with its instructions.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
macro_rules! run_with {
    ($token:expr, $simd:pat => $op:expr) => {{
        let token = $token;
        let $simd = token;
        fearless_simd::Simd::vectorize(
            token,
            #[inline(always)]
            || $op,
        )
    }};
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) use run_with;
pub(crate) use vectorize;
