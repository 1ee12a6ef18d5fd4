//! Work on many threads whose results come out in the order in which it went in.
//!
//! One thread makes the pieces, some work on them, and the caller's thread takes the results. What
//! pieces are is not known here. Read `run.rs` next for what the tables' pieces are.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::Error;

/// Tells the threads of a run to end: the caller wishes it, or the run is over.
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

/// How many pieces exist at once when `threads` work on them: one in work and two waiting for each
/// thread, so that neither a slow piece nor a slow reader makes the others wait soon.
pub(crate) fn pieces_in_flight(threads: NonZeroUsize) -> usize {
    threads.get() * 3
}

/// What became of a piece.
enum Outcome<D> {
    Done(Result<D, Error>),
    /// The work panicked; the panic itself goes on in its own thread.
    Panicked,
}

/// Makes pieces with `next`, works on them with `work` on `threads` threads, and gives the results
/// to `take` on the caller's thread, in the order of the pieces.
///
/// There are never more than [`pieces_in_flight`] pieces, whatever waits for what: each needs one
/// of so many tickets, and a ticket comes back when its piece was taken. The first error in the
/// order of the pieces is the one that is returned.
///
/// # Panics
/// When `work` panics.
pub(crate) fn in_order<C: Send, D: Send>(
    threads: NonZeroUsize,
    stop: Stop<'_>,
    mut next: impl FnMut() -> Result<Option<C>, Error> + Send,
    work: impl Fn(C) -> Result<D, Error> + Sync,
    mut take: impl FnMut(D) -> Result<(), Error>,
) -> Result<(), Error> {
    let limit = pieces_in_flight(threads);
    // No channel ever holds more than there are tickets, so no sender waits for room.
    let (tickets, tickets_left) = sync_channel(limit);
    let (pieces, pieces_left) = sync_channel(limit);
    let (results, results_left) = sync_channel(limit + 1);
    let pieces_left = Mutex::new(pieces_left);
    for _ in 0..limit {
        // The receiver stands above, so this cannot fail.
        let _ = tickets.send(());
    }
    thread::scope(|scope| {
        let errors = results.clone();
        scope.spawn(move || make(&tickets_left, &pieces, &errors, stop, &mut next));
        for _ in 0..threads.get() {
            let (results, pieces_left, work) = (results.clone(), &pieces_left, &work);
            scope.spawn(move || work_on(pieces_left, &results, stop, work));
        }
        drop(results);
        let taken = take_in_order(&results_left, &tickets, stop, &mut take);
        stop.over.store(true, Ordering::Relaxed);
        // The maker may be waiting for a ticket.
        drop(tickets);
        taken
    })
}

/// Makes a piece for each ticket.
fn make<C, D>(
    tickets: &Receiver<()>,
    pieces: &SyncSender<(u64, C)>,
    errors: &SyncSender<(u64, Outcome<D>)>,
    stop: Stop<'_>,
    next: &mut impl FnMut() -> Result<Option<C>, Error>,
) {
    for index in 0.. {
        if tickets.recv().is_err() || stop.is_set() {
            return;
        }
        match next() {
            Ok(Some(piece)) => {
                if pieces.send((index, piece)).is_err() {
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

/// Works on pieces until there are no more.
fn work_on<C, D>(
    pieces: &Mutex<Receiver<(u64, C)>>,
    results: &SyncSender<(u64, Outcome<D>)>,
    stop: Stop<'_>,
    work: &impl Fn(C) -> Result<D, Error>,
) {
    loop {
        let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, piece)) = piece else {
            return;
        };
        if stop.is_set() {
            return;
        }
        match panic::catch_unwind(AssertUnwindSafe(|| work(piece))) {
            Ok(result) => {
                if results.send((index, Outcome::Done(result))).is_err() {
                    return;
                }
            }
            Err(payload) => {
                // Told first, or the taker would wait for this piece for ever.
                let _ = results.send((index, Outcome::Panicked));
                panic::resume_unwind(payload);
            }
        }
    }
}

/// Takes results in order until there are no more, or until one is an error.
fn take_in_order<D>(
    results: &Receiver<(u64, Outcome<D>)>,
    tickets: &SyncSender<()>,
    stop: Stop<'_>,
    take: &mut impl FnMut(D) -> Result<(), Error>,
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
                Outcome::Done(result) => take(result?)?,
                // The scope panics when it has joined the thread.
                Outcome::Panicked => return Err(Error::Cancelled),
            }
            expected += 1;
            // Without a receiver the maker has ended.
            let _ = tickets.send(());
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
    fn results_keep_the_order_and_pieces_stay_few() {
        let limit = pieces_in_flight(THREADS) as u64;
        let flags = Flags::new();
        let (made, finished) = (AtomicU64::new(0), AtomicU64::new(0));
        let most = AtomicU64::new(0);
        let mut numbers = 0..2000;
        let mut taken = Vec::new();
        in_order(
            THREADS,
            flags.stop(),
            || {
                let now = made.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now - finished.load(Ordering::SeqCst), Ordering::SeqCst);
                Ok(numbers.next())
            },
            |number| {
                // The first piece waits until all tickets are out: the others must not run ahead.
                while number == 0 && made.load(Ordering::SeqCst) < limit {
                    thread::yield_now();
                }
                Ok(number)
            },
            |number| {
                taken.push(number);
                finished.fetch_add(1, Ordering::SeqCst);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(taken, (0..2000).collect::<Vec<_>>());
        // The piece that is being taken has left the count's reach but not the pipeline.
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
            let mut taken = Vec::new();
            let take = |number| {
                taken.push(number);
                Ok(())
            };
            let error = in_order(THREADS, flags.stop(), count_to(100), work, take).unwrap_err();
            assert_eq!(error.to_string(), refusal(5).to_string());
            assert_eq!(taken, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn a_maker_s_error_comes_after_what_it_made() {
        let flags = Flags::new();
        let mut made = count_to(3);
        let next = || made().and_then(|number| number.map(Some).ok_or_else(|| refusal(3)));
        let mut taken = 0;
        let take = |_| {
            taken += 1;
            Ok(())
        };
        let error = in_order(THREADS, flags.stop(), next, Ok, take).unwrap_err();
        assert_eq!((error.to_string(), taken), (refusal(3).to_string(), 3));
    }

    #[test]
    fn a_taker_s_error_and_a_cancellation_end_an_endless_run() {
        let flags = Flags::new();
        let error = in_order(THREADS, flags.stop(), count_to(u64::MAX), Ok, |_| {
            Err(refusal(0))
        });
        assert!(matches!(error, Err(Error::NoHeader { .. })));
        let flags = Flags::new();
        let take = |number| {
            flags.cancel.store(number == 100, Ordering::Relaxed);
            Ok(())
        };
        let error = in_order(THREADS, flags.stop(), count_to(u64::MAX), Ok, take);
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
