//! Independent tasks, shared by the threads of the executor that is set, or of rayon's current pool where the
//! feature `parallel` is on.
//!
//! All that is split over threads is split here. Rayon's own iterators are compiled anew for each
//! closure that they are given, a dozen functions each time; here they are given one function of a
//! number, and tasks and answers lie in slots by that number.

#[cfg(feature = "parallel")]
use crate::executor::RayonPool;
use crate::executor::{Executor, OneThread, current, with_executor};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicUsize};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of queries that a thread takes at once: no more than this, so that threads end together.
const MAX_QUERIES: usize = 1 << 11;

/// Fewer queries than this stay on the thread that makes them.
const MIN_QUERIES: usize = 1 << 9;

#[cfg(feature = "parallel")]
impl Executor for RayonPool {
    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }

    fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        use rayon::prelude::*;
        (0..count).into_par_iter().for_each(task);
    }
}

/// What runs tasks where nothing was set.
#[cfg(feature = "parallel")]
const DEFAULT: RayonPool = RayonPool;
#[cfg(not(feature = "parallel"))]
const DEFAULT: OneThread = OneThread;

/// How many threads share the work.
pub(crate) fn threads() -> usize {
    match current() {
        None => DEFAULT.threads(),
        Some(executor) => executor.threads().max(1),
    }
}

/// Runs `task` once with each number below `count`.
fn run(count: usize, task: &(dyn Fn(usize) + Sync)) {
    if count <= 1 || threads() == 1 {
        return (0..count).for_each(task);
    }
    match current() {
        None => DEFAULT.run(count, task),
        Some(executor) => run_by(&executor, count, task),
    }
}

/// Runs the tasks by an executor that was set: each once, whatever that does.
///
/// # Panics
/// As a task does, once all are done; and if the executor returns before.
fn run_by(executor: &Arc<dyn Executor>, count: usize, task: &(dyn Fn(usize) + Sync)) {
    let is_taken: Vec<AtomicBool> = (0..count).map(|_| AtomicBool::new(false)).collect();
    let done = AtomicUsize::new(0);
    let panic = Mutex::new(None);
    executor.run(count, &|number| {
        let is_free = is_taken.get(number);
        if is_free.is_none_or(|is_taken| is_taken.swap(true, Relaxed)) {
            return;
        }
        // What a task has run is not to wake another pool on its thread.
        let ended = catch_unwind(AssertUnwindSafe(|| {
            with_executor(executor, || task(number))
        }));
        if let Err(payload) = ended {
            lock(&panic).get_or_insert(payload);
        }
        done.fetch_add(1, Relaxed);
    });
    if let Some(payload) = lock(&panic).take() {
        resume_unwind(payload);
    }
    let done = done.into_inner();
    assert_eq!(done, count, "an executor runs all tasks before it returns");
}

/// What `work` makes, by this thread alone: under a lock, as a thread that waits for tasks may be given a query that
/// waits for the lock.
pub(crate) fn on_one_thread<T>(work: impl FnOnce() -> T) -> T {
    let alone: Arc<dyn Executor> = Arc::new(OneThread);
    with_executor(&alone, work)
}

/// A task that waits for a thread, or its answer.
enum Slot<T, A> {
    Task(T),
    Answer(A),
    /// Taken by a thread, which has not answered.
    Taken,
}

/// What `answer` makes of each task, in order.
pub(crate) fn map_all<T: Send, A: Send>(
    tasks: Vec<T>,
    answer: impl Fn(T) -> A + Send + Sync,
) -> Vec<A> {
    let slots: Vec<_> = (tasks.into_iter())
        .map(|task| Mutex::new(Slot::Task(task)))
        .collect();
    run(slots.len(), &|number| {
        let mut slot = lock(&slots[number]);
        if let Slot::Task(task) = core::mem::replace(&mut *slot, Slot::Taken) {
            *slot = Slot::Answer(answer(task));
        }
    });
    // Where a task panics, so does `run`: here each has an answer.
    let answers = slots.into_iter().filter_map(|slot| {
        match slot.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Slot::Answer(answer) => Some(answer),
            Slot::Task(_) | Slot::Taken => None,
        }
    });
    answers.collect()
}

