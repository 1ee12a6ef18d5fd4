//! The memory that the deformed meshes of a model's poses take together, and its limit.

use core::sync::atomic::{AtomicUsize, Ordering};

/// What the deformed meshes of one model's poses may take where nothing else is said, bytes.
const DEFAULT_LIMIT: usize = 1 << 30;

/// The bytes that deformed meshes take in all poses of a model, and their limit.
///
/// No answer depends on it: a part is answered alike from its deformed mesh and piece by piece.
#[derive(Debug)]
pub(super) struct DeformedMemory {
    bytes: AtomicUsize,
    limit: usize,
}

impl DeformedMemory {
    pub(super) fn with_limit(limit: usize) -> Self {
        let bytes = AtomicUsize::new(0);
        Self { bytes, limit }
    }

    /// Whether one more mesh may be made. Threads that ask at once may pass the limit by a mesh each.
    pub(super) fn has_room(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) < self.limit
    }

    pub(super) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn remove(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Default for DeformedMemory {
    fn default() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }
}
