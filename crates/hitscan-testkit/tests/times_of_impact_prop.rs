//! Times of impact of many pairs of boxes at once, in every vector width, against each pair alone.

use hitscan::broad_phase::{
    AabbCast, ImpactStart, times_of_impact, times_of_impact_at_width, times_of_impact_into,
};
use hitscan::simd::Width;
use hitscan::{Aabb, glam::Vec3};
use hitscan_testkit::{Rng, ShapeCastScene};

const SEED: u64 = 0xb0b0;

fn check(casts: &[AabbCast], boxes: &[Aabb]) -> [usize; 3] {
    let expected: Vec<_> = casts
        .iter()
        .zip(boxes)
        .map(|(cast, resting)| resting.cast_aabb(cast))
        .collect();
    let mut times = vec![Some(7.0); casts.len()];
    for width in Width::available() {
        times_of_impact_at_width(width, casts, boxes, &mut times);
        for (place, (found, expected)) in times.iter().zip(&expected).enumerate() {
            let shown = (&casts[place], &boxes[place]);
            let expected = expected.map(|hit| hit.t.to_bits());
            assert_eq!(found.map(f32::to_bits), expected, "{width:?} {shown:?}");
        }
    }
    let count = |start| {
        expected
            .iter()
            .flatten()
            .filter(|contact| contact.start == start)
            .count()
    };
    let (hits, overlaps) = (count(ImpactStart::Separate), count(ImpactStart::Overlap));
    [expected.len() - hits - overlaps, overlaps, hits]
}

#[test]
fn nasty_pairs_are_answered_as_one_by_one() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut totals = [0; 3];
    for case in 0..350 {
        let scene = ShapeCastScene::ALL[case % ShapeCastScene::ALL.len()];
        let count = [0, 1, 7, 64, 65, 500, 5000][rng.below(7)];
        let corners = |rng: &mut Rng| {
            let [min, max] = scene.corners(rng);
            Aabb::new(min, max).unwrap()
        };
        let moving: Vec<AabbCast> = (0..count)
            .map(|_| AabbCast::new(corners(&mut rng), scene.motion(&mut rng)).unwrap())
            .collect();
        let resting: Vec<Aabb> = (0..count).map(|_| corners(&mut rng)).collect();
        for (total, count) in totals.iter_mut().zip(check(&moving, &resting)) {
            *total += count;
        }
    }
    println!("misses, overlaps, hits: {totals:?}");
    assert!(totals.iter().all(|total| *total > 10_000), "{totals:?}");
}

#[test]
fn motions_of_all_sizes_are_answered_as_one_by_one() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let sizes = [
        0.0,
        f32::from_bits(1),
        1e-40,
        1e-31,
        1e-29,
        1e-10,
        1.0,
        1e10,
        1e29,
        1e31,
        f32::MAX,
    ];
    let pick = |rng: &mut Rng| {
        let size = sizes[rng.below(sizes.len())];
        if rng.one_in(2) { size } else { -size }
    };
    let mut moving = Vec::new();
    let mut resting = Vec::new();
    for _ in 0..40_000 {
        let start = Aabb::new([-1.0; 3], [1.0; 3]).unwrap();
        let motion = Vec3::new(pick(&mut rng), pick(&mut rng), pick(&mut rng));
        let [x, y, z] = [0; 3].map(|_| [0.0, 1.0, 1.5, 3.0, -3.0, 1e-30, 1e18][rng.below(7)]);
        let size = [0.0, 0.5, 1e-3][rng.below(3)];
        let far = [x, y, z].map(|low: f32| (low + size).min(1e18));
        moving.push(AabbCast::new(start, motion).unwrap());
        resting.push(Aabb::new([x, y, z], far).unwrap());
    }
    let counts = check(&moving, &resting);
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

#[test]
fn a_slice_is_filled_as_a_vec_is() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let far = Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0]).unwrap();
    let cast = AabbCast::new(unit, [4.0, 0.0, 0.0]).unwrap();
    let mut times = [None; 2];
    times_of_impact_into(&[cast; 2], &[unit, far], &mut times);
    assert_eq!(times, [Some(0.0), Some(0.5)]);
    assert_eq!(times_of_impact(&[cast; 2], &[unit, far]), times);
    assert!(times_of_impact(&[], &[]).is_empty());
}

#[test]
#[should_panic(expected = "as many casts as boxes")]
fn lengths_must_be_equal() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let cast = AabbCast::new(unit, [4.0, 0.0, 0.0]).unwrap();
    let _ = times_of_impact(&[cast; 3], &[unit; 2]);
}
