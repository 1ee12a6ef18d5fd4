//! Bytes on the heap by glibc's `mallinfo2`, for worlds of libraries that do not say what they take.

/// The bytes that `malloc` has given to its callers, Rust's allocator among them; 0 where the system's
/// library does not say.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn heap_bytes() -> usize {
    /// glibc's `struct mallinfo2`.
    #[repr(C)]
    struct Info {
        before: [usize; 4],
        mapped: usize,
        between: [usize; 2],
        used: usize,
        after: [usize; 2],
    }
    unsafe extern "C" {
        fn mallinfo2() -> Info;
    }
    // SAFETY: it reads the allocator's counters under its own locks (glibc 2.33 and later).
    let info = unsafe { mallinfo2() };
    let _ = (info.before, info.between, info.after);
    info.mapped + info.used
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn heap_bytes() -> usize {
    0
}
