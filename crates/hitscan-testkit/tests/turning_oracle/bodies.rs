//! Convex bodies by their corners, how they turn, and how far apart two are: by every axis, every pair of segments
//! and every corner and triangle, in f64. Nothing here is shared with the library.

use hitscan::glam::DVec3;

/// All within a radius of the hull of a few points.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) points: Vec<DVec3>,
    pub(crate) radius: f64,
}

/// A body's motion while t goes from 0 to 1.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) body: Body,
    pub(crate) motion: DVec3,
    pub(crate) axis: DVec3,
    pub(crate) angle: f64,
    pub(crate) pivot: DVec3,
}

impl Turn {
    /// The body at a time.
    pub(crate) fn at(&self, t: f64) -> Body {
        Body {
            points: self
                .body
                .points
                .iter()
                .map(|point| self.carried(*point, t))
                .collect(),
            radius: self.body.radius,
        }
    }

    /// Where a point that takes part is at a time, turned by Rodrigues' formula.
    pub(crate) fn carried(&self, point: DVec3, t: f64) -> DVec3 {
        let unit = self.axis / self.axis.length();
        let (sine, cosine) = (libm::sin(self.angle * t), libm::cos(self.angle * t));
        let r = point - self.pivot;
        let along = unit * unit.dot(r) * (1.0 - cosine);
        self.pivot + self.motion * t + r * cosine + unit.cross(r) * sine + along
    }

    /// The largest coordinate or motion of it and an obstacle.
    pub(crate) fn extent(&self, obstacle: &Body) -> f64 {
        let own = self.body.points.iter().chain(&obstacle.points);
        let all = own.chain([&self.motion, &self.pivot]);
        let largest = all.fold(0.0, |max: f64, v| max.max(v.abs().max_element()));
        largest + self.body.radius + obstacle.radius
    }
}

impl Body {
    /// How far apart two bodies are; where they overlap, minus how deep.
    pub(crate) fn separation(&self, other: &Self) -> f64 {
        let radius = self.radius + other.radius;
        let along = self.greatest_gap(other);
        if along <= 0.0 {
            return along - radius;
        }
        self.core_distance(other) - radius
    }

    /// The gap of the cores along a unit direction, from the other to this.
    pub(crate) fn gap_along(&self, other: &Self, n: DVec3) -> f64 {
        let low = self
            .points
            .iter()
            .map(|p| p.dot(n))
            .fold(f64::INFINITY, f64::min);
        let high = other
            .points
            .iter()
            .map(|p| p.dot(n))
            .fold(f64::NEG_INFINITY, f64::max);
        low - high
    }

    fn ways(&self) -> Vec<DVec3> {
        let mut ways = Vec::new();
        for (i, a) in self.points.iter().enumerate() {
            ways.extend(self.points[i + 1..].iter().map(|b| *b - *a));
        }
        ways
    }

    /// The maximum gap of the cores along any axis that may separate them; less than 0 where they overlap.
    fn greatest_gap(&self, other: &Self) -> f64 {
        let (own, others) = (self.ways(), other.ways());
        let mut best = f64::NEG_INFINITY;
        let mut try_product = |a: DVec3, b: DVec3| {
            let product = a.cross(b);
            let length = product.length();
            if length > 1e-9 * a.length() * b.length() {
                let n = product / length;
                best = best
                    .max(self.gap_along(other, n))
                    .max(self.gap_along(other, -n));
            }
        };
        for ways in [&own, &others] {
            for (i, a) in ways.iter().enumerate() {
                for b in &ways[i + 1..] {
                    try_product(*a, *b);
                }
            }
        }
        for a in &own {
            for b in &others {
                try_product(*a, *b);
            }
        }
        // Cores without products: points and segments on a line. Apart from each other by distance alone.
        if best == f64::NEG_INFINITY {
            f64::INFINITY
        } else {
            best.max(self.flat_gap(other))
        }
    }

    /// Two cores between which there is no volume are never deep in each other.
    fn flat_gap(&self, other: &Self) -> f64 {
        let ways: Vec<DVec3> = (self.ways().into_iter()).chain(other.ways()).collect();
        let mut volume = 0.0_f64;
        for (i, a) in ways.iter().enumerate() {
            for (j, b) in ways.iter().enumerate().skip(i + 1) {
                for c in &ways[j + 1..] {
                    let scale = a.length() * b.length() * c.length();
                    volume = volume.max(a.cross(*b).dot(*c).abs() / scale.max(1e-300));
                    if volume > 1e-9 {
                        return f64::NEG_INFINITY;
                    }
                }
            }
        }
        self.core_distance(other)
    }

    fn core_distance(&self, other: &Self) -> f64 {
        let mut best = f64::INFINITY;
        for p in &self.points {
            for q in &other.points {
                best = best.min((*p - *q).length());
            }
        }
        let (own, others) = (segments(&self.points), segments(&other.points));
        for a in &own {
            for b in &others {
                best = best.min(segment_distance(*a, *b));
            }
            for q in &other.points {
                best = best.min(point_segment(*q, *a));
            }
        }
        for b in &others {
            for p in &self.points {
                best = best.min(point_segment(*p, *b));
            }
        }
        best.min(corner_faces(&self.points, &other.points))
            .min(corner_faces(&other.points, &self.points))
    }
}

fn segments(points: &[DVec3]) -> Vec<[DVec3; 2]> {
    let mut all = Vec::new();
    for (i, a) in points.iter().enumerate() {
        all.extend(points[i + 1..].iter().map(|b| [*a, *b]));
    }
    all
}

fn point_segment(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let way = b - a;
    let share = if way.length_squared() > 0.0 {
        ((p - a).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (p - a - way * share).length()
}

/// The distance of two segments where it is between inner points of both; else infinity.
fn segment_distance([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let (u, v) = (b - a, d - c);
    let n = u.cross(v);
    let squared = n.length_squared();
    if squared <= 1e-24 * u.length_squared() * v.length_squared() {
        return f64::INFINITY;
    }
    let s = (c - a).cross(v).dot(n) / squared;
    let r = (c - a).cross(u).dot(n) / squared;
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&r) {
        (a + u * s - c - v * r).length()
    } else {
        f64::INFINITY
    }
}

/// The least distance of a corner from an inner point of a triangle of the others.
fn corner_faces(corners: &[DVec3], others: &[DVec3]) -> f64 {
    let mut best = f64::INFINITY;
    for (i, a) in others.iter().enumerate() {
        for (j, b) in others.iter().enumerate().skip(i + 1) {
            for c in &others[j + 1..] {
                let (u, v) = (*b - *a, *c - *a);
                let n = u.cross(v);
                let squared = n.length_squared();
                if squared <= 1e-24 * u.length_squared() * v.length_squared() {
                    continue;
                }
                for p in corners {
                    let r = *p - *a;
                    let (s, t) = (r.cross(v).dot(n) / squared, u.cross(r).dot(n) / squared);
                    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
                        best = best.min(r.dot(n).abs() / squared.sqrt());
                    }
                }
            }
        }
    }
    best
}
