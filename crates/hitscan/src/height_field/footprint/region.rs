//! A footprint as a region about its middle, and what it leaves of a triangle.
//!
//! Within a triangle the height is linear, so moments of the region up to degree 2 give all integrals.
//! A polygon's are those of a fan of triangles; a disc's rim adds circular segments (Green's theorem).

use super::moments::Moments;
use core::f64::consts::PI;
use glam::{DMat2, DVec2};

/// Blocks that are inside or outside by less than this share of the numbers involved are opened.
const MARGIN: f64 = 1e-12;

/// The shape of a footprint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Region {
    Disc {
        radius: f64,
    },
    Rectangle {
        half: DVec2,
        /// From x and z to the rectangle's own axes.
        own_from_world: DMat2,
    },
}

/// How a block lies to a footprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    Inside,
    Outside,
    Across,
}

impl Region {
    pub(super) fn area(&self) -> f64 {
        match self {
            Self::Disc { radius } => PI * radius * radius,
            Self::Rectangle { half, .. } => 4.0 * half.x * half.y,
        }
    }

    /// The axes in which the region is clipped and summed, from x and z.
    pub(super) fn own_from_world(&self) -> DMat2 {
        match self {
            Self::Disc { .. } => DMat2::IDENTITY,
            Self::Rectangle { own_from_world, .. } => *own_from_world,
        }
    }

    /// How a block lies, given its corners relative to the region's middle.
    pub(super) fn place(&self, [min, max]: [DVec2; 2]) -> Placement {
        match self {
            Self::Disc { radius } => {
                let nearest = DVec2::ZERO.clamp(min, max).length();
                let farthest = min.abs().max(max.abs()).length();
                decide(nearest, farthest, *radius)
            }
            Self::Rectangle {
                half,
                own_from_world,
            } => {
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
                    .map(|corner| *own_from_world * corner);
                let low = corners.into_iter().fold(DVec2::INFINITY, DVec2::min);
                let high = corners.into_iter().fold(DVec2::NEG_INFINITY, DVec2::max);
                let nearest = DVec2::ZERO.clamp(low, high).abs();
                let farthest = low.abs().max(high.abs());
                let x = decide(nearest.x, farthest.x, half.x);
                let y = decide(nearest.y, farthest.y, half.y);
                match (x, y) {
                    (Placement::Inside, Placement::Inside) => Placement::Inside,
                    (Placement::Outside, _) | (_, Placement::Outside) => Placement::Outside,
                    _ => Placement::Across,
                }
            }
        }
    }

    /// The moments of what of a convex polygon, which is relative to the region's middle and in its own
    /// axes, is under the region; the polygon's height is linear, given at its first three corners.
    pub(super) fn clip(&self, corners: &[DVec2], y: [f64; 3]) -> Moments {
        let slope = Slope::new(corners, y);
        match self {
            Self::Disc { radius } => disc_part(corners, &slope, *radius),
            Self::Rectangle { half, .. } => {
                let mut part = Polygon::new(corners);
                for (axis, half) in [half.x, half.y].into_iter().enumerate() {
                    part = part.cut(axis, half, 1.0).cut(axis, half, -1.0);
                }
                let mut moments = slope.moments(&part.plane_moments());
                if moments.area > 0.0 {
                    for corner in part.corners() {
                        slope.extend(&mut moments, *corner);
                    }
                }
                moments
            }
        }
    }
}

/// How what is from `nearest` to `farthest` lies to a limit.
fn decide(nearest: f64, farthest: f64, limit: f64) -> Placement {
    let margin = MARGIN * (farthest + limit);
    if farthest < limit - margin {
        Placement::Inside
    } else if nearest > limit + margin {
        Placement::Outside
    } else {
        Placement::Across
    }
}

/// The moments of a plane region about the middle.
#[derive(Debug, Clone, Copy)]
struct PlaneMoments {
    area: f64,
    first: DVec2,
    second: [f64; 3],
}

/// A height that is linear.
struct Slope {
    at: DVec2,
    y: f64,
    gradient: DVec2,
    corners: [(DVec2, f64); 3],
}

impl Slope {
    fn new(corners: &[DVec2], y: [f64; 3]) -> Self {
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        let (p, q) = (b - a, c - a);
        let (rise_p, rise_q) = (y[1] - y[0], y[2] - y[0]);
        let area = p.perp_dot(q);
        let gradient = DVec2::new(rise_p * q.y - rise_q * p.y, rise_q * p.x - rise_p * q.x) / area;
        Self {
            at: a,
            y: y[0],
            gradient,
            corners: [(a, y[0]), (b, y[1]), (c, y[2])],
        }
    }

    /// The height at a point, exact at the corners.
    fn height(&self, at: DVec2) -> f64 {
        let corner = self.corners.iter().find(|(corner, _)| *corner == at);
        corner.map_or_else(|| self.y + self.gradient.dot(at - self.at), |(_, y)| *y)
    }

    fn extend(&self, moments: &mut Moments, at: DVec2) {
        let y = self.height(at);
        moments.low = moments.low.min(y);
        moments.high = moments.high.max(y);
    }

