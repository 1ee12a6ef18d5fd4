//! Geometry that is hard on purpose: small integers, halves, values a few ulps apart, scales from
//! tiny to huge, and rays that are aimed at corners and edges.

use crate::Rng;
use glam::Vec3;
use hitscan::Ray;

/// A generator of such numbers, points and rays.
#[derive(Debug)]
pub struct Nasty {
    /// Where its choices come from.
    pub rng: Rng,
    last: f32,
    scale: f32,
}

impl Nasty {
    /// A generator that yields the same for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            last: 0.0,
            scale: 1.0,
        }
    }

    /// Chooses the scale of the next case and returns it.
    pub fn next_case(&mut self) -> f32 {
        let scales = [1.0, 1.0, 1.0, 1e-3, 1e4, 1e-20, 1e12];
        self.scale = scales[self.rng.below(scales.len())];
        self.scale
    }

    /// A number, often equal to the last one or its neighbour.
    pub fn number(&mut self) -> f32 {
        let small = self.rng.uniform_f32(-4.0, 4.0);
        let number = match self.rng.below(8) {
            0..=2 => small.round() * self.scale,
            3 => (small * 2.0).round() * 0.5 * self.scale,
            4 => self.last.next_up(),
            5 => self.last,
            _ => small * self.scale,
        };
        self.last = number;
        number
    }

    /// A point of such numbers.
    pub fn point(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// A ray that is often aimed at one of `targets` or between two of them, with some range.
    ///
    /// # Panics
    /// When `targets` is empty.
    pub fn ray(&mut self, targets: &[Vec3]) -> Ray {
        loop {
            let origin = self.point();
            let pick = |rng: &mut Rng| targets[rng.below(targets.len())];
            let target = match self.rng.below(4) {
                0 => self.point(),
                1 => pick(&mut self.rng),
                2 => (pick(&mut self.rng) + pick(&mut self.rng)) * 0.5,
                _ => {
                    let fraction = self.rng.uniform_f32(0.0, 1.0);
                    pick(&mut self.rng).lerp(pick(&mut self.rng), fraction)
                }
            };
            let mut direction = target - origin;
            if self.rng.one_in(4) {
                direction *= 0.5;
            }
            if self.rng.one_in(6) {
                direction[self.rng.below(3)] = 0.0;
            }
            let spans = [(0.0, f32::INFINITY), (0.0, 1.0), (1.0, 2.0), (-1.0, 0.5)];
            let (t_min, t_max) = spans[self.rng.below(spans.len())];
            if let Ok(ray) =
                Ray::new(origin, direction).and_then(|ray| ray.with_range(t_min, t_max))
            {
                return ray;
            }
        }
    }
}
