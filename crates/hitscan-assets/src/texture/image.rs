//! PNG and JPEG images as texels of 8 bits a channel, in memory that is bounded.
//!
//! Alpha, gamma and colour profiles are not applied, as glTF has it. Both decoders count in integers (the JPEG
//! one without vector code), so that an image has the same texels on every machine.

use std::cell::Cell;
use std::io::Cursor;
use std::path::Path;

use jpeg_decoder::PixelFormat;
use png::{ColorType, Limits, Transformations};

use crate::Error;

/// The most texels of an image: 8192 x 8192.
const MOST_OF_IMAGE: u64 = 1 << 26;

/// The most texels of all images of a scene, three bytes each.
const MOST_OF_SCENE: u64 = 1 << 27;

/// More than a byte of either format can hold: deflate yields at most 1032 bytes of eight texels, a bit
/// of JPEG at most sixteen blocks.
const MOST_FOR_A_BYTE: u64 = 1 << 14;

/// The memory that the PNG decoder may allocate beside the image itself: single chunks, tables.
const CHUNK_LIMIT: Limits = Limits { bytes: 64 << 20 };

/// The maximum number of scans of a JPEG, each of which goes over the whole image: encoders write about ten. A few more
/// may be counted within thumbnails and profiles.
const MOST_SCANS: usize = 256;
const START_OF_SCAN: [u8; 2] = [0xff, 0xda];

/// How many texels the images of a scene may still have.
#[derive(Debug)]
pub(crate) struct Allowance(Cell<u64>);

impl Default for Allowance {
    fn default() -> Self {
        Self(Cell::new(MOST_OF_SCENE))
    }
}

impl Allowance {
    fn take(&self, place: Place<'_>, [width, height]: [u32; 2], bytes: usize) -> Result<(), Error> {
        let texels = u64::from(width) * u64::from(height);
        let found = format!("{width} x {height}");
        let refused =
            |expected: String| Error::malformed(place.path, place.location, expected, found);
        if texels == 0 || texels > MOST_OF_IMAGE {
            return Err(refused(format!("an image of 1 to {MOST_OF_IMAGE} texels")));
        }
        if texels > MOST_FOR_A_BYTE.saturating_mul(bytes as u64) {
            return Err(refused(format!(
                "no more texels than {bytes} bytes can hold"
            )));
        }
        match self.0.get().checked_sub(texels) {
            Some(left) => self.0.set(left),
            None => {
                let expected = "at most {MOST} texels in all images of a scene";
                return Err(refused(
                    expected.replace("{MOST}", &MOST_OF_SCENE.to_string()),
                ));
            }
        }
        Ok(())
    }
}

/// Where an image is, for messages.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    location: &'a str,
}

/// An image, row by row from its upper left corner.
#[derive(Debug)]
pub(crate) struct TexelImage {
    width: u32,
    height: u32,
    /// Red, green and blue as stored: sRGB.
    texels: Vec<[u8; 3]>,
}

impl TexelImage {
    /// Decodes an image at a location of the file at `path`; its first bytes tell the format.
    pub(crate) fn decode(
        path: &Path,
        location: &str,
        bytes: &[u8],
        allowance: &Allowance,
    ) -> Result<Self, Error> {
        let place = Place { path, location };
        let before = allowance.0.get();
        let image = if bytes.starts_with(b"\x89PNG") {
            png_texels(place, bytes, allowance)
        } else if bytes.starts_with(b"\xff\xd8") {
            jpeg_texels(place, bytes, allowance)
        } else {
            let found = "an image of another format";
            Err(Error::malformed(path, location, "PNG or JPEG", found))
        };
        // What is not kept takes nothing from the others.
        if image.is_err() {
            allowance.0.set(before);
        }
        image
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The texel in a column and a row of the image.
    pub(crate) fn texel(&self, column: u32, row: u32) -> [u8; 3] {
        let place = row as usize * self.width as usize + column as usize;
        self.texels.get(place).copied().unwrap_or_default()
    }
}

fn png_texels(place: Place<'_>, bytes: &[u8], allowance: &Allowance) -> Result<TexelImage, Error> {
    let refused = |source| Error::undecodable(place.path, place.location, "sound PNG data", source);
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), CHUNK_LIMIT);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(refused)?;
    let (width, height) = reader.info().size();
    allowance.take(place, [width, height], bytes.len())?;
    let (color, _) = reader.output_color_type();
    let mut rows = vec![0; width as usize * height as usize * color.samples()];
    reader.next_frame(&mut rows).map_err(refused)?;
    let texels = match color {
        ColorType::Rgb => rows.as_chunks::<3>().0.to_vec(),
        ColorType::Rgba => {
            let texels = rows.as_chunks::<4>().0.iter();
            texels
                .map(|&[red, green, blue, _]| [red, green, blue])
                .collect()
        }
        // Palettes are colours by now.
        ColorType::Grayscale | ColorType::GrayscaleAlpha | ColorType::Indexed => {
            let texels = rows.iter().step_by(color.samples());
            texels.map(|&grey| [grey; 3]).collect()
        }
    };
    Ok(TexelImage {
        width,
        height,
        texels,
    })
}

