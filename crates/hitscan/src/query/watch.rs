//! Watchers of a traversal, for explanations.
//!
//! A traversal is generic over its watcher. [`Unwatched`] is zero-sized and its calls compile to nothing, so a
//! plain query costs nothing for it. A watcher is notified, and decides nothing; the notifications are in
//! `bvh/traverse/watch.rs`, `height_field/ray/watch.rs` and `tri_mesh/ray/watch.rs`.

/// No watcher.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unwatched;

/// The outcome of a triangle's test for a collector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
    /// It is not hit in the ray's range, or from a side that does not count.
    Refused,
    /// It is hit at this t, and not kept.
    Left(f32),
    /// It is hit at this t, and is the answer so far.
    Kept(f32),
}

impl Outcome {
    /// Of a hit from a side that counts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn of_hit(t: f32, is_kept: bool) -> Self {
        if is_kept {
            Self::Kept(t)
        } else {
            Self::Left(t)
        }
    }
}
