//! Sorting pairs: by counting where there are many, as numbers of boxes are dense.

/// Where more than one in this many boxes begins a pair, counting is quicker than comparing.
const COUNTED_FRACTION: usize = 16;

/// The pairs in order; their numbers are below `count`.
pub(super) fn sorted(mut pairs: Vec<[u32; 2]>, count: usize) -> Vec<[u32; 2]> {
    if pairs.len() < count / COUNTED_FRACTION {
        pairs.sort_unstable();
        return pairs;
    }
    // `ends[a]` is first how many pairs `a` begins, then where the next of them goes.
    let mut ends = vec![0usize; count];
    for [a, _] in &pairs {
        ends[*a as usize] += 1;
    }
    let mut first = 0;
    for end in &mut ends {
        first += core::mem::replace(end, first);
    }
    let mut others = vec![0u32; pairs.len()];
    for [a, b] in &pairs {
        let end = &mut ends[*a as usize];
        others[*end] = *b;
        *end += 1;
    }
    let mut first = 0;
    for (a, end) in (0..).zip(ends) {
        let own = &mut others[first..end];
        own.sort_unstable();
        for (pair, b) in pairs[first..end].iter_mut().zip(own) {
            *pair = [a, *b];
        }
        first = end;
    }
    pairs
}