fn jpeg_texels(place: Place<'_>, bytes: &[u8], allowance: &Allowance) -> Result<TexelImage, Error> {
    let refused =
        |source| Error::undecodable(place.path, place.location, "sound JPEG data", source);
    let unsupported = |what| Error::unsupported(place.path, place.location, what);
    let scans = bytes.windows(2).filter(|pair| **pair == START_OF_SCAN);
    if scans.count() > MOST_SCANS {
        return Err(unsupported("a JPEG of so many scans"));
    }
    let mut decoder = jpeg_decoder::Decoder::new(bytes);
    decoder.read_info().map_err(refused)?;
    let info = decoder.info();
    let info = info.ok_or_else(|| unsupported("a JPEG without a header"))?;
    let [width, height] = [info.width, info.height].map(u32::from);
    allowance.take(place, [width, height], bytes.len())?;
    let rows = match info.pixel_format {
        PixelFormat::L8 | PixelFormat::RGB24 => decoder.decode().map_err(refused)?,
        PixelFormat::L16 => return Err(unsupported("a JPEG of 16 bits")),
        PixelFormat::CMYK32 => return Err(unsupported("a JPEG in CMYK")),
    };
    // A lossless one may have samples of two bytes.
    if rows.len() != width as usize * height as usize * info.pixel_format.pixel_bytes() {
        return Err(unsupported("a JPEG of other than 8 bits"));
    }
    let texels = match info.pixel_format {
        PixelFormat::L8 => rows.into_iter().map(|grey| [grey; 3]).collect(),
        _ => rows.as_chunks::<3>().0.to_vec(),
    };
    Ok(TexelImage {
        width,
        height,
        texels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A JPEG of 16 x 16 pixels, red on the left and blue on the right, written by libjpeg.
    const JPEG: [u8; 300] = [
        0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01, 0x01, 0x00, 0x00,
        0x01, 0x00, 0x01, 0x00, 0x00, 0xff, 0xdb, 0x00, 0x43, 0x00, 0x03, 0x02, 0x02, 0x02, 0x02,
        0x02, 0x03, 0x02, 0x02, 0x02, 0x03, 0x03, 0x03, 0x03, 0x04, 0x06, 0x04, 0x04, 0x04, 0x04,
        0x04, 0x08, 0x06, 0x06, 0x05, 0x06, 0x09, 0x08, 0x0a, 0x0a, 0x09, 0x08, 0x09, 0x09, 0x0a,
        0x0c, 0x0f, 0x0c, 0x0a, 0x0b, 0x0e, 0x0b, 0x09, 0x09, 0x0d, 0x11, 0x0d, 0x0e, 0x0f, 0x10,
        0x10, 0x11, 0x10, 0x0a, 0x0c, 0x12, 0x13, 0x12, 0x10, 0x13, 0x0f, 0x10, 0x10, 0x10, 0xff,
        0xdb, 0x00, 0x43, 0x01, 0x03, 0x03, 0x03, 0x04, 0x03, 0x04, 0x08, 0x04, 0x04, 0x08, 0x10,
        0x0b, 0x09, 0x0b, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10,
        0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10,
        0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10,
        0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0xff, 0xc0, 0x00, 0x11, 0x08, 0x00, 0x10,
        0x00, 0x10, 0x03, 0x01, 0x11, 0x00, 0x02, 0x11, 0x01, 0x03, 0x11, 0x01, 0xff, 0xc4, 0x00,
        0x15, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x07, 0x08, 0xff, 0xc4, 0x00, 0x14, 0x10, 0x01, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xc4, 0x00,
        0x16, 0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x09, 0x07, 0x08, 0xff, 0xc4, 0x00, 0x14, 0x11, 0x01, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xda,
        0x00, 0x0c, 0x03, 0x01, 0x00, 0x02, 0x11, 0x03, 0x11, 0x00, 0x3f, 0x00, 0x9f, 0xd2, 0x46,
        0xe5, 0x1a, 0x15, 0x81, 0x94, 0x4b, 0x14, 0xe4, 0xd4, 0x68, 0x56, 0x06, 0x53, 0xff, 0xd9,
    ];

    fn decode(bytes: &[u8]) -> Result<TexelImage, Error> {
        TexelImage::decode(
            Path::new("m.glb"),
            "images[0]",
            bytes,
            &Allowance::default(),
        )
    }

    fn png(color: ColorType, depth: png::BitDepth, size: [u32; 2], rows: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == ColorType::Indexed {
            encoder.set_palette(vec![9, 8, 7, 60, 50, 40]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(rows).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn every_kind_of_png_becomes_colours() {
        use png::BitDepth::{Eight, One, Sixteen};
        type Case<'a> = (ColorType, png::BitDepth, &'a [u8], [[u8; 3]; 2]);
        let cases: [Case<'_>; 6] = [
            (
                ColorType::Rgb,
                Eight,
                &[1, 2, 3, 4, 5, 6],
                [[1, 2, 3], [4, 5, 6]],
            ),
            (
                ColorType::Rgba,
                Eight,
                &[1, 2, 3, 0, 4, 5, 6, 255],
                [[1, 2, 3], [4, 5, 6]],
            ),
            (ColorType::Grayscale, Eight, &[7, 200], [[7; 3], [200; 3]]),
            (
                ColorType::GrayscaleAlpha,
                Eight,
                &[7, 0, 200, 9],
                [[7; 3], [200; 3]],
            ),
            (
                ColorType::Grayscale,
                Sixteen,
                &[7, 255, 200, 0],
                [[7; 3], [200; 3]],
            ),
            (
                ColorType::Indexed,
                One,
                &[0b0100_0000],
                [[9, 8, 7], [60, 50, 40]],
            ),
        ];
        for (color, depth, rows, expected) in cases {
            let image = decode(&png(color, depth, [2, 1], rows)).unwrap();
            assert_eq!(image.size(), [2, 1]);
            let found = [image.texel(0, 0), image.texel(1, 0)];
            assert_eq!(found, expected, "{color:?} {depth:?}");
        }
    }

    #[test]
    fn a_jpeg_is_near_what_it_was_made_of() {
        let image = decode(&JPEG).unwrap();
        assert_eq!(image.size(), [16, 16]);
        for (column, expected) in [(2, [200, 30, 20]), (13, [10, 40, 220])] {
            let found = image.texel(column, 7);
            let is_near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 4);
            assert!(is_near, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn damaged_images_are_refused_or_read() {
        let png = png(ColorType::Rgb, png::BitDepth::Eight, [4, 3], &[77; 36]);
        for whole in [png.as_slice(), &JPEG] {
            for end in 0..whole.len() {
                let _ = decode(&whole[..end]);
            }
            for at in 2..whole.len() {
                for flip in [0x01, 0x80, 0xff] {
                    let mut bytes = whole.to_vec();
                    bytes[at] ^= flip;
                    let _ = decode(&bytes);
                }
            }
            assert!(decode(&whole[..whole.len() / 3]).is_err());
        }
        let text = decode(b"GIF89a").unwrap_err().to_string();
        assert!(
            text.contains("images[0]") && text.contains("PNG or JPEG"),
            "{text}"
        );
    }

    #[test]
    fn a_jpeg_of_very_many_scans_is_refused_before_it_is_decoded() {
        let with = |scans: usize| {
            let mut bytes = JPEG.to_vec();
            bytes.extend(START_OF_SCAN.repeat(scans));
            decode(&bytes)
        };
        assert!(with(MOST_SCANS - 1).is_ok());
        let text = with(MOST_SCANS).unwrap_err().to_string();
        assert!(text.contains("so many scans"), "{text}");
    }

    #[test]
    fn an_image_that_cannot_be_read_takes_nothing_from_the_others() {
        let allowance = Allowance::default();
        let sound = png(ColorType::Rgb, png::BitDepth::Eight, [4, 3], &[77; 36]);
        let broken = &sound[..sound.len() / 2];
        let path = Path::new("model.gltf");
        assert!(TexelImage::decode(path, "images[0]", broken, &allowance).is_err());
        assert_eq!(allowance.0.get(), MOST_OF_SCENE);
        assert!(TexelImage::decode(path, "images[0]", &sound, &allowance).is_ok());
        assert_eq!(allowance.0.get(), MOST_OF_SCENE - 12);
    }

    #[test]
    fn sizes_that_no_bytes_back_are_refused_before_memory_is_taken() {
        let mut lie = png(ColorType::Grayscale, png::BitDepth::One, [8, 1], &[0]);
        // The width in the header, and the checksum behind it.
        lie[16..20].copy_from_slice(&[0, 0, 0x20, 0]);
        lie[20..24].copy_from_slice(&[0, 0, 0x20, 0]);
        let crc = crc32(&lie[12..29]);
        lie[29..33].copy_from_slice(&crc.to_be_bytes());
        let text = decode(&lie).unwrap_err().to_string();
        assert!(text.contains("8192 x 8192"), "{text}");
        let allowance = Allowance(Cell::new(20));
        let small = png(ColorType::Grayscale, png::BitDepth::Eight, [4, 4], &[0; 16]);
        let take = || TexelImage::decode(Path::new("m"), "images[0]", &small, &allowance);
        assert!(take().is_ok() && take().is_err());
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, byte: &u8| {
            let start = crc ^ u32::from(*byte);
            (0..8).fold(start, |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
        };
        !bytes.iter().fold(u32::MAX, step)
    }
}
