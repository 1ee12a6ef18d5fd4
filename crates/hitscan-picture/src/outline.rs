//! Outlines: dark lines where neighbouring rays hit different surfaces.
//!
//! The line is one pixel of the nearer surface. Averaged over the samples of a pixel it is smooth.

use crate::camera::PictureCamera;
use glam::Vec3;

/// What of a ray's hit decides whether an outline passes between it and its neighbour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
    /// The surface that was hit; `None` is the sky.
    pub(crate) surface: Option<SurfaceId>,
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    /// Metres from the ray's origin; infinite for the sky.
    pub(crate) distance: f32,
}

/// A surface that is one to the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceId {
    Ground,
    /// The number of an object that is no terrain, and of its part.
    Part(u32, u32),
}

impl Seen {
    pub(crate) const SKY: Self = Self {
        surface: None,
        point: Vec3::ZERO,
        normal: Vec3::ZERO,
        distance: f32::INFINITY,
    };
}

/// The colour of lines, linear light, and how much of a pixel it covers.
const LINE: Vec3 = Vec3::new(0.010, 0.012, 0.018);
const COVERAGE: f32 = 0.86;

/// The cosine of the angle between normals from which on a bend is a crease: 40 degrees.
const CREASE: f32 = 0.766;

/// How many pixels' width one surface must lie behind itself to have an edge there.
const STEP: f32 = 4.0;

/// Draws outlines for a camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    /// The width of a pixel at no distance, metres.
    width: f32,
    /// How much wider it is for each metre.
    spread: f32,
}

impl Outline {
    /// For a picture with one ray for each block of `step` x `step` pixels.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a width for drawing"
    )]
    pub(crate) fn new(camera: &PictureCamera, step: u32) -> Self {
        let [width, spread] = camera.pixel_size().map(|size| size as f32);
        Self {
            width: width * step as f32,
            spread: spread * step as f32,
        }
    }

    /// Darkens pixels of a picture that is `width` pixels wide where a line passes: those from place
    /// `first` on, row by row.
    pub(crate) fn draw(self, width: u32, seen: &[Seen], first: usize, colors: &mut [Vec3]) {
        let width = width.max(1) as usize;
        let rows = seen.len() / width;
        for (place, color) in (first..).zip(colors) {
            let (x, y) = (place % width, place / width);
            let own = &seen[place];
            let is_line = (x > 0 && self.is_line(own, &seen[place - 1], false))
                || (x + 1 < width && self.is_line(own, &seen[place + 1], true))
                || (y > 0 && self.is_line(own, &seen[place - width], false))
                || (y + 1 < rows && self.is_line(own, &seen[place + width], true));
            if is_line {
                *color = color.lerp(LINE, COVERAGE);
            }
        }
    }

    /// Whether a pixel has a line because of its neighbour; of equally near ones the first has.
    fn is_line(self, own: &Seen, other: &Seen, is_first: bool) -> bool {
        let is_nearer =
            own.distance < other.distance || (own.distance == other.distance && is_first);
        is_nearer && self.is_edge(own, other)
    }

    /// Whether an edge passes between the hits of two neighbouring rays.
    fn is_edge(self, near: &Seen, far: &Seen) -> bool {
        if near.surface != far.surface {
            return true;
        }
        let Some(surface) = near.surface else {
            return false;
        };
        let between = far.point - near.point;
        let behind = near.normal.dot(between).abs();
        let gap = behind.min(far.normal.dot(between).abs());
        if gap > STEP * (self.width + self.spread * near.distance) {
            return true;
        }
        // The bends of ground are its shape, and shaded as such.
        surface != SurfaceId::Ground && near.normal.dot(far.normal) < CREASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLINE: Outline = Outline {
        width: 0.01,
        spread: 0.0,
    };

    fn seen(part: u32, [x, y, z]: [f32; 3], normal: Vec3) -> Seen {
        Seen {
            surface: Some(SurfaceId::Part(0, part)),
            point: Vec3::new(x, y, z),
            normal,
            distance: 10.0 - z,
        }
    }

    /// Which of a row's pixels have a line.
    fn lines(row: &[Seen]) -> Vec<bool> {
        let mut colors = vec![Vec3::ONE; row.len()];
        OUTLINE.draw(u32::try_from(row.len()).unwrap(), row, 0, &mut colors);
        colors.iter().map(|color| *color != Vec3::ONE).collect()
    }

    #[test]
    fn a_flat_surface_has_none_however_steep() {
        let steep = Vec3::new(0.999, 0.0, 0.044_7);
        let row: Vec<Seen> = (0..5_u8)
            .map(|x| seen(0, [f32::from(x) * 0.01, 0.0, -0.223 * f32::from(x)], steep))
            .collect();
        assert_eq!(lines(&row), [false; 5]);
        assert_eq!(lines(&[Seen::SKY; 3]), [false; 3]);
    }

    #[test]
    fn parts_steps_creases_and_the_sky_have_one_on_the_nearer_side() {
        let front = |part, x: f32, z| seen(part, [x, 0.0, z], Vec3::Z);
        let flat = front(0, 0.0, 0.0);
        assert_eq!(lines(&[flat, Seen::SKY]), [true, false]);
        assert_eq!(lines(&[flat, front(1, 0.01, -0.001)]), [true, false]);
        assert_eq!(lines(&[flat, front(0, 0.01, 0.05)]), [false, true]);
        let side = seen(0, [0.01, 0.0, -0.005], Vec3::X);
        assert_eq!(lines(&[flat, side]), [true, false]);
        let ground = |one: Seen| Seen {
            surface: Some(SurfaceId::Ground),
            ..one
        };
        assert_eq!(lines(&[ground(flat), ground(side)]), [false, false]);
    }
}
