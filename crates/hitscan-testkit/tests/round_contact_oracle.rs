//! The first contact of every pair of shapes where one has a radius, compared with rational
//! arithmetic: the exact gap's signs beside the reported time.

use hitscan::convex::examined::{ExaminedContact, ExaminedShape, examine};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Capsule, Obb, Primitive, Sphere};
use hitscan_testkit::core_oracle::{Nearest, RationalCore, dot, nearest};
use hitscan_testkit::round_cases::{RoundCase, RoundScene, core};
use hitscan_testkit::shape_cast_oracle::{rational, to_f64, vector};
use hitscan_testkit::{Exact, Rng, Vector, rounds};
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

const SEED: u64 = 0x20_0d5;

fn exact(v: DVec3) -> Vector {
    vector(v.to_array())
}

fn rational_core(corners: &[DVec3]) -> RationalCore {
    RationalCore::new(corners.iter().map(|corner| exact(*corner)).collect())
}

/// The cores in rational numbers.
struct Gap {
    obstacle: RationalCore,
    shape: RationalCore,
    motion: Vector,
    radii: [f64; 2],
    /// The squared sum of the radii.
    limit: Exact,
}

impl Gap {
    /// `None` where a triangle has no area.
    fn new(case: &RoundCase) -> Option<Self> {
        let [(obstacle, first), (shape, second)] = case.shapes.each_ref().map(core);
        if let ExaminedShape::Triangle([a, b, c]) = case.shapes[0] {
            let [u, v] = [b - a, c - a].map(exact);
            if (dot(&u, &u) * dot(&v, &v) - dot(&u, &v) * dot(&u, &v)).is_zero() {
                return None;
            }
        }
        let radius = rational(first) + rational(second);
        Some(Self {
            obstacle: rational_core(&obstacle),
            shape: rational_core(&shape),
            motion: exact(case.motion.as_dvec3()),
            radii: [first, second],
            limit: &radius * &radius,
        })
    }

    fn nearest(&self, t: &Exact) -> Nearest {
        nearest(&self.obstacle, &self.shape.moved(&self.motion, t))
    }

    /// Has the sign of the gap at `t`.
    fn excess(&self, t: &Exact) -> Exact {
        self.nearest(t).squared - &self.limit
    }

    fn excess_at(&self, t: f64) -> Exact {
        self.excess(&rational(t))
    }

    /// Whether a search finds a negative gap between two times, which may be for less than f64's
    /// steps.
    fn closes_between(&self, low: f64, high: f64, steps: usize) -> bool {
        let [mut low, mut high] = [low, high].map(rational);
        for _ in 0..steps {
            let [left, right] = [0.375, 0.625].map(|share| &low + (&high - &low) * rational(share));
            let [at_left, at_right] = [&left, &right].map(|t| self.excess(t));
            if at_left.is_negative() || at_right.is_negative() {
                return true;
            }
            if at_left < at_right {
                high = right;
            } else {
                low = left;
            }
        }
        false
    }

    /// Whether the contact is after `t`, or at it.
    fn is_by(&self, low: f64, t: f64) -> bool {
        !self.excess_at(t.min(1.0)).is_positive() || self.closes_between(low, t, 80)
    }

    fn check_hit(&self, found: &ExaminedContact, case: &RoundCase) {
        let t = found.t;
        let midpoint = |a: f32, b: f32| f64::midpoint(f64::from(a), f64::from(b));
        if t > 0.0 {
            assert!(
                !self.excess_at(midpoint(t.next_down(), t)).is_negative(),
                "late"
            );
        }
        let before = f64::from(t.next_down().max(0.0));
        assert!(self.is_by(before, midpoint(t, t.next_up())), "early");
        let floor = found.floor;
        assert!(found.enclosure[0] <= floor && floor <= found.enclosure[1]);
        let at_floor = self.excess_at(floor);
        assert!(!at_floor.is_negative(), "floor is late");
        assert!(floor == 1.0 || self.is_by(floor, floor.next_up()), "floor");
        self.check_normal(found, case, &at_floor);
        self.check_point(found, case);
    }

