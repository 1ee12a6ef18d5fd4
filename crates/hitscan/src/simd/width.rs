//! Vector widths, and the choice of one at run time.
//!
//! Two code paths are compiled of everything: what every processor of the target has, and AVX2 on
//! x86. Each path more adds a quarter to the time it takes to compile the library, so AVX-512 has one
//! only where the bench shows a gain: wavefronts of rays at terrain, packets, building meshes, and
//! loops over many samples, boxes or spheres. In wavefronts at meshes it loses to AVX2
//! (docs/methods/compile-time.md).
//!
//! With debug assertions there is the first path alone, so that such builds are quicker; the feature
//! `scalar`, which compares the paths, has all of them.

use core::fmt;
use fearless_simd::Level;

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    any(not(debug_assertions), feature = "scalar")
))]
use fearless_simd::{Avx2, Avx512};

/// The vectors that every processor of the target has.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub(crate) type Baseline = fearless_simd::Sse2;
/// The vectors that every processor of the target has.
#[cfg(target_arch = "aarch64")]
pub(crate) type Baseline = fearless_simd::Neon;
/// The vectors that every processor of the target has.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type Baseline = fearless_simd::WasmSimd128;
/// Without vectors, scalar code.
#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) type Baseline = fearless_simd::Fallback;

/// The vector instructions that queries of a shape use; by default the widest that the machine has.
#[derive(Clone, Copy)]
pub struct Width(pub(crate) Target);

/// A code path with the token that proves that the machine has its instructions.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Plain scalar code, to test the vector code against.
    #[cfg(feature = "scalar")]
    Scalar(fearless_simd::Fallback),
    Baseline(Baseline),
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(not(debug_assertions), feature = "scalar")
    ))]
    Avx2(Avx2),
    /// AVX-512, and the AVX2 of the same machine for code that has no path of its own for it.
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(not(debug_assertions), feature = "scalar")
    ))]
    Avx512(Avx512, Avx2),
}

impl Width {
    /// The vectors that every processor of the target has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn baseline() -> Self {
        Self(Target::Baseline(baseline()))
    }

    /// All code paths that this machine can run, the plainest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let mut widths = Vec::new();
        #[cfg(feature = "scalar")]
        if let Level::Fallback(fallback) = Level::fallback() {
            widths.push(Self(Target::Scalar(fallback)));
        }
        widths.push(Self(Target::Baseline(baseline())));
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            any(not(debug_assertions), feature = "scalar")
        ))]
        if let Some(avx2) = Level::new().as_avx2() {
            widths.push(Self(Target::Avx2(avx2)));
        }
        if widths.last() != Some(&Self::default()) {
            widths.push(Self::default());
        }
        widths
    }

    /// A short name: `scalar`, `sse2`, `avx2`, `avx512`, `neon` or `simd128`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(feature = "scalar")]
            Target::Scalar(_) => "scalar",
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                any(not(debug_assertions), feature = "scalar")
            ))]
            Target::Avx2(_) => "avx2",
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                any(not(debug_assertions), feature = "scalar")
            ))]
            Target::Avx512(..) => "avx512",
            Target::Baseline(_) if cfg!(any(target_arch = "x86", target_arch = "x86_64")) => "sse2",
            Target::Baseline(_) if cfg!(target_arch = "aarch64") => "neon",
            Target::Baseline(_) if cfg!(target_feature = "simd128") => "simd128",
            Target::Baseline(_) => "scalar",
        }
    }
}

impl Default for Width {
    fn default() -> Self {
        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64"),
            any(not(debug_assertions), feature = "scalar")
        ))]
        if let Some(avx2) = Level::new().as_avx2() {
            let target = match Level::new().as_avx512() {
                Some(avx512) => Target::Avx512(avx512, avx2),
                None => Target::Avx2(avx2),
            };
            return Self(target);
        }
        Self(Target::Baseline(baseline()))
    }
}

impl PartialEq for Width {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Width {}

impl fmt::Debug for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The token of the vectors that every processor of the target has.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn baseline() -> Baseline {
    let level = Level::baseline();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let token = level.as_sse2();
    #[cfg(target_arch = "aarch64")]
    let token = level.as_neon();
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    let token = level.as_wasm_simd128();
    #[cfg(not(any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    let token = match level {
        Level::Fallback(fallback) => Some(fallback),
        _ => None,
    };
    token.expect("hitscan is compiled for a target with SSE2, NEON, or no vectors at all")
}

/// Runs an expression in the code path of a [`Width`], with its vector token bound to a name.
///
/// What the expression calls must be inlined always, or it is compiled without the path's instructions:
/// `#[cfg_attr(not(debug_assertions), inline(always))]`. With debug assertions there is the baseline alone,
/// whose instructions all functions have, and forced inlining would only make such builds longer.
macro_rules! dispatch {
    ($width:expr, $simd:pat => $op:expr) => {
        match $width.0 {
            #[cfg(feature = "scalar")]
            $crate::simd::Target::Scalar(token) => $crate::simd::run_with!(token, $simd => $op),
            $crate::simd::Target::Baseline(token) => $crate::simd::run_with!(token, $simd => $op),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), any(not(debug_assertions), feature = "scalar")))]
            $crate::simd::Target::Avx2(token) | $crate::simd::Target::Avx512(_, token) => {
                $crate::simd::run_with!(token, $simd => $op)
            }
        }
    };
}

/// As [`dispatch`], with a code path of its own for AVX-512.
macro_rules! dispatch_wide {
    ($width:expr, $simd:pat => $op:expr) => {
        match $width.0 {
            #[cfg(feature = "scalar")]
            $crate::simd::Target::Scalar(token) => $crate::simd::run_with!(token, $simd => $op),
            $crate::simd::Target::Baseline(token) => $crate::simd::run_with!(token, $simd => $op),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), any(not(debug_assertions), feature = "scalar")))]
            $crate::simd::Target::Avx2(token) => $crate::simd::run_with!(token, $simd => $op),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), any(not(debug_assertions), feature = "scalar")))]
            $crate::simd::Target::Avx512(token, _) => $crate::simd::run_with!(token, $simd => $op),
        }
    };
}

/// Runs an expression with the vectors that every processor of the target has: one code path.
macro_rules! dispatch_baseline {
    ($simd:pat => $op:expr) => {{
        let $simd = $crate::simd::opaque($crate::simd::baseline());
        $op
    }};
}

/// Runs an expression with a token, compiled with its instructions.
macro_rules! run_with {
    ($token:expr, $simd:pat => $op:expr) => {{
        let token = $token;
        let $simd = $crate::simd::opaque(token);
        fearless_simd::Simd::vectorize(
            token,
            #[cfg_attr(not(debug_assertions), inline(always))]
            || $op,
        )
    }};
}

/// The token as some implementation, so that an expression cannot rely on which one it is.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn opaque<S: fearless_simd::Simd>(token: S) -> impl fearless_simd::Simd {
    token
}

pub(crate) use {dispatch, dispatch_baseline, dispatch_wide, run_with};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_widest_path_of_the_machine() {
        let widths = Width::available();
        assert_eq!(widths.last(), Some(&Width::default()));
        let names: std::collections::BTreeSet<_> =
            widths.iter().map(|width| width.name()).collect();
        assert_eq!(names.len(), widths.len());
    }
}
