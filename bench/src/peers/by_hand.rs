//! Hand-written baselines of about ten lines: triangle planes, visited samples, plain loops, slabs.

use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subjects, each};
use crate::workloads::boxes::{BoxPair, Primitive};
use rayon::ThreadPool;

fn label(way: &str) -> Label {
    Label::new(Family::ByHand, way)
}

/// Heights and how many a row.
pub struct LookUp {
    heights: Vec<f32>,
    size: usize,
}

impl LookUp {
    pub fn new(terrain: &inputs::Terrain) -> Self {
        Self {
            heights: terrain.heights.clone(),
            size: terrain.size,
        }
    }

    /// The height at (x, z) on its triangle's plane, in f32.
    #[inline]
    fn height(&self, x: f32, z: f32) -> Option<f32> {
        let last = (self.size - 1) as f32;
        if !(x >= 0.0 && z >= 0.0 && x <= last && z <= last) {
            return None;
        }
        let (i, j) = (
            (x as usize).min(self.size - 2),
            (z as usize).min(self.size - 2),
        );
        let (u, v) = (x - i as f32, z - j as f32);
        let at = j * self.size + i;
        let (b, c) = (self.heights[at + 1], self.heights[at + self.size]);
        Some(if u + v <= 1.0 {
            let a = self.heights[at];
            a + (b - a) * u + (c - a) * v
        } else {
            let d = self.heights[at + self.size + 1];
            d + (c - d) * (1.0 - u) + (b - d) * (1.0 - v)
        })
    }

    pub fn heights<'a>(&'a self, places: &[[f32; 2]]) -> Subjects<'a, Option<f32>> {
        let ask = |[x, z]: &[f32; 2]| self.height(*x, *z);
        vec![each(label("look-up"), places.to_vec(), None, ask)]
    }

    /// The highest sample within `radius`, by visiting those in its square.
    pub fn max_height<'a>(&'a self, places: &[[f32; 2]], radius: f64) -> Subjects<'a, Option<f32>> {
        let ask = move |[x, z]: &[f32; 2]| {
            let (x, z) = (f64::from(*x), f64::from(*z));
            let first = |center: f64| (center - radius).ceil().max(0.0) as usize;
            let end = |center: f64| ((center + radius).floor() as usize + 1).min(self.size);
            let mut highest = f32::NEG_INFINITY;
            for row in first(z)..end(z) {
                // The chord of the circle on this row.
                let dz = row as f64 - z;
                let half = (radius * radius - dz * dz).max(0.0).sqrt();
                let from = (x - half).ceil().max(0.0) as usize;
                let to = ((x + half).floor() as usize + 1).min(self.size);
                let samples = &self.heights[row * self.size..][from.min(to)..to];
                highest = samples
                    .iter()
                    .fold(highest, |highest, sample| highest.max(*sample));
            }
            (highest > f32::NEG_INFINITY).then_some(highest)
        };
        vec![each(label("visiting samples"), places.to_vec(), None, ask)]
    }
}

/// Rays straight down, answered by a look-up of the height.
pub struct Down<'a>(pub &'a LookUp);

impl RayShape for Down<'_> {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let primitive = crate::answer::UNNUMBERED;
        let ask = move |question: &Question| {
            let [x, y, z] = question.origin;
            let t = y - self.0.height(x, z)?;
            Some(Met { t, primitive })
        };
        vec![each(label("look-up"), questions.to_vec(), pool, ask)]
    }

    fn any<'a>(&'a self, _questions: &Rays) -> Subjects<'a, bool> {
        Vec::new()
    }
}

