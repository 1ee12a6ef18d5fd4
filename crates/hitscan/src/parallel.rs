//! Independent tasks, shared by the threads of rayon's current pool where the feature `parallel` is
//! on.
//!
//! All that is split over threads is split here. Rayon's own iterators are compiled anew for each
//! closure that they are given, a dozen functions each time; here they are given one function of a
//! number, and tasks and answers lie in slots by that number.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of queries that a thread takes at once: no more than this, so that threads end together.
const MAX_QUERIES: usize = 1 << 11;

/// Fewer queries than this stay on the thread that makes them.
const MIN_QUERIES: usize = 1 << 9;

/// How many threads share the work.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// Runs `task` once with each number below `count`.
fn run(count: usize, task: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "parallel")]
    if count > 1 && threads() > 1 {
        use rayon::prelude::*;
        (0..count).into_par_iter().for_each(task);
        return;
    }
    (0..count).for_each(task);
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

/// Each slot is locked by one thread, once: it is free, and was left by none in a panic.
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
