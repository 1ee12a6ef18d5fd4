//! Work of a sync on all threads: looking at all entities of a query, and working out what each of many needs.

use bevy_ecs::prelude::*;
use bevy_ecs::query::{QueryFilter, QueryItem, ReadOnlyQueryData};
use bevy_tasks::ComputeTaskPool;
use bevy_utils::Parallel;

/// How many items a task works out.
const ITEMS_A_TASK: usize = 64;

/// What `pick` makes of the entities of a query, in no promised order.
pub(super) fn picked<'s, D, F, T>(
    query: &Query<'_, 's, D, F>,
    pick: impl Fn(QueryItem<'_, 's, D>) -> Option<T> + Send + Sync,
) -> Vec<T>
where
    D: ReadOnlyQueryData,
    F: QueryFilter,
    T: Send,
{
    if ComputeTaskPool::try_get().is_none() {
        return query.iter().filter_map(pick).collect();
    }
    let mut by_thread = Parallel::<Vec<T>>::default();
    query.par_iter().for_each(|item| {
        if let Some(kept) = pick(item) {
            by_thread.borrow_local_mut().push(kept);
        }
    });
    let mut all = Vec::new();
    by_thread.drain_into(&mut all);
    all
}

/// What `work` makes of each item, in their order.
pub(super) fn worked_out<I: Sync, T: Send + 'static>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
) -> Vec<T> {
    let Some(pool) = ComputeTaskPool::try_get().filter(|_| items.len() > ITEMS_A_TASK) else {
        return items.iter().map(work).collect();
    };
    let work = &work;
    let pieces = pool.scope(|scope| {
        for items in items.chunks(ITEMS_A_TASK) {
            scope.spawn(async move { items.iter().map(work).collect::<Vec<T>>() });
        }
    });
    pieces.into_iter().flatten().collect()
}
