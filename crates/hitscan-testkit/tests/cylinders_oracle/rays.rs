//! Rays and lines of sight at cylinders against rational arithmetic.

use hitscan::glam::Vec3;
use hitscan::{Cylinder, Ray, Side, World};
use hitscan_testkit::{Exact, Rng, exact, rounds};
use num_traits::Zero;

type Place = [Exact; 3];

fn place(point: Vec3) -> Place {
    point.to_array().map(|x| exact(f64::from(x)))
}

fn dot(a: &Place, b: &Place) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn minus(a: &Place, b: &Place) -> Place {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

/// A line and a cylinder in fractions: `c0 + c1 t + c2 t²` of each part, positive outside.
struct Line {
    parts: [[Exact; 3]; 3],
}

impl Line {
    fn new(cylinder: &Cylinder, [origin, way]: [Vec3; 2]) -> Self {
        let [a, b, origin, way] = [cylinder.a(), cylinder.b(), origin, way].map(place);
        let axis = minus(&b, &a);
        let (from_a, from_b) = (minus(&origin, &a), minus(&origin, &b));
        let zero = Exact::zero;
        let square = dot(&axis, &axis);
        let (along, speed) = (dot(&from_a, &axis), dot(&way, &axis));
        let radius = exact(cylinder.radius());
        // |w × u|² = w² u² - (w · u)².
        let two = exact(2.0);
        let side = [
            dot(&from_a, &from_a) * &square - &along * &along - &radius * &radius * &square,
            &two * (dot(&from_a, &way) * &square - &along * &speed),
            dot(&way, &way) * &square - &speed * &speed,
        ];
        Self {
            parts: [
                [zero() - &along, zero() - &speed, zero()],
                [dot(&from_b, &axis), speed, zero()],
                side,
            ],
        }
    }

    /// The sign outside or inside of the closed cylinder at t: that of the largest part.
    fn sign(&self, t: &Exact) -> std::cmp::Ordering {
        let values = (self.parts.iter()).map(|[c0, c1, c2]| c0 + (c1 + c2 * t) * t);
        let signs = values.map(|value| value.cmp(&Exact::zero()));
        signs.max().unwrap()
    }

    /// A t from `low` to `high` at which the line is in the closed cylinder, or nearest to it between the ends.
    fn deepest(&self, low: &Exact, high: &Exact) -> Option<Exact> {
        let (mut low, mut high) = (low.clone(), high.clone());
        for [c0, c1, _] in &self.parts[..2] {
            if c1.is_zero() {
                if *c0 > Exact::zero() {
                    return None;
                }
                continue;
            }
            let root = -c0 / c1;
            if *c1 > Exact::zero() {
                high = high.min(root);
            } else {
                low = low.max(root);
            }
        }
        if low > high {
            return None;
        }
        let [_, c1, c2] = &self.parts[2];
        if c2.is_zero() {
            return Some((low + high) / exact(2.0));
        }
        let lowest = -c1 / (c2 + c2);
        Some(lowest.max(low).min(high))
    }
}

/// A coordinate on a coarse grid, or not.
fn coordinate(rng: &mut Rng, is_coarse: bool) -> f32 {
    if is_coarse {
        rng.below(9) as f32 * 0.5 - 2.0
    } else {
        rng.uniform_f32(-2.0, 2.0)
    }
}

fn cases(seed: u64, mut check: impl FnMut(&Cylinder, [Vec3; 2])) {
    let mut rng = Rng::new(seed);
    for round in 0..rounds(20_000) {
        let is_coarse = round % 2 == 0;
        let mut point = || Vec3::from([(); 3].map(|()| coordinate(&mut rng, is_coarse)));
        let [a, b, origin, mut way] = [(); 4].map(|()| point());
        if round % 6 == 0 {
            // Along the axis, or from a point of it.
            way = b - a;
        }
        let radius = [0.25, 0.5, 1.0, 1.25][rng.below(4)];
        let Ok(cylinder) = Cylinder::new(a, b, radius) else {
            continue;
        };
        if way != Vec3::ZERO {
            check(&cylinder, [origin, way]);
        }
    }
}

#[test]
fn rays_enter_at_the_exact_root_rounded_once() {
    let (mut hits, mut misses, mut starts) = (0, 0, 0);
    cases(1, |cylinder, [origin, way]| {
        let line = Line::new(cylinder, [origin, way]);
        let ray = Ray::new(origin, way).unwrap();
        let (zero, far) = (Exact::zero(), exact(1e9));
        let deepest = line.deepest(&zero, &far);
        let is_hit = deepest.as_ref().is_some_and(|t| line.sign(t).is_le());
        let found = cylinder.cast_ray(&ray, ());
        assert_eq!(found.is_some(), is_hit, "{cylinder:?} {ray:?}");
        let (Some(hit), Some(deepest)) = (found, deepest) else {
            misses += 1;
            return;
        };
        let start = line.sign(&zero);
        assert_eq!(
            hit.side == Side::Inside,
            start.is_lt(),
            "{cylinder:?} {ray:?}"
        );
        if start.is_le() {
            assert_eq!(hit.t, 0.0);
            starts += 1;
            return;
        }
        hits += 1;
        // Up to the deepest t the line is outside before the root, and inside behind it.
        let midpoint =
            |one: f32, other: f32| (exact(f64::from(one)) + exact(f64::from(other))) / exact(2.0);
        let (before, behind) = (
            midpoint(hit.t.next_down(), hit.t),
            midpoint(hit.t, hit.t.next_up()).min(deepest.clone()),
        );
        assert!(line.sign(&before).is_ge(), "{cylinder:?} {ray:?} {hit:?}");
        assert!(
            before <= deepest && line.sign(&behind).is_le(),
            "{cylinder:?} {ray:?} {hit:?}"
        );
        let normal = hit.normal.as_dvec3();
        assert!((normal.length() - 1.0).abs() < 1e-6);
        // A rim that is only touched has the end's normal, whichever way the line goes.
        let against = normal.dot(way.as_dvec3()) < 1e-6;
        assert!(
            against || line.sign(&deepest).is_eq(),
            "{cylinder:?} {ray:?} {hit:?}"
        );
    });
    assert!(
        hits > 200 && misses > 800 && starts > 100,
        "{hits} {misses} {starts}"
    );
}

#[test]
fn sight_is_blocked_strictly_inside() {
    let (mut blocked, mut visible) = (0, 0);
    cases(2, |cylinder, [from, way]| {
        let to = from + way;
        let line = Line::new(cylinder, [from, to - from]);
        if to - from != way {
            return;
        }
        let (zero, one) = (Exact::zero(), exact(1.0));
        // The middle of the part within the planes, or the lowest of the side: inside if any is.
        let is_blocked = line.deepest(&zero, &one).is_some_and(|deepest| {
            let inward = |t: &Exact| line.sign(t).is_lt();
            let near = |t: &Exact| {
                // What is on a plane at the deepest may be inside just beside it.
                let step = exact(1.0 / 1_048_576.0);
                [t - &step, t + &step]
                    .into_iter()
                    .filter(|t| *t > zero && *t < one)
                    .any(|t| inward(&t))
            };
            inward(&deepest) || near(&deepest)
        });
        let mut world = World::new();
        world.add(*cylinder);
        world.update();
        let is_seen = world.now().is_visible(from, to, ());
        assert_eq!(is_seen, !is_blocked, "{cylinder:?} {from:?} {to:?}");
        if is_blocked {
            blocked += 1;
        } else {
            visible += 1;
        }
    });
    assert!(blocked > 200 && visible > 400, "{blocked} {visible}");
}
