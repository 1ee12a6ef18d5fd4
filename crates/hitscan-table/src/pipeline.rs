//! A pipeline of one producer, many workers and one consumer that keeps the order of its items.
//!
//! The producer and the workers have threads of their own; the consumer is the caller's. What the
//! items are is decided in `run.rs`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::Error;

/// Flags that end the threads of a run: the caller has cancelled it, or it is over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop<'a> {
    pub(crate) cancel: &'a AtomicBool,
    pub(crate) over: &'a AtomicBool,
}

impl Stop<'_> {
    pub(crate) fn is_set(self) -> bool {
        self.is_cancelled() || self.over.load(Ordering::Relaxed)
    }

    pub(crate) fn is_cancelled(self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// How many items exist at once: one in work and two queued for each thread, so that neither a slow
/// item nor a slow producer makes the others wait soon.
pub(crate) fn items_in_flight(threads: NonZeroUsize) -> usize {
    threads.get() * 3
}

/// The result of the work on an item.
enum Outcome<D> {
    Done(Result<D, Error>),
    /// The work panicked; the panic itself goes on in its own thread.
    Panicked,
}

/// Produces items with `next`, works on them with `work` on `threads` threads, and passes the results
/// to `consume` on the caller's thread, in the order of the items.
///
/// There are never more than [`items_in_flight`] items, whatever waits for what: each needs one of so
/// many permits, which is returned when its result is consumed. The first error in the order of the
/// items is the one that is returned.
///
/// # Panics
/// When `work` panics.
pub(crate) fn in_order<C: Send, D: Send>(
    threads: NonZeroUsize,
    stop: Stop<'_>,
    mut next: impl FnMut() -> Result<Option<C>, Error> + Send,
    work: impl Fn(C) -> Result<D, Error> + Sync,
    mut consume: impl FnMut(D) -> Result<(), Error>,
) -> Result<(), Error> {
    let limit = items_in_flight(threads);
    // No channel ever holds more than there are permits, so no sender waits for room.
    let (permits, permits_left) = sync_channel(limit);
    let (items, items_left) = sync_channel(limit);
    let (results, results_left) = sync_channel(limit + 1);
    let items_left = Mutex::new(items_left);
    for _ in 0..limit {
        // The receiver exists, so this cannot fail.
        let _ = permits.send(());
    }
    thread::scope(|scope| {
        let errors = results.clone();
        scope.spawn(move || produce(&permits_left, &items, &errors, stop, &mut next));
        for _ in 0..threads.get() {
            let (results, items_left, work) = (results.clone(), &items_left, &work);
            scope.spawn(move || work_on(items_left, &results, stop, work));
        }
        drop(results);
        let consumed = consume_in_order(&results_left, &permits, stop, &mut consume);
        stop.over.store(true, Ordering::Relaxed);
        // The producer may be waiting for a permit.
        drop(permits);
        consumed
    })
}

/// Produces an item for each permit.
fn produce<C, D>(
    permits: &Receiver<()>,
    items: &SyncSender<(u64, C)>,
    errors: &SyncSender<(u64, Outcome<D>)>,
    stop: Stop<'_>,
    next: &mut impl FnMut() -> Result<Option<C>, Error>,
) {
    for index in 0.. {
        if permits.recv().is_err() || stop.is_set() {
            return;
        }
        match next() {
            Ok(Some(item)) => {
                if items.send((index, item)).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                // Without a receiver the run is over and the error of no interest.
                let _ = errors.send((index, Outcome::Done(Err(error))));
                return;
            }
        }
    }
}

/// Works on items until there are no more.
fn work_on<C, D>(
    items: &Mutex<Receiver<(u64, C)>>,
    results: &SyncSender<(u64, Outcome<D>)>,
    stop: Stop<'_>,
    work: &impl Fn(C) -> Result<D, Error>,
) {
    loop {
        let item = items.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, item)) = item else {
            return;
        };
        if stop.is_set() {
            return;
        }
        match panic::catch_unwind(AssertUnwindSafe(|| work(item))) {
            Ok(result) => {
                if results.send((index, Outcome::Done(result))).is_err() {
                    return;
                }
            }
            Err(payload) => {
                // Sent first, or the consumer would wait for this item for ever.
                let _ = results.send((index, Outcome::Panicked));
                panic::resume_unwind(payload);
            }
        }
    }
}

