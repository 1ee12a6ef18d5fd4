//! Lanes put in an order that is known only at run time.

use fearless_simd::{Simd, f32x8, prelude::*, u8x16, u8x32, u32x8};

/// In lane k what `values` has in lane `places[k]`, each less than 8.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn permute<S: Simd>(simd: S, values: f32x8<S>, places: &[u8; 8]) -> f32x8<S> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = simd.level().as_avx2() {
        let permuted = permute_whole_lanes(avx2, values.to_array(), *places);
        return f32x8::load_array(simd, permuted);
    }
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        let places = places.map(usize::from);
        return f32x8::load_array(simd, look_up(&values.to_array(), &places));
    }
    permute_bytes(simd, values, places)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fearless_simd::kernel!(
    /// One instruction for the lanes, where bytes take five.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn permute_whole_lanes(avx2: Avx2, values: [f32; 8], places: [u8; 8]) -> [f32; 8] {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::{_mm_set_epi64x, _mm256_cvtepu8_epi32, _mm256_permutevar8x32_ps};
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::{_mm_set_epi64x, _mm256_cvtepu8_epi32, _mm256_permutevar8x32_ps};
        let places = _mm256_cvtepu8_epi32(_mm_set_epi64x(0, i64::from_le_bytes(places)));
        let values: f32x8<_> = values.simd_into(avx2);
        let permuted: f32x8<_> = _mm256_permutevar8x32_ps(values.into(), places).simd_into(avx2);
        permuted.to_array()
    }
);

/// Lane k is lane `places[k]` of `values`; only the lowest three bits of an index count.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn permute_numbers<S: Simd>(simd: S, values: u32x8<S>, places: u32x8<S>) -> u32x8<S> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = simd.level().as_avx2() {
        let permuted = permute_whole_numbers(avx2, values.to_array(), places.to_array());
        return u32x8::load_array(simd, permuted);
    }
    let places = places.to_array().map(|place| place as usize);
    u32x8::load_array(simd, look_up(&values.to_array(), &places))
}

/// Lane by lane.
#[cfg_attr(not(debug_assertions), inline(always))]
fn look_up<T: Copy>(values: &[T; 8], places: &[usize; 8]) -> [T; 8] {
    places.map(|place| values[place % 8])
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fearless_simd::kernel!(
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn permute_whole_numbers(avx2: Avx2, values: [u32; 8], places: [u32; 8]) -> [u32; 8] {
        #[cfg(target_arch = "x86")]
        use core::arch::x86::_mm256_permutevar8x32_epi32;
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::_mm256_permutevar8x32_epi32;
        let values: u32x8<_> = values.simd_into(avx2);
        let places: u32x8<_> = places.simd_into(avx2);
        let permuted: u32x8<_> =
            _mm256_permutevar8x32_epi32(values.into(), places.into()).simd_into(avx2);
        permuted.to_array()
    }
);

/// The same byte by byte, for vectors that have an instruction for that: SSE2 has none, and takes
/// hundreds where [`look_up`] takes a load and a store for each lane.
#[cfg_attr(not(debug_assertions), inline(always))]
fn permute_bytes<S: Simd>(simd: S, values: f32x8<S>, places: &[u8; 8]) -> f32x8<S> {
    /// The bytes of a lane.
    const STRIDE: u8 = 4;
    /// For each byte the number of its lane.
    const LANES: [u8; 32] = {
        let mut lanes = [0; 32];
        let mut byte: u8 = 0;
        while byte < 32 {
            lanes[byte as usize] = byte / STRIDE;
            byte += 1;
        }
        lanes
    };
    /// For each byte its number in its lane.
    const BYTES: [u8; 32] = {
        let mut bytes = [0; 32];
        let mut byte: u8 = 0;
        while byte < 32 {
            bytes[byte as usize] = byte % STRIDE;
            byte += 1;
        }
        bytes
    };
    let mut padded = [0; 16];
    padded[..8].copy_from_slice(places);
    let places = u8x32::block_splat(u8x16::load_array(simd, padded))
        .swizzle_dyn_within_blocks(u8x32::load_array_ref(simd, &LANES));
    let bytes = (places << 2) + u8x32::load_array_ref(simd, &BYTES);
    values.swizzle_dyn(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::Width;
    use super::*;
    use crate::simd::dispatch;

    #[test]
    fn permutes_lanes_in_every_width() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let orders = [
            [0, 1, 2, 3, 4, 5, 6, 7],
            [7, 6, 5, 4, 3, 2, 1, 0],
            [3, 3, 0, 7, 5, 5, 1, 4],
        ];
        for width in Width::available() {
            for order in orders {
                let permuted = dispatch!(width, simd => {
                    permute(simd, f32x8::load_array(simd, values), &order).to_array()
                });
                let by_bytes = dispatch!(width, simd => {
                    permute_bytes(simd, f32x8::load_array(simd, values), &order).to_array()
                });
                assert_eq!([permuted, by_bytes], [order.map(f32::from); 2], "{width:?}");
            }
        }
    }
}
