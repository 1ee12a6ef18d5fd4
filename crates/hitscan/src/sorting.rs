//! Stable sorting that is compiled once: by whole-number ranks, for items of any kind.
//!
//! Each use of the standard sorts is compiled anew, some 7 kB of code a kind of item. Here one sort of
//! ranks and places serves all lists that are not long or not on a hot path.
//!
//! Source of the order of floats: IEEE 754-2019, 5.10, the total order.

/// What items are ordered by, the first number first.
pub(crate) type Rank = [u64; 3];

/// Sorts by rank; items of equal rank stay in their order.
pub(crate) fn sort_by_rank<T>(items: &mut Vec<T>, rank: impl Fn(&T) -> Rank) {
    // Most lists are in order or have one item: they need no memory.
    if items.is_sorted_by_key(&rank) {
        return;
    }
    let mut order: Vec<(Rank, usize)> = (items.iter().enumerate())
        .map(|(place, item)| (rank(item), place))
        .collect();
    sort(&mut order);
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.iter().filter_map(|(_, place)| slots[*place].take()));
}

/// Lists of fewer items are not sorted by counting.
const FEW: usize = 64;

/// The one compiled sort, of items in the order of their places. Long lists whose numbers are dense, as those of
/// corners and faces are, are sorted by counting, from the last number to the first.
///
/// Source: Seward, "Information Sorting in the Application of Electronic Digital Computers to Business Operations",
/// MIT, 1954.
#[inline(never)]
fn sort(order: &mut Vec<(Rank, usize)>) {
    // Places differ: no two are equal.
    if order.len() < FEW {
        return order.sort_unstable();
    }
    let ranges = [0, 1, 2].map(|at| {
        let numbers = order.iter().map(|(rank, _)| rank[at]);
        numbers.fold([u64::MAX, 0], |[min, max], x| [min.min(x), max.max(x)])
    });
    let dense = 4 * order.len() as u64;
    if ranges.iter().any(|[min, max]| max - min > dense) {
        return order.sort_unstable();
    }
    let mut sorted = order.clone();
    for (at, [min, max]) in ranges.into_iter().enumerate().rev() {
        if min == max {
            continue;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is not more than `dense`"
        )]
        let number = |rank: &Rank| (rank[at] - min) as usize;
        let mut starts = vec![0; number(&[max; 3]) + 2];
        for (rank, _) in order.iter() {
            starts[number(rank) + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        for item in order.iter() {
            let start = &mut starts[number(&item.0)];
            sorted[*start] = *item;
            *start += 1;
        }
        core::mem::swap(order, &mut sorted);
    }
}

/// Sorts the few children of a node, or other short lists, so that none is after its successor by
/// `is_after`; equal ones stay in their order.
pub(crate) fn sort_few<T>(items: &mut [T], is_after: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && is_after(&items[place - 1], &items[place]) {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// The bits of a float as a number that is ordered as [`f64::total_cmp`].
pub(crate) fn ordered_bits(number: f64) -> u64 {
    let bits = number.to_bits();
    // Of negative numbers all bits are inverted, of others the sign alone.
    let is_negative = (bits >> 63).wrapping_neg();
    bits ^ (is_negative | 1 << 63)
}

/// A float and a number that settles ties, as one number in their order: the bits of the float as a number that is
/// ordered as [`f32::total_cmp`], before those of the other.
pub(crate) fn ordered_pair(number: f32, then: u32) -> u64 {
    let bits = number.to_bits();
    let is_negative = (bits >> 31).wrapping_neg();
    u64::from(bits ^ (is_negative | 1 << 31)) << 32 | u64::from(then)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;

    #[test]
    fn floats_are_in_their_total_order() {
        let numbers = [
            f64::NEG_INFINITY,
            -1e300,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1.0,
            1.0 + f64::EPSILON,
            f64::INFINITY,
            f64::NAN,
        ];
        assert!(numbers.is_sorted_by(|a, b| a.total_cmp(b).is_le()));
        assert!(numbers.map(ordered_bits).is_sorted());
    }

    #[test]
    fn pairs_are_in_the_order_of_the_float_first() {
        let floats = [
            f32::NEG_INFINITY,
            -1.5,
            -1e-45,
            -0.0,
            0.0,
            1e-45,
            2.0,
            f32::INFINITY,
        ];
        let pairs = floats
            .iter()
            .flat_map(|float| [0, 7, u32::MAX].map(|then| (*float, then)));
        let ranks: Vec<u64> = pairs
            .map(|(float, then)| ordered_pair(float, then))
            .collect();
        assert!(ranks.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn long_lists_are_in_order_whether_their_numbers_are_dense_or_not() {
        let mut rng = Rng(6);
        for round in 0..300 {
            let count = 1 + (rng.next() % 300) as usize;
            let dense = [9, 100, 1 << 40][round % 3];
            let offset = [0, u64::MAX - dense][round % 2];
            let mut number = || offset + rng.next() % dense;
            let items: Vec<(Rank, usize)> = (0..count)
                .map(|place| ([(); 3].map(|()| number()), place))
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(rank, _)| *rank);
            let mut found = items;
            sort_by_rank(&mut found, |(rank, _)| *rank);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn items_are_in_order_and_equal_ones_as_they_came() {
        let mut rng = Rng(5);
        for count in 0..200 {
            let items: Vec<(u64, usize)> =
                (0..count).map(|place| (rng.next() % 9, place)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut found = items.clone();
            sort_by_rank(&mut found, |(key, _)| [0, *key, 0]);
            assert_eq!(found, expected);
            let mut found = items;
            sort_few(&mut found, |a, b| a.0 > b.0);
            assert_eq!(found, expected);
        }
    }
}