    fn check_normal(&self, found: &ExaminedContact, case: &RoundCase, at_floor: &Exact) {
        let motion = case.motion.as_dvec3();
        let normal = found.normal.as_dvec3();
        assert!(normal.dot(motion) < 0.0, "normal along the motion");
        let [low, high] = [found.floor, found.floor.next_up()].map(|t| self.nearest(&rational(t)));
        let size = low.offset.iter().map(Signed::abs).max().expect("three");
        // Between the floor and the exact time the normal turns by this much at most.
        let way = motion.length() * (found.floor.next_up() - found.floor);
        let turn = 2.0 * way / (self.radii[0] + self.radii[1]);
        if !size.is_zero() {
            let offset = low.offset.each_ref().map(|x| to_f64(&(x / &size)));
            let offset = DVec3::from(offset);
            let off = (offset / offset.length() - normal).length();
            assert!(off <= 2.0_f64.powi(-22) + turn, "normal off by {off}");
        }
        for (way, sign) in case.ways.iter().zip(&found.signs) {
            let way = [0, 1, 2].map(|i: usize| rational(way[1][i]) - rational(way[0][i]));
            let of = |nearest: &Nearest| dot(&nearest.offset, &way).cmp(&Exact::zero());
            let (low, high) = (of(&low), of(&high));
            // Across more than the radius other features may be nearest in between.
            if at_floor.is_zero() || low == high && turn < 1.0 {
                assert_eq!(*sign, low, "sign");
            }
        }
    }

    /// The point belongs to both shapes, but for rounding.
    fn check_point(&self, found: &ExaminedContact, case: &RoundCase) {
        let point = RationalCore::new(vec![exact(found.point.as_dvec3())]);
        let moved = self.shape.moved(&self.motion, &rational(found.floor));
        let tolerance = case.size() * 2.0_f64.powi(-21);
        for (core, radius) in [&self.obstacle, &moved].into_iter().zip(self.radii) {
            let distance = to_f64(&nearest(core, &point).squared).sqrt();
            assert!(distance <= radius + tolerance, "point off");
        }
    }
}

#[test]
fn times_normals_and_points_agree_with_rational_arithmetic() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for number in 0..rounds(CASES) {
        let scene = RoundScene::ALL[number % RoundScene::ALL.len()];
        let Some(case) = RoundCase::random(scene, &mut rng) else {
            continue;
        };
        let found = case.examine();
        println!("{number}: {case:?}: {found:?}");
        let Some(gap) = Gap::new(&case) else {
            assert_eq!(found, None, "no area");
            continue;
        };
        let overlaps = gap.excess_at(0.0).is_negative();
        match found {
            Some(found) if found.is_overlap => {
                counts[1] += 1;
                assert!(overlaps);
            }
            Some(found) => {
                counts[2] += 1;
                assert!(!overlaps);
                gap.check_hit(&found, &case);
            }
            None => {
                counts[0] += 1;
                assert!(!overlaps);
                let steps = if number % 20 == 0 { 60 } else { 8 };
                assert!(!gap.closes_between(0.0, 1.0, steps), "missed");
            }
        }
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > rounds(CASES) / 6),
        "{counts:?}"
    );
}

/// Rational numbers are slow: these take some ten seconds.
const CASES: usize = 420;

#[test]
fn either_shape_may_move() {
    let mut rng = Rng::new(SEED + 1);
    let mut hits = 0;
    for number in 0..rounds(20_000) {
        let scene = RoundScene::ALL[number % RoundScene::ALL.len()];
        let Some(case) = RoundCase::random(scene, &mut rng) else {
            continue;
        };
        let (found, swapped) = (case.examine(), case.examine_swapped());
        let bits = |found: &ExaminedContact| {
            let times = (found.t.to_bits(), found.floor.to_bits());
            (found.is_overlap, times)
        };
        assert_eq!(
            found.as_ref().map(bits),
            swapped.as_ref().map(bits),
            "{case:?}"
        );
        if let (Some(found), Some(swapped)) = (found, swapped) {
            hits += 1;
            assert_eq!(found.normal, -swapped.normal, "{case:?}");
            let reversed: Vec<_> = swapped.signs.iter().map(|sign| sign.reverse()).collect();
            assert_eq!(found.signs, reversed, "{case:?}");
        }
    }
    assert!(hits > rounds(5_000), "{hits}");
}

