//! The moving box against capsules and oriented boxes, compared with rational arithmetic.

use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::shape_cast::AabbCast;
use hitscan::{Aabb, Capsule, Obb, ShapeHit, Sphere};
use hitscan_testkit::shape_cast_oracle::{
    MovingBox, Outcome, moving_box_obb, nearest_f32, rational, to_f64, vector,
};
use hitscan_testkit::solid_oracle::box_segment;
use hitscan_testkit::{Exact, Rng, ShapeCastScene, Vector, cast_box, rounds};
use num_traits::Signed;

const SEED: u64 = 0x50_11d5;

fn wide(x: [f32; 3]) -> Vector {
    vector(x.map(f64::from))
}

fn moving_box(scene: ShapeCastScene, rng: &mut Rng) -> (AabbCast, MovingBox) {
    let ([min, max], motion) = (scene.corners(rng), scene.motion(rng));
    let exact = MovingBox {
        min: wide(min),
        max: wide(max),
        motion: wide(motion),
    };
    let start = Aabb::new(min, max).expect("corners in order");
    (AabbCast::new(start, motion).expect("finite"), exact)
}

/// A tree's box around the obstacle must not be culled before the contact.
fn check_culling(moving: &AabbCast, bounds: &Aabb, found: Option<ShapeHit>) {
    let Some(contact) = found else { return };
    let earliest = moving.earliest_t(bounds);
    assert!(earliest.is_some_and(|t| t <= contact.t), "{moving:?}");
}

/// Whether `found` is the unit vector along `expected`, to f32's precision.
fn is_along(found: Vec3, expected: &Vector) -> bool {
    let longest = expected.iter().map(Signed::abs).max().expect("three");
    let [x, y, z] = expected.each_ref().map(|x| to_f64(&(x / &longest)));
    let direction = DVec3::new(x, y, z);
    (found.as_dvec3() - direction / direction.length()).length() < 1e-7
}

fn rotation(rng: &mut Rng) -> DQuat {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    match rng.below(5) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_xyzw(0.0, quarter, 0.0, quarter),
        2 => DQuat::from_xyzw(0.0, 0.3, 0.0, 1.0),
        _ => {
            let [x, y, z, w] = [(); 4].map(|()| rng.uniform(-1.0, 1.0));
            DQuat::from_xyzw(x, y, z, w)
        }
    }
}

#[test]
fn oriented_boxes_agree_with_fifteen_rational_axes() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for number in 0..rounds(4_200) {
        let scene = ShapeCastScene::ALL[number % ShapeCastScene::ALL.len()];
        let (mut moving, mut exact) = moving_box(scene, &mut rng);
        let center = [(); 3].map(|()| scene.coordinate(&mut rng));
        let half_size = [(); 3].map(|()| {
            let length = scene.coordinate(&mut rng) - scene.coordinate(&mut rng);
            length.abs() * 0.25
        });
        if rng.one_in(2) {
            // Half of the boxes move by twice the way to the middle.
            let min = moving.start().min();
            let motion = [0, 1, 2].map(|i: usize| 2.0 * (center[i] - min[i]));
            moving = AabbCast::new(moving.start(), motion).expect("finite");
            exact.motion = wide(motion);
        }
        let Ok(obb) = Obb::new(center, half_size, rotation(&mut rng)) else {
            continue;
        };
        let corners = obb.corners();
        // The oracle takes its axes from the edges, so all must have a length.
        if [1, 2, 4].iter().any(|&k: &usize| corners[k] == corners[0]) {
            continue;
        }
        let rational_corners = corners.map(|corner| vector(corner.to_array()));
        let expected = moving_box_obb(&exact, &rational_corners);
        let found = cast_box(&moving, obb);
        let shown =
            format!("{number}: {scene:?} {moving:?} {obb:?}: {expected:?}, found {found:?}");
        match (&expected, found) {
            (Outcome::Miss, None) => counts[0] += 1,
            (Outcome::Overlap, Some(contact)) => {
                counts[1] += 1;
                assert!(contact.is_overlap(), "{shown}");
                assert_eq!((contact.t.to_bits(), contact.normal), (0, Vec3::ZERO));
            }
            (Outcome::Hit { t, normal }, Some(contact)) => {
                counts[2] += 1;
                assert!(!contact.is_overlap(), "{shown}");
                assert_eq!(contact.t.to_bits(), nearest_f32(t).to_bits(), "{shown}");
                assert!(is_along(contact.normal, normal), "{shown}");
            }
            _ => panic!("{shown}"),
        }
        check_culling(&moving, &obb.bounds(), found);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > rounds(300)),
        "{counts:?}"
    );
}

/// A capsule in rational numbers and a box that moves towards it.
struct Approach {
    moving: MovingBox,
    segment: [Vector; 2],
    limit: Exact,
}

impl Approach {
    /// The squared distance at `t` less the squared radius.
    fn excess(&self, t: &Exact) -> Exact {
        box_segment(&self.moving, t, &self.segment) - &self.limit
    }

    /// The least excess that a search finds between two times: an upper bound of the least.
    fn least_between(&self, low: f64, high: f64, steps: usize) -> Exact {
        let (mut low, mut high) = (rational(low), rational(high));
        let mut least = self.excess(&low).min(self.excess(&high));
        for _ in 0..steps {
            // A negative one is all that is needed.
            if least.is_negative() {
                break;
            }
            let part = |share: f64| &low + (&high - &low) * rational(share);
            let (left, right) = (part(0.375), part(0.625));
            let (at_left, at_right) = (self.excess(&left), self.excess(&right));
            if at_left < at_right {
                high = right;
            } else {
                low = left;
            }
            least = least.min(at_left).min(at_right);
        }
        least
    }

