//! All pairs of moving boxes that hit each other, against every pair in rational arithmetic.

use hitscan::broad_phase::{AabbCast, Impact, ImpactStart, impacts};
use hitscan::glam::Vec3;
use hitscan::{Aabb, broad_phase};
use hitscan_testkit::shape_cast_oracle::{
    MovingBox, Outcome, Vector, moving_box_box, nearest_f32, to_f32, vector,
};
use hitscan_testkit::{Rng, ShapeCastScene};

const SEED: u64 = 0x9a175;

fn wide(x: Vec3) -> Vector {
    vector(x.to_array().map(f64::from))
}

/// The answer of rational arithmetic, with names for the two.
fn expected([a, b]: [u32; 2], moving: &AabbCast, other: &AabbCast) -> Option<Impact> {
    let (own, its) = (wide(moving.motion()), wide(other.motion()));
    let seen = MovingBox {
        min: wide(moving.start().min()),
        max: wide(moving.start().max()),
        motion: [0, 1, 2].map(|axis: usize| &own[axis] - &its[axis]),
    };
    let (min, max) = (wide(other.start().min()), wide(other.start().max()));
    match moving_box_box(&seen, &min, &max) {
        Outcome::Miss => None,
        Outcome::Overlap => Some(Impact {
            a,
            b,
            t: 0.0,
            normal: Vec3::ZERO,
            start: ImpactStart::Overlap,
        }),
        Outcome::Hit { t, normal } => Some(Impact {
            a,
            b,
            t: nearest_f32(&t),
            normal: Vec3::from_array(normal.each_ref().map(to_f32)),
            start: ImpactStart::Separate,
        }),
    }
}

/// Everything in an impact, with the signs of zeros.
fn bits(impact: &Impact) -> (u32, u32, u32, [u32; 3], ImpactStart) {
    let normal = impact.normal.to_array().map(f32::to_bits);
    (impact.t.to_bits(), impact.a, impact.b, normal, impact.start)
}

fn in_order(impacts: &mut [Impact]) {
    impacts.sort_by(|x, y| x.t.total_cmp(&y.t).then((x.a, x.b).cmp(&(y.a, y.b))));
}

/// Holds the answer for all boxes against all pairs one by one; counts misses, overlaps and hits.
fn check(boxes: &[AabbCast], counts: &mut [usize; 3]) {
    let mut all = Vec::new();
    for (a, own) in (0..).zip(boxes) {
        for (b, other) in (0..).zip(boxes).skip(a as usize + 1) {
            let Some(impact) = expected([a, b], own, other) else {
                counts[0] += 1;
                continue;
            };
            let is_overlap = impact.start == ImpactStart::Overlap;
            counts[if is_overlap { 1 } else { 2 }] += 1;
            all.push(impact);
        }
    }
    in_order(&mut all);
    let found: Vec<_> = impacts(boxes).iter().map(bits).collect();
    let all: Vec<_> = all.iter().map(bits).collect();
    assert_eq!(found, all, "{boxes:?}");
}

/// A motion that often equals an earlier one, wholly or on some axes, or differs from it by far less
/// than it is.
fn motion(scene: ShapeCastScene, rng: &mut Rng, earlier: &[AabbCast]) -> [f32; 3] {
    let mut motion = scene.motion(rng);
    if !earlier.is_empty() {
        let other = earlier[rng.below(earlier.len())].motion().to_array();
        for (own, other) in motion.iter_mut().zip(other) {
            *own = match rng.below(6) {
                0 | 1 => other,
                2 => other.next_up(),
                3 => other + *own,
                _ => *own,
            };
        }
    }
    motion
}

#[test]
fn impacts_are_those_of_rational_arithmetic() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = [0; 3];
    for case in 0..210 {
        let scene = ShapeCastScene::ALL[case % ShapeCastScene::ALL.len()];
        let mut boxes = Vec::new();
        for _ in 0..rng.below(24) {
            let [min, max] = scene.corners(&mut rng);
            let start = Aabb::new(min, max).unwrap();
            let motion = motion(scene, &mut rng, &boxes);
            boxes.push(AabbCast::new(start, motion).unwrap());
        }
        check(&boxes, &mut counts);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
}

