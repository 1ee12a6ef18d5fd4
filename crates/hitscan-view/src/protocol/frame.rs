//! The header of a frame: 36 bytes in front of the picture.

/// The version of the header.
const VERSION: u8 = 1;

/// What follows the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrameCodec {
    /// The picture as a PNG.
    #[default]
    Png,
    /// [`ChangedTiles`](super::ChangedTiles).
    Tiles,
    /// A [`FramePart`](super::FramePart).
    Part,
}

/// What comes in front of a frame's picture. The fields are those of the protocol's table.
///
/// ```
/// use hitscan_view::protocol::FrameHeader;
/// let header = FrameHeader { frame: 3, size: [320, 180], scale: 2, ..FrameHeader::default() };
/// let bytes = header.before(b"picture");
/// assert_eq!((bytes.len(), bytes[0], bytes[3]), (36 + 7, 1, 2));
/// assert_eq!(FrameHeader::parse(&bytes), Some((header, &b"picture"[..])));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameHeader {
    /// Whether it shows costs; else surfaces.
    pub is_cost: bool,
    /// How the picture is encoded.
    pub codec: FrameCodec,
    /// Each pixel covers a block of this many rays a side.
    pub scale: u8,
    /// The frame's number.
    pub frame: u32,
    /// The number of the view that it shows.
    pub view: u32,
    /// Width and height of the picture, pixels.
    pub size: [u16; 2],
    /// 0 is the first look; then it is refined.
    pub pass: u16,
    /// Nothing follows for this view.
    pub is_finished: bool,
    /// Rays that were cast for it.
    pub rays: u64,
    /// Time of casting of all threads together, microseconds.
    pub micros: u32,
    /// The largest count of the legend of costs.
    pub greatest_cost: f32,
}

impl FrameHeader {
    /// How many bytes it takes.
    pub const BYTES: usize = 36;

    /// The frame: this header and the picture.
    #[must_use]
    pub fn before(&self, picture: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES + picture.len());
        let codec = match self.codec {
            FrameCodec::Png => 0,
            FrameCodec::Tiles => 1,
            FrameCodec::Part => 2,
        };
        bytes.extend([VERSION, u8::from(self.is_cost), codec, self.scale]);
        bytes.extend(self.frame.to_le_bytes());
        bytes.extend(self.view.to_le_bytes());
        for half in [
            self.size[0],
            self.size[1],
            self.pass,
            u16::from(self.is_finished),
        ] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(self.rays.to_le_bytes());
        bytes.extend(self.micros.to_le_bytes());
        bytes.extend(self.greatest_cost.to_le_bytes());
        bytes.extend(picture);
        bytes
    }

    /// The header of a frame and its picture; `None` for what is no frame of this version.
    #[must_use]
    pub fn parse(frame: &[u8]) -> Option<(Self, &[u8])> {
        let (&[VERSION, kind, codec, scale], rest) = frame.split_first_chunk()? else {
            return None;
        };
        let codec = match codec {
            0 => FrameCodec::Png,
            1 => FrameCodec::Tiles,
            2 => FrameCodec::Part,
            _ => return None,
        };
        let (number, rest) = rest.split_first_chunk()?;
        let (view, rest) = rest.split_first_chunk()?;
        let (&width, rest) = rest.split_first_chunk()?;
        let (&height, rest) = rest.split_first_chunk()?;
        let (&pass, rest) = rest.split_first_chunk()?;
        let (&last, rest) = rest.split_first_chunk()?;
        let (rays, rest) = rest.split_first_chunk()?;
        let (micros, rest) = rest.split_first_chunk()?;
        let (greatest, picture) = rest.split_first_chunk()?;
        let header = Self {
            is_cost: kind == 1,
            codec,
            scale,
            frame: u32::from_le_bytes(*number),
            view: u32::from_le_bytes(*view),
            size: [width, height].map(u16::from_le_bytes),
            pass: u16::from_le_bytes(pass),
            is_finished: u16::from_le_bytes(last) == 1,
            rays: u64::from_le_bytes(*rays),
            micros: u32::from_le_bytes(*micros),
            greatest_cost: f32::from_le_bytes(*greatest),
        };
        Some((header, picture))
    }
}
