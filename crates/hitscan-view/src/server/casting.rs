//! The threads that cast: one for each processor, shared fairly among pages.
//!
//! Each page has a queue; a free thread takes the next job of the page whose turn it is. So a page that
//! asks for much waits for itself alone, and one that is gone leaves nothing behind. The threads are a
//! pool of their own: what a question splits over threads never waits behind tiles.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something to be done on a casting thread.
pub(super) type Job = Box<dyn FnOnce() + Send>;

/// The threads, and what waits for them.
pub(super) struct Casting {
    pool: ThreadPool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// The pages that have jobs, the one whose turn it is first; none is empty.
    queues: VecDeque<(u64, VecDeque<Job>)>,
    /// How many threads are at work.
    busy: usize,
    /// The number of the next page.
    next: u64,
}

/// A page's place among those that cast. Where it is dropped, jobs that are not begun are too.
pub(super) struct Seat {
    casting: Arc<Casting>,
    page: u64,
}

impl Casting {
    /// Starts a thread for each processor.
    pub(super) fn new() -> Result<Arc<Self>, ThreadPoolBuildError> {
        let name = |index| format!("casting {index}");
        Ok(Arc::new(Self {
            pool: ThreadPoolBuilder::new().thread_name(name).build()?,
            waiting: Mutex::default(),
        }))
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// A place for a page.
    pub(super) fn seat(self: &Arc<Self>) -> Seat {
        let mut waiting = self.waiting();
        waiting.next += 1;
        Seat {
            casting: Arc::clone(self),
            page: waiting.next,
        }
    }

    /// What waits; a job that panicked did so outside of the lock.
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does jobs until there are none.
    fn work(&self) {
        loop {
            let mut waiting = self.waiting();
            let Some(job) = waiting.take() else {
                waiting.busy -= 1;
                return;
            };
            drop(waiting);
            // A job that fails harms its own page alone.
            let _ = catch_unwind(AssertUnwindSafe(job));
        }
    }
}

impl Waiting {
    /// The next job of the page whose turn it is.
    fn take(&mut self) -> Option<Job> {
        let (page, mut queue) = self.queues.pop_front()?;
        let job = queue.pop_front();
        if !queue.is_empty() {
            self.queues.push_back((page, queue));
        }
        job
    }
}

impl Seat {
    /// Adds jobs after those of this page that wait.
    pub(super) fn add(&self, jobs: impl IntoIterator<Item = Job>) {
        let mut waiting = self.casting.waiting();
        let mut jobs = jobs.into_iter().peekable();
        if jobs.peek().is_none() {
            return;
        }
        let own = waiting
            .queues
            .iter()
            .position(|(page, _)| *page == self.page);
        let before = waiting.queues.len();
        let own = own.unwrap_or(before);
        if own == before {
            waiting.queues.push_back((self.page, VecDeque::new()));
        }
        waiting.queues[own].1.extend(jobs);
        let jobs: usize = waiting.queues.iter().map(|(_, queue)| queue.len()).sum();
        let threads = self.casting.threads();
        let more = jobs.min(threads - waiting.busy);
        waiting.busy += more;
        drop(waiting);
        for _ in 0..more {
            let casting = Arc::clone(&self.casting);
            self.casting.pool.spawn(move || casting.work());
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut waiting = self.casting.waiting();
        waiting.queues.retain(|(page, _)| *page != self.page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Casting by one thread, which waits until the sender is dropped.
    fn held() -> (Arc<Casting>, mpsc::Sender<()>) {
        let casting = Casting {
            pool: ThreadPoolBuilder::new().num_threads(1).build().unwrap(),
            waiting: Mutex::default(),
        };
        let casting = Arc::new(casting);
        let (release, wait) = mpsc::channel();
        let holder = casting.seat();
        holder.add([Box::new(move || while wait.recv().is_ok() {}) as Job]);
        // A job that is begun is not dropped.
        while casting
            .waiting()
            .queues
            .iter()
            .any(|(page, _)| *page == holder.page)
        {
            std::thread::yield_now();
        }
        (casting, release)
    }

    fn jobs(page: &'static str, count: usize, done: &mpsc::Sender<String>) -> Vec<Job> {
        let job = |index| {
            let done = done.clone();
            Box::new(move || done.send(format!("{page}{index}")).unwrap()) as Job
        };
        (0..count).map(job).collect()
    }

    #[test]
    fn pages_take_turns() {
        let (casting, release) = held();
        let [a, b, c] = [casting.seat(), casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        a.add(jobs("a", 5, &done));
        b.add(jobs("b", 2, &done));
        c.add(jobs("c", 1, &done));
        drop((release, done));
        let order: Vec<String> = order.iter().collect();
        assert_eq!(order, ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"]);
    }

    #[test]
    fn what_is_not_begun_is_dropped_with_its_page() {
        let (casting, release) = held();
        let [a, b] = [casting.seat(), casting.seat()];
        let (done, order) = mpsc::channel();
        a.add(jobs("a", 100, &done));
        b.add(jobs("b", 2, &done));
        drop(a);
        drop((release, done));
        assert_eq!(order.iter().collect::<Vec<_>>(), ["b0", "b1"]);
    }
}
