//! Many pairs of moving and resting boxes at once, in every vector width, against one by one.

use hitscan::shape_cast::{
    BoxMotion, BoxPairs, Contact, StartState, box_box, box_pair_times, box_pair_times_into,
    box_pairs, box_pairs_into,
};
use hitscan::simd::Width;
use hitscan::{Aabb, glam::Vec3};
use hitscan_testkit::{Rng, SweepScene};

const SEED: u64 = 0xb0b0;

/// Everything in a contact, with the signs of zeros.
fn bits(contact: &Option<Contact>) -> Option<(u32, [u32; 3], StartState)> {
    contact.map(|contact| {
        let normal = contact.normal.to_array().map(f32::to_bits);
        (contact.t.to_bits(), normal, contact.start)
    })
}

fn check(moving: &[BoxMotion], resting: &[Aabb]) -> [usize; 3] {
    let expected: Vec<_> = moving
        .iter()
        .zip(resting)
        .map(|(a, b)| box_box(a, b))
        .collect();
    let mut contacts = vec![None; 3];
    let mut times = vec![7.0; 3];
    let mut kept_times = vec![7.0; 70];
    let all = moving.iter().copied().zip(resting.iter().copied());
    let mut kept: BoxPairs = all.clone().collect();
    assert_eq!(kept.len(), expected.len());
    assert!(
        (0..)
            .zip(all)
            .all(|(place, pair)| kept.get(place) == Some(pair))
    );
    for width in Width::available() {
        box_pairs_into(moving, resting, width, &mut contacts);
        assert_eq!(contacts.len(), expected.len());
        for (place, (found, expected)) in contacts.iter().zip(&expected).enumerate() {
            let shown = (&moving[place], &resting[place]);
            assert_eq!(bits(found), bits(expected), "{width:?} {shown:?}");
        }
        // Times alone are those of the contacts.
        box_pair_times_into(moving, resting, width, &mut times);
        kept = kept.with_width(width);
        kept.times_into(&mut kept_times);
        for found in [&times, &kept_times] {
            assert_eq!(found.len(), expected.len());
            for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let shown = (&moving[place], &resting[place]);
                let expected = expected.map_or(f32::INFINITY, |contact| contact.t);
                assert_eq!(found.to_bits(), expected.to_bits(), "{width:?} {shown:?}");
            }
        }
    }
    let count = |start| {
        expected
            .iter()
            .flatten()
            .filter(|contact| contact.start == start)
            .count()
    };
    let (hits, overlaps) = (count(StartState::Separate), count(StartState::Overlap));
    [expected.len() - hits - overlaps, overlaps, hits]
}

#[test]
fn nasty_pairs_are_answered_as_one_by_one() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut totals = [0; 3];
    for case in 0..350 {
        let scene = SweepScene::ALL[case % SweepScene::ALL.len()];
        let count = [0, 1, 7, 64, 65, 500, 5000][rng.below(7)];
        let corners = |rng: &mut Rng| {
            let [min, max] = scene.corners(rng);
            Aabb::new(min, max).unwrap()
        };
        let moving: Vec<BoxMotion> = (0..count)
            .map(|_| BoxMotion::new(corners(&mut rng), scene.motion(&mut rng)).unwrap())
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
        moving.push(BoxMotion::new(start, motion).unwrap());
        resting.push(Aabb::new([x, y, z], far).unwrap());
    }
    let counts = check(&moving, &resting);
    println!("misses, overlaps, hits: {counts:?}");
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

#[test]
fn the_longer_slice_is_cut() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let moving = [BoxMotion::new(unit, [1.0, 0.0, 0.0]).unwrap(); 3];
    assert_eq!(box_pairs(&moving, &[unit; 2]).len(), 2);
    assert_eq!(
        box_pairs(&moving[..1], &[unit; 2]),
        [box_box(&moving[0], &unit)]
    );
    assert_eq!(box_pairs(&[], &[unit]), []);
    assert_eq!(box_pair_times(&moving, &[unit; 2]).len(), 2);
    assert_eq!(box_pair_times(&moving[..1], &[unit; 2]), [0.0]);
    assert!(box_pair_times(&[], &[unit]).is_empty());
}

#[test]
fn kept_pairs_are_forgotten_when_told() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let far = Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0]).unwrap();
    let moving = BoxMotion::new(unit, [4.0, 0.0, 0.0]).unwrap();
    let mut pairs: BoxPairs = [(moving, unit); 20].into_iter().collect();
    assert_eq!(pairs.times(), [0.0; 20]);
    pairs.clear();
    assert!(pairs.is_empty() && pairs.get(0).is_none());
    assert!(pairs.times().is_empty());
    pairs.push(&moving, &far);
    assert_eq!(pairs.get(0), Some((moving, far)));
    assert_eq!(pairs.get(1), None);
    assert_eq!(pairs.times(), [0.5]);
}
