//! Terrain by the contract's words alone: a list of triangles and a list of samples, queried one by
//! one in rational arithmetic.

use crate::{Exact, exact, is_nearest_f32, line_triangle};
use hitscan::height_field::{Diagonal, Grid};
use num_traits::{Signed, ToPrimitive, Zero};

/// A point in f64.
type Point = [f64; 3];

/// A terrain's samples and triangles.
#[derive(Debug)]
pub struct TerrainOracle {
    /// Where samples are, row by row; `None` is a hole.
    samples: Vec<(f64, f64, Option<f64>)>,
    /// All triangles, `None` for those with a hole.
    triangles: Vec<Option<[Point; 3]>>,
    /// The minimum and the maximum x and z.
    border: [[f64; 2]; 2],
}

/// The nearest hit of a ray.
#[derive(Debug)]
pub struct TerrainHit {
    /// t rounded to f32.
    pub t: f32,
    /// The lowest triangle of those that are hit at that t.
    pub triangle: u32,
    /// Whether that is its upper side.
    pub is_front: bool,
    /// The weights of the second and third corner.
    pub weights: [f64; 2],
}

/// What is at a point.
#[derive(Debug, PartialEq)]
pub enum TerrainGround {
    /// The lowest triangle there that is no hole, and its exact height.
    On(u32, Exact),
    /// Beyond the borders.
    Outside,
    /// Only holes.
    Hole,
}

/// What the samples within a radius come to.
#[derive(Debug)]
pub struct TerrainSamples {
    /// The highest, and the exact mean.
    pub heights: Option<(f64, Exact)>,
    /// Whether any sample was within the radius, holes too.
    pub is_any: bool,
    /// Whether the point is on the map.
    pub is_on_map: bool,
}

impl TerrainOracle {
    /// The terrain with these heights, row by row; NaN is a hole.
    #[must_use]
    pub fn new(grid: &Grid, heights: &[f32]) -> Self {
        let x = |i: usize| grid.origin[0] + i as f64 * grid.spacing[0];
        let z = |j: usize| grid.origin[2] + j as f64 * grid.spacing[1];
        let y = |i: usize, j: usize| {
            let height = heights[j * grid.columns + i];
            (!height.is_nan()).then(|| grid.origin[1] + f64::from(height))
        };
        let corner = |i: usize, j: usize| y(i, j).map(|y| [x(i), y, z(j)]);
        let mut triangles = Vec::new();
        for j in 0..grid.rows - 1 {
            for i in 0..grid.columns - 1 {
                // Counter-clockwise seen from above, x to the right and z downwards.
                let halves = match grid.diagonal {
                    Diagonal::Anti => [
                        [(i, j), (i, j + 1), (i + 1, j)],
                        [(i + 1, j), (i, j + 1), (i + 1, j + 1)],
                    ],
                    Diagonal::Main => [
                        [(i, j), (i + 1, j + 1), (i + 1, j)],
                        [(i, j), (i, j + 1), (i + 1, j + 1)],
                    ],
                };
                for [a, b, c] in halves {
                    let corners = [corner(a.0, a.1), corner(b.0, b.1), corner(c.0, c.1)];
                    triangles.push(match corners {
                        [Some(a), Some(b), Some(c)] => Some([a, b, c]),
                        _ => None,
                    });
                }
            }
        }
        let places = (0..grid.rows).flat_map(|j| (0..grid.columns).map(move |i| (i, j)));
        Self {
            samples: places.map(|(i, j)| (x(i), z(j), y(i, j))).collect(),
            triangles,
            border: [[x(0), x(grid.columns - 1)], [z(0), z(grid.rows - 1)]],
        }
    }

    fn existing(&self) -> impl Iterator<Item = (u32, &[Point; 3])> {
        let numbered = (0..).zip(&self.triangles);
        numbered.filter_map(|(number, corners)| Some((number, corners.as_ref()?)))
    }

    /// The nearest hit with `t_min <= t <= t_max`; `t_max` may be infinite.
    ///
    /// # Panics
    /// When a number is not finite.
    #[must_use]
    pub fn cast(&self, origin: Point, direction: Point, range: [f32; 2]) -> Option<TerrainHit> {
        let (origin, direction) = (origin.map(exact), direction.map(exact));
        let [t_min, t_max] = range.map(f64::from);
        let mut crossings = Vec::new();
        for (number, corners) in self.existing() {
            let corners = corners.map(|corner| corner.map(exact));
            if let Some(crossing) = line_triangle(&origin, &direction, &corners)
                && crossing.t >= exact(t_min)
                && (t_max.is_infinite() || crossing.t <= exact(t_max))
            {
                crossings.push((number, crossing));
            }
        }
        let first = crossings.iter().map(|(_, crossing)| &crossing.t).min()?;
        let t = round_to_f32(first);
        let (triangle, crossing) = crossings
            .iter()
            .find(|(_, crossing)| is_nearest_f32(t, &crossing.t))?;
        Some(TerrainHit {
            t,
            triangle: *triangle,
            is_front: crossing.is_front,
            weights: [0, 1].map(|k| crossing.weights[k].to_f64().unwrap_or(f64::NAN)),
        })
    }

    /// The ground at a point.
    #[must_use]
    pub fn ground(&self, x: f32, z: f32) -> TerrainGround {
        let (x, z) = (f64::from(x), f64::from(z));
        if !self.is_on_map(x, z) {
            return TerrainGround::Outside;
        }
        let up = [Exact::zero(), exact(1.0), Exact::zero()];
        let foot = [exact(x), Exact::zero(), exact(z)];
        for (number, corners) in self.existing() {
            let corners = corners.map(|corner| corner.map(exact));
            if let Some(crossing) = line_triangle(&foot, &up, &corners) {
                return TerrainGround::On(number, crossing.t);
            }
        }
        TerrainGround::Hole
    }

    /// The samples with `dx * dx + dz * dz <= radius * radius` in f64.
    #[must_use]
    pub fn samples_within(&self, x: f32, z: f32, radius: f64) -> TerrainSamples {
        let (x, z) = (f64::from(x), f64::from(z));
        let mut sum = Exact::zero();
        let mut count = 0.0;
        let mut highest = f64::NEG_INFINITY;
        let mut is_any = false;
        for (sample_x, sample_z, y) in &self.samples {
            let (dx, dz) = (sample_x - x, sample_z - z);
            if dx * dx + dz * dz <= radius * radius {
                is_any = true;
                if let Some(y) = y {
                    sum += exact(*y);
                    count += 1.0;
                    highest = highest.max(*y);
                }
            }
        }
        TerrainSamples {
            heights: (count > 0.0).then(|| (highest, sum / exact(count))),
            is_any,
            is_on_map: self.is_on_map(x, z),
        }
    }

    fn is_on_map(&self, x: f64, z: f64) -> bool {
        let [[west, east], [north, south]] = self.border;
        west <= x && x <= east && north <= z && z <= south
    }
}

/// The nearest f32, ties to even.
///
/// # Panics
/// When the number is beyond f32's range.
#[must_use]
pub fn round_to_f32(x: &Exact) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a guess, whose neighbours are tried too"
    )]
    let guess = x.abs().to_f64().expect("a rational has a nearest f64") as f32;
    let guess = if x.is_negative() { -guess } else { guess };
    [guess, guess.next_up(), guess.next_down()]
        .into_iter()
        .find(|near| is_nearest_f32(*near, x))
        .expect("the nearest f32 is the guess or its neighbour")
}
