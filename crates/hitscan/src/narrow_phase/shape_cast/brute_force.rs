//! Shape casts at triangles without a tree, for tests: the rules as they are written down.

use super::prepared::{Encounter, PreparedCast};
use crate::narrow_phase::contact::internal_edges::has_area;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::ray_cast::hit::TriangleId;
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

/// The triangle that the shape first hits, stopping at overlaps, and whether several are hit at that
/// time.
pub(crate) fn expected_first(cast: &PreparedCast, soup: &Soup) -> (Option<TriangleId>, bool) {
    let hits: Vec<(&SourceTriangle, Encounter)> = soup
        .0
        .iter()
        .filter_map(|triangle| Some((triangle, cast.meet_triangle(triangle, 1.0)?)))
        .collect();
    let admitted = |triangle: &SourceTriangle| cast.admits(triangle.side(cast.motion));
    let overlap = hits
        .iter()
        .filter(|(triangle, how)| matches!(how, Encounter::Overlap) && admitted(triangle))
        .map(|(triangle, _)| triangle.id)
        .min();
    if overlap.is_some() {
        return (overlap, hits.len() > 1);
    }
    let mut waiting = hits;
    loop {
        let highs = waiting
            .iter()
            .filter(|(triangle, _)| admitted(triangle))
            .map(|(_, how)| enclosure(how)[1]);
        let Some(latest) = highs.min_by(f64::total_cmp) else {
            return (None, false);
        };
        // Exact times are costly: those that are certainly later are not computed.
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
            .map(|place| is_suppressed(&tied, place))
            .collect();
        let none_is = are_left_out.iter().all(|is_suppressed| *is_suppressed);
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

/// An overlap is hit at t = 0.
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

/// Whether one of the others that are hit at the same time makes a contact's feature inactive. An overlap
/// has no feature.
fn is_suppressed(tied: &[(&SourceTriangle, Encounter, f64)], place: usize) -> bool {
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

mod tests {
    use super::{PreparedCast, Soup, expected_first};
    use crate::narrow_phase::shape_cast::surface_search::FirstTriangle;
    use crate::test_rng::Rng;
    use crate::{Aabb, ShapeCast, Sides};
    use glam::{DVec3, Vec3};

    /// Seen along z; the box's lower right edge comes down onto the edge o at t = 0.5.
    ///
    /// ```text
    ///    box \
    /// ---1----o      1 faces down, 0 and 2 face up; of 0 the box meets x first, and 1 goes on
    ///             \ 0  beyond o against x
    /// ------2---------
    /// ```
    #[test]
    fn a_triangle_of_a_side_that_does_not_count_makes_edges_inactive_all_the_same() {
        let (a, b) = (DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.0));
        let low = |x: f64, z: f64| DVec3::new(x, -1.5, z);
        let triangles = [
            [a, b, DVec3::new(4.0, -4.0, 0.0)],
            [a, b, DVec3::new(-4.0, 0.0, 0.0)],
            [low(-9.0, -9.0), low(-9.0, 9.0), low(9.0, 0.0)],
        ];
        let start = Aabb::new([-3.0, 2.0, -0.25], [-1.0, 4.0, 0.25]).unwrap();
        let cast = ShapeCast::new(start, [2.0, -4.0, 0.0]).unwrap();
        let first = |sides: Sides, of: &[u32]| {
            let corners = of.iter().map(|place| triangles[*place as usize]);
            let soup = Soup::new(corners).numbered(of.iter().copied());
            let prepared = PreparedCast::new(&cast, sides);
            let hit = prepared.first_hit(&soup);
            assert_eq!(prepared.meets_any(&soup), hit.is_some());
            hit.and_then(|hit| Some((hit.triangle?.triangle, hit.t, hit.normal)))
        };
        let onto_the_edge = Some((0, 0.5, Vec3::NEG_X));
        assert_eq!(first(Sides::Front, &[0, 2]), onto_the_edge);
        assert_eq!(first(Sides::Front, &[0, 1]), None);
        assert_eq!(first(Sides::Front, &[0, 1, 2]), Some((2, 0.875, Vec3::Y)));
        for sides in [Sides::Both, Sides::Back] {
            assert_eq!(first(sides, &[0, 1, 2]), Some((1, 0.5, Vec3::Y)));
        }
    }

    #[test]
    fn sides_are_tested_after_internal_edges() {
        let mut rng = Rng(5);
        let (mut hits, mut otherwise) = (0, 0);
        for case in 0..10_000 {
            let mut lattice = |end| DVec3::from([(); 3].map(|()| rng.below(end) as f64));
            let points = [(); 6].map(|()| lattice(3));
            let size = lattice(3);
            let start = lattice(6) - 1.0 - size;
            let start = Aabb::new(start.as_vec3(), (start + size).as_vec3()).unwrap();
            let motion = lattice(7) - 3.0;
            let corners = (0..10).map(|_| [(); 3].map(|()| rng.pick(&points)));
            let soup = Soup::new(corners.collect::<Vec<_>>().into_iter());
            let cast = ShapeCast::new(start, motion.as_vec3()).unwrap();
            for sides in [Sides::Both, Sides::Front, Sides::Back] {
                let prepared = PreparedCast::new(&cast, sides);
                let found = prepared.first_triangle(&soup, 1.0);
                let id = found.as_ref().map(|found| found.triangle.id);
                assert_eq!(id, expected_first(&prepared, &soup).0, "{case} {cast:?}");
                assert_eq!(prepared.meets_any(&soup), id.is_some(), "{case} {cast:?}");
                let admitted = soup.0.iter().copied();
                let admitted = admitted.filter(|one| prepared.admits(one.side(motion)));
                let admitted = prepared.first_triangle(&Soup(admitted.collect()), 1.0);
                let t = |of: Option<&FirstTriangle>| of.map(|of| of.encounter.t());
                hits += usize::from(id.is_some());
                otherwise += usize::from(t(found.as_ref()) != t(admitted.as_ref()));
            }
        }
        println!("{hits} hits, {otherwise} at another time than without the other side");
        assert!(hits > 2_000 && otherwise > 4, "{hits} {otherwise}");
    }
}