    fn check_hit(&self, t: f32, shown: &str) {
        let midpoint =
            |a: f32, b: f32| (rational(f64::from(a)) + rational(f64::from(b))) / rational(2.0);
        if t > 0.0 {
            let before = self.excess(&midpoint(t.next_down(), t));
            assert!(!before.is_negative(), "{shown}");
        } else {
            assert!(!self.excess(&rational(0.0)).is_negative(), "{shown}");
        }
        let after = midpoint(t, t.next_up()).min(rational(1.0));
        // Where it is in and out again within half a step of f32 only a search finds it.
        let is_in = !self.excess(&after).is_positive()
            || self
                .least_between(
                    f64::from(t.next_down().max(0.0)),
                    f64::from(t.next_up()),
                    200,
                )
                .is_negative();
        assert!(is_in, "{shown}");
    }
}

#[test]
fn capsules_agree_with_rational_arithmetic() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let mut counts = [0; 3];
    for number in 0..rounds(840) {
        let scene = ShapeCastScene::ALL[number % ShapeCastScene::ALL.len()];
        let (mut moving, mut exact) = moving_box(scene, &mut rng);
        let a = [(); 3].map(|()| scene.coordinate(&mut rng));
        let b = a.map(|x| {
            if rng.one_in(3) {
                x
            } else {
                scene.coordinate(&mut rng)
            }
        });
        if rng.one_in(2) {
            // Half of the boxes move by twice the way to an end.
            let min = moving.start().min();
            let motion = [0, 1, 2].map(|i: usize| 2.0 * (a[i] - min[i]));
            moving = AabbCast::new(moving.start(), motion).expect("finite");
            exact.motion = wide(motion);
        }
        let length = f64::from(scene.coordinate(&mut rng) - scene.coordinate(&mut rng)).abs();
        let radius = match rng.below(5) {
            0 => length * 2.0_f64.sqrt(),
            1 => length * 0.25,
            2 => length.next_up(),
            3 => length * 1e-6,
            _ => length,
        };
        let Ok(capsule) = Capsule::new(a, b, radius) else {
            continue;
        };
        let approach = Approach {
            moving: exact,
            segment: [wide(a), wide(b)],
            limit: rational(radius) * rational(radius),
        };
        let found = cast_box(&moving, capsule);
        let shown = format!("{number}: {scene:?} {moving:?} {capsule:?}: found {found:?}");
        let at_start = approach.excess(&rational(0.0));
        match found {
            Some(contact) if contact.is_overlap() => {
                counts[1] += 1;
                assert!(at_start.is_negative(), "{shown}");
                assert_eq!((contact.t.to_bits(), contact.normal), (0, Vec3::ZERO));
            }
            Some(contact) => {
                counts[2] += 1;
                approach.check_hit(contact.t, &shown);
                assert!((contact.normal.length() - 1.0).abs() < 1e-6, "{shown}");
                let motion = moving.motion().as_dvec3();
                assert!(contact.normal.as_dvec3().dot(motion) < 0.0, "{shown}");
            }
            None => {
                counts[0] += 1;
                assert!(!at_start.is_negative(), "{shown}");
                assert!(
                    !approach.least_between(0.0, 1.0, 60).is_negative(),
                    "{shown}"
                );
                // A touch at the end counts if the box still comes closer.
                let at_end = approach.excess(&rational(1.0));
                let shortly_before = approach.excess(&rational(1.0_f64.next_down()));
                assert!(at_end.is_positive() || shortly_before <= at_end, "{shown}");
            }
        }
        check_culling(&moving, &capsule.bounds(), found);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|&count| count > rounds(80)), "{counts:?}");
}

#[test]
fn a_capsule_without_length_is_met_as_a_sphere() {
    let mut rng = Rng::new(SEED + 2);
    let mut hits = 0;
    for number in 0..rounds(20_000) {
        let scene = ShapeCastScene::ALL[number % ShapeCastScene::ALL.len()];
        let (moving, _) = moving_box(scene, &mut rng);
        let center = [(); 3].map(|()| scene.coordinate(&mut rng));
        let radius = f64::from(scene.coordinate(&mut rng)).abs();
        let Ok(capsule) = Capsule::new(center, center, radius) else {
            continue;
        };
        let found = cast_box(&moving, capsule);
        let expected = cast_box(&moving, Sphere::new(center, radius).unwrap());
        let parts = |contact: ShapeHit| (contact.t.to_bits(), contact.is_overlap());
        assert_eq!(
            found.map(parts),
            expected.map(parts),
            "{moving:?} {capsule:?}"
        );
        if let (Some(found), Some(expected)) = (found, expected) {
            let apart = (found.normal - expected.normal).length();
            assert!(
                apart < 1e-6,
                "{moving:?} {capsule:?}: {found:?} {expected:?}"
            );
            hits += 1;
        }
    }
    assert!(hits > rounds(2_000), "{hits}");
}

#[test]
fn a_box_that_slides_along_a_capsules_side_does_not_hit_it() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).expect("a box");
    let rail = Capsule::new([-9.0, 3.0, 0.5], [9.0, 3.0, 0.5], 2.0).expect("a capsule");
    let contact = |motion: [f32; 3]| {
        cast_box(&AabbCast::new(unit, motion).expect("finite"), rail)
            .map(|contact| (contact.t, contact.normal))
    };
    assert_eq!(contact([5.0, 0.0, 0.0]), None);
    assert_eq!(contact([5.0, -1.0, 0.0]), None);
    assert_eq!(contact([5.0, 1.0, 0.0]), Some((0.0, Vec3::NEG_Y)));
}
