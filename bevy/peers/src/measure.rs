//! Times: the median of several frames.

use std::time::Instant;

/// What `step` returns, and the milliseconds that it took.
pub(crate) fn timed<T>(step: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = step();
    (result, start.elapsed().as_secs_f64() * 1e3)
}

/// The middle one, in order.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
