//! Bevy's threads for the library's batches and builds.

use bevy_tasks::ComputeTaskPool;
use core::sync::atomic::{AtomicUsize, Ordering};
use hitscan::executor::Executor;

/// Bevy's pool of threads for computations within a frame; the asking thread alone where it was never started.
pub(crate) struct ComputePool;

impl Executor for ComputePool {
    fn threads(&self) -> usize {
        // The calling thread takes part.
        ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num() + 1)
    }

    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let Some(pool) = ComputeTaskPool::try_get().filter(|_| count > 1) else {
            return (0..count).for_each(task);
        };
        let next = AtomicUsize::new(0);
        let take_turns = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                task(number);
            }
        };
        pool.scope(|scope| {
            for _ in 0..pool.thread_num().min(count - 1) {
                scope.spawn(async { take_turns() });
            }
            take_turns();
        });
    }
}
