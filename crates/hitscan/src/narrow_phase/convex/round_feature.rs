//! The corners of a triangle that are furthest along the normal of a round contact, where f64 is
//! certain of them.
//!
//! The normal's sign along an edge that the contact is on is 0, which no bound on its error shows. It is
//! seen from where the nearest point lies: inside the edge, the exact normal is across the edge. So it is on
//! a face (`round_face.rs`).

use super::core::CompactCore;
use super::round_contact::{Guess, RoundContact};
use crate::exact::adaptive::{Approx, Number, between, dot};
use ::core::cmp::Ordering::Less;
use glam::DVec3;

/// The least distance of a point from an edge's ends, relative to the bound on the point's drift by
/// rounding. A few operations more round here; 64 leaves room for them.
const CERTAIN: f64 = 64.0;

/// Two segments at an angle whose squared sine is less have no certain closest points.
///
/// The fractions of closest points are off by the ends' drift divided by the sine. A compromise: at a
/// sine of 1e-3 that is a thousand times the drift, which is still far below the length of most edges,
/// and few pairs of edges are more nearly parallel.
const MIN_SQUARE: f64 = 1e-6;

impl RoundContact {
    /// Whether each corner of the resting triangle is one of those that lie furthest along the exact
    /// normal. `None` where f64 is not certain, and for other pairs.
    pub(super) fn certain_furthest(&self) -> Option<[bool; 3]> {
        let guess = self.guess.as_ref()?;
        let CompactCore::Triangle(corners) = &self.cores[0] else {
            return None;
        };
        if self.is_swapped {
            return None;
        }
        let is_lower = |corner: usize, than: usize| {
            sign_along(guess, corners[than], corners[corner]) == Some(Less)
        };
        for corner in 0..3 {
            let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
            if is_lower(last, corner) && is_lower(last, next) {
                let mut furthest = [true; 3];
                if is_lower(next, corner) {
                    furthest[next] = false;
                } else if is_lower(corner, next) {
                    furthest[corner] = false;
                } else if !self.is_inside(guess, [corners[corner], corners[next]]) {
                    return None;
                }
                furthest[last] = false;
                return Some(furthest);
            }
        }
        self.certain_face().map(|_| [true; 3])
    }

    /// Whether the point of an edge that is nearest to the moving core lies certainly inside it.
    fn is_inside(&self, guess: &Guess, [p, q]: [DVec3; 2]) -> bool {
        let way = self.motion * self.middle();
        let edge = q - p;
        let (length, slack) = (edge.length(), CERTAIN * guess.drift);
        let holds = |point: DVec3| {
            let along = edge.dot(point - p + way) / length;
            along > slack && length - along > slack
        };
        match &self.cores[1] {
            CompactCore::Point(point) => holds(*point),
            CompactCore::Segment([r, s]) => {
                // The end of the moving segment that is nearest, or its inside.
                if sign_along(guess, *s, *r) == Some(Less) {
                    return holds(*r);
                }
                if sign_along(guess, *r, *s) == Some(Less) {
                    return holds(*s);
                }
                let (v, w) = (*s - *r, *r - p + way);
                let normal = edge.cross(v);
                let squared = normal.length_squared();
                let size = length * v.length();
                let inside = |fraction: f64, length: f64| {
                    // A fraction is off by what rounding moves an end, divided by the sine.
                    let slack = slack * squared / MIN_SQUARE.sqrt() / length;
                    fraction > slack && squared - fraction > slack
                };
                squared > MIN_SQUARE * size * size
                    && inside(w.cross(v).dot(normal), length)
                    && inside(w.cross(edge).dot(normal), v.length())
            }
            _ => false,
        }
    }
}

/// The sign of the exact normal along the way between two points, where it is certain.
fn sign_along(guess: &Guess, from: DVec3, to: DVec3) -> Option<::core::cmp::Ordering> {
    let offset = guess.offset.to_array().map(|value| Approx {
        value,
        error: guess.error,
    });
    dot(&offset, &between(from, to)).known_sign()
}
