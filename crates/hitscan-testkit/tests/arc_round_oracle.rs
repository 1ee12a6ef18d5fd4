//! Ballistic arcs against spheres, capsules and cylinders, compared with rational arithmetic: the surface
//! is hit within the promised bound, and nothing deeper than that is passed before.

use glam::Vec3;
use hitscan::{BallisticArc, Capsule, Cylinder, RayHit, Side, Sides, Sphere};
use hitscan_testkit::arc_cylinder_oracle::ArcInCylinder;
use hitscan_testkit::arc_oracle::ExactArc;
use hitscan_testkit::round_arc_oracle::{ArcAroundSegment, ArcInSolid, power_of_two};
use hitscan_testkit::{Exact, Nasty, exact, rounds, vector};
use num_traits::Signed;

const SEED: u64 = 0xA2C5_0D01;

/// An arc that often passes near the segment, through its ends, along it, or with its apex there.
fn nasty_arc(nasty: &mut Nasty, ends: [Vec3; 2], radius: f32) -> BallisticArc {
    loop {
        let share = [0.0, 0.5, 1.0, nasty.rng.uniform_f32(-0.5, 1.5)][nasty.rng.below(4)];
        let beside = match nasty.rng.below(4) {
            0 => Vec3::ZERO,
            1 => nasty.point().normalize_or_zero() * radius,
            2 => Vec3::Y * radius,
            _ => nasty.point(),
        };
        let target = ends[0].lerp(ends[1], share) + beside;
        let along = ends[1] - ends[0];
        let (velocity, acceleration) = match nasty.rng.below(5) {
            // Touching what it passes on its far side.
            0 => (along.cross(beside).normalize_or_zero() * radius, -beside),
            1 => (along, nasty.point()),
            2 => (nasty.point(), nasty.point()),
            3 => (Vec3::ZERO, nasty.point()),
            _ => (nasty.point(), Vec3::Y * nasty.number()),
        };
        let t = [0.0, 1.0, 2.0, 0.5, 3.0][nasty.rng.below(5)];
        let origin = target - velocity * t + acceleration * (0.5 * t * t);
        let start = velocity - acceleration * t;
        let ranges = [
            (0.0, f32::INFINITY),
            (0.0, f32::INFINITY),
            (-4.0, t),
            (t, f32::INFINITY),
            (-1e3, 1e3),
        ];
        let (t_min, t_max) = ranges[nasty.rng.below(ranges.len())];
        let arc = BallisticArc::new(origin, start, acceleration);
        if let Ok(arc) = arc.and_then(|arc| arc.with_range(t_min, t_max)) {
            return arc;
        }
    }
}

/// A bound of the coordinates that are passed from the arc's least time to `t`: its terms, with the
/// solid's.
fn greatest(arc: &BallisticArc, t: f32, ends: [Vec3; 2], radius: f64) -> Exact {
    let size = |v: Vec3| exact(f64::from(v.abs().max_element()));
    let solid = size(ends[0]).max(size(ends[1])) + exact(radius);
    let half = exact(0.5);
    let along = |t: f32| {
        let t = exact(f64::from(t));
        let at = |v: Vec3, g: Vec3, o: Vec3| {
            let [o, v, g] = [o, v, g].map(vector);
            (0..3)
                .map(|axis: usize| (&o[axis] + &v[axis] * &t + &g[axis] * &t * &t * &half).abs())
                .max()
                .expect("three axes")
        };
        at(arc.velocity(), arc.acceleration(), arc.origin())
    };
    let times = [0.0, arc.t_min(), t * 0.5, t];
    let most = times.map(along).into_iter().max().expect("four times");
    most.max(solid)
}

#[derive(Default)]
struct Seen {
    hits: usize,
    inside: usize,
    misses: usize,
}

impl Seen {
    fn counted(&self) {
        let Self {
            hits,
            inside,
            misses,
        } = self;
        println!("{hits} hits, {inside} from inside, {misses} misses");
        assert!(
            *hits > rounds(100) && *inside > rounds(50) && *misses > rounds(50),
            "{hits} {inside} {misses}"
        );
    }
}

/// An arc at a solid about a segment, and what was found.
struct Shot<'a> {
    arc: &'a BallisticArc,
    ends: [Vec3; 2],
    radius: f64,
    found: Option<RayHit>,
}

impl Shot<'_> {
    fn check(&self, solid: &impl ArcInSolid, seen: &mut Seen) {
        let &Self {
            arc,
            ends,
            radius,
            found,
        } = self;
        let place = || format!("{arc:?} {ends:?} {radius} {found:?}");
        let t_min = exact(f64::from(arc.t_min()));
        let t_max = exact(f64::from(arc.t_max().min(f32::MAX)));
        let starts_inside = solid.is_inside(&t_min, &exact(0.0));
        let Some(hit) = found else {
            seen.misses += 1;
            assert!(!starts_inside, "{}", place());
            // How deep an arc goes without end says nothing of coordinates; up to a time it does.
            let until = arc.t_max().min(16.0).max(arc.t_min());
            let error = greatest(arc, until, ends, radius) * power_of_two(-40);
            let until = exact(f64::from(until)).min(t_max);
            assert!(!solid.enters(&error, &t_min, &until), "{}", place());
            return;
        };
        assert_eq!(hit.side == Side::Inside, starts_inside, "{}", place());
        if hit.side == Side::Inside {
            seen.inside += 1;
            assert_eq!(hit.t.to_bits(), arc.t_min().to_bits(), "{}", place());
            return;
        }
        seen.hits += 1;
        let error = greatest(arc, hit.t, ends, radius) * power_of_two(-40);
        let half_ulp =
            (exact(f64::from(hit.t.next_up())) - exact(f64::from(hit.t.next_down()))) / exact(2.0);
        let speed = (exact(f64::from(arc.velocity().length()))
            + exact(f64::from(arc.acceleration().length())) * exact(f64::from(hit.t)).abs())
            * exact(1.0 + 1e-6);
        let off = &error + speed * &half_ulp;
        let t = exact(f64::from(hit.t));
        assert!(solid.is_within(&t, &off), "too far: {}", place());
        assert!(!solid.is_inside(&t, &off), "too deep: {}", place());
        let before = (&t - &half_ulp).min(t_max);
        assert!(!solid.enters(&error, &t_min, &before), "late: {}", place());
    }
}

