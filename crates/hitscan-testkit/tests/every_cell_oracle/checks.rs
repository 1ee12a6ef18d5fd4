//! Checks of an answer against rational arithmetic over all pieces of the object. In general positions
//! nothing only touches.

use crate::objects::{Object, Piece};
use hitscan::glam::Vec3;
use hitscan::{BallisticArc, ContactStatus, ContactsPer, Primitive, QueryFilter, ShapeCast, Sides};
use hitscan_testkit::arc_oracle::ExactArc;
use hitscan_testkit::core_oracle::nearest;
use hitscan_testkit::polynomial::Root;
use hitscan_testkit::round_arc_oracle::{ArcAroundSegment, ArcInSolid};
use hitscan_testkit::{Exact, exact, vector};
use num_traits::Zero;

const ALL: QueryFilter<'static> = QueryFilter::new();

fn between(a: f32, b: f32) -> Exact {
    (exact(f64::from(a)) + exact(f64::from(b))) / exact(2.0)
}

/// The pieces that a shape may meet, and the gap to the nearest of them.
struct Gap<'a> {
    shape: &'a Piece,
    near: Vec<&'a Piece>,
    motion: Vec3,
}

impl<'a> Gap<'a> {
    fn new(object: &'a Object, shape: &'a Piece, motion: Vec3, margin: f64) -> Self {
        let meets = |piece: &&Piece| shape.may_meet(piece, motion.as_dvec3(), margin);
        Self {
            shape,
            near: object.pieces.iter().filter(meets).collect(),
            motion,
        }
    }

    fn limit(&self, piece: &Piece) -> Exact {
        exact(self.shape.radius) + exact(piece.radius)
    }

    /// The squared distance of the cores from each piece at `t`, with the sum of the radii.
    fn distances(&self, t: &Exact) -> Vec<(Exact, Exact)> {
        let moved = self.shape.core.moved(&vector(self.motion), t);
        self.near
            .iter()
            .map(|piece| (nearest(&piece.core, &moved).squared, self.limit(piece)))
            .collect()
    }

    /// Whether shape and object are apart at `t`.
    fn is_apart(&self, t: &Exact) -> bool {
        self.distances(t)
            .into_iter()
            .all(|(squared, limit)| squared > &limit * &limit)
    }
}

/// Checks a move against the gap, and tells whether anything was hit.
pub(crate) fn check_move(object: &Object, solid: &Primitive, motion: Vec3) -> bool {
    let cast = ShapeCast::new(solid.clone(), motion).unwrap();
    let shape = Piece::of(solid);
    let gap = Gap::new(object, &shape, motion, 0.0);
    let now = object.world.now();
    let place = || format!("{} {cast:?}", object.name);
    assert_eq!(
        now.cast_shape_any(&cast, ALL),
        now.cast_shape(&cast, ALL).is_some(),
        "{}",
        place()
    );
    let Some(hit) = now.cast_shape(&cast, ALL) else {
        for step in 0..3_u8 {
            assert!(gap.is_apart(&exact(f64::from(step) / 2.0)), "{}", place());
        }
        return false;
    };
    if hit.start.is_overlap() {
        assert!(!gap.is_apart(&Exact::zero()), "{}", place());
        return true;
    }
    let (before, after) = (hit.t.next_down(), hit.t.next_up());
    assert!(gap.is_apart(&between(before, hit.t)), "late: {}", place());
    assert!(!gap.is_apart(&between(hit.t, after)), "early: {}", place());
    assert!(
        hit.normal.as_dvec3().dot(motion.as_dvec3()) < 0.0,
        "{}",
        place()
    );
    true
}

/// Checks the contact of least separation of a resting shape, and tells whether there is one.
pub(crate) fn check_contact(object: &Object, solid: &Primitive) -> bool {
    const MARGIN: f32 = 0.75;
    let shape = Piece::of(solid);
    let gap = Gap::new(object, &shape, Vec3::ZERO, f64::from(MARGIN));
    let now = object.world.now();
    let contacts = now.contacts(solid.clone(), MARGIN, ContactsPer::Object, ALL);
    let place = || format!("{} {solid:?} {contacts:?}", object.name);
    let distances = gap.distances(&Exact::zero());
    let overlaps = distances
        .iter()
        .any(|(squared, limit)| *squared <= limit * limit);
    assert_eq!(
        now.overlaps_shape(solid.clone(), ALL),
        overlaps,
        "{}",
        place()
    );
    // Whether all are farther apart than `far`, which is not negative.
    let is_beyond = |far: &Exact| {
        let mut all = distances.iter();
        all.all(|(squared, limit)| *squared >= (limit + far) * (limit + far))
    };
    match contacts.first() {
        None => assert!(is_beyond(&exact(f64::from(MARGIN))), "{}", place()),
        Some(contact) if contact.status == ContactStatus::Overlap => {
            assert!(overlaps && contact.separation <= 0.0, "{}", place());
        }
        Some(contact) => {
            let far = contact.separation;
            assert!(!overlaps && far <= MARGIN, "{}", place());
            assert!(is_beyond(&between(far.next_down(), far)), "{}", place());
            let most = between(far, far.next_up());
            let is_there = distances
                .iter()
                .any(|(squared, limit)| *squared <= (limit + &most) * (limit + &most));
            assert!(is_there, "{}", place());
        }
    }
    !contacts.is_empty()
}

