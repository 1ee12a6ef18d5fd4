//! The colours of objects and their parts.

use crate::srgb::from_srgb;
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

/// In place of the seventh, which without green receptors looks like the sixth.
const LIGHT_PINK: u32 = 0x00f2_9ac4;

/// The colours of objects that have none of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Palette {
    /// Those of [`object_color`].
    #[default]
    Vivid,
    /// The same but for one: with normal sight, and with none of the red, green or blue receptors, each
    /// is at least 10 apart from the next in CIELAB.
    ForAllEyes,
}

impl Palette {
    /// The colour of an object, linear light: `index` counts the objects that are no terrain.
    #[must_use]
    pub fn color(self, index: u32) -> DVec3 {
        let count = u32::try_from(OBJECTS.len()).unwrap_or(u32::MAX);
        match (self, index % count) {
            (Self::ForAllEyes, 6) => from_srgb(LIGHT_PINK),
            (_, index) => from_srgb(OBJECTS[index as usize]),
        }
    }

    /// The colour of a part: its object's, bleached or darkened so that neighbours differ.
    ///
    /// Parts share a tone in pairs, because left and right often follow each other in a file.
    pub(crate) fn part_color(self, object_index: u32, part: u32) -> DVec3 {
        let base = self.color(object_index);
        match part / 2 % 4 {
            1 => base.lerp(DVec3::ONE, 0.55),
            2 => base.lerp(DVec3::splat(0.02), 0.82),
            _ => base,
        }
    }
}

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
    Palette::Vivid.color(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::role::Role;
    use crate::sight::{SIGHTS, difference};

    #[test]
    fn neighbours_differ() {
        for palette in [Palette::Vivid, Palette::ForAllEyes] {
            for index in 0..16 {
                assert_ne!(palette.color(index), palette.color(index + 1));
                assert_ne!(palette.part_color(index, 0), palette.part_color(index, 2));
            }
        }
    }

    #[test]
    fn all_eyes_tell_neighbouring_objects_apart() {
        for (name, sight) in SIGHTS {
            for index in 0..10 {
                let [a, b] = [index, index + 1].map(|index| Palette::ForAllEyes.color(index));
                let difference = difference(sight, a, b);
                assert!(difference >= 10.0, "{name}: {index}, {difference}");
            }
        }
    }

    #[test]
    fn all_eyes_tell_roles_apart() {
        for (name, sight) in SIGHTS {
            for (place, a) in Role::ALL.iter().enumerate() {
                for b in &Role::ALL[..place] {
                    let [x, y] = [a, b].map(|role| from_srgb(role.srgb()));
                    let difference = difference(sight, x, y);
                    assert!(difference >= 15.0, "{name}: {a:?} {b:?}, {difference}");
                }
            }
        }
    }
}
