//! An image in linear light, and its encoding as PNG.
//!
//! Colours are red, green and blue, 0 to 1, proportional to light: they can be mixed and averaged
//! as they are, and become sRGB only when they are encoded. Lines and discs are drawn in
//! `strokes.rs`.

use crate::Error;
use crate::srgb::srgb_codes;
use glam::{DVec2, Vec3};
use std::fmt;
use std::io::Write as _;

/// Bytes of codes that are packed small at one go.
const SMALL_STEP: usize = 1 << 16;
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
    /// it. A pixel outside is ignored.
    pub(crate) fn blend(&mut self, x: u32, y: u32, color: Vec3, coverage: f32) {
        if let Some(index) = self.index(x, y) {
            let pixel = &mut self.pixels[index];
            *pixel += (color - *pixel) * coverage.clamp(0.0, 1.0);
        }
    }

    /// The pixels as sRGB, 8 bits for each of red, green and blue.
    #[must_use]
    pub fn to_srgb(&self) -> Vec<u8> {
        srgb_codes(&self.pixels)
    }

    /// The image as the bytes of an 8-bit sRGB PNG file.
    ///
    /// # Errors
    /// [`Error::Encode`] where the encoder fails, as for a side beyond the 2^31 - 1 pixels of PNG.
    pub fn to_png(&self) -> Result<Vec<u8>, Error> {
        let codes = self.to_srgb();
        color_file(
            [self.width, self.height],
            &codes,
            png::Compression::Balanced,
        )
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
}

/// Colours as 8-bit sRGB, red, green and blue, row by row from the top, as the bytes of a PNG file at the
/// fastest level: for pictures that are looked at once.
///
/// # Errors
/// [`Error::Encode`] where the encoder fails, as for a side beyond the 2^31 - 1 pixels of PNG,
/// [`Error::PixelCount`] where there are not `width * height` colours.
pub fn fast_png([width, height]: [u32; 2], codes: &[u8]) -> Result<Vec<u8>, Error> {
    check_count([width, height], codes)?;
    color_file([width, height], codes, png::Compression::Fastest)
}

/// As [`fast_png`], in fewer bytes and several times the time: for pictures that go over a slow line. `pause` is
/// called each time some milliseconds have passed.
///
/// # Errors
/// As of [`fast_png`].
pub fn small_png(
    [width, height]: [u32; 2],
    codes: &[u8],
    pause: &dyn Fn(),
) -> Result<Vec<u8>, Error> {
    check_count([width, height], codes)?;
    let encode = || {
        let mut file = Vec::new();
        let encoder = color_encoder(&mut file, [width, height], png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        for step in codes.chunks(SMALL_STEP) {
            rows.write_all(step)?;
            pause();
        }
        rows.finish()?;
        writer.finish()?;
        Ok::<_, png::EncodingError>(file)
    };
    encode().map_err(|source| Error::Encode(source.into()))
}

/// Refuses codes that are not three for each pixel.
fn check_count([width, height]: [u32; 2], codes: &[u8]) -> Result<(), Error> {
    let found = codes.len() / 3;
    match u64::from(width) * u64::from(height) == found as u64 {
        true => Ok(()),
        false => Err(Error::PixelCount {
            width,
            height,
            found,
        }),
    }
}

/// An 8-bit sRGB PNG.
fn color_file(
    size: [u32; 2],
    codes: &[u8],
    compression: png::Compression,
) -> Result<Vec<u8>, Error> {
    let encode = || {
        let mut file = Vec::new();
        let mut writer = color_encoder(&mut file, size, compression).write_header()?;
        writer.write_image_data(codes)?;
        writer.finish()?;
        Ok::<_, png::EncodingError>(file)
    };
    encode().map_err(|source| Error::Encode(source.into()))
}

/// The encoder of an 8-bit sRGB PNG.
fn color_encoder(
    file: &mut Vec<u8>,
    [width, height]: [u32; 2],
    compression: png::Compression,
) -> png::Encoder<'static, &mut Vec<u8>> {
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(compression);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder
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

#[cfg(test)]
mod tests {
    use super::*;

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
