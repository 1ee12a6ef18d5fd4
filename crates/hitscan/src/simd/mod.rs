//! Which vector instructions a shape's queries use.
//!
//! Vector code only culls or does what its scalar line does, operation for operation, so every
//! width gives the same bits. The width is chosen when a shape is made and can be set, to test and
//! to measure; a query looks it up once. Vectors themselves come from the crate `fearless_simd`,
//! which needs no `unsafe` here.

mod permute;
mod prefetch;
mod sort;

pub(crate) use permute::{permute, permute_numbers};
pub(crate) use prefetch::prefetch;
pub(crate) use sort::sort_descending;

use core::fmt;
use fearless_simd::Level;

/// The vector instructions that queries of a shape use; by default those that are fastest for it.
///
/// [`Width::default`] is the widest that the machine has.
///
/// ```
/// use hitscan::simd::Width;
/// let widths = Width::available();
/// assert!(widths.contains(&Width::default()));
/// ```
#[derive(Clone, Copy)]
pub struct Width(Level);

impl Width {
    /// All that this machine has, the plainest first.
    ///
    /// Plain scalar code is among them where the target has no vectors, or with the feature
    /// `scalar`.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let level = Level::new();
        let mut widths = Vec::new();
        #[cfg(feature = "scalar")]
        widths.push(Level::fallback());
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            widths.extend(level.as_sse2().map(Level::Sse2));
            widths.extend(level.as_sse4_2().map(Level::Sse4_2));
            widths.extend(level.as_avx2().map(Level::Avx2));
            widths.extend(level.as_avx512().map(Level::Avx512));
        }
        if widths.last().is_none_or(|last| name(*last) != name(level)) {
            widths.push(level);
        }
        widths.into_iter().map(Self).collect()
    }

    /// A short name: `scalar`, `sse2`, `sse4.2`, `avx2`, `avx512`, `neon` or `simd128`.
    #[must_use]
    pub fn name(self) -> &'static str {
        name(self.0)
    }

    /// The best for code of eight lanes. Where there are wider registers the compiler uses them for
    /// other things along the way, and the processor pays: on meshes AVX-512 was 5 to 15 % slower.
    pub(crate) fn of_eight_lanes() -> Self {
        let level = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let level = level.as_avx2().map_or(level, Level::Avx2);
        Self(level)
    }

    pub(crate) fn level(self) -> Level {
        self.0
    }
}

impl Default for Width {
    fn default() -> Self {
        Self(Level::new())
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

fn name(level: Level) -> &'static str {
    match level {
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => "neon",
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Level::WasmSimd128(_) => "simd128",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(_) => "sse2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse4_2(_) => "sse4.2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) => "avx2",
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx512(_) => "avx512",
        _ => "scalar",
    }
}