#[test]
fn a_capsule_without_length_and_a_box_without_turn_answer_as_the_plain_ones() {
    let mut rng = Rng::new(SEED + 2);
    for number in 0..rounds(7_000) {
        let scene = RoundScene::ALL[number % RoundScene::ALL.len()];
        let Some(case) = RoundCase::random(scene, &mut rng) else {
            continue;
        };
        let other = RoundCase {
            shapes: case.shapes.clone().map(alike),
            ways: case.ways.clone(),
            ..case
        };
        let found = case.examine();
        assert_eq!(found, other.examine(), "{case:?}");
    }
}

/// The same shape as another kind, if there is one.
fn alike(shape: ExaminedShape) -> ExaminedShape {
    match shape {
        ExaminedShape::Solid(Primitive::Sphere(sphere)) => {
            let (center, radius) = (sphere.center(), sphere.radius());
            match Capsule::new(center, center, radius) {
                Ok(capsule) => ExaminedShape::Solid(capsule.into()),
                Err(_) => shape,
            }
        }
        ExaminedShape::Solid(Primitive::Aabb(aabb)) => {
            let (center, half) = (aabb.center(), (aabb.max() - aabb.min()) * 0.5);
            let obb = Obb::new(center, half, DQuat::IDENTITY);
            match obb {
                Ok(obb) if core(&ExaminedShape::Solid(obb.into())) == core(&shape) => {
                    ExaminedShape::Solid(obb.into())
                }
                _ => shape,
            }
        }
        _ => shape,
    }
}

/// A sphere of radius 1 over the square from (0, 0, 0) to (4, 0, 4), cut along its diagonal.
#[test]
fn touching_sliding_parting_and_grazing_are_no_hit() {
    let corners = |points: [[f64; 3]; 3]| ExaminedShape::Triangle(points.map(DVec3::from));
    let floor = corners([[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]]);
    let at = |center: [f32; 3]| {
        let sphere = Sphere::new(center, 1.0).expect("a sphere");
        ExaminedShape::Solid(sphere.into())
    };
    let ask = |center: [f32; 3], motion: [f64; 3]| {
        let ways = [[DVec3::ZERO, DVec3::X], [DVec3::ZERO, DVec3::Y]];
        examine(&floor, &at(center), DVec3::from(motion), &ways)
    };
    let t = |center, motion| ask(center, motion).map(|found| (found.t, found.normal));
    // Resting: along, up, not at all, and down.
    assert_eq!(t([1.0, 1.0, 1.0], [1.0, 0.0, 0.0]), None);
    assert_eq!(t([1.0, 1.0, 1.0], [1.0, 1.0, 0.0]), None);
    assert_eq!(t([1.0, 1.0, 1.0], [0.0; 3]), None);
    let down = t([1.0, 1.0, 1.0], [1.0, -1e-30, 0.0]);
    assert_eq!(down, Some((0.0, Vec3::Y)));
    // Past the edge at x = 0, as near as it touches, and a little nearer.
    assert_eq!(t([-1.0, 3.0, 1.0], [0.0, -9.0, 0.0]), None);
    assert!(t([(-1.0_f32).next_up(), 3.0, 1.0], [0.0, -9.0, 0.0]).is_some());
    // To a touch at t = 1, and one from below.
    let landing = ask([1.0, 3.0, 1.0], [0.0, -2.0, 0.0]).expect("a hit");
    assert_eq!((landing.t, landing.normal), (1.0, Vec3::Y));
    assert_eq!(landing.signs, [Ordering::Equal, Ordering::Greater]);
    assert_eq!(landing.point, Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(
        t([1.0, -2.0, 1.0], [0.0, 4.0, 0.0]),
        Some((0.25, Vec3::NEG_Y))
    );
    // Over the edge and the corner the normal is theirs.
    let edge = ask([-0.6, 2.0, 1.0], [0.0, -2.4, 0.0]).expect("a hit");
    assert!((edge.t - 0.5).abs() < 1e-6, "{edge:?}");
    assert_eq!(edge.signs, [Ordering::Less, Ordering::Greater]);
    // A triangle without area is never hit.
    let line = corners([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    assert_eq!(
        examine(&line, &at([1.0, 0.5, 0.0]), DVec3::NEG_Y, &[]),
        None
    );
}
