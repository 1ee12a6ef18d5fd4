//! Shape casts at triangles without a tree, for tests: the rules as they are written down.

use super::prepared::{Encounter, PreparedCast};
use crate::contact::left_out::has_area;
use crate::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use glam::DVec3;

/// Triangles in a list.
pub(crate) struct Soup(pub(crate) Vec<SourceTriangle>);

impl Soup {
    /// The triangles with these corners, numbered in order.
    pub(crate) fn new(corners: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let triangle = |(triangle, corners)| SourceTriangle {
            id: TriangleId { part: 0, triangle },
            corners,
            is_mirrored: false,
        };
        Self((0..).zip(corners).map(triangle).collect())
    }

    /// The same with these numbers.
    pub(crate) fn numbered(mut self, numbers: impl Iterator<Item = u32>) -> Self {
        for (triangle, number) in self.0.iter_mut().zip(numbers) {
            triangle.id.triangle = number;
        }
        self
    }
}

impl TriangleSource for Soup {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        let touches = |triangle: &&SourceTriangle| {
            let [a, b, c] = triangle.corners;
            a.min(b).min(c).cmple(max).all() && a.max(b).max(c).cmpge(min).all()
        };
        let mut touching = self.0.iter().filter(touches);
        touching.try_for_each(|triangle| visit(*triangle))
    }

    fn best_first(&self, _: &MovingBox, search: &mut dyn BestFirst) {
        // Backward, so that no answer follows from the order.
        for triangle in self.0.iter().rev() {
            search.visit(*triangle);
        }
    }
}

/// The triangle that the shape first meets, stopping at overlaps, and whether several met it at that
/// time.
pub(crate) fn expected_first(cast: &PreparedCast, soup: &Soup) -> (Option<TriangleId>, bool) {
    let met: Vec<(&SourceTriangle, Encounter)> = soup
        .0
        .iter()
        .filter_map(|triangle| Some((triangle, cast.meet_triangle(triangle.corners, 1.0)?)))
        .collect();
    let admitted = |triangle: &SourceTriangle| cast.admits(triangle.side(cast.motion));
    let overlap = met
        .iter()
        .filter(|(triangle, how)| matches!(how, Encounter::Overlap) && admitted(triangle))
        .map(|(triangle, _)| triangle.id)
        .min();
    if overlap.is_some() {
        return (overlap, met.len() > 1);
    }
    let mut waiting = met;
    loop {
        let highs = waiting
            .iter()
            .filter(|(triangle, _)| admitted(triangle))
            .map(|(_, how)| enclosure(how)[1]);
        let Some(latest) = highs.min_by(f64::total_cmp) else {
            return (None, false);
        };
        // Exact times are costly: those that are certainly later are not asked for.
        let timed: Vec<_> = waiting
            .into_iter()
            .map(|(triangle, how)| {
                let is_later = enclosure(&how)[0] > latest;
                let time = if is_later { f64::INFINITY } else { floor(&how) };
                (triangle, how, time)
            })
            .collect();
        let first = timed.iter().filter(|(triangle, ..)| admitted(triangle));
        let first = first.map(|(.., time)| *time).min_by(f64::total_cmp);
        let (tied, others): (Vec<_>, Vec<_>) = timed
            .into_iter()
            .partition(|(.., time)| Some(*time) == first);
        let are_left_out: Vec<bool> = (0..tied.len())
            .map(|place| is_left_out(&tied, place))
            .collect();
        let none_is = are_left_out.iter().all(|is_left_out| *is_left_out);
        let best = (0..tied.len())
            .filter(|place| none_is || !are_left_out[*place])
            .map(|place| tied[place].0)
            .filter(|triangle| admitted(triangle))
            .map(|triangle| triangle.id)
            .min();
        if best.is_some() {
            return (best, tied.len() > 1);
        }
        let later = others.into_iter().filter(|(.., time)| Some(*time) > first);
        waiting = later.map(|(triangle, how, _)| (triangle, how)).collect();
    }
}

/// An overlap is met at t = 0.
fn enclosure(how: &Encounter) -> [f64; 2] {
    match how {
        Encounter::Overlap => [0.0; 2],
        Encounter::Contact(contact) => contact.enclosure(),
    }
}

fn floor(how: &Encounter) -> f64 {
    match how {
        Encounter::Overlap => 0.0,
        Encounter::Contact(contact) => contact.floor(),
    }
}

/// Whether one of the others that are met at the same time contradicts a contact. An overlap has no
/// normal to contradict.
fn is_left_out(tied: &[(&SourceTriangle, Encounter, f64)], place: usize) -> bool {
    let (triangle, how, _) = &tied[place];
    let Encounter::Contact(contact) = how else {
        return false;
    };
    let furthest: Vec<DVec3> = triangle
        .corners
        .into_iter()
        .filter(|corner| {
            let others = triangle.corners.iter();
            others
                .into_iter()
                .all(|other| contact.compare_along_normal(*corner, *other).is_ge())
        })
        .collect();
    tied.iter().enumerate().any(|(other_place, (other, ..))| {
        other_place != place
            && has_area(&other.corners)
            && furthest.iter().all(|corner| other.corners.contains(corner))
            && other
                .corners
                .iter()
                .any(|corner| contact.compare_along_normal(*corner, furthest[0]).is_gt())
    })
}
