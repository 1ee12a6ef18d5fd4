//! The colours of what is drawn over pictures: for each meaning one, which goes with a second sign.

use crate::srgb::from_srgb;
use glam::Vec3;

/// What a line over a picture means.
///
/// The colours are those of Okabe and Ito. With normal sight, and with none of the red, green or blue
/// receptors, every two of them are at least 15 apart in CIELAB.
///
/// Source: Masataka Okabe and Kei Ito, "Color Universal Design", 2008.
///
/// ```
/// use hitscan_picture::Role;
/// assert_eq!(Role::Hit.srgb(), 0x0072b2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// What ends at a hit: blue, a solid line with a full dot.
    Hit,
    /// What hits nothing: vermilion, a dashed line with an open arrow.
    Miss,
    /// A shape that overlaps something at the start: purple, hatched.
    Overlap,
    /// The hit of an approximate search: orange, with square ticks.
    March,
    /// What was at an earlier time: green, dotted.
    Past,
    /// A surface's normal: a yellow arrow.
    Normal,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Hit,
        Self::Miss,
        Self::Overlap,
        Self::March,
        Self::Past,
        Self::Normal,
    ];

    /// The colour as sRGB, such as `0xff8000` for orange.
    #[must_use]
    pub fn srgb(self) -> u32 {
        match self {
            Self::Hit => 0x0000_72b2,
            Self::Miss => 0x00d5_5e00,
            Self::Overlap => 0x00cc_79a7,
            Self::March => 0x00e6_9f00,
            Self::Past => 0x0000_9e73,
            Self::Normal => 0x00f0_e442,
        }
    }

    /// The colour in linear light.
    pub(crate) fn color(self) -> Vec3 {
        from_srgb(self.srgb()).as_vec3()
    }
}
