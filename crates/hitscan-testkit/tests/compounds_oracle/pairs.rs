//! Overlaps of all pairs of objects.

use crate::Counts;
use crate::worlds::Pair;
use hitscan::world::OverlapPair;
use hitscan::{ObjectId, QueryFilter};
use hitscan_testkit::Rng;

/// All pairs of objects, without those of the parts among themselves.
pub(crate) fn ask_pairs(rng: &mut Rng, pair: &Pair, counts: &mut Counts) {
    let hidden = pair.hidden(rng);
    let (parts, objects) = (pair.hidden_parts(&hidden), pair.hidden_objects(&hidden));
    let (seen, others) = (
        QueryFilter::new().exclude_parts(&parts),
        QueryFilter::new().exclude(&objects),
    );
    let found = pair.compound.now().overlaps(seen);
    let features = |overlap: &OverlapPair| {
        let mut both = [overlap.a, overlap.b].map(|one| (one.object, one.triangle));
        both.sort_unstable();
        both
    };
    let is_sorted =
        |all: &[OverlapPair]| all.is_sorted_by_key(|one| features(one).map(|(object, _)| object));
    assert!(is_sorted(&found), "{found:?}");
    let expected = pair.apart.now().overlaps(others);
    let mut expected: Vec<OverlapPair> = expected
        .into_iter()
        .map(|mut overlap| {
            for feature in [&mut overlap.a, &mut overlap.b] {
                let (object, triangle) = pair.named(Some(feature.object), feature.triangle);
                (feature.object, feature.triangle) = (object.unwrap(), triangle);
            }
            overlap
        })
        .filter(|overlap| overlap.a.object != overlap.b.object)
        .collect();
    let key = |one: &OverlapPair| {
        let [(a, on_a), (b, on_b)] = features(one);
        (a, b, on_a, on_b)
    };
    let mut sorted = found.clone();
    sorted.sort_by_key(key);
    expected.sort_by_key(key);
    assert_eq!(sorted, expected, "{pair}");
    counts.overlaps += usize::from(
        found
            .iter()
            .any(|one| features(one).iter().any(|(id, _)| *id == pair.id)),
    );
    let bounds = |ids: &[ObjectId]| {
        let boxes = ids
            .iter()
            .filter_map(|id| pair.apart.now().object_bounds(*id));
        boxes.reduce(|all, one| all.union(&one))
    };
    assert_eq!(
        pair.compound.now().object_bounds(pair.id),
        bounds(&pair.parts),
        "{pair}"
    );
    assert_eq!(pair.compound.now().bounds(), pair.apart.now().bounds());
}
