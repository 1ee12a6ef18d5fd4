//! Rays on all threads, for those that have no batches of their own.

use bevy_tasks::{ComputeTaskPool, ParallelSlice, TaskPool};

/// What `cast` answers to each ray, half of them on another thread.
pub(crate) fn cast_all<R: Sync, T: Send + 'static>(
    rays: &[R],
    cast: impl Fn(&R) -> T + Send + Sync,
) -> Vec<T> {
    let pool = ComputeTaskPool::get_or_init(TaskPool::new);
    let half = rays.len().div_ceil(2).max(1);
    let halves = rays.par_chunk_map(pool, half, |_, rays| rays.iter().map(&cast).collect());
    halves.into_iter().flat_map(|half: Vec<T>| half).collect()
}