/// How many boxes each query touches: six arrays and a loop that the compiler vectorises.
pub fn touching_boxes<'a>(boxes: &[Primitive], queries: &[Primitive]) -> Subjects<'a, u32> {
    let column = |corner: fn(&Primitive) -> [f32; 3], axis: usize| -> Vec<f32> {
        boxes.iter().map(|solid| corner(solid)[axis]).collect()
    };
    let min = [0, 1, 2].map(|axis| column(|solid| solid.min, axis));
    let max = [0, 1, 2].map(|axis| column(|solid| solid.max, axis));
    let ask = move |query: &Primitive| {
        let count = min[0].len();
        let (a, b, c) = (&min[0][..count], &min[1][..count], &min[2][..count]);
        let (d, e, f) = (&max[0][..count], &max[1][..count], &max[2][..count]);
        let mut touching = 0_u32;
        for i in 0..count {
            let is_touching = (a[i] <= query.max[0])
                & (b[i] <= query.max[1])
                & (c[i] <= query.max[2])
                & (d[i] >= query.min[0])
                & (e[i] >= query.min[1])
                & (f[i] >= query.min[2]);
            touching += u32::from(is_touching);
        }
        touching
    };
    vec![each(label("loop over arrays"), queries.to_vec(), None, ask)]
}

/// When the moving box hits the other: a ray against the Minkowski sum, by slabs.
pub fn moving_boxes<'a>(pairs: &[BoxPair]) -> Subjects<'a, Option<f32>> {
    // Written out, because `f32::min` and `max` heed NaN, which costs more than the rest.
    let min = |a: f32, b: f32| if a < b { a } else { b };
    let max = |a: f32, b: f32| if a > b { a } else { b };
    let ask = move |pair: &BoxPair| {
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        for axis in 0..3 {
            let inverse = 1.0 / pair.motion[axis];
            let near = (pair.resting.min[axis] - pair.moving.max[axis]) * inverse;
            let far = (pair.resting.max[axis] - pair.moving.min[axis]) * inverse;
            enter = max(enter, min(near, far));
            leave = min(leave, max(near, far));
        }
        (enter <= leave).then_some(enter)
    };
    vec![each(label("slabs"), pairs.to_vec(), None, ask)]
}

/// The nearest sphere on each ray: four arrays, a loop for the least t, a second for whose it is.
pub fn ray_and_spheres<'a>(
    spheres: &[([f32; 3], f32)],
    questions: &[Question],
) -> Subjects<'a, Option<Met>> {
    let column = |axis: usize| -> Vec<f32> { spheres.iter().map(|s| s.0[axis]).collect() };
    let centers = [0, 1, 2].map(column);
    let squares: Vec<f32> = spheres.iter().map(|sphere| sphere.1 * sphere.1).collect();
    let ask = move |question: &Question| {
        let count = squares.len();
        let (x, y, z) = (
            &centers[0][..count],
            &centers[1][..count],
            &centers[2][..count],
        );
        let squares = &squares[..count];
        let [ox, oy, oz] = question.origin;
        let [dx, dy, dz] = question.direction;
        // Directions have unit length, so the quadratic's first coefficient is 1.
        let entry = |i: usize| {
            let (cx, cy, cz) = (x[i] - ox, y[i] - oy, z[i] - oz);
            let along = cx * dx + cy * dy + cz * dz;
            let gap = cx * cx + cy * cy + cz * cz - squares[i];
            let discriminant = along * along - gap;
            let t = along - discriminant.max(0.0).sqrt();
            let t = if (discriminant >= 0.0) & (along >= 0.0) {
                t
            } else {
                f32::INFINITY
            };
            // Spheres are solid: a ray from inside hits at its start.
            if gap <= 0.0 { 0.0 } else { t }
        };
        let mut best = [f32::INFINITY; 16];
        for block in 0..count / 16 {
            for lane in 0..16 {
                let t = entry(block * 16 + lane);
                best[lane] = if t < best[lane] { t } else { best[lane] };
            }
        }
        let mut t = best.into_iter().fold(f32::INFINITY, f32::min);
        for i in count / 16 * 16..count {
            t = t.min(entry(i));
        }
        if t == f32::INFINITY {
            return None;
        }
        let primitive = (0..count).find(|i| entry(*i) == t)? as u32;
        Some(Met { t, primitive })
    };
    vec![each(
        label("loop over arrays"),
        questions.to_vec(),
        None,
        ask,
    )]
}
