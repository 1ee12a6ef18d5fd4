//! The body of a message that holds a part of a frame.

/// Some bytes of a frame, which is whole once all its parts are put together in their order.
///
/// ```
/// use hitscan_view::protocol::FramePart;
/// let part = FramePart { start: 40, total: 45, bytes: b"frame" };
/// let bytes = part.to_bytes();
/// assert_eq!(bytes.len(), 8 + 5);
/// assert_eq!(FramePart::parse(&bytes), Some(part));
/// assert_eq!(part.end(), 45);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramePart<'a> {
    /// How many bytes of the frame come before these.
    pub start: u32,
    /// How many bytes the frame has, its header too.
    pub total: u32,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> FramePart<'a> {
    /// How many bytes of the frame there are with these.
    #[must_use]
    pub fn end(&self) -> u32 {
        // A frame is far smaller than this.
        let count = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.start.saturating_add(count)
    }

    /// The body.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.bytes.len());
        bytes.extend(self.start.to_le_bytes());
        bytes.extend(self.total.to_le_bytes());
        bytes.extend(self.bytes);
        bytes
    }

    /// Reads a body; `None` for what is none.
    #[must_use]
    pub fn parse(body: &'a [u8]) -> Option<Self> {
        let (&start, rest) = body.split_first_chunk()?;
        let (&total, bytes) = rest.split_first_chunk()?;
        Some(Self {
            start: u32::from_le_bytes(start),
            total: u32::from_le_bytes(total),
            bytes,
        })
    }
}
