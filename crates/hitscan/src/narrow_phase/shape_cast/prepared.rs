//! A shape cast, prepared for many obstacles.

use super::box_triangle::{BoxTriangleContact, BoxTriangleMeeting, meet_triangle};
use super::lower_bound::QuickBounds;
use super::{AabbCast, InitialOverlap, ShapeCast};
use crate::exact::extremes::box_around;
use crate::narrow_phase::contact::internal_edges::ContactFeature;
use crate::narrow_phase::contact::triangle_source::{MovingBox, SourceTriangle};
use crate::narrow_phase::convex::{
    CertainOverlap, Convex, Filtered, Meeting, Outline, RestingContact, TimedContact,
    first_contact_by, resting_contact, resting_contact_within,
};
use crate::{Primitive, Side, Sides};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A shape cast, with the sides of triangles that count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreparedCast<'a> {
    pub(crate) shape: &'a Primitive,
    pub(crate) motion: DVec3,
    pub(crate) overlaps: InitialOverlap,
    /// It hits nothing.
    pub(super) is_empty: bool,
    sides: Sides,
    convex: Convex<'a>,
    outline: Outline,
    /// A moving box around the shape; an axis-aligned box is its own. That around a hull is wider: a hull hits
    /// what it only grazes, a box does not.
    bounds: AabbCast,
    quick: QuickBounds,
}

/// How the moving shape hits a triangle or solid.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, one or two at a time"
)]
pub(crate) enum Encounter {
    /// It overlaps it at the start, and is stopped there.
    Overlap,
    Contact(CastContact),
}

/// A contact of the moving shape at an exact time.
#[derive(Debug, Clone)]
pub(crate) enum CastContact {
    /// Of an axis-aligned box with a triangle.
    Aabb(BoxTriangleContact),
    /// Of any two.
    Timed(TimedContact),
    /// Of a shape that overlaps at the start and that the motion leads deeper.
    Stuck(RestingContact),
}

impl<'a> PreparedCast<'a> {
    pub(crate) fn new(cast: &'a ShapeCast, sides: Sides) -> Self {
        let shape = cast.shape();
        let convex = Convex::from(shape);
        let mut bounds = cast.moving_bounds();
        if let Primitive::ConvexHull(_) = shape {
            bounds.start = bounds.start.widened();
        }
        Self {
            is_empty: cast.is_empty(),
            shape,
            motion: cast.motion().as_dvec3(),
            overlaps: cast.initial_overlap(),
            sides,
            outline: Outline::new(&convex),
            convex,
            quick: QuickBounds::new(&bounds),
            bounds,
        }
    }

    /// A moving box around the shape.
    pub(crate) fn bounds(&self) -> &AabbCast {
        &self.bounds
    }

