//! The body of a frame that holds only the tiles that changed.

/// What of a picture differs from that of an earlier frame.
///
/// ```
/// use hitscan_view::protocol::ChangedTiles;
/// let changed = ChangedTiles { base: 7, tile: [64, 16], tiles: vec![0, 258], png: b"picture" };
/// let bytes = changed.to_bytes();
/// assert_eq!(bytes.len(), 12 + 2 * 2 + 7);
/// assert_eq!(ChangedTiles::parse(&bytes), Some(changed));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedTiles<'a> {
    /// The number of the frame that shows the other tiles, itself complete or in turn such a one.
    pub base: u32,
    /// The width and height of a tile, pixels.
    pub tile: [u16; 2],
    /// The tiles that changed, counted row by row from the upper left of the whole picture.
    pub tiles: Vec<u16>,
    /// They, side by side and row by row, as a PNG whose width says how many a row has; empty where there are
    /// none.
    pub png: &'a [u8],
}

impl<'a> ChangedTiles<'a> {
    /// The body.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(12 + 2 * self.tiles.len() + self.png.len());
        bytes.extend(self.base.to_le_bytes());
        // There are fewer tiles than numbers of them.
        let count = u32::try_from(self.tiles.len()).unwrap_or(u32::MAX);
        bytes.extend(self.tile.iter().flat_map(|side| side.to_le_bytes()));
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.tiles.iter().flat_map(|tile| tile.to_le_bytes()));
        bytes.extend(self.png);
        bytes
    }

    /// Reads a body; `None` for what is none.
    #[must_use]
    pub fn parse(body: &'a [u8]) -> Option<Self> {
        let (base, rest) = body.split_first_chunk()?;
        let (&width, rest) = rest.split_first_chunk()?;
        let (&height, rest) = rest.split_first_chunk()?;
        let (count, rest) = rest.split_first_chunk()?;
        let length = (u32::from_le_bytes(*count) as usize).checked_mul(2)?;
        let (tiles, png) = rest.split_at_checked(length)?;
        let (tiles, _) = tiles.as_chunks();
        Some(Self {
            base: u32::from_le_bytes(*base),
            tile: [width, height].map(u16::from_le_bytes),
            tiles: tiles.iter().map(|tile| u16::from_le_bytes(*tile)).collect(),
            png,
        })
    }
}
