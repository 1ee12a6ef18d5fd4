//! The side that is entered last, where f64 shows at once which one that is.
//!
//! When a side is reached and the two have a point in common then, they have shared none before, as the side
//! separates them until then. If that point is an inner one of the side's own face of the difference, the
//! side is the only one that is reached there. So one side of many is enough: a face of one with the corner
//! of the other that comes to it, strictly within the face; or two edges that cross strictly within both.
//! Which one is tried is a guess.

use super::entry::quotient;
use super::side::{Side, SidePair};
use crate::exact::adaptive::{Approx, Number, between, cross, dot, vector};
use crate::shape::polytope::{height_along, height_error};
use core::cmp::Ordering;
use glam::DVec3;

/// The squared cosine from which a face counts as across a direction, and the difference of two heights,
/// relative to the extent of the pair, up to which they count as equal: of the guess.
const ACROSS: f64 = 1.0 - 1e-9;
const LEVEL: f64 = 1e-7;

/// The side that is certainly entered last and an enclosure of when, from 0 to 1: one that is about across
/// `direction`, which goes from the obstacle to the shape.
pub(super) fn certain_entry(
    pair: &SidePair<'_>,
    motion: DVec3,
    direction: DVec3,
) -> Option<(Side, [f64; 2])> {
    if pair.plane.is_some() || pair.obstacle.is_box() || pair.shape.is_box() {
        return None;
    }
    if let Some(face) = pair.obstacle.face_across(direction, ACROSS) {
        let (normal, error) = pair.obstacle.rounded_normal(face);
        return pair.certain_face(Side::Obstacle(face), normal, error, motion);
    }
    if let Some(face) = pair.shape.face_across(-direction, ACROSS) {
        let (normal, error) = pair.shape.rounded_normal(face);
        return pair.certain_face(Side::Shape(face), -normal, error, motion);
    }
    let room = LEVEL * pair.reach * direction.abs().max_element();
    let obstacle = pair.obstacle.highest_edge(direction, room)?;
    let shape = pair.shape.highest_edge(-direction, room)?;
    pair.certain_edges([obstacle, shape], motion)
}

impl SidePair<'_> {
    fn certain_face(
        &self,
        side: Side,
        direction: DVec3,
        error: f64,
        motion: DVec3,
    ) -> Option<(Side, [f64; 2])> {
        let time = self.certain_time(side, direction, error, motion)?;
        let normal: [Approx; 3] = self.direction(side);
        // Of the obstacle's face the shape's corners come to it, or the other way round.
        let (face, corners, sign) = match side {
            Side::Obstacle(face) => (self.obstacle.sides_of(face), self.shape.corners, 1.0),
            Side::Shape(face) => (self.shape.sides_of(face), self.obstacle.corners, -1.0),
            _ => return None,
        };
        let heights = || corners.iter().map(|corner| sign * direction.dot(*corner));
        let least = heights().fold(f64::INFINITY, f64::min);
        // Twice for the difference, and twice for places in the world instead of ways.
        let size = corners.iter().fold(self.reach, |size, corner| {
            size.max(corner.abs().max_element())
        });
        let limit = least + 4.0 * height_error(direction, error, size);
        let mut nearest = corners.iter().zip(heights());
        let mut nearest = nearest
            .by_ref()
            .filter(|(_, height)| *height <= limit)
            .map(|(corner, _)| *corner);
        let (first, second, third) = (nearest.next()?, nearest.next(), nearest.next());
        if third.is_some() {
            return None;
        }
        let moved = shift(motion, time, sign);
        let is_within = |corner: DVec3| {
            face.iter().all(|[from, along]| {
                let place = plus(&between(*from, corner), &moved);
                let inward = cross(&vector(*along), &place);
                // A face of the shape is counter-clockwise seen against the side.
                let height = dot(&normal, &inward).times(&Approx::from_f64(sign));
                height.sign() == Some(Ordering::Greater)
            })
        };
        let is_certain = !face.is_empty() && is_within(first) && second.is_none_or(is_within);
        is_certain.then_some((side, time))
    }

    fn certain_edges(
        &self,
        [obstacle, shape]: [u16; 2],
        motion: DVec3,
    ) -> Option<(Side, [f64; 2])> {
        let [[from, to], [start, end]] = [
            self.obstacle.edge_ends(obstacle),
            self.shape.edge_ends(shape),
        ];
        let (product, error) = self.product_of(obstacle, shape);
        let ways = self.directions_of(obstacle, shape, product, error);
        let mut found = ways.into_iter().flatten().filter_map(|is_reversed| {
            let side = Side::Edges {
                obstacle,
                shape,
                is_reversed,
            };
            let direction = if is_reversed { -product } else { product };
            let time = self.certain_time(side, direction, error, motion)?;
            let (first, second): ([Approx; 3], [Approx; 3]) =
                (between(from, to), between(start, end));
            let way = plus(&between(from, start), &shift(motion, time, 1.0));
            let normal = cross(&first, &second);
            let whole = dot(&normal, &normal);
            let is_within = |edge: &[Approx; 3]| {
                let part = dot(&cross(&way, edge), &normal);
                let rest = whole.minus(&part);
                [part, rest]
                    .iter()
                    .all(|x| x.sign() == Some(Ordering::Greater))
            };
            (is_within(&first) && is_within(&second)).then_some((side, time))
        });
        found.next()
    }

    /// When a side is entered: certainly, and from 0 to 1.
    fn certain_time(
        &self,
        side: Side,
        direction: DVec3,
        error: f64,
        motion: DVec3,
    ) -> Option<[f64; 2]> {
        let speed = height_along(direction, error, motion);
        if speed.sign() != Some(Ordering::Less) {
            return None;
        }
        let [low, high] = quotient(self.approx_gap(side, direction, error), speed)?;
        (low >= 0.0 && high <= 1.0).then_some([low, high])
    }
}

