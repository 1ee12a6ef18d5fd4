//! The nearest texel at a place of a surface.

use std::sync::{Arc, LazyLock};

use super::image::TexelImage;

/// What an image shows beyond its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wrap {
    /// Itself again.
    #[default]
    Repeat,
    /// Itself, every second time mirrored.
    Mirrored,
    /// Its edge.
    Clamp,
}

impl Wrap {
    /// The coordinate, from 0 to 1, of the place in the image that is shown at any coordinate.
    fn fold(self, coordinate: f64) -> f64 {
        match self {
            Self::Repeat => coordinate - coordinate.floor(),
            Self::Mirrored => {
                let twice = coordinate - 2.0 * (coordinate / 2.0).floor();
                twice.min(2.0 - twice)
            }
            Self::Clamp => coordinate.clamp(0.0, 1.0),
        }
    }
}

/// An image, and how it goes on beyond its edges.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    pub(crate) image: Arc<TexelImage>,
    /// Along u and along v.
    pub(crate) wrap: [Wrap; 2],
}

impl Texture {
    /// The nearest texel as linear light; (0, 0) is the upper left corner of the image.
    fn color(&self, place: [f64; 2]) -> [f32; 3] {
        let size = self.image.size();
        let [column, row] = [0, 1].map(|axis| {
            let at = self.wrap[axis].fold(place[axis]) * f64::from(size[axis]);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 0 to the size"
            )]
            let at = at as u32;
            at.min(size[axis] - 1)
        });
        let texel = self.image.texel(column, row);
        texel.map(|code| LINEAR[usize::from(code)])
    }
}

/// sRGB codes as linear light.
///
/// Source: IEC 61966-2-1:1999.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let value = code as f64 / 255.0;
        let light = if value <= 0.04045 {
            value / 12.92
        } else {
            libm::pow((value + 0.055) / 1.055, 2.4)
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounded to the nearest f32"
        )]
        let light = light as f32;
        light
    })
});

/// The texture of a part of a model.
#[derive(Debug)]
pub(crate) struct PartTexture {
    pub(crate) texture: Texture,
    /// What texels are multiplied by, linear light from 0 to 1.
    pub(crate) factor: [f32; 3],
    /// Where each vertex lies in the image, in its widths and heights.
    pub(crate) places: Vec<[f32; 2]>,
}

impl PartTexture {
    /// The base colour in the triangle with these corners, where the second and the third have these
    /// barycentric weights; `None` where the part has no such corners.
    pub(crate) fn color(&self, corners: [u32; 3], [u, v]: [f32; 2]) -> Option<[f32; 3]> {
        let corner = |corner: u32| self.places.get(usize::try_from(corner).ok()?);
        let [a, b, c] = corners.map(corner);
        let (a, b, c) = (a?, b?, c?);
        let [u, v] = [u, v].map(f64::from);
        let place = [0, 1].map(|axis| {
            let [a, b, c] = [a, b, c].map(|place| f64::from(place[axis]));
            a + (b - a) * u + (c - a) * v
        });
        let texel = self.texture.color(place);
        Some([0, 1, 2].map(|channel| texel[channel] * self.factor[channel]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_beyond_the_edges_are_folded_as_samplers_say() {
        let cases = [
            (
                Wrap::Repeat,
                [
                    (0.25, 0.25),
                    (1.25, 0.25),
                    (-0.25, 0.75),
                    (1.0, 0.0),
                    (-3.0, 0.0),
                ],
            ),
            (
                Wrap::Mirrored,
                [
                    (0.25, 0.25),
                    (1.25, 0.75),
                    (-0.25, 0.25),
                    (1.0, 1.0),
                    (2.75, 0.75),
                ],
            ),
            (
                Wrap::Clamp,
                [
                    (0.25, 0.25),
                    (1.25, 1.0),
                    (-0.25, 0.0),
                    (1.0, 1.0),
                    (1e30, 1.0),
                ],
            ),
        ];
        for (wrap, cases) in cases {
            for (coordinate, expected) in cases {
                assert_eq!(wrap.fold(coordinate), expected, "{wrap:?} {coordinate}");
            }
        }
        for wrap in [Wrap::Repeat, Wrap::Mirrored, Wrap::Clamp] {
            for coordinate in [f32::MAX, -f32::MAX, 1e-30, -1e-30] {
                let folded = wrap.fold(coordinate.into());
                assert!(
                    (0.0..=1.0).contains(&folded),
                    "{wrap:?} {coordinate} {folded}"
                );
            }
        }
    }

    #[test]
    fn codes_become_linear_light() {
        assert_eq!((LINEAR[0], LINEAR[255]), (0.0, 1.0));
        // The mean grey of sRGB.
        assert!((LINEAR[188] - 0.5028).abs() < 1e-3, "{}", LINEAR[188]);
        assert!(LINEAR.is_sorted());
    }
}
