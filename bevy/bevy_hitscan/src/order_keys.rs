//! The library's keys of order, 32 bits, for the orders of entities, 64 bits.

use std::collections::BTreeMap;
use std::ops::Bound;

/// How far below all others, or above them, a new key is put.
const STEP: u32 = 1 << 16;

/// The keys of the orders that entities have: in the same order. 0 is the key of order 0.
///
/// As long as no order is beyond 32 bits each is its own key. From the first that is, orders are ranked: a new one
/// has a key between those of its neighbours, and where there is none left, all have new keys.
#[derive(Default)]
pub(crate) struct OrderKeys {
    /// The keys, once orders are ranked; perhaps also of orders that no entity has any longer.
    ranked: Option<BTreeMap<u64, u32>>,
}

impl OrderKeys {
    /// The key of an order that was passed to [`Self::add`].
    pub(crate) fn key(&self, order: u64) -> u32 {
        match &self.ranked {
            None => u32::try_from(order).unwrap_or(u32::MAX),
            Some(ranked) => ranked.get(&order).copied().unwrap_or(0),
        }
    }

    /// Takes in orders, beside those that are `in_use`, and says whether keys from before have become others.
    pub(crate) fn add(
        &mut self,
        orders: impl Iterator<Item = u64> + Clone,
        in_use: impl Iterator<Item = u64>,
    ) -> bool {
        let Some(ranked) = &mut self.ranked else {
            if orders.clone().all(|order| u32::try_from(order).is_ok()) {
                return false;
            }
            self.rank(orders.chain(in_use));
            return true;
        };
        let has_room = orders
            .clone()
            .all(|order| order == 0 || ranked.contains_key(&order) || insert(ranked, order));
        if !has_room {
            self.rank(orders.chain(in_use));
        }
        !has_room
    }

    /// Gives these orders keys that are far apart, and forgets all others.
    fn rank(&mut self, orders: impl Iterator<Item = u64>) {
        let mut orders: Vec<u64> = orders.filter(|order| *order != 0).collect();
        orders.sort_unstable();
        orders.dedup();
        // A quarter on each side is left to orders that are lower or higher than all of these.
        let quarter = u64::from(u32::MAX / 4);
        let step = (2 * quarter / (orders.len() as u64 + 1)).max(1);
        let keys = (0..).map(|place: u64| quarter + place * step);
        let keys = keys.map(|key| u32::try_from(key).unwrap_or(u32::MAX));
        self.ranked = Some(orders.into_iter().zip(keys).collect());
    }
}

/// Gives an order a key between those of its neighbours; whether there was one.
fn insert(ranked: &mut BTreeMap<u64, u32>, order: u64) -> bool {
    let below = ranked.range(..order).next_back().map(|(_, key)| *key);
    let above = (Bound::Excluded(order), Bound::Unbounded);
    let above = ranked.range(above).next().map(|(_, key)| *key);
    let key = match (below, above) {
        (None, None) => STEP,
        (None, Some(above)) => above - STEP.min(above / 2 + 1),
        (Some(below), None) => below.saturating_add(STEP),
        (Some(below), Some(above)) => below + (above - below) / 2,
    };
    let has_room = key > below.unwrap_or(0) && above.is_none_or(|above| key < above);
    if has_room {
        ranked.insert(order, key);
    }
    has_room
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &OrderKeys, orders: &[u64]) {
        let mut sorted = orders.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        for pair in sorted.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|order| keys.key(order));
            assert!(one < other, "{pair:?} have the keys {one} and {other}");
        }
    }

    #[test]
    fn orders_of_32_bits_are_their_own_keys() {
        let mut keys = OrderKeys::default();
        let orders = [0, 7, u64::from(u32::MAX)];
        assert!(!keys.add(orders.into_iter(), [].into_iter()));
        assert_eq!(orders.map(|order| keys.key(order)), [0, 7, u32::MAX]);
    }

    #[test]
    fn the_first_order_beyond_them_ranks_all() {
        let mut keys = OrderKeys::default();
        let before = [1, 2, 3, u64::from(u32::MAX)];
        assert!(!keys.add(before.into_iter(), [].into_iter()));
        assert!(keys.add([u64::MAX, 1 << 32, 0].into_iter(), before.into_iter()));
        check(&keys, &[0, 1, 2, 3, u64::from(u32::MAX), 1 << 32, u64::MAX]);
    }

    #[test]
    fn keys_stay_in_order_whatever_comes_between_and_change_seldom() {
        // Upwards, downwards, and downwards between others in three places, where each key halves what room is left.
        for (first, step, most) in [
            (1 << 40, 1, 1),
            (1 << 50, u64::MAX, 1),
            (u64::MAX, u64::MAX / 3 * 2, 2_000 / 30),
        ] {
            let mut keys = OrderKeys::default();
            let mut orders = Vec::new();
            let mut rankings = 0;
            let mut order: u64 = first;
            for _ in 0..2_000 {
                rankings += usize::from(keys.add([order].into_iter(), orders.iter().copied()));
                orders.push(order);
                order = order.wrapping_add(step);
            }
            check(&keys, &orders);
            assert!(
                rankings <= most,
                "{rankings} times ranked anew, by steps of {step}"
            );
        }
    }

    #[test]
    fn what_no_entity_has_any_longer_is_forgotten_when_ranked_anew() {
        let mut keys = OrderKeys::default();
        keys.add([1 << 40, 1 << 41].into_iter(), [].into_iter());
        keys.rank([1 << 41].into_iter());
        assert_eq!(keys.key(1 << 40), 0);
        assert!(keys.key(1 << 41) > 0);
    }
}
