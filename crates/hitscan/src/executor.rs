//! The executor of the tasks of batches and builds: rayon's current pool, or the host's own threads.
//!
//! An engine has a pool of threads already; a second one beside it would fight it for the cores. What is
//! split into tasks, and how tasks are handed out, is in `parallel.rs`. Answers do not depend on it.

use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Runs tasks on threads: on rayon's, an engine's, or the caller's alone.
///
/// ```
/// use hitscan::executor::{Executor, with_executor};
/// use hitscan::{Ray, Sphere, World};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// /// Four threads for each batch, as an example that needs no pool.
/// struct Scoped;
///
/// impl Executor for Scoped {
///     fn threads(&self) -> usize {
///         4
///     }
///     fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
///         let next = AtomicUsize::new(0);
///         std::thread::scope(|scope| {
///             for _ in 0..self.threads().min(count) {
///                 scope.spawn(|| {
///                     loop {
///                         let number = next.fetch_add(1, Ordering::Relaxed);
///                         if number >= count {
///                             break;
///                         }
///                         task(number);
///                     }
///                 });
///             }
///         });
///     }
/// }
///
/// let mut world = World::new();
/// world.add(Sphere::new([0.0, 0.0, -5.0], 1.0)?);
/// world.update();
/// let rays = vec![Ray::new([0.0; 3], [0.0, 0.0, -1.0])?; 5000];
/// let executor: Arc<dyn Executor> = Arc::new(Scoped);
/// let hits = with_executor(&executor, || world.now().cast_rays(&rays, ()));
/// assert_eq!(hits, world.now().cast_rays(&rays, ()));
/// # Ok::<(), hitscan::Error>(())
/// ```
pub trait Executor: Send + Sync {
    /// How many threads share the work; 1 has everything done by the calling thread. Work is split by it, so it
    /// should not change while tasks run.
    fn threads(&self) -> usize;

    /// Calls `task` once with each number below `count`, on any threads and in any order, and returns when all calls
    /// have returned.
    ///
    /// A task may ask for tasks to be run itself. It does not unwind into this: where it panics, the batch or the build
    /// that split it off panics in its place, once all tasks are done.
    ///
    /// A batch whose tasks were not all run when this returns panics, too.
    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync));
}

/// The calling thread does everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneThread;

impl Executor for OneThread {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(task);
    }
}

/// Rayon's current pool, on which everything runs until another executor is set; needs the feature `parallel`.
#[cfg(feature = "parallel")]
#[derive(Debug, Clone, Copy, Default)]
pub struct RayonPool;

/// What [`set_executor`] set for the process.
static OF_PROCESS: RwLock<Option<Arc<dyn Executor>>> = RwLock::new(None);

/// Whether any executor was ever set: where none was, nobody looks for one.
static IS_ANY_SET: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// What [`with_executor`] set for this thread.
    static OF_THREAD: RefCell<Option<Arc<dyn Executor>>> = const { RefCell::new(None) };
}

/// Has all batches and builds of the process run by `executor` from here on; `None` is as at the start: rayon's
/// current pool, or the asking thread alone without the feature `parallel`.
///
/// ```
/// use hitscan::executor::{OneThread, set_executor};
/// use std::sync::Arc;
/// // No threads of rayon are started, now or later.
/// set_executor(Some(Arc::new(OneThread)));
/// # set_executor(None);
/// ```
pub fn set_executor(executor: Option<Arc<dyn Executor>>) {
    IS_ANY_SET.store(true, Ordering::Release);
    *OF_PROCESS.write().unwrap_or_else(PoisonError::into_inner) = executor;
}

/// What `f` returns, its batches and builds run by `executor`, whatever is set for the process; those that other
/// threads ask for meanwhile are not.
pub fn with_executor<R>(executor: &Arc<dyn Executor>, f: impl FnOnce() -> R) -> R {
    /// Puts back what was set before, in a panic too.
    struct Before(Option<Arc<dyn Executor>>);
    impl Drop for Before {
        fn drop(&mut self) {
            let before = self.0.take();
            OF_THREAD.with(|own| own.replace(before));
        }
    }
    IS_ANY_SET.store(true, Ordering::Release);
    let before = OF_THREAD.with(|own| own.replace(Some(Arc::clone(executor))));
    let _before = Before(before);
    f()
}

/// The executor that is set for this thread or for the process, if any is.
#[inline]
pub(crate) fn current() -> Option<Arc<dyn Executor>> {
    if IS_ANY_SET.load(Ordering::Acquire) {
        return that_is_set();
    }
    None
}

#[cold]
fn that_is_set() -> Option<Arc<dyn Executor>> {
    let of_thread = OF_THREAD.with(|own| own.borrow().clone());
    of_thread.or_else(|| {
        let of_process = OF_PROCESS.read().unwrap_or_else(PoisonError::into_inner);
        of_process.clone()
    })
}