    /// The moments of the height over a region, without its extremes.
    fn moments(&self, plane: &PlaneMoments) -> Moments {
        let PlaneMoments {
            area,
            first,
            second,
        } = *plane;
        if area <= 0.0 {
            return Moments::NOTHING;
        }
        let [xx, xz, zz] = second;
        // About the corner, so that steep ground far from the middle loses nothing.
        let off = first - self.at * area;
        let off_x = DVec2::new(xx, xz) - self.at * first.x;
        let off_z = DVec2::new(xz, zz) - self.at * first.y;
        Moments {
            area,
            first,
            second,
            height: self.y * area + self.gradient.dot(off),
            height_first: DVec2::new(
                self.y * first.x + self.gradient.dot(off_x),
                self.y * first.y + self.gradient.dot(off_z),
            ),
            ..Moments::NOTHING
        }
    }
}

/// The most corners that a quadrilateral has after four cuts.
const MOST_CORNERS: usize = 8;

/// A convex polygon, counter-clockwise in its axes or clockwise.
#[derive(Clone, Copy)]
struct Polygon {
    corners: [DVec2; MOST_CORNERS],
    count: usize,
}

impl Polygon {
    fn new(corners: &[DVec2]) -> Self {
        let mut polygon = Self {
            corners: [DVec2::ZERO; MOST_CORNERS],
            count: 0,
        };
        corners.iter().for_each(|corner| polygon.push(*corner));
        polygon
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    fn push(&mut self, corner: DVec2) {
        if self.count < MOST_CORNERS && self.corners().last() != Some(&corner) {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// What of it is where `sign` times the coordinate of `axis` is at most `limit`.
    ///
    /// Source: Sutherland and Hodgman, "Reentrant polygon clipping", 1974.
    fn cut(&self, axis: usize, limit: f64, sign: f64) -> Self {
        let mut kept = Self::new(&[]);
        let beyond = |corner: DVec2| sign * corner[axis] - limit;
        for (number, corner) in self.corners().iter().enumerate() {
            let next = self.corners()[(number + 1) % self.count];
            let (here, there) = (beyond(*corner), beyond(next));
            if here <= 0.0 {
                kept.push(*corner);
            }
            if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
                let mut crossing = *corner + (next - *corner) * (here / (here - there));
                crossing[axis] = sign * limit;
                kept.push(crossing);
            }
        }
        kept
    }

    fn plane_moments(&self) -> PlaneMoments {
        let mut sum = PlaneMoments {
            area: 0.0,
            first: DVec2::ZERO,
            second: [0.0; 3],
        };
        for k in 2..self.count {
            let fan = [self.corners[0], self.corners[k - 1], self.corners[k]];
            let fan = Moments::of_triangle(fan, [0.0; 3]);
            sum.area += fan.area;
            sum.first += fan.first;
            sum.second = [0, 1, 2].map(|i: usize| sum.second[i] + fan.second[i]);
        }
        sum
    }
}

/// The part of a polygon in a disc about the middle.
fn disc_part(corners: &[DVec2], slope: &Slope, radius: f64) -> Moments {
    let count = corners.len();
    let winding = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]);
    let mut inner = Polygon::new(&[]);
    // The pieces of edges in the disc, counter-clockwise.
    let mut pieces = [None; 4];
    for (k, piece) in pieces.iter_mut().enumerate().take(count) {
        let (from, to) = if winding > 0.0 {
            (corners[k], corners[(k + 1) % count])
        } else {
            (corners[count - 1 - k], corners[(2 * count - 2 - k) % count])
        };
        *piece = in_disc(from, to, radius);
    }
    let pieces: smallvec::SmallVec<[[DVec2; 2]; 4]> = pieces.into_iter().flatten().collect();
    let steepest = slope.gradient.normalize_or_zero() * radius;
    let mut extremes = [None; 2];
    let mut rim = PlaneMoments {
        area: 0.0,
        first: DVec2::ZERO,
        second: [0.0; 3],
    };
    if pieces.is_empty() {
        let holds_middle = (0..count).all(|k| {
            let (from, to) = (corners[k], corners[(k + 1) % count]);
            (to - from).perp_dot(-from) * winding > 0.0
        });
        if !holds_middle {
            return Moments::NOTHING;
        }
        rim = segment(DVec2::X, PI, radius);
        extremes = [Some(steepest), Some(-steepest)];
    }
    for (k, [start, end]) in pieces.iter().enumerate() {
        inner.push(*start);
        inner.push(*end);
        let next = pieces[(k + 1) % pieces.len()][0];
        if next == *end {
            continue;
        }
        let turn = libm::atan2(end.perp_dot(next), end.dot(next));
        let turn = if turn < 0.0 { turn + 2.0 * PI } else { turn };
        let middle = middle_direction(*end, next, turn);
        let part = segment(middle, 0.5 * turn, radius);
        rim.area += part.area;
        rim.first += part.first;
        rim.second = [0, 1, 2].map(|i: usize| rim.second[i] + part.second[i]);
        for (extreme, at) in extremes.iter_mut().zip([steepest, -steepest]) {
            let is_on_rim = at.dot(middle) >= radius * libm::cos(0.5 * turn);
            *extreme = extreme.or(is_on_rim.then_some(at));
        }
    }
    let polygon = inner.plane_moments();
    let mut moments = slope.moments(&PlaneMoments {
        area: polygon.area + rim.area,
        first: polygon.first + rim.first,
        second: [0, 1, 2].map(|i: usize| polygon.second[i] + rim.second[i]),
    });
    if moments.area > 0.0 {
        for at in inner
            .corners()
            .iter()
            .copied()
            .chain(extremes.into_iter().flatten())
        {
            slope.extend(&mut moments, at);
        }
    }
    moments
}