/// A slot is locked by one thread, once: it is free, and was left by none in a panic.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has `fill` fill in the answers of all queries, `chunk` of them at a time, each answer in its
/// query's place.
///
/// # Panics
/// If there are not as many answers as queries.
pub(crate) fn answer_chunks<Q: Sync, A: Send>(
    queries: &[Q],
    answers: &mut [A],
    chunk: usize,
    fill: impl Fn(&[Q], &mut [A]) + Sync,
) {
    assert_eq!(
        queries.len(),
        answers.len(),
        "there is a slot for each answer"
    );
    if queries.len() <= chunk || threads() == 1 {
        fill(queries, answers);
        return;
    }
    let chunks = queries.chunks(chunk).zip(answers.chunks_mut(chunk));
    let slots: Vec<_> = chunks.map(Mutex::new).collect();
    run(slots.len(), &|number| {
        let mut slot = lock(&slots[number]);
        let (queries, answers) = &mut *slot;
        fill(queries, answers);
    });
}

/// Has `fill` fill in all answers, `chunk` of them at a time, by the number of the first.
pub(crate) fn fill_chunks<A: Send>(
    answers: &mut [A],
    chunk: usize,
    fill: impl Fn(usize, &mut [A]) + Sync,
) {
    if answers.len() <= chunk || threads() == 1 {
        fill(0, answers);
        return;
    }
    let slots: Vec<_> = answers.chunks_mut(chunk).map(Mutex::new).collect();
    run(slots.len(), &|number| {
        fill(number * chunk, &mut lock(&slots[number]));
    });
}

/// As [`answer_chunks`] of queries of about a ray's cost, in chunks of a size that suits how many
/// there are.
///
/// # Panics
/// If there are not as many answers as queries.
pub(crate) fn answer_queries<Q: Sync, A: Send>(
    queries: &[Q],
    answers: &mut [A],
    fill: impl Fn(&[Q], &mut [A]) + Sync,
) {
    let chunk = queries
        .len()
        .div_ceil(threads())
        .clamp(MIN_QUERIES, MAX_QUERIES);
    answer_chunks(queries, answers, chunk, fill);
}

/// As [`answer_queries`], where each query is answered by itself.
///
/// # Panics
/// If there are not as many answers as queries.
pub(crate) fn answer_each<Q: Sync, A: Send>(
    queries: &[Q],
    answers: &mut [A],
    answer: impl Fn(&Q) -> A + Sync,
) {
    answer_queries(queries, answers, |queries, answers| {
        for (query, one) in queries.iter().zip(answers) {
            *one = answer(query);
        }
    });
}

/// What `answer` makes of each query, in order; on threads as [`answer_each`].
pub(crate) fn answers_of<Q: Sync, A: Clone + Default + Send>(
    queries: &[Q],
    answer: impl Fn(&Q) -> A + Sync,
) -> Vec<A> {
    let mut answers = vec![A::default(); queries.len()];
    answer_each(queries, &mut answers, answer);
    answers
}

/// What `fill` makes of all chunks of so many tasks, in order: each chunk is added to what there is,
/// or, with several threads, filled by itself and then added by `append`. So both must come to the
/// same.
pub(crate) fn fill_all<T: Sync, A: Default + Send>(
    tasks: &[T],
    chunk: usize,
    fill: impl Fn(&[T], &mut A) + Sync,
    append: impl Fn(&mut A, A),
) -> A {
    let mut all = A::default();
    if tasks.len() > chunk && threads() > 1 {
        let filled = map_all(tasks.chunks(chunk).collect(), |chunk: &[T]| {
            let mut filled = A::default();
            fill(chunk, &mut filled);
            filled
        });
        filled
            .into_iter()
            .for_each(|filled| append(&mut all, filled));
        return all;
    }
    tasks.chunks(chunk).for_each(|chunk| fill(chunk, &mut all));
    all
}

/// The number of items that a thread checks at once.
const CHECKED: usize = 1 << 14;