/// Checks that the nearest point is as far as the nearest piece.
pub(crate) fn check_closest(object: &Object, at: Vec3) {
    let eye = Piece::new(vec![at.as_dvec3()], 0.0);
    let gap = Gap::new(object, &eye, Vec3::ZERO, f64::INFINITY);
    let found = object.world.now().closest_point(at, f32::INFINITY, ALL);
    let found = found.expect("there is something");
    let place = || format!("{} {at} {found:?}", object.name);
    if found.is_inside {
        assert!(
            !gap.is_apart(&Exact::zero()) && found.distance <= 0.0,
            "{}",
            place()
        );
        return;
    }
    let far = found.distance;
    let distances = gap.distances(&Exact::zero());
    let within = |far: &Exact| {
        let mut all = distances.iter();
        all.any(|(squared, limit)| *squared < (limit + far) * (limit + far))
    };
    assert!(!within(&between(far.next_down(), far)), "{}", place());
    assert!(
        within(&between(far, far.next_up().next_up())),
        "{}",
        place()
    );
    let apart = (found.point.as_dvec3() - at.as_dvec3()).length();
    assert!((apart - f64::from(far)).abs() < 1e-5, "{}", place());
}

/// Checks when an arc that starts outside an object first hits it: exactly, or within a bound of f64.
pub(crate) fn check_crossing(object: &Object, arc: &BallisticArc, t: Option<f32>, is_ray: bool) {
    let path = ExactArc::new(arc);
    let place = || format!("{} {arc:?} {t:?}", object.name);
    let low = exact(f64::from(arc.t_min()));
    if object.pieces.iter().all(|piece| piece.radius > 0.0) {
        let around = |piece: &Piece| {
            let ends = [piece.corners[0], piece.corners[piece.corners.len() - 1]];
            let ends = ends.map(|end| end.to_array().map(exact));
            ArcAroundSegment::new(&path, &ends, piece.radius)
        };
        let around: Vec<_> = object.pieces.iter().map(around).collect();
        let is_met = |until: &Exact| {
            let zero = exact(0.0);
            around
                .iter()
                .any(|around| around.enters(&zero, &low, until))
        };
        let until = t.map_or_else(
            || exact(f64::from(arc.t_max())),
            // A ray's t is the exact one rounded once, an arc's may be a neighbour.
            |t| {
                if is_ray {
                    between(t.next_down(), t)
                } else {
                    exact(f64::from(t.next_down()))
                }
            },
        );
        assert!(!is_met(&until), "late: {}", place());
        if let Some(t) = t {
            let after = if is_ray {
                between(t, t.next_up())
            } else {
                exact(f64::from(t.next_up()))
            };
            assert!(is_met(&after), "early: {}", place());
        }
        return;
    }
    let mut first: Option<Root> = None;
    let mut offer = |root: Root| {
        if first
            .as_ref()
            .is_none_or(|first| root.compare_root(first).is_lt())
        {
            first = Some(root);
        }
    };
    for corners in object.triangles() {
        let hits = path.triangle(&corners.map(|corner| corner.to_array().map(exact)));
        hits.into_iter()
            .next()
            .map(|hit| hit.t)
            .into_iter()
            .for_each(&mut offer);
    }
    if !object.is_surface {
        let planes = ExactArc::box_planes(&object.pieces[0].corners);
        path.slabs(&planes, Sides::Both)
            .map(|hit| hit.t)
            .into_iter()
            .for_each(&mut offer);
    }
    let expected = first.map(|root| root.nearest_f32());
    assert_eq!(
        t.map(f32::to_bits),
        expected.map(f32::to_bits),
        "{} {expected:?}",
        place()
    );
}