/// The way that the shape has gone at a time in an enclosure, or its opposite.
fn shift(motion: DVec3, [low, high]: [f64; 2], sign: f64) -> [Approx; 3] {
    let middle = f64::midpoint(low, high);
    let time = Approx {
        value: middle,
        error: (high - low).next_up(),
    };
    let motion: [Approx; 3] = vector(motion * sign);
    motion.map(|component| component.times(&time))
}

fn plus(a: &[Approx; 3], b: &[Approx; 3]) -> [Approx; 3] {
    [0, 1, 2].map(|i: usize| a[i].plus(&b[i]))
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Entry, first_entry};
    use super::*;
    use crate::ConvexHull;
    use crate::narrow_phase::convex::Core;
    use crate::narrow_phase::convex::bounds::View;
    use crate::narrow_phase::convex::quick_search::{Search, search};
    use crate::narrow_phase::convex::separating_axes::CorePair;
    use crate::test_rng::Rng;
    use glam::Vec3;

    fn point(rng: &mut Rng, is_coarse: bool) -> Vec3 {
        Vec3::from([(); 3].map(|()| {
            let x = rng.signed();
            if is_coarse {
                (4.0 * x).round() / 4.0
            } else {
                x
            }
        }))
    }

    /// What is found at once is what all sides tell, on coarse grids too, where many are reached together.
    #[test]
    fn quick_answers_are_those_of_all_sides() {
        let mut rng = Rng(77);
        let (mut misses, mut entries, mut others) = (0, 0, 0);
        let mut late = 0;
        for round in 0..3000 {
            let is_coarse = round % 2 == 0;
            let corners = [1, 2, 3, 4, 8, 20][round % 6];
            let hull = |count: usize, rng: &mut Rng| {
                ConvexHull::new((0..count).map(|_| point(rng, is_coarse))).unwrap()
            };
            let (one, other) = (hull(20, &mut rng), hull(corners, &mut rng));
            let away = point(&mut rng, is_coarse).as_dvec3() * 4.0;
            let other = other
                .placed_by(DVec3::ONE, glam::DQuat::IDENTITY, away)
                .unwrap();
            let past = point(&mut rng, is_coarse).as_dvec3();
            let motion = past - away * rng.uniform(0.5, 1.5);
            let triangle = [(); 3].map(|()| point(&mut rng, is_coarse).as_dvec3());
            let triangle = Core::Triangle(triangle);
            let (one, other) = (Core::Hull(one.polytope()), Core::Hull(other.polytope()));
            for [obstacle, shape] in [[one, other], [other, one], [triangle, other]] {
                if obstacle.is_degenerate_triangle() {
                    continue;
                }
                let cores = CorePair::of(&obstacle, &shape);
                let pair = SidePair::new(&cores, [false; 2]);
                let view = View::new(&obstacle, &shape, [0.0; 2], motion).unwrap();
                let slow = first_entry(&pair, motion, 1.0);
                match search(&view, 1.0) {
                    Search::Miss => {
                        assert!(slow.is_none(), "{round}");
                        misses += 1;
                    }
                    Search::Near(direction) => {
                        let Some((side, time)) = certain_entry(&pair, motion, direction) else {
                            others += 1;
                            late += usize::from(slow.is_none());
                            continue;
                        };
                        let Some(Entry::Hit(expected, expected_time)) = slow else {
                            panic!("{round}: {side:?} {time:?}");
                        };
                        assert_eq!((side, time), (expected, expected_time), "{round}");
                        entries += 1;
                    }
                    Search::Unknown => others += 1,
                }
            }
        }
        assert!(
            misses > 1000 && entries > 1000 && others > 300,
            "{misses} {entries} {others}"
        );
        assert!(late < 5, "{late} misses took all sides");
    }
}
