//! A flag that cancels a build.

use crate::Error;
use core::sync::atomic::{AtomicBool, Ordering};

/// The number of items between two looks at the flag: some hundred microseconds' work at most.
pub(crate) const LOOK_AFTER: usize = 1 << 14;

/// The flag that cancels a build, if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cancel<'a>(Option<&'a AtomicBool>);

/// The flag is set, and what was built so far is to be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

impl<'a> Cancel<'a> {
    /// Of builds that always end by themselves: what is built so is never [`Cancelled`].
    pub(crate) const NEVER: Cancel<'static> = Cancel(None);

    pub(crate) fn by(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    pub(crate) fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Ends the build where the flag is set.
    pub(crate) fn check(self) -> Result<(), Cancelled> {
        if self.is_set() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