/// Checks all items, in chunks with the number of the first: the first error, if any.
pub(crate) fn check_chunks<T: Sync, E: Send>(
    items: &[T],
    check: impl Fn(usize, &[T]) -> Result<(), E> + Send + Sync,
) -> Result<(), E> {
    let chunks = (0..).step_by(CHECKED).zip(items.chunks(CHECKED)).collect();
    let checked = map_all(chunks, |(first, items): (usize, &[T])| check(first, items));
    checked.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::thread;

    /// Threads that are started for each call, the last task first.
    struct Backwards(usize);

    impl Executor for Backwards {
        fn threads(&self) -> usize {
            self.0
        }

        fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
            let next = AtomicUsize::new(0);
            thread::scope(|scope| {
                for _ in 0..self.0 {
                    scope.spawn(|| {
                        loop {
                            let number = next.fetch_add(1, Relaxed);
                            if number >= count {
                                break;
                            }
                            task(count - 1 - number);
                        }
                    });
                }
            });
        }
    }

    /// Leaves out the last task.
    struct Lazy;

    impl Executor for Lazy {
        fn threads(&self) -> usize {
            2
        }

        fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
            (1..count).for_each(task);
        }
    }

    #[test]
    fn answers_are_in_order_whoever_runs_the_tasks() {
        let queries: Vec<u32> = (0..10_000).collect();
        let expected: Vec<u64> = queries.iter().map(|x| u64::from(*x) * 3).collect();
        let answers = || answers_of(&queries, |x| u64::from(*x) * 3);
        assert_eq!(answers(), expected);
        for threads in [1, 2, 3, 8] {
            let executor: Arc<dyn Executor> = Arc::new(Backwards(threads));
            assert_eq!(with_executor(&executor, answers), expected);
            let mapped =
                with_executor(&executor, || map_all(queries.clone(), |x| u64::from(x) * 3));
            assert_eq!(mapped, expected);
        }
        let one: Arc<dyn Executor> = Arc::new(crate::executor::OneThread);
        assert_eq!(with_executor(&one, answers), expected);
    }

    #[test]
    fn tasks_within_tasks_are_run_by_the_same() {
        let executor: Arc<dyn Executor> = Arc::new(Backwards(3));
        let seen = Mutex::new(BTreeSet::new());
        with_executor(&executor, || {
            run(4, &|outer| {
                assert_eq!(threads(), 3);
                run(4, &|inner| {
                    lock(&seen).insert((outer, inner));
                });
            });
        });
        assert_eq!(lock(&seen).len(), 16);
        assert!(current().is_none());
    }

    /// Runs each task twice, and tasks that are none.
    struct Overeager;

    impl Executor for Overeager {
        fn threads(&self) -> usize {
            2
        }

        fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
            (0..count + 3).for_each(task);
            (0..count).for_each(task);
        }
    }

    #[test]
    fn tasks_are_run_once_whatever_an_executor_does() {
        let executor: Arc<dyn Executor> = Arc::new(Overeager);
        let mapped = with_executor(&executor, || map_all((0..50).collect(), |x: u64| x + 1));
        assert_eq!(mapped, (1..51).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_of_a_task_is_that_of_the_batch_once_all_are_done() {
        let done = AtomicUsize::new(0);
        for executor in [
            Arc::new(Backwards(3)) as Arc<dyn Executor>,
            Arc::new(Overeager),
        ] {
            done.store(0, Relaxed);
            let batch = || {
                with_executor(&executor, || {
                    run(40, &|number| {
                        done.fetch_add(1, Relaxed);
                        assert_ne!(number, 17, "task seventeen");
                    });
                });
            };
            let payload = catch_unwind(AssertUnwindSafe(batch)).expect_err("it panics");
            let message = payload.downcast_ref::<String>();
            assert!(message.is_some_and(|message| message.contains("task seventeen")));
            assert_eq!(done.load(Relaxed), 40);
            assert!(current().is_none());
        }
    }

    #[test]
    #[should_panic(expected = "all tasks before it returns")]
    fn an_executor_that_leaves_tasks_out_is_found_out() {
        let executor: Arc<dyn Executor> = Arc::new(Lazy);
        with_executor(&executor, || run(5, &|_| {}));
    }
}
