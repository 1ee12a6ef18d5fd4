//! An image in linear light, and its encoding as PNG.
//!
//! Colours are red, green and blue, 0 to 1, proportional to light: they can be mixed and averaged
//! as they are, and become sRGB only when they are encoded. Lines and discs are drawn in
//! `strokes.rs`.

use crate::Error;
use glam::{DVec2, DVec3, Vec3};
use std::fmt;
use std::sync::LazyLock;

/// How far outside of an image lines are drawn, pixels: more than the width of any.
const MARGIN: f64 = 64.0;

/// A picture: row-major pixels from the top left, in linear light.
///
/// ```
/// use hitscan::glam::Vec3;
/// use hitscan_picture::Image;
/// let image = Image::new(2, 1, vec![Vec3::X, Vec3::ONE])?;
/// assert_eq!(image.to_srgb(), [255, 0, 0, 255, 255, 255]);
/// # Ok::<(), hitscan_picture::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Image {
    width: u32,
    height: u32,
    /// `width * height` of them, and both are positive.
    pixels: Vec<Vec3>,
}

impl Image {
    /// The image of these pixels, each red, green and blue, row-major from the top left.
    ///
    /// # Errors
    /// [`Error::PixelCount`] where there are none, or not `width * height`.
    pub fn new(width: u32, height: u32, pixels: Vec<Vec3>) -> Result<Self, Error> {
        let wanted = u64::from(width) * u64::from(height);
        if wanted == 0 || pixels.len() as u64 != wanted {
            return Err(Error::PixelCount {
                width,
                height,
                found: pixels.len(),
            });
        }
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// The image of as many pixels as its size says, at least one.
    pub(crate) fn of_checked(width: u32, height: u32, pixels: Vec<Vec3>) -> Self {
        debug_assert_eq!(pixels.len() as u64, u64::from(width) * u64::from(height));
        Self {
            width,
            height,
            pixels,
        }
    }

    /// How many pixels a row has.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// How many rows there are.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixel at column `x`, row `y`, from the top left; `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Vec3> {
        Some(self.pixels[self.index(x, y)?])
    }

    /// All pixels, row-major from the top left.
    #[must_use]
    pub fn pixels(&self) -> &[Vec3] {
        &self.pixels
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        let is_inside = x < self.width && y < self.height;
        is_inside.then_some(y as usize * self.width as usize + x as usize)
    }

    /// Between which parts of its length a segment is in the image, or not far outside of it; `None` where
    /// it never is.
    pub(crate) fn crossed(&self, [from, to]: [DVec2; 2]) -> Option<[f64; 2]> {
        if !(from.is_finite() && to.is_finite()) {
            return None;
        }
        let low = DVec2::splat(-MARGIN);
        let high = DVec2::new(f64::from(self.width), f64::from(self.height)) + MARGIN;
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let along = to[axis] - from[axis];
            if along == 0.0 {
                if from[axis] < low[axis] || from[axis] > high[axis] {
                    return None;
                }
                continue;
            }
            let [a, b] = [low, high].map(|side| (side[axis] - from[axis]) / along);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some([enter, leave])
    }

    /// Mixes `color` into the pixel at column `x`, row `y`: a coverage of 0 leaves it, 1 replaces
    /// it. A pixel outside is left out.
    pub(crate) fn blend(&mut self, x: u32, y: u32, color: Vec3, coverage: f32) {
        if let Some(index) = self.index(x, y) {
            let pixel = &mut self.pixels[index];
            *pixel += (color - *pixel) * coverage.clamp(0.0, 1.0);
        }
    }

    /// The pixels as sRGB, 8 bits for each of red, green and blue.
    #[must_use]
    pub fn to_srgb(&self) -> Vec<u8> {
        let table = SrgbCodes::shared();
        let mut bytes = vec![0; 3 * self.pixels.len()];
        let (codes, _) = bytes.as_chunks_mut();
        for (codes, pixel) in codes.iter_mut().zip(&self.pixels) {
            *codes = pixel.to_array().map(|linear| table.code(linear));
        }
        bytes
    }

    /// The image as the bytes of an 8-bit sRGB PNG file.
    ///
    /// # Errors
    /// [`Error::Encode`] where the encoder fails, as for a side beyond the 2^31 - 1 pixels of PNG.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        self.encode(None)
            .map_err(|source| Error::Encode(source.into()))
    }

    /// The image as the bytes of an 8-bit sRGB PNG file at the fastest level: for pictures that are
    /// looked at once.
    ///
    /// # Errors
    /// As of [`Image::to_png`].
    pub fn to_fast_png(&self) -> Result<Vec<u8>, Error> {
        self.encode(Some(png::Compression::Fastest))
            .map_err(|source| Error::Encode(source.into()))
    }

    /// Grey levels, row by row from the top, as the bytes of an 8-bit PNG file.
    ///
    /// # Errors
    /// [`Error::Encode`] where the encoder fails, [`Error::PixelCount`] where there are not
    /// `width * height` levels.
    pub fn grey_png(width: u32, height: u32, levels: &[u8]) -> Result<Vec<u8>, Error> {
        grey_file([width, height], levels, png::BitDepth::Eight)
    }

    /// Grey levels, row by row from the top, as the bytes of a 16-bit PNG file.
    ///
    /// # Errors
    /// As of [`Image::grey_png`].
    pub fn grey_png_16(width: u32, height: u32, levels: &[u16]) -> Result<Vec<u8>, Error> {
        let bytes: Vec<u8> = levels
            .iter()
            .flat_map(|level| level.to_be_bytes())
            .collect();
        grey_file([width, height], &bytes, png::BitDepth::Sixteen)
    }

    fn encode(&self, compression: Option<png::Compression>) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        if let Some(compression) = compression {
            encoder.set_compression(compression);
        }
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.to_srgb())?;
        writer.finish()?;
        Ok(file)
    }
}

/// A grey PNG of levels of this depth, the highest byte of each first.
fn grey_file(
    [width, height]: [u32; 2],
    bytes: &[u8],
    depth: png::BitDepth,
) -> Result<Vec<u8>, Error> {
    let bytes_each = if depth == png::BitDepth::Sixteen {
        2
    } else {
        1
    };
    let found = bytes.len() / bytes_each;
    if u64::from(width) * u64::from(height) != found as u64 {
        return Err(Error::PixelCount {
            width,
            height,
            found,
        });
    }
    let encode = || {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(bytes)?;
        writer.finish()?;
        Ok::<_, png::EncodingError>(file)
    };
    encode().map_err(|source| Error::Encode(source.into()))
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image")
            .field("width", &self.width)
            .field("height", &self.height)
            .finish_non_exhaustive()
    }
}

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

    #[test]
    fn a_png_holds_the_pixels() {
        let red_and_white = vec![Vec3::X, Vec3::ONE];
        let image = Image::new(2, 1, red_and_white).unwrap();
        let file = image.to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; 6];
        reader.next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, [255, 0, 0, 255, 255, 255]);
        assert!(Image::new(2, 2, vec![Vec3::ONE]).is_err());
    }

    #[test]
    fn what_is_drawn_outside_is_left_out() {
        let mut image = Image::new(1, 1, vec![Vec3::ZERO]).unwrap();
        let before = image.clone();
        for (x, y) in [(1, 0), (0, 1), (0, u32::MAX)] {
            image.blend(x, y, Vec3::ONE, 1.0);
        }
        assert_eq!(image, before);
    }
}