/// The direction half way between two points of a circle that are `turn` apart, counter-clockwise.
fn middle_direction(from: DVec2, to: DVec2, turn: f64) -> DVec2 {
    let chord = to - from;
    // Of a half turn or nearly so, the sum is lost in rounding, but not the chord.
    let across = -chord.perp();
    let direction = if turn < 3.0 { from + to } else { across };
    direction.normalize_or_zero()
}

/// The piece of an edge that is in the disc, with more than a point.
fn in_disc(from: DVec2, to: DVec2, radius: f64) -> Option<[DVec2; 2]> {
    let way = to - from;
    let length = way.length();
    let unit = way / length;
    let off = from.perp_dot(unit).abs();
    // (r - d) (r + d): a chord near the rim keeps its length.
    let square = (radius - off) * (radius + off);
    if square <= 0.0 {
        return None;
    }
    let half = square.sqrt();
    let middle = -from.dot(unit);
    let (start, end) = ((middle - half).max(0.0), (middle + half).min(length));
    if start >= end {
        return None;
    }
    let at = |along: f64| {
        if along <= 0.0 {
            from
        } else if along >= length {
            to
        } else {
            from + unit * along
        }
    };
    Some([at(start), at(end)])
}

/// The circular segment around a direction, between the chord and the rim; `half` of its angle.
fn segment(middle: DVec2, half: f64, radius: f64) -> PlaneMoments {
    let (sine, cosine) = (libm::sin(half), libm::cos(half));
    let cube = sine * sine * sine;
    let bulge = 0.5 * without_sine(2.0 * half);
    let squared = radius * radius;
    let along = squared * squared / 4.0 * (bulge + 2.0 * cube * cosine);
    let across = squared * squared / 12.0 * (3.0 * bulge - 2.0 * cube * cosine);
    let [x, z] = middle.to_array();
    PlaneMoments {
        area: squared * bulge,
        first: middle * (2.0 / 3.0 * squared * radius * cube),
        second: [
            along * x * x + across * z * z,
            (along - across) * x * z,
            along * z * z + across * x * x,
        ],
    }
}

/// `x - sin x`, which is at least 0, without cancellation.
fn without_sine(x: f64) -> f64 {
    if x > 0.5 {
        return x - libm::sin(x);
    }
    let squared = x * x;
    let mut sum = 1.0;
    for k in (2..=9).rev() {
        let k = f64::from(2 * k);
        sum = 1.0 - sum * squared / (k * (k + 1.0));
    }
    x * squared / 6.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_around_a_disc_leaves_the_disc_and_a_square_in_it_the_square() {
        let square = |half: f64| {
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|at| DVec2::from(at) * half)
        };
        let disc = Region::Disc { radius: 2.0 };
        let all = disc.clip(&square(5.0), [3.0; 3]);
        assert!((all.area - 4.0 * PI).abs() < 1e-14 && (all.height - 12.0 * PI).abs() < 1e-13);
        assert!((all.second[0] - 4.0 * PI).abs() < 1e-13, "{all:?}");
        let own = disc.clip(&square(1.0), [3.0; 3]);
        assert_eq!((own.area, own.low, own.high), (4.0, 3.0, 3.0));
        // Half of the disc, on a slope: its mean is 4 r / 3 pi from the middle.
        let half = [[0.0, -9.0], [9.0, -9.0], [9.0, 9.0], [0.0, 9.0]].map(DVec2::from);
        let part = disc.clip(&half, [0.0, 9.0, 9.0]);
        assert!((part.area - 2.0 * PI).abs() < 1e-14, "{part:?}");
        assert!(
            (part.height / part.area - 8.0 / (3.0 * PI)).abs() < 1e-14,
            "{part:?}"
        );
        assert!(
            part.low.abs() < 1e-15 && (part.high - 2.0).abs() < 1e-15,
            "{part:?}"
        );
    }

    #[test]
    fn a_touch_has_no_area() {
        let beside = [[2.0, -9.0], [9.0, -9.0], [9.0, 9.0]].map(DVec2::from);
        let disc = Region::Disc { radius: 2.0 };
        assert_eq!(disc.clip(&beside, [1.0; 3]), Moments::NOTHING);
        let rectangle = Region::Rectangle {
            half: DVec2::new(2.0, 1.0),
            own_from_world: DMat2::IDENTITY,
        };
        assert_eq!(rectangle.clip(&beside, [1.0; 3]), Moments::NOTHING);
    }
}