/// Consumes results in order until there are no more, or until one is an error.
fn consume_in_order<D>(
    results: &Receiver<(u64, Outcome<D>)>,
    permits: &SyncSender<()>,
    stop: Stop<'_>,
    consume: &mut impl FnMut(D) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut early = BTreeMap::new();
    let mut expected = 0;
    for (index, outcome) in results {
        early.insert(index, outcome);
        while let Some(outcome) = early.remove(&expected) {
            if stop.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match outcome {
                Outcome::Done(result) => consume(result?)?,
                // The scope panics when it has joined the thread.
                Outcome::Panicked => return Err(Error::Cancelled),
            }
            expected += 1;
            // Without a receiver the producer has ended.
            let _ = permits.send(());
        }
    }
    if stop.is_cancelled() {
        return Err(Error::Cancelled);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    struct Flags {
        cancel: AtomicBool,
        over: AtomicBool,
    }

    impl Flags {
        fn new() -> Self {
            Self {
                cancel: AtomicBool::new(false),
                over: AtomicBool::new(false),
            }
        }

        fn stop(&self) -> Stop<'_> {
            Stop {
                cancel: &self.cancel,
                over: &self.over,
            }
        }
    }

    const THREADS: NonZeroUsize = NonZeroUsize::new(4).unwrap();

    fn count_to(end: u64) -> impl FnMut() -> Result<Option<u64>, Error> {
        let mut numbers = 0..end;
        move || Ok(numbers.next())
    }

    fn refusal(number: u64) -> Error {
        Error::NoHeader {
            file: number.to_string(),
        }
    }

    #[test]
    fn results_keep_the_order_and_items_stay_few() {
        let limit = items_in_flight(THREADS) as u64;
        let flags = Flags::new();
        let (made, finished) = (AtomicU64::new(0), AtomicU64::new(0));
        let most = AtomicU64::new(0);
        let mut numbers = 0..2000;
        let mut consumed = Vec::new();
        in_order(
            THREADS,
            flags.stop(),
            || {
                let now = made.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now - finished.load(Ordering::SeqCst), Ordering::SeqCst);
                Ok(numbers.next())
            },
            |number| {
                // The first item waits until all permits are out: the others must not run ahead.
                while number == 0 && made.load(Ordering::SeqCst) < limit {
                    thread::yield_now();
                }
                Ok(number)
            },
            |number| {
                consumed.push(number);
                finished.fetch_add(1, Ordering::SeqCst);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(consumed, (0..2000).collect::<Vec<_>>());
        // The item that is being consumed is no longer counted but still in the pipeline.
        assert!(most.load(Ordering::SeqCst) <= limit + 1, "{most:?}");
    }

    #[test]
    fn the_first_error_in_order_wins() {
        for _ in 0..50 {
            let flags = Flags::new();
            let work = |number| {
                if number % 7 == 5 {
                    Err(refusal(number))
                } else {
                    Ok(number)
                }
            };
            let mut consumed = Vec::new();
            let consume = |number| {
                consumed.push(number);
                Ok(())
            };
            let error = in_order(THREADS, flags.stop(), count_to(100), work, consume).unwrap_err();
            assert_eq!(error.to_string(), refusal(5).to_string());
            assert_eq!(consumed, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_producer_s_error_comes_after_what_it_produced() {
        let flags = Flags::new();
        let mut made = count_to(3);
        let next = || made().and_then(|number| number.map(Some).ok_or_else(|| refusal(3)));
        let mut consumed = 0;
        let consume = |_| {
            consumed += 1;
            Ok(())
        };
        let error = in_order(THREADS, flags.stop(), next, Ok, consume).unwrap_err();
        assert_eq!((error.to_string(), consumed), (refusal(3).to_string(), 3));
    }

    #[test]
    fn a_consumer_s_error_and_a_cancellation_end_an_endless_run() {
        let flags = Flags::new();
        let error = in_order(THREADS, flags.stop(), count_to(u64::MAX), Ok, |_| {
            Err(refusal(0))
        });
        assert!(matches!(error, Err(Error::NoHeader { .. })));
        let flags = Flags::new();
        let consume = |number| {
            flags.cancel.store(number == 100, Ordering::Relaxed);
            Ok(())
        };
        let error = in_order(THREADS, flags.stop(), count_to(u64::MAX), Ok, consume);
        assert!(matches!(error, Err(Error::Cancelled)));
    }

    #[test]
    #[should_panic(expected = "scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let flags = Flags::new();
        let work = |number| {
            assert!(number != 50, "as expected by the test");
            Ok(number)
        };
        let _ = in_order(THREADS, flags.stop(), count_to(u64::MAX), work, |_| Ok(()));
    }
}