#[test]
fn numbers_of_all_sizes_are_decided_exactly() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let sizes = [
        0.0,
        f32::from_bits(1),
        1e-40,
        1e-20,
        1.0,
        1.5,
        3.0,
        1e10,
        1e18,
    ];
    let speeds = [
        0.0,
        f32::from_bits(1),
        1e-20,
        1.0,
        2.0,
        1e10,
        1e18,
        1e30,
        f32::MAX,
    ];
    let mut counts = [0; 3];
    for _ in 0..120 {
        let mut signed = |from: &[f32]| {
            let size = from[rng.below(from.len())];
            if rng.one_in(2) { size } else { -size }
        };
        let mut boxes = Vec::new();
        for _ in 0..20 {
            let corners = [(); 3].map(|()| [signed(&sizes), signed(&sizes)]);
            let min = corners.map(|[a, b]| a.min(b));
            let max = corners.map(|[a, b]| a.max(b));
            let motion = [(); 3].map(|()| signed(&speeds));
            let start = Aabb::new(min, max).unwrap();
            boxes.push(AabbCast::new(start, motion).unwrap());
        }
        check(&boxes, &mut counts);
    }
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
}

#[test]
fn boxes_on_a_lattice_hit_in_order_though_all_fall() {
    let mut boxes = Vec::new();
    for place in 0..27u8 {
        let [x, y, z] = [place % 3, place / 3 % 3, place / 9].map(f32::from);
        let min = Vec3::new(x, y, z);
        // Each falls faster than what is under it, and all by about a million.
        let fall = 1e6 + y;
        let start = Aabb::new(min, min + Vec3::new(1.0, 0.5, 1.0)).unwrap();
        boxes.push(AabbCast::new(start, [0.25 * x, -fall, 0.0]).unwrap());
    }
    let mut counts = [0; 3];
    check(&boxes, &mut counts);
    assert_eq!(counts[1..], [0, 27]);
}

/// Pairs one by one, which the tests above compare with an oracle.
#[test]
fn many_boxes_hit_as_each_pair_does() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 2);
    let mut between = |low: f32, high: f32| rng.uniform_f32(low, high);
    let boxes: Vec<AabbCast> = (0..2000)
        .map(|_| {
            let min = Vec3::new(between(0.0, 15.0), between(0.0, 15.0), between(0.0, 15.0));
            let size = Vec3::new(between(0.0, 1.0), between(0.0, 1.0), between(0.0, 1.0));
            let motion = Vec3::new(
                between(-2.0, 2.0),
                between(-52.0, -48.0),
                between(-2.0, 2.0),
            );
            AabbCast::new(Aabb::new(min, min + size).unwrap(), motion).unwrap()
        })
        .collect();
    let mut all = Vec::new();
    for (a, own) in (0..).zip(&boxes) {
        for (b, other) in (0..).zip(&boxes).skip(a as usize + 1) {
            let one = impacts(&[*own, *other]);
            let exchanged = impacts(&[*other, *own]);
            let when = |impact: &Impact| (impact.t, impact.start);
            assert!(one.iter().map(when).eq(exchanged.iter().map(when)));
            all.extend(one.first().map(|impact| Impact { a, b, ..*impact }));
        }
    }
    in_order(&mut all);
    assert!(all.len() > 2000, "{}", all.len());
    let found: Vec<_> = impacts(&boxes).iter().map(bits).collect();
    assert_eq!(found, all.iter().map(bits).collect::<Vec<_>>());
    // What overlaps at the start is what overlaps.
    let starts: Vec<Aabb> = boxes.iter().map(|cast| cast.start()).collect();
    let overlapping = broad_phase::broad_phase_pairs(&starts)
        .into_iter()
        .filter(|[a, b]| starts[*a as usize].overlaps(&starts[*b as usize]));
    let at_start = all
        .iter()
        .filter(|impact| impact.start == ImpactStart::Overlap);
    assert!(overlapping.eq(at_start.map(|impact| [impact.a, impact.b])));
}

#[test]
fn a_resting_box_is_hit_as_an_obstacle() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 3);
    for case in 0..20_000 {
        let scene = ShapeCastScene::ALL[case % ShapeCastScene::ALL.len()];
        let mut start = || {
            let [min, max] = scene.corners(&mut rng);
            Aabb::new(min, max).unwrap()
        };
        let (start, obstacle) = (start(), start());
        let moving = AabbCast::new(start, scene.motion(&mut rng)).unwrap();
        let resting = AabbCast::new(obstacle, [0.0; 3]).unwrap();
        let found = impacts(&[moving, resting])
            .first()
            .map(|impact| (impact.t, impact.normal, impact.start));
        let expected = obstacle.cast_aabb(&moving);
        assert_eq!(found, expected.map(|hit| (hit.t, hit.normal, hit.start)));
    }
}
