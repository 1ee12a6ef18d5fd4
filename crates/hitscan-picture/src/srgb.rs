//! sRGB (IEC 61966-2-1): codes of 8 bits for values in linear light, and back.

use glam::{DVec3, Vec3};
use std::sync::LazyLock;

/// The sRGB code of a linear value (IEC 61966-2-1), nearest.
fn srgb_code(linear: f32) -> u8 {
    let linear = f64::from(linear).clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0.5 and 255.5"
    )]
    let code = (encoded * 255.0 + 0.5) as u8;
    code
}

/// The same without a power for each value: the code at the lower end of each cell of a fine grid, and the
/// value at which the next one begins.
struct SrgbCodes {
    /// By the cell.
    lower_ends: Vec<u8>,
    /// By the code: the least value with a greater one.
    changes: [f32; 256],
}

/// A code is 1/3295 wide where the curve is steepest: no cell holds two changes.
const CELLS: u16 = 8192;
/// The bits of 1 + x are those of 1, and in the lowest 23 the nearest multiple of 2^-23 to x: its cell, and
/// so many bits below.
const BITS_BELOW_CELL: u32 = 23 - CELLS.ilog2();
/// How far below a cell's lower end the values begin that are rounded up to it.
const ROUNDED_UP: f32 = 1.0 / (1_u32 << 24) as f32;

impl SrgbCodes {
    fn shared() -> &'static Self {
        static SHARED: LazyLock<SrgbCodes> = LazyLock::new(SrgbCodes::new);
        &SHARED
    }

    fn new() -> Self {
        let ends = (0..=CELLS).map(|cell| f32::from(cell) / f32::from(CELLS) - ROUNDED_UP);
        let mut changes = [f32::INFINITY; 256];
        let mut above = 0.0_f32;
        for (code, change) in (0..u8::MAX).zip(&mut changes) {
            // Positive floats are in the order of their bits.
            let (mut low, mut high) = (above.to_bits(), 1.0_f32.to_bits());
            while high - low > 1 {
                let middle = low.midpoint(high);
                match srgb_code(f32::from_bits(middle)) > code {
                    true => high = middle,
                    false => low = middle,
                }
            }
            above = f32::from_bits(high);
            *change = above;
        }
        Self {
            lower_ends: ends.map(srgb_code).collect(),
            changes,
        }
    }

    fn code(&self, linear: f32) -> u8 {
        // NaN is 0, as when it is cast.
        let linear = if linear > 0.0 { linear } else { 0.0 };
        let linear = if linear < 1.0 { linear } else { 1.0 };
        let cell = ((1.0 + linear).to_bits() - 1.0_f32.to_bits()) >> BITS_BELOW_CELL;
        let code = self.lower_ends[cell as usize];
        code + u8::from(linear >= self.changes[usize::from(code)])
    }
}

/// The 8-bit codes of pixels in linear light, red, green and blue of each.
pub(crate) fn srgb_codes(pixels: &[Vec3]) -> Vec<u8> {
    let table = SrgbCodes::shared();
    let mut bytes = vec![0; 3 * pixels.len()];
    let (codes, _) = bytes.as_chunks_mut();
    for (codes, pixel) in codes.iter_mut().zip(pixels) {
        *codes = pixel.to_array().map(|linear| table.code(linear));
    }
    bytes
}

/// The linear colour of an sRGB code such as `0xff8000`.
pub(crate) fn from_srgb(code: u32) -> DVec3 {
    let [_, red, green, blue] = code.to_be_bytes();
    DVec3::from([red, green, blue].map(|byte| {
        let encoded = f64::from(byte) / 255.0;
        if encoded <= 0.040_45 {
            encoded / 12.92
        } else {
            libm::pow((encoded + 0.055) / 1.055, 2.4)
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_srgb_code_survives_linear_light() {
        for code in 0..=255_u8 {
            let grey = u32::from_be_bytes([0, code, code, code]);
            let linear = from_srgb(grey).as_vec3();
            assert_eq!(linear.to_array().map(srgb_code), [code; 3]);
        }
    }

    #[test]
    fn the_table_has_the_codes_of_the_formula() {
        let codes = SrgbCodes::shared();
        let grid = (0..=200_000_u32).map(|step| f64::from(step) / 200_000.0);
        #[expect(clippy::cast_possible_truncation, reason = "rounded")]
        let mut values: Vec<f32> = grid.map(|value| value as f32).collect();
        for change in codes.changes {
            values.extend([change.next_down(), change, change.next_up()]);
        }
        values.extend([-1.0, -0.0, 2.0, f32::MIN_POSITIVE, f32::NAN]);
        for value in values {
            assert_eq!(codes.code(value), srgb_code(value), "{value}");
        }
    }
}
