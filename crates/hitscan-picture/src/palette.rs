//! The colours of objects and their parts.

use crate::image::from_srgb;
use glam::DVec3;

/// Hues that differ from each other and from grass, rock and sky, sRGB.
const OBJECTS: [u32; 10] = [
    0x00e0_7a1f,
    0x002c_8ec9,
    0x00c9_3038,
    0x00e8_bd24,
    0x007d_4bb8,
    0x0017_a398,
    0x00d9_5f9a,
    0x00e9_e4d8,
    0x00a0_5a2c,
    0x0046_55c8,
];

/// The colour of an object in pictures, linear light: `index` counts the objects that are no
/// terrain. Colours repeat after ten objects.
///
/// ```
/// use hitscan_picture::object_color;
/// assert_ne!(object_color(0), object_color(1));
/// assert_eq!(object_color(0), object_color(10));
/// ```
#[must_use]
pub fn object_color(index: u32) -> DVec3 {
    let count = u32::try_from(OBJECTS.len()).unwrap_or(u32::MAX);
    from_srgb(OBJECTS[(index % count) as usize])
}

/// The colour of a part: its object's, bleached or darkened so that neighbours differ.
///
/// Parts share a tone in pairs, because left and right often follow each other in a file.
pub(crate) fn part_color(object_index: u32, part: u32) -> DVec3 {
    let base = object_color(object_index);
    match part / 2 % 4 {
        1 => base.lerp(DVec3::ONE, 0.55),
        2 => base.lerp(DVec3::splat(0.02), 0.82),
        _ => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ() {
        for index in 0..16 {
            assert_ne!(object_color(index), object_color(index + 1));
            assert_ne!(part_color(index, 0), part_color(index, 2));
        }
    }
}
