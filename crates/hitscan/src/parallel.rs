//! Independent tasks, on several threads where the feature `parallel` is on.

/// What `answer` makes of each task, in order.
#[cfg(feature = "parallel")]
pub(crate) fn map_all<T: Send, A: Send>(
    tasks: Vec<T>,
    answer: impl Fn(T) -> A + Send + Sync,
) -> Vec<A> {
    use rayon::prelude::*;
    tasks.into_par_iter().map(answer).collect()
}

/// What `answer` makes of each task, in order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map_all<T, A>(tasks: Vec<T>, answer: impl Fn(T) -> A) -> Vec<A> {
    tasks.into_iter().map(answer).collect()
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
    #[cfg(feature = "parallel")]
    if tasks.len() > chunk && rayon::current_num_threads() > 1 {
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
    #[cfg(not(feature = "parallel"))]
    let _ = append;
    tasks.chunks(chunk).for_each(|chunk| fill(chunk, &mut all));
    all
}
