//! Boxes, motions and obstacles that touch, nearly touch and lie in corners of f32's range.

use crate::Rng;

/// A source of coordinates, all of one kind for a case.
///
/// Small whole numbers make most pairs touch exactly somewhere; ulps around them nearly so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeCastScene {
    /// Whole numbers.
    Grid,
    /// Whole numbers and a few ulps more or less.
    Ulps,
    /// Anything in the same range.
    Uniform,
    /// Near 1e6, a few ulps apart.
    Far,
    /// Whole multiples of 1e17.
    Huge,
    /// A few of f32's smallest subnormals.
    Subnormal,
    /// Magnitudes from 1e-30 to 1e15 side by side.
    Mixed,
}

impl ShapeCastScene {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Grid,
        Self::Ulps,
        Self::Uniform,
        Self::Far,
        Self::Huge,
        Self::Subnormal,
        Self::Mixed,
    ];

    /// A coordinate.
    pub fn coordinate(self, rng: &mut Rng) -> f32 {
        let whole = small(rng.below(9)) - 4.0;
        match self {
            Self::Grid => whole,
            Self::Ulps => nudged(rng, whole),
            Self::Uniform => rng.uniform_f32(-4.0, 4.0),
            Self::Far => nudged(rng, 1e6 + whole),
            Self::Huge => whole * 1e17,
            Self::Subnormal => whole * f32::from_bits(1),
            Self::Mixed => whole * 10.0_f32.powi(i32::from(small_i8(rng.below(46))) - 30),
        }
    }

    /// Two corners of a box, in order; flat on an axis now and then.
    pub fn corners(self, rng: &mut Rng) -> [[f32; 3]; 2] {
        let ends = [(); 3].map(|()| {
            let (a, b) = (self.coordinate(rng), self.coordinate(rng));
            if rng.one_in(8) {
                [a, a]
            } else {
                [a.min(b), a.max(b)]
            }
        });
        [0, 1].map(|end: usize| ends.map(|axis| axis[end]))
    }

    /// A motion: zero on an axis now and then, often just what lies between two coordinates.
    pub fn motion(self, rng: &mut Rng) -> [f32; 3] {
        [(); 3].map(|()| {
            if rng.one_in(4) {
                0.0
            } else {
                self.coordinate(rng) - self.coordinate(rng)
            }
        })
    }

    /// The corners of a triangle: degenerate, flat on an axis or alike now and then.
    pub fn triangle(self, rng: &mut Rng) -> [[f32; 3]; 3] {
        let mut corners = [[0.0; 3]; 3].map(|corner| corner.map(|_: f32| self.coordinate(rng)));
        if rng.one_in(3) {
            let axis = rng.below(3);
            corners[1][axis] = corners[0][axis];
            corners[2][axis] = corners[0][axis];
        }
        corners
    }
}

/// `x` and up to two ulps more or less.
fn nudged(rng: &mut Rng, x: f32) -> f32 {
    match rng.below(5) {
        0 => x.next_up(),
        1 => x.next_up().next_up(),
        2 => x.next_down(),
        3 => x.next_down().next_down(),
        _ => x,
    }
}

fn small_i8(x: usize) -> i8 {
    i8::try_from(x).unwrap_or(i8::MAX)
}

fn small(x: usize) -> f32 {
    f32::from(small_i8(x))
}
