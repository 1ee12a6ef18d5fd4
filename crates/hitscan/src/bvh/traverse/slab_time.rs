//! Slab times: when a prepared query passes planes across an axis, with an error that is relative to the
//! time, not to the plane's coordinate.
//!
//! Source: Ize, "Robust BVH Ray Traversal", Journal of Computer Graphics Techniques 2013. Here a fused
//! multiply-add does the work of difference and product where processors have it.
//!
//! A plane at `p` is passed at `(p - s) r`, from the start `s` with the reciprocal `r` of the direction.
//! Fused, `p r + c` with `c = -s r` rounds once: what rounding took from `c` is the same for all planes, and
//! no term grows with `p`. Not fused, the product `p r` would be rounded by itself, so the difference is
//! formed first, which rounds relative to itself. Slack for what is off in the start is in the offset:
//! [`TraversalRay::set`](super::prepared::TraversalRay::set) makes it.

use fearless_simd::{Simd, SimdFloat};

/// By which factor a box is left later, as the roundings of slab times may have made the entry later and
/// the exit earlier, each by 8u of itself, u being f32's roundoff.
///
/// The reciprocal carries two roundings of the direction and that of the quotient (3u); the difference and
/// the product, or what is fused, at most 2u. What is more covers the factor's own rounding and u².
pub(crate) const LATER: f32 = 1.0 + 16.0 * f32::EPSILON;

/// Whether a product and a sum round as one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn is_fused<S: Simd>(simd: S) -> bool {
    let level = simd.level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    return level.as_avx2().is_some();
    #[cfg(target_arch = "aarch64")]
    return level.as_neon().is_some();
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    {
        // Relaxed instructions may be fused or not.
        let _ = level;
        false
    }
}

/// When a prepared query passes planes across an axis. The offset is one of the prepared query's, made for
/// the same vectors.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn slab_time<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    plane: V,
    reciprocal: V,
    offset: V,
) -> V {
    if is_fused(simd) {
        plane.mul_add(reciprocal, offset)
    } else {
        (plane - offset) * reciprocal
    }
}