    /// Its outline where it starts.
    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// A lower bound of the times of hits with what is inside a box, or of an overlap, quick to have.
    #[inline]
    pub(super) fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.quick.earliest(min, max).map(|time| self.key(time))
    }

    /// No contact with what is inside a box has a lower key; `None` where there is none.
    pub(super) fn earliest_floor(&self, min: DVec3, max: DVec3) -> Option<f64> {
        let time = self.bounds.earliest_floor(min, max)?;
        Some(self.key(time))
    }

    /// The key of a time, or of an overlap: where overlaps may be left they stop at time 0.
    #[inline]
    fn key(&self, time: f64) -> f64 {
        match self.overlaps {
            InitialOverlap::Stop => time,
            InitialOverlap::Escape => time.max(0.0),
        }
    }

    /// The moving box in f64.
    pub(crate) fn swept(&self) -> MovingBox {
        MovingBox {
            min: self.bounds.start.min().as_dvec3(),
            max: self.bounds.start.max().as_dvec3(),
            motion: self.motion,
        }
    }

    /// Whether triangles count from every side.
    pub(crate) fn admits_all(&self) -> bool {
        self.sides == Sides::Both || self.motion == DVec3::ZERO
    }

    /// Whether a triangle that faces the motion with this side counts.
    pub(crate) fn admits(&self, side: Side) -> bool {
        self.admits_all() || self.sides.admits(side)
    }

    /// How the shape first hits a triangle, or `None`. One that it leaves is not hit. Contacts after
    /// the time `latest`, from 0 to 1, may be omitted.
    pub(crate) fn meet_triangle(
        &self,
        triangle: &SourceTriangle,
        latest: f64,
    ) -> Option<Encounter> {
        let corners = triangle.corners;
        let [min, max] = box_around(&corners);
        let earliest = self.quick.earliest(min, max)?;
        if earliest > latest || self.outline.is_apart(&corners, self.motion, latest) {
            return None;
        }
        if self.overlaps == InitialOverlap::Escape
            && earliest <= 0.0
            && let obstacle = triangle.convex()
            && let Filtered::Overlap(overlap) = self.convex.filter_overlap(&obstacle)
            && overlap.status.is_lt()
        {
            let leads_deeper = overlap.sign_along(self.motion).map(Ordering::is_lt);
            return match leads_deeper {
                Some(false) => None,
                Some(true) => Some(self.stuck(&obstacle, &overlap)),
                None => self.overlap(&obstacle),
            };
        }
        if let Primitive::Aabb(_) = self.shape {
            return match meet_triangle(&self.bounds, corners, latest)? {
                BoxTriangleMeeting::Overlap => self.overlap(&triangle.convex()),
                BoxTriangleMeeting::Contact(contact) => {
                    Some(Encounter::Contact(CastContact::Aabb(contact)))
                }
            };
        }
        self.meet(&triangle.convex(), latest)
    }

    /// How the shape first hits an obstacle, or `None`; see [`PreparedCast::meet_triangle`].
    pub(crate) fn meet(&self, obstacle: &Convex, latest: f64) -> Option<Encounter> {
        match first_contact_by(obstacle, &self.convex, self.motion, latest)? {
            Meeting::Overlap => self.overlap(obstacle),
            Meeting::Contact(contact) => Some(Encounter::Contact(CastContact::Timed(contact))),
        }
    }

    /// What becomes of an overlap at the start.
    fn overlap(&self, obstacle: &Convex) -> Option<Encounter> {
        match self.overlaps {
            InitialOverlap::Stop => Some(Encounter::Overlap),
            InitialOverlap::Escape => {
                let resting = self.resting(obstacle);
                let leads_deeper = resting
                    .compare_along_normal(self.motion, DVec3::ZERO)
                    .is_lt();
                leads_deeper.then_some(Encounter::Contact(CastContact::Stuck(resting)))
            }
        }
    }

    /// The encounter with a triangle that the shape overlaps at the start and moves deeper into.
    fn stuck(&self, obstacle: &Convex, overlap: &CertainOverlap) -> Encounter {
        let resting = RestingContact::certain([&obstacle.core, &self.convex.core], overlap);
        Encounter::Contact(CastContact::Stuck(resting))
    }

    /// Whether the shape overlaps a triangle at the start and does not move deeper into it.
    pub(super) fn escapes(&self, triangle: &SourceTriangle) -> bool {
        let [min, max] = box_around(&triangle.corners);
        let start = self.swept();
        if min.cmpgt(start.max).any() || max.cmplt(start.min).any() {
            return false;
        }
        let obstacle = triangle.convex();
        match self.convex.filter_overlap(&obstacle) {
            Filtered::Apart => return false,
            Filtered::Overlap(overlap) => {
                if overlap.status.is_ge() {
                    return false;
                }
                if let Some(order) = overlap.sign_along(self.motion) {
                    return order.is_ge();
                }
            }
            Filtered::Unsure => {}
        }
        let Some(resting) = resting_contact_within(&obstacle, &self.convex, 0.0, 0.0) else {
            return false;
        };
        let along = || resting.compare_along_normal(self.motion, DVec3::ZERO);
        resting.status().is_lt() && along().is_ge()
    }

    /// Whether the shape overlaps or touches a triangle at the start.
    pub(super) fn rests_against(&self, triangle: &SourceTriangle) -> bool {
        let obstacle = triangle.convex();
        resting_contact_within(&obstacle, &self.convex, 0.0, f64::INFINITY).is_some()
    }

    /// How shape and obstacle lie at the start.
    pub(crate) fn resting(&self, obstacle: &Convex) -> RestingContact {
        resting_contact(obstacle, &self.convex)
    }

    /// A point that shape and obstacle share at the exact time of a contact, or at the start.
    pub(crate) fn shared_point(&self, obstacle: &Convex, encounter: &Encounter) -> Vec3 {
        match encounter {
            Encounter::Overlap => self.resting(obstacle).point(),
            Encounter::Contact(contact) => contact.touching_point(),
        }
    }
}

impl Encounter {
    /// The reported t.
    pub(crate) fn t(&self) -> f32 {
        match self {
            Self::Overlap => 0.0,
            Self::Contact(contact) => contact.t(),
        }
    }
}