#[test]
fn spheres_and_capsules_are_hit_where_rational_arithmetic_says() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED);
    let mut seen = Seen::default();
    for case in 0..rounds(600) {
        let scale = nasty.next_case();
        let a = nasty.point();
        let b = if case % 3 == 0 { a } else { nasty.point() };
        let radius = (nasty.rng.uniform_f32(0.1, 2.0) * 4.0).ceil() * 0.25 * scale;
        let arc = nasty_arc(&mut nasty, [a, b], radius);
        let radius = f64::from(radius);
        let ends = [a, b];
        let found = if a == b {
            Sphere::new(a, radius).unwrap().cast_arc(&arc, ())
        } else {
            let capsule = Capsule::new(a, b, radius).unwrap();
            capsule.cast_arc(&arc, ())
        };
        let around = ArcAroundSegment::new(&ExactArc::new(&arc), &ends.map(vector), radius);
        let shot = Shot {
            arc: &arc,
            ends,
            radius,
            found,
        };
        shot.check(&around, &mut seen);
    }
    seen.counted();
}

#[test]
fn cylinders_are_hit_where_rational_arithmetic_says() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 1);
    let mut seen = Seen::default();
    for _ in 0..rounds(600) {
        let scale = nasty.next_case();
        let ends = [nasty.point(), nasty.point()];
        if ends[0] == ends[1] {
            continue;
        }
        let radius = (nasty.rng.uniform_f32(0.1, 2.0) * 4.0).ceil() * 0.25 * scale;
        let arc = nasty_arc(&mut nasty, ends, radius);
        let radius = f64::from(radius);
        let found = Cylinder::new(ends[0], ends[1], radius)
            .unwrap()
            .cast_arc(&arc, ());
        let within = ArcInCylinder::new(&ExactArc::new(&arc), &ends.map(vector), radius);
        let shot = Shot {
            arc: &arc,
            ends,
            radius,
            found,
        };
        shot.check(&within, &mut seen);
    }
    seen.counted();
}

/// Arcs that start in the plane of an end and never come back to it: out of it they do not come in again, and into it
/// they go out elsewhere.
#[test]
fn what_starts_on_an_end_of_a_cylinder_passes_that_end_once() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 2);
    let [mut outward, mut inward] = [0; 2];
    for case in 0..rounds(4_000) {
        let whole =
            |nasty: &mut Nasty| Vec3::from([(); 3].map(|()| nasty.rng.below(9) as f32 - 4.0));
        let (a, axis) = (whole(&mut nasty), whole(&mut nasty));
        let across = axis.cross(whole(&mut nasty)) * 0.125;
        let (velocity, acceleration) = (whole(&mut nasty), whole(&mut nasty));
        let slopes = [velocity.dot(axis), acceleration.dot(axis)];
        let is_constant =
            slopes == [0.0; 2] || velocity == Vec3::ZERO && acceleration == Vec3::ZERO;
        if axis == Vec3::ZERO || is_constant || slopes[0] * slopes[1] < 0.0 {
            continue;
        }
        let is_inward = slopes[0] > 0.0 || slopes[1] > 0.0;
        let radius = f64::from(across.length()) + [0.0, 1.0, 1e-6][case % 3];
        if radius == 0.0 {
            continue;
        }
        let arc = BallisticArc::new(a + across, velocity, acceleration).unwrap();
        let ends = if case % 2 == 0 {
            [a, a + axis]
        } else {
            [a + axis, a]
        };
        let can = Cylinder::new(ends[0], ends[1], radius).unwrap();
        let place = |found| format!("{arc:?} {can:?} {found:?}");
        let start = can.cast_arc(&arc, ());
        if is_inward {
            let later = can.cast_arc(&arc, Sides::Back);
            // It slides along the end at first, or is at the rim and may touch the side.
            let slides = slopes[0] == 0.0 || case % 3 == 0;
            let is_start = slides && later.is_some_and(|hit| hit.t == 0.0);
            assert!(
                is_start || later.is_none_or(|hit| hit.t > 0.0),
                "{}",
                place(later)
            );
            inward += usize::from(later.is_some());
        } else {
            let later = can.cast_arc(&arc, Sides::Front);
            assert!(later.is_none(), "{}", place(later));
            outward += usize::from(start.is_some());
        }
    }
    println!("{outward} go out, {inward} in");
    assert!(
        outward > rounds(200) && inward > rounds(200),
        "{outward} {inward}"
    );
}
