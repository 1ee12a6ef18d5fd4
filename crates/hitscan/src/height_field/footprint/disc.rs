//! The part of a polygon in a disc: a polygon and circular segments.

use super::moments::Moments;
use super::polygon::Polygon;
use super::slope::{PlaneMoments, Slope};
use core::f64::consts::PI;
use glam::DVec2;

/// The shortest piece of an edge that counts, in radii: where an edge ends at the rim, rounding may make
/// one of some 1e-16, from whose end to its start a whole turn would be taken. What it cuts off the
/// disc is 1e-37 of it.
const SHORTEST_PIECE: f64 = 1e-12;

/// The part of a polygon in a disc about the middle.
pub(super) fn disc_part(corners: &[DVec2], slope: &Slope, radius: f64) -> Moments {
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
    if end - start <= SHORTEST_PIECE * radius {
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
