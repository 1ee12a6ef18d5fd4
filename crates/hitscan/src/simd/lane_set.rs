//! Sets of lanes, a bit each.

/// Takes the lane of the smallest number out of a set; of equal ones the first.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn take_min<T: PartialOrd, const LANES: usize>(
    set: &mut u32,
    numbers: &[T; LANES],
) -> Option<usize> {
    let take_first = |set: &mut u32| {
        let lane = set.trailing_zeros() as usize % LANES;
        *set &= *set - 1;
        lane
    };
    if *set == 0 {
        return None;
    }
    let mut rest = *set;
    let mut min = take_first(&mut rest);
    while rest != 0 {
        let lane = take_first(&mut rest);
        if numbers[lane] < numbers[min] {
            min = lane;
        }
    }
    *set &= !(1 << min);
    Some(min)
}
