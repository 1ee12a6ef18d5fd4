//! A path over terrain, straight or bent by gravity, followed triangle by triangle in f64: what arcs
//! and sight are held against.

use super::Terrain;

/// `p(t) = from + velocity * t`, lower by `gravity * t^2 / 2`.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    pub from: [f64; 3],
    pub velocity: [f64; 3],
    pub gravity: f64,
}

impl Flight {
    /// When the path, which starts above the ground, comes down to it, if before `t_end`.
    ///
    /// Between two of the lines x = i, z = j and x + z = k the path is over one triangle, above
    /// which its height is concave in t: it comes down where it is below at the end.
    pub fn landing(&self, terrain: &Terrain, t_end: f64) -> Option<f64> {
        let [vx, _, vz] = self.velocity;
        let [x, _, z] = self.from;
        let mut lines = [
            Lines::new(x, vx),
            Lines::new(z, vz),
            Lines::new(x + z, vx + vz),
        ];
        let mut t = 0.0;
        while t < t_end {
            let next = lines.iter().map(|lines| lines.next).fold(t_end, f64::min);
            if next > t {
                let height = self.above(terrain, 0.5 * (t + next))?;
                if height.at(next) < 0.0 {
                    return Some(height.last_root().clamp(t, next));
                }
                t = next;
            }
            for lines in &mut lines {
                lines.pass(next);
            }
        }
        None
    }

    /// The path's height above the triangle that it is over at `t`; `None` off the map.
    fn above(&self, terrain: &Terrain, t: f64) -> Option<Quadratic> {
        let [x, z] = [0, 2].map(|axis| self.from[axis] + self.velocity[axis] * t);
        let last = terrain.length();
        if !(x >= 0.0 && z >= 0.0 && x <= last && z <= last) {
            return None;
        }
        let cell = |place: f64| (place as usize).min(terrain.size - 2);
        let (i, j) = (cell(x), cell(z));
        let at = |di: usize, dj: usize| f64::from(terrain.sample(i + di, j + dj));
        let (u, v) = (x - i as f64, z - j as f64);
        // The height at the corner (i, j) of the triangle's plane, and its slopes.
        let (corner, along_x, along_z) = if u + v <= 1.0 {
            (at(0, 0), at(1, 0) - at(0, 0), at(0, 1) - at(0, 0))
        } else {
            let (along_x, along_z) = (at(1, 1) - at(0, 1), at(1, 1) - at(1, 0));
            (at(1, 1) - along_x - along_z, along_x, along_z)
        };
        let [ox, oy, oz] = self.from;
        let ground = corner + along_x * (ox - i as f64) + along_z * (oz - j as f64);
        let [vx, vy, vz] = self.velocity;
        Some(Quadratic {
            a: -0.5 * self.gravity,
            b: vy - along_x * vx - along_z * vz,
            c: oy - ground,
        })
    }

    /// Metres flown until `t`.
    pub fn flown(&self, t: f64) -> f64 {
        let [vx, vy, vz] = self.velocity;
        let flat = (vx * vx + vz * vz).sqrt();
        let steepness = |t: f64| (vy - self.gravity * t) / flat;
        let integral = |w: f64| 0.5 * (w * (1.0 + w * w).sqrt() + libm::asinh(w));
        flat * flat / self.gravity * (integral(steepness(0.0)) - integral(steepness(t)))
    }
}

/// `a t^2 + b t + c`.
struct Quadratic {
    a: f64,
    b: f64,
    c: f64,
}

impl Quadratic {
    fn at(&self, t: f64) -> f64 {
        (self.a * t + self.b) * t + self.c
    }

    /// The root at which a concave quadratic comes down.
    fn last_root(&self) -> f64 {
        let Self { a, b, c } = *self;
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
        if b > 0.0 {
            (-b - root) / (2.0 * a)
        } else {
            2.0 * c / (root - b)
        }
    }
}

/// The times at which a coordinate is an integer.
struct Lines {
    from: f64,
    speed: f64,
    line: f64,
    next: f64,
}

impl Lines {
    fn new(from: f64, speed: f64) -> Self {
        let line = if speed > 0.0 {
            from.floor()
        } else {
            from.ceil()
        };
        let mut lines = Self {
            from,
            speed,
            line,
            next: f64::INFINITY,
        };
        lines.advance();
        lines
    }

    fn advance(&mut self) {
        if self.speed != 0.0 {
            self.line += self.speed.signum();
            self.next = (self.line - self.from) / self.speed;
        }
    }

    fn pass(&mut self, t: f64) {
        while self.next <= t {
            self.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_where_the_ground_is() {
        let terrain = Terrain::new(65);
        let from = [20.3, 90.0, 33.7];
        for (velocity, gravity) in [([2.0, -9.0, 1.0], 0.0), ([3.0, 12.0, -1.5], 9.81)] {
            let flight = Flight {
                from,
                velocity,
                gravity,
            };
            let t = flight
                .landing(&terrain, 20.0)
                .expect("it comes down on the map");
            let at = |axis: usize| from[axis] + velocity[axis] * t;
            let y = at(1) - 0.5 * gravity * t * t;
            assert!((terrain.height(at(0), at(2)) - y).abs() < 1e-9);
        }
    }

    #[test]
    fn straight_up_and_down_again_is_twice_the_height() {
        let flight = Flight {
            from: [0.0; 3],
            velocity: [1e-6, 9.81, 0.0],
            gravity: 9.81,
        };
        assert!((flight.flown(2.0) - 9.81).abs() < 1e-5);
    }
}
