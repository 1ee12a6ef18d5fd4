//! The one boundary at which a decoder's panic becomes an error.
//!
//! `arrow-ipc`, `parquet` and the decompressors check most of what they read but index, slice and unwrap in places
//! where hostile bytes can make that fail; what they promise is memory safety, not the absence of
//! panics. Of ours only the reading of bytes runs inside: a panic of an answer or of the pipeline is a
//! defect and must stay one.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside a decoder.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder; the error is a panic's message.
///
/// The first call wraps the current panic hook: the new one is silent about panics inside decoders,
/// whose message is in the error, and forwards all others. The decoder must
/// not be used again after an error: it may be in any state.
pub(crate) fn catch_panic<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let outer = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !DECODING.get() {
                outer(info);
            }
        }));
    });
    DECODING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    result.map_err(|payload| message(payload.as_ref()))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    format!(
        "the bytes contradict each other ({})",
        text.unwrap_or("no message")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch_panic(|| 1), Ok(1));
        let empty: &[u8] = &[];
        let message = catch_panic(|| empty[0]).unwrap_err();
        assert!(message.contains("index out of bounds"), "{message}");
        assert!(!DECODING.get());
    }
}