impl CastContact {
    /// An enclosure of the exact time, in 0 to 1.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        match self {
            Self::Aabb(contact) => contact.enclosure(),
            Self::Timed(contact) => contact.enclosure(),
            Self::Stuck(_) => [0.0; 2],
        }
    }

    /// The exact time rounded down to f64.
    pub(crate) fn floor(&self) -> f64 {
        match self {
            Self::Aabb(contact) => contact.floor(),
            Self::Timed(contact) => contact.floor(),
            Self::Stuck(_) => 0.0,
        }
    }

    /// The exact time rounded once to f32.
    pub(crate) fn t(&self) -> f32 {
        match self {
            Self::Aabb(contact) => contact.t(),
            Self::Timed(contact) => contact.t(),
            Self::Stuck(_) => 0.0,
        }
    }

    /// The unit normal from the obstacle to the shape.
    pub(crate) fn normal(&self) -> Vec3 {
        match self {
            Self::Aabb(contact) => contact.normal(),
            Self::Timed(contact) => contact.normal(),
            Self::Stuck(contact) => contact.normal(),
        }
    }

    /// A point that both share at the exact time.
    pub(crate) fn touching_point(&self) -> Vec3 {
        match self {
            Self::Aabb(contact) => contact.of_cores().point(),
            Self::Timed(contact) => contact.point(),
            Self::Stuck(contact) => contact.point(),
        }
    }

    /// The feature of the triangle that is hit, where f64 is certain of it.
    pub(super) fn certain_feature(&self, corners: &[DVec3; 3]) -> Option<ContactFeature> {
        let Self::Timed(contact) = self else {
            return None;
        };
        Some(ContactFeature::of(corners, contact.certain_furthest()?))
    }

    /// The exact sign of `n · (a - b)`, n being the exact normal.
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        match self {
            Self::Aabb(contact) => contact.compare_along_normal(a, b),
            Self::Timed(contact) => contact.compare_along_normal(a, b),
            Self::Stuck(contact) => contact.compare_along_normal(a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Encounter, PreparedCast};
    use crate::narrow_phase::contact::triangle_source::SourceTriangle;
    use crate::test_rng::Rng;
    use crate::{Aabb, Capsule, InitialOverlap, Obb, Primitive, ShapeCast, Sides, Sphere};
    use glam::{DQuat, Vec3};

    /// A search tests a triangle with whatever limit its other triangles leave.
    #[test]
    fn the_latest_time_does_not_show_in_a_contact() {
        let mut rng = Rng(7);
        let mut compared = 0;
        for kind in 0..40_000 {
            let mut point = || Vec3::from([(); 3].map(|()| rng.signed()));
            let (from, to, half) = (point(), point(), point().abs());
            let mut corners = [point(), point(), point()].map(Vec3::as_dvec3);
            if kind % 5 == 0 {
                // As over terrain: edges along the grid.
                corners = corners.map(|corner| (corner * 4.0).round() * 0.25);
            }
            let radius = 0.5 * f64::from(half.x);
            let shape: Primitive = match kind % 4 {
                0 => Sphere::new(from, radius).unwrap().into(),
                1 => Capsule::new(from, from + half, radius).unwrap().into(),
                2 => Aabb::new(from - half, from + half).unwrap().into(),
                _ => {
                    let turn = DQuat::from_xyzw(0.0, 0.28, 0.0, 0.96);
                    Obb::new(from, half, turn).unwrap().into()
                }
            };
            let cast = ShapeCast::new(shape, 4.0 * (to - from)).unwrap();
            let cast = cast.with_initial_overlap(InitialOverlap::Stop);
            let cast = PreparedCast::new(&cast, Sides::Both);
            let triangle = SourceTriangle::from(corners);
            let Some(Encounter::Contact(contact)) = cast.meet_triangle(&triangle, 1.0) else {
                continue;
            };
            let floor = contact.floor();
            for latest in [
                floor.next_up(),
                f64::midpoint(floor, 1.0),
                (floor + 1e-9).min(1.0),
            ] {
                let Some(Encounter::Contact(early)) = cast.meet_triangle(&triangle, latest) else {
                    panic!("{cast:?} {corners:?} is not met by {latest}");
                };
                let bits = |contact: &super::CastContact| {
                    let encounter = Encounter::Contact(contact.clone());
                    let point = cast.shared_point(&triangle.convex(), &encounter);
                    (contact.t(), contact.floor(), contact.normal(), point)
                };
                assert_eq!(
                    bits(&early),
                    bits(&contact),
                    "{cast:?} {corners:?} {latest}"
                );
                compared += 1;
            }
        }
        assert!(compared > 20_000, "{compared}");
    }
}
