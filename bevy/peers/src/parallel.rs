//! Rays on all threads, for libraries that answer one ray a call.

use bevy_shape::Ray3d;
use bevy_tasks::ComputeTaskPool;

/// What `cast` answers for each ray, in their order.
pub(crate) fn cast_all<T: Send + 'static>(
    rays: &[Ray3d],
    cast: impl Fn(usize, Ray3d) -> T + Sync,
) -> Vec<T> {
    const PIECE: usize = 32;
    if rays.len() <= PIECE {
        return rays
            .iter()
            .enumerate()
            .map(|(number, ray)| cast(number, *ray))
            .collect();
    }
    let cast = &cast;
    let pieces = ComputeTaskPool::get().scope(|scope| {
        for (piece, rays) in rays.chunks(PIECE).enumerate() {
            scope.spawn(async move {
                let numbered = (piece * PIECE..).zip(rays);
                numbered
                    .map(|(number, ray)| cast(number, *ray))
                    .collect::<Vec<T>>()
            });
        }
    });
    pieces.into_iter().flatten().collect()
}
