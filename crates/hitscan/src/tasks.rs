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
